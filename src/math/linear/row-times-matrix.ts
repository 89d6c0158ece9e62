/**
 * out = w a N for the row a, which begins at `a` in A, and `columns` columns of N of length n. Results are written from `start` on,
 * `stride` entries apart. Four columns at a time, so that their sums are independent of each other.
 */
export function rowTimesMatrix(
  A: Float64Array,
  a: number,
  w: number,
  N: Float64Array,
  n: number,
  columns: number,
  out: Float64Array,
  start: number,
  stride: number,
): void {
  let k = 0;
  for (; k + 4 <= columns; k += 4) {
    const c = k * n;
    let p = 0;
    let q = 0;
    let r = 0;
    let s = 0;
    for (let j = 0; j < n; j++) {
      const v = A[a + j]!;
      p += v * N[c + j]!;
      q += v * N[c + n + j]!;
      r += v * N[c + 2 * n + j]!;
      s += v * N[c + 3 * n + j]!;
    }
    const o = start + k * stride;
    out[o] = w * p;
    out[o + stride] = w * q;
    out[o + 2 * stride] = w * r;
    out[o + 3 * stride] = w * s;
  }
  for (; k < columns; k++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += A[a + j]! * N[k * n + j]!;
    out[start + k * stride] = w * sum;
  }
}
