/** Symmetric and general 3x3 blocks of inertias. A turn about one axis costs 9 or 11 operations in its plane. */
import { add, div, isNumber, mul, type Scalar, sub } from "../kernel/trace/scalar.ts";
import type { AxisIndex } from "./pose.ts";
import { compose, type Mat3, transpose } from "./rotation.ts";
import type { Vec3 } from "./vec3.ts";

type MutableRows = Scalar[][];

const mutableRows = (M: Mat3): MutableRows => M.map((row) => [...row]);

/** For a smaller cosine, `planeTurnTerms` does not divide by it: the loss of digits would outweigh the saved product. */
const MIN_COSINE = 0.1;

/**
 * c t and s t with t = c d - twice s e. For a constant turn it computes t / c instead: c² and c s are then constants, which saves one
 * product.
 */
function planeTurnTerms(d: Scalar, e: Scalar, twice: 1 | 2, c: Scalar, s: Scalar): { readonly ct: Scalar; readonly st: Scalar } {
  if (isNumber(c) && isNumber(s) && Math.abs(c) > MIN_COSINE) {
    const t = sub(d, mul((twice * s) / c, e));
    return { ct: mul(c * c, t), st: mul(c * s, t) };
  }
  const t = sub(mul(c, d), mul(twice, mul(s, e)));
  return { ct: mul(c, t), st: mul(s, t) };
}

/**
 * R M Rᵀ for a turn about one axis of a symmetric M. In the plane of i, j: with t = c (ii - jj) - 2 s ij, ii' = jj + c t, ij' = ij + s t.
 */
export function turnSymmetric(M: Mat3, axis: AxisIndex, c: Scalar, s: Scalar): Mat3 {
  const i = (axis + 1) % 3;
  const j = (axis + 2) % 3;
  const out = mutableRows(M);
  const ii = out[i]![i]!;
  const ij = out[i]![j]!;
  const jj = out[j]![j]!;
  const ik = out[i]![axis]!;
  const jk = out[j]![axis]!;
  const { ct, st } = planeTurnTerms(sub(ii, jj), ij, 2, c, s);
  out[i]![i] = add(jj, ct);
  out[j]![j] = sub(ii, ct);
  out[i]![j] = out[j]![i] = add(ij, st);
  out[i]![axis] = out[axis]![i] = sub(mul(c, ik), mul(s, jk));
  out[j]![axis] = out[axis]![j] = add(mul(s, ik), mul(c, jk));
  return out as unknown as Mat3;
}

/** R M Rᵀ for a turn about one axis of any M: the symmetric part turns, the skew part of the plane stays. */
export function turnGeneral(M: Mat3, axis: AxisIndex, c: Scalar, s: Scalar): Mat3 {
  const i = (axis + 1) % 3;
  const j = (axis + 2) % 3;
  const k = axis;
  const out = mutableRows(M);
  const ii = out[i]![i]!;
  const ij = out[i]![j]!;
  const ji = out[j]![i]!;
  const jj = out[j]![j]!;
  const { ct, st } = planeTurnTerms(sub(ii, jj), add(ij, ji), 1, c, s);
  out[i]![i] = add(jj, ct);
  out[j]![j] = sub(ii, ct);
  out[i]![j] = add(ij, st);
  out[j]![i] = add(ji, st);
  const ik = M[i]![k]!;
  const jk = M[j]![k]!;
  out[i]![k] = sub(mul(c, ik), mul(s, jk));
  out[j]![k] = add(mul(s, ik), mul(c, jk));
  const ki = M[k]![i]!;
  const kj = M[k]![j]!;
  out[k]![i] = sub(mul(c, ki), mul(s, kj));
  out[k]![j] = add(mul(s, ki), mul(c, kj));
  return out as unknown as Mat3;
}

/** R M Rᵀ */
export const rotateTensor = (M: Mat3, R: Mat3): Mat3 => compose(compose(R, M), transpose(R));

/** R M Rᵀ of a symmetric M: the upper half is computed and the lower half copied, so the result is exactly symmetric. */
export function rotateSymmetric(M: Mat3, R: Mat3): Mat3 {
  const RM = compose(R, M);
  const entry = (i: AxisIndex, j: AxisIndex): Scalar =>
    add(add(mul(RM[i][0], R[j][0]), mul(RM[i][1], R[j][1])), mul(RM[i][2], R[j][2]));
  return symmetricMatrix(entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2));
}

export const symmetricMatrix = (xx: Scalar, yy: Scalar, zz: Scalar, xy: Scalar, xz: Scalar, yz: Scalar): Mat3 => [
  [xx, xy, xz],
  [xy, yy, yz],
  [xz, yz, zz],
];

export const addMatrices = (A: Mat3, B: Mat3): Mat3 => A.map((row, i) => row.map((a, j) => add(a, B[i]![j]!))) as unknown as Mat3;

/** A - u vᵀ */
export const subtractOuterProduct = (A: Mat3, u: Vec3, v: Vec3): Mat3 =>
  A.map((row, i) => row.map((a, j) => sub(a, mul(u[i]!, v[j]!)))) as unknown as Mat3;

/**
 * A - u vᵀ of a symmetric A with v parallel to u: the upper half is computed and the lower half copied, so the result is exactly symmetric.
 */
export function subtractSymmetricOuterProduct(A: Mat3, u: Vec3, v: Vec3): Mat3 {
  const entry = (i: AxisIndex, j: AxisIndex): Scalar => sub(A[i][j], mul(u[i], v[j]));
  return symmetricMatrix(entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2));
}

/** The inverse of a regular symmetric matrix by cofactors, with one division. */
export function inverseSymmetric(A: Mat3): Mat3 {
  const minor = (a: Scalar, b: Scalar, c: Scalar, d: Scalar): Scalar => sub(mul(a, d), mul(b, c));
  const [[xx, xy, xz], [, yy, yz], [, , zz]] = A;
  const cx = minor(yy, yz, yz, zz);
  const cy = minor(xz, xy, zz, yz);
  const cz = minor(xy, xz, yy, yz);
  const r = div(1, add(add(mul(xx, cx), mul(xy, cy)), mul(xz, cz)));
  return symmetricMatrix(
    mul(r, cx),
    mul(r, minor(xx, xz, xz, zz)),
    mul(r, minor(xx, xy, xy, yy)),
    mul(r, cy),
    mul(r, cz),
    mul(r, minor(xy, xx, yz, xz)),
  );
}
