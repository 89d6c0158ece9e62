/**
 * The integral of a function over the run, from its values on the continuous motion: Clenshaw-Curtis quadrature on each step, with halved intervals
 * where the function has not been resolved.
 */
import {
  CHEBYSHEV_LEVELS,
  chebyshevCoefficients,
  chebyshevError,
  chebyshevTime,
  FINEST,
} from "../../../math/approximation/chebyshev.ts";
import { refuseSaved, savedEntries } from "../../../saved-data.ts";

/** Accuracy of the interpolant on an interval, relative to the largest value so far. */
const CONVERGED = 1e-9;
/** Halvings of a step, and evaluations in one step. */
const DEEPEST = 20;
const MAX_EVALUATIONS = 600;

export class TotalSearch {
  readonly #read: (t: number) => number;
  readonly #values = new Float64Array(FINEST + 1);
  readonly #coefficients = new Float64Array(FINEST + 1);
  #largestValue = 0;
  #evaluations = 0;
  /** The integral until now, and the time until which it goes. */
  readonly total = { value: 0, at: 0 };

  /** @param read the value of the function at a time within the last step */
  constructor(read: (t: number) => number) {
    this.#read = read;
  }

  /** Adds the integral over an interval that follows the last one. */
  scan(a: number, b: number): void {
    this.#evaluations = 0;
    this.total.value += this.#integral(a, b, 0);
    this.total.at = b;
  }

  save(): unknown {
    return { ...this.total, largestValue: this.#largestValue };
  }

  /** @throws FormatError */
  restore(saved: unknown, where: string): void {
    const { value, at, largestValue } = savedEntries(saved, ["value", "at", "largestValue"], where);
    for (const [key, number] of Object.entries({ value, at, largestValue }))
      if (typeof number !== "number") refuseSaved(`${where}.${key}`, "must be a number", number);
    Object.assign(this.total, { value, at });
    this.#largestValue = largestValue as number;
  }

  #integral(a: number, b: number, depth: number): number {
    const c = this.#coefficients;
    for (const N of CHEBYSHEV_LEVELS) {
      const stride = FINEST / N;
      for (let j = 0; j <= FINEST; j += stride)
        if (N === CHEBYSHEV_LEVELS[0] || (j / stride) % 2 === 1) this.#values[j] = this.#valueAt(chebyshevTime(j, a, b));
      chebyshevCoefficients(this.#values, N, c, 0);
      const isLast = N === FINEST && (depth >= DEEPEST || this.#evaluations > MAX_EVALUATIONS);
      if (isLast || chebyshevError(c, N, 0) <= CONVERGED * this.#largestValue) return 0.5 * (b - a) * seriesIntegral(c, N);
    }
    const middle = 0.5 * (a + b);
    if (!(middle > a && middle < b)) return 0.5 * (b - a) * seriesIntegral(c, FINEST);
    return this.#integral(a, middle, depth + 1) + this.#integral(middle, b, depth + 1);
  }

  #valueAt(t: number): number {
    this.#evaluations++;
    const value = this.#read(t);
    this.#largestValue = Math.max(this.#largestValue, Math.abs(value) || 0);
    return value;
  }
}

/** ∫ Σ c_k T_k dx over [-1, 1] = Σ 2 c_k / (1 - k²), k even. */
function seriesIntegral(c: Float64Array, N: number): number {
  let sum = 0;
  for (let k = 0; k <= N; k += 2) sum += (2 * c[k]!) / (1 - k * k);
  return sum;
}
