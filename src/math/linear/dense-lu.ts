/**
 * LU factors of a dense real matrix with partial pivoting, by rows, allocation-free after making. The first `leading` pivots are taken on the
 * diagonal as they come: for rows that are almost empty, as those of q̇ = u are, whose elimination then costs next to nothing.
 */

export interface DenseLU {
  readonly n: number;
  /** Factors the n by n matrix given by rows, which it leaves alone. False if a pivot is zero or not finite. */
  factor(A: Float64Array): boolean;
  /** Solves A x = b in place. */
  solve(b: Float64Array): void;
}

/** The entries of the first rows that are not zero, found anew after each factorisation, so that nothing is spent on the others. */
export class LeadingRowPattern {
  /** Columns of row i: before the diagonal from starts[2 i] to starts[2 i + 1], behind it from there to starts[2 i + 2]. */
  readonly columns: Int32Array;
  readonly starts: Int32Array;

  constructor(
    readonly n: number,
    readonly leading: number,
  ) {
    this.columns = new Int32Array(n * leading);
    this.starts = new Int32Array(2 * leading + 1);
  }

  /** `isZero(e)` of the entry at e of the matrix by rows. */
  update(isZero: (e: number) => boolean): void {
    const { n, leading, columns, starts } = this;
    let count = 0;
    for (let i = 0; i < leading; i++) {
      for (let j = 0; j < i; j++) if (!isZero(i * n + j)) columns[count++] = j;
      starts[2 * i + 1] = count;
      for (let j = i + 1; j < n; j++) if (!isZero(i * n + j)) columns[count++] = j;
      starts[2 * i + 2] = count;
    }
  }

  /** The columns of row k behind its diagonal, before it is factored any further; how many. */
  static nonzeroColumns(n: number, k: number, columns: Int32Array, isZero: (e: number) => boolean): number {
    let count = 0;
    for (let j = k + 1; j < n; j++) if (!isZero(k * n + j)) columns[count++] = j;
    return count;
  }
}

/** Rows with less of their entries not zero than this part are passed entry by entry. */
export const SPARSE_ROW_FRACTION = 0.25;

export function denseLU(n: number, leading = 0): DenseLU {
  const filled = new Int32Array(n);
  const rows = new LeadingRowPattern(n, leading);
  const isZero = (e: number): boolean => LU[e] === 0;
  const LU = new Float64Array(n * n);
  const pivotRow = new Int32Array(n);
  const reciprocal = new Float64Array(n);
  return {
    n,
    factor(A) {
      LU.set(A);
      for (let k = 0; k < n; k++) {
        const p = k < leading ? k : realPivotRow(LU, n, n, k);
        const size = Math.abs(LU[p * n + k]!);
        if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return false;
        pivotRow[k] = p;
        if (p !== k) swapRows(LU, n, k, p);
        reciprocal[k] = 1 / LU[k * n + k]!;
        const entries = k < leading ? LeadingRowPattern.nonzeroColumns(n, k, filled, isZero) : n;
        const isSparse = entries < SPARSE_ROW_FRACTION * (n - k);
        for (let i = k + 1; i < n; i++) {
          if (LU[i * n + k] === 0) continue;
          const multiplier = LU[i * n + k]! * reciprocal[k]!;
          LU[i * n + k] = multiplier;
          if (isSparse) for (let e = 0; e < entries; e++) LU[i * n + filled[e]!]! -= multiplier * LU[k * n + filled[e]!]!;
          else for (let j = k + 1; j < n; j++) LU[i * n + j]! -= multiplier * LU[k * n + j]!;
        }
      }
      rows.update(isZero);
      return true;
    },
    solve(b) {
      const { columns, starts } = rows;
      for (let k = 0; k < n; k++) swapEntries(b, k, pivotRow[k]!);
      for (let i = 0; i < leading; i++)
        for (let e = starts[2 * i]!; e < starts[2 * i + 1]!; e++) b[i]! -= LU[i * n + columns[e]!]! * b[columns[e]!]!;
      for (let i = leading; i < n; i++) {
        let sum = b[i]!;
        for (let j = 0; j < i; j++) sum -= LU[i * n + j]! * b[j]!;
        b[i] = sum;
      }
      for (let i = n - 1; i >= leading; i--) {
        let sum = b[i]!;
        for (let j = i + 1; j < n; j++) sum -= LU[i * n + j]! * b[j]!;
        b[i] = sum * reciprocal[i]!;
      }
      for (let i = leading - 1; i >= 0; i--) {
        let sum = b[i]!;
        for (let e = starts[2 * i + 1]!; e < starts[2 * i + 2]!; e++) sum -= LU[i * n + columns[e]!]! * b[columns[e]!]!;
        b[i] = sum * reciprocal[i]!;
      }
    },
  };
}

/** Row of the largest entry of column k, from the diagonal down, of a matrix of n rows of this length. */
export function realPivotRow(A: Float64Array, rowLength: number, n: number, k: number): number {
  let p = k;
  let largest = -1;
  for (let i = k; i < n; i++) {
    const size = Math.abs(A[i * rowLength + k]!);
    if (size > largest) {
      largest = size;
      p = i;
    }
  }
  return p;
}

export function swapRows(A: Float64Array, rowLength: number, a: number, b: number): void {
  for (let j = 0; j < rowLength; j++) {
    const value = A[a * rowLength + j]!;
    A[a * rowLength + j] = A[b * rowLength + j]!;
    A[b * rowLength + j] = value;
  }
}

export function swapEntries(x: Float64Array, a: number, b: number): void {
  const value = x[a]!;
  x[a] = x[b]!;
  x[b] = value;
}
