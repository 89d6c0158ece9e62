/**
 * Finds the first time within a step at which a condition becomes true, also if it holds only for a moment between two points of the step.
 *
 * The values of each comparison are interpolated in Chebyshev polynomials at 5, 9 and 17 points. The coefficients bound the interpolant, and
 * the last ones estimate its error. An interval whose values stay clear of zero by more than that is finished. Otherwise the values are
 * looked at where the interpolants come closest to zero, then at more points, then in both halves of the interval. Coordinates and speeds
 * are polynomials within a step, so their interpolants are exact. Far from zero five points per step are enough.
 */
import {
  CHEBYSHEV_LEVELS,
  chebyshevCoefficients,
  chebyshevError,
  chebyshevSpread,
  chebyshevTime,
  chebyshevValue,
  FINEST,
  smallestAt,
} from "../../math/approximation/chebyshev.ts";

/** Comparisons that are all true, with negative values, when a condition holds. */
export interface Comparisons {
  readonly count: number;
  /** Writes the value of each comparison at a time within the step. */
  write(t: number, out: Float64Array): void;
}

/** A closest approach to zero within this part of the largest value is a touch: rounding decides about its sign. */
const ROUNDING = 1e-14;
/** Halvings of an interval; halvings if a value in it is not finite; evaluations in one search. Values that jump need many, and end here. */
const DEEPEST = 40;
const DEEPEST_IF_NOT_FINITE = 4;
const MAX_EVALUATIONS = 1000;

export class ConditionSearch {
  readonly #count: number;
  /** Values and coefficients of each comparison: FINEST + 1 numbers each. */
  readonly #values: Float64Array;
  readonly #coefficients: Float64Array;
  readonly #errors: Float64Array;
  readonly #out: Float64Array;
  #comparisons: Comparisons | undefined;
  #seek: -1 | 1 = -1;
  #level = 0;
  #evaluations = 0;

  constructor(count: number) {
    this.#count = count;
    this.#values = new Float64Array((FINEST + 1) * count);
    this.#coefficients = new Float64Array((FINEST + 1) * count);
    this.#errors = new Float64Array(count);
    this.#out = new Float64Array(count);
  }

  /**
   * First time after `a` and until `b` at which the largest value has the sign `seek`, which it has not at `a`; NaN if there is none. Located to
   * rounding.
   * @param resolution the interval is searched in parts that are not longer than this, s
   */
  first(comparisons: Comparisons, seek: -1 | 1, a: number, b: number, resolution = Number.POSITIVE_INFINITY): number {
    this.#comparisons = comparisons;
    this.#seek = seek;
    const parts = Math.max(1, Math.ceil((b - a) / resolution));
    for (let i = 0; i < parts; i++) {
      this.#evaluations = 0;
      const found = this.#search(a + ((b - a) * i) / parts, i === parts - 1 ? b : a + ((b - a) * (i + 1)) / parts, 0);
      if (!Number.isNaN(found)) return found;
    }
    return Number.NaN;
  }

  /** First sign of the largest value, from `a` to `b`, that is not zero; 0 if it is zero at all points of the coarsest level. */
  signAfter(comparisons: Comparisons, a: number, b: number): number {
    this.#comparisons = comparisons;
    for (let j = 0; j <= FINEST; j += FINEST / CHEBYSHEV_LEVELS[0]) {
      const sign = Math.sign(this.#largestAt(chebyshevTime(j, a, b)));
      if (sign === 1 || sign === -1) return sign;
    }
    return 0;
  }

  #largestAt(t: number): number {
    const out = this.#out;
    this.#evaluations++;
    this.#comparisons!.write(t, out);
    let largest = out[0]!;
    for (let i = 1; i < out.length; i++) largest = Math.max(largest, out[i]!);
    return largest;
  }

  #isWanted(t: number): boolean {
    return Math.sign(this.#largestAt(t)) === this.#seek;
  }

