import { splitBinaryExponent } from "./binary-exponent.ts";

const ODD_RECIPROCALS = Float64Array.from({ length: 13 }, (_, i) => 1 / (25 - 2 * i));
const SPLIT = new Float64Array(2);
/** 2ⁿ is infinite above, and 0 below the negative of it. */
const LARGEST_EXPONENT = 1100;

/**
 * xᵖ from operations that IEEE 754 rounds exactly. Engines round `**` differently, and a step size that differs in its last bit changes a
 * chaotic motion completely. Errors are within 2 + |p ln x| ulp.
 *
 *   x = 2ᵉ m, √½ <= m < √2;   ln m = 2 artanh s, s = (m - 1) / (m + 1)                                   [1]
 *   xᵖ = 2ⁿ exp(r),  n the integer nearest to p log₂ x,  |r| <= ln(2) / 2                                  [2]
 */
export function power(x: number, p: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return powerAtLimit(x, p);
  splitBinaryExponent(x, SPLIT);
  const m = SPLIT[0]!;
  const s = (m - 1) / (m + 1);
  const s2 = s * s;
  let series = 0;
  for (let i = 0; i < ODD_RECIPROCALS.length; i++) series = ODD_RECIPROCALS[i]! + s2 * series;
  const exponent = p * SPLIT[1]!;
  const n = Math.round(exponent + (p * 2 * s * series) / Math.LN2);
  if (Math.abs(n) > LARGEST_EXPONENT) return n > 0 ? Number.POSITIVE_INFINITY : 0;
  const r = (exponent - n) * Math.LN2 + p * 2 * s * series;
  let exp = 1;
  for (let k = 17; k >= 1; k--) exp = 1 + (r / k) * exp;
  let scale = exp;
  for (let left = n; left > 0; left--) scale *= 2;
  for (let left = n; left < 0; left++) scale *= 0.5;
  return scale;
}

/** xᵖ for x = 0, infinity, NaN and negative x, as the operator `**`; zeros and infinities of odd powers are positive. */
function powerAtLimit(x: number, p: number): number {
  if (p === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(p)) return Number.NaN;
  if (x === 0) return p > 0 ? 0 : Number.POSITIVE_INFINITY;
  if (x === Number.POSITIVE_INFINITY) return p > 0 ? x : 0;
  return Number.isInteger(p) ? (p % 2 === 0 ? 1 : -1) * power(-x, p) : Number.NaN;
}

export const square = (x: number): number => x * x;
export const cube = (x: number): number => x * x * x;

/** xⁿ for an integer n >= 0 by repeated multiplication. */
export function integerPower(x: number, n: number): number {
  let product = 1;
  for (let k = 0; k < n; k++) product *= x;
  return product;
}
