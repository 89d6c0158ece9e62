/**
 * Pivot order of a sparse symmetric matrix, definite or not, for A = L D Lᵀ: pivots are entries of the diagonal, or 2 by 2 blocks of which
 * one diagonal entry is zero or too small, as multipliers and what has no mass have it. Of the pivots that are not small for their rows the
 * one is taken whose elimination costs least. Symmetric elimination is half the work of LU, and a block eliminates a multiplier together
 * with a speed that its equation determines. It allocates: it runs once, and again when pivots go bad.
 */
import type { SparsePattern } from "./markowitz.ts";

export interface SymmetricOrder {
  /** One index or two of each pivot, in order. */
  readonly pivots: readonly SymmetricPivot[];
  /** The value of each pivot: the entry, or the determinant of the block. */
  readonly values: Float64Array;
  /** Factors that make the rows and columns of the matrix alike: entries of d_i A_ij d_j are at most about 1. */
  readonly scale: Float64Array;
  /** Multiplications of the elimination. */
  readonly work: number;
}

/** Multipliers of the scaled matrix stay below the inverse of this; where there is no such pivot, of the next. */
const THRESHOLDS = [0.1, 0.01, 1e-4] as const;
/** An entry this small against the terms it came from is the rounding of a zero. */
const CANCELLATION_LEVEL = 4096 * Number.EPSILON;
/** What a pair costs, it is told, beside a single pivot: of the orders that this leads to the cheapest is taken. */
const PAIR_COST_WEIGHTS = [0.3, 1] as const;
const EQUILIBRATION_PASSES = 8;

interface SymmetricEntry {
  value: number;
  /** The largest magnitude among the terms it came from. */
  terms: number;
}
type SymmetricRows = readonly Map<number, SymmetricEntry>[];
type SymmetricPivot = readonly [number] | readonly [number, number];

/**
 * The order for the matrix of these values, of which places on the diagonal and below it are looked at. Undefined where it is singular, or
 * would take more multiplications than `most`. Entries that happen to be zero keep their place, so the order holds for every matrix of the
 * pattern.
 */
export function symmetricOrder(
  pattern: SparsePattern,
  values: ArrayLike<number>,
  most = Number.POSITIVE_INFINITY,
): SymmetricOrder | undefined {
  const scale = equilibrationScale(pattern, values);
  let best: SymmetricOrder | undefined;
  for (const weight of PAIR_COST_WEIGHTS)
    best = orderWithPairWeight(pattern, values, scale, weight, best ? best.work - 1 : most) ?? best;
  return best;
}

/** d with rows of d_i |A_ij| d_j whose largest entries are about 1. */
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
  { n, rows: places, columns }: SparsePattern,
  values: ArrayLike<number>,
  scale: Float64Array,
  weight: number,
  most: number,
): SymmetricOrder | undefined {
  const rows: SymmetricRows = Array.from({ length: n }, () => new Map<number, SymmetricEntry>());
  for (let e = 0; e < places.length; e++) {
    const [i, j] = [places[e]!, columns[e]!];
    if (i < j) continue;
    const value = values[e]! * scale[i]! * scale[j]!;
    const entry = { value, terms: Math.abs(value) };
    rows[i]!.set(j, entry);
    rows[j]!.set(i, entry);
  }
  const open = new Set(Array.from({ length: n }, (_, i) => i));
  const pivots: SymmetricPivot[] = [];
  const found: number[] = [];
  let work = 0;
  while (open.size > 0) {
    const pivot = cheapestPivot(rows, open, weight);
    if (!pivot) return undefined;
    const [i, j] = pivot;
    work += eliminationCost(rows, i, j);
    if (work > most) return undefined;
    pivots.push(pivot);
    found.push(eliminatePivot(rows, i, j) / (scale[i]! * scale[i]! * (j === undefined ? 1 : scale[j]! * scale[j]!)));
    open.delete(i);
    if (j !== undefined) open.delete(j);
  }
  return { pivots, values: Float64Array.from(found), scale, work };
}

/** The pivot that costs least among those that are large enough. */
function cheapestPivot(rows: SymmetricRows, open: ReadonlySet<number>, weight: number): SymmetricPivot | undefined {
  for (const threshold of THRESHOLDS) {
    let best: SymmetricPivot | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const i of open) {
      if (isStablePivot(rows, threshold, i)) {
        const cost = eliminationCost(rows, i);
        if (cost < least) [best, least] = [[i], cost];
        continue;
      }
      for (const j of rows[i]!.keys()) {
        if (j === i) continue;
        const pair = rows[i]!.has(i) && !rows[j]!.has(j) ? ([i, j] as const) : ([j, i] as const); // a zero comes second
        const cost = weight * eliminationCost(rows, ...pair);
        if (cost < least && isStableBlock(rows, threshold, ...pair)) [best, least] = [pair, cost];
      }
    }
    if (best) return best;
  }
  return undefined;
}

