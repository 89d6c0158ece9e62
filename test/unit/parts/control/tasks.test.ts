/** Tasks: rows against finite differences along the motion, references, errors. */
import { describe, expect, it, test } from "vitest";
import { articulated } from "../../../../src/dynamics/articulated.ts";
import { robotOf } from "../../../../src/dynamics/free-flying/robot.ts";
import {
  multiplyQuaternions,
  quaternionFromRotationVector,
  rotationVectorBetween,
} from "../../../../src/math/elementary/rotation-vector.ts";
import type { Model } from "../../../../src/model/model.ts";
import { POSE_PARTS, readTasks, type Task } from "../../../../src/parts/control/tasks/read-tasks.ts";
import {
  movesReference,
  POSE_SAMPLE_SIZE,
  type Reference,
  throughReference,
} from "../../../../src/parts/control/tasks/reference.ts";
import { taskStack } from "../../../../src/parts/control/tasks/task-stack.ts";
import { coordinateRates } from "../../../fixtures/geometry.ts";
import { randomState } from "../../../fixtures/models/random-model.ts";
import { randomRobot } from "../../../fixtures/models/random-robot.ts";

const noNote = (path: string, message: string): never => {
  throw new Error(`${path}: ${message}`);
};
const STAY = movesReference([], 1, noNote);
const task = (frame: string, more: Partial<Task> = {}): Task => ({
  ...{ frame, parts: POSE_PARTS, priority: 1, kp: 0, kd: 0, reference: STAY },
  ...more,
});

/** The state after a time h, to second order, with normalised quaternions. */
function moved(model: Model, q: Float64Array, u: Float64Array, udot: Float64Array, h: number): [Float64Array, Float64Array] {
  const middle = q.map((v, i) => v + 0.5 * h * coordinateRates(model, q, u)[i]!);
  const uMiddle = u.map((v, i) => v + 0.5 * h * udot[i]!);
  const rates = coordinateRates(model, middle, uMiddle);
  return [q.map((v, i) => v + h * rates[i]!), u.map((v, i) => v + h * udot[i]!)];
}

/** Step of central differences: their truncation error is its square, their rounding error 1e-16 divided by it. */
const H = 1e-5;
const DIFFERENCE = 1e-6;

describe.each(Array.from({ length: 20 }, (_, seed) => ({ seed, ...randomRobot(seed, 6 + (seed % 7)) })))(
  "robot $seed",
  (robot) => {
    const { model, base, frames, seed } = robot;
    const [, hand] = frames as [string, string];
    const other =
      model.bodies.find((b) => robotOf(model, base).carries[b.index] && b.name !== hand && b.name !== base)?.name ?? base;
    const stack = taskStack(model, [task(hand), task(base), task(hand, { relativeTo: other })], { base });
    const { q, u, tau } = randomState(model, seed);
    const { speeds } = robotOf(model, base);
    const start = stack.startPoses(q);
    const at = (state: readonly [Float64Array, Float64Array]) => {
      stack.evaluate(0, ...state, start);
      return { velocity: stack.velocity.slice(), pose: stack.startPoses(state[0]) };
    };
    const udot = new Float64Array(model.nu);
    const forces = tau.map((v, i) => (speeds.includes(i) ? v : 0));
    articulated.derive(model, { target: "interpret" }).accelerations(q, u, forces, new Float64Array(0), udot);
    const [before, after] = [at(moved(model, q, u, udot, -H)), at(moved(model, q, u, udot, H))];
    stack.evaluate(0, q, u, start);
    const scale = Math.max(1, ...stack.velocity.map(Math.abs), ...stack.bias.map(Math.abs));
    const row = (i: number, x: (speed: number) => number): number => {
      let sum = 0;
      for (const [j, s] of speeds.entries()) sum += stack.J[i * stack.n + j]! * x(s);
      return sum;
    };

    test("velocities are J φ̇ + drift, and the rates of poses", () => {
      for (let i = 0; i < stack.m; i++)
        expect(Math.abs(row(i, (s) => u[s]!) + stack.drift[i]! - stack.velocity[i]!)).toBeLessThan(1e-11 * scale);
      const turn = new Float64Array(3);
      for (let k = 0; k < 3; k++) {
        const [a, b] = [before, after].map(({ pose }) => pose.slice(7 * k, 7 * k + 7)) as [Float64Array, Float64Array];
        const conjugate = (p: Float64Array): number[] => [p[0]!, -p[1]!, -p[2]!, -p[3]!];
        rotationVectorBetween(conjugate(b), conjugate(a), turn);
        for (let i = 0; i < 3; i++) {
          expect(Math.abs(turn[i]! / (2 * H) - stack.velocity[6 * k + i]!)).toBeLessThan(DIFFERENCE * scale);
          expect(Math.abs((b[4 + i]! - a[4 + i]!) / (2 * H) - stack.velocity[6 * k + 3 + i]!)).toBeLessThan(DIFFERENCE * scale);
        }
      }
    });

    test("accelerations are J φ̈ + bias", () => {
      for (let i = 0; i < stack.m; i++) {
        const rate = (after.velocity[i]! - before.velocity[i]!) / (2 * H);
        expect(Math.abs(row(i, (s) => udot[s]!) + stack.bias[i]! - rate)).toBeLessThan(
          DIFFERENCE * Math.max(scale, Math.abs(rate)),
        );
      }
    });
  },
);

