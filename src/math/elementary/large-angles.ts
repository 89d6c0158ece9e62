/**
 * Reduction of large angles to |r| <= π/4 in integer arithmetic, which is exact. It allocates; angles of 1e6 rad and more are rare.
 *
 *   x = m 2ᵉ with an integer m,   x 2/π = n + f,  |f| <= 1/2,   r = f π/2
 *
 * 2/π has 1200 bits: the largest e is 971, and no double is nearer to a multiple of π/2 than 2^-62 of it, so that f has 110 correct bits.
 */
import { splitBinaryExponent } from "./binary-exponent.ts";

/** 2/π 2^1200 without its fraction, in hexadecimal digits. */
export const TWO_OVER_PI_DIGITS =
  "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1d" +
  "eb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b" +
  "5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b";
/** π/2 2^200 without its fraction. */
export const HALF_PI_DIGITS = "1921fb54442d18469898cc51701b839a252049c1114cf98e804";

const TWO_OVER_PI_BITS = BigInt(`0x${TWO_OVER_PI_DIGITS}`);
const HALF_PI_BITS = BigInt(`0x${HALF_PI_DIGITS}`);
/** 2^53 and 2^-200. */
const MANTISSA = 9007199254740992;
const UNIT = 6.223015277861142e-61;
const SPLIT = new Float64Array(2);

/** Writes r and s with |x| = n π/2 + r - s, |s| <= ulp(r), and returns n mod 4. For finite |x| >= 1e6. */
export function reduceLargeAngle(x: number, out: Float64Array): number {
  splitBinaryExponent(Math.abs(x), SPLIT);
  const product = BigInt(SPLIT[0]! * MANTISSA) * TWO_OVER_PI_BITS;
  const shift = BigInt(1253 - SPLIT[1]!); // |x| 2/π = product 2^-shift
  const n = (product + (1n << (shift - 1n))) >> shift;
  const f = (product - (n << shift)) >> (shift - 200n);
  const r = (f * HALF_PI_BITS) >> 200n;
  const high = Number(r);
  out[0] = high * UNIT;
  out[1] = Number(BigInt(high) - r) * UNIT;
  return Number(n & 3n);
}
