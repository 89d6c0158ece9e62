/**
 * Sobol indices from the samples of a sensitivity design. First order S_i: the part of the variance that vanishes if input i is fixed. Total T_i: the
 * part that remains if all others are fixed. Estimators of Saltelli et al. 2010 (S) and Jansen 1999 (T); intervals by bootstrap over rows.
 */
import { RandomStream } from "../random/philox.ts";
import { sampleQuantile } from "./quantile.ts";
import type { Interval } from "./wilson.ts";

export interface SobolIndex {
  readonly name: string;
  readonly first: Interval & { readonly value: number };
  readonly total: Interval & { readonly value: number };
}

/** Values of a row: of A, of B, and of A with each input from B. A row with a missing value is left out. */
export type SensitivityRow = ArrayLike<number>;

const RESAMPLES = 400;

export function sobolIndices(
  names: readonly string[],
  rows: readonly SensitivityRow[],
  confidence = 0.95,
  seed = 1,
): readonly SobolIndex[] {
  const complete = rows.filter((row) => Array.prototype.every.call(row, Number.isFinite));
  const n = complete.length;
  if (n < 2) return names.map((name) => ({ name, first: UNKNOWN, total: UNKNOWN }));
  const terms = termsOf(complete, names.length);
  const point = estimates(terms, n, names.length, (i) => i);
  const draw = smallGenerator(new RandomStream(seed, "bootstrap of Sobol indices").bits(0, 0));
  const samples = Array.from({ length: RESAMPLES }, () => estimates(terms, n, names.length, () => Math.floor(n * draw())));
  const interval = (value: number, own: readonly number[]): SobolIndex["first"] => {
    const sorted = [...own].sort((a, b) => a - b);
    const alpha = (1 - confidence) / 2;
    // Reflected about the estimate (basic bootstrap), which follows skewed distributions.
    return { value, low: 2 * value - sampleQuantile(sorted, 1 - alpha), high: 2 * value - sampleQuantile(sorted, alpha) };
  };
  return names.map((name, i) => ({
    name,
    first: interval(
      point.first[i]!,
      samples.map((s) => s.first[i]!),
    ),
    total: interval(
      point.total[i]!,
      samples.map((s) => s.total[i]!),
    ),
  }));
}

const UNKNOWN = { value: Number.NaN, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** A fast generator for resampling: xorshift with a multiplied output. */
function smallGenerator(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x9e3779b1) >>> 0) / 0x100000000;
  };
}

/**
 * Terms of each row whose sums give the estimates: a + b, a² + b², and for each input b (c - a), c - a and (c - a)², where a, b and c are the values of A,
 * of B, and of A with this input from B, less the mean of all, which keeps digits.
 */
function termsOf(rows: readonly SensitivityRow[], inputs: number): Float64Array {
  const width = 2 + 3 * inputs;
  let mean = 0;
  for (const row of rows) mean += (row[0]! + row[1]!) / (2 * rows.length);
  const terms = new Float64Array(width * rows.length);
  for (const [i, row] of rows.entries()) {
    const [a, b] = [row[0]! - mean, row[1]! - mean];
    terms[i * width] = a + b;
    terms[i * width + 1] = a * a + b * b;
    for (let k = 0; k < inputs; k++) {
      const change = row[2 + k]! - row[0]!;
      const at = i * width + 2 + 3 * k;
      terms[at] = b * change;
      terms[at + 1] = change;
      terms[at + 2] = change * change;
    }
  }
  return terms;
}

/** S = Σ (b - m)(c - a) / (n V) and T = Σ (c - a)² / (2 n V), over the chosen rows. */
function estimates(
  terms: Float64Array,
  n: number,
  inputs: number,
  chosen: (i: number) => number,
): { readonly first: readonly number[]; readonly total: readonly number[] } {
  const width = 2 + 3 * inputs;
  const sums = new Float64Array(width);
  for (let i = 0; i < n; i++) {
    const at = width * chosen(i);
    for (let k = 0; k < width; k++) sums[k]! += terms[at + k]!;
  }
  const mean = sums[0]! / (2 * n);
  const variance = sums[1]! / (2 * n) - mean * mean;
  const inputsOf = (value: (at: number) => number): number[] => Array.from({ length: inputs }, (_, k) => value(2 + 3 * k));
  return {
    first: inputsOf((at) => (sums[at]! - mean * sums[at + 1]!) / (n * variance)),
    total: inputsOf((at) => sums[at + 2]! / (2 * n * variance)),
  };
}
