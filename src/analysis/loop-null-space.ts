/** Changes that keep loops closed and locked freedoms still: their null space, and least-norm solutions with the loop rows. */
import { matrixColumn, transposedProduct, transposeMatrix } from "../math/linear/dense-matrix.ts";
import { pivotedQR } from "../math/linear/pivoted-qr.ts";

/** Relative tolerance for dependent rows of loops. */
const DEPENDENT = 1e-10;

/** Null space of the loop rows J in the unlocked speeds, and least-norm solutions with J. */
export interface LoopNullSpace {
  readonly basis: Float64Array;
  readonly m: number;
  /** The smallest X, nu by n, with J X = -B. */
  closing(B: Float64Array, n: number): Float64Array;
  /** λ with Jᵀ λ = force, in the least-squares sense. */
  multipliers(force: Float64Array): Float64Array;
}

export function loopNullSpace(J: Float64Array, rows: number, nu: number, free: readonly number[]): LoopNullSpace {
  const n = free.length;
  const qr = pivotedQR(n, rows); // of Jᵀ: its columns are the rows of J
  qr.factor(
    Float64Array.from({ length: n * rows }, (_, k) => J[Math.floor(k / n) * nu + free[k % n]!]!),
    DEPENDENT,
  );
  const m = n - qr.rank;
  const basis = new Float64Array(nu * m);
  const unit = new Float64Array(n);
  for (let j = 0; j < m; j++) {
    unit.fill(0);
    unit[qr.rank + j] = 1;
    qr.applyQ(unit);
    for (let i = 0; i < n; i++) basis[free[i]! * m + j] = unit[i]!;
  }
  return {
    basis,
    m,
    closing(B, count) {
      const X = new Float64Array(nu * count);
      const y = new Float64Array(n);
      for (let j = 0; j < count; j++) {
        const b = matrixColumn(B, rows, count, j);
        y.fill(0);
        for (let k = 0; k < qr.rank; k++) y[k] = -b[qr.order[k]!]!;
        qr.solveTransposed(y);
        qr.applyQ(y);
        for (let i = 0; i < n; i++) X[free[i]! * count + j] = y[i]!;
      }
      return X;
    },
    multipliers(force) {
      const y = Float64Array.from(free, (k) => force[k]!);
      qr.applyQTransposed(y);
      const lambda = new Float64Array(rows);
      qr.solve(y, lambda);
      return lambda;
    },
  };
}

/** Zᵀ A Z; without loops most of Z is zero. */
export const congruence = (Z: Float64Array, A: Float64Array, n: number, m: number): Float64Array =>
  transposedProduct(Z, transposeMatrix(transposedProduct(Z, transposeMatrix(A, n, n), n, m, n), m, n), n, m, m);
