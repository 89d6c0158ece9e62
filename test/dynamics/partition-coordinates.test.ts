/** Dependent coordinates: closed forms against Newton, both against the reference states; unreachable points refused by name. */
import { describe, expect, test } from "vitest";
import { type Chain, solveChain } from "../../src/dynamics/partition-chains.ts";
import { dependentCoordinates } from "../../src/dynamics/partition-coordinates.ts";
import { dockingModel, LOOP_CASES, toCastor } from "../data/docking-models.ts";
import { uniform } from "../random-model.ts";

/** Two ways to the same coordinates: rounding times the condition of the chains. */
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

  test("finds the coordinates and speeds of the reference again", () => {
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

/** Where a chain's end is: the geometry of the doc comment, written out. */
function endOf(chain: Chain, [a, b, c]: readonly [number, number, number]): readonly [number, number, number] {
  const [sin, cos] = [Math.sin, Math.cos];
  switch (chain.kind) {
    case "R2P1R3": {
      const L = chain.length + c;
      return [L * cos(a) * cos(b), L * sin(b), -L * sin(a) * cos(b)];
    }
    case "R1R2R3": {
      const r = chain.rod * cos(c);
      return [chain.crank * cos(a) + r * cos(a + b), chain.crank * sin(a) + r * sin(a + b), chain.offset - chain.rod * sin(c)];
    }
    case "RR":
      return [chain.crank * cos(a) + chain.rod * cos(a + b), chain.crank * sin(a) + chain.rod * sin(a + b), 0];
    case "RP":
      return [(chain.length + b) * cos(a), (chain.length + b) * sin(a), 0];
  }
}

test("10 000 random poses of every chain, both elbows, are found again", () => {
  const next = uniform(3);
  const between = (low: number, high: number): number => low + (high - low) * next();
  const found = new Float64Array(3);
  for (let i = 0; i < 10_000; i++) {
    const elbow = i % 2 === 0 ? 1 : -1;
    const [crank, rod] = [between(0.1, 1), between(0.1, 1)];
    const bend = -elbow * between(0.05, 3.09);
    const cases: readonly (readonly [Chain, readonly [number, number, number]])[] = [
      [{ kind: "R2P1R3", length: 0.5 }, [between(-3, 3), between(-1.5, 1.5), between(-0.4, 1)]],
      [{ kind: "R1R2R3", crank, rod, offset: between(-0.2, 0.2), elbow }, [between(-3, 3), bend, between(-1.4, 1.4)]],
      [{ kind: "RR", crank, rod, elbow }, [between(-3, 3), bend, 0]],
      [{ kind: "RP", length: 0.5 }, [between(-3, 3), between(-0.4, 1), 0]],
    ];
    for (const [chain, p] of cases) {
      found.fill(0);
      solveChain(chain, endOf(chain, p), found);
      // the end is where it should be, whatever the condition of the angles
      expect(
        apart(Float64Array.from(endOf(chain, found as unknown as [number, number, number])), Float64Array.from(endOf(chain, p))),
      ).toBeLessThan(1e-12);
      // near the ends of its reach a chain has coordinates only as good as the square root of rounding
      const reach = Math.hypot(...endOf(chain, p).slice(0, 2));
      if (reach > 0.05) expect(apart(found, Float64Array.from(p)), JSON.stringify({ chain, p })).toBeLessThan(1e-11);
    }
  }
});

test("unreachable points are refused by name", () => {
  const q = new Float64Array(3);
  expect(() => solveChain({ kind: "R1R2R3", crank: 0.25, rod: 0.58, offset: 0, elbow: 1 }, [0.2, 0.1, 0.6], q)).toThrow(
    /R1R2R3: 0.6 m off/,
  );
  expect(() => solveChain({ kind: "RR", crank: 0.3, rod: 0.3, elbow: 1 }, [1, 0, 0], q)).toThrow(/RR: the point is 1 m away/);
  expect(() => solveChain({ kind: "R2P1R3", length: 0.5 }, [0, 1, 0], q)).toThrow(/R2P1R3/);
});
