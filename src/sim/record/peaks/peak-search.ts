/**
 * Largest values of several functions of time within a step. The values are interpolated in Chebyshev polynomials at 3, 5, 9 and 17 points. Where
 * an interpolant, with its estimated error, stays below the largest value so far, the interval is finished. Elsewhere the function is
 * evaluated at the maximum of the interpolant, until the interpolant has converged; then in both halves of the interval.
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
} from "../../../math/approximation/chebyshev.ts";

/** The value that extremes must exceed to matter: the largest `best` of those that share it. */
export interface Reach {
  best: number;
}

/** A channel whose largest value (sign 1) or smallest value (sign -1) is followed. `best` is sign × value; -Infinity: none yet. */
export interface FollowedExtreme {
  readonly channel: number;
  readonly sign: 1 | -1;
  best: number;
  at: number;
  /** Shared by extremes of which only the largest matters; of an extreme that matters by itself, its own. */
  reach: Reach;
}

/** Values at three points clear an interval if they stay below the largest value by this many times their range. */
const RANGE_CAUTION = 4;
/** The rate within a step may exceed the rates at its stages by this factor. */
const RATE_CAUTION = 3;
/** Relative accuracy at which an interpolant has converged; smaller gains are not looked for. */
const CONVERGED = 2e-8;
/** Halvings of an interval, and evaluations in one step. */
const DEEPEST = 30;
const MAX_EVALUATIONS = 600;
const MIDDLE = FINEST / 2;

export class PeakSearch {
  readonly #extremes: readonly FollowedExtreme[];
  readonly #count: number;
  /** Values of each channel at the points of the finest level, and coefficients of their interpolants. */
  readonly #values: Float64Array;
  readonly #coefficients: Float64Array;
  readonly #read: (t: number) => Float64Array;
  /** Extremes that may be exceeded in the present interval. */
  readonly #open: Uint8Array;
  readonly #startsWithThree: boolean;
  /** The interpolant of which the bound is looked for: its level, its first coefficient, the sign, its error. */
  #level = 0;
  #first = 0;
  #sign = 1;
  #error = 0;
  #evaluations = 0;

  /** @param read values of all channels at a time @param startsWithThree for steps of low order, which follow no fast changes */
  constructor(extremes: readonly FollowedExtreme[], count: number, read: (t: number) => Float64Array, startsWithThree: boolean) {
    this.#extremes = extremes;
    this.#count = count;
    this.#values = new Float64Array((FINEST + 1) * count);
    this.#coefficients = new Float64Array((FINEST + 1) * count);
    this.#open = new Uint8Array(extremes.length);
    this.#read = read;
    this.#startsWithThree = startsWithThree;
  }

