/**
 * On which sides of planes points are, as sets of planes: bit k of a word is plane k. So polygons that are outside of a plane, and the planes that cut
 * a polygon, follow from few operations on words. Nothing here allocates after the construction.
 */

/** Planes of a word. */
const BITS = 32;

export class PointSides {
  /** Words of each point. */
  words = 0;
  /** Of point i, from `words` × i on: the planes behind which it is not, and those in front of which it is. */
  readonly notBehind: Int32Array;
  readonly before: Int32Array;
  /** Planes that the last search found, as words. */
  readonly found: Int32Array;

  /** For at most so many points and planes. */
  constructor(points: number, planes: number) {
    const words = Math.ceil(planes / BITS);
    this.notBehind = new Int32Array(words * points);
    this.before = new Int32Array(words * points);
    this.found = new Int32Array(words);
  }

  /** Takes the planes from `first` to `end` (normal, offset) and points. Returns false if a plane has no point behind it. */
  fill(points: Float64Array, count: number, planes: Float64Array, first: number, end: number): boolean {
    const { notBehind, before } = this;
    const words = Math.ceil((end - first) / BITS);
    this.words = words;
    for (let i = 0, p = 0, e = 0; i < count; i++, p += 3) {
      const x = points[p]!;
      const y = points[p + 1]!;
      const z = points[p + 2]!;
      for (let w = 0, k = 4 * first; w < words; w++, e++) {
        let front = 0;
        let strict = 0;
        for (let bit = 1; bit !== 0 && k < 4 * end; bit <<= 1, k += 4) {
          const h = planes[k + 3]! - (planes[k]! * x + planes[k + 1]! * y + planes[k + 2]! * z);
          if (h > 0) continue;
          front |= bit;
          if (h < 0) strict |= bit;
        }
        notBehind[e] = front;
        before[e] = strict;
      }
    }
    for (let w = 0; w < words; w++) {
      let common = -1;
      for (let e = w; e < words * count && common !== 0; e += words) common &= notBehind[e]!;
      if (common !== 0) return false;
    }
    return true;
  }

  /**
   * Finds the planes that cut a polygon: those before which one of its corners is. Its corners are the points whose indices are list[from] to list[to - 1].
   * Returns false if nothing of it is behind all planes, because all of its corners are outside of one.
   */
  findCuts(list: Int32Array, from: number, to: number): boolean {
    const { words, notBehind, before, found } = this;
    for (let w = 0; w < words; w++) {
      let common = -1;
      let any = 0;
      for (let i = from; i < to; i++) {
        const e = words * list[i]! + w;
        common &= notBehind[e]!;
        any |= before[e]!;
      }
      if (common !== 0) return false;
      found[w] = any;
    }
    return true;
  }
}

/** The largest distance by which a plane from `first` to `end` has all points before it; 0 if none has. */
export function largestGap(points: Float64Array, count: number, planes: Float64Array, first: number, end: number): number {
  let gap = 0;
  for (let k = 4 * first; k < 4 * end; k += 4) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < 3 * count; p += 3) {
      const h = planes[k + 3]! - (planes[k]! * points[p]! + planes[k + 1]! * points[p + 1]! + planes[k + 2]! * points[p + 2]!);
      if (h > highest) highest = h;
    }
    if (-highest > gap) gap = -highest;
  }
  return gap;
}
