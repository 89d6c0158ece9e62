/** Where a task shall be over time: moves from where it started, or a planned trajectory. */

import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import {
  multiplyQuaternions,
  quaternionFromRotationVector,
  rotationVectorFromQuaternion,
} from "../../../math/elementary/rotation-vector.ts";
import { poseSpline } from "../../../plan/pose-spline.ts";
import type { Trajectory } from "../../../plan/trajectory.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import {
  accelerationJumps,
  evaluatePhase,
  lastStartedPhase,
  type MovePhase,
  movePhases,
  phaseTable,
  profileState,
  REST_AT_START,
} from "./speed-profile.ts";

/** Numbers of a sample, as trajectories of poses write them: quaternion and position (7), velocity (6), acceleration (6). */
export const POSE_SIZE = 7;
export const POSE_SAMPLE_SIZE = 19;

export interface Reference {
  /** Times, increasing, at which the acceleration jumps; there it is that of what follows. */
  readonly breaks: readonly number[];
  /** Pose, velocity and acceleration at t, in the axes of the task, of what began at the pose `start`. Allocates nothing. */
  at(t: number, start: Float64Array, out: Float64Array): void;
}

/** A planned trajectory of a pose, wherever the frame started. */
export const plannedReference = (trajectory: Trajectory): Reference => ({
  breaks: trajectory.breaks,
  at: (t, _start, out) => trajectory.at(t, out),
});

export const MOVE = {
  by: { type: "vector", unit: "m", default: [0, 0, 0], about: "Way to go, in the axes of the task." },
  turn: {
    type: "vector",
    unit: "rad",
    default: [0, 0, 0],
    about: "Turn to make at the same time: axis times angle, in the axes of the task.",
  },
  duration: { type: "number", unit: "s", above: 0, about: "How long it takes, from rest to rest." },
  rise: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about:
      "Time of constant acceleration, and of constant deceleration at the end; if not given, the speed is smooth, by a quintic.",
  },
  soft: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about:
      "Time within `rise` in which the acceleration grows, and in which it falls: S-curve speed with limited jerk, no jumps.",
  },
  wait: { type: "number", unit: "s", least: 0, default: 0, about: "Rest before it." },
} as const satisfies Parameters;

export const KNOT = {
  time: { type: "number", unit: "s", above: 0, about: "When it is there." },
  by: { type: "vector", unit: "m", default: [0, 0, 0], about: "How far from the pose at the start, in the axes of the task." },
  turn: {
    type: "vector",
    unit: "rad",
    default: [0, 0, 0],
    about: "How far turned from the pose at the start: axis times angle, in the axes of the task.",
  },
} as const satisfies Parameters;

type MoveValues = ParameterValues<typeof MOVE>;
/** A move as read; what is optional in a file may be left out. */
export type Move = Omit<MoveValues, "rise" | "soft"> & Partial<Pick<MoveValues, "rise" | "soft">>;

/** Where a move begins: what the moves before it have turned and gone. */
interface MoveStart {
  readonly attitude: Float64Array;
  readonly position: Float64Array;
  readonly by: Float64Array;
  readonly turn: Float64Array;
  readonly turns: boolean;
}

/** More moves than this, repetitions counted, are a slip. */
const MOST_MOVES = 100_000;

const throwRangeError: NoteProblem = (path, message) => {
  throw new RangeError(`${path} ${message}`);
};

