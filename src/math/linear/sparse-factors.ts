/** Arrays of sparse LU factors for one pivot order: laid out for given values, or again for a saved order. */
import { checkSavedFinite, checkSavedInteger, checkSavedPermutation, refuseSaved, takeSaved } from "../../saved-data.ts";
import { markowitzOrder, type PivotOrder, type SparsePattern } from "./markowitz.ts";
import { symbolicFill } from "./symbolic-fill.ts";

/** A pivot below this fraction of its value at the pivot search triggers a new search. */
const PIVOT_SHRINK_LIMIT = 1e-4;
/** The same in the border of a singular matrix, where rows without a pivot could replace it. */
const BORDER_PIVOT_SHRINK_LIMIT = 0.1;

/** Index arrays and values for one pivot order. Row i, in pivot order, of A, of L (without unit diagonal) and of U (without diagonal). */
export interface SparseFactors {
  readonly rank: number;
  /** Rows and columns of the matrix from here on form the border. */
  readonly inner: number;
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  /** Smallest magnitude of each pivot with which the order remains in use. */
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
  /** Dense row in elimination, and the largest terms of its entries. */
  readonly work: Float64Array;
  readonly peak: Float64Array;
}

/** The pivot order of factors as plain data, a fresh copy. */
export function savedOrder({ rank, rows, columns, floor }: SparseFactors) {
  const padded = new Float64Array(rows.length);
  padded.set(floor);
  return { rank, rows: rows.slice(), columns: columns.slice(), floor: padded };
}

/** The factors for a saved pivot order, laid out again. */
export function restoredFactors(pattern: SparsePattern, border: number, saved: unknown, path: string): SparseFactors {
  const { n } = pattern;
  const order = { rank: 0, rows: new Int32Array(n), columns: new Int32Array(n), floor: new Float64Array(n) };
  takeSaved(order, saved, path);
  const { rank, rows, columns, floor } = order;
  checkSavedInteger(rank, 0, n, `${path}.rank`);
  checkSavedPermutation(rows, `${path}.rows`);
  checkSavedPermutation(columns, `${path}.columns`);
  checkSavedFinite(floor, `${path}.floor`);
  const negative = floor.findIndex((v) => v < 0);
  if (negative >= 0) refuseSaved(`${path}.floor[${negative}]`, "must not be negative", floor[negative]);
  return layOutFactors(pattern, border, { rank, rows, columns, ...symbolicFill(pattern, order) }, floor.slice(0, rank));
}

/** Searches the pivot order for these values and lays out the factors. */
export function factorsForValues(
  pattern: SparsePattern,
  values: Float64Array,
  border: number,
  negligible: number,
  maxRank: number,
): SparseFactors {
  const { n } = pattern;
  const sparsestOrder = markowitzOrder(pattern, values, { border, negligible });
  const isSingular = border > 0 && Math.min(sparsestOrder.rank, maxRank) < n;
  const order = isSingular
    ? markowitzOrder(pattern, values, { border, negligible, completePivoting: true, maxPivots: maxRank })
    : sparsestOrder;
  const { rows, pivots } = order;
  const floor = pivots.map(
    (p, k) => (isSingular && rows[k]! >= n - border ? BORDER_PIVOT_SHRINK_LIMIT : PIVOT_SHRINK_LIMIT) * Math.abs(p),
  );
  return layOutFactors(pattern, border, order, floor);
}

/** Index arrays for a pivot order. They depend on the pattern and the order only. */
function layOutFactors(
  pattern: SparsePattern,
  border: number,
  { rank, rows, columns, below, right }: Omit<PivotOrder, "pivots">,
  floor: Float64Array,
): SparseFactors {
  const { n } = pattern;
  const rowPosition = inversePermutation(rows);
  const columnPosition = inversePermutation(columns);
  const a = emptyLists(n);
  const l = emptyLists(n);
  const u = emptyLists(n);
  for (let e = 0; e < pattern.rows.length; e++) a[rowPosition[pattern.rows[e]!]!]!.push(e);
  for (let k = 0; k < rank; k++) {
    for (const r of below[k]!) l[rowPosition[r]!]!.push(k);
    for (const c of right[k]!) u[k]!.push(columnPosition[c]!);
    u[k]!.sort((p, q) => p - q);
  }
  const aEntries = a.flat();
  const lColumn = Int32Array.from(l.flat());
  const uColumn = Int32Array.from(u.flat());
  return {
    rank,
    inner: n - border,
    rows,
    columns,
    floor,
    aStart: rowStarts(a),
    aColumn: Int32Array.from(aEntries, (e) => columnPosition[pattern.columns[e]!]!),
    aValue: Int32Array.from(aEntries),
    lStart: rowStarts(l),
    lColumn,
    uStart: rowStarts(u),
    uColumn,
    L: new Float64Array(lColumn.length),
    U: new Float64Array(uColumn.length),
    reciprocal: new Float64Array(n),
    work: new Float64Array(n),
    peak: new Float64Array(n),
  };
}

const emptyLists = (n: number): number[][] => Array.from({ length: n }, () => []);

function rowStarts(rows: readonly (readonly number[])[]): Int32Array {
  const start = new Int32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) start[i + 1] = start[i]! + row.length;
  return start;
}

function inversePermutation(permutation: Int32Array): Int32Array {
  const position = new Int32Array(permutation.length);
  for (const [i, p] of permutation.entries()) position[p] = i;
  return position;
}
