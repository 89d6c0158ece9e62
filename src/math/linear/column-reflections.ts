/** Householder reflections of matrices stored by columns, in place. */

/** Reflects column k onto its first entry, and the columns after it with it. Returns the entry of R on the diagonal. */
export function eliminateColumn(R: Float64Array, rows: number, columns: number, k: number, distance: number): number {
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
 * Y := (1 - v vᵀ) Y for `count` columns of Y from `start` on, entries `first` and after. The vector v begins at `v` in V and has length √2.
 * Four columns at a time, so that their sums are independent of each other.
 */
export function reflect(
  V: Float64Array,
  v: number,
  first: number,
  rows: number,
  Y: Float64Array,
  start: number,
  count: number,
): void {
  let a = start;
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

/** √ of the sum of squares of the entries from `from` to `to`. */
export function rangeNorm(A: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += A[i]! * A[i]!;
  return Math.sqrt(sum);
}

export function swapColumns(A: Float64Array, rows: number, order: Int32Array, a: number, b: number): void {
  for (let i = 0; i < rows; i++) {
    const value = A[a * rows + i]!;
    A[a * rows + i] = A[b * rows + i]!;
    A[b * rows + i] = value;
  }
  const column = order[a]!;
  order[a] = order[b]!;
  order[b] = column;
}