/** Moves one after the other, all of them `repeat` times. */
export function movesReference(list: readonly Move[], repeat = 1, note: NoteProblem = throwRangeError): Reference {
  for (const [i, { duration, rise, soft }] of list.entries()) {
    if (rise !== undefined && rise > duration / 2)
      note(`moves[${i}].rise`, `must be at most half of the duration, ${duration / 2} s`, "Speed must rise and fall within it");
    if (soft !== undefined && !(soft <= (rise ?? 0) / 2))
      note(`moves[${i}].soft`, `must be at most half of rise, ${(rise ?? 0) / 2} s`, "Acceleration must rise and fall within it");
  }
  if (!Number.isInteger(repeat) || repeat * list.length > MOST_MOVES)
    note("repeat", `must be a whole number, and no more than ${MOST_MOVES} moves in all`);
  const phases: MovePhase[] = [];
  const none = new Float64Array(3);
  const places: MoveStart[] = [{ attitude: Float64Array.of(1, 0, 0, 0), position: none, by: none, turn: none, turns: false }];
  let t = 0;
  for (let k = 0; k < repeat * list.length; k++) {
    const move = list[k % list.length]!;
    if (move.wait > 0 && phases.length === 0) t = move.wait;
    else if (move.wait > 0) {
      phases.push({ start: t, move: k, s: 1, speed: 0, acceleration: 0 });
      t += move.wait;
    }
    phases.push(...movePhases(move, k + 1, t));
    places.push(startAfter(places.at(-1)!, move));
    t += move.duration;
  }
  phases.push({ start: t, move: places.length - 1, s: 1, speed: 0, acceleration: 0 });
  const starts = Float64Array.from(phases, ({ start }) => start);
  const table = phaseTable([REST_AT_START, ...phases]);
  let now = -1; // where it was last asked for
  const theta = new Float64Array(3);
  const turned = new Float64Array(4);
  const moved = new Float64Array(4);
  return {
    breaks: accelerationJumps(phases),
    at(t, start, out) {
      if (!(t >= starts[now]! && t < starts[now + 1]!)) now = lastStartedPhase(starts, t);
      evaluatePhase(table, now + 1, t);
      const { attitude, position, by, turn, turns } = places[now < 0 ? 0 : phases[now]!.move]!;
      const s = profileState[0]!;
      const speed = profileState[1]!;
      const acceleration = profileState[2]!;
      for (let i = 0; i < 3; i++) {
        theta[i] = s * turn[i]!;
        out[4 + i] = start[4 + i]! + position[i]! + s * by[i]!;
        out[7 + i] = speed * turn[i]!;
        out[10 + i] = speed * by[i]!;
        out[13 + i] = acceleration * turn[i]!;
        out[16 + i] = acceleration * by[i]!;
      }
      if (turns) {
        quaternionFromRotationVector(theta, turned);
        multiplyQuaternions(turned, attitude, moved);
      }
      multiplyQuaternions(turns ? moved : attitude, start, out);
    },
  };
}

/** From the start to the pose of the frame that it is seen from, moved by `at` in its axes: at rest there from `duration` on. */
export function meetReference(duration: number, at: readonly number[]): Reference {
  const table = phaseTable([
    { ...REST_AT_START, quintic: duration },
    { ...REST_AT_START, s: 1 },
  ]);
  const [whole, theta] = [new Float64Array(3), new Float64Array(3)];
  const [back, turned] = [new Float64Array(4), new Float64Array(4)];
  return {
    breaks: [],
    at(t, start, out) {
      evaluatePhase(table, t < duration ? 0 : 1, t);
      const s = profileState[0]!;
      const speed = profileState[1]!;
      const acceleration = profileState[2]!;
      back[0] = start[0]!;
      for (let i = 1; i < 4; i++) back[i] = -start[i]!;
      rotationVectorFromQuaternion(back, whole); // the turn that takes the start's axes to those of the frame
      for (let i = 0; i < 3; i++) {
        const way = at[i]! - start[4 + i]!;
        theta[i] = s * whole[i]!;
        out[4 + i] = start[4 + i]! + s * way;
        out[7 + i] = speed * whole[i]!;
        out[10 + i] = speed * way;
        out[13 + i] = acceleration * whole[i]!;
        out[16 + i] = acceleration * way;
      }
      quaternionFromRotationVector(theta, turned);
      multiplyQuaternions(turned, start, out);
    },
  };
}

/** Through poses at times, relative to where it started, from rest to rest by a spline. */
export function throughReference(knots: readonly ParameterValues<typeof KNOT>[], note: NoteProblem = throwRangeError): Reference {
  const poses = [[1, 0, 0, 0, 0, 0, 0]];
  for (const { by, turn } of knots) {
    const turned = new Float64Array(4);
    quaternionFromRotationVector(turn, turned);
    poses.push([...turned, ...by]);
  }
  let spline: Trajectory;
  try {
    spline = poseSpline([0, ...knots.map(({ time }) => time)], poses);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    note("through", error.message);
    return movesReference([]);
  }
  const moved = new Float64Array(4);
  return {
    breaks: spline.breaks,
    at(t, start, out) {
      spline.at(t, out);
      for (let i = 0; i < 4; i++) moved[i] = out[i]!;
      multiplyQuaternions(moved, start, out);
      for (let i = 4; i < 7; i++) out[i]! += start[i]!;
    },
  };
}

function startAfter({ attitude, position, by, turn }: MoveStart, move: Move): MoveStart {
  const turned = new Float64Array(4);
  const next = new Float64Array(4);
  quaternionFromRotationVector(turn, turned);
  multiplyQuaternions(turned, attitude, next);
  return {
    attitude: next,
    position: position.map((p, i) => p + by[i]!),
    by: Float64Array.from(move.by),
    turn: Float64Array.from(move.turn),
    turns: move.turn.some((v) => v !== 0),
  };
}
