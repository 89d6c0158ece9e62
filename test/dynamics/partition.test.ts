/** Sequential partitioning against the reference models of the docking study, and against the other treatments of loops. */
import { describe, expect, test } from "vitest";
import { articulated } from "../../src/dynamics/articulated.ts";
import { closedLoops } from "../../src/dynamics/closed-loops.ts";
import { partition } from "../../src/dynamics/partition.ts";
import { type PartitionedLoops, partitioned } from "../../src/dynamics/partition-loops.ts";
import { bodyPoses } from "../../src/dynamics/programs.ts";
import { compile } from "../../src/kernel/kernel.ts";
import { createModel } from "../../src/model/create.ts";
import type { Model } from "../../src/model/model.ts";
import {
  dockingModel,
  LOOP_CASES,
  loadsOf,
  type ModelData,
  OVERCONSTRAINED,
  type StateData,
  toCastor,
} from "../data/docking-models.ts";
import { randomClosedModel, randomState, randomWrenches } from "../random-model.ts";

/** What the study asks of an implementation; its own methods agree to 1e-12. */
const REFERENCE = 1e-9;
/** What the same numbers, computed twice with some thousand operations, may differ by. */
const ROUNDING = 1e-11;

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  expect(a.length).toBe(b.length);
  return Array.from(a).reduce((worst, v, i) => Math.max(worst, Math.abs(v - b[i]!)), 0);
};

interface Solved {
  readonly model: Model;
  readonly loops: PartitionedLoops;
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly tau: Float64Array;
  readonly w: Float64Array;
  readonly wrenches: readonly string[];
  readonly udot: Float64Array;
  readonly expected: Float64Array;
  readonly speeds: (given: readonly number[]) => Float64Array;
}

function solved(name: string, data: ModelData, state: StateData, independents: readonly number[] = []): Solved {
  const model = dockingModel(data, name);
  const { q, u, speeds } = toCastor(data, state);
  const { tau, w, wrenches } = loadsOf(data, state.forces, q, u);
  const loops = partitioned(model, { wrenches, independents });
  const udot = new Float64Array(model.nu);
  loops.accelerations(0, q, u, tau, w, udot);
  return { model, loops, q, u, tau, w, wrenches, udot, expected: speeds(state.udot), speeds };
}

