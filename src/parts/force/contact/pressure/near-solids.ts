/** Unbounded rigid solids: a plane with material behind it, and the ground. Of both, the part near the elastic solid is a rigid solid. */
import type { Terrain } from "../../../../ground/terrain.ts";
import { boxPolytope, type Point3 } from "../../../../math/convex/polytope.ts";
import type { RigidSource } from "./placed-solid.ts";
import { perpendicular } from "./pressure-cells.ts";
import { placePolytope, type RigidSolid, rigidSolid } from "./rigid-solid.ts";

/** A ball around the elastic solid, in axes of its body. */
export interface Ball {
  readonly centre: Point3;
  readonly reach: number;
}

/** Sizes of the part of an unbounded solid, relative to the reach of the elastic one. */
const PLANE_SHARE = 4;
/** A solid whose centre is deeper than this, relative to its reach, is inside as a whole. The part follows it into the depth, so that it stays inside. */
const INSIDE_SHARE = 2;

/** A plane: a large box behind it that follows the elastic solid. */
export function planeSource(at: Point3, normal: Point3, { centre, reach }: Ball): RigidSource {
  const half = PLANE_SHARE * reach;
  const e = perpendicular(normal);
  const f: Point3 = [
    normal[1] * e[2] - normal[2] * e[1],
    normal[2] * e[0] - normal[0] * e[2],
    normal[0] * e[1] - normal[1] * e[0],
  ];
  const solid = rigidSolid([
    placePolytope(boxPolytope([half, half, half]), {
      at: [-half * normal[0], -half * normal[1], -half * normal[2]],
      R: [0, 1, 2].map((i) => [e[i]!, f[i]!, normal[i]!]),
    }),
  ]);
  return {
    mostCorners: 8,
    mostFaces: 6,
    mostPlanes: 6,
    mostPieces: 1,
    largestFace: 4,
    largestPiece: 6,
    near(X, shift) {
      // The foot of the elastic solid's centre on the plane.
      let height = 0;
      for (let i = 0; i < 3; i++) {
        const c = X[3 * i]! * centre[0] + X[3 * i + 1]! * centre[1] + X[3 * i + 2]! * centre[2] + X[9 + i]!;
        shift[i] = c;
        height += (c - at[i]!) * normal[i]!;
      }
      if (height < -INSIDE_SHARE * reach) height = -INSIDE_SHARE * reach;
      for (let i = 0; i < 3; i++) shift[i]! -= height * normal[i]!;
      return solid;
    },
  };
}

/** Cells of the ground across the reach of the elastic solid. */
const CELLS_PER_REACH = 6;

/**
 * The ground: columns of three sides under the triangles of a grid that is fixed in the world. The grid is finer than the elastic solid: six cells
 * across its reach.
 */
export class GroundSource implements RigidSource {
  readonly mostCorners: number;
  readonly mostFaces: number;
  readonly mostPlanes: number;
  readonly mostPieces: number;
  readonly largestFace = 4;
  readonly largestPiece = 5;
  readonly #terrain: Terrain;
  readonly #ball: Ball;
  readonly #cell: number;
  readonly #side: number;
  readonly #triangles: number;
  /** Corners of the grid at its boundary, counterclockwise seen from above. */
  readonly #outer: Int32Array;
  readonly #solid: RigidSolid;
  /** Heights at the corners of the grid, with the indices of the corner for which they are. */
  readonly #heights: Float64Array;
  readonly #sample = new Float64Array(3);
  /** True if the ground is unknown somewhere under the elastic solid. */
  isUnknown = false;
  #i = Number.NaN;
  #j = Number.NaN;
  /** The lowest height of the grid. */
  #lowest = 0;

