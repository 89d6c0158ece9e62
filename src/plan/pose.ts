/** Poses as trajectories have them: the quaternion [w, x, y, z], then the position; 7 numbers. */

export type PoseNumbers = readonly number[];

/** A pose with a quaternion of norm 1. @throws RangeError */
export function readPose(pose: PoseNumbers, what: string): Float64Array {
  if (pose.length !== 7 || pose.some((x) => !Number.isFinite(x)))
    throw new RangeError(`${what} must be a quaternion and a position, 7 numbers, got [${[...pose].join(", ")}]`);
  const norm = Math.hypot(...pose.slice(0, 4));
  if (!(Math.abs(norm - 1) < NORM_TOLERANCE)) throw new RangeError(`${what}: the quaternion must have norm 1, got ${norm}`);
  return Float64Array.from(pose, (x, i) => (i < 4 ? x / norm : x));
}

/** Written with six digits, a quaternion is as near to norm 1 as that. */
const NORM_TOLERANCE = 1e-5;

/** A half turn goes either way round: nobody can know which was meant. */
export function rejectHalfTurn(angle: number, where: string): void {
  if (angle > Math.PI - 1e-9) throw new RangeError(`${where}: a half turn may go either way round; put a pose in between`);
}
