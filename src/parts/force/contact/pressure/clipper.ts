/** Clips convex polygons by half-spaces (Sutherland and Hodgman 1974). Nothing here allocates after the construction. */

export class Clipper {
  /** Corners of the polygon, three numbers each. */
  points: Float64Array;
  count = 0;
  /** The cut of the last clip: the polygon now runs from `exit` to `entry` along the plane. Only valid if `hasCut`. */
  readonly exit = new Float64Array(3);
  readonly entry = new Float64Array(3);
  hasCut = false;
  #spare: Float64Array;
  readonly #side: Float64Array;
  /** Corners and number of the polygon that was kept. */
  readonly #kept: Float64Array;
  #keptCount = 0;

  /** @param corners the largest number of corners, including one for each clip */
  constructor(corners: number) {
    this.points = new Float64Array(3 * corners);
    this.#spare = new Float64Array(3 * corners);
    this.#side = new Float64Array(corners);
    this.#kept = new Float64Array(3 * corners);
  }

  clear(): void {
    this.count = 0;
  }

  add(x: number, y: number, z: number): void {
    const i = 3 * this.count++;
    this.points[i] = x;
    this.points[i + 1] = y;
    this.points[i + 2] = z;
  }

  /** Keeps the polygon, so that `restore` gives it back. */
  keep(): void {
    this.#keptCount = this.count;
    for (let i = 0; i < 3 * this.count; i++) this.#kept[i] = this.points[i]!;
  }

  restore(): void {
    this.count = this.#keptCount;
    for (let i = 0; i < 3 * this.count; i++) this.points[i] = this.#kept[i]!;
  }

  /** Clips by each plane of a set, whose first bit is the plane that begins at `first`. Returns whether anything is left. */
  clipBySet(set: Int32Array, words: number, planes: Float64Array, first: number): boolean {
    for (let w = 0; w < words; w++)
      for (let bits = set[w]!; bits !== 0; bits &= bits - 1) {
        const k = first + 4 * (32 * w + 31 - Math.clz32(bits & -bits));
        if (!this.clip(planes, k)) return false;
      }
    return true;
  }

  /**
   * Removes everything outside of n·x <= offset, or of n·x < offset if it is open. Returns whether anything is left. n and the offset begin at k:
   * as arguments they would be allocated.
   */
  clip(planes: Float64Array, k: number, isOpen = false): boolean {
    const side = this.#side;
    const nx = planes[k]!;
    const ny = planes[k + 1]!;
    const nz = planes[k + 2]!;
    const offset = planes[k + 3]!;
    const { count, points } = this;
    let outside = 0;
    for (let i = 0; i < count; i++) {
      const s = offset - (nx * points[3 * i]! + ny * points[3 * i + 1]! + nz * points[3 * i + 2]!);
      side[i] = s;
      if (s < 0 || (isOpen && s === 0)) outside++;
    }
    this.hasCut = false;
    if (outside === 0) return count > 2;
    if (outside === count) {
      this.count = 0;
      return false;
    }
    const out = this.#spare;
    let n = 0;
    if (isOpen) for (let i = 0; i < count; i++) if (side[i] === 0) side[i] = -Number.MIN_VALUE;
    let here = side[0]!;
    for (let i = 0; i < count; i++) {
      const next = i + 1 === count ? 0 : i + 1;
      const there = side[next]!;
      const p = 3 * i;
      const q = 3 * next;
      if (here >= 0) {
        out[n] = points[p]!;
        out[n + 1] = points[p + 1]!;
        out[n + 2] = points[p + 2]!;
        n += 3;
        // The corners are taken in one order, inside to outside, so that polygons with this edge in common are cut at the same point.
        if (there < 0) {
          this.#cut(p, q, here / (here - there), this.exit, n);
          n += 3;
        }
      } else if (there >= 0) {
        this.#cut(q, p, there / (there - here), this.entry, n);
        n += 3;
      }
      here = there;
    }
    this.hasCut = true;
    this.#spare = points;
    this.points = out;
    this.count = n / 3;
    return n > 6;
  }

  /** Writes the point at a share t of the way from the corner at a to the corner at b. */
  #cut(a: number, b: number, t: number, end: Float64Array, n: number): void {
    const points = this.points;
    const out = this.#spare;
    const x = points[a]!;
    const y = points[a + 1]!;
    const z = points[a + 2]!;
    out[n] = end[0] = x + t * (points[b]! - x);
    out[n + 1] = end[1] = y + t * (points[b + 1]! - y);
    out[n + 2] = end[2] = z + t * (points[b + 2]! - z);
  }
}