  /** Takes all values of an interval into account. @param rates bounds of the rates of the channels in it, NaN if not known */
  scan(a: number, b: number, rates?: Float64Array): void {
    this.#evaluations = 0;
    this.#open.fill(1);
    this.#evaluate(0, a, b);
    this.#evaluate(FINEST, a, b);
    if (rates && this.#closeByRates(rates, b - a)) return;
    this.#scan(a, b, 0, this.#startsWithThree);
  }

  /** Values at both ends of the interval are known. */
  #scan(a: number, b: number, depth: number, startWithThree: boolean): void {
    this.#evaluate(MIDDLE, a, b);
    if (startWithThree && this.#closeByRange()) return;
    for (const N of CHEBYSHEV_LEVELS) {
      const stride = FINEST / N;
      for (let j = stride; j < FINEST; j += 2 * stride) if (j !== MIDDLE) this.#evaluate(j, a, b);
      if (this.#closeByInterpolant(N, a, b)) return;
    }
    const middle = 0.5 * (a + b);
    if (depth >= DEEPEST || this.#evaluations > MAX_EVALUATIONS || !(middle > a && middle < b)) return;
    const wasOpen = this.#open.slice();
    const values = this.#values.slice();
    this.#moveHalf(values, 0);
    this.#scan(a, middle, depth + 1, false);
    this.#open.set(wasOpen);
    this.#moveHalf(values, MIDDLE);
    this.#scan(middle, b, depth + 1, false);
  }

  /** Values at the ends of a half of an interval, from those of the whole. */
  #moveHalf(values: Float64Array, from: number): void {
    for (let c = 0; c < this.#count; c++) {
      const at = c * (FINEST + 1);
      this.#values[at] = values[at + from]!;
      this.#values[at + FINEST] = values[at + from + MIDDLE]!;
    }
  }

  #evaluate(j: number, a: number, b: number): void {
    const t = chebyshevTime(j, a, b);
    const sample = this.#read(t);
    this.#evaluations++;
    for (let c = 0; c < this.#count; c++) this.#values[c * (FINEST + 1) + j] = sample[c]!;
    this.#note(sample, t);
  }

  #note(sample: Float64Array, t: number): void {
    for (let k = 0; k < this.#extremes.length; k++) {
      const extreme = this.#extremes[k]!;
      const value = extreme.sign * sample[extreme.channel]!;
      if (!(value > extreme.best)) continue;
      extreme.best = value;
      extreme.at = t;
      if (value > extreme.reach.best) extreme.reach.best = value;
    }
  }

  /** Closes extremes that the values at both ends and bounds of the rates show to be out of reach. Returns true if none is open. */
  #closeByRates(rates: Float64Array, h: number): boolean {
    let isClosed = true;
    for (let k = 0; k < this.#extremes.length; k++) {
      const { channel, sign, reach } = this.#extremes[k]!;
      const at = channel * (FINEST + 1);
      const most = Math.max(sign * this.#values[at]!, sign * this.#values[at + FINEST]!);
      if (most + 0.5 * RATE_CAUTION * h * rates[channel]! <= reach.best) this.#open[k] = 0;
      else isClosed = false;
    }
    return isClosed;
  }

  /** Closes extremes that three values show to be out of reach. Returns true if none is open. */
  #closeByRange(): boolean {
    let isClosed = true;
    for (let k = 0; k < this.#extremes.length; k++) {
      if (this.#open[k] === 0) continue;
      const { channel, sign, reach } = this.#extremes[k]!;
      const { best } = reach;
      const at = channel * (FINEST + 1);
      const v0 = sign * this.#values[at]!;
      const v1 = sign * this.#values[at + MIDDLE]!;
      const v2 = sign * this.#values[at + FINEST]!;
      const most = Math.max(v0, v1, v2);
      const range = most - Math.min(v0, v1, v2);
      if (most + RANGE_CAUTION * range <= best && (range === 0 || most < best)) this.#open[k] = 0;
      else isClosed = false;
    }
    return isClosed;
  }

  /** Closes extremes by their interpolants of level N; evaluates the functions at maxima that may exceed them. True if none is open. */
  #closeByInterpolant(N: number, a: number, b: number): boolean {
    let isClosed = true;
    for (let k = 0; k < this.#extremes.length; k++) {
      if (this.#open[k] === 0) continue;
      if (this.#isOutOfReach(this.#extremes[k]!, N, a, b)) this.#open[k] = 0;
      else isClosed = false;
    }
    return isClosed;
  }

  #isOutOfReach(extreme: FollowedExtreme, N: number, a: number, b: number): boolean {
    const { channel, sign, reach: shared } = extreme;
    const c = this.#coefficients;
    const at = channel * (FINEST + 1);
    chebyshevCoefficients(this.#values, N, c, at);
    const spread = chebyshevSpread(c, N, at);
    const error = chebyshevError(c, N, at);
    if (Number.isNaN(spread)) return N === FINEST; // values that are not numbers: only the others count
    const scale = Math.max(Math.abs(shared.best), Math.abs(c[at]!) + spread);
    const reach = shared.best + CONVERGED * scale;
    if (sign * c[at]! + spread + error <= reach) return true;
    this.#level = N;
    this.#first = at;
    this.#sign = sign;
    this.#error = error;
    const x = smallestAt(this.#negativeBound, N);
    if (-this.#negativeBound(x) <= reach) return true;
    if (x > -1 && x < 1) {
      const t = a + 0.5 * (1 + x) * (b - a);
      this.#evaluations++;
      this.#note(this.#read(t), t);
    }
    return error <= CONVERGED * scale;
  }

  /**
   * Minus the largest value at x that the interpolant and its error allow. The error vanishes at the points of interpolation: it is in proportion
   * to (1 - x²) U_{N-1}(x) = sin θ sin N θ with x = cos θ.
   */
  readonly #negativeBound = (x: number): number => {
    let T = 8 * x * x * (x * x - 1) + 1;
    for (let N = 4; N < this.#level; N *= 2) T = 2 * T * T - 1;
    const weight = Math.sqrt(Math.max(0, (1 - x * x) * (1 - T * T)));
    return -(this.#sign * chebyshevValue(this.#coefficients, this.#level, x, this.#first) + this.#error * weight);
  };
}
