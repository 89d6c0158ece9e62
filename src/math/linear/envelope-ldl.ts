/**
 * Factorisation S = L D Lᵀ of a symmetric positive definite matrix within its envelope: row i is stored from its first structurally nonzero
 * entry to the diagonal. There is no fill-in outside of the envelope. A banded matrix costs n × bandwidth², a full one n³/6.
 */

export interface Envelope {
  readonly n: number;
  /** Column of the first stored entry of each row. */
  readonly first: Int32Array;
  /** Entry (i, j) is at offset[i] + j. */
  readonly offset: Int32Array;
  /** Number of stored values. */
  readonly size: number;
}

/** Builds the envelope from the first stored column of each row. */
export function envelope(first: ArrayLike<number>): Envelope {
  const n = first.length;
  const offset = new Int32Array(n);
  let size = 0;
  for (let i = 0; i < n; i++) {
    const f = first[i]!;
    if (f > i || f < 0) throw new Error(`envelope: the first column of row ${i} is ${f}; it must be between 0 and ${i}`);
    offset[i] = size - f;
    size += i - f + 1;
  }
  return { n, first: Int32Array.from(first), offset, size };
}

/**
 * Overwrites S with its factors, D on the diagonal. Returns the smallest ratio of a pivot to its entry on the diagonal of S. The ratio is
 * near one if rows have little in common. It is of the order of rounding, or 0, if a row depends on the rows before it; the factors are
 * then useless.
 */
export function factorEnvelope({ n, first, offset }: Envelope, S: Float64Array): number {
  let smallest = 1;
  for (let i = 0; i < n; i++) {
    const row = offset[i]!;
    const start = first[i]!;
    const diagonal = S[row + i]!;
    for (let j = start; j < i; j++) {
      const otherRow = offset[j]!;
      let value = S[row + j]!;
      for (let k = Math.max(start, first[j]!); k < j; k++) value -= S[row + k]! * S[otherRow + k]!;
      S[row + j] = value; // L_ij D_j
    }
    let pivot = diagonal;
    for (let j = start; j < i; j++) {
      const product = S[row + j]!;
      const factor = product / S[offset[j]! + j]!;
      pivot -= factor * product;
      S[row + j] = factor;
    }
    S[row + i] = pivot;
    if (!(pivot > 0)) return 0;
    smallest = Math.min(smallest, pivot / diagonal);
  }
  return smallest;
}

/** Overwrites b with the solution of L D Lᵀ x = b. */
export function solveEnvelope({ n, first, offset }: Envelope, factors: Float64Array, b: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let value = b[i]!;
    for (let j = first[i]!; j < i; j++) value -= factors[offset[i]! + j]! * b[j]!;
    b[i] = value;
  }
  for (let i = 0; i < n; i++) b[i]! /= factors[offset[i]! + i]!;
  for (let i = n - 1; i >= 0; i--) {
    const value = b[i]!;
    for (let j = first[i]!; j < i; j++) b[j]! -= factors[offset[i]! + j]! * value;
  }
}
