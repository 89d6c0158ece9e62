/**
 * eˣ by operations that IEEE 754 rounds exactly, so that it is the same to the last bit wherever it is computed; within 1 ulp.
 *
 *   x = n ln 2 + r,  |r| <= ln(2) / 2,   eˣ = 2ⁿ (1 + r + r² Σ rᵏ / (k + 2)!)
 */

const PER_LN2 = Math.LOG2E;
/** ln 2 in two parts. The first has 32 bits, so that its products with n are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** 1.5 2^52: adding it rounds to an integer. */
const ROUNDER = 6755399441055744;
const LARGEST = 709.782712893384;
const SMALLEST = -745.1332191019412;
/** Up to here eˣ and 2ⁿ are plain numbers. */
const PLAIN = 700;
const LEAST_POWER = -1022;

/** 2^-1022 to 2^1023. */
const POWERS = new Float64Array(2046);
for (let k = 0, power = 2 ** LEAST_POWER; k < POWERS.length; k++, power *= 2) POWERS[k] = power;

export const exponential = (x: number): number => (Math.abs(x) < PLAIN ? plain(x) : atTheEnds(x));

/** eˣ in place of the first `count` numbers x; the same bits as one by one. */
export function exponentials(x: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) x[i] = exponential(x[i]!);
}

function plain(x: number): number {
  const n = x * PER_LN2 + ROUNDER - ROUNDER;
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  const z = r * r;
  const zz = z * z;
  // 1/2! ... 1/13!, in pairs so that they do not wait for each other: the next term is below 2^-57.
  const low = 0.5 + r * 0.16666666666666666 + z * (0.041666666666666664 + r * 0.008333333333333333);
  const middle = 0.001388888888888889 + r * 0.0001984126984126984 + z * (2.48015873015873e-5 + r * 2.7557319223985893e-6);
  const high = 2.755731922398589e-7 + r * 2.505210838544172e-8 + z * (2.08767569878681e-9 + r * 1.6059043836821613e-10);
  const value = 1 + (r + z * (low + zz * (middle + zz * high)));
  return value * POWERS[n - LEAST_POWER]!;
}

/** Where the result, or 2ⁿ, can leave the range of numbers. */
function atTheEnds(x: number): number {
  if (x > LARGEST) return Number.POSITIVE_INFINITY;
  if (x < SMALLEST) return 0;
  if (Number.isNaN(x)) return x;
  const half = exponential(0.5 * x);
  return half * half;
}
