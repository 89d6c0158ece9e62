/** Sequential partitioning against the reference models of the docking study, and against the other solution methods for loops. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { articulated } from "../../../src/dynamics/articulated.ts";
import { closedLoops } from "../../../src/dynamics/loops/multipliers/closed-loops.ts";
import { dependentCoordinates } from "../../../src/dynamics/partition/dependent-coordinates.ts";
import { partition } from "../../../src/dynamics/partition/partition.ts";
import { type PartitionedLoops, partitionedLoops } from "../../../src/dynamics/partition/partitioned-loops.ts";
import { bodyPoses } from "../../../src/dynamics/programs.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { homeOf, type Model } from "../../../src/model/model.ts";
import {
  dockingModel,
  LOOP_CASES,
  loadsOf,
  type ModelData,
  OVERCONSTRAINED,
  type StateData,
  toCastor,
} from "../../data/docking-models.ts";
import { randomClosedModel, randomState, randomWrenches } from "../../fixtures/models/random-model.ts";

/** Accuracy that the study requires of an implementation; its own methods agree to 1e-12. */
const REFERENCE = 1e-9;
/** Tolerance for the same numbers computed twice with some thousand operations. */
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
  const loops = partitionedLoops(model, { wrenches, independents });
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
    // b_0 of a free vehicle differs by the rotation of the axes of its speeds
    if (!free) expect(largestDifference(reduced.b, state.reduced_rhs)).toBeLessThan(REFERENCE);
  });

  test("wrench on the base; the virtual hinge of the ring transmits nothing, as in the data", () => {
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
      // the hinge frame M is the body frame
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

/** A ring on three legs, each with a revolute and a slide, closed by balls: a leg has two speeds for three equations. */
function ringOnThreeLegs(): Model {
  const legs = [0, 1, 2].map((i) => {
    const [c, s] = [Math.cos((2 * Math.PI * i) / 3), Math.sin((2 * Math.PI * i) / 3)];
    return {
      name: `leg${i}`,
      c,
      s,
      turned: {
        matrix: [
          [c, -s, 0],
          [s, c, 0],
          [0, 0, 1],
        ],
      },
    };
  });
  return createModel({
    name: "3-RPS",
    gravity: [0.3, -0.2, -9.81],
    bodies: [
      { name: "ring", mass: 20, com: [0.01, 0.02, 0], inertia: [1, 1.1, 2], hinge: { kind: "free" } },
      ...legs.flatMap(({ name, c, s, turned }) => [
        {
          name,
          mass: 2,
          com: [0, 0.01, 0.2] as const,
          inertia: [0.02, 0.02, 0.001],
          hinge: { kind: "revolute" as const, axis: "y" as const, at: [0.6 * c, 0.6 * s, 0] as const, rotation: turned },
        },
        {
          name: `${name} rod`,
          parent: name,
          mass: 1,
          inertia: [0.01, 0.01, 0.001],
          hinge: { kind: "prismatic" as const, axis: "z" as const },
        },
      ]),
    ],
    loops: legs.map(({ name, c, s }) => ({
      name: `${name} ball`,
      kind: "spherical" as const,
      from: { body: "ring", at: [0.4 * c, 0.4 * s, 0] as const },
      to: { body: `${name} rod` },
    })),
  });
}

test("legs with fewer speeds than equations: speeds of the ring are also dependent (3-RPS)", () => {
  const model = ringOnThreeLegs();
  const leg = [Math.atan2(-0.2, 0.5), Math.hypot(0.2, 0.5)];
  const q = Float64Array.from([1, 0.02, -0.03, 0, 0, 0, 0.5, ...leg, ...leg, ...leg]);
  const u = Float64Array.from({ length: 12 }, (_, i) => Math.sin(i));
  closedLoops(model).project(0, q, u);
  const [a, b, none] = [new Float64Array(12), new Float64Array(12), new Float64Array(0)];
  const tau = Float64Array.from({ length: 12 }, (_, i) => 3 * Math.cos(i));
  const loops = partitionedLoops(model);
  loops.accelerations(0, q, u, tau, none, a);
  articulated.derive(model).accelerations(q, u, tau, none, b);
  const { choice } = loops.current!;
  expect(choice.rank).toBe(9);
  expect(choice.independents).toHaveLength(3);
  expect(apart(a, b)).toBeLessThan(ROUNDING);
});

test("the loop table: driving loops come first, interdependent loops are one block", () => {
  const tableOf = (name: string) => {
    const { model, acceleration_case: state } = LOOP_CASES[name]!;
    return { table: solved(name, model, state).loops.current!.choice.table, data: model };
  };
  const d1 = tableOf("d1_nested_inner_in_dependent_floating").table.blocks.map((b) => b.loops);
  const position = (blocks: readonly (readonly number[])[], loop: number): number => blocks.findIndex((b) => b.includes(loop));
  expect(position(d1, 0)).toBeLessThan(position(d1, 6));
  expect(position(d1, 3)).toBeLessThan(position(d1, 7));
  const d2 = tableOf("d2_nested_on_path").table.blocks.map((b) => b.loops);
  expect(position(d2, 0)).toBeLessThan(position(d2, 1));
  const d3 = tableOf("d3_nested_mutual_block").table.blocks.filter((b) => b.loops.length > 1);
  expect(d3).toEqual([{ loops: [5, 6], candidates: [21, 22, 23, 24, 25] }]);
  const { table, data } = tableOf("b6_stewart_6legs_fixed");
  const names = dockingModel(data, "b6").bodies.map((b) => b.name);
  for (const [k, { root, first, terminal, closing, candidates }] of table.loops.entries()) {
    const loop = data.loops[k]!;
    expect(root).toBe(loop.R - 1);
    expect([names[first!], names[terminal!], names[closing!]]).toEqual([`cyl${k + 1}'1`, `rod${k + 1}`, "ring"]);
    expect(candidates).toEqual(loop.dep_u);
  }
});

test("Bricard's mechanism: six revolutes in one loop, rank 4 of 5", () => {
  const path = new URL("../../../scenarios/bricard/model.yaml", import.meta.url);
  const model = parseModel(readFileSync(path, "utf8"), "bricard");
  const [q, u] = [homeOf(model), Float64Array.of(1, 0.5, -1, 0.3, 0.2)];
  const multipliers = closedLoops(model);
  multipliers.project(0, q, u);
  expect(Math.hypot(...u)).toBeGreaterThan(0.5);
  const [a, b, none] = [new Float64Array(5), new Float64Array(5), new Float64Array(0)];
  const loops = partitionedLoops(model);
  loops.accelerations(0, q, u, new Float64Array(5), none, a);
  articulated.derive(model).accelerations(q, u, new Float64Array(5), none, b);
  expect(loops.current!.choice.rank).toBe(4);
  expect(loops.rankAt(0, q).dependencies).toHaveLength(1);
  expect(loops.current!.inconsistency).toBeLessThan(ROUNDING);
  expect(largestDifference(a, b)).toBeLessThan(REFERENCE);
});

/** Largest difference relative to the largest entry. */
const apart = (a: Float64Array, b: Float64Array): number =>
  largestDifference(a, b) / Math.max(1e-300, ...a.map(Math.abs), ...b.map(Math.abs));

test("random models with loops under wrenches: the same as with multipliers, including reactions", () => {
  for (let seed = 1000; seed < 1020; seed++) {
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

describe("dependents are chosen again where they become ill conditioned", () => {
  const { model: data, acceleration_case: state } = LOOP_CASES.a_fourbar_planar!;
  const fourBar = dockingModel(data, "four-bar");

  test("rocker preferred as independent, crank through a full turn: both dead points are passed, accelerations are those of the multiplier method", () => {
    const { q, u } = toCastor(data, state);
    const crank = dependentCoordinates(fourBar, 0, q, { independents: [0] });
    const loops = partitionedLoops(fourBar, { independents: [1] });
    const multipliers = articulated.derive(fourBar);
    const none = new Float64Array(0);
    const tau = Float64Array.of(1.5, -0.3, 0.2);
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    for (let i = 0; i <= 720; i++) {
      q[0] = 0.7 + (2 * Math.PI * i) / 720;
      u[0] = 2;
      crank.solve(0, q);
      crank.solveSpeeds(0, q, u);
      loops.accelerations(0, q, u, tau, none, a);
      multipliers.accelerations(q, u, tau, none, b);
      expect(apart(a, b), `crank at ${q[0]}`).toBeLessThan(1e-11);
      if (i === 0) expect(loops.current!.choice.independents).toEqual([1]);
    }
    expect(loops.current!.switches).toBeGreaterThan(0);
    expect(loops.current!.switches).toBeLessThan(5);
  });

  test("parallelogram: the rank is kept near the flat position, and in it the motion is not determined", () => {
    const bar = { mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1] } as const;
    const model = createModel({
      name: "parallelogram",
      bodies: [
        { name: "crank", ...bar, hinge: { kind: "revolute", axis: "z" } },
        { name: "coupler", parent: "crank", ...bar, hinge: { kind: "revolute", axis: "z", at: [1, 0, 0] } },
        { name: "rocker", ...bar, hinge: { kind: "revolute", axis: "z", at: [2, 0, 0] } },
      ],
      loops: [
        {
          name: "pin",
          kind: "point-on-line",
          axis: "z",
          from: { body: "rocker", at: [1, 0, 0] },
          to: { body: "coupler", at: [2, 0, 0] },
        },
      ],
    });
    const loops = partitionedLoops(model);
    const multipliers = articulated.derive(model);
    const none = new Float64Array(0);
    const tau = Float64Array.of(1, 0.2, 0);
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    const at = (angle: number): [Float64Array, Float64Array] => [
      Float64Array.of(angle, -angle, angle),
      Float64Array.of(1, -1, 1),
    ];
    for (const angle of [1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, -1e-4, -1e-2, -1]) {
      const [q, u] = at(angle);
      loops.accelerations(0, q, u, tau, none, a);
      multipliers.accelerations(q, u, tau, none, b);
      expect(loops.current!.choice.rank).toBe(2);
      expect(apart(a, b), `${angle} rad`).toBeLessThan(1e-9 / Math.min(1, Math.abs(angle)));
    }
    const [q, u] = at(0);
    expect(() => loops.accelerations(0, q, u, tau, none, a)).toThrow(/rank 1 instead of 2: the motion is not determined/);
  });
});

/** Fourth-order steps of all coordinates and speeds, with projection after each step. */
function marched(
  model: Model,
  forces: StateData["forces"],
  start: { q: Float64Array; u: Float64Array },
  h: number,
  steps: number,
) {
  const ends = [partitionedLoops(model), undefined].map((loops) => {
    const multipliers = articulated.derive(model);
    const projection = closedLoops(model);
    const n = model.nu;
    const none = new Float64Array(0);
    const y = Float64Array.from([...start.q, ...start.u]);
    const data = { bodies: [], nu: n, nq: n } as unknown as ModelData;
    const rates = (at: Float64Array): Float64Array => {
      const [q, u, udot] = [at.slice(0, n), at.slice(n), new Float64Array(n)];
      const { tau } = loadsOf(data, forces, q, u);
      if (loops) loops.accelerations(0, q, u, tau, none, udot);
      else multipliers.accelerations(q, u, tau, none, udot);
      return Float64Array.from([...u, ...udot]);
    };
    const plus = (k: Float64Array, c: number): Float64Array => y.map((v, i) => v + c * k[i]!);
    for (let step = 0; step < steps; step++) {
      const k1 = rates(y);
      const k2 = rates(plus(k1, h / 2));
      const k3 = rates(plus(k2, h / 2));
      const k4 = rates(plus(k3, h));
      for (let i = 0; i < y.length; i++) y[i]! += (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!);
      projection.project(0, y.subarray(0, n), y.subarray(n));
    }
    return { q: y.slice(0, n), u: y.slice(n), switches: loops?.current?.switches ?? 0 };
  });
  return { partition: ends[0]!, multipliers: ends[1]! };
}

test("a docking leg passes its dead point: d3 for 0.5 s, the reference at 0.25 s", () => {
  const { model: data, trajectory_case: motion } = LOOP_CASES.d3_nested_mutual_block!;
  const model = dockingModel(data, "d3");
  const start = toCastor(data, motion!.start);
  const before = marched(model, motion!.forces, start, 1e-3, 250);
  const reference = toCastor(data, motion!.end);
  expect(largestDifference(before.partition.q, reference.q)).toBeLessThan(1e-8);
  expect(largestDifference(before.partition.u, reference.u)).toBeLessThan(1e-6);
  const after = marched(model, motion!.forces, start, 2e-3, 250);
  expect(after.partition.switches).toBeGreaterThan(0);
  expect(largestDifference(after.partition.q, after.multipliers.q)).toBeLessThan(1e-8);
});

test("the velocity jump of an impulse", () => {
  for (const [name, { model: data, trajectory_case: motion }] of Object.entries(LOOP_CASES)) {
    if (!motion?.impulse) continue;
    const { q, speeds } = toCastor(data, motion.start);
    const model = dockingModel(data, name);
    const { point_on_ring: at, impulse_world_Ns: S } = motion.impulse;
    const { R, p } = posesOf(model, q)("ring");
    const mid = times(R, data.bodies.find((b) => b.name === "ring")!.c).map((v, i) => v + p[i]!);
    const d = times(R, at).map((v, i) => v + p[i]! - mid[i]!) as [number, number, number];
    const w = [d[1] * S[2] - d[2] * S[1], d[2] * S[0] - d[0] * S[2], d[0] * S[1] - d[1] * S[0], ...S];
    const du = new Float64Array(model.nu);
    partitionedLoops(model, { wrenches: ["ring com"] }).speedJump(0, q, new Float64Array(model.nu), Float64Array.from(w), du);
    expect(largestDifference(du, speeds(motion.start.u)), name).toBeLessThan(ROUNDING);
  }
});

/** N windows side by side: N + 1 uprights on the ground, N bars between neighbours. */
function windows(N: number): Model {
  const bar = { mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1] } as const;
  const upright = {
    matrix: [
      [0, -1, 0],
      [1, 0, 0],
      [0, 0, 1],
    ],
  } as const;
  const turned = {
    matrix: [
      [0, 1, 0],
      [-1, 0, 0],
      [0, 0, 1],
    ],
  } as const;
  const ends = Array.from({ length: N }, (_, i) => i);
  return createModel({
    name: `windows-${N}`,
    bodies: [
      ...[...ends, N].map((i) => ({
        name: `v${i}`,
        ...bar,
        hinge: { kind: "revolute" as const, axis: "z" as const, at: [i, 0, 0] as const, rotation: upright },
      })),
      ...ends.map((i) => ({
        name: `h${i}`,
        parent: `v${i}`,
        ...bar,
        hinge: { kind: "revolute" as const, axis: "z" as const, at: [1, 0, 0] as const, rotation: turned },
      })),
    ],
    loops: ends.map((i) => ({
      name: `l${i}`,
      kind: "point-on-line" as const,
      axis: "z" as const,
      from: { body: `v${i + 1}`, at: [1, 0, 0] as const },
      to: { body: `h${i}`, at: [1, 0, 0] as const },
    })),
  });
}

describe("cost", () => {
  const operations = (model: Model) => {
    const loops = partitionedLoops(model);
    const rest = new Float64Array(model.nu);
    loops.accelerations(0, rest, rest, rest, new Float64Array(0), new Float64Array(model.nu));
    return loops.current!;
  };

  test("grows linearly with the number of loops in a row", () => {
    const [ten, eighty] = [operations(windows(10)), operations(windows(80))];
    expect(eighty.choice.rank).toBe(160);
    expect(eighty.operations.used / 80).toBeLessThan(1.2 * (ten.operations.used / 10));
  });

  test("zeros of six legs save more than a factor of 2.5", () => {
    const { used, dense } = solved(
      "b6f",
      LOOP_CASES.b6f_stewart_6legs_floating12t!.model,
      LOOP_CASES.b6f_stewart_6legs_floating12t!.acceleration_case,
    ).loops.current!.operations;
    expect(dense / used).toBeGreaterThan(2.5);
  });
});
