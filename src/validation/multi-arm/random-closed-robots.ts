/**
 * Random robots that hold on to something, at a random state on their loops: two arms of revolute and prismatic hinges and a wheel on a free
 * base, and a free body beside it. Seven ways of holding: see HOLDS.
 */

import { frameKinematics } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { hierarchicalLeastSquares } from "../../math/optimise/hierarchical-least-squares.ts";
import { createModel } from "../../model/build/create-model.ts";
import { describePlacement } from "../../model/build/placement.ts";
import type { BodyDescription, LoopDescription } from "../../model/description.ts";
import { homeOf, type Model } from "../../model/model.ts";
import { apply, compose, type Mat3, transpose } from "../../spatial/rotation.ts";
import { minus, type Vec3 } from "../../spatial/vec3.ts";

/** A grip of a hand: on the world, on the free body, or on the other arm. */
export interface Grip {
  readonly hand: "hand-a" | "hand-b";
  readonly on: "world" | "load" | "b2";
  readonly kind: "fixed" | "spherical" | "revolute";
}

const HOLDS: readonly { readonly title: string; readonly grips: readonly Grip[]; readonly rows: number }[] = [
  { title: "one arm welded to the world", grips: [{ hand: "hand-a", on: "world", kind: "fixed" }], rows: 4 },
  { title: "one arm welded to a free body", grips: [{ hand: "hand-a", on: "load", kind: "fixed" }], rows: 4 },
  {
    title: "both arms welded to the world",
    grips: [
      { hand: "hand-a", on: "world", kind: "fixed" },
      { hand: "hand-b", on: "world", kind: "fixed" },
    ],
    rows: 3,
  },
  {
    title: "both arms welded to one free body",
    grips: [
      { hand: "hand-a", on: "load", kind: "fixed" },
      { hand: "hand-b", on: "load", kind: "fixed" },
    ],
    rows: 3,
  },
  { title: "one arm on a ball joint in the world", grips: [{ hand: "hand-a", on: "world", kind: "spherical" }], rows: 4 },
  {
    title: "one arm on the world, one on a hinge of a free body",
    grips: [
      { hand: "hand-b", on: "world", kind: "fixed" },
      { hand: "hand-a", on: "load", kind: "revolute" },
    ],
    rows: 4,
  },
  { title: "one arm holds the other", grips: [{ hand: "hand-a", on: "b2", kind: "spherical" }], rows: 3 },
];

export interface RandomClosedRobot {
  readonly title: string;
  readonly model: Model;
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly grips: readonly Grip[];
  /** Hinges with motors, and the torques that count as one. */
  readonly hinges: readonly string[];
  readonly weights: readonly number[];
  /** Number of rows of tasks. */
  readonly rows: number;
}

/** Uniform numbers between -1 and 1 from a seed, the same in every engine: a linear congruential generator. */
function symmetricNumbers(seed: number): () => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/**
 * @param wheelHasMotor false: the wheel moves passively
 * @param hold "free": it holds on to nothing
 */
export function randomClosedRobot(seed: number, wheelHasMotor: boolean, hold: "hold" | "free" = "hold"): RandomClosedRobot {
  const next = symmetricNumbers(seed);
  for (let i = 0; i < 8; i++) next();
  const { title, grips, rows } = hold === "hold" ? HOLDS[seed % HOLDS.length]! : { title: "free robot", grips: [], rows: 6 };
  const vector = (size: number): Vec3<number> => [size * next(), size * next(), size * next()];
  const axis = (): Vec3<number> => {
    const [x, y, z] = vector(1);
    const length = Math.sqrt(x * x + y * y + z * z);
    return [x / length, y / length, z / length];
  };
  const arm = (name: string, links: number): BodyDescription[] =>
    Array.from({ length: links }, (_, i) => {
      const mass = 4 + 3 * next();
      const isLast = i === links - 1;
      return {
        name: `${name}${i + 1}`,
        parent: i === 0 ? "base" : `${name}${i}`,
        mass,
        com: [0.3 + 0.1 * next(), 0.1 * next(), 0.1 * next()],
        inertia: [0.1 * mass, 0.15 * mass, 0.12 * mass],
        hinge: {
          kind: i === 3 && seed % 5 === 0 ? "prismatic" : "revolute",
          axis: axis(),
          at: i === 0 ? vector(0.6) : [0.6, 0.05 * next(), 0.05 * next()],
        },
        ...(isLast && { frames: { [`hand-${name}`]: { at: [0.4, 0, 0], rotation: { rpy: vector(1) } } } }),
      };
    });
  const bodies: BodyDescription[] = [
    { name: "base", mass: 60, com: vector(0.1), inertia: [12, 15, 18], hinge: { kind: "free" } },
    ...arm("a", 6),
    ...arm("b", 6),
    { name: "wheel", parent: "base", mass: 3, inertia: [0.03, 0.03, 0.06], hinge: { kind: "revolute", axis: axis() } },
    { name: "load", mass: 25 + 10 * next(), com: vector(0.1), inertia: [3, 4, 5], hinge: { kind: "free" } },
  ];
  const tree = createModel({ name: `closed robot ${seed}`, bodies });
  const q = homeOf(tree).map((home, i) => (i === 0 || i === tree.nq - 7 ? home : home + 0.8 * next()));
  for (const first of [0, tree.nq - 7]) {
    let squares = 0;
    for (let i = first; i < first + 4; i++) squares += q[i]! * q[i]!;
    for (let i = first; i < first + 4; i++) q[i]! /= Math.sqrt(squares);
  }
  const poseOf = posesAt(tree, q);
  const frames: Record<string, BodyDescription["frames"]> = {};
  const loops: LoopDescription[] = grips.map(({ hand, on, kind }): LoopDescription => {
    const { R, p } = poseOf(hand);
    const holder = on === "world" ? undefined : poseOf(on);
    const inverse = holder && transpose(holder.R);
    const placement = describePlacement(
      inverse && holder
        ? { R: compose(inverse, R) as Mat3<number>, p: apply(inverse, minus(p, holder.p)) as Vec3<number> }
        : { R, p },
    );
    if (on !== "world") frames[on] = { ...frames[on], [`${hand}-grip`]: placement };
    const to = on === "world" ? { body: "world", ...placement } : { frame: `${hand}-grip` };
    const ends = { name: `${hand} on ${on}`, from: { frame: hand }, to };
    return kind === "revolute" ? { ...ends, kind, axis: "z" } : { ...ends, kind };
  });
  const withGrips = bodies.map((body) => ({
    ...body,
    ...(frames[body.name] && { frames: { ...body.frames, ...frames[body.name] } }),
  }));
  const model = createModel({ name: tree.name, bodies: withGrips, loops });
  const hinges = bodies.filter((b) => b.parent && (wheelHasMotor || b.name !== "wheel")).map((b) => b.name);
  const wanted = Float64Array.from({ length: model.nu }, () => 0.3 * next());
  const robot = { title, model, q, grips, hinges, rows };
  return { ...robot, u: speedsOnLoops({ ...robot, u: wanted }), weights: hinges.map(() => 10 + 9 * next()) };
}