  constructor(terrain: Terrain, ball: Ball) {
    this.#terrain = terrain;
    this.#ball = ball;
    this.#cell = ball.reach / CELLS_PER_REACH;
    const side = 2 * CELLS_PER_REACH + 2;
    this.#side = side;
    const triangles = 2 * side * side;
    this.#heights = new Float64Array((side + 1) * (side + 1));
    const top = (side + 1) * (side + 1);
    // Below the outer corners of the grid, in order around it, there are those of the floor.
    const around = Array.from({ length: 4 * side }, (_, k) => outerCorner(k, side));
    const sides = around.map((corner, k) => {
      const next = (k + 1) % around.length;
      return [corner, top + k, top + next, around[next]!];
    });
    this.mostCorners = top + around.length;
    this.mostFaces = triangles + sides.length + 1;
    this.mostPieces = triangles;
    this.mostPlanes = 5 * triangles;
    const faces = [
      ...Array.from({ length: triangles / 2 }, (_, q) => {
        const c = Math.floor(q / side) * (side + 1) + (q % side);
        return [
          [c, c + side + 1, c + side + 2],
          [c, c + side + 2, c + 1],
        ];
      }).flat(),
      ...sides,
      [top, top + 3 * side, top + 2 * side, top + side],
    ];
    const starts = [0];
    for (const face of faces) starts.push(starts.at(-1)! + face.length);
    this.#triangles = triangles;
    this.#outer = Int32Array.from(around);
    this.#solid = {
      corners: new Float64Array(3 * this.mostCorners),
      faceStart: Int32Array.from(starts),
      faceCorners: Int32Array.from(faces.flat()),
      facePlanes: new Float64Array(4 * faces.length),
      pieceStart: Int32Array.from({ length: triangles + 1 }, (_, k) => 5 * k),
      piecePlanes: new Float64Array(4 * 5 * triangles),
      largestFace: 4,
    };
  }

  near(X: Float64Array, shift: Float64Array): RigidSolid | undefined {
    const { centre, reach } = this.#ball;
    shift[0] = shift[1] = shift[2] = 0;
    const x = X[0]! * centre[0] + X[1]! * centre[1] + X[2]! * centre[2] + X[9]!;
    const y = X[3]! * centre[0] + X[4]! * centre[1] + X[5]! * centre[2] + X[10]!;
    const z = X[6]! * centre[0] + X[7]! * centre[1] + X[8]! * centre[2] + X[11]!;
    const i = Math.floor((x - reach) / this.#cell);
    const j = Math.floor((y - reach) / this.#cell);
    if (i !== this.#i || j !== this.#j) this.#sampleGround(i, j);
    if (this.isUnknown) return undefined;
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < this.#heights.length; k++) if (this.#heights[k]! > highest) highest = this.#heights[k]!;
    if (z - reach > highest) return undefined;
    shift[2] = Math.min(0, z - this.#lowest + INSIDE_SHARE * reach);
    return this.#solid;
  }

  /** Fills the solid with the cells from (i, j) on: i along x, j along y. */
  #sampleGround(i: number, j: number): void {
    const n = this.#side + 1;
    const { corners, faceCorners, facePlanes, piecePlanes } = this.#solid;
    this.#i = i;
    this.#j = j;
    this.isUnknown = false;
    let lowest = Number.POSITIVE_INFINITY;
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) {
        const c = a * n + b;
        corners[3 * c] = (i + a) * this.#cell;
        corners[3 * c + 1] = (j + b) * this.#cell;
        this.#terrain.sample(corners[3 * c]!, corners[3 * c + 1]!, this.#sample);
        const z = this.#sample[0]!;
        if (Number.isNaN(z)) this.isUnknown = true;
        corners[3 * c + 2] = this.#heights[c] = z;
        if (z < lowest) lowest = z;
      }
    this.#lowest = lowest;
    const floor = lowest - 4 * this.#ball.reach;
    const top = n * n;
    for (let k = 0; k < this.#outer.length; k++) {
      const c = 3 * this.#outer[k]!;
      corners[3 * (top + k)] = corners[c]!;
      corners[3 * (top + k) + 1] = corners[c + 1]!;
      corners[3 * (top + k) + 2] = floor;
    }
    const { faceStart } = this.#solid;
    for (let f = this.#triangles; f < facePlanes.length / 4; f++) {
      const c = faceStart[f]!;
      writePlane(corners, 3 * faceCorners[c]!, 3 * faceCorners[c + 1]!, 3 * faceCorners[c + 2]!, facePlanes, 4 * f);
    }
    for (let t = 0; t < this.#triangles; t++) {
      const p = 3 * faceCorners[3 * t]!;
      const q = 3 * faceCorners[3 * t + 1]!;
      const r = 3 * faceCorners[3 * t + 2]!;
      writePlane(corners, p, q, r, facePlanes, 4 * t);
      const k = 20 * t;
      for (let m = 0; m < 4; m++) piecePlanes[k + m] = facePlanes[4 * t + m]!;
      writeSide(corners, p, q, piecePlanes, k + 4);
      writeSide(corners, q, r, piecePlanes, k + 8);
      writeSide(corners, r, p, piecePlanes, k + 12);
      piecePlanes[k + 16] = piecePlanes[k + 17] = 0;
      piecePlanes[k + 18] = -1;
      piecePlanes[k + 19] = -floor;
    }
  }
}

/** Corner k of the boundary of a grid with n cells on each side, counterclockwise seen from above: its number, x first. */
function outerCorner(k: number, n: number): number {
  const s = k % n;
  if (k < n) return s * (n + 1);
  if (k < 2 * n) return n * (n + 1) + s;
  if (k < 3 * n) return (n - s) * (n + 1) + n;
  return n - s;
}

/** Plane through three corners, counterclockwise seen from outside. */
function writePlane(c: Float64Array, p: number, q: number, r: number, out: Float64Array, o: number): void {
  const ax = c[q]! - c[p]!;
  const ay = c[q + 1]! - c[p + 1]!;
  const az = c[q + 2]! - c[p + 2]!;
  const bx = c[r]! - c[p]!;
  const by = c[r + 1]! - c[p + 1]!;
  const bz = c[r + 2]! - c[p + 2]!;
  const x = ay * bz - az * by;
  const y = az * bx - ax * bz;
  const z = ax * by - ay * bx;
  const length = Math.sqrt(x * x + y * y + z * z);
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
  out[o + 3] = (x * c[p]! + y * c[p + 1]! + z * c[p + 2]!) / length;
}

/** Vertical plane through two corners; outside is to the right of the line from p to q, seen from above. */
function writeSide(c: Float64Array, p: number, q: number, out: Float64Array, o: number): void {
  const x = c[q + 1]! - c[p + 1]!;
  const y = c[p]! - c[q]!;
  const length = Math.sqrt(x * x + y * y);
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = 0;
  out[o + 3] = (x * c[p]! + y * c[p + 1]!) / length;
}
