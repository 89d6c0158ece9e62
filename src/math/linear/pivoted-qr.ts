/**
 * The factorisation A P = Q R by Householder reflections, the column that adds most always next, so that the rank of A shows:
 * |R_kk| is the distance of column k from the span of those before it, and no column left over is further away. Columns are scaled
 * to unit length first; a column of zeros depends on the others. Allocation-free after making.
 */

export interface PivotedQR {
  readonly rows: number;
  readonly columns: number;
  /**
   * Factors A, given by columns, which it leaves alone; columns within `tolerance` (relative) of the span of others depend on them. At
   * most `most` columns can be independent. Distances of columns that are short for what they are count by their `weights`, up to 1: their
   * directions are less certain.
   */
  factor(A: Float64Array, tolerance: number, most?: number, weights?: Float64Array): void;
  /**
   * The same with the columns as they come: quicker, and as good where all are independent. Returns how far the nearest column is from
   * the span of all others, in its own length; where that is too little, `factor` must decide.
   */
  factorInOrder(A: Float64Array): number;
  /** Number of independent columns. */
  readonly rank: number;
  /** Distances, as `factor` counts them, of the last column that was taken as independent, and of the furthest that was not. */
  readonly lastIndependentDistance: number;
  readonly largestDependentDistance: number;
  /** Columns in the order of pivots: `rank` independent ones, then those that depend on them. */
  readonly order: Int32Array;
  /** b := Qᵀ b, and b := Q b, which may be several columns. */
  applyQTransposed(b: Float64Array, count?: number): void;
  applyQ(b: Float64Array, count?: number): void;
  /** y, in place of b, of (A P)ᵀ Q y = b for the independent columns: b is in their order and y has `rank` entries. */
  solveTransposed(b: Float64Array): void;
  /** x of (A P) x = Q b, x zero for dependent columns and in the places of the columns; b has `rank` entries and is overwritten. */
  solve(b: Float64Array, x: Float64Array): void;
  /** The root of the sum of squares of all entries of A⁺: at least one over the smallest singular value, at most √columns as much. */
  readonly inverseNorm: number;
  /** x with A x = 0, for the k-th dependent column, by places of the columns; that column's entry is one over its length. */
  nullVector(k: number, x: Float64Array): void;
}

export function pivotedQR(rows: number, columns: number): PivotedQR {
  const R = new Float64Array(rows * columns); // reflections below the diagonal, and R above it
  const diagonal = new Float64Array(columns);
  const order = new Int32Array(columns);
  const lengths = new Float64Array(columns); // of the given columns, by their own places
  const head = new Float64Array(columns);
  const nearness = new Float64Array(columns);
  let isNearnessKnown = false;
  const remains = new Float64Array(columns); // squares of what reflections so far leave of each, by pivots
  const sure = new Float64Array(columns); // below this the difference in `remains` has lost too many digits
  let rank = 0;
  let taken = 0;
  let left = 0;

  /** For each column, one over the square of its distance from the span of all others, in lengths that they were scaled to. */
  function writeNearness(): void {
    isNearnessKnown = true;
    for (let k = 0; k < columns; k++) {
      nearness[k] = 0;
      for (let j = k; j < columns; j++) {
        let sum = j === k ? 1 : 0;
        for (let i = k; i < j; i++) sum -= R[j * rows + i]! * head[i]!;
        head[j] = sum / diagonal[j]!; // row k of the inverse of R
        nearness[k]! += head[j]! * head[j]!;
      }
    }
  }

  /** R x = b in place for the leading square part. */
  function backSubstitute(b: Float64Array): void {
    for (let k = rank - 1; k >= 0; k--) {
      b[k]! /= diagonal[k]!;
      for (let i = 0; i < k; i++) b[i]! -= R[k * rows + i]! * b[k]!;
    }
  }

  return {
    rows,
    columns,
    order,
    get rank() {
      return rank;
    },
    get lastIndependentDistance() {
      return taken;
    },
    get largestDependentDistance() {
      return left;
    },
    factor(A, tolerance, most = columns, weights) {
      isNearnessKnown = false;
      taken = Number.POSITIVE_INFINITY;
      for (let j = 0; j < columns; j++) {
        order[j] = j;
        const length = rangeNorm(A, j * rows, (j + 1) * rows);
        lengths[j] = length;
        const scale = length > 0 ? 1 / length : 0;
        for (let i = j * rows; i < (j + 1) * rows; i++) R[i] = A[i]! * scale;
        remains[j] = length > 0 ? 1 : 0;
        sure[j] = SAFE_DIFFERENCE;
      }
      for (rank = 0; rank < Math.min(rows, columns, most); rank++) {
        let furthest = rank;
        let weighed = 0;
        for (let j = rank; j < columns; j++) {
          const weight = weights ? weights[order[j]!]! : 1;
          const counts = remains[j]! * weight * weight;
          if (counts > weighed) {
            weighed = counts;
            furthest = j;
          }
        }
        const distance = rangeNorm(R, furthest * rows + rank, (furthest + 1) * rows);
        left = distance * (weights ? weights[order[furthest]!]! : 1);
        if (!(left > tolerance)) return;
        taken = left;
        if (furthest !== rank) {
          swapColumns(R, rows, order, rank, furthest);
          remains[furthest] = remains[rank]!;
          sure[furthest] = sure[rank]!;
        }
        diagonal[rank] = eliminateColumn(R, rows, columns, rank, distance);
        for (let j = rank + 1; j < columns; j++) {
          const entry = R[j * rows + rank]!;
          remains[j]! -= entry * entry;
          if (remains[j]! >= sure[j]!) continue;
          remains[j] = rangeNorm(R, j * rows + rank + 1, (j + 1) * rows) ** 2;
          sure[j] = SAFE_DIFFERENCE * remains[j]!;
        }
      }
      left = 0;
    },
    factorInOrder(A) {
      rank = 0;
      if (columns > rows) return 0;
      for (let i = 0; i < rows * columns; i++) R[i] = A[i]!;
      for (let k = 0; k < columns; k++) {
        order[k] = k;
        lengths[k] = 1;
        const distance = rangeNorm(R, k * rows + k, (k + 1) * rows);
        if (!(distance > 0)) return 0;
        diagonal[k] = eliminateColumn(R, rows, columns, k, distance);
      }
      rank = columns;
      writeNearness();
      let nearest = 0;
      for (let k = 0; k < columns; k++) {
        let square = diagonal[k]! * diagonal[k]!;
        for (let i = k * rows; i < k * rows + k; i++) square += R[i]! * R[i]!;
        nearest = Math.max(nearest, square * nearness[k]!);
      }
      return 1 / Math.sqrt(nearest);
    },
    applyQTransposed(b, count = 1) {
      for (let k = 0; k < rank; k++) reflect(R, k * rows, k, rows, b, 0, count);
    },
    applyQ(b, count = 1) {
      for (let k = rank - 1; k >= 0; k--) reflect(R, k * rows, k, rows, b, 0, count);
    },
    solveTransposed(b) {
      for (let k = 0; k < rank; k++) {
        let value = b[k]! / lengths[order[k]!]!;
        for (let i = 0; i < k; i++) value -= R[k * rows + i]! * b[i]!;
        b[k] = value / diagonal[k]!;
      }
    },
    solve(b, x) {
      backSubstitute(b);
      x.fill(0, 0, columns);
      for (let k = 0; k < rank; k++) x[order[k]!] = b[k]! / lengths[order[k]!]!;
    },
    get inverseNorm() {
      if (rank < columns) return Number.POSITIVE_INFINITY;
      if (!isNearnessKnown) writeNearness();
      let squares = 0;
      for (let k = 0; k < rank; k++) squares += nearness[k]! / (lengths[order[k]!]! * lengths[order[k]!]!);
      return Math.sqrt(squares);
    },
    nullVector(k, x) {
      const column = rank + k;
      const length = lengths[order[column]!]!;
      for (let i = 0; i < rank; i++) head[i] = -R[column * rows + i]!;
      backSubstitute(head);
      x.fill(0, 0, columns);
      for (let i = 0; i < rank; i++) x[order[i]!] = head[i]! / lengths[order[i]!]!;
      x[order[column]!] = length > 0 ? 1 / length : 1;
    },
  };
}

