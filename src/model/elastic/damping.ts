/** Damping inside an elastic body: proportional to the stiffness, or a matrix with given ratios of its clamped modes. */

import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import type { ElasticDescription } from "../description.ts";
import { clampedMass, clampedModes, type ElasticJoint, lowestOmega, type Segment } from "./joints.ts";
import type { Rod } from "./rod.ts";

/** Joints with damping: a damper in each joint, or a damping matrix for all of them, ordered by joint, then by freedom. */
export interface DampedJoints {
  readonly joints: readonly ElasticJoint[];
  readonly coupling?: readonly (readonly number[])[];
}

type WrittenDamping = NonNullable<ElasticDescription["damping"]>;

export function dampedJoints(
  damping: WrittenDamping | undefined,
  rod: Rod,
  joints: readonly ElasticJoint[],
  segments: readonly Segment[],
  path: string,
  problems: Problem[],
): DampedJoints {
  if (damping === undefined) return { joints };
  if (typeof damping === "object" && "ratios" in damping) {
    const { ratios } = damping;
    if (ratios.length > 0 && ratios.length <= joints.length)
      return { joints, coupling: modalCoupling(rod, joints, segments, ratios) };
    problems.push({
      path: childPath(path, "ratios"),
      message: `must list 1 to ${joints.length} ratios, as many as there are modes`,
      value: valueText(ratios),
    });
    return { joints };
  }
  const {
    ratio: given = 0,
    decrement,
    time,
  } = (typeof damping === "number" ? { ratio: damping } : damping) as {
    readonly ratio?: number;
    readonly decrement?: number;
    readonly time?: number;
  };
  // zeta = delta / √(4 π² + delta²) for the logarithmic decrement delta.
  const ratio = decrement === undefined ? given : decrement / hypotenuse(2 * Math.PI, decrement);
  const times = rod.freedoms.map((f, i) => {
    if (time !== undefined) return time;
    const k = joints.map((j) => j.stiffness[i]!);
    return (2 * ratio) / lowestOmega(clampedMass(f, joints, segments), k);
  });
  return { joints: joints.map((j) => ({ ...j, damping: j.stiffness.map((k, i) => times[i]! * k) })) };
}

/** D = M Φ diag(2 ζ ω) Φᵀ M in each freedom. Modes without a given ratio have ratios proportional to their frequency. */
function modalCoupling(
  rod: Rod,
  joints: readonly ElasticJoint[],
  segments: readonly Segment[],
  ratios: readonly number[],
): number[][] {
  const [n, f] = [joints.length, rod.freedoms.length];
  const D = Array.from({ length: n * f }, () => new Array<number>(n * f).fill(0));
  for (const [c, freedom] of rod.freedoms.entries()) {
    const M = clampedMass(freedom, joints, segments);
    const block = modalDamping(
      M,
      joints.map((j) => j.stiffness[c]!),
      ratios,
    );
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) D[i * f + c]![j * f + c] = block[i * n + j]!;
  }
  return D;
}

/** The same for one freedom: the damping matrix of joints with mass matrix M and stiffnesses k. */
export function modalDamping(M: Float64Array, k: readonly number[], ratios: readonly number[]): Float64Array {
  const n = k.length;
  const { omega, shapes } = clampedModes(M, k);
  const last = ratios.length - 1;
  const MPhi = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let c = 0; c < n; c++) for (let j = 0; j < n; j++) MPhi[i * n + c]! += M[i * n + j]! * shapes[j * n + c]!;
  const D = new Float64Array(n * n);
  for (let c = 0; c < n; c++) {
    const ratio = c <= last ? ratios[c]! : ratios[last]! * (omega[c]! / omega[last]!);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        const value = D[i * n + j]! + 2 * ratio * omega[c]! * MPhi[i * n + c]! * MPhi[j * n + c]!;
        D[i * n + j] = D[j * n + i] = value;
      }
  }
  return D;
}
