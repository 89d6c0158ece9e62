/** The interval of Wilson for a probability from counts: good coverage also for few cases and for probabilities near 0 and 1. */
import { upperQuantile } from "../random/normal.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Interval of the probability after `passed` of `count` cases. Without cases it is [0, 1]. */
export function wilsonInterval(passed: number, count: number, confidence = 0.95): Interval {
  if (count === 0) return { low: 0, high: 1 };
  const z = upperQuantile((1 - confidence) / 2);
  const p = passed / count;
  const centre = (p + (z * z) / (2 * count)) / (1 + (z * z) / count);
  const half = (z / (1 + (z * z) / count)) * Math.sqrt((p * (1 - p)) / count + (z * z) / (4 * count * count));
  return { low: passed === 0 ? 0 : Math.max(0, centre - half), high: passed === count ? 1 : Math.min(1, centre + half) };
}
