/**
 * Converts coordinates and speeds between the conventions of Castor and MuJoCo. Scalar joints are the same. MuJoCo's free joint has the position
 * before the quaternion and the linear velocity before the angular velocity. Its angular velocities are in body axes, Castor's in F axes. So
 * v = T(q) u with T orthogonal. Forces transform like speeds, and so do accelerations (the derivative of T adds w x w = 0).
 * M_castor = Tᵀ M_mujoco T.
 */

import type { Mjcf, MujocoJoint } from "./mjcf.ts";
import { product, type Quat, type Rotation, rotate, rotationOfQuaternion, transpose, type Vector } from "./peer-rotations.ts";

const vectorAt = (a: Float64Array, at: number): Vector => [a[at]!, a[at + 1]!, a[at + 2]!];
const quaternionAt = (a: Float64Array, at: number): Quat => [a[at]!, a[at + 1]!, a[at + 2]!, a[at + 3]!];

export function coordinatesToMujoco({ joints }: Mjcf, q: Float64Array, qpos: Float64Array): void {
  for (const joint of joints) {
    if (joint.type === "free") {
      qpos.set(vectorAt(q, joint.q + 4), joint.qpos);
      qpos.set(quaternionAt(q, joint.q), joint.qpos + 3);
    } else if (joint.type === "ball") {
      qpos[joint.qpos] = q[joint.q]!;
      qpos.set(rotate(joint.R_BM, vectorAt(q, joint.q + 1)), joint.qpos + 1);
    } else qpos[joint.qpos] = q[joint.q]!;
  }
}

export function coordinatesToCastor({ joints }: Mjcf, qpos: Float64Array, q: Float64Array): void {
  for (const joint of joints) {
    if (joint.type === "free") {
      q.set(quaternionAt(qpos, joint.qpos + 3), joint.q);
      q.set(vectorAt(qpos, joint.qpos), joint.q + 4);
    } else if (joint.type === "ball") {
      q[joint.q] = qpos[joint.qpos]!;
      q.set(rotate(transpose(joint.R_BM), vectorAt(qpos, joint.qpos + 1)), joint.q + 1);
    } else q[joint.q] = qpos[joint.qpos]!;
  }
}

/** R_BF: rotates Castor's angular speeds (F axes) to MuJoCo's (body axes). */
const toBodyAxes = ({ q: at, R_BM }: MujocoJoint, q: Float64Array): Rotation =>
  product(R_BM, transpose(rotationOfQuaternion(quaternionAt(q, at))));

/** Converts speeds or forces to MuJoCo: v = T u. */
export function speedsToMujoco({ joints }: Mjcf, q: Float64Array, u: Float64Array, v: Float64Array): void {
  for (const joint of joints) {
    if (joint.type === "free") {
      v.set(vectorAt(u, joint.u + 3), joint.dof);
      v.set(rotate(toBodyAxes(joint, q), vectorAt(u, joint.u)), joint.dof + 3);
    } else if (joint.type === "ball") v.set(rotate(toBodyAxes(joint, q), vectorAt(u, joint.u)), joint.dof);
    else v[joint.dof] = u[joint.u]!;
  }
}

/** Converts speeds or accelerations to Castor: u = Tᵀ v. */
export function speedsToCastor({ joints }: Mjcf, q: Float64Array, v: Float64Array, u: Float64Array): void {
  for (const joint of joints) {
    if (joint.type === "free") {
      u.set(vectorAt(v, joint.dof), joint.u + 3);
      u.set(rotate(transpose(toBodyAxes(joint, q)), vectorAt(v, joint.dof + 3)), joint.u);
    } else if (joint.type === "ball") u.set(rotate(transpose(toBodyAxes(joint, q)), vectorAt(v, joint.dof)), joint.u);
    else u[joint.u] = v[joint.dof]!;
  }
}

/** Mass matrix Tᵀ M T, row-major: transforms each row, then each column of the result. */
export function massMatrixToCastor(mjcf: Mjcf, q: Float64Array, M: Float64Array, out: Float64Array): void {
  const n = mjcf.nu;
  const row = new Float64Array(n);
  const half = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    speedsToCastor(mjcf, q, M.slice(i * n, (i + 1) * n), row);
    half.set(row, i * n);
  }
  for (let j = 0; j < n; j++) {
    const column = Float64Array.from({ length: n }, (_, i) => half[i * n + j]!);
    speedsToCastor(mjcf, q, column, row);
    for (let i = 0; i < n; i++) out[i * n + j] = row[i]!;
  }
}
