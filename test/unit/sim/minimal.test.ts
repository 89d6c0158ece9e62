/** The minimal mode of partition: same motion as the others, loops closed without projection, dependents chosen anew during the run. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { minimal } from "../../../src/dynamics/partition/minimal.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { diskFiles } from "../../../src/scenario/node-files.ts";
import { prepareScenario } from "../../../src/scenario/prepare.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { verifyScenario } from "../../../src/scenario/verify.ts";

function load(name: string, changes: Readonly<Record<string, unknown>>) {
  const folder = `scenarios/${name}`;
  const overrides = Object.entries(changes).map(([path, value]) => ({ path, value, from: "test" }));
  const files = diskFiles(folder, { names: [], path: String });
  return loadScenario(readFileSync(`${folder}/scenario.yaml`, "utf8"), name, { files, overrides: overrides as never });
}

describe.each([
  { name: "four-bar", duration: 2, same: 1e-8 },
  { name: "andrews-squeezer", duration: 0.05, same: 1e-8 },
  { name: "bricard", duration: 1, same: 1e-8 },
  { name: "stewart-platform", duration: 0.5, same: 1e-8 },
  { name: "jansen-leg", duration: 0.5, same: 1e-8 },
  { name: "satellite-pantograph", duration: 10, same: 1e-7 }, // through the first singular configuration, at steps of 25 ms
])("$name", ({ name, duration, same }) => {
  test("moves like articulated, with loops closed to rounding", async () => {
    const [own, other] = [
      await runScenario(load(name, { duration, formulation: "minimal" })),
      await runScenario(load(name, { duration })),
    ];
    expect(own.failure).toBeUndefined();
    expect(own.system.formulation).toBe("minimal");
    const { nq, nu } = own.system.layout;
    for (let i = 0; i < nq + nu; i++)
      expect(Math.abs(own.run.y[i]! - other.run.y[i]!) / (1 + Math.abs(other.run.y[i]!))).toBeLessThan(same);
    const closure = own.run.audit.find((row) => row.channel === "loop closure")!;
    expect(closure.worst).toBeLessThan(1e-12);
  });
});

test("dependent coordinates are corrected from the independent ones, which stay unchanged", () => {
  const { system, start } = prepareScenario(load("four-bar", {}));
  const { dependents } = minimal.derive(system.model);
  const [q, u] = [start.y.slice(0, 3), start.y.slice(3, 6)];
  dependents!.complete(q, u, 0);
  const wrong = [q.slice(), u.slice()] as const;
  const moved = q.findIndex((_, i) => {
    const [a, b] = [q.slice(), u.slice()];
    a[i]! += 1e-3;
    dependents!.complete(a, b, 0);
    return Math.abs(a[i]! - q[i]!) > 5e-4; // an independent one
  });
  expect(moved).toBeGreaterThanOrEqual(0);
  for (let i = 0; i < 3; i++) if (i !== moved) [wrong[0][i]!, wrong[1][i]!] = [q[i]! + 1e-3, 7];
  dependents!.complete(...wrong, 0);
  for (let i = 0; i < 3; i++) {
    expect(Math.abs(wrong[0][i]! - q[i]!)).toBeLessThan(1e-12);
    expect(Math.abs(wrong[1][i]! - u[i]!)).toBeLessThan(1e-12);
  }
});

test("verify compares it with adaptive steps, and gives the reason otherwise", async () => {
  const adaptive = await verifyScenario(load("jansen-leg", { duration: 0.3 }));
  expect(adaptive.agree).toBe(true);
  expect(adaptive.runs.map(({ system }) => system.formulation)).toEqual([
    "articulated",
    "kane",
    "matrix",
    "partition",
    "minimal",
  ]);
  const fixed = await verifyScenario(load("n-four-bar", { duration: 0.1 }));
  expect(fixed.agree).toBe(true);
  expect(fixed.notApplicable).toEqual([
    { formulation: "minimal", reason: expect.stringMatching(/stages satisfy the loop equations exactly/) },
  ]);
});

test.each([
  { key: "loopClosure", what: /^loop closure drifted by/ },
  { key: "loopSpeed", what: /^loop speed drifted by/ },
])("a scenario may demand $key: without projection a run breaks it", async ({ key, what }) => {
  const audit = { energy: 1, loopClosure: 1, loopSpeed: 1 };
  const changes = { duration: 0.2, integrator: { name: "gauss6", step: 0.01 } };
  const demanding = await runScenario(load("four-bar", { ...changes, audit: { ...audit, [key]: 1e-12 } }));
  expect(demanding.failure?.message).toMatch(what);
  expect((await runScenario(load("four-bar", { ...changes, audit }))).failure).toBeUndefined();
});
