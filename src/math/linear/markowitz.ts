/**
 * Pivot order of a sparse square matrix by Markowitz's rule with threshold pivoting: of the entries that are not small in their
 * column take the one whose elimination can fill in least, (row count - 1)(column count - 1). Entries that happen to be zero keep
 * their place, so the order and the fill hold for every matrix of the pattern. It allocates: it runs once, and again when pivots go bad.
 */

/** Places of the entries of an n by n matrix; no place twice. */
export interface SparsePattern {
  readonly n: number;
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
}

export interface PivotOrder {
  /** Number of pivots found. Below n the matrix is singular, and the rows and columns left over depend on the others. */
  readonly rank: number;
  /** Row and column of each pivot, in order, then those left over. */
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  /** Value of each pivot. */
  readonly pivots: Float64Array;
  /** For each pivot: the rows below it in its column (of L) and the columns right of it in its row (of U). */
  readonly below: readonly Int32Array[];
  readonly right: readonly Int32Array[];
}

/** How pivots are chosen. */
export interface PivotOptions {
  /** So many rows and columns at the end are eliminated after all others: what is left of them then tells how far they depend. */
  readonly border: number;
  /** In the border, an entry this small against the largest value that it has been on the way is zero. */
  readonly negligible: number;
  /** In the border, take always the entry of which most is left, whatever the fill: where rows depend on others, any of them could be left over. */
  readonly completePivoting?: boolean;
  /** No more pivots than these. */
  readonly maxPivots?: number;
}

/** A pivot is at least this fraction of the largest entry of its column: multipliers stay below its inverse. */
const PIVOT_THRESHOLD = 0.1;
/** An entry this small against the largest value that it has been on the way is the rounding of a zero. */
export const ROUNDING_LEVEL = 64 * Number.EPSILON;
/** The same against the terms it came from alone, which does not count the rounding in them. */
const CANCELLATION_LEVEL = 4096 * Number.EPSILON;
/** How many rows and how many columns of few entries are searched for a pivot. */
const MAX_SEARCHED_LINES = 8;

interface MarkowitzEntry {
  value: number;
  /** The largest magnitude among the terms it came from: a value of a few units in its last place may be a zero. */
  terms: number;
  /** A bound of what rounding can have made of it, over all pivots before: a few units in the last place of this. */
  peak: number;
}

/** What is still to be eliminated: entries by row, and which rows each column has. */
interface ActiveSubmatrix {
  readonly rows: readonly Map<number, MarkowitzEntry>[];
  readonly columns: readonly Set<number>[];
  /** Where pivots may be: rows and columns of the border join when all others are done. */
  readonly openRows: Set<number>;
  readonly openColumns: Set<number>;
}

/** Whether an entry is nothing but rounding. */
type ZeroTest = (entry: MarkowitzEntry) => boolean;
type MarkowitzPosition = readonly [row: number, column: number];

