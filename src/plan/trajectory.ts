/**
 * Trajectories: planned motions as functions of time. Coordinates and speeds are as in a state: one each per freedom of hinges; for a pose the
 * quaternion and the position (7), and angular and linear velocity in world axes (6).
 */
import { checkList, checkMembers, checkPositive } from "../arguments.ts";
import { ArgumentError } from "../errors.ts";

export interface Trajectory {
  /** Numbers of coordinates, and of speeds and accelerations. */
  readonly nq: number;
  readonly nu: number;
  /** The motion lasts from t = 0 to here, s. It rests before and after. */
  readonly duration: number;
  /** Times at which the acceleration jumps, in order. At such a time `at` gives the acceleration after the jump. */
  readonly breaks: readonly number[];
  /** Writes coordinates (nq), speeds (nu) and accelerations (nu) at t to `out`. Allocates nothing. */
  at(t: number, out: Float64Array): void;
}

/** Count of numbers that `at` writes. */
export const sizeOfSample = ({ nq, nu }: Trajectory): number => nq + 2 * nu;

/** @throws ArgumentError if `trajectory` is not a trajectory */
export const checkTrajectory = (argument: string, trajectory: unknown): void =>
  checkMembers(
    argument,
    trajectory,
    ["nq", "nu", "duration", "breaks", "at"],
    "a trajectory, as sCurve and throughKnots return it",
  );

/** The same path k times slower: speeds times 1 / k, accelerations times 1 / k². From rest, torques without bias also scale by 1 / k². */
export function slowDown(trajectory: Trajectory, k: number): Trajectory {
  checkTrajectory("trajectory", trajectory);
  checkPositive("k", k);
  const { nq, nu, duration, breaks } = trajectory;
  return {
    ...{ nq, nu, duration: k * duration, breaks: breaks.map((t) => k * t) },
    at(t, out) {
      trajectory.at(t / k, out);
      for (let i = nq; i < nq + nu; i++) out[i]! /= k;
      for (let i = nq + nu; i < nq + 2 * nu; i++) out[i]! /= k * k;
    },
  };
}

/**
 * Trajectories one after the other. Each must start where the one before ends. @throws ArgumentError
 * A quaternion and its opposite are the same attitude: the signs in later trajectories are chosen so that components do not jump.
 */
export function inSequence(trajectories: readonly Trajectory[]): Trajectory {
  checkList("trajectories", trajectories, "trajectories");
  for (const [i, trajectory] of trajectories.entries()) checkTrajectory(`trajectories[${i}]`, trajectory);
  if (trajectories.length === 0) throw new ArgumentError("trajectories", "a sequence needs at least one trajectory");
  const { nq, nu } = trajectories[0]!;
  const starts: number[] = [];
  const breaks: number[] = [];
  /** -1 if the quaternions of a trajectory are written with the opposite sign. */
  const signs: number[] = [];
  const quaternion = nq === 7 && nu === 6 ? 4 : 0;
  const [end, begin] = [new Float64Array(nq + 2 * nu), new Float64Array(nq + 2 * nu)];
  let duration = 0;
  for (const [i, next] of trajectories.entries()) {
    if (next.nq !== nq || next.nu !== nu)
      throw new ArgumentError(
        `trajectories[${i}]`,
        `trajectory ${i + 1} of the sequence has ${next.nq} coordinates, the first has ${nq}`,
      );
    signs.push(1);
    if (i > 0) {
      trajectories[i - 1]!.at(trajectories[i - 1]!.duration, end);
      next.at(0, begin);
      changeSign(end, quaternion, signs[i - 1]!);
      signs[i] = signOf(end, begin, quaternion);
      changeSign(begin, quaternion, signs[i]!);
      for (let c = 0; c < nq; c++)
        if (Math.abs(end[c]! - begin[c]!) > SAME_PLACE * Math.max(1, Math.abs(end[c]!)))
          throw new ArgumentError(
            `trajectories[${i}]`,
            `trajectory ${i + 1} of the sequence begins with coordinate ${c + 1} at ${begin[c]}, where the one before it ends at ${end[c]}`,
          );
    }
    starts.push(duration);
    for (const t of next.breaks) if (breaks.at(-1) !== duration + t) breaks.push(duration + t);
    duration += next.duration;
  }
  return {
    ...{ nq, nu, duration, breaks },
    at(t, out) {
      let i = 0;
      while (i + 1 < starts.length && t >= starts[i + 1]!) i++;
      trajectories[i]!.at(t - starts[i]!, out);
      changeSign(out, quaternion, signs[i]!);
    },
  };
}

/** -1 if the first `count` components, a quaternion, point to the opposite side. */
function signOf(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[i]! * b[i]!;
  return sum < 0 ? -1 : 1;
}

function changeSign(values: Float64Array, count: number, sign: number): void {
  if (sign < 0) for (let i = 0; i < count; i++) values[i] = -values[i]!;
}

/** Relative tolerance for the ends of successive trajectories, which differ by rounding. */
const SAME_PLACE = 1e-9;
