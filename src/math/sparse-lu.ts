/**
 * LU factors of a sparse square matrix, many times with the same pattern. The pivot order and the fill are found once; after that a
 * factorisation is three nested loops over fixed index arrays, and allocates nothing. When the numbers have moved so far that a pivot
 * became small, the order is found anew by itself.
 */
import { markowitzOrder, type SparsePattern } from "./markowitz.ts";

export type { SparsePattern } from "./markowitz.ts";

export interface SparseLU {
  readonly pattern: SparsePattern;
  /** Factors the matrix of these values, in the order of the pattern's places. False if it is singular: see `rank` and `dependent`. */
  factor(values: Float64Array): boolean;
  /**
   * x of A x = b for the values last factored, which must still be in their array; b and x must be different arrays. One step of
   * refinement gives back the digits that an order chosen for other values has cost.
   */
  solve(b: Float64Array, x: Float64Array): void;
  /** Rank that the last search for pivots found. */
  readonly rank: number;
  /** A column that depends on the others and a row that does, if the matrix is singular; else -1. */
  readonly dependent: { readonly row: number; readonly column: number };
  /** Entries of L and U, diagonal included. */
  readonly fill: number;
  /** How often the pivot order has been searched. */
  readonly searches: number;
}

/** Multipliers beyond this ask for a new order: they cost four of sixteen digits, which refinement gives back. */
const LARGEST_MULTIPLIER = 1e4;
/** A pivot that has shrunk to this fraction of what it was when it was chosen asks for a new order. */
const SHRUNK = 1e-4;

/** Index arrays of one pivot order, all in pivot order: row i of A, of L (without its unit diagonal) and of U (without its diagonal). */
interface Structure {
  readonly rank: number;
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  /** Smallest magnitude of each pivot for which the order is kept. */
  readonly floor: Float64Array;
  readonly aStart: Int32Array;
  readonly aColumn: Int32Array;
  readonly aValue: Int32Array;
  readonly lStart: Int32Array;
  readonly lColumn: Int32Array;
  readonly uStart: Int32Array;
  readonly uColumn: Int32Array;
  readonly L: Float64Array;
  readonly U: Float64Array;
  /** Reciprocals of the pivots. */
  readonly reciprocal: Float64Array;
  /** The row at work, dense. */
  readonly work: Float64Array;
}

export function sparseLU(pattern: SparsePattern): SparseLU {
  let structure: Structure | undefined;
  let searches = 0;
  let factored: Float64Array = new Float64Array(0);
  const residual = new Float64Array(pattern.n);
  const correction = new Float64Array(pattern.n);
  return {
    pattern,
    factor(values) {
      factored = values;
      if (structure !== undefined && structure.rank === pattern.n && refactor(structure, values)) return true;
      structure = analyse(pattern, values);
      searches++;
      return structure.rank === pattern.n && refactor(structure, values);
    },
    solve(b, x) {
      if (structure?.rank !== pattern.n) throw new RangeError("factor a regular matrix before solving with it");
      substitute(structure, b, x);
      residual.set(b);
      for (let e = 0; e < factored.length; e++) residual[pattern.rows[e]!]! -= factored[e]! * x[pattern.columns[e]!]!;
      substitute(structure, residual, correction);
      for (let i = 0; i < pattern.n; i++) x[i]! += correction[i]!;
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
    get searches() {
      return searches;
    },
  };
}

/** Orders the pivots for these values and lays out the factors. */
function analyse(pattern: SparsePattern, values: Float64Array): Structure {
  const { n } = pattern;
  const { rank, rows, columns, pivots, below, right } = markowitzOrder(pattern, values);
  const rowPlace = inverse(rows);
  const columnPlace = inverse(columns);
  const a = lists(n);
  const l = lists(n);
  const u = lists(n);
  for (let e = 0; e < pattern.rows.length; e++) a[rowPlace[pattern.rows[e]!]!]!.push(e);
  for (let k = 0; k < rank; k++) {
    for (const r of below[k]!) l[rowPlace[r]!]!.push(k);
    for (const c of right[k]!) u[k]!.push(columnPlace[c]!);
    u[k]!.sort((p, q) => p - q);
  }
  const aEntries = a.flat();
  const lColumn = Int32Array.from(l.flat());
  const uColumn = Int32Array.from(u.flat());
  return {
    rank,
    rows,
    columns,
    floor: pivots.map((p) => SHRUNK * Math.abs(p)),
    aStart: starts(a),
    aColumn: Int32Array.from(aEntries, (e) => columnPlace[pattern.columns[e]!]!),
    aValue: Int32Array.from(aEntries),
    lStart: starts(l),
    lColumn,
    uStart: starts(u),
    uColumn,
    L: new Float64Array(lColumn.length),
    U: new Float64Array(uColumn.length),
    reciprocal: new Float64Array(n),
    work: new Float64Array(n),
  };
}

/** Row by row: L_ik = w_k / U_kk, w -= L_ik U_k. False if a pivot has become too small for this order. */
function refactor(s: Structure, values: Float64Array): boolean {
  const { aStart, aColumn, aValue, lStart, lColumn, uStart, uColumn, L, U, reciprocal, work, floor } = s;
  const n = reciprocal.length;
  for (let i = 0; i < n; i++) {
    const lEnd = lStart[i + 1]!;
    const uEnd = uStart[i + 1]!;
    for (let p = lStart[i]!; p < lEnd; p++) work[lColumn[p]!] = 0;
    for (let p = uStart[i]!; p < uEnd; p++) work[uColumn[p]!] = 0;
    work[i] = 0;
    for (let p = aStart[i]!; p < aStart[i + 1]!; p++) work[aColumn[p]!] = values[aValue[p]!]!;
    for (let p = lStart[i]!; p < lEnd; p++) {
      const k = lColumn[p]!;
      const factor = work[k]! * reciprocal[k]!;
      L[p] = factor;
      if (factor === 0) continue;
      if (!(Math.abs(factor) < LARGEST_MULTIPLIER)) return false;
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

function substitute(s: Structure, b: Float64Array, x: Float64Array): void {
  const { rows, columns, lStart, lColumn, uStart, uColumn, L, U, reciprocal, work } = s;
  const n = reciprocal.length;
  for (let i = 0; i < n; i++) {
    let value = b[rows[i]!]!;
    for (let p = lStart[i]!; p < lStart[i + 1]!; p++) value -= L[p]! * work[lColumn[p]!]!;
    work[i] = value;
  }
  for (let i = n - 1; i >= 0; i--) {
    let value = work[i]!;
    for (let p = uStart[i]!; p < uStart[i + 1]!; p++) value -= U[p]! * work[uColumn[p]!]!;
    work[i] = value * reciprocal[i]!;
  }
  for (let i = 0; i < n; i++) x[columns[i]!] = work[i]!;
}

const lists = (n: number): number[][] => Array.from({ length: n }, () => []);

function starts(rows: readonly (readonly number[])[]): Int32Array {
  const start = new Int32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) start[i + 1] = start[i]! + row.length;
  return start;
}

function inverse(permutation: Int32Array): Int32Array {
  const place = new Int32Array(permutation.length);
  for (const [i, p] of permutation.entries()) place[p] = i;
  return place;
}
