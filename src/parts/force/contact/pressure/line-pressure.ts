/**
 * Pressure between two round lines: spheres and capsules. The elastic one, with radius R, is pressed by the rigid one, with radius R'. At the point s
 * of the elastic axis the depth is d(s) = R + R' - (distance of the point from the rigid axis). For shallow overlaps of parallel cylinders and of
 * spheres, with the pressure of round-pressure.ts and 1/R* = 1/R + 1/R', the potentials are
 *
 *   line   w(d) = 8/15 √(2 R*) d^2.5 / R   per length,      ball   U(d) = π/3 R* / R d³,
 *
 * and the pair has the potential  ∫ w(d(s)) ds + (U(d) at both ends of the axis) / 2.                                             [1]
 *
 * The distance is a smooth function of the pose wherever the axes do not cross, so forces are continuous, also as capsules pass the parallel
 * position. The integral is by points of Gauss between the ends of the overlap and the points from which the nearest point is an end of the rigid axis.
 */

import type { Point3 } from "../../../../math/convex/polytope.ts";
import { gaussLegendre } from "../../../../math/elementary/gauss-legendre.ts";
import { sineAndCosine } from "../../../../math/elementary/sincos.ts";
import type { PatchFinder } from "./patch-finder.ts";
import type { PatchStore } from "./patch-store.ts";

const PANEL = gaussLegendre(20);
/** Points on the circle on which the pressure of a ball is concentrated; six give the same second moments in all directions. */
const RING = 6;
const RING_DIRECTIONS = Float64Array.from(
  Array.from({ length: RING }, (_, k) => {
    const sincos = new Float64Array(2);
    sineAndCosine((2 * Math.PI * k) / RING, sincos);
    return [sincos[1]!, sincos[0]!];
  }).flat(),
);

export interface RoundLine {
  readonly from: Point3;
  readonly to: Point3;
  readonly radius: number;
}

export class LinePressure implements PatchFinder {
  readonly depth: number;
  readonly form = "points";
  readonly #a: RoundLine;
  readonly #b: RoundLine;
  readonly #radius: number;
  readonly #sum: number;
  /** √(2 R*) / R and R* / R. */
  readonly #line: number;
  readonly #ball: number;
  readonly #length: number;
  readonly #direction: Point3;
  /** The rigid axis in axes of the elastic body: one end, direction, length. */
  readonly #end = new Float64Array(3);
  readonly #rigidDirection = new Float64Array(3);
  readonly #rigidLength: number;
  /** Ends of panels. */
  readonly #ends = new Float64Array(16);
  #endCount = 0;
  /** At the last point: the nearest point of the rigid axis minus the point, and the distance. */
  readonly #toward = new Float64Array(3);

  constructor(elastic: RoundLine, rigid: RoundLine) {
    this.#a = elastic;
    this.#b = rigid;
    this.#radius = elastic.radius;
    this.#sum = elastic.radius + rigid.radius;
    this.depth = elastic.radius;
    const share = rigid.radius / this.#sum;
    this.#ball = share;
    this.#line = Math.sqrt(2 * share * elastic.radius) / elastic.radius;
    this.#length = lengthOf(elastic);
    this.#direction = directionOf(elastic);
    this.#rigidLength = lengthOf(rigid);
  }

  find(X: Float64Array, out: PatchStore): number {
    this.#place(X);
    out.begin();
    const nearest = this.#nearest();
    if (!(nearest > 0)) return nearest;
    const L = this.#length;
    out.depth = nearest;
    if (L > 0) {
      this.#findPanels();
      for (let i = 1; i < this.#endCount; i++) this.#addPanel(this.#ends[i - 1]!, this.#ends[i]!, out);
      this.#addBall(0, 0.5, out);
      this.#addBall(L, 0.5, out);
    } else this.#addBall(0, 1, out);
    return nearest;
  }

  #place(X: Float64Array): void {
    const { from, to } = this.#b;
    const x = from[0] - X[9]!;
    const y = from[1] - X[10]!;
    const z = from[2] - X[11]!;
    const L = this.#rigidLength;
    const dx = L > 0 ? (to[0] - from[0]) / L : 0;
    const dy = L > 0 ? (to[1] - from[1]) / L : 0;
    const dz = L > 0 ? (to[2] - from[2]) / L : 0;
    for (let i = 0; i < 3; i++) {
      this.#end[i] = X[i]! * x + X[3 + i]! * y + X[6 + i]! * z;
      this.#rigidDirection[i] = X[i]! * dx + X[3 + i]! * dy + X[6 + i]! * dz;
    }
  }

