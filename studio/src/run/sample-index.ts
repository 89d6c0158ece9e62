/** Index of the last sample up to time t; -1 if there is none. */
export function lastSampleUpTo(times: Float64Array, t: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Index of the last sample up to time t; 0 if t is before the first sample. */
export const sampleIndexAt = (times: Float64Array, t: number): number => Math.max(0, lastSampleUpTo(times, t));
