/** Published and independent values of machines with loops, and the built-in scenarios with loops: right, closed, in good time. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadScenario } from "../../src/scenario/load.ts";
import { diskFiles } from "../../src/scenario/node-files.ts";
import type { Override } from "../../src/scenario/override.ts";
import { runScenario } from "../../src/scenario/run.ts";
import type { LoadBuiltIn } from "../../src/validation/validation.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

const load: LoadBuiltIn = (name, overrides: readonly Override[] = []) => {
  const folder = `scenarios/${name}`;
  const path = `${folder}/scenario.yaml`;
  const files = diskFiles(folder, { names: [], path: String });
  return loadScenario(readFileSync(path, "utf8"), path, { files, overrides });
};

/** Freedoms of the trees and equations of the loops, as one counts them. */
const SCENARIOS = [
  { name: "satellite-pantograph", speeds: 12, rows: 4, redundant: 0 },
  { name: "four-bar", speeds: 3, rows: 2, redundant: 0 },
  { name: "slider-crank", speeds: 3, rows: 2, redundant: 0 },
  { name: "n-four-bar", speeds: 5, rows: 4, redundant: 0 },
  { name: "andrews-squeezer", speeds: 7, rows: 6, redundant: 0 },
  { name: "bricard", speeds: 5, rows: 5, redundant: 1 },
  { name: "stewart-platform", speeds: 24, rows: 18, redundant: 0 },
  { name: "jansen-leg", speeds: 7, rows: 16, redundant: 9 },
] as const;

/** m or rad, and m/s or rad/s: projection reaches rounding. */
const CLOSED = 1e-12;
const STILL = 1e-10;

describe.each(SCENARIOS)("scenario $name", ({ name, speeds, rows, redundant }) => {
  test("runs to its end with all loops closed, in less time than it simulates", async () => {
    const { scenario, system, start, run, failure, seconds } = await runScenario(load(name));
    expect(failure).toBeUndefined();
    expect(run.t).toBe(scenario.duration);
    expect(system.model.nu).toBe(speeds);
    const workspace = workspaceOf(system, start);
    workspace.compileLoopsAt(start.t, start.y);
    expect(workspace.closed!.rows).toBe(rows);
    expect(workspace.closed!.redundant).toBe(redundant);
    const worst = Object.fromEntries(run.audit.map((row) => [row.channel, row.worst]));
    expect(worst["loop closure"]).toBeLessThan(CLOSED);
    expect(worst["loop speed"]).toBeLessThan(STILL);
    // 0.05 s of the squeezer: the benchmark measures them, in new processes, not a busy test machine.
    if (scenario.duration > 1) expect(seconds).toBeLessThan(scenario.duration);
  });
});

test("what assembly moved is told, and nothing moves where the loops are closed already", async () => {
  const guessed = await runScenario(load("four-bar", [{ path: "duration", value: 0.1, from: "test" }]));
  expect(guessed.moved.map((m) => m.name).sort()).toEqual(["q.coupler", "q.crank", "q.rocker", "u.coupler", "u.rocker"]);
  const closed = await runScenario(load("satellite-pantograph", [{ path: "duration", value: 0.1, from: "test" }]));
  expect(closed.moved).toEqual([]);
});
