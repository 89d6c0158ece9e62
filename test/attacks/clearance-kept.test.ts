/**
 * Least distances are kept whatever the tasks demand, at every integration step within a period: 50 motions of a robot whose hands are driven
 * into its base and into each other, and random robots with every kind of hinge.
 */
import { describe, expect, it } from "vitest";
import { freedomsOf } from "../../src/model/freedoms.ts";
import { homeOf, type Model } from "../../src/model/model.ts";
import { readController } from "../../src/parts/control/controllers.ts";
import { motors } from "../../src/parts/force/drives/motors.ts";
import { createForce } from "../../src/parts/force/forces.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import { loadsOf } from "../fixtures/element-loads.ts";
import { randomState, uniform } from "../fixtures/models/random-model.ts";
import { randomRobot } from "../fixtures/models/random-robot.ts";
import { armCapsule, BASE_BOX, type TestShape, TWO_HANDS, TWO_HANDS_HINGES } from "../fixtures/models/two-hands-robot.ts";

/** Tolerance of least distances, m. */
const LIMIT = 1e-6;
/** Number of random robots: more by CLEARANCE_ROBOTS (50 were tried). */
const ROBOTS = Number(process.env.CLEARANCE_ROBOTS ?? 2);

interface LimitedPair {
  readonly shapes: readonly TestShape[];
  readonly against: readonly TestShape[];
  readonly least: number;
}

interface Motion {
  readonly model: Model;
  readonly q: Float64Array;
  readonly period: number;
  readonly duration: number;
  readonly pairs: readonly LimitedPair[];
  /** Parameters of the law besides the distances. */
  readonly law: { readonly hinges: readonly string[]; readonly tasks: unknown; readonly limits: unknown };
}

/** Runs a motion with or without its least distances. Returns the smallest excess of a distance over its least value at any step. */
function smallestExcess({ model, q, period, duration, pairs, law }: Motion, clearances: readonly LimitedPair[]): number {
  const controller = readController("limited-tasks", "c", { motors: "motors", base: "base", period, ...law, clearances }, model);
  const elements = pairs.map(({ shapes, against }, i) =>
    createForce(model, { kind: "clearance", name: `gap${i}`, shapes, against } as never),
  );
  const system = createSystem(model, [motors.create("motors", { hinge: law.hinges }, model), ...elements]);
  const step = period / 4;
  const { log } = simulate(system, system.start({ q }), {
    ...{ duration, integrator: INTEGRATORS.rk4, settings: { step }, sample: step, tolerances: { energy: 1 } },
    ...{ controllers: [controller], channels: ["gap*.smallest"] },
  });
  const excess = pairs.flatMap(({ least }, i) => [...log.column(`gap${i}.smallest`)].map((distance) => distance - least));
  return excess.reduce((a, b) => Math.min(a, b));
}

function handMotion(seed: number): Motion {
  const next = uniform(seed ^ 0xc1ea);
  const q = homeOf(TWO_HANDS);
  const posture = [0.5, 0.2, -0.6, -0.5, 0.2, 0.6];
  for (let i = 0; i < 6; i++) q[7 + i] = posture[i]! + 0.4 * (next() - 0.5);
  const move = (side: number): number[] => [-0.3 - 0.8 * next(), side * (0.2 + 0.8 * next()), 0.6 * (next() - 0.5)];
  return {
    ...{ model: TWO_HANDS, q, period: [0.01, 0.02][seed % 2]!, duration: 1.4 },
    pairs: [
      { shapes: [armCapsule("left-fore"), armCapsule("right-fore")], against: [BASE_BOX], least: 0.03 },
      {
        shapes: [armCapsule("left-upper"), armCapsule("left-fore")],
        against: [armCapsule("right-upper"), armCapsule("right-fore")],
        least: 0.05,
      },
    ],
    law: {
      hinges: TWO_HANDS_HINGES,
      tasks: ["left-hand", "right-hand"].map((frame, i) => ({
        ...{ frame, parts: ["x", "y", "z"], kp: 20, kd: 9, moves: [{ by: move(2 * i - 1), duration: 1.2, rise: 0.4 }] },
      })),
      limits: [{ hinge: TWO_HANDS_HINGES, torque: 20 + 30 * next() }],
    },
  };
}

