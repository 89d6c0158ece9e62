/**
 * Motion of the joints of a chain at a state, and inertia of its links. Spatial vectors have six numbers, angular first, at the origin of the
 * link's frame M and in its axes. R is never assumed to be orthogonal, so that small angles have the same meaning as in the paper.
 */

import { denseLU } from "../../../math/linear/dense-lu.ts";
import { identityMatrix, matrixProduct } from "../../../math/linear/dense-matrix.ts";
import type { NumericMat3 } from "../../../spatial/rotation.ts";
import { apply, compose, IDENTITY, transpose } from "../../../spatial/rotation.ts";
import type { NumericVec3 } from "../../../spatial/vec3.ts";
import { cross, plus, scale, ZERO3 } from "../../../spatial/vec3.ts";
import type { ChainLink, ChainOutputFrame, JointBetweenLinks } from "./chain-links.ts";

export interface Crossing {
  /** X in A = X A_before + Σ S u̇ + β, 6x6 by rows. Xᵀ transforms wrenches toward the base. */
  readonly X: Float64Array;
  readonly beta: Float64Array;
  readonly columns: readonly { readonly S: Float64Array; readonly u: number; readonly armature: number }[];
  /** Angular velocity of the link, in its axes. */
  readonly omega: NumericVec3;
  /** R_WL, for quantities in world axes. */
  readonly R: NumericMat3;
}

export const dot6 = (a: Float64Array, b: Float64Array): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

export function crossJoint(
  { steps }: JointBetweenLinks,
  before: Crossing | undefined,
  q: Float64Array,
  u: Float64Array,
): Crossing {
  let X = identityMatrix(6);
  let beta: Float64Array = new Float64Array(6);
  let columns: Crossing["columns"][number][] = [];
  let omega: NumericVec3 = before?.omega ?? ZERO3;
  let R: NumericMat3 = before?.R ?? IDENTITY;
  /** Advances to a frame rotated by T with its origin at p. The angular velocity ω of the previous frame is known. */
  const move = (T: NumericMat3, p: NumericVec3): void => {
    const back = transpose(T);
    const step = new Float64Array(36);
    const lever = compose(back, transposedSkew(p)); // a = Tᵀ (a - p × α + ...)
    for (const i of [0, 1, 2] as const)
      for (const j of [0, 1, 2] as const) {
        step[i * 6 + j] = step[(i + 3) * 6 + j + 3] = back[i][j];
        step[(i + 3) * 6 + j] = lever[i][j] as number;
      }
    const centripetal = apply(back, cross(omega, cross(omega, p))) as NumericVec3;
    X = matrixProduct(step, X, 6, 6, 6);
    beta = matrixProduct(step, beta, 6, 6, 1);
    for (const i of [0, 1, 2] as const) beta[3 + i]! += centripetal[i];
    columns = columns.map((c) => ({ ...c, S: matrixProduct(step, c.S, 6, 6, 1) }));
    omega = apply(back, omega) as NumericVec3;
    R = compose(R, T) as NumericMat3;
  };
  for (const { place, element, q: at, u: first } of steps) {
    move(place.R, place.p);
    const pose = element.pose(Array.from(q.subarray(at, at + element.nq)));
    const T = pose.R as NumericMat3;
    const rates = Array.from(u.subarray(first, first + element.nu));
    const sum = (part: "angular" | "linear"): NumericVec3 =>
      element.partials.reduce<NumericVec3>((total, unit, k) => plus(total, scale(rates[k]!, unit[part])) as NumericVec3, ZERO3);
    // Speeds are in axes of F. Speeds of small rotations are in axes of M.
    const [w, v] = [sum("angular"), sum("linear")];
    const coriolis = scale(2, cross(omega, v)) as NumericVec3;
    const turning = element.small ? ZERO3 : (cross(omega, w) as NumericVec3);
    move(T, pose.p as NumericVec3);
    const back = transpose(T);
    const inM = (x: NumericVec3): NumericVec3 => (element.small ? x : (apply(back, x) as NumericVec3));
    const own = inM(w);
    const [gyro, slid] = [
      element.small ? (cross(omega, own) as NumericVec3) : inM(turning),
      apply(back, coriolis) as NumericVec3,
    ];
    for (const i of [0, 1, 2] as const) {
      beta[i]! += gyro[i];
      beta[3 + i]! += slid[i];
    }
    omega = plus(omega, own) as NumericVec3;
    columns.push(
      ...element.partials.map((unit, k) => ({
        S: Float64Array.of(...inM(unit.angular), ...inM(unit.linear)),
        u: first + k,
        armature: element.armature ?? 0,
      })),
    );
  }
  return { X, beta, columns, omega, R };
}

/** (p̃)ᵀ = -p̃ by rows. */
const transposedSkew = ([x, y, z]: NumericVec3): NumericMat3 => [
  [0, z, -y],
  [-z, 0, x],
  [y, -x, 0],
];

/** I⁻¹ of a link at the origin of M, and its gyroscopic wrench: ω × J ω and ω × (ω × h). */
export function inertiaAt(
  { mass, com, inertia }: ChainLink,
  omega: NumericVec3,
): { readonly Y: Float64Array; readonly gyroscopic: Float64Array } {
  const I = new Float64Array(36);
  const h = scale(mass, com) as NumericVec3;
  const skew = transpose(transposedSkew(h));
  const J = inertia.map((row, i) =>
    row.map((v, j) => v + mass * ((i === j ? com[0] ** 2 + com[1] ** 2 + com[2] ** 2 : 0) - com[i]! * com[j]!)),
  );
  for (const i of [0, 1, 2] as const)
    for (const j of [0, 1, 2] as const) {
      I[i * 6 + j] = J[i]![j]!;
      I[i * 6 + 3 + j] = skew[i][j];
      I[(i + 3) * 6 + j] = -skew[i][j];
      I[(i + 3) * 6 + 3 + j] = i === j ? mass : 0;
    }
  const lu = denseLU(6);
  lu.factor(I);
  const Y = new Float64Array(36);
  for (let j = 0; j < 6; j++) {
    const column = new Float64Array(6);
    column[j] = 1;
    lu.solve(column);
    for (let i = 0; i < 6; i++) Y[i * 6 + j] = column[i]!;
  }
  const spin = cross(omega, apply(J as unknown as NumericMat3, omega)) as NumericVec3;
  const pull = cross(omega, cross(omega, h)) as NumericVec3;
  return { Y, gyroscopic: Float64Array.of(...spin, ...pull) };
}

/** Wrenches at frames, world axes, as wrenches on the links at their M. */
export function wrenchesAt(frames: readonly ChainOutputFrame[], crossings: readonly Crossing[], w: Float64Array): Float64Array[] {
  const on = crossings.map(() => new Float64Array(6));
  for (const [k, { link, p }] of frames.entries()) {
    if (link < 0) continue;
    const back = transpose(crossings[link]!.R);
    const three = (from: number): NumericVec3 =>
      apply(back, Array.from(w.subarray(from, from + 3)) as unknown as NumericVec3) as NumericVec3;
    const [torque, force] = [three(6 * k), three(6 * k + 3)];
    const moment = plus(torque, cross(p, force)) as NumericVec3;
    for (const i of [0, 1, 2] as const) {
      on[link]![i]! += moment[i];
      on[link]![3 + i]! += force[i];
    }
  }
  return on;
}
