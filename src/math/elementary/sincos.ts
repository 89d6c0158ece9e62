/**
 * Sine and cosine from plain arithmetic: the same bits on every machine and in every engine. Errors are below 0.8 ulp. Larger arguments
 * than 1e6 are reduced in integers (large-angles.ts). Constants that are folded while tracing use these functions; kernels use the same
 * formulas (kernel/emit/wasm/sincos.ts, kernel/emit/js-sincos.ts).
 *
 *   n = x 2/π to the nearest integer,   x - n π/2 = r - s   with |r| <= π/4, |s| <= ulp(r) [1]
 *   sin(r - s) = r - (s (1 - r²/2) + r³ S(r²))                                             [2]
 *   cos(r - s) = 1 - r²/2 + (r⁴ C(r²) + r s)                                               [3]
 *
 * The quadrant n mod 4 selects which of the two is the sine, and the signs. S and C are minimax polynomials (Remez
 * exchange in 200-bit arithmetic, coefficients rounded one after the other): relative errors 2^-57.6 and 2^-62.6.
 */
import { reduceLargeAngle } from "./large-angles.ts";

export const LARGEST_REDUCED_ANGLE = 1e6;
export const TWO_OVER_PI = 0.6366197723675814;

/** π/2 in three parts. The first two have 33 bits, so that their products with |n| < 2^20 are exact: see [1]. */
export const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;

/** 1.5 2^52: adding it rounds to an integer, which is then in the low bits. */
export const INTEGER_ROUNDER = 6755399441055744;

export type SincosPolynomial = readonly [number, number, number, number, number, number];

export const S_POLYNOMIAL: SincosPolynomial = [
  0.16666666666666635, -0.008333333333322914, 0.0001984126983009005, -2.755731376568386e-6, 2.5050767076087526e-8,
  -1.589719939929122e-10,
];
export const C_POLYNOMIAL: SincosPolynomial = [
  0.041666666666666595, -0.0013888888888873387, 2.4801587289042317e-5, -2.7557314230051653e-7, 2.0875707582554254e-9,
  -1.135890336495522e-11,
];

export const sine = (x: number): number =>
  Math.abs(x) < LARGEST_REDUCED_ANGLE ? sineWithQuadrantShift(x, 0) : sineOfLarge(x, 0);
export const cosine = (x: number): number =>
  Math.abs(x) < LARGEST_REDUCED_ANGLE ? sineWithQuadrantShift(x, 1) : sineOfLarge(x, 1);

const [HALF_PI_HIGH, HALF_PI_MIDDLE, HALF_PI_LOW] = HALF_PI;
const [S0, S1, S2, S3, S4, S5] = S_POLYNOMIAL;
const [C0, C1, C2, C3, C4, C5] = C_POLYNOMIAL;

/** sin(x + shift π/2) for |x| < LARGEST_REDUCED_ANGLE. */
function sineWithQuadrantShift(x: number, shift: 0 | 1): number {
  const n = x * TWO_OVER_PI + INTEGER_ROUNDER - INTEGER_ROUNDER;
  // [1]: kernel/emit/wasm/sincos.ts explains which of these operations are exact
  const first = x - n * HALF_PI_HIGH;
  const second = n * HALF_PI_MIDDLE;
  const difference = first - second;
  const remainder = n * HALF_PI_LOW - (first - difference - second);
  const r = difference - remainder;
  const s = remainder - (difference - r);
  return sineInQuadrant(n + shift, r, s);
}

/** sin(n π/2 + r - s) */
function sineInQuadrant(n: number, r: number, s: number): number {
  const z = r * r;
  const quadrant = n & 3; // two's complement: n mod 4 also for negative n
  const value = (quadrant & 1) === 0 ? sineNear(r, s, z) : cosineNear(r, s, z);
  return quadrant < 2 ? value : -value;
}

const REDUCED = new Float64Array(2);

/** sin(x + shift π/2) for |x| >= LARGEST_REDUCED_ANGLE; NaN for infinities and NaN. */
function sineOfLarge(x: number, shift: 0 | 1): number {
  if (!Number.isFinite(x)) return Number.NaN;
  const n = reduceLargeAngle(x, REDUCED);
  const value = sineInQuadrant(n + shift, REDUCED[0]!, REDUCED[1]!);
  return x < 0 && shift === 0 ? -value : value;
}

/** [2] */
function sineNear(r: number, s: number, z: number): number {
  const zz = z * z;
  return r - (s * (1 - 0.5 * z) + r * z * (S0 + S1 * z + zz * (S2 + S3 * z + zz * (S4 + S5 * z))));
}

/** [3], including the rounding error of 1 - z/2. */
function cosineNear(r: number, s: number, z: number): number {
  const zz = z * z;
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (zz * (C0 + C1 * z + zz * (C2 + C3 * z + zz * (C4 + C5 * z))) + r * s));
}

/** Sine and cosine of x. Same bits as `sine` and `cosine`; faster for |x| <= UNREDUCED_ANGLE. */
export function sineAndCosine(x: number, out: Float64Array): void {
  if (!(Math.abs(x) <= UNREDUCED_ANGLE)) {
    out[0] = sine(x);
    out[1] = cosine(x);
    return;
  }
  const z = x * x;
  out[0] = sineNear(x, 0, z);
  out[1] = cosineNear(x, 0, z);
}

/** Sines and cosines of the first `count` angles. Same bits as `sine` and `cosine`. */
export function sinesAndCosines(x: Float64Array, sines: Float64Array, cosines: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const angle = x[i]!;
    const isNear = Math.abs(angle) <= UNREDUCED_ANGLE;
    const z = angle * angle;
    sines[i] = isNear ? sineNear(angle, 0, z) : sine(angle);
    cosines[i] = isNear ? cosineNear(angle, 0, z) : cosine(angle);
  }
}

/** Up to this angle x 2/π rounds to 0, and the reduction [1] does not change x. */
export const UNREDUCED_ANGLE = 0.785;

/** tan x. Errors are below 2.5 ulp. */
export const tangent = (x: number): number => sine(x) / cosine(x);
