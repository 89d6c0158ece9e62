/**
 * Elementary functions in fixed-point integers with 2400 binary places, from their series: the reference for the functions that Castor
 * computes in doubles. All errors are below 2^-1200.
 */
const PLACES = 2400n;
const ONE = 1n << PLACES;

const times = (a: bigint, b: bigint): bigint => (a * b) >> PLACES;
const over = (a: bigint, b: bigint): bigint => (a << PLACES) / b;
const size = (a: bigint): bigint => (a < 0n ? -a : a);

/** A double as a fixed-point number, exactly. */
export function exact(x: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const all = bits.getBigUint64(0);
  const exponent = (all >> 52n) & 0x7ffn;
  const fraction = all & 0xfffffffffffffn;
  const mantissa = exponent === 0n ? fraction : fraction | (1n << 52n);
  const value = mantissa << (PLACES - 1074n + (exponent === 0n ? 0n : exponent - 1n));
  return x < 0 ? -value : value;
}

/** Error of a double in units of its last place, where the exact value is given. */
export function errorInUlp(computed: number, expected: bigint): number {
  const binaryExponent = size(expected).toString(2).length - 1; // 2ᵏ <= |expected|
  const ulp = 1n << BigInt(Math.max(binaryExponent - 52, Number(PLACES) - 1074));
  return Number((size(exact(computed) - expected) * 1000n) / ulp) / 1000;
}

/** Σ of terms while they are not 0. */
function sum(first: bigint, next: (term: bigint, k: bigint) => bigint): bigint {
  let total = 0n;
  for (let [term, k] = [first, 1n]; term !== 0n; term = next(term, k), k++) total += term;
  return total;
}

/** atan x for |x| < 1 by its series: x - x³/3 + x⁵/5 - ... */
function arctangentSeries(x: bigint): bigint {
  const z = times(x, x);
  let total = 0n;
  for (let [power, k] = [x, 1n]; power !== 0n; power = -times(power, z), k += 2n) total += power / k;
  return total;
}

/** artanh x for |x| < 1 by its series: x + x³/3 + x⁵/5 + ... */
function artanhSeries(x: bigint): bigint {
  const z = times(x, x);
  let total = 0n;
  for (let [power, k] = [x, 1n]; power !== 0n; power = times(power, z), k += 2n) total += power / k;
  return total;
}

const PI = 4n * (4n * arctangentSeries(ONE / 5n) - arctangentSeries(ONE / 239n));
const LN2 = 2n * artanhSeries(ONE / 3n);

/** Newton's iteration for the root of the integer n, from above. */
function integerRoot(n: bigint, degree: bigint): bigint {
  if (n === 0n) return 0n;
  let root = 1n << (BigInt(n.toString(2).length) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * root + n / root ** (degree - 1n)) / degree;
    if (next >= root) return root;
    root = next;
  }
}

export const exactSquareRoot = (x: bigint): bigint => integerRoot(x << PLACES, 2n);
export const exactCubeRoot = (x: bigint): bigint =>
  x < 0n ? -integerRoot(-x << (2n * PLACES), 3n) : integerRoot(x << (2n * PLACES), 3n);

export function exactExponential(x: bigint): bigint {
  const n = (2n * x + LN2) / (2n * LN2) - (2n * x + LN2 < 0n ? 1n : 0n);
  const r = x - n * LN2;
  const value = sum(ONE, (term, k) => times(term, r) / k);
  return n >= 0n ? value << n : value >> -n;
}

export function exactLogarithm(x: bigint): bigint {
  const e = BigInt(x.toString(2).length) - 1n - PLACES;
  const m = e >= 0n ? x >> e : x << -e; // 1 <= m < 2; the bits shifted out of a double are 0
  return e * LN2 + 2n * artanhSeries(over(m - ONE, m + ONE));
}

/** [sin x, cos x] */
export function exactSineAndCosine(x: bigint): [bigint, bigint] {
  const n = (2n * size(x) + PI / 2n) / PI; // |x| = n π/2 + r
  const r = size(x) - (n * PI) / 2n;
  const z = times(r, r);
  const sine = sum(r, (term, k) => -times(term, z) / (2n * k * (2n * k + 1n)));
  const cosine = sum(ONE, (term, k) => -times(term, z) / (2n * k * (2n * k - 1n)));
  const [s, c] = [
    [sine, cosine],
    [cosine, -sine],
    [-sine, -cosine],
    [-cosine, sine],
  ][Number(n & 3n)] as [bigint, bigint];
  return [x < 0n ? -s : s, c];
}

export function exactTangent(x: bigint): bigint {
  const [s, c] = exactSineAndCosine(x);
  return over(s, c);
}

/** The angle of the point (x, y), neither of which is 0. */
export function exactArctangent(y: bigint, x: bigint): bigint {
  const [a, b] = [size(y), size(x)];
  let t = a < b ? over(a, b) : over(b, a);
  for (let k = 0; k < 3; k++) t = over(t, ONE + exactSquareRoot(ONE + times(t, t))); // halves the angle
  const angle = a < b ? 8n * arctangentSeries(t) : PI / 2n - 8n * arctangentSeries(t);
  const inHalfPlane = x < 0n ? PI - angle : angle;
  return y < 0n ? -inHalfPlane : inHalfPlane;
}

export const exactArcCosine = (x: bigint): bigint => exactArctangent(exactSquareRoot(ONE - times(x, x)), x);

export function exactHyperbolicTangent(x: bigint): bigint {
  const e = exactExponential(2n * x);
  return over(e - ONE, e + ONE);
}

export const exactHyperbolicCosine = (x: bigint): bigint => (exactExponential(x) + exactExponential(-x)) / 2n;
export const exactNorm = (v: readonly bigint[]): bigint => exactSquareRoot(v.reduce((total, x) => total + times(x, x), 0n));
export const exactPower = (x: bigint, p: bigint): bigint => exactExponential(times(p, exactLogarithm(x)));
export const exactMinusOne = (x: bigint): bigint => x - ONE;
