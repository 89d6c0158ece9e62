/**
 * Source text of sine and cosine for emitted JavaScript: the formulas of math/elementary/sincos.ts and large-angles.ts, so that every target
 * and every engine computes the same bits. It is text because an emitted module imports nothing.
 */
import { HALF_PI_DIGITS, TWO_OVER_PI_DIGITS } from "../../math/elementary/large-angles.ts";
import {
  C_POLYNOMIAL,
  HALF_PI,
  INTEGER_ROUNDER,
  LARGEST_REDUCED_ANGLE,
  S_POLYNOMIAL,
  type SincosPolynomial,
  TWO_OVER_PI,
} from "../../math/elementary/sincos.ts";

const polynomial = (c: SincosPolynomial): string =>
  `(${c[0]} + ${c[1]} * z + zz * (${c[2]} + ${c[3]} * z + zz * (${c[4]} + ${c[5]} * z)))`;

/** Declares sine(x) and cosine(x), within 0.8 ulp for all angles. */
export const JS_SINCOS = `
// sin(n pi/2 + r - s), |r| <= pi/4
function sineInQuadrant(n, r, s) {
  const z = r * r;
  const zz = z * z;
  const half = 0.5 * z;
  const w = 1 - half;
  const value = (n & 1) === 0
    ? r - (s * w + r * z * ${polynomial(S_POLYNOMIAL)})
    : w + (1 - w - half + (zz * ${polynomial(C_POLYNOMIAL)} + r * s));
  return (n & 2) === 0 ? value : -value;
}
function sineOfSum(x, shift) {
  if (!(Math.abs(x) < ${LARGEST_REDUCED_ANGLE})) return sineOfLarge(x, shift);
  const n = x * ${TWO_OVER_PI} + ${INTEGER_ROUNDER} - ${INTEGER_ROUNDER};
  const first = x - n * ${HALF_PI[0]};
  const second = n * ${HALF_PI[1]};
  const difference = first - second;
  const remainder = n * ${HALF_PI[2]} - (first - difference - second);
  const r = difference - remainder;
  return sineInQuadrant(n + shift, r, remainder - (difference - r));
}
// reduction of large angles in integers
function sineOfLarge(x, shift) {
  if (!Number.isFinite(x)) return NaN;
  let m = Math.abs(x);
  let e = 0;
  for (; m >= 9007199254740992; m *= 0.5) e++;
  for (; m < 4503599627370496; m *= 2) e--;
  const product = BigInt(m) * 0x${TWO_OVER_PI_DIGITS}n;
  const places = BigInt(1200 - e);
  const n = (product + (1n << (places - 1n))) >> places;
  const r = (((product - (n << places)) >> (places - 200n)) * 0x${HALF_PI_DIGITS}n) >> 200n;
  const high = Number(r);
  const value = sineInQuadrant(Number(n & 3n) + shift, high * 6.223015277861142e-61, Number(BigInt(high) - r) * 6.223015277861142e-61);
  return x < 0 && shift === 0 ? -value : value;
}
const sine = (x) => sineOfSum(x, 0);
const cosine = (x) => sineOfSum(x, 1);
`;
