/** Quantiles of samples. */

/** The quantile of sorted values, linear between neighbours: the k-th of n values is the quantile k / (n - 1), k = 0 ... n - 1. */
export function sampleQuantile(sorted: ArrayLike<number>, probability: number): number {
  if (sorted.length === 0) return Number.NaN;
  const place = probability * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
}