/** Poses of bodies and frames at q. */
function posesAt(model: Model, q: Float64Array): (name: string) => { readonly R: Mat3<number>; readonly p: Vec3<number> } {
  return (name) => {
    const { pose } = compile(frameKinematics(model, [name])).evaluateAt({ q, u: new Float64Array(model.nu) });
    return {
      R: [0, 3, 6].map((i) => [...pose.subarray(i, i + 3)]) as unknown as Mat3<number>,
      p: [...pose.subarray(9, 12)] as unknown as Vec3<number>,
    };
  };
}

/** The speeds closest to u with which the loops stay closed. */
function speedsOnLoops(robot: Pick<RandomClosedRobot, "model" | "q" | "u" | "grips">): Float64Array {
  const { J, rows } = gripRows(robot);
  const { nu } = robot.model;
  const solver = hierarchicalLeastSquares(nu);
  solver.reset();
  solver.addLevel({ A: J, first: 0, count: rows }, new Float64Array(rows), undefined, 1e-10);
  const identity = new Float64Array(nu * nu);
  for (let i = 0; i < nu; i++) identity[i * nu + i] = 1;
  solver.minimise(
    identity,
    robot.u.map((v) => -v),
    nu,
  );
  return solver.x.slice();
}

/**
 * Rows of the grips from the Jacobians of frames, not from those of loops: with ω and v of the hand less those of the frame that it holds,
 * ω = 0 and v = 0 for a weld, v = 0 for a ball joint, and for a hinge also e · ω = 0 with e the axes x and y of the hand.
 */
export function gripRows({ model, q, u, grips }: Pick<RandomClosedRobot, "model" | "q" | "u" | "grips">): {
  readonly J: Float64Array;
  readonly bias: Float64Array;
  readonly rows: number;
} {
  const { nu } = model;
  const J: number[] = [];
  const bias: number[] = [];
  for (const { hand, on, kind } of grips) {
    const names = on === "world" ? [hand] : [hand, `${hand}-grip`];
    const frames = compile(frameKinematics(model, names)).evaluateAt({ q, u });
    const entry = (row: number, j: number): number =>
      frames.jacobian[row * nu + j]! - (on === "world" ? 0 : frames.jacobian[(6 + row) * nu + j]!);
    const velocity = (row: number): number => {
      let sum = 0;
      for (let j = 0; j < nu; j++) sum += entry(row, j) * u[j]!;
      return sum;
    };
    const relativeBias = (row: number): number => frames.bias[row]! - (on === "world" ? 0 : frames.bias[6 + row]!);
    const omega = [0, 1, 2].map((row) => {
      let sum = 0;
      for (let j = 0; j < nu; j++) sum += frames.jacobian[row * nu + j]! * u[j]!;
      return sum;
    });
    const add = (row: (j: number) => number, ofBias: number): void => {
      for (let j = 0; j < nu; j++) J.push(row(j));
      bias.push(ofBias);
    };
    for (const row of kind === "fixed" ? [0, 1, 2, 3, 4, 5] : [3, 4, 5]) add((j) => entry(row, j), relativeBias(row));
    if (kind !== "revolute") continue;
    for (const column of [0, 1]) {
      const e = [0, 1, 2].map((r) => frames.pose[3 * r + column]!);
      const turned = [0, 1, 2].map((r) => omega[(r + 1) % 3]! * e[(r + 2) % 3]! - omega[(r + 2) % 3]! * e[(r + 1) % 3]!); // ω × e
      const dotted = (f: (r: number) => number): number => e[0]! * f(0) + e[1]! * f(1) + e[2]! * f(2);
      add(
        (j) => dotted((r) => entry(r, j)),
        dotted(relativeBias) + turned[0]! * velocity(0) + turned[1]! * velocity(1) + turned[2]! * velocity(2),
      );
    }
  }
  return { J: Float64Array.from(J), bias: Float64Array.from(bias), rows: bias.length };
}
