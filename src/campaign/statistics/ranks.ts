/** Rank correlation: how monotonically a measure depends on an input, whatever their distributions are. */
import { normalQuantile, upperTail } from "../random/normal.ts";

/** Ranks of values from 1; equal values share the mean of their ranks. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  // The shared rank of each run of equal values, at the first of them.
  const rankAt = new Float64Array(n);
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && sorted[end] === sorted[start]) end++;
    rankAt[start] = (start + end + 1) / 2;
    start = end;
  }
  const ranks = new Float64Array(n);
  for (let i = 0; i < n; i++) ranks[i] = rankAt[firstIndexOf(sorted, values[i]!)]!;
  return ranks;
}

/** Index of the first entry of increasing values that is not below a value. */
function firstIndexOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function correlationOf(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length;
  let [meanX, meanY, xx, yy, xy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [dx, dy] = [x[i]! - meanX, y[i]! - meanY];
    meanX += dx / (i + 1);
    meanY += dy / (i + 1);
    xx += dx * (x[i]! - meanX);
    yy += dy * (y[i]! - meanY);
    xy += dx * (y[i]! - meanY);
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : Number.NaN;
}

export interface RankCorrelation {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Probability of a correlation of this size, or larger, if both were independent. */
  readonly chance: number;
}

/** Spearman's rank correlation with an interval by Fisher's transformation, with the variance of Bonett and Wright. */
export const rankCorrelation = (x: ArrayLike<number>, y: ArrayLike<number>, confidence = 0.95): RankCorrelation =>
  correlationOfRanks(ranksOf(x), ranksOf(y), confidence);

/** The same from ranks, which are computed once for several pairs. */
export function correlationOfRanks(x: Float64Array, y: Float64Array, confidence = 0.95): RankCorrelation {
  const n = x.length;
  const value = n < 3 ? Number.NaN : correlationOf(x, y);
  if (!Number.isFinite(value) || n < 5) return { value, low: -1, high: 1, chance: 1 };
  const z = Math.atanh(Math.min(1 - 1e-15, Math.max(-1 + 1e-15, value)));
  const half = normalQuantile(1 - (1 - confidence) / 2) * Math.sqrt((1 + (value * value) / 2) / (n - 3));
  const chance = Math.min(1, 2 * upperTail(Math.abs(value) * Math.sqrt(n - 1)));
  return { value, low: Math.tanh(z - half), high: Math.tanh(z + half), chance };
}