/** Chooses the pivots of the matrix with these values. */
export function markowitzOrder(
  pattern: SparsePattern,
  values: ArrayLike<number>,
  { border, negligible, completePivoting: complete = false, maxPivots: most = pattern.n }: PivotOptions = {
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
  if (border > 0) eliminateOpenPivots(active, "peak", negligible, order, { isComplete: complete, most });
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
 * Eliminates while there are open places with more than rounding in them: rounding of the terms of an entry, or, for dependencies of the
 * border, all that rounding can have made of it. The second bound multiplies from pivot to pivot: of the mass matrix of a long chain, which is
 * regular, it would leave nothing.
 */
function eliminateOpenPivots(
  active: ActiveSubmatrix,
  against: "terms" | "peak",
  negligible: number,
  order: PivotRecord,
  { isComplete, most } = { isComplete: false, most: Number.POSITIVE_INFINITY },
): void {
  const zero: ZeroTest = (entry) => !(Math.abs(entry.value) > negligible * entry[against]);
  const terms = isComplete ? largestTermByRow(active) : new Map<number, number>();
  while (active.openRows.size > 0 && order.pivots.length < most) {
    const place = isComplete
      ? largestRelativePosition(active, terms, zero)
      : (cheapestPosition(active, positionsInShortLines(active), zero) ?? cheapestPosition(active, allPositions(active), zero));
    if (!place) break;
    const [row, column] = place;
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

/** The place of least possible fill, and of these the one largest in its column; undefined if all are too small. */
function cheapestPosition(
  active: ActiveSubmatrix,
  places: Iterable<MarkowitzPosition>,
  zero: ZeroTest,
): MarkowitzPosition | undefined {
  const { rows, columns } = active;
  let found: MarkowitzPosition | undefined;
  let leastCost = Number.POSITIVE_INFINITY;
  let largestSize = 0;
  for (const place of places) {
    const [row, column] = place;
    const cost = (rows[row]!.size - 1) * (columns[column]!.size - 1);
    if (cost > leastCost) continue;
    const size = sizeInColumn(active, row, column, zero);
    if (size < PIVOT_THRESHOLD || (cost === leastCost && size <= largestSize)) continue;
    found = place;
    leastCost = cost;
    largestSize = size;
  }
  return found;
}

/** The place whose entry is largest for the terms that its row and column came from; undefined if all is rounding. */
function largestRelativePosition(
  active: ActiveSubmatrix,
  terms: ReadonlyMap<number, number>,
  zero: ZeroTest,
): MarkowitzPosition | undefined {
  let found: MarkowitzPosition | undefined;
  let most = 0;
  for (const place of allPositions(active)) {
    const [row, column] = place;
    const entry = active.rows[row]!.get(column)!;
    const size = Math.abs(entry.value) / Math.sqrt(terms.get(row)! * terms.get(column)!);
    if (zero(entry) || size <= most) continue;
    found = place;
    most = size;
  }
  return found;
}

/** The largest term in each open row. */
const largestTermByRow = ({ rows, openRows, openColumns }: ActiveSubmatrix): ReadonlyMap<number, number> =>
  new Map(
    Array.from(openRows, (row) => [
      row,
      Math.max(Number.MIN_VALUE, ...[...rows[row]!].map(([c, { terms }]) => (openColumns.has(c) ? terms : 0))),
    ]),
  );

/** Magnitude of an entry against the largest of its column where pivots may be; 0 if it is only rounding. */
function sizeInColumn({ rows, columns, openRows }: ActiveSubmatrix, row: number, column: number, zero: ZeroTest): number {
  const entry = rows[row]!.get(column)!;
  if (zero(entry)) return 0;
  const magnitude = Math.abs(entry.value);
  let largest = 0;
  for (const r of columns[column]!) if (openRows.has(r)) largest = Math.max(largest, Math.abs(rows[r]!.get(column)!.value));
  return magnitude / largest;
}

/** The places in a few of the shortest columns and of the shortest rows. */
function* positionsInShortLines({ rows, columns, openRows, openColumns }: ActiveSubmatrix): Iterable<MarkowitzPosition> {
  for (const c of shortestLines(openColumns, columns)) for (const r of columns[c]!) if (openRows.has(r)) yield [r, c];
  for (const r of shortestLines(openRows, rows)) for (const c of rows[r]!.keys()) if (openColumns.has(c)) yield [r, c];
}

function* allPositions({ columns, openRows, openColumns }: ActiveSubmatrix): Iterable<MarkowitzPosition> {
  for (const c of openColumns) for (const r of columns[c]!) if (openRows.has(r)) yield [r, c];
}

/** A few of the open lines with fewest entries. */
function shortestLines(open: ReadonlySet<number>, lines: readonly { readonly size: number }[]): number[] {
  let least = Number.POSITIVE_INFINITY;
  for (const i of open) if (lines[i]!.size > 0) least = Math.min(least, lines[i]!.size);
  const found: number[] = [];
  for (const i of open) {
    if (lines[i]!.size === least) found.push(i);
    if (found.length === MAX_SEARCHED_LINES) break;
  }
  return found;
}

/** Subtracts multiples of the pivot's row from the rows below it, and leaves in its row and column what U and L hold. */
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
