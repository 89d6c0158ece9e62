/**
 * Pivot order of a sparse symmetric matrix, definite or indefinite, for A = L D Lᵀ. Pivots are entries of the diagonal, or 2 by 2 blocks if
 * a diagonal entry is zero or too small, as for Lagrange multipliers and for coordinates without inertia. Among the pivots that are not
 * small in their rows, the one with the cheapest elimination is chosen. Symmetric elimination is half the work of LU, and a block
 * eliminates a multiplier together with a speed that its equation determines. The search allocates. It runs once, and again if pivots
 * become small.
 */
import { checkSavedFinite, checkSavedInteger, checkSavedPermutation, refuseSaved, takeSaved } from "../../saved-data.ts";
import type { SparsePattern } from "./markowitz.ts";

export interface SymmetricOrder {
  /** One or two indices of each pivot, in order. */
  readonly pivots: readonly SymmetricPivot[];
  /** Value of each pivot: the entry, or the determinant of the block. */
  readonly values: Float64Array;
  /** Equilibration d: the entries of d_i A_ij d_j are at most about 1. */
  readonly scale: Float64Array;
  /** Number of multiplications of the elimination. */
  readonly work: number;
}

/** Multipliers of the scaled matrix stay below 1 / threshold. If no pivot satisfies the first threshold, the next one is tried. */
const THRESHOLDS = [0.1, 0.01, 1e-4] as const;
/** An entry below this fraction of its terms is a rounded zero. */
const CANCELLATION_LEVEL = 4096 * Number.EPSILON;
/** Factors on the cost of a 2 by 2 block relative to a single pivot. One order is computed per factor, and the cheapest is returned. */
const PAIR_COST_WEIGHTS = [0.3, 1] as const;
const EQUILIBRATION_PASSES = 8;

interface SymmetricEntry {
  value: number;
  /** Largest magnitude among the terms that were added up. */
  terms: number;
}
type SymmetricRows = readonly Map<number, SymmetricEntry>[];
type SymmetricPivot = readonly [number] | readonly [number, number];

/**
 * Computes the order for the matrix with these values; only entries on and below the diagonal are read. Returns undefined if the matrix is
 * singular, or if the elimination needs more than `maxWork` multiplications. Entries of the pattern that happen to be zero are kept, so the
 * order holds for every matrix of the pattern.
 */
export function symmetricOrder(
  pattern: SparsePattern,
  values: ArrayLike<number>,
  maxWork = Number.POSITIVE_INFINITY,
): SymmetricOrder | undefined {
  const scale = equilibrationScale(pattern, values);
  let best: SymmetricOrder | undefined;
  for (const weight of PAIR_COST_WEIGHTS)
    best = orderWithPairWeight(pattern, values, scale, weight, best ? best.work - 1 : maxWork) ?? best;
  return best;
}

/** An order as plain data of fixed length: `pivots` in order, `widths` 1, 2 (first of a block) or 0 (second), `values` at the first. */
export function savedSymmetricOrder({ pivots, values, scale }: SymmetricOrder) {
  const n = scale.length;
  const saved = {
    pivots: Int32Array.from(pivots.flat()),
    widths: new Int32Array(n),
    values: new Float64Array(n),
    scale: scale.slice(),
  };
  for (let k = 0, first = 0; k < pivots.length; first += pivots[k++]!.length) {
    saved.widths[first] = pivots[k]!.length;
    saved.values[first] = values[k]!;
  }
  return saved;
}

/** The order that was saved. @throws FormatError if it is no order for matrices of this pattern, or needs more than `maxWork` multiplications. */
export function restoredSymmetricOrder(pattern: SparsePattern, saved: unknown, maxWork: number, path: string): SymmetricOrder {
  const { n } = pattern;
  const scale = new Float64Array(n);
  const order = { pivots: new Int32Array(n), widths: new Int32Array(n), values: new Float64Array(n), scale };
  takeSaved(order, saved, path);
  checkSavedPermutation(order.pivots, `${path}.pivots`);
  checkSavedFinite(order.values, `${path}.values`);
  checkSavedFinite(scale, `${path}.scale`);
  const small = scale.findIndex((v) => !(v > 0));
  if (small >= 0) refuseSaved(`${path}.scale[${small}]`, "must be positive", scale[small]);
  const rows: SymmetricRows = Array.from({ length: n }, () => new Map<number, SymmetricEntry>());
  for (let e = 0; e < pattern.rows.length; e++) {
    const [i, j] = [pattern.rows[e]!, pattern.columns[e]!];
    if (i < j) continue;
    const entry = { value: 1, terms: 1 }; // only the pattern counts
    rows[i]!.set(j, entry);
    rows[j]!.set(i, entry);
  }
  const pivots: SymmetricPivot[] = [];
  const values: number[] = [];
  let work = 0;
  for (let k = 0; k < n; k += order.widths[k]!) {
    checkSavedInteger(order.widths[k]!, 1, Math.min(2, n - k), `${path}.widths[${k}]`);
    const [i, j] = [order.pivots[k]!, order.widths[k] === 2 ? order.pivots[k + 1]! : undefined];
    if (!rows[i]!.has(j ?? i)) refuseSaved(`${path}.pivots[${k}]`, "must be a pivot that is not always zero", i);
    work += eliminationCost(rows, i, j);
    if (!(work <= maxWork)) refuseSaved(`${path}.pivots`, `must need at most ${maxWork} multiplications`, order.pivots);
    eliminatePivot(rows, i, j);
    pivots.push(j === undefined ? [i] : [i, j]);
    values.push(order.values[k]!);
  }
  return { pivots, values: Float64Array.from(values), scale, work };
}

