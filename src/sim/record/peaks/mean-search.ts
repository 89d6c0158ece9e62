/**
 * Largest and smallest mean of a function of time over a window: m(t) = (I(t) - I(t - w)) / w with I = ∫ g dt, where g is zero before the start of
 * the run. g is kept as Chebyshev series on pieces of time, as far back as the window reaches. Between two times at which t or t - w passes
 * the end of a piece, m is a polynomial, and its maximum is that of its interpolant.
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
import { checkSavedFinite, refuseSaved, savedArray, savedEntries } from "../../../saved-data.ts";

/** Relative accuracy of the series of g, and the number of pieces per window below which a piece may be less accurate. */
const CONVERGED = 1e-7;
const PIECES = 64;
/** Halvings of a step. Where g has a kink, its integral is accurate long before its values are. */
const DEEPEST = 16;
const MAX_EVALUATIONS = 400;
const POINTS = FINEST + 1;
/** Relative rounding of means and of their bounds, with a margin. */
const ROUNDING = 1e-13;

export class MeanSearch {
  readonly #window: number;
  readonly #read: (t: number) => number;
  /** Ends of pieces, I there, and the coefficients of g on the piece that ends there. The first entry is the start of the run. */
  #ends: number[] = [];
  #integrals: number[] = [];
  #series: Float64Array[] = [];
  readonly #values = new Float64Array(POINTS);
  readonly #coefficients = new Float64Array(POINTS);
  #largestValue = 0;
  #evaluations = 0;
  /** Largest and smallest mean, and their times. NaN before the first step. */
  readonly extremes = { most: Number.NaN, mostAt: 0, least: Number.NaN, leastAt: 0 };

  /** @param read the value of the channel at a time within the last step */
  constructor(window: number, read: (t: number) => number) {
    this.#window = window;
    this.#read = read;
  }