describe("a stack", () => {
  const { model, base, frames } = randomRobot(4, 9);
  const [, hand] = frames as [string, string];

  it("sorts tasks by priority and names its rows", () => {
    const stack = taskStack(
      model,
      [
        task(hand, { priority: 2, parts: ["x", "z"] }),
        task(base, { parts: ["rx", "ry", "rz"] }),
        task(hand, { priority: 3, parts: ["ry"], relativeTo: base }),
      ],
      { base },
    );
    expect(stack.levels).toEqual([0, 3, 5, 6]);
    expect(stack.names).toEqual([`${base}.rx`, `${base}.ry`, `${base}.rz`, `${hand}.x`, `${hand}.z`, `${hand}.ry from ${base}`]);
  });

  it("computes the acceleration that brings the frame to its reference", () => {
    const away: Reference = {
      breaks: [],
      at(_t, start, out) {
        out.fill(0);
        out.set(start);
        out[5]! += 0.2;
        const [c, s] = [Math.cos(0.15), Math.sin(0.15)]; // 0.3 rad about z of the world, after the start's attitude
        const [w, x, y, z] = start as unknown as [number, number, number, number];
        out.set([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w]);
      },
    };
    const stack = taskStack(model, [task(hand, { kp: 4, reference: away })], { base });
    const { q } = randomState(model, 1);
    stack.evaluate(0, q, new Float64Array(model.nu), stack.startPoses(q));
    for (const [i, e] of [0, 0, 0.3, 0, 0.2, 0].entries()) {
      expect(stack.poseError[i]).toBeCloseTo(e, 12);
      expect(stack.referenceAcceleration[i]).toBeCloseTo(4 * e, 12);
    }
  });
});

