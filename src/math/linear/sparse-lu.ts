/**
 * LU factors of sparse square matrices with a common pattern. The pivot order and the fill are computed once. After that a factorisation is
 * three nested loops over fixed index arrays and allocates nothing. If values change so far that a pivot becomes small, a new order is
 * computed automatically.
 */
import { ROUNDING_LEVEL, type SparsePattern } from "./markowitz.ts";
import { factorsForValues, restoredFactors, type SparseFactors, savedOrder } from "./sparse-factors.ts";

export type { SparsePattern } from "./markowitz.ts";

export interface SparseLU {
  readonly pattern: SparsePattern;
  /**
   * Factors the matrix with these values, which are in the order of the pattern. False if it is singular: see `rank` and `unpivoted`. An
   * entry of the border below `negligible`, relative to its terms, counts as zero (default: rounding). At most `maxRank` pivots are used.
   */
  factor(values: Float64Array, negligible?: number, maxRank?: number): boolean;
  /**
   * Solves A x = b for the values factored last, which must not have changed since. b and x must be different arrays. One step of iterative
   * refinement recovers the digits lost by a pivot order that was chosen for other values.
   */
  solve(b: Float64Array, x: Float64Array): void;
  /**
   * For a singular matrix: solves the equations that have a pivot; the unknowns without a pivot are zero. Returns b - A x, which is
   * rounding if the system has solutions. The next call overwrites the returned array.
   */
  solveBasic(b: Float64Array, x: Float64Array): Float64Array;
  /** x with A x = 0: the k-th unknown without a pivot is one, the other unknowns without a pivot are zero. */
  nullVector(k: number, x: Float64Array): void;
  /** Equations and unknowns without a pivot: n - rank of each. */
  readonly unpivoted: { readonly rows: Int32Array; readonly columns: Int32Array };
  /** Rank according to the last pivot search. */
  readonly rank: number;
  /** A row and a column that depend on the others if the matrix is singular; else -1. */
  readonly dependent: { readonly row: number; readonly column: number };
  /** Number of entries of L and U, diagonal included. */
  readonly fill: number;
  /** Number of pivot searches so far. */
  readonly pivotSearches: number;
  /** The pivot order as plain data, a fresh copy; null before the first factorisation. */
  save(): unknown;
  /**
   * Takes over a saved pivot order: factorisations that follow have the same bits as those after the save. `solve` needs a new factorisation
   * first. @throws FormatError if the data does not fit the pattern.
   */
  restore(saved: unknown, path: string): void;
}

/** A larger multiplier triggers a new pivot search. Up to here it costs four of sixteen digits, which refinement recovers. */
const MAX_MULTIPLIER = 1e4;
/** If the remainder of a dependent row grows above this, relative to its terms, a new pivot search is made. */
const DEPENDENT_ROW_LIMIT = 1e-12;
/** The last `border` rows and columns are eliminated after all others. If the rest is regular, only they can be without a pivot. */
export function sparseLU(pattern: SparsePattern, { border = 0 }: { readonly border?: number } = {}): SparseLU {
  let structure: SparseFactors | undefined;
  let searches = 0;
  let factored: Float64Array = new Float64Array(0);
  const residual = new Float64Array(pattern.n);
  const correction = new Float64Array(pattern.n);

  /** Solves with one step of iterative refinement. `residual` then holds b - A x before the step. */
  function solveRefined(s: SparseFactors, b: Float64Array, x: Float64Array): void {
    substituteFactors(s, b, x);
    subtractProduct(b, x);
    substituteFactors(s, residual, correction);
    for (let i = 0; i < pattern.n; i++) x[i]! += correction[i]!;
  }

  function subtractProduct(b: Float64Array, x: Float64Array): void {
    residual.set(b);
    for (let e = 0; e < factored.length; e++) residual[pattern.rows[e]!]! -= factored[e]! * x[pattern.columns[e]!]!;
  }

  return {
    pattern,
    factor(values, negligible = ROUNDING_LEVEL, maxRank = pattern.n) {
      factored = values;
      const isRankReached = structure !== undefined && structure.rank === maxRank && maxRank < pattern.n;
      if (
        structure === undefined ||
        structure.rank > maxRank ||
        !refactor(structure, values, isRankReached ? Number.MAX_VALUE : negligible)
      ) {
        structure = factorsForValues(pattern, values, border, negligible, maxRank);
        searches++;
        if (!refactor(structure, values, Number.MAX_VALUE)) return false;
      }
      return structure.rank === pattern.n;
    },
    solve(b, x) {
      if (structure?.rank !== pattern.n) throw new Error("solve: call factor with a regular matrix first");
      solveRefined(structure, b, x);
    },
    solveBasic(b, x) {
      if (structure === undefined) throw new Error("solveBasic: call factor first");
      solveRefined(structure, b, x);
      subtractProduct(b, x);
      return residual;
    },
    nullVector(k, x) {
      if (structure === undefined || k >= pattern.n - structure.rank) throw new Error(`nullVector: there is no null vector ${k}`);
      residual.fill(0);
      substituteFactors(structure, residual, x, structure.rank + k);
    },
    get unpivoted() {
      const { rank = pattern.n, rows = new Int32Array(0), columns = new Int32Array(0) } = structure ?? {};
      return { rows: rows.subarray(rank), columns: columns.subarray(rank) };
    },
    get rank() {
      return structure?.rank ?? 0;
    },
    get dependent() {
      const { rank = pattern.n, rows, columns } = structure ?? {};
      return { row: rows?.[rank] ?? -1, column: columns?.[rank] ?? -1 };
    },
    get fill() {
      return structure === undefined ? 0 : structure.L.length + structure.U.length + structure.rank;
    },
    get pivotSearches() {
      return searches;
    },
    save() {
      return structure === undefined ? null : savedOrder(structure);
    },
    restore(saved, path) {
      structure = saved === null ? undefined : restoredFactors(pattern, border, saved, path);
    },
  };
}