const isRounding = ({ value, terms }: SymmetricEntry): boolean => !(Math.abs(value) > CANCELLATION_LEVEL * terms);

/**
 * Whether an entry of the diagonal is a pivot: no multiplier is beyond 1 / threshold, or what it takes from another entry of the diagonal is
 * no more than so many times that. So every pivot of a definite matrix is one.
 */
function isStablePivot(rows: SymmetricRows, threshold: number, i: number): boolean {
  const entry = rows[i]!.get(i);
  if (entry === undefined || isRounding(entry)) return false;
  const pivot = Math.abs(entry.value);
  for (const [k, { value }] of rows[i]!) {
    const beside = threshold * Math.abs(value);
    if (beside > pivot && beside * Math.abs(value) > pivot * Math.abs(rows[k]!.get(k)?.value ?? 0)) return false;
  }
  return true;
}

/** The largest entry of row i outside a block [i, j]. */
function largestOutsideBlock(rows: SymmetricRows, i: number, j: number): number {
  let largest = 0;
  for (const [k, { value }] of rows[i]!) if (k !== i && k !== j) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** Whether all multipliers of a block stay below 1 / threshold [Duff and Reid]. */
function isStableBlock(rows: SymmetricRows, threshold: number, i: number, j: number): boolean {
  const beside = rows[i]!.get(j)!;
  if (isRounding(beside)) return false;
  const [a, b, c] = [rows[i]!.get(i)?.value ?? 0, beside.value, rows[j]!.get(j)?.value ?? 0];
  const determinant = Math.abs(a * c - b * b);
  if (!(determinant > CANCELLATION_LEVEL * Math.max(Math.abs(a * c), b * b))) return false;
  const [ofI, ofJ] = [largestOutsideBlock(rows, i, j), largestOutsideBlock(rows, j, i)];
  const most = determinant / threshold;
  return Math.abs(c) * ofI + Math.abs(b) * ofJ <= most && Math.abs(b) * ofI + Math.abs(a) * ofJ <= most;
}

/** Multiplications that the rest of the matrix takes when [i] or the block [i, j] is eliminated. */
function eliminationCost(rows: SymmetricRows, i: number, j?: number): number {
  if (j === undefined) {
    const n = rows[i]!.size - 1;
    return (n * (n + 1)) / 2 + n;
  }
  let [both, onlyI] = [0, 0];
  for (const k of rows[i]!.keys()) if (k !== i && k !== j) rows[j]!.has(k) ? both++ : onlyI++;
  const ofJ = rows[j]!.size - (rows[j]!.has(j) ? 2 : 1);
  if (rows[j]!.has(j)) {
    const all = ofJ + onlyI;
    return all * (all + 1) + 4 * all;
  }
  if (!rows[i]!.has(i)) return both * (both + 1) + (ofJ - both) * both + onlyI * ofJ + ofJ + both + onlyI;
  return ofJ * (ofJ + 1) + onlyI * ofJ + 3 * ofJ + onlyI;
}

/** Takes a pivot out of the matrix. Returns its value. */
function eliminatePivot(rows: SymmetricRows, i: number, j?: number): number {
  const [atI, atJ] = [rows[i]!, j === undefined ? undefined : rows[j]!];
  const a = atI.get(i)?.value ?? 0;
  const b = j === undefined ? 0 : atI.get(j)!.value;
  const c = (j === undefined ? undefined : atJ!.get(j)?.value) ?? 0;
  const determinant = j === undefined ? a : a * c - b * b;
  const rest = [...new Set([...atI.keys(), ...(atJ?.keys() ?? [])])].filter((k) => k !== i && k !== j);
  const both = rest.map((k) => {
    const [m, g] = [atI.get(k)?.value ?? 0, atJ?.get(k)?.value ?? 0];
    const [first, second] = j === undefined ? [m / a, 0] : [(c * m - b * g) / determinant, (a * g - b * m) / determinant];
    return { k, m, g, first, second, ofI: atI.has(k), ofJ: atJ?.has(k) ?? false };
  });
  const tile = j !== undefined && !atJ!.has(j);
  for (const p of both) {
    for (const q of both) {
      if (q.k < p.k || (tile && !p.ofJ && !q.ofJ) || (tile && !atI.has(i) && !((p.ofI && q.ofJ) || (p.ofJ && q.ofI)))) continue;
      const change = p.first * q.m + p.second * q.g;
      const terms = Math.max(Math.abs(p.first * q.m), Math.abs(p.second * q.g));
      const entry = rows[p.k]!.get(q.k);
      if (entry) {
        entry.value -= change;
        entry.terms = Math.max(entry.terms, terms);
      } else {
        const made = { value: -change, terms };
        rows[p.k]!.set(q.k, made);
        rows[q.k]!.set(p.k, made);
      }
    }
  }
  for (const { k } of both) {
    rows[k]!.delete(i);
    if (j !== undefined) rows[k]!.delete(j);
  }
  return determinant;
}
