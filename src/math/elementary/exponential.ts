/**
 * eˣ from operations that IEEE 754 rounds exactly: the same bits on every machine and in every engine. Errors are within 1 ulp.
 *
 *   x = n ln 2 + r,  |r| <= ln(2) / 2,   eˣ = 2ⁿ (1 + r + r² Σ rᵏ / (k + 2)!)
 */

/**
 * ln 2 in two parts. The first has 32 bits, so that its products with n are exact. Adding and subtracting 1.5 2^52 rounds to an integer.
 */
export const EXPONENTIAL_CONSTANTS = {
  perLn2: Math.LOG2E,
  ln2High: 0.6931471803691238,
  ln2Low: 1.9082149292705877e-10,
  rounder: 6755399441055744,
  /** 1/2! ... 1/13! in three groups that can be evaluated in parallel. The next term is below 2^-57. */
  low: [0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333],
  middle: [0.001388888888888889, 0.0001984126984126984, 2.48015873015873e-5, 2.7557319223985893e-6],
  high: [2.755731922398589e-7, 2.505210838544172e-8, 2.08767569878681e-9, 1.6059043836821613e-10],
} as const;
const { perLn2: PER_LN2, ln2High: LN2_HIGH, ln2Low: LN2_LOW, rounder: ROUNDER } = EXPONENTIAL_CONSTANTS;
const [L0, L1, L2, L3] = EXPONENTIAL_CONSTANTS.low;
const [M0, M1, M2, M3] = EXPONENTIAL_CONSTANTS.middle;
const [H0, H1, H2, H3] = EXPONENTIAL_CONSTANTS.high;
const LARGEST = 709.782712893384;
const SMALLEST = -745.1332191019412;
/** For |x| below this, eˣ and 2ⁿ are normal numbers. */
const IN_RANGE_LIMIT = 700;
const SMALLEST_EXPONENT = -1022;

/** 2^-1022 to 2^1023. */
const POWERS_OF_TWO = new Float64Array(2046);
for (let k = 0, power = 2.2250738585072014e-308; k < POWERS_OF_TWO.length; k++, power *= 2) POWERS_OF_TWO[k] = power;

export const exponential = (x: number): number =>
  Math.abs(x) < IN_RANGE_LIMIT ? exponentialInRange(x) : exponentialNearLimits(x);

function exponentialInRange(x: number): number {
  const n = x * PER_LN2 + ROUNDER - ROUNDER;
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  return (1 + exponentialSeries(r)) * POWERS_OF_TWO[n - SMALLEST_EXPONENT]!;
}

/** eʳ - 1 for |r| <= ln(2) / 2. */
function exponentialSeries(r: number): number {
  const z = r * r;
  const zz = z * z;
  const low = L0 + r * L1 + z * (L2 + r * L3);
  const middle = M0 + r * M1 + z * (M2 + r * M3);
  const high = H0 + r * H1 + z * (H2 + r * H3);
  return r + z * (low + zz * (middle + zz * high));
}

/** eˣ for x where the result or 2ⁿ can overflow or underflow. */
function exponentialNearLimits(x: number): number {
  if (x > LARGEST) return Number.POSITIVE_INFINITY;
  if (x < SMALLEST) return 0;
  if (Number.isNaN(x)) return x;
  const half = exponential(0.5 * x);
  return half * half;
}

/** eˣ - 1 without loss of digits at small x, as Math.expm1. Errors are within 4 ulp. */
export const exponentialMinusOne = (x: number): number =>
  Math.abs(x) < 0.5 * Math.LN2 ? exponentialSeries(x) : exponential(x) - 1;

/** tanh x. Errors are within 3 ulp. */
export function hyperbolicTangent(x: number): number {
  const t = exponentialMinusOne(2 * Math.min(Math.abs(x), 20)); // tanh 20 rounds to 1
  const size = t / (t + 2);
  return x < 0 ? -size : size;
}

/** cosh x; infinite where eˣ is. Errors are within 2 ulp. */
export function hyperbolicCosine(x: number): number {
  const growing = exponential(Math.abs(x));
  return 0.5 * (growing + 1 / growing);
}
