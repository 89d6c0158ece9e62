/**
 * Pressure of an elastic polytope on a rigid solid. With the cells of pressure-cells.ts and φ = h_k in the cell of face k, the potential of the
 * overlap and the load on a face j of the rigid solid are
 *
 *   U = modulus / H ∫ φ dV over the overlap,   dF = modulus / H φ dA against its normal n_j.                                  [1]
 *
 * The faces are clipped by the cells, and φ is linear on each piece. The pieces are divided into triangles, and no sum depends on this division:
 * patches/damped-pressure.ts. Otherwise forces would jump where the division changes. U follows from
 * the divergence theorem with the field -n_k h_k² / 2 in cell k, which is zero on face k and jumps at the walls:
 *
 *   U H / modulus = Σ ∫ -(n_k·n_j) h_k² / 2 dA (faces) + Σ |n_l - n_k| ∫ h² / 2 dA (walls, inside of the rigid solid).             [2]
 *
 * The cost is proportional to the number of faces that overlap; faces and walls outside are rejected by tables of distances.
 */
import type { Polytope } from "../../../../math/convex/polytope.ts";
import { CellWalls } from "./cell-walls.ts";
import { Clipper } from "./clipper.ts";
import type { PatchFinder } from "./patch-finder.ts";
import type { PatchStore } from "./patch-store.ts";
import type { RigidSource } from "./placed-solid.ts";
import { PlacedSolid } from "./placed-solid.ts";
import type { PressureCells } from "./pressure-cells.ts";
import { pressureCells } from "./pressure-cells.ts";

export class PolytopePressure implements PatchFinder {
  readonly depth: number;
  readonly form = "triangles";
  readonly #cells: PressureCells;
  readonly #corners: Float64Array;
  readonly #rigid: PlacedSolid;
  readonly #clipper: Clipper;
  /** Distances h of the corners of the rigid solid from the faces of the elastic one: corner by corner. */
  readonly #heights: Float64Array;
  /** The same of the corners of the polygon that is distributed to the cells. */
  readonly #levels: Float64Array;
  readonly #walls: CellWalls;