/** d such that the largest entry in each row of d_i |A_ij| d_j is about 1. */
function equilibrationScale({ n, rows, columns }: SparsePattern, values: ArrayLike<number>): Float64Array {
  const scale = new Float64Array(n).fill(1);
  const largest = new Float64Array(n);
  for (let pass = 0; pass < EQUILIBRATION_PASSES; pass++) {
    largest.fill(0);
    for (let e = 0; e < rows.length; e++) {
      const [i, j] = [rows[e]!, columns[e]!];
      if (i < j) continue;
      const size = Math.abs(values[e]!) * scale[i]! * scale[j]!;
      largest[i] = Math.max(largest[i]!, size);
      largest[j] = Math.max(largest[j]!, size);
    }
    for (let i = 0; i < n; i++) if (largest[i]! > 0) scale[i]! /= Math.sqrt(largest[i]!);
  }
  return scale;
}

function orderWithPairWeight(
  { n, rows: rowIndices, columns: columnIndices }: SparsePattern,
  values: ArrayLike<number>,
  scale: Float64Array,
  weight: number,
  maxWork: number,
): SymmetricOrder | undefined {
  const rows: SymmetricRows = Array.from({ length: n }, () => new Map<number, SymmetricEntry>());
  for (let e = 0; e < rowIndices.length; e++) {
    const [i, j] = [rowIndices[e]!, columnIndices[e]!];
    if (i < j) continue;
    const value = values[e]! * scale[i]! * scale[j]!;
    const entry = { value, terms: Math.abs(value) };
    rows[i]!.set(j, entry);
    rows[j]!.set(i, entry);
  }
  const open = new Set(Array.from({ length: n }, (_, i) => i));
  const pivots: SymmetricPivot[] = [];
  const pivotValues: number[] = [];
  let work = 0;
  while (open.size > 0) {
    const pivot = cheapestPivot(rows, open, weight);
    if (!pivot) return undefined;
    const [i, j] = pivot;
    work += eliminationCost(rows, i, j);
    if (work > maxWork) return undefined;
    pivots.push(pivot);
    pivotValues.push(eliminatePivot(rows, i, j) / (scale[i]! * scale[i]! * (j === undefined ? 1 : scale[j]! * scale[j]!)));
    open.delete(i);
    if (j !== undefined) open.delete(j);
  }
  return { pivots, values: Float64Array.from(pivotValues), scale, work };
}

/** The cheapest pivot among those that are large enough. */
function cheapestPivot(rows: SymmetricRows, open: ReadonlySet<number>, weight: number): SymmetricPivot | undefined {
  for (const threshold of THRESHOLDS) {
    let best: SymmetricPivot | undefined;
    let leastCost = Number.POSITIVE_INFINITY;
    for (const i of open) {
      if (isStablePivot(rows, threshold, i)) {
        const cost = eliminationCost(rows, i);
        if (cost < leastCost) [best, leastCost] = [[i], cost];
        continue;
      }
      for (const j of rows[i]!.keys()) {
        if (j === i) continue;
        const pair = rows[i]!.has(i) && !rows[j]!.has(j) ? ([i, j] as const) : ([j, i] as const); // a structurally zero diagonal comes second
        const cost = weight * eliminationCost(rows, ...pair);
        if (cost < leastCost && isStableBlock(rows, threshold, ...pair)) [best, leastCost] = [pair, cost];
      }
    }
    if (best) return best;
  }
  return undefined;
}

const isRounding = ({ value, terms }: SymmetricEntry): boolean => !(Math.abs(value) > CANCELLATION_LEVEL * terms);

/**
 * True if an entry of the diagonal is large enough for a pivot: each multiplier is at most 1 / threshold, or the term subtracted from the
 * other diagonal entry is at most 1 / threshold times that entry. So every diagonal entry of a definite matrix qualifies.
 */
