/** 3-vectors over Scalar. */
import { add, mul, neg, type Scalar, sub } from "../kernel/trace/scalar.ts";

export type Vec3<S extends Scalar = Scalar> = readonly [S, S, S];
/** A 3-vector of plain numbers. */
export type NumericVec3 = Vec3<number>;

export const ZERO3: Vec3<number> = [0, 0, 0];
export const UNIT_VECTORS: readonly [Vec3<number>, Vec3<number>, Vec3<number>] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export const plus = (a: Vec3, b: Vec3): Vec3 => [add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])];
export const minus = (a: Vec3, b: Vec3): Vec3 => [sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])];
export const negate = (a: Vec3): Vec3 => [neg(a[0]), neg(a[1]), neg(a[2])];
export const scale = (k: Scalar, a: Vec3): Vec3 => [mul(k, a[0]), mul(k, a[1]), mul(k, a[2])];
export const dot = (a: Vec3, b: Vec3): Scalar => add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));

export const cross = (a: Vec3, b: Vec3): Vec3 => [
  sub(mul(a[1], b[2]), mul(a[2], b[1])),
  sub(mul(a[2], b[0]), mul(a[0], b[2])),
  sub(mul(a[0], b[1]), mul(a[1], b[0])),
];

export const sumVectors = (vectors: Iterable<Vec3>): Vec3 => {
  let t: Vec3 = ZERO3;
  for (const v of vectors) t = plus(t, v);
  return t;
};

/** Components after a turn about one axis, with 4 products and 2 sums. */
export function turnVector(v: Vec3, axis: 0 | 1 | 2, c: Scalar, s: Scalar): Vec3 {
  const i = (axis + 1) % 3;
  const j = (axis + 2) % 3;
  const out: Scalar[] = [0, 0, 0];
  out[axis] = v[axis];
  out[i] = sub(mul(c, v[i]!), mul(s, v[j]!));
  out[j] = add(mul(s, v[i]!), mul(c, v[j]!));
  return out as unknown as Vec3;
}