  #search(a: number, b: number, depth: number): number {
    let areFinite = true;
    for (let l = 0; l < CHEBYSHEV_LEVELS.length && areFinite; l++) {
      const N = CHEBYSHEV_LEVELS[l]!;
      const wanted = this.#sample(a, b, N, l === 0 ? "all" : "new");
      if (wanted > 0) return this.#firstBetween(a, chebyshevTime(wanted, a, b), depth);
      areFinite = this.#fit(N);
      if (!areFinite) break;
      if (this.#isClear(N)) return Number.NaN;
      const x = smallestAt(this.#bound, N);
      const lowest = this.#bound(x);
      if (lowest > 0) return Number.NaN;
      const t = a + 0.5 * (1 + x) * (b - a);
      if (t > a && t < b && this.#isWanted(t)) return this.#firstBetween(a, t, depth);
      if (lowest > -ROUNDING * this.#largestCoefficientSum(N)) return Number.NaN;
    }
    const middle = 0.5 * (a + b);
    const isDone = depth >= (areFinite ? DEEPEST : DEEPEST_IF_NOT_FINITE) || this.#evaluations > MAX_EVALUATIONS;
    if (isDone || !(middle > a && middle < b)) return Number.NaN;
    const found = this.#search(a, middle, depth + 1);
    return Number.isNaN(found) ? this.#search(middle, b, depth + 1) : found;
  }

  /** First root between a time at which the condition is not true, and a later one at which it is. */
  #firstBetween(a: number, b: number, depth: number): number {
    let wanted = this.#sample(a, b, CHEBYSHEV_LEVELS[0], "all");
    if (wanted < 0) wanted = FINEST;
    const left = chebyshevTime(wanted - FINEST / CHEBYSHEV_LEVELS[0], a, b);
    const right = chebyshevTime(wanted, a, b);
    if (left > a && depth < DEEPEST && this.#evaluations < MAX_EVALUATIONS) {
      const before = this.#search(a, left, depth + 1);
      if (!Number.isNaN(before)) return before;
    }
    return this.#bisect(left, right);
  }

  /** First time, to rounding, at which the condition is true, if that happens once in the interval. Bisection, because values may jump. */
  #bisect(left: number, right: number): number {
    let [a, b] = [left, right];
    for (;;) {
      const middle = 0.5 * (a + b);
      if (!(middle > a && middle < b)) return b;
      if (this.#isWanted(middle)) b = middle;
      else a = middle;
    }
  }

  /**
   * Evaluates the points of level N in order: all, or those that the coarser level lacks. Stops at a point with the wanted sign and returns
   * its index on the finest level; -1 if there is none. The first point does not count: the condition is known to be not true there.
   */
  #sample(a: number, b: number, N: number, points: "all" | "new"): number {
    const stride = FINEST / N;
    for (let j = points === "all" ? 0 : 1; j <= N; j += points === "all" ? 1 : 2) {
      const largest = this.#largestAt(chebyshevTime(j * stride, a, b));
      for (let i = 0; i < this.#count; i++) this.#values[i * (FINEST + 1) + j * stride] = this.#out[i]!;
      if (j > 0 && Math.sign(largest) === this.#seek) return j * stride;
    }
    return -1;
  }

  /** Interpolates. Returns whether all values are finite. */
  #fit(N: number): boolean {
    this.#level = N;
    let sum = 0;
    for (let i = 0; i < this.#count; i++) {
      const at = i * (FINEST + 1);
      chebyshevCoefficients(this.#values, N, this.#coefficients, at);
      this.#errors[i] = chebyshevError(this.#coefficients, N, at);
      sum += this.#coefficients[at]! * 0;
    }
    return sum === 0;
  }

  /** True if the sums of the coefficients alone show that the wanted sign is not reached. */
  #isClear(N: number): boolean {
    const seek = this.#seek;
    let largest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.#count; i++) {
      const at = i * (FINEST + 1);
      largest = Math.max(
        largest,
        this.#coefficients[at]! + seek * (chebyshevSpread(this.#coefficients, N, at) + this.#errors[i]!),
      );
    }
    return -seek * largest > 0;
  }

  /** Distance of the interpolants from the wanted sign, less their errors. The wanted sign may be reached only where this is negative. */
  readonly #bound = (x: number): number => {
    let largest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.#count; i++)
      largest = Math.max(
        largest,
        chebyshevValue(this.#coefficients, this.#level, x, i * (FINEST + 1)) + this.#seek * this.#errors[i]!,
      );
    return -this.#seek * largest;
  };

  #largestCoefficientSum(N: number): number {
    let largest = 0;
    for (let i = 0; i < this.#count; i++) {
      const at = i * (FINEST + 1);
      largest = Math.max(largest, Math.abs(this.#coefficients[at]!) + chebyshevSpread(this.#coefficients, N, at));
    }
    return largest;
  }
}