function isStablePivot(rows: SymmetricRows, threshold: number, i: number): boolean {
  const entry = rows[i]!.get(i);
  if (entry === undefined || isRounding(entry)) return false;
  const pivot = Math.abs(entry.value);
  for (const [k, { value }] of rows[i]!) {
    const scaledEntry = threshold * Math.abs(value);
    if (scaledEntry > pivot && scaledEntry * Math.abs(value) > pivot * Math.abs(rows[k]!.get(k)?.value ?? 0)) return false;
  }
  return true;
}

/** The largest entry of row i outside a block [i, j]. */
function largestOutsideBlock(rows: SymmetricRows, i: number, j: number): number {
  let largest = 0;
  for (const [k, { value }] of rows[i]!) if (k !== i && k !== j) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** True if all multipliers of a block stay below 1 / threshold [Duff and Reid]. */
function isStableBlock(rows: SymmetricRows, threshold: number, i: number, j: number): boolean {
  const offDiagonal = rows[i]!.get(j)!;
  if (isRounding(offDiagonal)) return false;
  const [a, b, c] = [rows[i]!.get(i)?.value ?? 0, offDiagonal.value, rows[j]!.get(j)?.value ?? 0];
  const determinant = Math.abs(a * c - b * b);
  if (!(determinant > CANCELLATION_LEVEL * Math.max(Math.abs(a * c), b * b))) return false;
  const [largestInI, largestInJ] = [largestOutsideBlock(rows, i, j), largestOutsideBlock(rows, j, i)];
  const limit = determinant / threshold;
  return (
    Math.abs(c) * largestInI + Math.abs(b) * largestInJ <= limit && Math.abs(b) * largestInI + Math.abs(a) * largestInJ <= limit
  );
}

/** Number of multiplications to eliminate the pivot [i] or the block [i, j]. */
function eliminationCost(rows: SymmetricRows, i: number, j?: number): number {
  if (j === undefined) {
    const n = rows[i]!.size - 1;
    return (n * (n + 1)) / 2 + n;
  }
  let [both, onlyI] = [0, 0];
  for (const k of rows[i]!.keys()) if (k !== i && k !== j) rows[j]!.has(k) ? both++ : onlyI++;
  const countInJ = rows[j]!.size - (rows[j]!.has(j) ? 2 : 1);
  if (rows[j]!.has(j)) {
    const all = countInJ + onlyI;
    return all * (all + 1) + 4 * all;
  }
  if (!rows[i]!.has(i)) return both * (both + 1) + (countInJ - both) * both + onlyI * countInJ + countInJ + both + onlyI;
  return countInJ * (countInJ + 1) + onlyI * countInJ + 3 * countInJ + onlyI;
}

/** Eliminates a pivot or a block from the matrix. Returns its value or determinant. */
function eliminatePivot(rows: SymmetricRows, i: number, j?: number): number {
  const [rowI, rowJ] = [rows[i]!, j === undefined ? undefined : rows[j]!];
  const a = rowI.get(i)?.value ?? 0;
  const b = j === undefined ? 0 : rowI.get(j)!.value;
  const c = (j === undefined ? undefined : rowJ!.get(j)?.value) ?? 0;
  const determinant = j === undefined ? a : a * c - b * b;
  const neighbours = [...new Set([...rowI.keys(), ...(rowJ?.keys() ?? [])])].filter((k) => k !== i && k !== j);
  const updates = neighbours.map((k) => {
    const [m, g] = [rowI.get(k)?.value ?? 0, rowJ?.get(k)?.value ?? 0];
    const [first, second] = j === undefined ? [m / a, 0] : [(c * m - b * g) / determinant, (a * g - b * m) / determinant];
    return { k, m, g, first, second, isInI: rowI.has(k), isInJ: rowJ?.has(k) ?? false };
  });
  const isSecondDiagonalZero = j !== undefined && !rowJ!.has(j);
  for (const p of updates) {
    for (const q of updates) {
      if (
        q.k < p.k ||
        (isSecondDiagonalZero && !p.isInJ && !q.isInJ) ||
        (isSecondDiagonalZero && !rowI.has(i) && !((p.isInI && q.isInJ) || (p.isInJ && q.isInI)))
      )
        continue;
      const change = p.first * q.m + p.second * q.g;
      const terms = Math.max(Math.abs(p.first * q.m), Math.abs(p.second * q.g));
      const entry = rows[p.k]!.get(q.k);
      if (entry) {
        entry.value -= change;
        entry.terms = Math.max(entry.terms, terms);
      } else {
        const fillIn = { value: -change, terms };
        rows[p.k]!.set(q.k, fillIn);
        rows[q.k]!.set(p.k, fillIn);
      }
    }
  }
  for (const { k } of updates) {
    rows[k]!.delete(i);
    if (j !== undefined) rows[k]!.delete(j);
  }
  return determinant;
}
