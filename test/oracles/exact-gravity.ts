/** Gravity of a point mass with J2 and its differences, in integer arithmetic with 60 decimals: an oracle without rounding. */

const DIGITS = 60n;
const ONE = 10n ** DIGITS;

/** A double as an exact fixed-point number. */
function fixed(value: number): bigint {
  const exponent = Math.max(0, 60 - Math.floor(Math.log2(Math.abs(value) || 1)));
  // value 2^exponent is an integer in double precision, with at most 53 significant bits.
  return (BigInt(value * 2 ** exponent) * ONE) / 2n ** BigInt(exponent);
}

const times = (a: bigint, b: bigint): bigint => (a * b) / ONE;
const over = (a: bigint, b: bigint): bigint => (a * ONE) / b;

function squareRoot(value: bigint): bigint {
  const target = value * ONE;
  let x = 1n << BigInt(Math.ceil(target.toString(2).length / 2) + 1);
  for (let next = (x + target / x) / 2n; next < x; next = (x + target / x) / 2n) x = next;
  return x;
}

export interface Field {
  readonly mu: number;
  readonly j2: number;
  readonly radius: number;
}

function acceleration({ mu, j2, radius }: Field, r: readonly bigint[]): bigint[] {
  const square = r.reduce((sum, x) => sum + times(x, x), 0n);
  const cube = times(square, squareRoot(square));
  const oblateness = over(times(fixed(j2), times(fixed(radius), fixed(radius))), square);
  const sineSquare = over(times(r[2]!, r[2]!), square);
  const along = ONE + (3n * times(oblateness, ONE - 5n * sineSquare)) / 2n;
  const strength = -over(fixed(mu), cube);
  return r.map((x, i) => times(strength, times(i === 2 ? along + 3n * oblateness : along, x)));
}

/** Number near a fixed-point one, to the last digit. */
const double = (value: bigint): number => Number(value) / 1e60;

/** g(r + d) - g(r), correct to the last digit, however small d is. */
export function gravityDifference(field: Field, r: readonly number[], d: readonly number[]): number[] {
  const from = r.map(fixed);
  const to = from.map((x, i) => x + fixed(d[i]!));
  const [a, b] = [acceleration(field, from), acceleration(field, to)];
  return b.map((value, i) => double(value - a[i]!));
}
