/** Mass matrix and rows of loops as dense matrices, and their factors. */
import { SingularError } from "../../../errors.ts";
import type { SparsePattern } from "../../../math/linear/sparse-lu.ts";

/** Eigenvalues of J M⁻¹ Jᵀ below this, relative to the largest, are zero: singular values of J below 1e-6. */
export const ZERO_EIGENVALUE = 1e-12;

/**
 * The Cholesky factor L of M, and J, as dense matrices. If only the loops make a model regular (massless rods between bodies), M has no
 * factor: then L is that of M + Jᵀ W J. Because J u̇ is given, this changes neither motion nor multipliers if Jᵀ W times the given
 * J u̇ is added to the forces. W is zero if M is regular.
 */
export function denseParts(
  pattern: SparsePattern,
  values: Float64Array,
  nu: number,
  m: number,
): { readonly L: Float64Array; readonly Y: Float64Array; readonly W: Float64Array } {
  const L = new Float64Array(nu * nu);
  const Y = new Float64Array(m * nu);
  for (let k = 0; k < values.length; k++) {
    const row = pattern.rows[k]!;
    const column = pattern.columns[k]!;
    if (row < nu && column < nu) L[row * nu + column] = values[k]!;
    else if (column < nu) Y[(row - nu) * nu + column] = values[k]!;
  }
  const M = L.slice();
  const W = new Float64Array(m);
  if (cholesky(L, nu) < 0) return { L, Y, W };
  let largest = 0;
  for (let j = 0; j < nu; j++) largest = Math.max(largest, M[j * nu + j]!);
  for (let i = 0; i < m; i++) {
    const square = dotAt(Y, i * nu, Y, i * nu, nu);
    if (square > 0) W[i] = (largest || 1) / square;
  }
  L.set(M);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < nu; j++) for (let k = 0; k <= j; k++) L[j * nu + k]! += W[i]! * Y[i * nu + j]! * Y[i * nu + k]!;
  const singularSpeed = cholesky(L, nu);
  if (singularSpeed >= 0) throw new MassMatrixError(singularSpeed);
  return { L, Y, W };
}

/** The mass matrix is singular, and the loops do not make it regular. LoopSystem names the freedom. */
export class MassMatrixError extends SingularError {
  constructor(readonly speed: number) {
    super(`the mass matrix is singular in speed ${speed}: it has no inertia`);
  }
}

/** W of a model that only its loops make regular (see denseParts); zero for all others. */
export const constraintWeights = (pattern: SparsePattern, values: Float64Array, nu: number, m: number): Float64Array =>
  denseParts(pattern, values, nu, m).W;

export const dotAt = (a: Float64Array, i: number, b: Float64Array, j: number, n: number): number => {
  let sum = 0;
  for (let k = 0; k < n; k++) sum += a[i + k]! * b[j + k]!;
  return sum;
};

/** Pivots below this, relative to the diagonal, are rounding. */
const MIN_PIVOT_RATIO = 1e-14;

/** A = L Lᵀ, L in the lower half. Returns -1, or the column whose pivot vanished. */
export function cholesky(A: Float64Array, n: number): number {
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = A[i * n + j]!;
      const diagonal = sum;
      for (let k = 0; k < j; k++) sum -= A[i * n + k]! * A[j * n + k]!;
      if (i > j) A[i * n + j] = sum / A[j * n + j]!;
      else if (sum > MIN_PIVOT_RATIO * diagonal) A[j * n + j] = Math.sqrt(sum);
      else return j;
    }
  }
  return -1;
}

/** Solves L y = v in place; v begins at `first`. */
export function forward(L: Float64Array, n: number, v: Float64Array, first: number): void {
  for (let i = 0; i < n; i++) {
    let sum = v[first + i]!;
    for (let k = 0; k < i; k++) sum -= L[i * n + k]! * v[first + k]!;
    v[first + i] = sum / L[i * n + i]!;
  }
}

/** Solves Lᵀ y = v in place. */
export function backward(L: Float64Array, n: number, v: Float64Array): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = v[i]!;
    for (let k = i + 1; k < n; k++) sum -= L[k * n + i]! * v[k]!;
    v[i] = sum / L[i * n + i]!;
  }
}
