/**
 * Rotation matrices and quaternions over Scalar. `R_AB` maps components in B to components in A; its columns are the axes of
 * B in A. Quaternions are [w, x, y, z] of unit norm.
 */
import { add, cos, isNumber, mul, neg, type Scalar, sin, sub } from "../kernel/trace/scalar.ts";
import { cross, dot, type Vec3 } from "./vec3.ts";

/** Three rows. */
export type Mat3<S extends Scalar = Scalar> = readonly [Vec3<S>, Vec3<S>, Vec3<S>];
/** A 3x3 matrix of plain numbers, by rows. */
export type NumericMat3 = Mat3<number>;
export type Quaternion<S extends Scalar = Scalar> = readonly [S, S, S, S];

export const IDENTITY: Mat3<number> = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export const apply = (R: Mat3, v: Vec3): Vec3 => [dot(R[0], v), dot(R[1], v), dot(R[2], v)];

export const transpose = <S extends Scalar>(R: Mat3<S>): Mat3<S> => [
  [R[0][0], R[1][0], R[2][0]],
  [R[0][1], R[1][1], R[2][1]],
  [R[0][2], R[1][2], R[2][2]],
];

/** R_AB R_BC = R_AC. */
export function compose(A: Mat3, B: Mat3): Mat3 {
  const columns = transpose(B);
  const row = (r: Vec3): Vec3 => [dot(r, columns[0]), dot(r, columns[1]), dot(r, columns[2])];
  return [row(A[0]), row(A[1]), row(A[2])];
}

/** Rotation matrix of a unit quaternion. */
export function fromQuaternion([w, x, y, z]: Quaternion): Mat3 {
  const x2 = mul(2, x);
  const y2 = mul(2, y);
  const z2 = mul(2, z);
  const wx = mul(w, x2);
  const wy = mul(w, y2);
  const wz = mul(w, z2);
  const xx = mul(x, x2);
  const xy = mul(x, y2);
  const xz = mul(x, z2);
  const yy = mul(y, y2);
  const yz = mul(y, z2);
  const zz = mul(z, z2);
  return [
    [sub(1, add(yy, zz)), sub(xy, wz), add(xz, wy)],
    [add(xy, wz), sub(1, add(xx, zz)), sub(yz, wx)],
    [sub(xz, wy), add(yz, wx), sub(1, add(xx, yy))],
  ];
}

/** The quaternion of R_AC = R_AB R_BC. */
export function quaternionProduct([a, b, c, d]: Quaternion, [w, x, y, z]: Quaternion): Quaternion {
  return [
    sub(sub(mul(a, w), mul(b, x)), add(mul(c, y), mul(d, z))),
    add(add(mul(a, x), mul(b, w)), sub(mul(c, z), mul(d, y))),
    add(sub(mul(a, y), mul(b, z)), add(mul(c, w), mul(d, x))),
    add(add(mul(a, z), mul(b, y)), sub(mul(d, w), mul(c, x))),
  ];
}

/** R about a constant unit axis by an angle (Rodrigues): n nᵀ + (1 - n nᵀ) cos + ñ sin. */
export function rotationAboutAxis(n: Vec3<number>, angle: Scalar): Mat3 {
  const c = cos(angle);
  const s = sin(angle);
  const entry = (i: 0 | 1 | 2, j: 0 | 1 | 2, skew: number): Scalar => {
    const nn = n[i] * n[j];
    return add(add(nn, mul((i === j ? 1 : 0) - nn, c)), mul(skew, s));
  };
  return [
    [entry(0, 0, 0), entry(0, 1, -n[2]), entry(0, 2, n[1])],
    [entry(1, 0, n[2]), entry(1, 1, 0), entry(1, 2, -n[0])],
    [entry(2, 0, -n[1]), entry(2, 1, n[0]), entry(2, 2, 0)],
  ];
}

/** q̇ = ½ [0, ω] q, with the angular velocity ω in the axes that R maps to. */
export function quaternionRates([w, x, y, z]: Quaternion, omega: Vec3): Quaternion {
  const [a, b, c] = omega;
  const half = (s: Scalar): Scalar => mul(0.5, s);
  return [
    neg(half(add(add(mul(a, x), mul(b, y)), mul(c, z)))),
    half(sub(add(mul(a, w), mul(b, z)), mul(c, y))),
    half(sub(add(mul(b, w), mul(c, x)), mul(a, z))),
    half(sub(add(mul(c, w), mul(a, y)), mul(b, x))),
  ];
}

/** Unit quaternion, w >= 0, of a numeric rotation matrix. The largest component is computed first, to keep all digits. */
export function toQuaternion(R: Mat3<number>): Quaternion<number> {
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = R;
  const squares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz];
  const k = squares.indexOf(Math.max(...squares));
  const s = 0.5 / Math.sqrt(squares[k]!);
  const candidates: readonly Quaternion<number>[] = [
    [squares[0]! * s, (zy - yz) * s, (xz - zx) * s, (yx - xy) * s],
    [(zy - yz) * s, squares[1]! * s, (xy + yx) * s, (xz + zx) * s],
    [(xz - zx) * s, (xy + yx) * s, squares[2]! * s, (yz + zy) * s],
    [(yx - xy) * s, (xz + zx) * s, (yz + zy) * s, squares[3]! * s],
  ];
  const [w, x, y, z] = candidates[k]!;
  const sign = w < 0 ? -1 : 1;
  return [sign * w, sign * x, sign * y, sign * z];
}

/** Largest deviation of R Rᵀ from the identity, and whether R is right-handed. */
export function orthonormality(R: Mat3<number>): { readonly error: number; readonly rightHanded: boolean } {
  let error = 0;
  for (const [i, row] of R.entries())
    for (const [j, other] of R.entries()) error = Math.max(error, Math.abs((dot(row, other) as number) - (i === j ? 1 : 0)));
  return { error, rightHanded: (dot(cross(R[0], R[1]), R[2]) as number) > 0 };
}

/** Replaces entries within rounding of 0 and ±1 by exact ones, so that the zeros of real machines survive. */
export function snapRotation(R: Mat3<number>): Mat3<number> {
  const snapEntry = (v: number): number => {
    const r = Math.round(v);
    return Math.abs(v - r) < 1e-14 ? r + 0 : v;
  };
  return R.map((row) => row.map(snapEntry)) as unknown as Mat3<number>;
}

export const isNumericMatrix = (R: Mat3): R is Mat3<number> => R.every((row) => row.every(isNumber));
