/**
 * Loops with dependent equations: a planar mechanism closed by full revolutes, Bennett's and Bricard's linkages.
 * Their motion is unique; of all possible multipliers the smallest are computed. The algebra is dense, because such mechanisms are small.
 */

import { type SymmetricEigen, symmetricEigen } from "../../../math/eigen/symmetric-eigen.ts";
import { type PivotedQR, pivotedQR } from "../../../math/linear/pivoted-qr.ts";
import type { SparsePattern } from "../../../math/linear/sparse-lu.ts";
import { backward, denseParts, dotAt, forward, ZERO_EIGENVALUE } from "./dense-rows.ts";

/**
 * Solves [M -Jᵀ; J 0] x = b for M of size nu and m rows of J, with J M⁻¹ Jᵀ inverted on its range. `solve` returns the number of dependent
 * rows. Singular values of J L⁻ᵀ, M = L Lᵀ, below `tolerance` times the largest count as zero: see `rankTolerance`.
 */
export interface MinimumNormSolver {
  solve(values: Float64Array, b: Float64Array, x: Float64Array, tolerance?: number): number;
}

export function minimumNormSolver(pattern: SparsePattern, nu: number, m: number): MinimumNormSolver {
  const free = new Float64Array(nu);
  const remainder = new Float64Array(m);
  const lambda = new Float64Array(m);
  const inRange = solverInRange(nu, m);
  return {
    solve(values, b, x, tolerance = Math.sqrt(ZERO_EIGENVALUE)) {
      const { L, Y, W } = denseParts(pattern, values, nu, m); // Y becomes J L⁻ᵀ
      for (let j = 0; j < nu; j++) free[j] = b[j]!;
      for (let i = 0; i < m; i++) if (W[i] !== 0) for (let j = 0; j < nu; j++) free[j]! += W[i]! * b[nu + i]! * Y[i * nu + j]!;
      forward(L, nu, free, 0);
      for (let i = 0; i < m; i++) {
        forward(L, nu, Y, i * nu);
        remainder[i] = b[nu + i]! - dotAt(Y, i * nu, free, 0, nu);
      }
      const redundant = inRange(Y, remainder, lambda, tolerance) ?? solveByEigenvalues(Y, nu, m, remainder, lambda, tolerance);
      for (let j = 0; j < nu; j++) for (let i = 0; i < m; i++) free[j]! += Y[i * nu + j]! * lambda[i]!;
      backward(L, nu, free);
      x.set(free);
      x.set(lambda, nu);
      return redundant;
    },
  };
}

/** The remainder of a row decides its dependence without doubt if it differs from the tolerance by this factor. */
const CLEAR_FACTOR = 100;

/**
 * λ = (Y Yᵀ)⁺ b, and the number of dependent rows of Y; undefined if the rank is in doubt. Yᵀ P = Q R with the longest
 * remainder first; the nonzero rows of R are Rᵀ = Z T, and with them (Y Yᵀ)⁺ = Z (T Tᵀ)⁻¹ Zᵀ.
 */
function solverInRange(nu: number, m: number) {
  const outer = pivotedQR(nu, m);
  const inner: (PivotedQR | undefined)[] = [];
  const weights = new Float64Array(m);
  const rotatedRows = new Float64Array(nu * m);
  const rows = new Float64Array(m * Math.min(nu, m));
  const [v, z] = [new Float64Array(m), new Float64Array(m)];
  return (Y: Float64Array, b: Float64Array, lambda: Float64Array, tolerance: number): number | undefined => {
    let longest = 0;
    for (let i = 0; i < m; i++) {
      weights[i] = Math.sqrt(dotAt(Y, i * nu, Y, i * nu, nu));
      longest = Math.max(longest, weights[i]!);
    }
    if (longest === 0) {
      lambda.fill(0); // all loops are only rounding: they constrain nothing
      return m;
    }
    for (let i = 0; i < m; i++) weights[i]! /= longest;
    outer.factor(Y, tolerance, m, weights);
    const { rank, lastIndependentDistance: independentDistance, largestDependentDistance: dependentDistance } = outer;
    if (!(independentDistance > CLEAR_FACTOR * tolerance && dependentDistance < tolerance / CLEAR_FACTOR)) return undefined;
    rotatedRows.set(Y);
    outer.applyQTransposed(rotatedRows, m);
    for (let k = 0; k < rank; k++) for (let i = 0; i < m; i++) rows[k * m + i] = rotatedRows[i * nu + k]!;
    inner[rank] ??= pivotedQR(m, rank);
    const qr = inner[rank];
    if (!(qr.factorInOrder(rows) > 0)) return undefined;
    v.set(b);
    qr.applyQTransposed(v);
    qr.solve(v, z);
    qr.solveTransposed(z);
    z.fill(0, rank);
    qr.applyQ(z);
    lambda.set(z);
    return m - rank;
  };
}

/** The same by the eigenvalues of Y Yᵀ = V D Vᵀ. */
function solveByEigenvalues(
  Y: Float64Array,
  nu: number,
  m: number,
  b: Float64Array,
  lambda: Float64Array,
  tolerance: number,
): number {
  const S = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let j = 0; j <= i; j++) S[i * m + j] = S[j * m + i] = dotAt(Y, i * nu, Y, j * nu, nu);
  const { x, redundant } = pseudoSolve(symmetricEigen(S, m), b, m, tolerance);
  lambda.set(x);
  return redundant;
}

/** V D⁺ Vᵀ b, and the number of eigenvalues that count as zero. */
function pseudoSolve(
  { values, vectors }: SymmetricEigen,
  b: Float64Array,
  m: number,
  tolerance: number,
): { readonly x: Float64Array; readonly redundant: number } {
  const x = new Float64Array(m);
  const least = tolerance * tolerance * Math.max(0, ...values);
  let redundant = 0;
  for (let k = 0; k < m; k++) {
    if (!(values[k]! > least)) {
      redundant++;
      continue;
    }
    let c = 0;
    for (let i = 0; i < m; i++) c += vectors[i * m + k]! * b[i]!;
    c /= values[k]!;
    for (let i = 0; i < m; i++) x[i]! += vectors[i * m + k]! * c;
  }
  return { x, redundant };
}
