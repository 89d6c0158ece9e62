/**
 * Pivot order of a sparse square matrix by Markowitz's rule with threshold pivoting: among the entries that are not small in their column,
 * the pivot is the one with the least possible fill-in, (row count - 1)(column count - 1). Entries of the pattern that happen to be zero
 * are kept, so the order and the fill hold for every matrix of the pattern. The search allocates. It runs once, and again if pivots become
 * small.
 */

/** Rows and columns of the entries of an n by n matrix; each position occurs once. */
export interface SparsePattern {
  readonly n: number;
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
}

export interface PivotOrder {
  /** Number of pivots. Below n the matrix is singular, and the rows and columns without a pivot depend on the others. */
  readonly rank: number;
  /** Row and column of each pivot, in order, then the rows and columns without a pivot. */
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  /** Value of each pivot. */
  readonly pivots: Float64Array;
  /** For each pivot: the rows below it in its column (of L) and the columns right of it in its row (of U). */
  readonly below: readonly Int32Array[];
  readonly right: readonly Int32Array[];
}

export interface PivotOptions {
  /** Number of last rows and columns that are eliminated after all others. Their remainder then shows which of them are dependent. */
  readonly border: number;
  /** An entry of the border below this fraction of its largest value during the elimination counts as zero. */
  readonly negligible: number;
  /** Complete pivoting in the border, regardless of fill: the best-conditioned rows get pivots, and dependent rows do not. */
  readonly completePivoting?: boolean;
  /** Maximum number of pivots. */
  readonly maxPivots?: number;
}

/** A pivot is at least this fraction of the largest entry in its column, so multipliers stay below 1 / threshold. */
const PIVOT_THRESHOLD = 0.1;
/** An entry below this fraction of its largest value during the elimination is a rounded zero. */
export const ROUNDING_LEVEL = 64 * Number.EPSILON;
/** The same limit relative to the terms of an entry only. It does not include the rounding in those terms. */
const CANCELLATION_LEVEL = 4096 * Number.EPSILON;
/** Number of short rows, and of short columns, that are searched for a pivot. */
const MAX_SEARCHED_LINES = 8;

interface MarkowitzEntry {
  value: number;
  /** Largest magnitude among the terms that were added up. A value of a few units in the last place of this may be a zero. */
  terms: number;
  /** Bound of the accumulated rounding: the error is a few units in the last place of this. */
  peak: number;
}

/** Submatrix that is not eliminated yet: entries by row, and the rows of the entries in each column. */
interface ActiveSubmatrix {
  readonly rows: readonly Map<number, MarkowitzEntry>[];
  readonly columns: readonly Set<number>[];
  /** Rows and columns in which pivots may be chosen. Those of the border are added when all others are eliminated. */
  readonly openRows: Set<number>;
  readonly openColumns: Set<number>;
}

/** True if an entry is only rounding. */
type ZeroTest = (entry: MarkowitzEntry) => boolean;
type MarkowitzPosition = readonly [row: number, column: number];

/** Chooses the pivots for the matrix with these values. */
export function markowitzOrder(
  pattern: SparsePattern,
  values: ArrayLike<number>,
  { border, negligible, completePivoting = false, maxPivots = pattern.n }: PivotOptions = {
    border: 0,
    negligible: ROUNDING_LEVEL,
  },
): PivotOrder {
  const active = activeSubmatrix(pattern, values, pattern.n - border);
  const order: PivotRecord = { rows: [], columns: [], pivots: [], below: [], right: [] };
  eliminateOpenPivots(active, "terms", CANCELLATION_LEVEL, order);
  for (let i = pattern.n - border; i < pattern.n; i++) {
    active.openRows.add(i);
    active.openColumns.add(i);
  }
  if (border > 0) eliminateOpenPivots(active, "peak", negligible, order, { completePivoting, maxPivots });
  return {
    rank: order.pivots.length,
    rows: Int32Array.from([...order.rows, ...active.openRows]),
    columns: Int32Array.from([...order.columns, ...active.openColumns]),
    pivots: Float64Array.from(order.pivots),
    below: order.below,
    right: order.right,
  };
}

