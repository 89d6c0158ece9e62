/**
 * A sparse square matrix whose last rows and columns form a border,
 *
 *   [ A  C ] [ x ]   [ b ]        S = D - B A⁻¹ C,  S y = c - B A⁻¹ b,  A x = b - C y.
 *   [ B  D ] [ y ] = [ c ],
 *
 * where S is symmetric. A is factored in a pivot order that is kept from one matrix to the next, and S is a small full matrix that the caller solves. So an S of any rank,
 * with rows that depend on each other now in one way and now in another, needs no new pivot search.
 */

import { refuseSaved, savedEntries, takeSaved } from "../../saved-data.ts";
import { ROUNDING_LEVEL, type SparsePattern } from "./markowitz.ts";
import { factorsForValues, restoredFactors, type SparseFactors, savedOrder } from "./sparse-factors.ts";
import { factorPivotRows } from "./sparse-lu.ts";

export interface BorderedLU {
  /** Factors A and computes S and `peak` for these values, which are in the order of the pattern. False if A is singular. */
  factor(values: Float64Array): boolean;
  /** S by rows, and for each entry of its diagonal the magnitude to which its rounding is relative. */
  readonly S: Float64Array;
  readonly peak: Float64Array;
  /** c - B A⁻¹ b of a right-hand side (b, c), for the values factored last. */
  reduce(rightHandSide: Float64Array, reduced: Float64Array): void;
  /** Writes (A⁻¹ (b - C y), y) into x for the right-hand side that was reduced last. */
  complete(y: Float64Array, x: Float64Array): void;
  /** Number of pivot searches so far. */
  readonly pivotSearches: number;
  /** The pivot order as plain data, a fresh copy; null before the first factorisation. */
  save(): unknown;
  /** Takes over a saved pivot order. @throws FormatError if the data does not fit the pattern. */
  restore(saved: unknown, path: string): void;
}

/**
 * If the terms of S grow by more than this since the pivot search, a new one is made. No single multiplier shows it: products of several moderate
 * ones can cost all digits of S, and independent rows then look dependent.
 */
const MAX_GROWTH = 100;

export function borderedLU(pattern: SparsePattern, border: number): BorderedLU {
  const inner = pattern.n - border;
  const S = new Float64Array(border * border);
  const peak = new Float64Array(border);
  const forwarded = new Float64Array(pattern.n);
  let factors: SparseFactors | undefined;
  /** Magnitudes to which the rounding of the entries of U in columns of the border is relative. */
  let peaksOfU: Float64Array | undefined;
  let searches = 0;
  /** Growth of the terms of S directly after the last pivot search. */
  let searchedGrowth = 0;

  /** True if all pivots are in A, and the border is in its own order. */
  const hasInnerPivots = ({ rank, rows, columns }: SparseFactors): boolean =>
    rank === inner && rows.subarray(inner).every((row, i) => row === inner + i && columns[inner + i] === row);

  /** Computes S and `peak`. */
  const reduceBorder = (values: Float64Array): void => {
    if (peaksOfU?.length !== factors!.U.length) peaksOfU = new Float64Array(factors!.U.length);
    computePeaks(factors!, values, peaksOfU);
    for (let i = inner; i < pattern.n; i++) reduceBorderRow(factors!, values, peaksOfU, i, S, peak);
  };

  /** Largest term of the diagonal of S, relative to its largest entry: so many digits of S are lost. */
  const growthOf = (): number => {
    let [term, entry] = [0, 0];
    for (let i = 0; i < border; i++) {
      term = Math.max(term, peak[i]!);
      entry = Math.max(entry, Math.abs(S[i * border + i]!));
    }
    return entry > 0 ? term / entry : 0;
  };

  return {
    S,
    peak,
    factor(values) {
      if (factors !== undefined && factorPivotRows(factors, values)) {
        reduceBorder(values);
        if (growthOf() <= MAX_GROWTH * searchedGrowth) return true;
      }
      const found = factorsForValues(pattern, values, border, ROUNDING_LEVEL, inner);
      searches++;
      if (!hasInnerPivots(found) || !factorPivotRows(found, values)) return false;
      factors = found;
      reduceBorder(values);
      searchedGrowth = growthOf();
      return true;
    },
    reduce(b, reduced) {
      const { rows, lStart, lColumn, L } = factors!;
      for (let i = 0; i < pattern.n; i++) {
        let value = b[rows[i]!]!;
        for (let p = lStart[i]!; p < lStart[i + 1]!; p++) value -= L[p]! * forwarded[lColumn[p]!]!;
        forwarded[i] = value;
        if (i >= inner) reduced[i - inner] = value;
      }
    },
    complete(y, x) {
      const { columns, uStart, uColumn, U, reciprocal, work } = factors!;
      for (let i = inner; i < pattern.n; i++) work[i] = x[columns[i]!] = y[columns[i]! - inner]!;
      for (let i = inner - 1; i >= 0; i--) {
        let value = forwarded[i]!;
        for (let p = uStart[i]!; p < uStart[i + 1]!; p++) value -= U[p]! * work[uColumn[p]!]!;
        work[i] = x[columns[i]!] = value * reciprocal[i]!;
      }
    },
    get pivotSearches() {
      return searches;
    },
    save: () => (factors === undefined ? null : { order: savedOrder(factors), growth: searchedGrowth }),
    restore(saved, path) {
      factors = undefined;
      if (saved === null) return;
      const { order, growth } = savedEntries(saved, ["order", "growth"], path);
      const restored = { growth: 0 };
      takeSaved(restored, { growth }, path);
      if (!(restored.growth >= 0)) refuseSaved(`${path}.growth`, "must not be negative", restored.growth);
      searchedGrowth = restored.growth;
      factors = restoredFactors(pattern, border, order, `${path}.order`);
      if (factors !== undefined && !hasInnerPivots(factors)) refuseSaved(`${path}.order.rank`, `must be ${inner}`, factors.rank);
    },
  };
}