/** R_WB of each body by rows and its origin, 12 numbers. */
function posesOf(model: Model, q: Float64Array): (name: string) => { R: number[][]; p: number[] } {
  const kernel = compile(bodyPoses(model));
  kernel.x.set(q);
  kernel.evaluate();
  return (name) => {
    const i = model.bodies.findIndex((b) => b.name === name);
    if (i < 0)
      return {
        R: [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        p: [0, 0, 0],
      };
    const y = [...kernel.y.subarray(12 * i, 12 * i + 12)];
    return { R: [y.slice(0, 3), y.slice(3, 6), y.slice(6, 9)], p: y.slice(9) };
  };
}

const times = (R: readonly (readonly number[])[], v: readonly number[]): number[] =>
  R.map((row) => row.reduce((sum, a, i) => sum + a * v[i]!, 0));
const transposed = (R: readonly (readonly number[])[]): number[][] => R[0]!.map((_, j) => R.map((row) => row[j]!));

describe.each(Object.entries(LOOP_CASES))("%s", (name, { model: data, acceleration_case: state }) => {
  const s = solved(name, data, state);
  const nameOf = (id: number): string => (id === 0 ? "world" : data.bodies[id - 1]!.name);

  test("accelerations", () => {
    expect(largestDifference(s.udot, s.expected)).toBeLessThan(REFERENCE);
  });

  test("loop forces on T in axes of R", () => {
    const lambda = new Float64Array(s.loops.rows.length);
    s.loops.multipliers(lambda);
    const pose = posesOf(s.model, s.q);
    let row = 0;
    for (const [k, loop] of data.loops.entries()) {
      const size = loop.kind === "S" ? 3 : 2;
      const inI = [...lambda.subarray(row, row + size), 0].slice(0, 3);
      row += size;
      const inR = times(transposed(pose(nameOf(loop.R)).R), times(pose(nameOf(loop.I)).R, inI));
      const shown = loop.P ? times(transposed(loop.P), inR) : inR;
      expect(largestDifference(shown, state.loop_forces_on_T_in_R_axes[k]!), nameOf(loop.T)).toBeLessThan(REFERENCE);
    }
  });

  test("independents, reduced matrix and right-hand side", () => {
    const { choice, reduced } = s.loops.current!;
    expect(choice.independents).toEqual(data.independent_u);
    // u of Castor = T u of the data, so A_0 of the data = Tᵀ A_0 T
    const n = choice.independents.length;
    const T = choice.independents.map((_, j) =>
      s.speeds(Array.from({ length: data.nu }, (_, i) => (i === j ? 1 : 0))).slice(0, n),
    );
    const inData = (v: ArrayLike<number>): number[] => T.map((column) => column.reduce((sum, t, i) => sum + t * v[i]!, 0));
    const rows = Array.from({ length: n }, (_, i) => inData(reduced.A.subarray(i * n, i * n + n)));
    const A0 = transposed(transposed(rows).map(inData));
    const size = Math.max(...state.reduced_mass_matrix.flat().map(Math.abs));
    expect(largestDifference(A0.flat(), state.reduced_mass_matrix.flat()) / size).toBeLessThan(ROUNDING);
    const free = data.bodies[0]!.joint === "free";
    // b_0 of a free vehicle differs by what the axes of its speeds turn
    if (!free) expect(largestDifference(reduced.b, state.reduced_rhs)).toBeLessThan(REFERENCE);
  });

  test("wrench on the base; the virtual hinge of the ring transmits what the data say: nothing", () => {
    const reactions = new Float64Array(6 * s.model.bodies.length);
    const equations = partition.derive(s.model, { wrenches: s.wrenches });
    equations.reactions(s.q, s.u, s.tau, s.w, reactions);
    const pose = posesOf(s.model, s.q);
    const base = data.bodies[0]!.joint === "free" ? data.bodies[0]!.name : "world";
    const parentOf = (i: number): string => s.model.bodies[s.model.bodies[i]!.parent]?.name ?? "world";
    const total = [0, 0, 0, 0, 0, 0];
    for (const [i, body] of s.model.bodies.entries()) {
      if (parentOf(i) !== base || body.name === base) continue;
      const [tx, ty, tz, fx, fy, fz] = reactions.subarray(6 * i, 6 * i + 6) as unknown as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      // the hinge frame M is the body's own
      const [x, y, z] = pose(body.name).p.map((p, k) => p - pose(base).p[k]!) as [number, number, number];
      for (const [k, v] of [tx + y * fz - z * fy, ty + z * fx - x * fz, tz + x * fy - y * fx, fx, fy, fz].entries())
        total[k]! -= v;
      if (/^(ring|plat)'1$/.test(body.name))
        expect(Math.max(...reactions.subarray(6 * i, 6 * i + 6).map(Math.abs))).toBeLessThan(1e-10);
    }
    if (!state.force_of_mechanism_on_base_world) return;
    expect(largestDifference(total.slice(3), state.force_of_mechanism_on_base_world)).toBeLessThan(REFERENCE);
    expect(largestDifference(total.slice(0, 3), state.moment_of_mechanism_on_base_about_base_origin_world!)).toBeLessThan(
      REFERENCE,
    );
  });
});

test.each(Object.entries(OVERCONSTRAINED))("overconstrained: %s", (name, data) => {
  const { model, loops, udot, expected, q } = solved(name, data.model, data);
  const { choice, inconsistency } = loops.current!;
  expect(choice.rank).toBe(data.rank);
  expect(choice.independents).toHaveLength(data.dof);
  expect(loops.rows).toHaveLength(data.rows);
  expect(largestDifference(udot, expected)).toBeLessThan(REFERENCE);
  expect(inconsistency).toBeLessThan(ROUNDING);
  const { rank, dependencies } = loops.rankAt(0, q);
  expect(rank).toBe(data.rank);
  expect(dependencies).toHaveLength(data.rows - data.rank);
  const lambda = new Float64Array(data.rows);
  loops.multipliers(lambda);
  for (const n of dependencies)
    expect(Math.abs(n.reduce((sum, v, i) => sum + v * lambda[i]!, 0))).toBeLessThan(1e-9 * Math.hypot(...lambda));
  expect(model.nu - rank).toBe(data.dof);
});

/** Largest difference relative to the largest entry. */
const apart = (a: Float64Array, b: Float64Array): number =>
  largestDifference(a, b) / Math.max(1e-300, ...a.map(Math.abs), ...b.map(Math.abs));

test("random closed machines under wrenches: as with multipliers, reactions included", () => {
  for (let seed = 1000; seed < 1040; seed++) {
    const { description, q } = randomClosedModel(seed);
    const model = createModel(description);
    const wrenches = randomWrenches(model, seed);
    const { u, tau, w } = randomState(model, seed, 6 * wrenches.length);
    const multipliers = closedLoops(model);
    multipliers.project(0, q, u);
    const results = [articulated, partition].map((formulation) => {
      const equations = formulation.derive(model, { wrenches });
      const udot = new Float64Array(model.nu);
      const lambda = new Float64Array(multipliers.rows);
      const reactions = new Float64Array(6 * model.bodies.length);
      equations.accelerations(q, u, tau, w, udot);
      equations.loopForces(q, u, tau, w, lambda);
      equations.reactions(q, u, tau, w, reactions);
      return { udot, lambda, reactions };
    });
    const [a, b] = [results[0]!, results[1]!];
    expect(apart(a.udot, b.udot), `accelerations, seed ${seed}`).toBeLessThan(1e-9);
    expect(apart(a.lambda, b.lambda), `multipliers, seed ${seed}`).toBeLessThan(1e-8);
    expect(apart(a.reactions, b.reactions), `reactions, seed ${seed}`).toBeLessThan(1e-8);
  }
});
