/**
 * Sine and cosine by plain arithmetic, so that they are the same on every machine and in every engine, bit for bit; within 1 ulp of
 * Math.sin and Math.cos for |x| < 1e6, which larger arguments, infinities and NaN are left to. Numbers that are folded into kernels
 * use these functions, kernels the same formulas (kernel/wasm-sincos.ts).
 *
 *   n = x 2/π to the nearest integer,   x - n π/2 = r - s   with |r| <= π/4, |s| <= ulp(r) [1]
 *   sin(r - s) = r - (s (1 - r²/2) + r³ S(r²))                                             [2]
 *   cos(r - s) = 1 - r²/2 + (r⁴ C(r²) + r s)                                               [3]
 *
 * and the quadrant n mod 4 says which of the two is the sine, and their signs. S and C are minimax polynomials (Remez
 * exchange in 200-bit arithmetic, coefficients rounded one after the other): relative errors 2^-57.6 and 2^-62.6.
 */

export const LARGEST = 1e6;
export const TWO_OVER_PI = 0.6366197723675814;

/** π/2 in three parts. The first two have 33 bits, so that their products with |n| < 2^20 are exact: see [1]. */
export const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;

/** 1.5 2^52: adding it rounds to an integer, which then stands in the low bits. */
export const ROUNDER = 6755399441055744;

export type Coefficients = readonly [number, number, number, number, number, number];

export const S_POLYNOMIAL: Coefficients = [
  0.16666666666666635, -0.008333333333322914, 0.0001984126983009005, -2.755731376568386e-6, 2.5050767076087526e-8,
  -1.589719939929122e-10,
];
export const C_POLYNOMIAL: Coefficients = [
  0.041666666666666595, -0.0013888888888873387, 2.4801587289042317e-5, -2.7557314230051653e-7, 2.0875707582554254e-9,
  -1.135890336495522e-11,
];

export const sine = (x: number): number => inQuadrant(x, 0) ?? Math.sin(x);
export const cosine = (x: number): number => inQuadrant(x, 1) ?? Math.cos(x);

/** sin(x + shift π/2), undefined beyond the largest argument. */
function inQuadrant(x: number, shift: 0 | 1): number | undefined {
  if (!(Math.abs(x) < LARGEST)) return undefined;
  const n = x * TWO_OVER_PI + ROUNDER - ROUNDER;
  // [1]: see kernel/wasm-sincos.ts for what is exact
  const first = x - n * HALF_PI[0];
  const second = n * HALF_PI[1];
  const near = first - second;
  const rest = n * HALF_PI[2] - (first - near - second);
  const r = near - rest;
  const s = rest - (near - r);
  const z = r * r;
  const quadrant = (((n + shift) % 4) + 4) % 4;
  const value = quadrant % 2 === 0 ? sineNear(r, s, z) : cosineNear(r, s, z);
  return quadrant < 2 ? value : -value;
}

/** [2] */
const sineNear = (r: number, s: number, z: number): number => r - (s * (1 - 0.5 * z) + r * z * polynomial(S_POLYNOMIAL, z));

/** [3], with what the rounding of 1 - z/2 lost. */
function cosineNear(r: number, s: number, z: number): number {
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (z * z * polynomial(C_POLYNOMIAL, z) + r * s));
}

function polynomial(c: Coefficients, z: number): number {
  const zz = z * z;
  return c[0] + c[1] * z + zz * (c[2] + c[3] * z + zz * (c[4] + c[5] * z));
}
