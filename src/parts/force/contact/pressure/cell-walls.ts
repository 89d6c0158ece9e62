/** The walls between the cells of an elastic polytope: their part of the potential, the second sum of [2] in polytope-pressure.ts. */
import type { Point3 } from "../../../../math/convex/polytope.ts";
import type { Clipper } from "./clipper.ts";
import type { PatchStore } from "./patch-store.ts";
import type { PlacedSolid } from "./placed-solid.ts";
import { largestGap, PointSides } from "./point-sides.ts";
import type { PressureCells } from "./pressure-cells.ts";

export class CellWalls {
  readonly #cells: PressureCells;
  readonly #clipper: Clipper;
  /** Corners of the polytope, then those of walls inside of it; their sides with respect to a piece of the rigid solid; the corners of each wall. */
  readonly #points: Float64Array;
  readonly #sides: PointSides;
  readonly #corners: readonly Int32Array[];
  /** |n_l - n_k| / (2 H) of each wall. */
  readonly #factors: Float64Array;
  /** The sum: a number that a function returns would be allocated. */
  readonly #sum = new Float64Array(1);

  /** @param largestPiece the largest number of planes of a piece of the rigid solid */
  constructor(polytopeCorners: readonly Point3[], cells: PressureCells, largestPiece: number, clipper: Clipper) {
    const { points, corners } = sharedCorners(polytopeCorners, cells.walls, cells.depth);
    this.#cells = cells;
    this.#clipper = clipper;
    this.#points = points;
    this.#corners = corners;
    this.#factors = Float64Array.from(cells.walls, ({ jump }) => jump / cells.depth);
    this.#sides = new PointSides(points.length / 3, largestPiece);
  }

  /** False if a plane of a convex rigid solid separates it from the polytope. Must be called before `energy`. */
  areBehind(rigid: PlacedSolid): boolean {
    return rigid.pieceCount > 1 || this.#takePiece(rigid, 0);
  }

  /** The largest distance by which a plane of a convex rigid solid separates it from the polytope; 0 if none does. */
  gap({ pieceCount, pieceStart, piecePlanes }: PlacedSolid): number {
    if (pieceCount > 1) return 0;
    return largestGap(this.#points, this.#points.length / 3, piecePlanes, pieceStart[0]!, pieceStart[1]!);
  }

  /** Adds the sum over the walls inside of a rigid solid to the potential of the patch. */
  addEnergy(rigid: PlacedSolid, out: PatchStore): void {
    const { walls } = this.#cells;
    const { pieceCount } = rigid;
    this.#sum[0] = 0;
    for (let i = 0; i < pieceCount; i++) {
      if (pieceCount > 1 && !this.#takePiece(rigid, i)) continue;
      for (let w = 0; w < walls.length; w++) this.#addWall(w, rigid, i);
    }
    out.energy += this.#sum[0]!;
  }

  /** Takes the sides of all points. Returns false if the piece does not touch the polytope. */
  #takePiece({ pieceStart, piecePlanes }: PlacedSolid, i: number): boolean {
    return this.#sides.fill(this.#points, this.#points.length / 3, piecePlanes, pieceStart[i]!, pieceStart[i + 1]!);
  }

  /** Adds the part of wall w that is inside of a piece. */
  #addWall(w: number, { pieceStart, piecePlanes }: PlacedSolid, piece: number): void {
    const corners = this.#corners[w]!;
    const sides = this.#sides;
    if (!sides.findCuts(corners, 0, corners.length)) return;
    const { points } = this.#cells.walls[w]!;
    const clipper = this.#clipper;
    clipper.clear();
    for (let i = 0; i < points.length; i += 3) clipper.add(points[i]!, points[i + 1]!, points[i + 2]!);
    if (!clipper.clipBySet(sides.found, sides.words, piecePlanes, 4 * pieceStart[piece]!)) return;
    this.#addIntegralOfSquare(4 * this.#cells.walls[w]!.cell, w);
  }

  /** Adds ∫ h² dA over the polygon, a part of wall w. The plane of h begins at k. */
  #addIntegralOfSquare(k: number, w: number): void {
    const { planes } = this.#cells;
    const { points: p, count } = this.#clipper;
    let sum = 0;
    for (let i = 3; i + 3 < 3 * count; i += 3) {
      const ax = p[i]! - p[0]!;
      const ay = p[i + 1]! - p[1]!;
      const az = p[i + 2]! - p[2]!;
      const bx = p[i + 3]! - p[0]!;
      const by = p[i + 4]! - p[1]!;
      const bz = p[i + 5]! - p[2]!;
      const cx = ay * bz - az * by;
      const cy = az * bx - ax * bz;
      const cz = ax * by - ay * bx;
      const h0 = planes[k + 3]! - (planes[k]! * p[0]! + planes[k + 1]! * p[1]! + planes[k + 2]! * p[2]!);
      const h1 = h0 - (planes[k]! * ax + planes[k + 1]! * ay + planes[k + 2]! * az);
      const h2 = h0 - (planes[k]! * bx + planes[k + 1]! * by + planes[k + 2]! * bz);
      // The integral of the square of a linear function over a triangle.
      const squares = h0 * h0 + h1 * h1 + h2 * h2 + h0 * h1 + h1 * h2 + h2 * h0;
      sum += (Math.sqrt(cx * cx + cy * cy + cz * cz) * squares) / 12;
    }
    this.#sum[0]! += this.#factors[w]! * sum;
  }
}

/** Corners of walls that are nearer than this share of the depth are the same but for rounding. */
const SAME_CORNER = 1e-9;

/** The corners of the polytope and of all walls, each once, and for each wall their indices. */
function sharedCorners(
  polytopeCorners: readonly Point3[],
  walls: PressureCells["walls"],
  depth: number,
): {
  readonly points: Float64Array;
  readonly corners: readonly Int32Array[];
} {
  const points: number[] = [];
  const indices = new Map<string, number>();
  const indexOf = (corner: Iterable<number>): number => {
    const key = Array.from(corner, (x) => Math.round(x / (SAME_CORNER * depth))).join(" ");
    const index = indices.get(key) ?? points.push(...corner) / 3 - 1;
    indices.set(key, index);
    return index;
  };
  for (const corner of polytopeCorners) indexOf(corner);
  const corners = walls.map(({ points: p }) =>
    Int32Array.from({ length: p.length / 3 }, (_, i) => indexOf(p.subarray(3 * i, 3 * i + 3))),
  );
  return { points: Float64Array.from(points), corners };
}
