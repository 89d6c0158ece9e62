/** The walls between the cells of an elastic polytope: their part of the potential, the second sum of [2] in polytope-pressure.ts. */
import type { Clipper } from "./clipper.ts";
import type { PlacedSolid } from "./placed-solid.ts";
import type { PressureCells } from "./pressure-cells.ts";

export class CellWalls {
  readonly #cells: PressureCells;
  readonly #clipper: Clipper;
  /** Corners of all walls, their distances from the planes of the rigid solid, and the corners of each wall. */
  readonly #points: Float64Array;
  readonly #heights: Float64Array;
  readonly #corners: readonly Int32Array[];

  /** @param mostPlanes the largest number of planes of the rigid solid */
  constructor(cells: PressureCells, mostPlanes: number, clipper: Clipper) {
    const { points, corners } = sharedCorners(cells.walls, cells.depth);
    this.#cells = cells;
    this.#clipper = clipper;
    this.#points = points;
    this.#corners = corners;
    this.#heights = new Float64Array((points.length / 3) * mostPlanes);
  }

  /** The sum over the walls inside of a rigid solid. */
  energy(rigid: PlacedSolid): number {
    const { walls } = this.#cells;
    const { pieceCount, pieceStart, piecePlanes } = rigid;
    const p = this.#points;
    const heights = this.#heights;
    const planes = 4 * pieceStart[pieceCount]!;
    for (let i = 0, e = 0; i < p.length; i += 3) {
      const x = p[i]!;
      const y = p[i + 1]!;
      const z = p[i + 2]!;
      for (let k = 0; k < planes; k += 4)
        heights[e++] = piecePlanes[k + 3]! - (piecePlanes[k]! * x + piecePlanes[k + 1]! * y + piecePlanes[k + 2]! * z);
    }
    let sum = 0;
    for (let i = 0; i < pieceCount; i++) for (let w = 0; w < walls.length; w++) sum += this.#energyOf(w, rigid, i);
    return sum;
  }

  /** The part of wall w that is inside of a piece. */
  #energyOf(w: number, rigid: PlacedSolid, piece: number): number {
    const { points, cell, jump } = this.#cells.walls[w]!;
    const corners = this.#corners[w]!;
    const { pieceCount, pieceStart, piecePlanes: planes } = rigid;
    const heights = this.#heights;
    const row = pieceStart[pieceCount]!;
    const clipper = this.#clipper;
    const from = pieceStart[piece]!;
    const to = pieceStart[piece + 1]!;
    for (let k = from; k < to; k++) {
      let isOutside = true;
      for (let i = 0; i < corners.length && isOutside; i++) isOutside = !(heights[row * corners[i]! + k]! > 0);
      if (isOutside) return 0;
    }
    clipper.clear();
    for (let i = 0; i < points.length; i += 3) clipper.add(points[i]!, points[i + 1]!, points[i + 2]!);
    for (let k = from; k < to; k++) {
      let isCut = false;
      for (let i = 0; i < corners.length && !isCut; i++) isCut = heights[row * corners[i]! + k]! < 0;
      if (isCut && !clipper.clip(planes[4 * k]!, planes[4 * k + 1]!, planes[4 * k + 2]!, planes[4 * k + 3]!)) return 0;
    }
    return (jump / this.#cells.depth) * this.#integralOfSquare(4 * cell);
  }

  /** ∫ h² dA over the polygon. */
  #integralOfSquare(k: number): number {
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
    return sum;
  }
}

/** Corners of walls that are nearer than this share of the depth are the same but for rounding. */
const SAME_CORNER = 1e-9;

/** The corners of all walls, each once, and for each wall their indices. */
function sharedCorners(
  walls: PressureCells["walls"],
  depth: number,
): {
  readonly points: Float64Array;
  readonly corners: readonly Int32Array[];
} {
  const points: number[] = [];
  const indices = new Map<string, number>();
  const corners = walls.map(({ points: p }) =>
    Int32Array.from({ length: p.length / 3 }, (_, i) => {
      const corner = p.slice(3 * i, 3 * i + 3);
      const key = [...corner].map((x) => Math.round(x / (SAME_CORNER * depth))).join(" ");
      const index = indices.get(key) ?? points.push(...corner) / 3 - 1;
      indices.set(key, index);
      return index;
    }),
  );
  return { points: Float64Array.from(points), corners };
}
