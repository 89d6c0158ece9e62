/**
 * Loops with dependent equations: a planar mechanism closed by full revolutes, Bennett's and Bricard's linkages.
 * Their motion is unique; of all possible multipliers the smallest are computed. The algebra is dense, because such mechanisms are small.
 */

import { SingularError } from "../../../errors.ts";
import { type SymmetricEigen, symmetricEigen } from "../../../math/eigen/symmetric-eigen.ts";
import { type PivotedQR, pivotedQR } from "../../../math/linear/pivoted-qr.ts";
import type { SparsePattern } from "../../../math/linear/sparse-lu.ts";

/** Eigenvalues of J M⁻¹ Jᵀ below this, relative to the largest, are zero: singular values of J below 1e-6. */
const ZERO_EIGENVALUE = 1e-12;
/** Rows of a loop shorter than this, relative to the longest row, are differences of larger numbers. */
const ROUNDING_ROW = 1e-10;

/**
 * Tolerance of singular values at a state with the given loop error, such as a stage of a step: the error makes redundant rows look
 * independent.
 */
export const rankTolerance = (loopError: number): number => Math.min(1e-3, Math.max(Math.sqrt(ZERO_EIGENVALUE), 10 * loopError));

export interface LoopRankReport {
  /** Number of equations, and of independent equations. */
  readonly rows: number;
  readonly rank: number;
  /** Singular values of J in the metric of the mass matrix, largest first. The longest row of each loop has unit length. */
  readonly singularValues: readonly number[];
  /** Rows in the weakest combination: dependent rows, or those nearest to dependence. */
  readonly weakest: readonly number[];
  /** Rows whose multipliers are not unique. */
  readonly redundant: readonly number[];
}

/** Smallest share of a row in a combination that is not rounding. */
const MIN_SHARE = 1e-3;

/**
 * Rank of the rows of J in the metric of the mass matrix. Each loop is scaled by its longest row, so that loops of any size are comparable;
 * a row that is short relative to others of its loop vanishes.
 * @param loops the loop of each row.
 * @param rotateRows rotates the rows of J to the axes in which they are named.
 */
export function loopRankReport(
  pattern: SparsePattern,
  values: Float64Array,
  nu: number,
  loops: readonly string[],
  tolerance = Math.sqrt(ZERO_EIGENVALUE),
  rotateRows: (J: Float64Array) => void = () => {},
): LoopRankReport {
  const m = loops.length;
  const { values: squares, vectors } = symmetricEigen(scaledGram(pattern, values, nu, loops, rotateRows), m);
  const order = Array.from(squares.keys()).sort((a, b) => squares[b]! - squares[a]!);
  const largest = squares[order[0]!] ?? 0;
  const zero = order.filter((k) => !(squares[k]! > tolerance * tolerance * largest));
  const rowsIn = (k: number): number[] =>
    Array.from({ length: m }, (_, i) => i).filter((i) => Math.abs(vectors[i * m + k]!) > MIN_SHARE);
  const weakest = order.at(-1);
  return {
    rows: m,
    rank: m - zero.length,
    singularValues: order.map((k) => Math.sqrt(Math.max(0, squares[k]!))),
    weakest: weakest === undefined ? [] : rowsIn(weakest),
    redundant: [...new Set(zero.flatMap(rowsIn))].sort((a, b) => a - b),
  };
}

/** Safety of the bounds of `rowsAreClear` against rounding. */
const BOUND_CAUTION = 2;

/**
 * True if all singular values of a rank report are surely above `ratio` times the largest one. With S = J M⁻¹ Jᵀ of scaled rows, its largest
 * eigenvalue is at most its trace, and the smallest at least 1 / tr S⁻¹: far cheaper than eigenvalues. False decides nothing.
 */
export function rowsAreClear(
  pattern: SparsePattern,
  values: Float64Array,
  nu: number,
  loops: readonly string[],
  ratio: number,
  rotateRows: (J: Float64Array) => void = () => {},
): boolean {
  const m = loops.length;
  const S = scaledGram(pattern, values, nu, loops, rotateRows);
  let trace = 0;
  for (let i = 0; i < m; i++) trace += S[i * m + i]!;
  if (cholesky(S, m) >= 0) return false;
  // tr S⁻¹ is the sum of the squared entries of the inverse factor, column by column.
  const column = new Float64Array(m);
  let inverseTrace = 0;
  for (let i = 0; i < m; i++) {
    column.fill(0);
    column[i] = 1;
    forward(S, m, column, 0);
    inverseTrace += dotAt(column, 0, column, 0, m);
  }
  return BOUND_CAUTION * ratio * ratio * trace * inverseTrace < 1;
}

/** J M⁻¹ Jᵀ of the rows of J, each loop scaled by its longest row. */
function scaledGram(
  pattern: SparsePattern,
  values: Float64Array,
  nu: number,
  loops: readonly string[],
  rotateRows: (J: Float64Array) => void,
): Float64Array {
  const m = loops.length;
  const { L, Y } = denseParts(pattern, values, nu, m);
  rotateRows(Y);
  for (let i = 0; i < m; i++) forward(L, nu, Y, i * nu);
  const lengths = Array.from({ length: m }, (_, i) => Math.sqrt(dotAt(Y, i * nu, Y, i * nu, nu)));
  const longest = Math.max(0, ...lengths);
  const longestOf = new Map<string, number>();
  for (const [i, loop] of loops.entries()) longestOf.set(loop, Math.max(longestOf.get(loop) ?? 0, lengths[i]!));
  // A loop that is only rounding constrains nothing: it must not be scaled up.
  const size = loops.map((loop) => {
    const longestRow = longestOf.get(loop)!;
    return longestRow > ROUNDING_ROW * longest ? longestRow : Number.POSITIVE_INFINITY;
  });
  const S = new Float64Array(m * m);
  for (let i = 0; i < m; i++)
    for (let j = 0; j <= i; j++) S[i * m + j] = S[j * m + i] = dotAt(Y, i * nu, Y, j * nu, nu) / (size[i]! * size[j]!);
  return S;
}

/**
 * The Cholesky factor L of M, and J, as dense matrices. If only the loops make a model regular (massless rods between bodies), M has no
 * factor: then L is that of M + Jᵀ W J. Because J u̇ is given, this changes neither motion nor multipliers if Jᵀ W times the given
 * J u̇ is added to the forces. W is zero if M is regular.
 */
function denseParts(
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

const dotAt = (a: Float64Array, i: number, b: Float64Array, j: number, n: number): number => {
  let sum = 0;
  for (let k = 0; k < n; k++) sum += a[i + k]! * b[j + k]!;
  return sum;
};

/** Pivots below this, relative to the diagonal, are rounding. */
const MIN_PIVOT_RATIO = 1e-14;

/** A = L Lᵀ, L in the lower half. Returns -1, or the column whose pivot vanished. */
function cholesky(A: Float64Array, n: number): number {
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
function forward(L: Float64Array, n: number, v: Float64Array, first: number): void {
  for (let i = 0; i < n; i++) {
    let sum = v[first + i]!;
    for (let k = 0; k < i; k++) sum -= L[i * n + k]! * v[first + k]!;
    v[first + i] = sum / L[i * n + i]!;
  }
}

/** Solves Lᵀ y = v in place. */
function backward(L: Float64Array, n: number, v: Float64Array): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = v[i]!;
    for (let k = i + 1; k < n; k++) sum -= L[k * n + i]! * v[k]!;
    v[i] = sum / L[i * n + i]!;
  }
}
