/** Reduces the number of samples without a visible change of the drawing. */

/**
 * Indices of the samples to draw, ascending, about `points` of them. The time is divided into equal spans; each span keeps its first and
 * last sample, and the smallest and largest value of every column, so that a spike of a single sample stays visible.
 */
export function thinSamples(time: Float64Array, columns: readonly Float64Array[], points: number): Uint32Array {
  const n = time.length;
  if (n <= points) return Uint32Array.from({ length: n }, (_, i) => i);
  const spans = Math.max(1, Math.floor(points / (2 + 2 * columns.length)));
  const start = time[0]!;
  const perSpan = spans / (time[n - 1]! - start || 1);
  const kept: number[] = [];
  for (let from = 0; from < n; ) {
    const span = Math.floor((time[from]! - start) * perSpan);
    let to = from + 1;
    while (to < n && Math.floor((time[to]! - start) * perSpan) <= span) to++;
    const keptInSpan = new Set([from, to - 1]);
    for (const column of columns) {
      keptInSpan.add(indexOfExtreme(column, from, to, 1));
      keptInSpan.add(indexOfExtreme(column, from, to, -1));
    }
    kept.push(...[...keptInSpan].sort((a, b) => a - b));
    from = to;
  }
  return Uint32Array.from(kept);
}

/** First index of the largest sign * x in [from, to); `from` if all values are NaN. */
function indexOfExtreme(column: Float64Array, from: number, to: number, sign: 1 | -1): number {
  let best = from;
  for (let i = from + 1; i < to; i++) if (sign * column[i]! > sign * column[best]! || Number.isNaN(column[best]!)) best = i;
  return best;
}
