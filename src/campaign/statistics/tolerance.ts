/**
 * Order statistics without assumptions about the distribution. The k-th smallest of n values is below the quantile p with probability
 * P(B >= k), B binomial (n, p); so it bounds the quantile with a confidence that follows from n and k alone [Wilks 1941].
 */

import { exponential } from "../../math/elementary/exponential.ts";
import { logarithm } from "../../math/elementary/logarithm.ts";
import type { Interval } from "./wilson.ts";

/** ln n!, from Stirling's series for large n. */
function logFactorial(n: number): number {
  if (n < FACTORIALS.length) return FACTORIALS[n]!;
  const x = n + 1;
  return (x - 0.5) * logarithm(x) - x + 0.9189385332046727 + 1 / (12 * x) - 1 / (360 * x * x * x) + 1 / (1260 * x ** 5);
}

const FACTORIALS: readonly number[] = Array.from({ length: 30 }, (_, n) => {
  let sum = 0;
  for (let k = 2; k <= n; k++) sum += logarithm(k);
  return sum;
});

/** P(B <= k) of a binomial variable with n trials of probability p. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  if (p <= 0) return 1;
  if (p >= 1) return 0;
  // The terms fall off from the largest one, at about n p. They are summed away from it, on the side that has fewer of them.
  const term = (i: number): number =>
    exponential(logFactorial(n) - logFactorial(i) - logFactorial(n - i) + i * logarithm(p) + (n - i) * logarithm(1 - p));
  const isLower = k < n * p;
  let sum = 0;
  if (isLower) for (let i = k, t = term(k); i >= 0 && t > 1e-18 * sum; t *= (i * (1 - p)) / ((n - i + 1) * p), i--) sum += t;
  else for (let i = k + 1, t = term(k + 1); i <= n && t > 1e-18 * sum; t *= ((n - i) * p) / ((i + 1) * (1 - p)), i++) sum += t;
  return isLower ? Math.min(1, sum) : Math.max(0, 1 - sum);
}

/** Smallest whole number in [low, high] for which a monotonic test is true; undefined if there is none. */
function firstTrue(low: number, high: number, test: (k: number) => boolean): number | undefined {
  if (low > high || !test(high)) return undefined;
  let [a, b] = [low, high];
  while (a < b) {
    const middle = Math.floor((a + b) / 2);
    if (test(middle)) b = middle;
    else a = middle + 1;
  }
  return a;
}

/**
 * Upper tolerance bound: at least the fraction `content` of all cases lies below it, with this confidence. Undefined if there are too few values.
 * @param sorted increasing values
 */
export function upperToleranceBound(sorted: ArrayLike<number>, content = 0.997, confidence = 0.9): number | undefined {
  const n = sorted.length;
  // The k-th smallest value exceeds the quantile with probability P(B <= k - 1).
  const k = firstTrue(1, n, (rank) => binomialCdf(rank - 1, n, content) >= confidence);
  return k === undefined ? undefined : sorted[k - 1];
}

/** Lower tolerance bound: at least the fraction `content` lies above it, with this confidence. */
export function lowerToleranceBound(sorted: ArrayLike<number>, content = 0.997, confidence = 0.9): number | undefined {
  const n = sorted.length;
  const k = firstTrue(1, n, (rank) => binomialCdf(rank - 1, n, content) >= confidence);
  return k === undefined ? undefined : sorted[n - k];
}

/** Smallest number of cases whose largest value is a tolerance bound: 1 - content^n >= confidence. */
export const casesForToleranceBound = (content = 0.997, confidence = 0.9): number =>
  Math.ceil(logarithm(1 - confidence) / logarithm(content) - 1e-9);

/** Interval of a quantile with at least this confidence, from two order statistics; infinite where values are missing. */
export function quantileInterval(sorted: ArrayLike<number>, probability: number, confidence = 0.95): Interval {
  const n = sorted.length;
  const alpha = (1 - confidence) / 2;
  // low: the largest rank l with P(B < l) <= alpha. high: the smallest rank h with P(B < h) >= 1 - alpha.
  const above = firstTrue(1, n, (rank) => binomialCdf(rank - 1, n, probability) > alpha);
  const l = (above ?? n + 1) - 1;
  const h = firstTrue(1, n, (rank) => binomialCdf(rank - 1, n, probability) >= 1 - alpha);
  return {
    low: l < 1 ? Number.NEGATIVE_INFINITY : sorted[l - 1]!,
    high: h === undefined ? Number.POSITIVE_INFINITY : sorted[h - 1]!,
  };
}
