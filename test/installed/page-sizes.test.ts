/** Sizes of pages that Vite builds with the installed package: what a page does not use is not in it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { expect, it } from "vitest";
import { GRAVITIES } from "../../src/model/gravity.ts";
import { workFolder } from "../fixtures/installed.ts";
import { launchBrowser } from "../fixtures/pages/browser.ts";
import { amplitude, completeK } from "../oracles/elliptic.ts";

/** Angle of a pendulum of 1 m that starts at rest: sin(θ/2) = k sn(K - ω t), k = sin(θ₀/2). */
function pendulumAngle(start: number, gravity: number, t: number): number {
  const k = Math.sin(start / 2);
  return 2 * Math.asin(k * Math.sin(amplitude(completeK(k * k) - Math.sqrt(gravity) * t, k * k)));
}

/** The script of a page, minified. */
async function scriptOf(source: string): Promise<string> {
  const root = workFolder();
  const input = join(root, "page.js");
  writeFileSync(input, source);
  const result = (await build({
    root,
    configFile: false,
    logLevel: "error",
    build: { write: false, target: "es2022", rolldownOptions: { input } },
  })) as Rolldown.RolldownOutput | Rolldown.RolldownOutput[];
  const outputs = (Array.isArray(result) ? result : [result]).flatMap(({ output }) => output);
  return outputs.map((output) => (output.type === "chunk" ? output.code : "")).join("");
}

it("a page with one speed profile is below 1 kB", async () => {
  const script = await scriptOf(
    'import { sCurve } from "castor"; globalThis.duration = sCurve(1, { speed: 1, acceleration: 2, jerk: 8 }).duration;',
  );
  expect(gzipSync(script).length).toBeLessThan(1000);
  new Function(script)();
  expect((globalThis as { duration?: number }).duration).toBeCloseTo(1.75, 12);
});

it("a page with a builder of models is below 30 kB", async () => {
  const script = await scriptOf(`import { buildModel } from "castor";
    globalThis.coordinates = buildModel("pendulum").body({ name: "rod", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } }).build().nq;`);
  expect(gzipSync(script).length).toBeLessThan(30_000);
  new Function(script)();
  expect((globalThis as { coordinates?: number }).coordinates).toBe(1);
});

it("a page that simulates a pendulum is below 100 kB, and runs in Chromium with the bits of Node", async () => {
  const script = await scriptOf(`import { buildModel, createTreeSystem, simulate } from "castor";
    const model = buildModel("pendulum").gravity("earth")
      .body({ name: "rod", mass: 1, com: [0, 0, -1], inertia: "none", hinge: { kind: "revolute", axis: "y" } }).build();
    const system = createTreeSystem(model);
    const { log } = simulate(system, system.start({ q: [0.5] }), { duration: 2 });
    globalThis.angles = [...log.column("q.rod")];`);
  expect(gzipSync(script).length).toBeLessThan(100_000);
  new Function(script)();
  const { angles } = globalThis as { angles?: number[] };
  expect(angles!.length).toBe(501);
  expect(angles!.at(-1)).toBeCloseTo(pendulumAngle(0.5, GRAVITIES.earth, 2), 8);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: script, type: "module" });
    await page.waitForFunction("globalThis.angles !== undefined");
    expect(await page.evaluate("globalThis.angles")).toEqual(angles);
  } finally {
    await browser.close();
  }
}, 60_000);
