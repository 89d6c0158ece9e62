/** Dependent coordinates: closed forms against Newton, both against the reference states; unreachable points are refused by name. */
import { describe, expect, test } from "vitest";
import { dependentCoordinates } from "../../../src/dynamics/partition/dependent-coordinates.ts";
import { dockingModel, LOOP_CASES, toCastor } from "../../data/docking-models.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Two methods for the same coordinates: rounding times the condition of the chains. */
const SAME = 1e-11;

const METHODS: Readonly<Record<string, readonly string[]>> = {
  a_fourbar_planar: ["RR"],
  b6_stewart_6legs_fixed: new Array<string>(6).fill("R2P1R3"),
  b6f_stewart_6legs_floating12t: new Array<string>(6).fill("R2P1R3"),
  c6_apas_fixed: new Array<string>(6).fill("R1R2R3"),
  d1_nested_inner_in_dependent_floating: [...new Array<string>(6).fill("R2P1R3"), "RR", "RR"],
  d2_nested_on_path: [...new Array<string>(6).fill("R2P1R3"), "RR"],
  d3_nested_mutual_block: ["Newton", ...new Array<string>(5).fill("R2P1R3")],
  e_planar_platform_3loops_m2: ["RP", "RR", "RR"],
  b3_stewart_3legs_fixed: new Array<string>(3).fill("R2P1R3"),
};

const apart = (a: Float64Array, b: Float64Array): number => Math.max(...a.map((v, i) => Math.abs(v - b[i]!)));

describe.each(Object.entries(LOOP_CASES))("%s", (name, { model: data, acceleration_case: state }) => {
  const model = dockingModel(data, name);
  const { q, u } = toCastor(data, state);
  const closed = dependentCoordinates(model, 0, q);
  const newton = dependentCoordinates(model, 0, q, { method: "Newton" });
  const dependents = data.loops.flatMap((loop) => loop.dep_u!);

  test("reproduces the coordinates and speeds of the reference", () => {
    expect([...closed.methods].sort()).toEqual([...METHODS[name]!].sort());
    for (const way of [closed, newton]) {
      const [q1, u1] = [q.slice(), u.slice()];
      for (const i of dependents) {
        q1[i + data.nq - data.nu]! += 0.01 * Math.sin(i);
        u1[i] = 7;
      }
      way.solve(0, q1);
      way.solveSpeeds(0, q1, u1);
      expect(apart(q1, q)).toBeLessThan(SAME);
      expect(apart(u1, u)).toBeLessThan(SAME);
    }
  });

  test("closed forms equal Newton around the reference", () => {
    const next = uniform(7);
    for (let i = 0; i < 50; i++) {
      const start = q.slice();
      for (const k of data.independent_u!)
        if (k + data.nq - data.nu >= 7 || data.nq === data.nu) start[k + data.nq - data.nu]! += 0.01 * (next() - 0.5);
      const [a, b] = [start.slice(), start.slice()];
      closed.solve(0, a);
      newton.solve(0, b);
      expect(apart(a, b)).toBeLessThan(SAME);
    }
  });
});