interface PivotRecord {
  readonly rows: number[];
  readonly columns: number[];
  readonly pivots: number[];
  readonly below: Int32Array[];
  readonly right: Int32Array[];
}

/**
 * Chooses and eliminates pivots until all open entries are only rounding, relative to `reference`: "terms" of an entry, or for the border
 * its "peak". The peak includes all accumulated rounding, which is needed to detect dependent rows. It grows from pivot to pivot: for the
 * regular mass matrix of a long chain it would reject every entry.
 */
function eliminateOpenPivots(
  active: ActiveSubmatrix,
  reference: "terms" | "peak",
  negligible: number,
  order: PivotRecord,
  { completePivoting, maxPivots } = { completePivoting: false, maxPivots: Number.POSITIVE_INFINITY },
): void {
  const isZero: ZeroTest = (entry) => !(Math.abs(entry.value) > negligible * entry[reference]);
  const terms = completePivoting ? largestTermByRow(active) : new Map<number, number>();
  while (active.openRows.size > 0 && order.pivots.length < maxPivots) {
    const position = completePivoting
      ? largestRelativePosition(active, terms, isZero)
      : (cheapestPosition(active, positionsInShortLines(active), isZero) ??
        cheapestPosition(active, allPositions(active), isZero));
    if (!position) break;
    const [row, column] = position;
    order.rows.push(row);
    order.columns.push(column);
    order.pivots.push(eliminate(active, row, column));
    order.below.push(Int32Array.from(active.columns[column]!));
    order.right.push(Int32Array.from(active.rows[row]!.keys()));
  }
}

function activeSubmatrix({ n, rows, columns }: SparsePattern, values: ArrayLike<number>, inner: number): ActiveSubmatrix {
  const active = {
    rows: Array.from({ length: n }, () => new Map<number, MarkowitzEntry>()),
    columns: Array.from({ length: n }, () => new Set<number>()),
  };
  for (let e = 0; e < rows.length; e++) {
    const value = values[e]!;
    active.rows[rows[e]!]!.set(columns[e]!, { value, terms: Math.abs(value), peak: Math.abs(value) });
    active.columns[columns[e]!]!.add(rows[e]!);
  }
  const open = (): Set<number> => new Set(Array.from({ length: inner }, (_, i) => i));
  return { ...active, openRows: open(), openColumns: open() };
}

/** The position with the least possible fill, and among equals the entry that is largest in its column; undefined if all are too small. */
function cheapestPosition(
  active: ActiveSubmatrix,
  positions: Iterable<MarkowitzPosition>,
  isZero: ZeroTest,
): MarkowitzPosition | undefined {
  const { rows, columns } = active;
  let best: MarkowitzPosition | undefined;
  let leastCost = Number.POSITIVE_INFINITY;
  let largestSize = 0;
  for (const position of positions) {
    const [row, column] = position;
    const cost = (rows[row]!.size - 1) * (columns[column]!.size - 1);
    if (cost > leastCost) continue;
    const size = sizeInColumn(active, row, column, isZero);
    if (size < PIVOT_THRESHOLD || (cost === leastCost && size <= largestSize)) continue;
    best = position;
    leastCost = cost;
    largestSize = size;
  }
  return best;
}

/** The position of the entry that is largest relative to the terms of its row and column; undefined if all entries are rounding. */
function largestRelativePosition(
  active: ActiveSubmatrix,
  terms: ReadonlyMap<number, number>,
  isZero: ZeroTest,
): MarkowitzPosition | undefined {
  let best: MarkowitzPosition | undefined;
  let largest = 0;
  for (const position of allPositions(active)) {
    const [row, column] = position;
    const entry = active.rows[row]!.get(column)!;
    const size = Math.abs(entry.value) / Math.sqrt(terms.get(row)! * terms.get(column)!);
    if (isZero(entry) || size <= largest) continue;
    best = position;
    largest = size;
  }
  return best;
}

