/** Sizes of pages that Vite builds with the installed package: what a page does not use is not in it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { expect, it } from "vitest";
import { workFolder } from "../fixtures/installed.ts";

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
