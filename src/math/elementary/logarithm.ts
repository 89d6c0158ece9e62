/**
 * Natural logarithm from operations that IEEE 754 rounds exactly: the same bits on every machine and in every engine. Errors are below
 * 1 ulp.
 *
 *   x = 2ᵉ m, √½ <= m < √2;   ln x = e ln 2 + 2 artanh s,  s = (m - 1) / (m + 1)                            [1]
 *   2 artanh s = f - (h - s (h + T(s²))),  f = m - 1, h = f² / 2,  T(z) = 2z/3 + 2z²/5 + ...                    [2]
 *
 * Form [2] has f, which is exact, as its largest term, so that the rounding of s is not seen.
 */
import { splitBinaryExponent } from "./binary-exponent.ts";
import { EXPONENTIAL_CONSTANTS } from "./exponential.ts";

/** 2/25, 2/23, ..., 2/3. The next term of T is below 2^-62 at the largest s. */
const COEFFICIENTS = Float64Array.from({ length: 12 }, (_, i) => 2 / (25 - 2 * i));
const { ln2High: LN2_HIGH, ln2Low: LN2_LOW } = EXPONENTIAL_CONSTANTS;
const SPLIT = new Float64Array(2);

/** ln x, as Math.log. */
export function logarithm(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN;
  splitBinaryExponent(x, SPLIT);
  const e = SPLIT[1]!;
  const f = SPLIT[0]! - 1;
  const s = f / (2 + f);
  const z = s * s;
  let series = 0;
  for (let i = 0; i < COEFFICIENTS.length; i++) series = z * (COEFFICIENTS[i]! + series);
  const h = 0.5 * f * f;
  return e * LN2_HIGH - (h - (s * (h + series) + e * LN2_LOW) - f); // [2]; e LN2_HIGH is exact
}