  /** Depth at the point s of the elastic axis; fills #toward. */
  #depthAt(s: number): number {
    const { from } = this.#a;
    const e = this.#direction;
    const d = this.#rigidDirection;
    const x = this.#end[0]! - from[0] - s * e[0];
    const y = this.#end[1]! - from[1] - s * e[1];
    const z = this.#end[2]! - from[2] - s * e[2];
    const r = Math.max(0, Math.min(this.#rigidLength, -(x * d[0]! + y * d[1]! + z * d[2]!)));
    const t = this.#toward;
    t[0] = x + r * d[0]!;
    t[1] = y + r * d[1]!;
    t[2] = z + r * d[2]!;
    return this.#sum - Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  }

  /** The largest depth along the axis. Depth is concave along it. */
  #nearest(): number {
    const L = this.#length;
    let best = this.#depthAt(0);
    if (L === 0) return best;
    best = Math.max(best, this.#depthAt(L));
    const { from } = this.#a;
    const e = this.#direction;
    const d = this.#rigidDirection;
    const x = this.#end[0]! - from[0];
    const y = this.#end[1]! - from[1];
    const z = this.#end[2]! - from[2];
    const c = e[0] * d[0]! + e[1] * d[1]! + e[2] * d[2]!;
    const xe = x * e[0] + y * e[1] + z * e[2];
    const xd = x * d[0]! + y * d[1]! + z * d[2]!;
    const sine2 = 1 - c * c;
    // Feet of both ends of the rigid axis, and the point that is nearest to its line.
    for (const s of [xe, xe + c * this.#rigidLength, sine2 > 0 ? (xe - c * xd) / sine2 : 0])
      if (s > 0 && s < L) best = Math.max(best, this.#depthAt(s));
    return best;
  }

  /** Collects the ends of panels: the ends of the axis, where the depth is zero, and where the nearest point becomes an end. */
  #findPanels(): void {
    const L = this.#length;
    const { from } = this.#a;
    const e = this.#direction;
    const d = this.#rigidDirection;
    const M = this.#rigidLength;
    const x = this.#end[0]! - from[0];
    const y = this.#end[1]! - from[1];
    const z = this.#end[2]! - from[2];
    const c = e[0] * d[0]! + e[1] * d[1]! + e[2] * d[2]!;
    const xe = x * e[0] + y * e[1] + z * e[2];
    const xd = x * d[0]! + y * d[1]! + z * d[2]!;
    const xx = x * x + y * y + z * z;
    this.#endCount = 0;
    this.#addEnd(0);
    this.#addEnd(L);
    // The foot on the rigid axis is at r(s) = c s - xd.
    if (c !== 0 && M > 0) {
      this.#addEnd(xd / c);
      this.#addEnd((xd + M) / c);
    }
    // The distance changes fastest near the feet of the ends of the rigid axis, and where both lines are nearest.
    this.#addEnd(xe);
    if (M > 0) {
      this.#addEnd(xe + c * M);
      if (1 - c * c > 0) this.#addEnd((xe - c * xd) / (1 - c * c));
    }
    const square = this.#sum * this.#sum;
    // Distances from both ends of the rigid axis, and from its line.
    this.#addRoots(1, xe, xx - square);
    if (M > 0) {
      this.#addRoots(1, xe + c * M, xx + 2 * xd * M + M * M - square);
      this.#addRoots(1 - c * c, xe - c * xd, xx - xd * xd - square);
    }
  }

  /** Adds the roots of A s² - 2 B s + C. */
  #addRoots(A: number, B: number, C: number): void {
    const D = B * B - A * C;
    if (!(D > 0)) return;
    const q = B >= 0 ? B + Math.sqrt(D) : B - Math.sqrt(D);
    if (A !== 0) this.#addEnd(q / A);
    if (q !== 0) this.#addEnd(C / q);
  }

  #addEnd(s: number): void {
    if (!(s >= 0 && s <= this.#length)) return;
    const ends = this.#ends;
    let i = this.#endCount++;
    while (i > 0 && ends[i - 1]! > s) {
      ends[i] = ends[i - 1]!;
      i--;
    }
    ends[i] = s;
  }

  /** Adds a panel. s = middle + half sin(t), so that depths that vanish at its ends are smooth in t. */
  #addPanel(s0: number, s1: number, out: PatchStore): void {
    const middle = 0.5 * (s0 + s1);
    const half = 0.5 * (s1 - s0);
    if (!(half > 0) || !(this.#depthAt(middle) > 0)) return;
    const { points, weights } = PANEL;
    for (let i = 0; i < points.length; i++) {
      sineAndCosine(Math.PI * (points[i]! - 0.5), SINCOS);
      const d = this.#depthAt(middle + half * SINCOS[0]!);
      if (!(d > 0)) continue;
      const length = weights[i]! * Math.PI * half * SINCOS[1]!;
      const share = length * this.#line * d * Math.sqrt(d);
      out.area += 2 * length * this.#line * this.#radius * Math.sqrt(d); // the width is 2 √(2 R* d)
      this.#addNode(middle + half * SINCOS[0]!, d, (4 / 3) * share, 0, 0, 0, out);
      out.energy += (8 / 15) * share * d;
    }
  }

  /** Adds a share of the ball at the point s, on a circle. */
  #addBall(s: number, share: number, out: PatchStore): void {
    const d = this.#depthAt(s);
    if (!(d > 0)) return;
    const t = this.#toward;
    const distance = this.#sum - d;
    const nx = distance > 0 ? t[0]! / distance : 1;
    const ny = distance > 0 ? t[1]! / distance : 0;
    const nz = distance > 0 ? t[2]! / distance : 0;
    // Two directions at right angles to the normal.
    const i = Math.abs(nx) < 0.6 ? 0 : 1;
    const length = Math.sqrt(i === 0 ? ny * ny + nz * nz : nx * nx + nz * nz);
    const ex = i === 0 ? 0 : -nz / length;
    const ey = i === 0 ? nz / length : 0;
    const ez = i === 0 ? -ny / length : nx / length;
    const fx = ny * ez - nz * ey;
    const fy = nz * ex - nx * ez;
    const fz = nx * ey - ny * ex;
    const radius = Math.sqrt((2 * this.#ball * this.#radius * d) / 3);
    const load = share * Math.PI * this.#ball * d * d;
    out.energy += (load * d) / 3;
    out.area += share * 2 * Math.PI * this.#ball * this.#radius * d; // the radius is √(2 R* d)
    for (let k = 0; k < RING; k++) {
      const u = radius * RING_DIRECTIONS[2 * k]!;
      const v = radius * RING_DIRECTIONS[2 * k + 1]!;
      this.#addNode(s, d, load / RING, u * ex + v * fx, u * ey + v * fy, u * ez + v * fz, out);
    }
  }

  /** Adds a point at the contact of the point s of the axis, moved by (x, y, z). */
  #addNode(s: number, d: number, weight: number, x: number, y: number, z: number, out: PatchStore): void {
    const { from } = this.#a;
    const e = this.#direction;
    const t = this.#toward;
    const distance = this.#sum - d;
    // Axes that meet have no normal; there the direction is arbitrary.
    const nx = distance > 0 ? t[0]! / distance : 1;
    const ny = distance > 0 ? t[1]! / distance : 0;
    const nz = distance > 0 ? t[2]! / distance : 0;
    const reach = this.#radius - (d * this.#radius) / this.#sum;
    out.addNode(
      from[0] + s * e[0] + reach * nx + x,
      from[1] + s * e[1] + reach * ny + y,
      from[2] + s * e[2] + reach * nz + z,
      weight,
    );
    out.endFace(-nx, -ny, -nz);
  }
}

const SINCOS = new Float64Array(2);

const lengthOf = ({ from, to }: RoundLine): number => {
  const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  return Math.sqrt(x * x + y * y + z * z);
};
const directionOf = (line: RoundLine): Point3 => {
  const L = lengthOf(line);
  return L === 0
    ? [0, 0, 0]
    : [(line.to[0] - line.from[0]) / L, (line.to[1] - line.from[1]) / L, (line.to[2] - line.from[2]) / L];
};
