/** Poses of trajectories: quaternion [w, x, y, z], then position; 7 numbers. */

import { checkVector } from "../arguments.ts";
import { ArgumentError } from "../errors.ts";
import { euclideanNorm } from "../math/elementary/hypotenuse.ts";

export type PoseNumbers = readonly number[];

/** A pose with its quaternion normalised. @throws ArgumentError if its norm is not close to 1. */
export function readPose(pose: PoseNumbers, what: string): Float64Array {
  checkVector(what, pose, 7, "a quaternion and a position");
  const norm = euclideanNorm([...pose].slice(0, 4));
  if (!(Math.abs(norm - 1) < NORM_TOLERANCE))
    throw new ArgumentError(what, `the quaternion must have norm 1, got ${norm}. Divide it by its norm`);
  return Float64Array.from(pose, (x, i) => (i < 4 ? x / norm : x));
}

/** A quaternion written with six digits has norm 1 within this. */
const NORM_TOLERANCE = 1e-5;

/** A half turn is ambiguous: it can go either way round. @throws ArgumentError */
export function rejectHalfTurn(angle: number, where: string): void {
  if (angle > Math.PI - 1e-9) throw new ArgumentError(where, `a half turn may go either way round; put a pose in between`);
}