describe("moves", () => {
  const list = [
    { by: [1.2, 0, 0], turn: [0, 0, 0.4], duration: 9, rise: 3, wait: 0.5 },
    { by: [0, -1, 0.5], turn: [0.3, 0, 0], duration: 2, rise: undefined, wait: 1 },
  ] as const;
  const reference = movesReference(list, 2, noNote);
  const start = Float64Array.of(0.5, 0.5, 0.5, 0.5, 1, 2, 3);
  const at = (t: number): Float64Array => {
    const out = new Float64Array(POSE_SAMPLE_SIZE);
    reference.at(t, start, out);
    return out;
  };

  it("begin and end at rest, cover their distance, and list the jumps of acceleration", () => {
    expect(reference.breaks).toEqual([0.5, 3.5, 6.5, 9.5, 13, 16, 19, 22]);
    expect([...at(-1)]).toEqual([...at(0)]);
    expect(at(99).slice(4, 7)).toEqual(Float64Array.of(1 + 2 * 1.2, 2 - 2, 3 + 1));
    for (const t of [0.2, 10, 12.5, 40]) expect(Math.max(...at(t).slice(7).map(Math.abs))).toBe(0);
    expect(at(4)[10]).toBeCloseTo(0.2, 14);
    expect(at(3.5 * (1 - 2 ** -53))[16]).toBeCloseTo(0.2 / 3, 14);
    expect(at(3.5)[16]).toBe(0);
    expect(at(6.5)[16]).toBeCloseTo(-0.2 / 3, 14);
  });

  it("have the speeds and accelerations of their poses", () => {
    const h = 1e-5;
    const turn = new Float64Array(3);
    for (const t of [1, 4, 7, 11, 11.7, 14, 24.3]) {
      const [a, b, c] = [at(t - h), at(t + h), at(t)];
      const conjugate = (p: Float64Array): number[] => [p[0]!, -p[1]!, -p[2]!, -p[3]!];
      rotationVectorBetween(conjugate(b), conjugate(a), turn);
      for (let i = 0; i < 3; i++) {
        expect(turn[i]! / (2 * h)).toBeCloseTo(c[7 + i]!, 8);
        expect((b[4 + i]! - a[4 + i]!) / (2 * h)).toBeCloseTo(c[10 + i]!, 8);
      }
      for (let i = 7; i < 13; i++) expect((b[i]! - a[i]!) / (2 * h)).toBeCloseTo(c[i + 6]!, 8);
    }
  });

  it("too many repetitions are noted, and not made", () => {
    const problems: string[] = [];
    const { breaks } = movesReference(list, 1e16, (path, message) => problems.push(`${path} ${message}`));
    expect(problems).toEqual(["repeat must be a whole number, and at most 100000 moves in all"]);
    expect(breaks).toEqual([]);
    expect(() => movesReference(list, 0.5)).toThrow("repeat: must be a whole number");
  });

  it("as S-curves: no jumps, piecewise constant jerk, and the same ends", () => {
    const soft = movesReference([{ ...list[0], soft: 1 }], 1, noNote);
    expect(soft.breaks).toEqual([]);
    const seen = (t: number): Float64Array => {
      const out = new Float64Array(POSE_SAMPLE_SIZE);
      soft.at(t, start, out);
      return out;
    };
    const a = 1.2 / 6 / 2; // speed / (rise - soft)
    for (const [
      t,
      acceleration,
    ] of [[0.5, 0], [1, a / 2], [1.5, a], [2.5, a], [3, a / 2], [5, 0], [7, -a / 2], [8, -a], [9.5, 0]] as const) // biome-ignore format: rows
      expect(seen(t)[16]).toBeCloseTo(acceleration, 12);
    expect(seen(5)[10]).toBeCloseTo(0.2, 12);
    expect(seen(9.5 - 1e-9)[4]).toBeCloseTo(2.2, 8);
    expect(seen(9.5)[4]).toBe(2.2);
  });

  it("refuse a rise of more than half of the duration", () => {
    const noted: string[] = [];
    movesReference([{ ...list[0], soft: 2 }], 1, (path) => noted.push(path));
    movesReference([{ ...list[0], rise: 5 }], 1, (path) => noted.push(path));
    movesReference(list, 1.5, (path) => noted.push(path));
    expect(noted).toEqual(["moves[0].soft", "moves[0].rise", "repeat"]);
  });
});

describe("splines", () => {
  const knots = [
    { time: 2, by: [0.3, 0.2, 0], turn: [0, 0, 0.5] },
    { time: 5, by: [0.5, -0.2, 0.4], turn: [0.3, 0, 0.5] },
  ] as const;
  it("pass poses relative to the start, in the axes of the task, from rest to rest", () => {
    const reference = throughReference(knots);
    const start = Float64Array.of(0.5, 0.5, 0.5, 0.5, 1, 2, 3);
    const [out, turned, wanted, miss] = [POSE_SAMPLE_SIZE, 4, 4, 3].map((n) => new Float64Array(n)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (const { time, by, turn } of [{ time: 0, by: [0, 0, 0], turn: [0, 0, 0] }, ...knots]) {
      reference.at(time, start, out);
      quaternionFromRotationVector(turn, turned);
      multiplyQuaternions(turned, start, wanted);
      expect(rotationVectorBetween(out, wanted, miss)).toBeLessThan(1e-12);
      for (let i = 0; i < 3; i++) expect(out[4 + i]).toBeCloseTo(start[4 + i]! + by[i]!, 12);
    }
    for (const t of [0, 5, 9]) {
      reference.at(t, start, out);
      expect(Math.max(...out.slice(7).map(Math.abs))).toBeLessThan(1e-12);
    }
  });

  it("refuse knots that do not increase, and moves in addition", () => {
    const noted: string[] = [];
    throughReference([knots[1], knots[0]], (path, message) => noted.push(`${path} ${message}`));
    expect(noted).toEqual(["through knots need increasing times, got 2 after 5 for knot 3"]);
    const both = {
      ...task("hand"),
      relativeTo: undefined,
      through: knots,
      meet: undefined,
      meetAt: [0, 0, 0],
      moves: [{ by: [0, 0, 0], turn: [0, 0, 0], duration: 1, wait: 0, rise: undefined, soft: undefined }],
      repeat: 1,
    } as const;
    readTasks([both], (path, message) => noted.push(`${path} ${message}`));
    expect(noted[1]).toBe("tasks[0].through replaces moves and meet");
  });
});
