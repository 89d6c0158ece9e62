/**
 * The matrices gamma / h - J (real) and (alpha + i beta) / h - J (complex) of a Newton step of Radau IIA, factored. Integrals, on which nothing
 * depends, are not part of them. The integrals follow from the other components by their rows of the Jacobian.
 */
import { compiledComplexLU, compiledRealLU } from "../../../kernel/emit/wasm/compiled-lu.ts";
import { ALPHA, BETA, GAMMA } from "./radau-coefficients.ts";

export class RadauMatrices {
  readonly #n: number;
  /** Number of components without the integrals. */
  readonly #m: number;
  readonly #real: ReturnType<typeof compiledRealLU>;
  readonly #complex: ReturnType<typeof compiledComplexLU>;
  /** Real and imaginary part of the matrices, by padded rows. */
  readonly #E: Float64Array;
  readonly #EIm: Float64Array;
  readonly #diagonal: Float64Array;
  /** Rows of the Jacobian that belong to the integrals. */
  readonly #integralRows: Float64Array;
  /** The step for which the matrices are factored. */
  #step = 0;

  /** @param coordinates number of coordinates, the first components; @param integrals number of integrals, the last components */
  constructor(n: number, coordinates = 0, integrals = 0) {
    const m = n - integrals;
    this.#n = n;
    this.#m = m;
    this.#real = compiledRealLU(m, coordinates);
    this.#complex = compiledComplexLU(m, coordinates);
    this.#E = new Float64Array(m * this.#real.rowLength);
    this.#EIm = new Float64Array(m * this.#real.rowLength);
    this.#diagonal = new Float64Array(m);
    this.#integralRows = new Float64Array(integrals * m);
  }

  get step(): number {
    return this.#step;
  }

  /** Takes a new Jacobian. `factor` must be called after it. */
  setJacobian(J: Float64Array): void {
    const [n, m, E, lower] = [this.#n, this.#m, this.#E, this.#integralRows];
    const { rowLength } = this.#real;
    for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) E[i * rowLength + j] = -J[i * n + j]!;
    for (let i = m, e = 0; i < n; i++) for (let j = 0; j < m; j++) lower[e++] = J[i * n + j]!;
    for (let i = 0; i < m; i++) this.#diagonal[i] = J[i * n + i]!;
    this.#real.analysePattern(E);
    this.#complex.analysePattern(E, this.#EIm);
  }

  /** Factors the matrices for a step h. False if one is singular. */
  factor(h: number): boolean {
    const [m, E, EIm, diagonal] = [this.#m, this.#E, this.#EIm, this.#diagonal];
    const { rowLength } = this.#real;
    this.#step = h;
    for (let i = 0; i < m; i++) E[i * rowLength + i] = GAMMA / h - diagonal[i]!;
    if (!this.#real.factor(E)) return false;
    for (let i = 0; i < m; i++) {
      E[i * rowLength + i] = ALPHA / h - diagonal[i]!;
      EIm[i * rowLength + i] = BETA / h;
    }
    return this.#complex.factor(E, EIm);
  }

  /** Solves (gamma / h - J) x = b in place. */
  solveReal(b: Float64Array): void {
    const n = this.#n;
    const m = this.#m;
    const step = this.#step;
    this.#real.solve(b);
    for (let i = m, e = 0; i < n; i++, e += m) b[i] = ((b[i]! + this.#rowTimes(e, b)) * step) / GAMMA;
  }

  /** Solves ((alpha + i beta) / h - J) x = re + i im in place. */
  solveComplex(re: Float64Array, im: Float64Array): void {
    const n = this.#n;
    const m = this.#m;
    this.#complex.solve(re, im);
    const perSquare = this.#step / (ALPHA * ALPHA + BETA * BETA);
    for (let i = m, e = 0; i < n; i++, e += m) {
      const x = re[i]! + this.#rowTimes(e, re);
      const y = im[i]! + this.#rowTimes(e, im);
      re[i] = (ALPHA * x + BETA * y) * perSquare;
      im[i] = (ALPHA * y - BETA * x) * perSquare;
    }
  }

  /** The row of an integral, which begins at index e, times x; in four independent sums, for speed. */
  #rowTimes(e: number, x: Float64Array): number {
    const lower = this.#integralRows;
    const m = this.#m;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let j = 0;
    for (; j + 3 < m; j += 4) {
      a += lower[e + j]! * x[j]!;
      b += lower[e + j + 1]! * x[j + 1]!;
      c += lower[e + j + 2]! * x[j + 2]!;
      d += lower[e + j + 3]! * x[j + 3]!;
    }
    for (; j < m; j++) a += lower[e + j]! * x[j]!;
    return a + b + (c + d);
  }
}
