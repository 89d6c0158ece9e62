/** Fewer samples for drawing, such that the drawing stays the same. */

/**
 * The samples to draw: all, or in each of equal spans of time the first, the last, and the smallest and the largest of every
 * column, so that a spike of a single sample survives. Ascending; about `points` of them.
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
    const here = new Set([from, to - 1]);
    for (const column of columns) {
      here.add(indexOfExtreme(column, from, to, 1));
      here.add(indexOfExtreme(column, from, to, -1));
    }
    kept.push(...[...here].sort((a, b) => a - b));
    from = to;
  }
  return Uint32Array.from(kept);
}

/** The first index of the largest of sign * x; of the first sample if none is a number. */
function indexOfExtreme(column: Float64Array, from: number, to: number, sign: 1 | -1): number {
  let best = from;
  for (let i = from + 1; i < to; i++) if (sign * column[i]! > sign * column[best]! || Number.isNaN(column[best]!)) best = i;
  return best;
}
