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

/** A pivot is at least this fraction of the largest entry of its column: multipliers stay below its inverse. */
const THRESHOLD = 0.1;
/** An entry this small against the largest value that it has been on the way is the rounding of a zero. */
const ROUNDING = 64 * Number.EPSILON;
/** How many rows and how many columns of few entries are searched for a pivot. */
const SEARCHED = 8;

interface Entry {
  value: number;
  /** The rounding error of the value is a few units in the last place of this, the largest magnitude among the terms it came from. */
  peak: number;
}

/** What is still to be eliminated: entries by row, and which rows each column has. */
interface Active {
  readonly rows: readonly Map<number, Entry>[];
  readonly columns: readonly Set<number>[];
  readonly openRows: Set<number>;
  readonly openColumns: Set<number>;
}

type Place = readonly [row: number, column: number];

/** Chooses the pivots of the matrix with these values. */
export function markowitzOrder(pattern: SparsePattern, values: ArrayLike<number>): PivotOrder {
  const active = activate(pattern, values);
  const rows: number[] = [];
  const columns: number[] = [];
  const pivots: number[] = [];
  const below: Int32Array[] = [];
  const right: Int32Array[] = [];
  while (active.openRows.size > 0) {
    const place = best(active, shortPlaces(active)) ?? best(active, allPlaces(active));
    if (!place) break;
    const [row, column] = place;
    rows.push(row);
    columns.push(column);
    pivots.push(eliminate(active, row, column));
    below.push(Int32Array.from(active.columns[column]!));
    right.push(Int32Array.from(active.rows[row]!.keys()));
  }
  return {
    rank: pivots.length,
    rows: Int32Array.from([...rows, ...active.openRows]),
    columns: Int32Array.from([...columns, ...active.openColumns]),
    pivots: Float64Array.from(pivots),
    below,
    right,
  };
}

function activate({ n, rows, columns }: SparsePattern, values: ArrayLike<number>): Active {
  const active = {
    rows: Array.from({ length: n }, () => new Map<number, Entry>()),
    columns: Array.from({ length: n }, () => new Set<number>()),
  };
  for (let e = 0; e < rows.length; e++) {
    const value = values[e]!;
    active.rows[rows[e]!]!.set(columns[e]!, { value, peak: Math.abs(value) });
    active.columns[columns[e]!]!.add(rows[e]!);
  }
  return { ...active, openRows: new Set(active.rows.keys()), openColumns: new Set(active.columns.keys()) };
}

/** The place of least possible fill, and of these the one largest in its column; undefined if all are too small. */
function best({ rows, columns }: Active, places: Iterable<Place>): Place | undefined {
  let found: Place | undefined;
  let leastCost = Number.POSITIVE_INFINITY;
  let largestSize = 0;
  for (const place of places) {
    const [row, column] = place;
    const cost = (rows[row]!.size - 1) * (columns[column]!.size - 1);
    if (cost > leastCost) continue;
    const size = sizeInColumn(rows, columns[column]!, row, column);
    if (size < THRESHOLD || (cost === leastCost && size <= largestSize)) continue;
    found = place;
    leastCost = cost;
    largestSize = size;
  }
  return found;
}

/** Magnitude of an entry against the largest of its column; 0 if it is only rounding. */
function sizeInColumn(rows: Active["rows"], column: ReadonlySet<number>, row: number, c: number): number {
  const { value, peak } = rows[row]!.get(c)!;
  const magnitude = Math.abs(value);
  if (!(magnitude > ROUNDING * peak)) return 0;
  let largest = 0;
  for (const r of column) largest = Math.max(largest, Math.abs(rows[r]!.get(c)!.value));
  return magnitude / largest;
}

/** The places in a few of the shortest columns and of the shortest rows. */
function* shortPlaces({ rows, columns, openRows, openColumns }: Active): Iterable<Place> {
  for (const c of shortest(openColumns, columns)) for (const r of columns[c]!) yield [r, c];
  for (const r of shortest(openRows, rows)) for (const c of rows[r]!.keys()) yield [r, c];
}

function* allPlaces({ columns, openColumns }: Active): Iterable<Place> {
  for (const c of openColumns) for (const r of columns[c]!) yield [r, c];
}

/** A few of the open lines with fewest entries. */
function shortest(open: ReadonlySet<number>, lines: readonly { readonly size: number }[]): number[] {
  let least = Number.POSITIVE_INFINITY;
  for (const i of open) if (lines[i]!.size > 0) least = Math.min(least, lines[i]!.size);
  const found: number[] = [];
  for (const i of open) {
    if (lines[i]!.size === least) found.push(i);
    if (found.length === SEARCHED) break;
  }
  return found;
}

/** Subtracts multiples of the pivot's row from the rows below it, and leaves in its row and column what U and L hold. */
function eliminate({ rows, columns, openRows, openColumns }: Active, row: number, column: number): number {
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
      if (entry) {
        entry.value -= factor * value;
        entry.peak = Math.max(entry.peak, termPeak);
      } else {
        target.set(c, { value: -factor * value, peak: termPeak });
        columns[c]!.add(r);
      }
    }
  }
  return pivot.value;
}