/** Squares of lengths are carried along by differences as long as these keep so much of what was last summed. */
const SAFE_DIFFERENCE = 1e-3;

/** The reflection that leaves of column k only its distance, applied to it and to those behind it. Returns the entry on the diagonal. */
function eliminateColumn(R: Float64Array, rows: number, columns: number, k: number, distance: number): number {
  const v = k * rows;
  const diagonal = R[v + k]! > 0 ? -distance : distance;
  const pivot = R[v + k]! - diagonal;
  const scale = 1 / Math.sqrt(Math.abs(pivot) * distance);
  R[v + k] = pivot;
  for (let i = v + k; i < v + rows; i++) R[i]! *= scale;
  reflect(R, v, k, rows, R, v + rows, columns - k - 1);
  return diagonal;
}

/**
 * Y := (1 - v vᵀ) Y for `count` columns of Y from `at` on, for the entries of `first` and after; v, at `v` of V, has the length √2. Four
 * columns at a time: their sums do not wait for each other.
 */
function reflect(V: Float64Array, v: number, first: number, rows: number, Y: Float64Array, at: number, count: number): void {
  let a = at;
  let left = count;
  for (; left >= 4; left -= 4, a += 4 * rows) {
    const b = a + rows;
    const c = b + rows;
    const d = c + rows;
    let p = 0;
    let q = 0;
    let r = 0;
    let s = 0;
    for (let i = first; i < rows; i++) {
      const x = V[v + i]!;
      p += x * Y[a + i]!;
      q += x * Y[b + i]!;
      r += x * Y[c + i]!;
      s += x * Y[d + i]!;
    }
    for (let i = first; i < rows; i++) {
      const x = V[v + i]!;
      Y[a + i]! -= p * x;
      Y[b + i]! -= q * x;
      Y[c + i]! -= r * x;
      Y[d + i]! -= s * x;
    }
  }
  for (; left > 0; left--, a += rows) {
    let p = 0;
    for (let i = first; i < rows; i++) p += V[v + i]! * Y[a + i]!;
    if (p !== 0) for (let i = first; i < rows; i++) Y[a + i]! -= p * V[v + i]!;
  }
}

function rangeNorm(A: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += A[i]! * A[i]!;
  return Math.sqrt(sum);
}

function swapColumns(A: Float64Array, rows: number, order: Int32Array, a: number, b: number): void {
  for (let i = 0; i < rows; i++) {
    const value = A[a * rows + i]!;
    A[a * rows + i] = A[b * rows + i]!;
    A[b * rows + i] = value;
  }
  const column = order[a]!;
  order[a] = order[b]!;
  order[b] = column;
}
