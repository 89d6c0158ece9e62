/** References of tasks over time: moves from the pose at the start, or a planned trajectory. */

import { checkList } from "../../../arguments.ts";
import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import { ArgumentError } from "../../../errors.ts";
import {
  multiplyQuaternions,
  quaternionFromRotationVector,
  rotationVectorFromQuaternion,
} from "../../../math/elementary/rotation-vector.ts";
import { poseSpline } from "../../../plan/pose-spline.ts";
import { checkTrajectory, type Trajectory } from "../../../plan/trajectory.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { MovePhase } from "./speed-profile.ts";
import {
  accelerationJumps,
  evaluatePhase,
  lastStartedPhase,
  movePhases,
  phaseTable,
  profileState,
  REST_AT_START,
} from "./speed-profile.ts";

/** Sizes of a pose (quaternion and position) and of a sample: pose (7), velocity (6), acceleration (6), as trajectories write them. */
export const POSE_SIZE = 7;
export const POSE_SAMPLE_SIZE = 19;

export interface Reference {
  /** Times, increasing, at which the acceleration jumps. At such a time `at` gives the value after the jump. */
  readonly breaks: readonly number[];
  /** Time from which on it rests, if that is known. */
  readonly end?: number;
  /** Writes pose, velocity and acceleration at t, in the axes of the task, for a task that began at the pose `start`. Allocates nothing. */
  at(t: number, start: Float64Array, out: Float64Array): void;
}

/** A planned trajectory of a pose, independent of the pose at the start. */
export function plannedReference(trajectory: Trajectory): Reference {
  checkTrajectory("trajectory", trajectory);
  return { breaks: trajectory.breaks, at: (t, _start, out) => trajectory.at(t, out) };
}

export const MOVE = {
  by: { type: "vector", unit: "m", default: [0, 0, 0], about: "Displacement, in the axes of the task." },
  turn: {
    type: "vector",
    unit: "rad",
    default: [0, 0, 0],
    about: "Simultaneous rotation: axis times angle, in the axes of the task.",
  },
  duration: { type: "number", unit: "s", above: 0, about: "Duration of the move, from rest to rest." },
  rise: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about: "Time of constant acceleration, and of constant deceleration at the end; if not given, the move is a quintic.",
  },
  soft: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about:
      "Time within `rise` in which the acceleration grows, and in which it falls: an S-curve with limited jerk, without jumps.",
  },
  wait: { type: "number", unit: "s", least: 0, default: 0, about: "Rest before the move." },
} as const satisfies Parameters;

export const KNOT = {
  time: { type: "number", unit: "s", above: 0, about: "Time at which the frame is there." },
  by: {
    type: "vector",
    unit: "m",
    default: [0, 0, 0],
    about: "Displacement from the pose at the start, in the axes of the task.",
  },
  turn: {
    type: "vector",
    unit: "rad",
    default: [0, 0, 0],
    about: "Rotation from the pose at the start: axis times angle, in the axes of the task.",
  },
} as const satisfies Parameters;

export type MoveValues = ParameterValues<typeof MOVE>;
/** A move as read from a file; optional values may be missing. */
export type Move = Omit<MoveValues, "rise" | "soft"> & Partial<Pick<MoveValues, "rise" | "soft">>;

/** Pose relative to the start at which a move begins, and the move itself. */
interface MoveStart {
  readonly attitude: Float64Array;
  readonly position: Float64Array;
  readonly by: Float64Array;
  readonly turn: Float64Array;
  /** True if `turn` is not zero. */
  readonly turns: boolean;
}

/** Largest number of moves, repetitions included. */
const MOST_MOVES = 100_000;

const throwArgumentError: NoteProblem = (path, message) => {
  throw new ArgumentError(path, message);
};