  /** Takes the values of an interval that follows the last one into account. */
  scan(a: number, b: number): void {
    if (this.#ends.length === 0) {
      this.#ends.push(a);
      this.#integrals.push(0);
      this.#series.push(new Float64Array(POINTS));
      this.#note(0, a);
    }
    this.#evaluations = 0;
    this.#fit(a, b, 0);
    if (this.#mayPassExtremes(a, b)) this.#findExtremes(a, b);
    this.#forget(b - this.#window);
  }

  save(): unknown {
    return {
      extremes: { ...this.extremes },
      largestValue: this.#largestValue,
      ends: Float64Array.from(this.#ends),
      integrals: Float64Array.from(this.#integrals),
      series: Float64Array.from(this.#series.flatMap((c) => [...c])),
    };
  }

  /** @throws FormatError */
  restore(saved: unknown, where: string): void {
    const entries = savedEntries(saved, ["extremes", "largestValue", "ends", "integrals", "series"], where);
    const ends = savedArray(entries.ends, Float64Array, `${where}.ends`);
    const integrals = savedArray(entries.integrals, Float64Array, `${where}.integrals`, ends.length);
    const series = savedArray(entries.series, Float64Array, `${where}.series`, POINTS * ends.length);
    for (const [name, numbers] of Object.entries({ ends, integrals, series })) checkSavedFinite(numbers, `${where}.${name}`);
    const wrong = ends.findIndex((t, i) => i > 0 && !(t > ends[i - 1]!));
    if (wrong >= 0) refuseSaved(`${where}.ends[${wrong}]`, "must increase", ends[wrong]);
    const extremes = savedEntries(entries.extremes, ["most", "mostAt", "least", "leastAt"], `${where}.extremes`);
    for (const [key, value] of Object.entries({ ...extremes, largestValue: entries.largestValue }))
      if (typeof value !== "number") refuseSaved(`${where}.${key}`, "must be a number", value);
    Object.assign(this.extremes, extremes);
    this.#largestValue = entries.largestValue as number;
    this.#ends = [...ends];
    this.#integrals = [...integrals];
    this.#series = Array.from(ends, (_, i) => series.slice(POINTS * i, POINTS * (i + 1)));
  }

  /** Adds the pieces of an interval, each with a series that has converged. */
  #fit(a: number, b: number, depth: number): void {
    const c = this.#coefficients;
    for (const N of CHEBYSHEV_LEVELS) {
      const stride = FINEST / N;
      for (let j = 0; j <= FINEST; j += stride)
        if (N === CHEBYSHEV_LEVELS[0] || (j / stride) % 2 === 1) this.#values[j] = this.#valueAt(chebyshevTime(j, a, b));
      chebyshevCoefficients(this.#values, N, c, 0);
      const share = Math.min(1, (PIECES * (b - a)) / this.#window);
      const isAccurate = share * chebyshevError(c, N, 0) <= CONVERGED * this.#largestValue;
      const isLast = N === FINEST && (depth >= DEEPEST || this.#evaluations > MAX_EVALUATIONS);
      if (isAccurate || isLast) {
        this.#add(N, a, b);
        return;
      }
    }
    const middle = 0.5 * (a + b);
    if (middle > a && middle < b) {
      this.#fit(a, middle, depth + 1);
      this.#fit(middle, b, depth + 1);
    } else this.#add(FINEST, a, b);
  }

  #valueAt(t: number): number {
    this.#evaluations++;
    const value = this.#read(t);
    if (!Number.isFinite(value)) return 0;
    this.#largestValue = Math.max(this.#largestValue, Math.abs(value));
    return value;
  }

  #add(N: number, a: number, b: number): void {
    const series = new Float64Array(POINTS);
    for (let k = 0; k <= N; k++) series[k] = this.#coefficients[k]!;
    this.#integrals.push(this.#integrals.at(-1)! + 0.5 * (b - a) * integralTo(series, 1));
    this.#ends.push(b);
    this.#series.push(series);
  }

  /** I at a time; zero before the start of the run. */
  #integral(t: number): number {
    const ends = this.#ends;
    if (t <= ends[0]! || ends.length === 1) return this.#integrals[0]!;
    let low = 0;
    let high = ends.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < t) low = middle;
      else high = middle;
    }
    const [a, b] = [ends[low]!, ends[high]!];
    const x = Math.min(1, (2 * (t - a)) / (b - a) - 1);
    return this.#integrals[low]! + 0.5 * (b - a) * integralTo(this.#series[high]!, x);
  }

  #mean(t: number): number {
    return (this.#integral(t) - this.#integral(t - this.#window)) / this.#window;
  }

  /**
   * False if the mean stays between its extremes from a to b: dm/dt = (g(t) - g(t - w)) / w, and the coefficients of a series bound it. The mean
   * at `a` is one of those that were compared with the extremes.
   */
  #mayPassExtremes(a: number, b: number): boolean {
    const w = this.#window;
    const change = ((b - a) * (this.#largestBetween(a, b) + this.#largestBetween(a - w, b - w))) / w;
    if (change === 0) return false; // both integrals stay the same to the last bit
    const before = this.#integral(a - w);
    const here = this.#integral(a);
    const mean = (here - before) / w;
    const reach = (1 + ROUNDING) * change + (ROUNDING * (Math.abs(here) + Math.abs(before))) / w;
    return !(mean + reach <= this.extremes.most && mean - reach >= this.extremes.least);
  }

  /** Bound of |g| on the pieces between two times. */
  #largestBetween(a: number, b: number): number {
    const ends = this.#ends;
    let largest = 0;
    for (let i = ends.length - 1; i > 0 && ends[i]! > a; i--)
      if (ends[i - 1]! < b)
        largest = Math.max(largest, Math.abs(this.#series[i]![0]!) + chebyshevSpread(this.#series[i]!, FINEST, 0));
    return largest;
  }

  /** Extremes of the mean between all times from a to b at which it changes its polynomial. */
  #findExtremes(a: number, b: number): void {
    const breaks = [a, b];
    for (const end of this.#ends) {
      if (end > a && end < b) breaks.push(end);
      if (end + this.#window > a && end + this.#window < b) breaks.push(end + this.#window);
    }
    breaks.sort((s, t) => s - t);
    for (let i = 1; i < breaks.length; i++)
      if (breaks[i]! > breaks[i - 1]!) this.#findExtremesBetween(breaks[i - 1]!, breaks[i]!);
  }

  #findExtremesBetween(a: number, b: number): void {
    for (let j = 0; j <= FINEST; j++) {
      const t = chebyshevTime(j, a, b);
      this.#values[j] = this.#mean(t);
      this.#note(this.#values[j]!, t);
    }
    chebyshevCoefficients(this.#values, FINEST, this.#coefficients, 0);
    const spread = chebyshevSpread(this.#coefficients, FINEST, 0);
    const c0 = this.#coefficients[0]!;
    for (const sign of [1, -1]) {
      const known = sign > 0 ? this.extremes.most : -this.extremes.least;
      if (sign * c0 + spread <= known) continue;
      const x = smallestAt((s) => -sign * chebyshevValue(this.#coefficients, FINEST, s, 0), FINEST);
      const t = a + 0.5 * (1 + x) * (b - a);
      this.#note(this.#mean(t), t);
    }
  }

  #note(mean: number, t: number): void {
    const { extremes } = this;
    if (!(mean <= extremes.most)) {
      extremes.most = mean;
      extremes.mostAt = t;
    }
    if (!(mean >= extremes.least)) {
      extremes.least = mean;
      extremes.leastAt = t;
    }
  }

  /** Drops pieces that end before a time. The start of the first remaining piece stays. */
  #forget(before: number): void {
    let count = 0;
    while (count + 1 < this.#ends.length && this.#ends[count + 1]! <= before) count++;
    if (count < this.#ends.length / 2) return; // seldom, because the rest is moved
    this.#ends.splice(0, count);
    this.#integrals.splice(0, count);
    this.#series.splice(0, count);
  }
}

/** ∫ Σ c_k T_k from -1 to x. ∫ T_k = T_{k+1} / (2 (k + 1)) - T_{k-1} / (2 (k - 1)) for k > 1. */
function integralTo(c: Float64Array, x: number): number {
  let sum = c[0]! * (x + 1) + 0.5 * c[1]! * (x * x - 1);
  // T_{k-1}(x), T_k(x) and T_{k+1}(x); at -1 they are ±1.
  let before = x;
  let here = 2 * x * x - 1;
  for (let k = 2; k < c.length; k++) {
    const after = 2 * x * here - before;
    const sign = k % 2 === 0 ? -1 : 1; // T_{k+1}(-1)
    sum += 0.5 * c[k]! * ((after - sign) / (k + 1) - (before - sign) / (k - 1));
    before = here;
    here = after;
  }
  return sum;
}
