/** LU factors of a dense complex matrix with partial pivoting; real and imaginary parts in arrays of their own. `leading` as in dense-lu.ts. */
import { LeadingRowPattern, SPARSE_ROW_FRACTION, swapEntries, swapRows } from "./dense-lu.ts";

export interface ComplexLU {
  readonly n: number;
  /** Factors the n by n matrix given by rows, which it leaves alone. False if a pivot is zero or not finite. */
  factor(re: Float64Array, im: Float64Array): boolean;
  /** Solves A x = b in place. */
  solve(re: Float64Array, im: Float64Array): void;
}

export function complexLU(n: number, leading = 0): ComplexLU {
  const filled = new Int32Array(n);
  const rows = new LeadingRowPattern(n, leading);
  const isZero = (e: number): boolean => R[e] === 0 && I[e] === 0;
  const R = new Float64Array(n * n);
  const I = new Float64Array(n * n);
  const pivotRow = new Int32Array(n);
  /** Reciprocals of the pivots. */
  const dr = new Float64Array(n);
  const di = new Float64Array(n);
  return {
    n,
    factor(re, im) {
      R.set(re);
      I.set(im);
      for (let k = 0; k < n; k++) {
        const p = k < leading ? k : complexPivotRow(R, I, n, n, k);
        pivotRow[k] = p;
        if (p !== k) {
          swapRows(R, n, k, p);
          swapRows(I, n, k, p);
        }
        const a = R[k * n + k]!;
        const b = I[k * n + k]!;
        const squared = a * a + b * b;
        if (!(squared > 0 && squared < Number.POSITIVE_INFINITY)) return false;
        const c = a / squared;
        const d = -b / squared;
        dr[k] = c;
        di[k] = d;
        const entries = k < leading ? LeadingRowPattern.nonzeroColumns(n, k, filled, isZero) : n;
        const isSparse = entries < SPARSE_ROW_FRACTION * (n - k);
        for (let i = k + 1; i < n; i++) {
          const x = R[i * n + k]!;
          const y = I[i * n + k]!;
          if (x === 0 && y === 0) continue;
          const u = x * c - y * d;
          const v = x * d + y * c;
          R[i * n + k] = u;
          I[i * n + k] = v;
          if (isSparse)
            for (let e = 0; e < entries; e++) {
              const j = filled[e]!;
              const s = R[k * n + j]!;
              const t = I[k * n + j]!;
              R[i * n + j]! -= u * s - v * t;
              I[i * n + j]! -= u * t + v * s;
            }
          else
            for (let j = k + 1; j < n; j++) {
              const s = R[k * n + j]!;
              const t = I[k * n + j]!;
              R[i * n + j]! -= u * s - v * t;
              I[i * n + j]! -= u * t + v * s;
            }
        }
      }
      rows.update(isZero);
      return true;
    },
    solve(re, im) {
      const { columns, starts } = rows;
      for (let k = 0; k < n; k++) {
        swapEntries(re, k, pivotRow[k]!);
        swapEntries(im, k, pivotRow[k]!);
      }
      for (let i = 0; i < leading; i++)
        for (let e = starts[2 * i]!; e < starts[2 * i + 1]!; e++) {
          const j = columns[e]!;
          const u = R[i * n + j]!;
          const v = I[i * n + j]!;
          re[i]! -= u * re[j]! - v * im[j]!;
          im[i]! -= u * im[j]! + v * re[j]!;
        }
      for (let i = leading; i < n; i++) {
        let x = re[i]!;
        let y = im[i]!;
        for (let j = 0; j < i; j++) {
          const u = R[i * n + j]!;
          const v = I[i * n + j]!;
          x -= u * re[j]! - v * im[j]!;
          y -= u * im[j]! + v * re[j]!;
        }
        re[i] = x;
        im[i] = y;
      }
      for (let i = n - 1; i >= leading; i--) {
        let x = re[i]!;
        let y = im[i]!;
        for (let j = i + 1; j < n; j++) {
          const u = R[i * n + j]!;
          const v = I[i * n + j]!;
          x -= u * re[j]! - v * im[j]!;
          y -= u * im[j]! + v * re[j]!;
        }
        re[i] = x * dr[i]! - y * di[i]!;
        im[i] = x * di[i]! + y * dr[i]!;
      }
      for (let i = leading - 1; i >= 0; i--) {
        let x = re[i]!;
        let y = im[i]!;
        for (let e = starts[2 * i + 1]!; e < starts[2 * i + 2]!; e++) {
          const j = columns[e]!;
          const u = R[i * n + j]!;
          const v = I[i * n + j]!;
          x -= u * re[j]! - v * im[j]!;
          y -= u * im[j]! + v * re[j]!;
        }
        re[i] = x * dr[i]! - y * di[i]!;
        im[i] = x * di[i]! + y * dr[i]!;
      }
    },
  };
}

/** Row of the entry of column k, from the diagonal down, that is largest in |re| + |im|, of a matrix of n rows of this length. */
export function complexPivotRow(R: Float64Array, I: Float64Array, rowLength: number, n: number, k: number): number {
  let p = k;
  let largest = -1;
  for (let i = k; i < n; i++) {
    const size = Math.abs(R[i * rowLength + k]!) + Math.abs(I[i * rowLength + k]!);
    if (size > largest) {
      largest = size;
      p = i;
    }
  }
  return p;
}
