/** The point of a simplex that is nearest to the origin. */

/** Subsets of the first three of four points as bit masks, by the number of points besides the newest. The newest belongs to all subsets. */
const SUBSETS = [[0], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4, 5, 6, 7]] as const;
/** Sine of the angle below which edges count as parallel, and relative volume below which a tetrahedron counts as flat. */
const PARALLEL = 1e-14;

/** Up to four points with their weights at the point nearest to the origin. Nothing is allocated. */
export class Simplex {
  count = 0;
  /** Points, three numbers each. */
  readonly points = new Float64Array(12);
  readonly weights = new Float64Array(4);
  /** The nearest point. */
  readonly nearest = new Float64Array(3);
  /** Bit mask of the points that carry the nearest point. */
  carriers = 0;
  readonly #v = new Float64Array(3);
  readonly #weights = new Float64Array(4);
  readonly #members = new Int32Array(3);

  /**
   * Finds the nearest point among those whose carriers include the last point. All carriers are tested, and the best one counts, so
   * rounding can only choose a carrier that is as near within rounding. Returns the square of the distance.
   */
  update(): number {
    const last = this.count - 1;
    const subsets = SUBSETS[last]!;
    let least = Number.POSITIVE_INFINITY;
    for (let s = 0; s < subsets.length; s++) {
      const mask = subsets[s]!;
      if (!this.#project(mask, last)) continue;
      const v = this.#v;
      const square = v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!;
      if (square >= least) continue;
      least = square;
      this.carriers = mask | (1 << last);
      this.nearest.set(v);
      this.weights.set(this.#weights);
    }
    return least;
  }

  /** Projects the origin on the points of `mask` and the last one. Returns whether the projection is between them. */
  #project(mask: number, last: number): boolean {
    const P = this.points;
    const members = this.#members;
    const weights = this.#weights;
    const v = this.#v;
    let n = 0;
    for (let i = 0; i < last; i++) if (mask & (1 << i)) members[n++] = i;
    weights.fill(0);
    const o = 3 * last;
    v[0] = P[o]!;
    v[1] = P[o + 1]!;
    v[2] = P[o + 2]!;
    weights[last] = 1;
    if (n === 0) return true;
    return n === 1 ? this.#onEdge(last) : n === 2 ? this.#onTriangle(last) : this.#inTetrahedron(last);
  }

  /** v = p + t e with t = -p·e / e². Then v is made orthogonal to e, because its digits are lost where p is long. */
  #onEdge(last: number): boolean {
    const P = this.points;
    const v = this.#v;
    const a = this.#members[0]!;
    const ex = P[3 * a]! - v[0]!;
    const ey = P[3 * a + 1]! - v[1]!;
    const ez = P[3 * a + 2]! - v[2]!;
    const square = ex * ex + ey * ey + ez * ez;
    if (!(square > 0)) return false;
    let t = 0;
    for (let pass = 0; pass < 2; pass++) {
      const dt = -(v[0]! * ex + v[1]! * ey + v[2]! * ez) / square;
      t += dt;
      v[0]! += dt * ex;
      v[1]! += dt * ey;
      v[2]! += dt * ez;
    }
    this.#weights[a] = t;
    this.#weights[last] = 1 - t;
    return t > 0 && t < 1;
  }

  /** v = p + s e + t f with ratios of areas s and t, along the normal n = e × f. The second pass makes v orthogonal, as for edges. */
  #onTriangle(last: number): boolean {
    const P = this.points;
    const v = this.#v;
    const a = this.#members[0]!;
    const b = this.#members[1]!;
    const px = v[0]!;
    const py = v[1]!;
    const pz = v[2]!;
    const ex = P[3 * a]! - px;
    const ey = P[3 * a + 1]! - py;
    const ez = P[3 * a + 2]! - pz;
    const fx = P[3 * b]! - px;
    const fy = P[3 * b + 1]! - py;
    const fz = P[3 * b + 2]! - pz;
    const nx = ey * fz - ez * fy;
    const ny = ez * fx - ex * fz;
    const nz = ex * fy - ey * fx;
    const square = nx * nx + ny * ny + nz * nz;
    if (!(square > PARALLEL * PARALLEL * (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz))) return false;
    let s = 0;
    let t = 0;
    for (let pass = 0; pass < 2; pass++) {
      const x = v[0]!;
      const y = v[1]!;
      const z = v[2]!;
      // -v × f and e × -v along n.
      const ds = (nx * (z * fy - y * fz) + ny * (x * fz - z * fx) + nz * (y * fx - x * fy)) / square;
      const dt = (nx * (y * ez - z * ey) + ny * (z * ex - x * ez) + nz * (x * ey - y * ex)) / square;
      s += ds;
      t += dt;
      v[0] = x + ds * ex + dt * fx;
      v[1] = y + ds * ey + dt * fy;
      v[2] = z + ds * ez + dt * fz;
    }
    this.#weights[a] = s;
    this.#weights[b] = t;
    this.#weights[last] = 1 - s - t;
    return s > 0 && t > 0 && s + t < 1;
  }

  /** v = 0 if the origin is inside; weights are ratios of volumes. */
  #inTetrahedron(last: number): boolean {
    const P = this.points;
    const v = this.#v;
    const px = v[0]!;
    const py = v[1]!;
    const pz = v[2]!;
    const ex = P[0]! - px;
    const ey = P[1]! - py;
    const ez = P[2]! - pz;
    const fx = P[3]! - px;
    const fy = P[4]! - py;
    const fz = P[5]! - pz;
    const gx = P[6]! - px;
    const gy = P[7]! - py;
    const gz = P[8]! - pz;
    const cx = fy * gz - fz * gy;
    const cy = fz * gx - fx * gz;
    const cz = fx * gy - fy * gx;
    const volume = ex * cx + ey * cy + ez * cz;
    const size = (ex * ex + ey * ey + ez * ez) * (cx * cx + cy * cy + cz * cz);
    if (!(volume * volume > PARALLEL * PARALLEL * size)) return false;
    const r = -(px * cx + py * cy + pz * cz) / volume;
    const s = -(px * (gy * ez - gz * ey) + py * (gz * ex - gx * ez) + pz * (gx * ey - gy * ex)) / volume;
    const t = -(px * (ey * fz - ez * fy) + py * (ez * fx - ex * fz) + pz * (ex * fy - ey * fx)) / volume;
    v.fill(0);
    this.#weights[0] = r;
    this.#weights[1] = s;
    this.#weights[2] = t;
    this.#weights[last] = 1 - r - s - t;
    return r > 0 && s > 0 && t > 0 && r + s + t < 1;
  }
}
