/** Where a task shall be over time: moves from where it started, or a planned trajectory. */
import { multiplyQuaternions, quaternionOfVector, vectorOfQuaternion } from "../math/rotation-vector.ts";
import { poseSpline } from "../plan/pose-spline.ts";
import type { Trajectory } from "../plan/trajectory.ts";
import type { Note } from "../sim/create-checked.ts";
import type { Parameters, Values } from "../sim/parameters.ts";

/** Numbers of a sample, as trajectories of poses write them: quaternion and position (7), velocity (6), acceleration (6). */
export const POSE = 7;
export const SAMPLE = 19;

export interface Reference {
  /** Times, increasing, at which the acceleration jumps; there it is that of what follows. */
  readonly breaks: readonly number[];
  /** Pose, velocity and acceleration at t, in the axes of the task, of what began at the pose `start`. Allocates nothing. */
  at(t: number, start: Float64Array, out: Float64Array): void;
}

/** A planned trajectory of a pose, wherever the frame started. */
export const planned = (trajectory: Trajectory): Reference => ({
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

type Read = Values<typeof MOVE>;
/** A move as read; what is optional in a file may be left out. */
export type Move = Omit<Read, "rise" | "soft"> & Partial<Pick<Read, "rise" | "soft">>;

/** A stretch of time in which the way s of a move, from 0 to 1, has one form. */
interface Phase {
  readonly start: number;
  readonly move: number;
  /** s, its speed and acceleration at the start; the acceleration stays or changes by `jerk`, but for a quintic of that duration. */
  readonly s: number;
  readonly speed: number;
  readonly acceleration: number;
  readonly jerk?: number;
  readonly quintic?: number;
}

/** Where a move begins: what the moves before it have turned and gone. */
interface Place {
  readonly attitude: Float64Array;
  readonly position: Float64Array;
  readonly by: Float64Array;
  readonly turn: Float64Array;
  readonly turns: boolean;
}

/** More moves than this, repetitions counted, are a slip. */
const MOST_MOVES = 100_000;

const refuse: Note = (path, message) => {
  throw new RangeError(`${path} ${message}`);
};

/** Moves one after the other, all of them `repeat` times. */
export function moves(list: readonly Move[], repeat = 1, note: Note = refuse): Reference {
  for (const [i, { duration, rise, soft }] of list.entries()) {
    if (rise !== undefined && rise > duration / 2)
      note(`moves[${i}].rise`, `must be at most half of the duration, ${duration / 2} s`, "Speed must rise and fall within it");
    if (soft !== undefined && !(soft <= (rise ?? 0) / 2))
      note(`moves[${i}].soft`, `must be at most half of rise, ${(rise ?? 0) / 2} s`, "Acceleration must rise and fall within it");
  }
  if (!Number.isInteger(repeat) || repeat * list.length > MOST_MOVES)
    note("repeat", `must be a whole number, and no more than ${MOST_MOVES} moves in all`);
  const phases: Phase[] = [];
  const none = new Float64Array(3);
  const places: Place[] = [{ attitude: Float64Array.of(1, 0, 0, 0), position: none, by: none, turn: none, turns: false }];
  let t = 0;
  for (let k = 0; k < repeat * list.length; k++) {
    const move = list[k % list.length]!;
    if (move.wait > 0 && phases.length === 0) t = move.wait;
    else if (move.wait > 0) {
      phases.push({ start: t, move: k, s: 1, speed: 0, acceleration: 0 });
      t += move.wait;
    }
    phases.push(...phasesOf(move, k + 1, t));
    places.push(after(places.at(-1)!, move));
    t += move.duration;
  }
  phases.push({ start: t, move: places.length - 1, s: 1, speed: 0, acceleration: 0 });
  const starts = Float64Array.from(phases, ({ start }) => start);
  const table = tableOf([BEFORE, ...phases]);
  let now = -1; // where it was last asked for
  const theta = new Float64Array(3);
  const turned = new Float64Array(4);
  const moved = new Float64Array(4);
  return {
    breaks: breaksOf(phases),
    at(t, start, out) {
      if (!(t >= starts[now]! && t < starts[now + 1]!)) now = last(starts, t);
      along(table, now + 1, t);
      const { attitude, position, by, turn, turns } = places[now < 0 ? 0 : phases[now]!.move]!;
      const s = state[0]!;
      const speed = state[1]!;
      const acceleration = state[2]!;
      for (let i = 0; i < 3; i++) {
        theta[i] = s * turn[i]!;
        out[4 + i] = start[4 + i]! + position[i]! + s * by[i]!;
        out[7 + i] = speed * turn[i]!;
        out[10 + i] = speed * by[i]!;
        out[13 + i] = acceleration * turn[i]!;
        out[16 + i] = acceleration * by[i]!;
      }
      if (turns) {
        quaternionOfVector(theta, turned);
        multiplyQuaternions(turned, attitude, moved);
      }
      multiplyQuaternions(turns ? moved : attitude, start, out);
    },
  };
}

/** From the start to the pose of the frame that it is seen from, moved by `at` in its axes: at rest there from `duration` on. */
export function meeting(duration: number, at: readonly number[]): Reference {
  const table = tableOf([
    { ...BEFORE, quintic: duration },
    { ...BEFORE, s: 1 },
  ]);
  const [whole, theta] = [new Float64Array(3), new Float64Array(3)];
  const [back, turned] = [new Float64Array(4), new Float64Array(4)];
  return {
    breaks: [],
    at(t, start, out) {
      along(table, t < duration ? 0 : 1, t);
      const s = state[0]!;
      const speed = state[1]!;
      const acceleration = state[2]!;
      back[0] = start[0]!;
      for (let i = 1; i < 4; i++) back[i] = -start[i]!;
      vectorOfQuaternion(back, whole); // the turn that takes the start's axes to those of the frame
      for (let i = 0; i < 3; i++) {
        const way = at[i]! - start[4 + i]!;
        theta[i] = s * whole[i]!;
        out[4 + i] = start[4 + i]! + s * way;
        out[7 + i] = speed * whole[i]!;
        out[10 + i] = speed * way;
        out[13 + i] = acceleration * whole[i]!;
        out[16 + i] = acceleration * way;
      }
      quaternionOfVector(theta, turned);
      multiplyQuaternions(turned, start, out);
    },
  };
}

function phasesOf({ duration, rise, soft = 0 }: Move, move: number, t: number): Phase[] {
  if (rise === undefined) return [{ start: t, move, s: 0, speed: 0, acceleration: 0, quintic: duration }];
  const speed = 1 / (duration - rise);
  const a = speed / (rise - soft);
  const half = 0.5 * speed * rise;
  if (soft > 0) return softPhases(duration, rise, soft, a, move, t);
  return [
    { start: t, move, s: 0, speed: 0, acceleration: a },
    ...(duration > 2 * rise ? [{ start: t + rise, move, s: half, speed, acceleration: 0 }] : []),
    { start: t + duration - rise, move, s: 1 - half, speed, acceleration: -a },
  ];
}

/** Seven parts of constant jerk; those of no duration are left out. */
function softPhases(duration: number, rise: number, soft: number, a: number, move: number, t: number): Phase[] {
  const jerk = a / soft;
  const plateau = rise - 2 * soft;
  const parts = [
    [soft, 0, jerk],
    [plateau, a, 0],
    [soft, a, -jerk],
    [duration - 2 * rise, 0, 0],
    [soft, 0, -jerk],
    [plateau, -a, 0],
    [soft, -a, jerk],
  ] as const;
  const phases: Phase[] = [];
  let [start, s, speed] = [t, 0, 0];
  for (const [d, acceleration, j] of parts) {
    if (!(d > 0)) continue;
    phases.push({ start, move, s, speed, acceleration, jerk: j });
    s += d * (speed + d * (acceleration / 2 + (d * j) / 6));
    speed += d * (acceleration + (d * j) / 2);
    start += d;
  }
  return phases;
}

/** Through poses at times, relative to where it started, from rest to rest by a spline. */
export function through(knots: readonly Values<typeof KNOT>[], note: Note = refuse): Reference {
  const poses = [[1, 0, 0, 0, 0, 0, 0]];
  for (const { by, turn } of knots) {
    const turned = new Float64Array(4);
    quaternionOfVector(turn, turned);
    poses.push([...turned, ...by]);
  }
  let spline: Trajectory;
  try {
    spline = poseSpline([0, ...knots.map(({ time }) => time)], poses);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    note("through", error.message);
    return moves([]);
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

function after({ attitude, position, by, turn }: Place, move: Move): Place {
  const turned = new Float64Array(4);
  const next = new Float64Array(4);
  quaternionOfVector(turn, turned);
  multiplyQuaternions(turned, attitude, next);
  return {
    attitude: next,
    position: position.map((p, i) => p + by[i]!),
    by: Float64Array.from(move.by),
    turn: Float64Array.from(move.turn),
    turns: move.turn.some((v) => v !== 0),
  };
}

const BEFORE: Phase = { start: 0, move: 0, s: 0, speed: 0, acceleration: 0 };
const state = new Float64Array(3);

/** Phases as numbers, so that nothing is boxed: start, s, speed, acceleration, jerk, and the duration of a quintic, else 0. */
const COLUMNS = 6;
const tableOf = (phases: readonly Phase[]): Float64Array =>
  Float64Array.from(
    phases.flatMap(({ start, s, speed, acceleration, jerk = 0, quintic = 0 }) => [start, s, speed, acceleration, jerk, quintic]),
  );

/** s, ṡ and s̈ of phase number k at t, into `state`. */
function along(table: Float64Array, k: number, t: number): void {
  const at = COLUMNS * k;
  const d = t - table[at]!;
  const s = table[at + 1]!;
  const speed = table[at + 2]!;
  const acceleration = table[at + 3]!;
  const jerk = table[at + 4]!;
  const quintic = table[at + 5]!;
  if (quintic === 0) {
    state[0] = s + d * (speed + d * (acceleration / 2 + (d * jerk) / 6));
    state[1] = speed + d * (acceleration + (d * jerk) / 2);
    state[2] = acceleration + d * jerk;
  } else {
    const x = d / quintic;
    const w = x * (1 - x);
    state[0] = x * x * x * (10 + x * (6 * x - 15));
    state[1] = (30 * w * w) / quintic;
    state[2] = (60 * w * (1 - 2 * x)) / (quintic * quintic);
  }
}

/** The last phase that has begun at t; -1 before the first. */
function last(starts: Float64Array, t: number): number {
  let [low, high] = [-1, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the acceleration of one phase is not that with which the one before it ended; a quintic begins and ends with none. */
const breaksOf = (phases: readonly Phase[]): number[] =>
  phases
    .filter((p, i) => {
      const before = phases[i - 1];
      if (p.jerk !== undefined || before?.jerk !== undefined) return false; // an S-curve has no jumps
      return p.start > 0 && p.acceleration !== (before?.acceleration ?? 0);
    })
    .map((p) => p.start);
