/** A random permutation of 0 .. n-1 whose entries are computed one by one, without a table: a Feistel cipher with cycle walking. */
import type { RandomStream } from "./philox.ts";

const ROUNDS = 6;

/**
 * The image of `index` under the permutation of a stream in a dimension. The cipher permutes the numbers of 2k bits that cover n; a result beyond
 * n is enciphered again, which ends after at most four attempts on average.
 */
export function permuted(index: number, n: number, stream: RandomStream, dimension: number, purpose: number): number {
  let half = 1;
  while (4 ** half < n) half++;
  const base = 2 ** half;
  let value = index;
  do {
    let [left, right] = [Math.floor(value / base), value % base];
    for (let round = 0; round < ROUNDS; round++)
      [left, right] = [right, (left ^ (stream.bits(right, dimension, purpose + round) % base)) >>> 0];
    value = left * base + right;
  } while (value >= n);
  return value;
}
