/** Signed distance of two convex shapes at a pose, with the nearest points. Nothing here allocates per call. */
import { ConvexDistance } from "../../../../math/convex/convex-distance.ts";
import type { ConvexShape } from "./convex-shapes.ts";

export class ShapeDistance {
  /** Nearest points of a and b, and the unit vector from b to a, in axes of b. Where cores overlap, the normal is zero. */
  readonly nearestA: Float64Array;
  readonly nearestB: Float64Array;
  readonly normal: Float64Array;
  readonly #convex = new ConvexDistance();
  readonly #support = new Float64Array(3);

  constructor() {
    const { nearestA, nearestB, normal } = this.#convex;
    this.nearestA = nearestA;
    this.nearestB = nearestB;
    this.normal = normal;
  }

  /**
   * Distance of a and b; negative where they overlap. Between bodies it is then the depth, down to minus the sum of their radii, where the
   * cores overlap; bodies without radius have 0. From a half-space it is the depth of the deepest point.
   * @param b may be a half-space, a may not
   * @param X pose of a's frame in axes of b's: R by rows (9), p (3)
   */
  measure(a: ConvexShape, b: ConvexShape, X: Float64Array): number {
    if (b.body) return this.#convex.distance(a.body!, b.body, X);
    const { normal, centre } = b;
    for (let i = 0; i < 3; i++) this.normal[i] = normal[i]!;
    const height = this.#lowest(a, X, normal[0], normal[1], normal[2]);
    const plane = centre[0] * normal[0] + centre[1] * normal[1] + centre[2] * normal[2];
    for (let i = 0; i < 3; i++) this.nearestB[i] = this.nearestA[i]! - (height - plane) * normal[i]!;
    return height - plane;
  }

  /**
   * Width of the gap along a unit vector n in axes of b: a lower bound of the distance for every n, and equal to it for the normal of
   * `measure`. Changes `nearestA`.
   */
  gapAlong(a: ConvexShape, b: ConvexShape, X: Float64Array, nx: number, ny: number, nz: number): number {
    const lowest = this.#lowest(a, X, nx, ny, nz);
    if (!b.body) return lowest - (b.centre[0] * nx + b.centre[1] * ny + b.centre[2] * nz);
    const highest = this.#support;
    b.body.support(nx, ny, nz, highest);
    return lowest - (highest[0]! * nx + highest[1]! * ny + highest[2]! * nz) - b.body.radius;
  }

  /** Writes the lowest point of a along n to `nearestA`. Returns its height n·x. */
  #lowest(a: ConvexShape, X: Float64Array, nx: number, ny: number, nz: number): number {
    const { support, radius } = a.body!;
    const s = this.#support;
    support(
      -(X[0]! * nx + X[3]! * ny + X[6]! * nz),
      -(X[1]! * nx + X[4]! * ny + X[7]! * nz),
      -(X[2]! * nx + X[5]! * ny + X[8]! * nz),
      s,
    );
    const p = this.nearestA;
    for (let i = 0; i < 3; i++) p[i] = X[3 * i]! * s[0]! + X[3 * i + 1]! * s[1]! + X[3 * i + 2]! * s[2]! + X[9 + i]!;
    p[0]! -= radius * nx;
    p[1]! -= radius * ny;
    p[2]! -= radius * nz;
    return p[0]! * nx + p[1]! * ny + p[2]! * nz;
  }
}
