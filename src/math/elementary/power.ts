const ODD_RECIPROCALS = Float64Array.from({ length: 13 }, (_, i) => 1 / (25 - 2 * i));

/**
 * xᵖ for x > 0 from operations that IEEE 754 rounds exactly. Engines round `**` differently, and a step size that differs in its last bit
 * changes a chaotic motion completely. Errors are within a few ulp.
 *
 *   x = 2ᵉ m, √½ <= m < √2;   ln m = 2 artanh s, s = (m - 1) / (m + 1)                                   [1]
 *   xᵖ = 2ⁿ exp(r),  n the integer nearest to p log₂ x,  |r| <= ln(2) / 2                                  [2]
 */
export function power(x: number, p: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x ** p; // 0, infinity and NaN: the same in every engine
  let e = 0;
  let m = x;
  for (; m >= 2 ** 32; m *= 2 ** -32) e += 32;
  for (; m < 2 ** -32; m *= 2 ** 32) e -= 32;
  for (; m >= 16; m *= 0.0625) e += 4;
  for (; m < 0.0625; m *= 16) e -= 4;
  for (; m >= Math.SQRT2; m *= 0.5) e += 1;
  for (; m < Math.SQRT1_2; m *= 2) e -= 1;
  const s = (m - 1) / (m + 1);
  const s2 = s * s;
  let series = 0;
  for (let i = 0; i < ODD_RECIPROCALS.length; i++) series = ODD_RECIPROCALS[i]! + s2 * series;
  const exponent = p * e;
  const n = Math.round(exponent + (p * 2 * s * series) / Math.LN2);
  const r = (exponent - n) * Math.LN2 + p * 2 * s * series;
  let exp = 1;
  for (let k = 17; k >= 1; k--) exp = 1 + (r / k) * exp;
  let scale = exp;
  for (let left = n; left > 0; left--) scale *= 2;
  for (let left = n; left < 0; left++) scale *= 0.5;
  return scale;
}
