/** Damping inside an elastic body: proportional to the stiffness, or a matrix with given ratios of its clamped modes. */

import { childPath, readFields, readNumber } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { clampedMass, clampedModes, type ElasticJoint, lowestOmega, type Segment } from "./joints.ts";
import type { Rod } from "./rod.ts";

/** Joints with damping: a damper in each joint, or a damping matrix for all of them, ordered by joint, then by freedom. */
export interface DampedJoints {
  readonly joints: readonly ElasticJoint[];
  readonly coupling?: readonly (readonly number[])[];
}

const KEYS = ["ratio", "decrement", "time", "ratios"] as const;

export function readDamping(
  value: unknown,
  rod: Rod,
  joints: readonly ElasticJoint[],
  segments: readonly Segment[],
  path: string,
  problems: Problem[],
): DampedJoints {
  if (value === undefined) return { joints };
  const fields = typeof value === "number" ? { ratio: value } : readFields(value, path, KEYS, problems);
  if (fields === undefined) return { joints };
  const givenKeys = KEYS.filter((key) => (fields as Record<string, unknown>)[key] !== undefined);
  if (givenKeys.length !== 1) {
    problems.push({ path, message: `must be one of ${KEYS.join(", ")}`, value: valueText(value) });
    return { joints };
  }
  const key = givenKeys[0]!;
  const valuePath = typeof value === "number" ? path : childPath(path, key);
  const writtenValue = (fields as Record<string, unknown>)[key];
  const numbers = key === "ratios" && Array.isArray(writtenValue) ? writtenValue : [writtenValue];
  if (numbers.length === 0 || numbers.length > joints.length) {
    problems.push({
      path: valuePath,
      message: `must list 1 to ${joints.length} ratios, as many as there are modes`,
      value: valueText(writtenValue),
    });
    return { joints };
  }
  const numbersRead = numbers.map((n) => readNumber(n, valuePath, problems));
  const isRatio = key === "ratio" || key === "ratios";
  for (const n of numbersRead)
    if (n !== undefined && !(n >= 0 && (!isRatio || n < 1)))
      problems.push({
        path: valuePath,
        message: isRatio ? "must be from 0 to below 1" : "must not be negative",
        value: valueText(n),
      });
  if (numbersRead.some((n) => n === undefined)) return { joints };
  const chosen = numbersRead as number[];
  if (key === "ratios") return { joints, coupling: modalCoupling(rod, joints, segments, chosen) };
  // zeta = delta / √(4 π² + delta²) for the logarithmic decrement delta.
  const ratio = key === "decrement" ? chosen[0]! / hypotenuse(2 * Math.PI, chosen[0]!) : chosen[0]!;
  const times = rod.freedoms.map((f, i) => {
    if (key === "time") return chosen[0]!;
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
