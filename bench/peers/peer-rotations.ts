/** Numeric rotations for the peers, independent of Castor's own code, so that agreement with a peer is evidence. */
import type { PlacementDescription, RotationDescription } from "castor/model";

export type Vector = readonly [number, number, number];
/** A rotation matrix by rows. */
export type Rotation = readonly [Vector, Vector, Vector];
export type Quat = readonly [number, number, number, number];

export const IDENTITY_ROTATION: Rotation = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const rotate = (R: Rotation, v: Vector): Vector => [dot(R[0], v), dot(R[1], v), dot(R[2], v)];

export const transpose = (R: Rotation): Rotation => [
  [R[0][0], R[1][0], R[2][0]],
  [R[0][1], R[1][1], R[2][1]],
  [R[0][2], R[1][2], R[2][2]],
];

export function product(A: Rotation, B: Rotation): Rotation {
  const columns = transpose(B);
  return [rotate(columns, A[0]), rotate(columns, A[1]), rotate(columns, A[2])];
}

export function rotationOfQuaternion([w, x, y, z]: Quat): Rotation {
  const s = 2 / (w * w + x * x + y * y + z * z);
  return [
    [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
    [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
    [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
  ];
}

/** The quaternion whose largest component is positive. That component is computed first, from a sum without cancellation. */
export function toQuat([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]: Rotation): Quat {
  const fourSquares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz] as const;
  const largest = Math.max(...fourSquares);
  const s = 0.5 / Math.sqrt(largest);
  const wx = (zy - yz) * s;
  const wy = (xz - zx) * s;
  const wz = (yx - xy) * s;
  const sxy = (xy + yx) * s;
  const sxz = (xz + zx) * s;
  const syz = (yz + zy) * s;
  const k = fourSquares.indexOf(largest);
  if (k === 0) return [largest * s, wx, wy, wz];
  if (k === 1) return [wx, largest * s, sxy, sxz];
  if (k === 2) return [wy, sxy, largest * s, syz];
  return [wz, sxz, syz, largest * s];
}

function rotationOfRollPitchYaw([roll, pitch, yaw]: Vector): Rotation {
  const [a, b, c] = [Math.cos(roll), Math.cos(pitch), Math.cos(yaw)];
  const [i, j, k] = [Math.sin(roll), Math.sin(pitch), Math.sin(yaw)];
  return [
    [c * b, c * j * i - k * a, c * j * a + k * i],
    [k * b, k * j * i + c * a, k * j * a - c * i],
    [-j, b * i, b * a],
  ];
}

export function rotationOf(rotation: RotationDescription | undefined): Rotation {
  if (rotation?.matrix) return rotation.matrix as unknown as Rotation;
  if (rotation?.quaternion) return rotationOfQuaternion(rotation.quaternion as unknown as Quat);
  if (rotation?.rpy) return rotationOfRollPitchYaw(rotation.rpy as unknown as Vector);
  return IDENTITY_ROTATION;
}

export interface PeerPlacement {
  readonly R: Rotation;
  readonly p: Vector;
}

export const peerPlacement = (placement: PlacementDescription | undefined): PeerPlacement => ({
  R: rotationOf(placement?.rotation),
  p: (placement?.at ?? [0, 0, 0]) as Vector,
});
