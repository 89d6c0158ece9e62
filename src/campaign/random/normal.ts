/** The normal distribution to double precision, from series and continued fractions, with the elementary functions of the core: same bits everywhere. */
import { exponential } from "../../math/elementary/exponential.ts";
import { logarithm } from "../../math/elementary/logarithm.ts";

const INVERSE_ROOT_TWO_PI = 0.3989422804014327;
/** Where the series is replaced by the continued fraction. */
const SERIES_END = 3;

export const normalDensity = (x: number): number => INVERSE_ROOT_TWO_PI * exponential(-0.5 * x * x);

/** P(Z > x) of a standard normal variable, with full relative accuracy for x >= 0. */
export function upperTail(x: number): number {
  if (x < 0) return 1 - upperTail(-x);
  if (x > 38.5) return 0; // below the smallest double
  if (x < SERIES_END) return 0.5 - normalDensity(x) * centreSeries(x);
  return normalDensity(x) / tailFraction(x);
}

export const normalCdf = (x: number): number => upperTail(-x);

/** (Φ(x) - 1/2) / φ(x) = x + x³/3 + x⁵/(3·5) + ...: all terms have one sign. */
function centreSeries(x: number): number {
  let [term, sum] = [x, x];
  for (let k = 3; term > 1e-17 * sum; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return sum;
}

/** φ(x) / P(Z > x) = x + 1/(x + 2/(x + 3/(x + ...))), evaluated from the far end. */
function tailFraction(x: number): number {
  let fraction = x;
  for (let k = Math.ceil(10 + 500 / (x * x)); k > 0; k--) fraction = x + k / fraction; // the error is below exp(-2 x √(2 k))
  return fraction;
}

/** The value that a standard normal variable exceeds with probability p. @param p between 0 and 1, exclusive */
export function upperQuantile(p: number): number {
  if (p > 0.5) return -upperQuantile(1 - p);
  if (p === 0.5) return 0;
  // Start: the leading terms of the asymptotic expansion, or the tangent at the centre. Then Newton's method on ln P, which is concave.
  const size = Math.sqrt(-2 * logarithm(p));
  let x = p > 0.1 ? (0.5 - p) / INVERSE_ROOT_TWO_PI : size - (logarithm(size) + 0.9189385332046727) / size;
  for (let i = 0; i < 60; i++) {
    const tail = upperTail(x);
    const change = (logarithm(tail / p) * tail) / normalDensity(x);
    x += change;
    if (Math.abs(change) <= 3e-16 * Math.max(1, x)) break;
  }
  return x;
}

/** The quantile of a standard normal variable. */
export const normalQuantile = (u: number): number => -upperQuantile(u);
