/** Rank of the rows of loops, and which of them depend on others. */
import { symmetricEigen } from "../../../math/eigen/symmetric-eigen.ts";
import type { SparsePattern } from "../../../math/linear/sparse-lu.ts";
import { cholesky, denseParts, dotAt, forward, ZERO_EIGENVALUE } from "./dense-rows.ts";

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