/** Moves one after the other, all of them `repeat` times. */
export function movesReference(list: readonly Move[], repeat = 1, note: NoteProblem = throwArgumentError): Reference {
  checkList("list", list, "moves");
  for (const [i, { duration, rise, soft }] of list.entries()) {
    if (rise !== undefined && rise > duration / 2)
      note(`moves[${i}].rise`, `must be at most half of the duration, ${duration / 2} s`, "Speed must rise and fall within it");
    if (soft !== undefined && !(soft <= (rise ?? 0) / 2))
      note(`moves[${i}].soft`, `must be at most half of rise, ${(rise ?? 0) / 2} s`, "Acceleration must rise and fall within it");
  }
  if (!Number.isInteger(repeat) || repeat * list.length > MOST_MOVES) {
    note("repeat", `must be a whole number, and at most ${MOST_MOVES} moves in all`);
    return movesReference([]);
  }
  const phases: MovePhase[] = [];
  const zero = new Float64Array(3);
  const moveStarts: MoveStart[] = [{ attitude: Float64Array.of(1, 0, 0, 0), position: zero, by: zero, turn: zero, turns: false }];
  let t = 0;
  for (let k = 0; k < repeat * list.length; k++) {
    const move = list[k % list.length]!;
    if (move.wait > 0 && phases.length === 0) t = move.wait;
    else if (move.wait > 0) {
      phases.push({ start: t, move: k, s: 1, speed: 0, acceleration: 0 });
      t += move.wait;
    }
    phases.push(...movePhases(move, k + 1, t));
    moveStarts.push(startAfter(moveStarts.at(-1)!, move));
    t += move.duration;
  }
  phases.push({ start: t, move: moveStarts.length - 1, s: 1, speed: 0, acceleration: 0 });
  const starts = Float64Array.from(phases, ({ start }) => start);
  const table = phaseTable([REST_AT_START, ...phases]);
  let current = -1; // phase of the last call
  const theta = new Float64Array(3);
  const rotation = new Float64Array(4);
  const attitudeNow = new Float64Array(4);
  return {
    breaks: accelerationJumps(phases),
    end: t,
    at(t, start, out) {
      if (!(t >= starts[current]! && t < starts[current + 1]!)) current = lastStartedPhase(starts, t);
      evaluatePhase(table, current + 1, t);
      const { attitude, position, by, turn, turns } = moveStarts[current < 0 ? 0 : phases[current]!.move]!;
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
        quaternionFromRotationVector(theta, rotation);
        multiplyQuaternions(rotation, attitude, attitudeNow);
      }
      multiplyQuaternions(turns ? attitudeNow : attitude, start, out);
    },
  };
}

/** From the start to the pose of the reference frame, displaced by `at` in its axes; at rest there from `duration` on. */
export function meetReference(duration: number, at: readonly number[]): Reference {
  const table = phaseTable([
    { ...REST_AT_START, quintic: duration },
    { ...REST_AT_START, s: 1 },
  ]);
  const [rotationToFrame, theta] = [new Float64Array(3), new Float64Array(3)];
  const [startInverse, rotation] = [new Float64Array(4), new Float64Array(4)];
  return {
    breaks: [],
    at(t, start, out) {
      evaluatePhase(table, t < duration ? 0 : 1, t);
      const s = profileState[0]!;
      const speed = profileState[1]!;
      const acceleration = profileState[2]!;
      startInverse[0] = start[0]!;
      for (let i = 1; i < 4; i++) startInverse[i] = -start[i]!;
      rotationVectorFromQuaternion(startInverse, rotationToFrame); // from the axes at the start to those of the frame
      for (let i = 0; i < 3; i++) {
        const distance = at[i]! - start[4 + i]!;
        theta[i] = s * rotationToFrame[i]!;
        out[4 + i] = start[4 + i]! + s * distance;
        out[7 + i] = speed * rotationToFrame[i]!;
        out[10 + i] = speed * distance;
        out[13 + i] = acceleration * rotationToFrame[i]!;
        out[16 + i] = acceleration * distance;
      }
      quaternionFromRotationVector(theta, rotation);
      multiplyQuaternions(rotation, start, out);
    },
  };
}

/** Through poses at given times, relative to the pose at the start, from rest to rest on a spline. */
export function throughReference(
  knots: readonly ParameterValues<typeof KNOT>[],
  note: NoteProblem = throwArgumentError,
): Reference {
  const poses = [[1, 0, 0, 0, 0, 0, 0]];
  for (const { by, turn } of knots) {
    const rotation = new Float64Array(4);
    quaternionFromRotationVector(turn, rotation);
    poses.push([...rotation, ...by]);
  }
  let spline: Trajectory;
  try {
    spline = poseSpline([0, ...knots.map(({ time }) => time)], poses);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    note("through", error.reason);
    return movesReference([]);
  }
  const relativeAttitude = new Float64Array(4);
  return {
    breaks: spline.breaks,
    end: knots.at(-1)?.time ?? 0,
    at(t, start, out) {
      spline.at(t, out);
      for (let i = 0; i < 4; i++) relativeAttitude[i] = out[i]!;
      multiplyQuaternions(relativeAttitude, start, out);
      for (let i = 4; i < 7; i++) out[i]! += start[i]!;
    },
  };
}

/** Pose after a move, where the next one begins. */
function startAfter({ attitude, position, by, turn }: MoveStart, move: Move): MoveStart {
  const rotation = new Float64Array(4);
  const next = new Float64Array(4);
  quaternionFromRotationVector(turn, rotation);
  multiplyQuaternions(rotation, attitude, next);
  return {
    attitude: next,
    position: position.map((p, i) => p + by[i]!),
    by: Float64Array.from(move.by),
    turn: Float64Array.from(move.turn),
    turns: move.turn.some((v) => v !== 0),
  };
}
