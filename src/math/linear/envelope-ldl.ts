/**
 * The factorisation S = L D Lᵀ of a symmetric positive definite matrix within its envelope: row i is stored from its first entry that
 * is not always zero to the diagonal. Nothing fills in outside of the envelope, so a banded matrix costs its length times the band
 * squared, and a full one n³/6.
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

/** The envelope given by the first column of each row. */
export function envelope(first: ArrayLike<number>): Envelope {
  const n = first.length;
  const offset = new Int32Array(n);
  let size = 0;
  for (let i = 0; i < n; i++) {
    const f = first[i]!;
    if (f > i || f < 0) throw new RangeError(`row ${i} begins at column ${f}: it must begin between 0 and its diagonal`);
    offset[i] = size - f;
    size += i - f + 1;
  }
  return { n, first: Int32Array.from(first), offset, size };
}

/**
 * Overwrites S with its factors, D on the diagonal. Returns the smallest pivot relative to the diagonal that it came from: near one
 * where rows have little in common, of the order of rounding or below where a row depends on those before it; the factors are then
 * of no use.
 */
export function factorEnvelope({ n, first, offset }: Envelope, S: Float64Array): number {
  let smallest = 1;
  for (let i = 0; i < n; i++) {
    const row = offset[i]!;
    const start = first[i]!;
    const diagonal = S[row + i]!;
    for (let j = start; j < i; j++) {
      const other = offset[j]!;
      let value = S[row + j]!;
      for (let k = Math.max(start, first[j]!); k < j; k++) value -= S[row + k]! * S[other + k]!;
      S[row + j] = value; // L_ij D_j
    }
    let pivot = diagonal;
    for (let j = start; j < i; j++) {
      const scaled = S[row + j]!;
      const factor = scaled / S[offset[j]! + j]!;
      pivot -= factor * scaled;
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
