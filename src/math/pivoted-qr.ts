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
  /** Number of independent columns. */
  readonly rank: number;
  /** Columns in the order of pivots: `rank` independent ones, then those that depend on them. */
  readonly order: Int32Array;
  /** b := Qᵀ b and b := Q b. */
  turn(b: Float64Array): void;
  turnBack(b: Float64Array): void;
  /** y, in place of b, of (A P)ᵀ Q y = b for the independent columns: b is in their order and y has `rank` entries. */
  solveTransposed(b: Float64Array): void;
  /** x of (A P) x = Q b, x zero for dependent columns and in the places of the columns; b has `rank` entries and is overwritten. */
  solve(b: Float64Array, x: Float64Array): void;
  /** x with A x = 0, for the k-th dependent column, by places of the columns; that column's entry is one over its length. */
  combination(k: number, x: Float64Array): void;
}

export function pivotedQR(rows: number, columns: number): PivotedQR {
  const R = new Float64Array(rows * columns); // reflections below the diagonal, and R above it
  const diagonal = new Float64Array(columns);
  const order = new Int32Array(columns);
  const lengths = new Float64Array(columns); // of the given columns, by their own places
  const head = new Float64Array(columns);
  let rank = 0;

  /** y := (1 - v vᵀ) y for the reflection k, whose v has the length √2. */
  function reflect(k: number, y: Float64Array, at: number): void {
    const v = k * rows;
    let product = 0;
    for (let i = k; i < rows; i++) product += R[v + i]! * y[at + i]!;
    if (product !== 0) for (let i = k; i < rows; i++) y[at + i]! -= product * R[v + i]!;
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
    factor(A, tolerance, most = columns, weights) {
      for (let j = 0; j < columns; j++) {
        order[j] = j;
        const length = norm(A, j * rows, (j + 1) * rows);
        lengths[j] = length;
        for (let i = j * rows; i < (j + 1) * rows; i++) R[i] = length > 0 ? A[i]! / length : 0;
      }
      for (rank = 0; rank < Math.min(rows, columns, most); rank++) {
        let furthest = rank;
        let distance = 0;
        let weighed = 0;
        for (let j = rank; j < columns; j++) {
          const rest = norm(R, j * rows + rank, (j + 1) * rows);
          const counts = weights ? rest * weights[order[j]!]! : rest;
          if (counts > weighed) {
            weighed = counts;
            distance = rest;
            furthest = j;
          }
        }
        if (!(weighed > tolerance)) return;
        if (furthest !== rank) swapColumns(R, rows, order, rank, furthest);
        const v = rank * rows;
        diagonal[rank] = R[v + rank]! > 0 ? -distance : distance;
        const pivot = R[v + rank]! - diagonal[rank]!;
        const scale = 1 / Math.sqrt(Math.abs(pivot) * distance);
        R[v + rank] = pivot;
        for (let i = v + rank; i < v + rows; i++) R[i]! *= scale;
        for (let j = rank + 1; j < columns; j++) reflect(rank, R, j * rows);
      }
    },
    turn(b) {
      for (let k = 0; k < rank; k++) reflect(k, b, 0);
    },
    turnBack(b) {
      for (let k = rank - 1; k >= 0; k--) reflect(k, b, 0);
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
    combination(k, x) {
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

function norm(A: Float64Array, from: number, to: number): number {
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