/** Offset of the first entry in the border of a row of U, whose columns ascend. */
function borderOffset({ rank, uStart, uColumn }: SparseFactors, k: number): number {
  let p = uStart[k + 1]!;
  while (p > uStart[k]! && uColumn[p - 1]! >= rank) p--;
  return p;
}

/** The largest term of each entry of U in the border, or of an entry that is part of it: a sum that cancels has the rounding of its terms. */
function computePeaks(s: SparseFactors, values: Float64Array, peaksOfU: Float64Array): void {
  const { rank, aStart, aColumn, aValue, lStart, lColumn, uStart, uColumn, L, peak } = s;
  for (let i = 0; i < rank; i++) {
    const [first, end] = [borderOffset(s, i), uStart[i + 1]!];
    if (first === end) continue;
    for (let p = first; p < end; p++) peak[uColumn[p]!] = 0;
    for (let p = aStart[i]!; p < aStart[i + 1]!; p++) if (aColumn[p]! >= rank) peak[aColumn[p]!] = Math.abs(values[aValue[p]!]!);
    for (let p = lStart[i]!; p < lStart[i + 1]!; p++) {
      const k = lColumn[p]!;
      const factor = Math.abs(L[p]!);
      for (let j = uStart[k + 1]! - 1; j >= uStart[k]! && uColumn[j]! >= rank; j--)
        peak[uColumn[j]!] = Math.max(peak[uColumn[j]!]!, factor * peaksOfU[j]!);
    }
    for (let p = first; p < end; p++) peaksOfU[p] = peak[uColumn[p]!]!;
  }
}

/**
 * Eliminates one row of the border with the rows of A: its row of L, and its row of S. Rounding in a factor reaches all later entries, so `peak` of an
 * entry is the largest product of a factor and an entry of U, one of them with its own peak.
 */
function reduceBorderRow(
  s: SparseFactors,
  values: Float64Array,
  peaksOfU: Float64Array,
  i: number,
  S: Float64Array,
  peaks: Float64Array,
): void {
  const { rank, aStart, aColumn, aValue, lStart, lColumn, uStart, uColumn, L, U, reciprocal, work, peak } = s;
  for (let p = lStart[i]!; p < lStart[i + 1]!; p++) work[lColumn[p]!] = peak[lColumn[p]!] = 0;
  work.fill(0, rank);
  peak.fill(0, rank);
  for (let p = aStart[i]!; p < aStart[i + 1]!; p++) {
    work[aColumn[p]!] = values[aValue[p]!]!;
    peak[aColumn[p]!] = Math.abs(values[aValue[p]!]!);
  }
  for (let p = lStart[i]!; p < lStart[i + 1]!; p++) {
    const k = lColumn[p]!;
    const factor = work[k]! * reciprocal[k]!;
    const factorPeak = peak[k]! * Math.abs(reciprocal[k]!);
    L[p] = factor;
    for (let j = uStart[k]!; j < uStart[k + 1]!; j++) {
      const column = uColumn[j]!;
      if (column > i) break; // S is symmetric, and columns ascend
      work[column]! -= factor * U[j]!;
      if (column < rank) peak[column] = Math.max(peak[column]!, factorPeak * Math.abs(U[j]!));
      else if (column === i) peak[column] = Math.max(peak[column]!, factorPeak * peaksOfU[j]!);
    }
  }
  const size = work.length - rank;
  const row = i - rank;
  for (let column = 0; column <= row; column++) S[row * size + column] = S[column * size + row] = work[rank + column]!;
  peaks[row] = peak[i]!;
}