it("50 motions of two arms towards the base and each other", () => {
  const motions = Array.from({ length: 50 }, (_, seed) => handMotion(seed));
  const kept = motions.map((motion) => smallestExcess(motion, motion.pairs));
  expect(Math.min(...kept)).toBeGreaterThan(-LIMIT);
  // Many of them come to their limits, and would go far beyond them.
  expect(kept.filter((excess) => excess < 0.001).length).toBeGreaterThan(20);
  expect(motions.slice(0, 10).filter((motion) => smallestExcess(motion, []) < -0.01).length).toBeGreaterThanOrEqual(5);
}, 60_000);

/** One shape on each body of a robot, about its mass centre. */
function shapesOf(model: Model, next: () => number): TestShape[] {
  const size = (): number => 0.05 + 0.15 * next();
  return model.bodies
    .filter(({ name }) => name !== "target")
    .map(({ name, com: at }) => {
      const kind = next();
      if (kind < 0.3) return { kind: "sphere", on: name, at, radius: size() };
      if (kind < 0.6) return { kind: "capsule", on: name, at, to: at.map((x) => x + 0.4 * (next() - 0.5)), radius: 0.5 * size() };
      if (kind < 0.85) return { kind: "box", on: name, at, size: [2 * size(), 2 * size(), 2 * size()], rpy: [next(), next(), 0] };
      return { kind: "disc", on: name, at, radius: size(), thickness: size() };
    });
}

/** A random robot; pairs that are apart at the start have a least distance that is smaller than their distance then. */
function robotMotion(seed: number): Motion {
  const { model, frames } = randomRobot(seed, 4 + (seed % 5));
  const next = uniform(seed ^ 0x5afe);
  const hinges = freedomsOf(model)
    .filter((f) => f.hinge !== "base" && f.hinge !== "target")
    .map((f) => (f.coordinateInHinge === undefined ? f.speedName : f.name));
  const q = homeOf(model);
  q.set(randomState(model, seed).q.subarray(7), 7);
  const shapes = shapesOf(model, next);
  const pairs = shapes
    .flatMap((a, i) => shapes.slice(i + 1).map((b) => ({ shapes: [a], against: [b] })))
    .flatMap((pair) => {
      const element = createForce(model, { kind: "clearance", name: "gap", ...pair } as never);
      const state = { t: 0, q, u: new Float64Array(model.nu), z: new Float64Array(0), held: new Float64Array(0) };
      const distance = loadsOf(model, element)(state).channels.smallest!;
      return distance > 0.02 ? [{ ...pair, least: Math.min(0.02 + 0.1 * next(), 0.8 * distance) }] : [];
    });
  const far = 0.5 + 2 * next();
  const by = [next() - 0.5, next() - 0.5, next() - 0.5].map((x) => 2 * far * x);
  return {
    ...{ model, q, pairs, period: [0.02, 0.005, 0.004][seed % 3]!, duration: 1.5 },
    law: {
      hinges,
      tasks: [{ frame: frames[1]!, kp: 4, kd: 4, moves: [{ by, turn: [0.5, 0.6, 0], duration: 1, rise: 0.3 }] }],
      limits: [{ hinge: hinges, torque: hinges.map(() => 2 * (0.5 + 2 * next())) }],
    },
  };
}

describe("random robots", () => {
  it.each(Array.from({ length: ROBOTS }, (_, i) => 12 * i + 12))("robot %i", (seed) => {
    const motion = robotMotion(seed);
    expect(smallestExcess(motion, motion.pairs)).toBeGreaterThan(-LIMIT);
  });
});