/** The largest term of each open row. */
const largestTermByRow = ({ rows, openRows, openColumns }: ActiveSubmatrix): ReadonlyMap<number, number> =>
  new Map(
    Array.from(openRows, (row) => [
      row,
      Math.max(Number.MIN_VALUE, ...[...rows[row]!].map(([c, { terms }]) => (openColumns.has(c) ? terms : 0))),
    ]),
  );

/** Magnitude of an entry relative to the largest open entry of its column; 0 if it is only rounding. */
function sizeInColumn({ rows, columns, openRows }: ActiveSubmatrix, row: number, column: number, isZero: ZeroTest): number {
  const entry = rows[row]!.get(column)!;
  if (isZero(entry)) return 0;
  const magnitude = Math.abs(entry.value);
  let largest = 0;
  for (const r of columns[column]!) if (openRows.has(r)) largest = Math.max(largest, Math.abs(rows[r]!.get(column)!.value));
  return magnitude / largest;
}

/** Open positions in a few of the shortest columns and of the shortest rows. */
function* positionsInShortLines({ rows, columns, openRows, openColumns }: ActiveSubmatrix): Iterable<MarkowitzPosition> {
  for (const c of shortestLines(openColumns, columns)) for (const r of columns[c]!) if (openRows.has(r)) yield [r, c];
  for (const r of shortestLines(openRows, rows)) for (const c of rows[r]!.keys()) if (openColumns.has(c)) yield [r, c];
}

function* allPositions({ columns, openRows, openColumns }: ActiveSubmatrix): Iterable<MarkowitzPosition> {
  for (const c of openColumns) for (const r of columns[c]!) if (openRows.has(r)) yield [r, c];
}

/** A few of the open rows or columns with the fewest entries. */
function shortestLines(open: ReadonlySet<number>, lines: readonly { readonly size: number }[]): number[] {
  let fewest = Number.POSITIVE_INFINITY;
  for (const i of open) if (lines[i]!.size > 0) fewest = Math.min(fewest, lines[i]!.size);
  const shortest: number[] = [];
  for (const i of open) {
    if (lines[i]!.size === fewest) shortest.push(i);
    if (shortest.length === MAX_SEARCHED_LINES) break;
  }
  return shortest;
}

/**
 * Subtracts multiples of the pivot row from the other rows of its column. The patterns of U and L stay in the row and column. Returns the
 * pivot.
 */
function eliminate({ rows, columns, openRows, openColumns }: ActiveSubmatrix, row: number, column: number): number {
  openRows.delete(row);
  openColumns.delete(column);
  const pivotRow = rows[row]!;
  const pivot = pivotRow.get(column)!;
  pivotRow.delete(column);
  columns[column]!.delete(row);
  for (const c of pivotRow.keys()) columns[c]!.delete(row);
  for (const r of columns[column]!) {
    const target = rows[r]!;
    const head = target.get(column)!;
    target.delete(column);
    const factor = head.value / pivot.value;
    const factorPeak = Math.max(head.peak, Math.abs(factor) * pivot.peak) / Math.abs(pivot.value);
    for (const [c, { value, peak }] of pivotRow) {
      const termPeak = Math.max(Math.abs(factor) * peak, factorPeak * Math.abs(value));
      const entry = target.get(c);
      const term = Math.abs(factor * value);
      if (entry) {
        entry.value -= factor * value;
        entry.terms = Math.max(entry.terms, term);
        entry.peak = Math.max(entry.peak, termPeak);
      } else {
        target.set(c, { value: -factor * value, terms: term, peak: termPeak });
        columns[c]!.add(r);
      }
    }
  }
  return pivot.value;
}