/** Factors the matrix. False if a pivot is too small for this order, or if the remainder of a dependent row is not negligible. */
function refactor(s: SparseFactors, values: Float64Array, negligible: number): boolean {
  const { rank, rows } = s;
  if (!factorPivotRows(s, values)) return false;
  for (let i = rank; i < rows.length; i++)
    if (!isNegligibleRow(s, values, i, Math.max(DEPENDENT_ROW_LIMIT, negligible))) return false;
  return true;
}

/** Factors the rows with a pivot, row by row: L_ik = w_k / U_kk, w -= L_ik U_k. False if a pivot is too small for this order. */
export function factorPivotRows(s: SparseFactors, values: Float64Array): boolean {
  const { rank, inner, rows, aStart, aColumn, aValue, lStart, lColumn, uStart, uColumn, L, U, reciprocal, work, floor } = s;
  for (let i = 0; i < rank; i++) {
    const lEnd = lStart[i + 1]!;
    const uEnd = uStart[i + 1]!;
    const largest = rows[i]! < inner ? MAX_MULTIPLIER : Number.POSITIVE_INFINITY; // no limit in the border
    for (let p = lStart[i]!; p < lEnd; p++) work[lColumn[p]!] = 0;
    for (let p = uStart[i]!; p < uEnd; p++) work[uColumn[p]!] = 0;
    work[i] = 0;
    for (let p = aStart[i]!; p < aStart[i + 1]!; p++) work[aColumn[p]!] = values[aValue[p]!]!;
    for (let p = lStart[i]!; p < lEnd; p++) {
      const k = lColumn[p]!;
      const factor = work[k]! * reciprocal[k]!;
      L[p] = factor;
      if (factor === 0) continue;
      if (!(Math.abs(factor) < largest)) return false;
      const end = uStart[k + 1]!;
      for (let j = uStart[k]!; j < end; j++) work[uColumn[j]!]! -= factor * U[j]!;
    }
    const pivot = work[i]!;
    if (!(Math.abs(pivot) > floor[i]!)) return false;
    reciprocal[i] = 1 / pivot;
    for (let p = uStart[i]!; p < uEnd; p++) U[p] = work[uColumn[p]!]!;
  }
  return true;
}

/** True if the remainder of a row without pivot is negligible after elimination with the pivot rows. */
function isNegligibleRow(s: SparseFactors, values: Float64Array, i: number, negligible: number): boolean {
  const { rank, aStart, aColumn, aValue, lStart, lColumn, uStart, uColumn, U, reciprocal, work, peak } = s;
  const n = work.length;
  for (let p = lStart[i]!; p < lStart[i + 1]!; p++) work[lColumn[p]!] = 0;
  work.fill(0, rank);
  peak.fill(0, rank);
  for (let p = aStart[i]!; p < aStart[i + 1]!; p++) {
    work[aColumn[p]!] = values[aValue[p]!]!;
    peak[aColumn[p]!] = Math.abs(values[aValue[p]!]!);
  }
  for (let p = lStart[i]!; p < lStart[i + 1]!; p++) {
    const k = lColumn[p]!;
    const factor = work[k]! * reciprocal[k]!;
    if (factor === 0) continue;
    for (let j = uStart[k]!; j < uStart[k + 1]!; j++) {
      const column = uColumn[j]!;
      const term = factor * U[j]!;
      work[column]! -= term;
      if (column >= rank) peak[column] = Math.max(peak[column]!, Math.abs(term));
    }
  }
  for (let column = rank; column < n; column++) if (!(Math.abs(work[column]!) <= negligible * peak[column]!)) return false;
  return true;
}

/** Solves L U x = b. The unknown without pivot at position `unit` is one, the others are zero. */
function substituteFactors(s: SparseFactors, b: Float64Array, x: Float64Array, unit = -1): void {
  const { rank, rows, columns, lStart, lColumn, uStart, uColumn, L, U, reciprocal, work } = s;
  const n = work.length;
  for (let i = 0; i < rank; i++) {
    let value = b[rows[i]!]!;
    for (let p = lStart[i]!; p < lStart[i + 1]!; p++) value -= L[p]! * work[lColumn[p]!]!;
    work[i] = value;
  }
  work.fill(0, rank);
  if (unit >= 0) work[unit] = 1;
  for (let i = rank - 1; i >= 0; i--) {
    let value = work[i]!;
    for (let p = uStart[i]!; p < uStart[i + 1]!; p++) value -= U[p]! * work[uColumn[p]!]!;
    work[i] = value * reciprocal[i]!;
  }
  for (let i = 0; i < n; i++) x[columns[i]!] = work[i]!;
}