  /** Both in axes of their bodies. */
  constructor(elastic: Polytope, rigid: RigidSource) {
    this.#cells = pressureCells(elastic);
    this.depth = this.#cells.depth;
    this.#corners = Float64Array.from(elastic.corners.flat());
    this.#rigid = new PlacedSolid(rigid);
    const faces = this.#cells.planes.length / 4;
    const largestWall = Math.max(...this.#cells.walls.map(({ points }) => points.length / 3));
    const mostCorners = 2 * faces + 8 + Math.max(rigid.largestFace, largestWall + rigid.largestPiece);
    this.#clipper = new Clipper(mostCorners);
    this.#heights = new Float64Array(faces * rigid.mostCorners);
    this.#levels = new Float64Array(faces * mostCorners);
    this.#walls = new CellWalls(this.#cells, rigid.mostPlanes, this.#clipper);
  }

  find(X: Float64Array, out: PatchStore): number {
    const rigid = this.#rigid;
    if (!rigid.place(X)) return 0;
    const gap = this.#separation();
    if (gap > 0) return -gap;
    out.begin();
    for (let j = 0; j < rigid.faceCount; j++) this.#addFace(j, out);
    if (out.depth > 0) out.energy += this.#walls.energy(this.#rigid);
    return out.depth;
  }

  /** Fills the table of heights. Returns the largest distance by which a face of one separates it from the other; 0 if none does. */
  #separation(): number {
    const { planes } = this.#cells;
    const n = planes.length / 4;
    const { corners: c, cornerCount, pieceCount, pieceStart, piecePlanes } = this.#rigid;
    const heights = this.#heights;
    let gap = 0;
    for (let k = 0; k < n; k++) {
      const nx = planes[4 * k]!;
      const ny = planes[4 * k + 1]!;
      const nz = planes[4 * k + 2]!;
      const offset = planes[4 * k + 3]!;
      let highest = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < cornerCount; i++) {
        const h = offset - (nx * c[3 * i]! + ny * c[3 * i + 1]! + nz * c[3 * i + 2]!);
        heights[n * i + k] = h;
        if (h > highest) highest = h;
      }
      if (-highest > gap) gap = -highest;
    }
    if (pieceCount > 1) return gap;
    const a = this.#corners;
    for (let k = pieceStart[0]!; k < pieceStart[1]!; k++) {
      let highest = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < a.length; i += 3) {
        const h =
          piecePlanes[4 * k + 3]! -
          (piecePlanes[4 * k]! * a[i]! + piecePlanes[4 * k + 1]! * a[i + 1]! + piecePlanes[4 * k + 2]! * a[i + 2]!);
        if (h > highest) highest = h;
      }
      if (-highest > gap) gap = -highest;
    }
    return gap;
  }

  /** Adds what of face j of the rigid solid is inside. */
  #addFace(j: number, out: PatchStore): void {
    const { planes } = this.#cells;
    const n = planes.length / 4;
    const { corners, faceStart, faceCorners, facePlanes } = this.#rigid;
    const heights = this.#heights;
    const clipper = this.#clipper;
    const from = faceStart[j]!;
    const to = faceStart[j + 1]!;
    for (let k = 0; k < n; k++) {
      let isOutside = true;
      for (let i = from; i < to && isOutside; i++) isOutside = !(heights[n * faceCorners[i]! + k]! > 0);
      if (isOutside) return;
    }
    clipper.clear();
    for (let i = from; i < to; i++) {
      const c = 3 * faceCorners[i]!;
      clipper.add(corners[c]!, corners[c + 1]!, corners[c + 2]!);
    }
    for (let k = 0; k < n; k++) {
      let isCut = false;
      for (let i = from; i < to && !isCut; i++) isCut = heights[n * faceCorners[i]! + k]! < 0;
      if (isCut && !clipper.clip(planes[4 * k]!, planes[4 * k + 1]!, planes[4 * k + 2]!, planes[4 * k + 3]!)) return;
    }
    if (clipper.count < 3) return;
    this.#addCells(4 * j, out);
    out.endFace(facePlanes[4 * j]!, facePlanes[4 * j + 1]!, facePlanes[4 * j + 2]!);
  }

  /** Distributes the polygon to the cells. */
  #addCells(face: number, out: PatchStore): void {
    const { planes, neighbourStart, neighbours } = this.#cells;
    const n = planes.length / 4;
    const clipper = this.#clipper;
    const { points: p, count } = clipper;
    const levels = this.#levels;
    for (let v = 0, e = 0; v < 3 * count; v += 3) {
      const x = p[v]!;
      const y = p[v + 1]!;
      const z = p[v + 2]!;
      for (let k = 0; k < 4 * n; k += 4)
        levels[e++] = planes[k + 3]! - (planes[k]! * x + planes[k + 1]! * y + planes[k + 2]! * z);
    }
    clipper.keep();
    let isWhole = true;
    for (let k = 0; k < n; k++) {
      const first = neighbourStart[k]!;
      const end = neighbourStart[k + 1]!;
      if (this.#isOutsideCell(k, first, end, count)) continue;
      if (!isWhole) clipper.restore();
      let isLeft = true;
      for (let i = first; i < end && isLeft; i++) {
        const l = neighbours[i]!;
        if (!this.#isCutBetween(k, l, count)) continue;
        isWhole = false;
        isLeft = clipper.clip(
          planes[4 * l]! - planes[4 * k]!,
          planes[4 * l + 1]! - planes[4 * k + 1]!,
          planes[4 * l + 2]! - planes[4 * k + 2]!,
          planes[4 * l + 3]! - planes[4 * k + 3]!,
          l < k, // so that a polygon in a wall belongs to one cell
        );
      }
      if (isLeft) this.#addPiece(4 * k, face, out);
      if (isWhole) return; // all of it was in this cell
    }
  }

  /** True if a neighbour of cell k is nearer at all corners of the polygon. */
  #isOutsideCell(k: number, first: number, end: number, count: number): boolean {
    const { planes, neighbours } = this.#cells;
    const n = planes.length / 4;
    const levels = this.#levels;
    for (let i = first; i < end; i++) {
      const l = neighbours[i]!;
      let isNearer = true;
      for (let e = 0; e < n * count && isNearer; e += n) isNearer = levels[e + l]! < levels[e + k]!;
      if (isNearer) return true;
    }
    return false;
  }

  /** True if the wall to the neighbour l of cell k cuts the polygon or contains one of its corners. */
  #isCutBetween(k: number, l: number, count: number): boolean {
    const n = this.#cells.planes.length / 4;
    const levels = this.#levels;
    for (let e = 0; e < n * count; e += n) if (!(levels[e + l]! > levels[e + k]!)) return true;
    return false;
  }

  /** Adds the polygon, which is in cell k, as part of a face of the rigid solid, triangle by triangle. */
  #addPiece(k: number, face: number, out: PatchStore): void {
    const { planes } = this.#cells;
    const { facePlanes } = this.#rigid;
    const { points: p, count } = this.#clipper;
    const nx = planes[k]!;
    const ny = planes[k + 1]!;
    const nz = planes[k + 2]!;
    const offset = planes[k + 3]!;
    const facing = -(nx * facePlanes[face]! + ny * facePlanes[face + 1]! + nz * facePlanes[face + 2]!) / 2;
    const x0 = p[0]!;
    const y0 = p[1]!;
    const z0 = p[2]!;
    const h0 = offset - (nx * x0 + ny * y0 + nz * z0);
    let deepest = h0;
    let energy = 0;
    let x1 = p[3]!;
    let y1 = p[4]!;
    let z1 = p[5]!;
    let h1 = offset - (nx * x1 + ny * y1 + nz * z1);
    if (h1 > deepest) deepest = h1;
    for (let i = 6; i < 3 * count; i += 3) {
      const x2 = p[i]!;
      const y2 = p[i + 1]!;
      const z2 = p[i + 2]!;
      const h2 = offset - (nx * x2 + ny * y2 + nz * z2);
      if (h2 > deepest) deepest = h2;
      const ax = (y1 - y0) * (z2 - z0) - (z1 - z0) * (y2 - y0);
      const ay = (z1 - z0) * (x2 - x0) - (x1 - x0) * (z2 - z0);
      const az = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
      const area = 0.5 * Math.sqrt(ax * ax + ay * ay + az * az);
      if (area > 0) {
        out.area += area;
        const share = area / (12 * this.depth);
        const sum = h0 + h1 + h2;
        out.addNode(x0, y0, z0, share * (sum + h0));
        out.addNode(x1, y1, z1, share * (sum + h1));
        out.addNode(x2, y2, z2, share * (sum + h2));
        energy += share * (sum * sum + h0 * h0 + h1 * h1 + h2 * h2);
      }
      x1 = x2;
      y1 = y2;
      z1 = z2;
      h1 = h2;
    }
    out.energy += facing * energy;
    if (deepest > out.depth) out.depth = deepest;
  }
}
