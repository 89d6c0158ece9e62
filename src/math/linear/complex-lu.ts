/**
 * LU factors of a dense complex matrix with partial pivoting; real and imaginary parts are separate arrays. `leading` as in dense-lu.ts.
 */
import { LeadingRowPattern, SPARSE_ROW_FRACTION, swapEntries, swapRows } from "./dense-lu.ts";

export interface ComplexLU {
  readonly n: number;
  /** Factors an n by n matrix, given by rows and not changed. False if a pivot is zero or not finite. */
  factor(re: Float64Array, im: Float64Array): boolean;
  /** Solves A x = b in place. */
  solve(re: Float64Array, im: Float64Array): void;
}

export const complexLU = (n: number, leading = 0): ComplexLU => new DenseComplexLU(n, leading);

class DenseComplexLU implements ComplexLU {
  /** Real and imaginary parts of the factors, by rows: L without its unit diagonal, and U. */
  readonly #R: Float64Array;
  readonly #I: Float64Array;
  /** Real and imaginary parts of the reciprocals of the pivots. */
  readonly #reciprocalR: Float64Array;
  readonly #reciprocalI: Float64Array;
  readonly #pivotRow: Int32Array;
  /** Columns of nonzero entries in the pivot row. */
  readonly #nonzeros: Int32Array;
  readonly #pattern: LeadingRowPattern;
  readonly #isZero: (entry: number) => boolean;

  constructor(
    readonly n: number,
    readonly leading: number,
  ) {
    const [R, I] = [new Float64Array(n * n), new Float64Array(n * n)];
    this.#R = R;
    this.#I = I;
    this.#reciprocalR = new Float64Array(n);
    this.#reciprocalI = new Float64Array(n);
    this.#pivotRow = new Int32Array(n);
    this.#nonzeros = new Int32Array(n);
    this.#pattern = new LeadingRowPattern(n, leading);
    this.#isZero = (entry) => R[entry] === 0 && I[entry] === 0;
  }

  factor(re: Float64Array, im: Float64Array): boolean {
    const { n, leading } = this;
    const [R, I] = [this.#R, this.#I];
    R.set(re);
    I.set(im);
    for (let k = 0; k < n; k++) {
      const p = k < leading ? k : complexPivotRow(R, I, n, n, k);
      this.#pivotRow[k] = p;
      if (p !== k) {
        swapRows(R, n, k, p);
        swapRows(I, n, k, p);
      }
      const a = R[k * n + k]!;
      const b = I[k * n + k]!;
      const squaredSize = a * a + b * b;
      if (!(squaredSize > 0 && squaredSize < Number.POSITIVE_INFINITY)) return false;
      this.#reciprocalR[k] = a / squaredSize;
      this.#reciprocalI[k] = -b / squaredSize;
      this.#eliminateBelow(k);
    }
    this.#pattern.update(this.#isZero);
    return true;
  }

  /** Subtracts multiples of row k from the rows below it; the multipliers stay in column k. */
  #eliminateBelow(k: number): void {
    const { n } = this;
    const [R, I, nonzeros] = [this.#R, this.#I, this.#nonzeros];
    const c = this.#reciprocalR[k]!;
    const d = this.#reciprocalI[k]!;
    const count = k < this.leading ? LeadingRowPattern.nonzeroColumns(n, k, nonzeros, this.#isZero) : n;
    const isSparse = count < SPARSE_ROW_FRACTION * (n - k);
    for (let i = k + 1; i < n; i++) {
      const x = R[i * n + k]!;
      const y = I[i * n + k]!;
      if (x === 0 && y === 0) continue;
      const u = x * c - y * d;
      const v = x * d + y * c;
      R[i * n + k] = u;
      I[i * n + k] = v;
      if (isSparse)
        for (let e = 0; e < count; e++) {
          const j = nonzeros[e]!;
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

  solve(re: Float64Array, im: Float64Array): void {
    for (let k = 0; k < this.n; k++) {
      swapEntries(re, k, this.#pivotRow[k]!);
      swapEntries(im, k, this.#pivotRow[k]!);
    }
    this.#solveLower(re, im);
    this.#solveUpper(re, im);
  }

  /** b := L⁻¹ b */
  #solveLower(re: Float64Array, im: Float64Array): void {
    const { n, leading } = this;
    const [R, I] = [this.#R, this.#I];
    const { columns, starts } = this.#pattern;
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
  }

  /** b := U⁻¹ b */
  #solveUpper(re: Float64Array, im: Float64Array): void {
    const { n, leading } = this;
    const [R, I, dr, di] = [this.#R, this.#I, this.#reciprocalR, this.#reciprocalI];
    const { columns, starts } = this.#pattern;
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
  }
}

/** Row of the entry with the largest |re| + |im| in column k, on or below the diagonal. The matrix has n rows of `rowLength` entries. */
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
