/** Rank correlation: how monotonically a measure depends on an input, whatever their distributions are. */
import { normalQuantile, upperTail } from "../random/normal.ts";

/** Ranks of values from 1; equal values share the mean of their ranks. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: values.length }, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let i = start; i < end; i++) ranks[order[i]!] = (start + end + 1) / 2;
    start = end;
  }
  return ranks;
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
export function rankCorrelation(x: ArrayLike<number>, y: ArrayLike<number>, confidence = 0.95): RankCorrelation {
  const n = x.length;
  const value = n < 3 ? Number.NaN : correlationOf(ranksOf(x), ranksOf(y));
  if (!Number.isFinite(value) || n < 5) return { value, low: -1, high: 1, chance: 1 };
  const z = Math.atanh(Math.min(1 - 1e-15, Math.max(-1 + 1e-15, value)));
  const half = normalQuantile(1 - (1 - confidence) / 2) * Math.sqrt((1 + (value * value) / 2) / (n - 3));
  const chance = Math.min(1, 2 * upperTail(Math.abs(value) * Math.sqrt(n - 1)));
  return { value, low: Math.tanh(z - half), high: Math.tanh(z + half), chance };
}
