/**
 * Counter-based random numbers: Philox4x32 with 10 rounds [Salmon et al., SC 2011]. A number is a function of key and counter, without state, so
 * every case of a campaign has its own stream, whoever computes it and in whichever order.
 */

const MULTIPLIERS = [0xd2511f53, 0xcd9e8d57] as const;
/** Steps of the key from round to round: the golden ratio, and √3 - 1, as 32-bit fractions. */
const KEY_STEPS = [0x9e3779b9, 0xbb67ae85] as const;
const ROUNDS = 10;

/** The upper 32 bits of a product of unsigned 32-bit numbers. */
function upperProduct(a: number, b: number): number {
  const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  return aHigh * bHigh + Math.floor(middle / 0x10000) + ((((middle & 0xffff) + aLow * bHigh) / 0x10000) >>> 0);
}

/** Replaces the four words of a counter by random ones. */
export function philox(counter: Uint32Array, key0: number, key1: number): void {
  let [c0, c1, c2, c3] = counter as unknown as [number, number, number, number];
  let [k0, k1] = [key0 >>> 0, key1 >>> 0];
  for (let round = 0; round < ROUNDS; round++) {
    const [high0, low0] = [upperProduct(MULTIPLIERS[0], c0), Math.imul(MULTIPLIERS[0], c0)];
    const [high1, low1] = [upperProduct(MULTIPLIERS[1], c2), Math.imul(MULTIPLIERS[1], c2)];
    [c0, c1, c2, c3] = [(high1 ^ c1 ^ k0) >>> 0, low1 >>> 0, (high0 ^ c3 ^ k1) >>> 0, low0 >>> 0];
    k0 = (k0 + KEY_STEPS[0]) >>> 0;
    k1 = (k1 + KEY_STEPS[1]) >>> 0;
  }
  counter[0] = c0;
  counter[1] = c1;
  counter[2] = c2;
  counter[3] = c3;
}

/** A number in (0, 1) with 53 random bits; 0 and 1 never occur. */
export const fractionOf = (high: number, low: number): number =>
  ((high >>> 5) * 0x4000000 + (low >>> 6) + 0.5) / 0x20000000000000;

/** A 32-bit hash of a text (FNV-1a): the stream of a name. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Random numbers of one name under one seed. They do not depend on other names, so campaigns with equal seeds share them. */
export class RandomStream {
  readonly #key0: number;
  readonly #key1: number;
  readonly #counter = new Uint32Array(4);

  constructor(seed: number, name: string) {
    this.#key0 = seed >>> 0;
    this.#key1 = textHash(name);
  }

  /** The number in (0, 1) of a case in a dimension. `purpose` separates numbers that one design uses for different things. */
  uniform(index: number, dimension: number, purpose = 0): number {
    this.#draw(index, dimension, purpose);
    return fractionOf(this.#counter[0]!, this.#counter[1]!);
  }

  /** 32 random bits. */
  bits(index: number, dimension: number, purpose = 0): number {
    this.#draw(index, dimension, purpose);
    return this.#counter[0]!;
  }

  #draw(index: number, dimension: number, purpose: number): void {
    this.#counter[0] = index;
    this.#counter[1] = Math.floor(index / 0x100000000);
    this.#counter[2] = dimension;
    this.#counter[3] = purpose;
    philox(this.#counter, this.#key0, this.#key1);
  }
}
