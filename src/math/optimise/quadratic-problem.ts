/**
 * Data of a quadratic program, min ½ xᵀ G x + gᵀ x with lower ≤ A x ≤ upper and xLower ≤ x ≤ xUpper. In the solver, "row k" is row k of A
 * for k < m, and the bounds of variable k - m otherwise.
 */
import { ArgumentError } from "../../errors.ts";

/** A violation below this is rounding, relative to the magnitudes that are added up in the row. */
const FEASIBILITY_TOLERANCE = 1e-12;

export class QuadraticProblem {
  /** Number of rows of A and of variables together. */
  readonly rowCount: number;
  readonly G: Float64Array;
  readonly g: Float64Array;
  readonly A: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly xLower: Float64Array;
  readonly xUpper: Float64Array;
  /** Bounds of all rows: copies of lower and xLower, and of upper and xUpper, made by `readBounds`. */
  readonly low: Float64Array;
  readonly high: Float64Array;

  constructor(
    readonly n: number,
    readonly m: number,
  ) {
    this.rowCount = m + n;
    this.G = new Float64Array(n * n);
    this.g = new Float64Array(n);
    this.A = new Float64Array(m * n);
    this.lower = new Float64Array(m);
    this.upper = new Float64Array(m);
    this.xLower = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
    this.xUpper = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
    this.low = new Float64Array(this.rowCount);
    this.high = new Float64Array(this.rowCount);
  }

  readBounds(): void {
    this.low.set(this.lower);
    this.low.set(this.xLower, this.m);
    this.high.set(this.upper);
    this.high.set(this.xUpper, this.m);
  }

  /** @throws ArgumentError if a coefficient is not finite or a bound is NaN */
  checkNumbers(): void {
    checkFinite("G", this.G);
    checkFinite("g", this.g);
    checkFinite("A", this.A);
    for (let k = 0; k < this.rowCount; k++) {
      if (!Number.isNaN(this.low[k]!) && !Number.isNaN(this.high[k]!)) continue;
      const name = k < this.m ? `row ${k}` : `variable ${k - this.m}`;
      throw new ArgumentError("bounds", `quadratic program: a bound of ${name} is NaN; use a number or an infinity`);
    }
  }

  /** The first row whose bounds no number satisfies, or -1. */
  firstEmptyRow(): number {
    for (let k = 0; k < this.rowCount; k++) if (this.isEmpty(k)) return k;
    return -1;
  }

  /** True if no finite number lies within the bounds of row k. */
  isEmpty(k: number): boolean {
    return !(
      this.low[k]! <= this.high[k]! &&
      this.low[k]! < Number.POSITIVE_INFINITY &&
      this.high[k]! > Number.NEGATIVE_INFINITY
    );
  }

  isEquality(k: number): boolean {
    return this.low[k] === this.high[k];
  }

  /** Value of row k at x: A_k x, or x_(k-m). */
  rowProduct(k: number, x: Float64Array): number {
    const { n, m, A } = this;
    if (k >= m) return x[k - m]!;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += A[k * n + i]! * x[i]!;
    return sum;
  }

  /** Distance of x beyond a bound of row k; 0 if the row holds within rounding. */
  violation(k: number, x: Float64Array): number {
    const { n, m, A, low, high } = this;
    if (k >= m) {
      const value = x[k - m]!;
      const excess = Math.max(low[k]! - value, value - high[k]!);
      return excess > FEASIBILITY_TOLERANCE * Math.abs(value) ? excess : 0;
    }
    let sum = 0;
    let magnitude = 0;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      const a = A[k * n + i]!;
      const term = a * x[i]!;
      sum += term;
      magnitude += Math.abs(term);
      squares += a * a;
    }
    const excess = Math.max(low[k]! - sum, sum - high[k]!);
    return excess > FEASIBILITY_TOLERANCE * magnitude ? excess / Math.sqrt(squares) : 0;
  }

  /** normal := side × row k, so that a row held at either bound reads normal · x ≥ bound. */
  writeNormal(k: number, side: number, normal: Float64Array): void {
    const { n, m, A } = this;
    if (k < m) for (let i = 0; i < n; i++) normal[i] = side * A[k * n + i]!;
    else {
      normal.fill(0);
      normal[k - m] = side;
    }
  }

  /** The bound that belongs to `writeNormal`: low, or -high at the upper bound. */
  signedBound(k: number, side: number): number {
    return side > 0 ? this.low[k]! : -this.high[k]!;
  }
}

function checkFinite(name: string, values: Float64Array): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i]))
      throw new ArgumentError(`${name}[${i}]`, `is ${values[i]}; a quadratic program needs finite numbers`);
}
