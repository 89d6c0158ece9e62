/**
 * LU factors of a dense real matrix with partial pivoting, by rows. Methods allocate nothing. The first `leading` pivots are taken on the
 * diagonal without search. That is for almost empty rows, such as those of q̇ = u: their elimination costs little.
 */

export interface DenseLU {
  readonly n: number;
  /** Factors an n by n matrix, given by rows and not changed. False if a pivot is zero or not finite. */
  factor(A: Float64Array): boolean;
  /** Solves A x = b in place. */
  solve(b: Float64Array): void;
}

/**
 * Positions of the nonzero entries in the leading rows of the factors. They are searched after each factorisation; `solve` skips the zeros.
 */
export class LeadingRowPattern {
  /** Columns of row i: before the diagonal in starts[2 i] to starts[2 i + 1], after it in starts[2 i + 1] to starts[2 i + 2]. */
  readonly columns: Int32Array;
  readonly starts: Int32Array;

  constructor(
    readonly n: number,
    readonly leading: number,
  ) {
    this.columns = new Int32Array(n * leading);
    this.starts = new Int32Array(2 * leading + 1);
  }

  /** @param isZero whether the entry with this index, by rows, is zero */
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

  /** Writes the columns of the nonzero entries of row k after the diagonal. Returns their number. */
  static nonzeroColumns(n: number, k: number, columns: Int32Array, isZero: (e: number) => boolean): number {
    let count = 0;
    for (let j = k + 1; j < n; j++) if (!isZero(k * n + j)) columns[count++] = j;
    return count;
  }
}

/** A pivot row with a smaller fraction of nonzero entries is subtracted entry by entry. */
export const SPARSE_ROW_FRACTION = 0.25;

export function denseLU(n: number, leading = 0): DenseLU {
  const nonzeros = new Int32Array(n);
  const pattern = new LeadingRowPattern(n, leading);
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
        const count = k < leading ? LeadingRowPattern.nonzeroColumns(n, k, nonzeros, isZero) : n;
        const isSparse = count < SPARSE_ROW_FRACTION * (n - k);
        for (let i = k + 1; i < n; i++) {
          if (LU[i * n + k] === 0) continue;
          const multiplier = LU[i * n + k]! * reciprocal[k]!;
          LU[i * n + k] = multiplier;
          if (isSparse) for (let e = 0; e < count; e++) LU[i * n + nonzeros[e]!]! -= multiplier * LU[k * n + nonzeros[e]!]!;
          else for (let j = k + 1; j < n; j++) LU[i * n + j]! -= multiplier * LU[k * n + j]!;
        }
      }
      pattern.update(isZero);
      return true;
    },
    solve(b) {
      const { columns, starts } = pattern;
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

/** Row of the largest entry in column k, on or below the diagonal. The matrix has n rows of `rowLength` entries. */
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
