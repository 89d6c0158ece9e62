/**
 * Direction numbers of Sobol' points. Every dimension belongs to a primitive polynomial over GF(2), found by search. Its first numbers are free odd
 * numbers: of several candidates the one is taken whose pairs with earlier dimensions fill the square best (their quality parameter t).
 */

export const MAX_SOBOL_DIMENSIONS = 200;
const BITS = 32;
/** Pairs are compared for 2^10 points, with at most this many earlier dimensions, and with this many candidates. */
const PAIR_BITS = 10;
const COMPARED = 24;
const CANDIDATES = 12;

const known: Uint32Array[] = [];
const polynomials: number[] = [];

/** The 32 direction numbers of a dimension, counted from 0. */
export function directionNumbers(dimension: number): Uint32Array {
  while (known.length <= dimension) known.push(nextDirections());
  return known[dimension]!;
}

/** Bits of point `index` in a dimension: the sum over GF(2) of the direction numbers at the ones of the Gray code of the index. */
export function sobolBits(index: number, directions: Uint32Array): number {
  let bits = 0;
  for (let gray = (index ^ (index >>> 1)) >>> 0, k = 0; gray !== 0; gray >>>= 1, k++) if (gray & 1) bits ^= directions[k]!;
  return bits >>> 0;
}

function nextDirections(): Uint32Array {
  if (known.length === 0) return Uint32Array.from({ length: BITS }, (_, k) => (0x80000000 >>> k) >>> 0); // van der Corput
  const polynomial = nextPrimitive(polynomials.at(-1) ?? 2);
  polynomials.push(polynomial);
  let best: { readonly directions: Uint32Array; readonly quality: number } | undefined;
  for (let candidate = 0; candidate < CANDIDATES; candidate++) {
    const directions = fromPolynomial(polynomial, firstNumbers(polynomial, candidate));
    const quality = pairQuality(directions);
    if (best === undefined || quality < best.quality) best = { directions, quality };
  }
  return best!.directions;
}

const degreeOf = (polynomial: number): number => 31 - Math.clz32(polynomial);

/** Odd numbers m_k < 2^k, from a linear congruential sequence that depends on polynomial and candidate. */
function firstNumbers(polynomial: number, candidate: number): number[] {
  let state = (Math.imul(polynomial, 0x9e3779b1) + Math.imul(candidate + 1, 0x85ebca6b)) >>> 0;
  return Array.from({ length: degreeOf(polynomial) }, (_, k) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 2 * ((state >>> 8) % 2 ** k) + 1;
  });
}

/** The recurrence of Sobol': m_k = 2^s m_{k-s} ⊕ m_{k-s} ⊕ Σ 2^i a_i m_{k-i}. */
function fromPolynomial(polynomial: number, first: readonly number[]): Uint32Array {
  const s = degreeOf(polynomial);
  const v = new Uint32Array(BITS);
  for (let k = 0; k < BITS; k++) {
    if (k < s) {
      v[k] = (first[k]! << (BITS - 1 - k)) >>> 0;
      continue;
    }
    let next = v[k - s]! ^ (v[k - s]! >>> s);
    for (let i = 1; i < s; i++) if ((polynomial >>> (s - i)) & 1) next ^= v[k - i]!;
    v[k] = next >>> 0;
  }
  return v;
}

/** Sum over pairs with earlier dimensions of 4^t, so that the worst pairs decide. */
function pairQuality(directions: Uint32Array): number {
  let sum = 0;
  for (const other of known.slice(-COMPARED)) sum += 4 ** pairParameter(directions, other);
  return sum;
}

/** Quality parameter t of the first 2^m points in two dimensions: m less the largest k such that all k leading rows are independent. */
export function pairParameter(a: Uint32Array, b: Uint32Array, m = PAIR_BITS): number {
  const [rowsA, rowsB] = [leadingRows(a, m), leadingRows(b, m)];
  for (let k = m; k >= 0; k--) {
    let isIndependent = true;
    for (let i = 0; i <= k && isIndependent; i++)
      isIndependent = areIndependent([...rowsA.slice(0, i), ...rowsB.slice(0, k - i)]);
    if (isIndependent) return m - k;
  }
  return m;
}

/** Row i of the generator matrix: bit i of the points as a function of the m lowest bits of the index. */
function leadingRows(v: Uint32Array, m: number): number[] {
  return Array.from({ length: m }, (_, i) => {
    let row = 0;
    for (let k = 0; k < m; k++) row |= ((v[k]! >>> (BITS - 1 - i)) & 1) << k;
    return row;
  });
}

function areIndependent(rows: readonly number[]): boolean {
  const basis: number[] = [];
  for (let row of rows) {
    for (const b of basis) row = Math.min(row, row ^ b);
    if (row === 0) return false;
    basis.push(row);
  }
  return true;
}

/** The next primitive polynomial over GF(2) after one, as the bits of its coefficients. */
function nextPrimitive(after: number): number {
  for (let p = after + 1; ; p++) if (isPrimitive(p)) return p;
}

/** True if x has the order 2^s - 1 modulo the polynomial. */
function isPrimitive(polynomial: number): boolean {
  const s = degreeOf(polynomial);
  if (s < 1 || (polynomial & 1) === 0) return false;
  const order = 2 ** s - 1;
  let power = 1;
  for (let k = 1; k <= order; k++) {
    power <<= 1;
    if (power >>> s) power ^= polynomial;
    if (power === 1) return k === order;
  }
  return false;
}
