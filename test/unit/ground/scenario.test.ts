/** Rovers in scenarios: messages about impossible or unlikely soils, terrains and initial states. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ModelError, type Problem } from "../../../src/errors.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { diskFiles } from "../../../src/scenario/node-files.ts";
import { prepareScenario } from "../../../src/scenario/prepare.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";

const FOLDER = "scenarios/rover-flat";
const load = (changes: Readonly<Record<string, unknown>>): Scenario =>
  loadScenario(readFileSync(`${FOLDER}/scenario.yaml`, "utf8"), "rover-flat", {
    files: diskFiles(FOLDER, { names: [], path: String }),
    overrides: Object.entries(changes).map(([path, value]) => ({ path, value, from: "test" })),
  });
const problemsOf = (make: () => unknown): readonly Problem[] => {
  try {
    make();
  } catch (error) {
    if (error instanceof ModelError) return error.problems;
    throw error;
  }
  return [];
};

describe("the ground of a rover", () => {
  it("a soil parameter with a probable unit mistake is a warning with its path, an impossible one is an error", () => {
    expect(load({}).warnings).toEqual([]);
    const { warnings } = load({ "forces.ground-fl.cohesion": 0.8, "forces.ground-rr.density": 1.6 });
    expect(warnings).toEqual([
      expect.objectContaining({ path: "forces.ground-fl.cohesion", file: "test", advice: expect.stringMatching("800 Pa") }),
      expect.objectContaining({ path: "forces.ground-rr.density", advice: expect.stringMatching("1600") }),
    ]);
    const wrong = problemsOf(() => load({ "forces.ground-fl.friction": 37.2, "forces.ground-rl.kphi": -1 }));
    expect(wrong.map((p) => p.path)).toEqual(["forces.ground-fl.friction", "forces.ground-rl.kphi"]);
  });

  it("a rover below the ground or outside its map does not start", () => {
    const below = problemsOf(() => prepareScenario(load({ "state.q.base": [1, 0, 0, 0, 0, 0, -1] })));
    expect(below.length).toBe(4);
    expect(below[0]).toMatchObject({
      path: "forces.ground-fl",
      message: expect.stringMatching("1.20 m below the ground"),
      advice: expect.stringMatching("1.29 m"),
    });
    const rows = [0, 0, 0].map(() => ({ heights: [0, 0, 0] }));
    const map = { kind: "heights", x: -0.5, y: -0.5, spacing: 0.5, rows };
    expect(problemsOf(() => prepareScenario(load({ "terrain.plain": map })))).toEqual([]);
    const beside = problemsOf(() => prepareScenario(load({ "terrain.plain": map, "state.q.base": [1, 0, 0, 0, 0.6, 0, 0.27] })));
    expect(beside.map((p) => p.path)).toEqual(["forces.ground-fl", "forces.ground-fr"]);
    expect(beside[0]?.message).toMatch("not known at x = 0.9000 m, y = 0.2200 m");
  });

  it("a run ends with a message when the rover leaves its map", async () => {
    const rows = [0, 0, 0].map(() => ({ heights: [0, 0, 0] }));
    const map = { kind: "heights", x: -0.31, y: -0.31, spacing: 0.31, rows };
    const { failure, run } = await runScenario(load({ "terrain.plain": map, duration: 2 }));
    expect(failure?.message).toMatch(/the motion ends at t = 1\.\d+ s: the ground under wheel-fl is not known at x = 0\.31/);
    expect(run.end).toBe("interrupted");
    expect(run.t).toBeGreaterThan(0.5);
  });
});
