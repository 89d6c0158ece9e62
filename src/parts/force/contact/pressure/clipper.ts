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

  /** Removes everything outside of n·x <= offset, or of n·x < offset if it is open. Returns whether anything is left. */
  clip(nx: number, ny: number, nz: number, offset: number, isOpen = false): boolean {
    const side = this.#side;
    const { count, points } = this;
    let outside = 0;
    for (let k = 0; k < count; k++) {
      const s = offset - (nx * points[3 * k]! + ny * points[3 * k + 1]! + nz * points[3 * k + 2]!);
      side[k] = s;
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
    if (isOpen) for (let k = 0; k < count; k++) if (side[k] === 0) side[k] = -Number.MIN_VALUE;
    for (let k = 0; k < count; k++) {
      const next = k + 1 === count ? 0 : k + 1;
      const here = side[k]!;
      const there = side[next]!;
      if (here >= 0) {
        for (let i = 0; i < 3; i++) out[3 * n + i] = points[3 * k + i]!;
        n++;
      }
      if (here >= 0 === there >= 0) continue;
      // The corners are taken in one order, inside to outside, so that polygons with this edge in common are cut at the same point.
      const [a, b] = here >= 0 ? [k, next] : [next, k];
      const t = side[a]! / (side[a]! - side[b]!);
      const end = here >= 0 ? this.exit : this.entry;
      for (let i = 0; i < 3; i++) {
        const x = points[3 * a + i]!;
        out[3 * n + i] = end[i] = x + t * (points[3 * b + i]! - x);
      }
      n++;
    }
    this.hasCut = true;
    this.#spare = points;
    this.points = out;
    this.count = n;
    return n > 2;
  }
}
