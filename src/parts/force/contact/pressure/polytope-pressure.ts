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
 * The cost is proportional to the number of faces that overlap; faces and walls outside are rejected by the sides of their corners.
 */
import type { Point3, Polytope } from "../../../../math/convex/polytope.ts";
import { CellWalls } from "./cell-walls.ts";
import { Clipper } from "./clipper.ts";
import type { PatchFinder } from "./patch-finder.ts";
import type { PatchStore } from "./patch-store.ts";
import { PlacedSolid, type RigidSource } from "./placed-solid.ts";
import { largestGap, PointSides } from "./point-sides.ts";
import type { PressureCells } from "./pressure-cells.ts";
import { meanOf, pressureCells } from "./pressure-cells.ts";

/** Depths below this share of the largest one are rounding of faces that coincide. */
const ROUNDING = 1e-14;

export class PolytopePressure implements PatchFinder {
  readonly depth: number;
  readonly form = "triangles";
  readonly #cells: PressureCells;
  /** A point inside. */
  readonly #centre: Point3;
  readonly #rigid: PlacedSolid;
  readonly #clipper: Clipper;
  /** Sides of the corners of the rigid solid with respect to the faces of the elastic one. */
  readonly #sides: PointSides;
  /** Distances h of the corners of the polygon that is distributed to the cells from the faces, corner by corner; of each face the least and the largest. */
  readonly #levels: Float64Array;
  readonly #least: Float64Array;
  readonly #largest: Float64Array;
  readonly #walls: CellWalls;

  /** Both in axes of their bodies. */
  constructor(elastic: Polytope, rigid: RigidSource) {
    this.#cells = pressureCells(elastic);
    this.depth = this.#cells.depth;
    this.#centre = meanOf(elastic.corners);
    this.#rigid = new PlacedSolid(rigid);
    const faces = this.#cells.planes.length / 4;
    const largestWall = Math.max(...this.#cells.walls.map(({ points }) => points.length / 3));
    const mostCorners = 2 * faces + 8 + Math.max(rigid.largestFace, largestWall + rigid.largestPiece);
    this.#clipper = new Clipper(mostCorners);
    this.#sides = new PointSides(rigid.mostCorners, faces);
    this.#levels = new Float64Array(faces * mostCorners);
    this.#least = new Float64Array(faces);
    this.#largest = new Float64Array(faces);
    this.#walls = new CellWalls(elastic.corners, this.#cells, rigid.largestPiece, this.#clipper);
  }

  find(X: Float64Array, out: PatchStore): number {
    const rigid = this.#rigid;
    if (!rigid.place(X)) return 0;
    const { planes } = this.#cells;
    const { corners, cornerCount } = rigid;
    const isNear = this.#sides.fill(corners, cornerCount, planes, 0, planes.length / 4);
    if (!(this.#walls.areBehind(rigid) && isNear)) {
      const gap = Math.max(largestGap(corners, cornerCount, planes, 0, planes.length / 4), this.#walls.gap(rigid));
      return gap > 0 ? -gap : 0;
    }
    out.begin();
    for (let j = 0; j < rigid.faceCount; j++) this.#addFace(j, out);
    // If no face of the rigid solid is inside, the elastic solid is outside or, with its whole potential and without a load, inside.
    const [x, y, z] = this.#centre;
    if (out.depth <= ROUNDING * this.depth && rigid.contains(x, y, z)) out.depth = this.depth;
    if (out.depth > 0) this.#walls.addEnergy(rigid, out);
    return out.depth;
  }

  /** Adds what of face j of the rigid solid is inside. */
  #addFace(j: number, out: PatchStore): void {
    const { corners, faceStart, faceCorners, facePlanes } = this.#rigid;
    const clipper = this.#clipper;
    const sides = this.#sides;
    const from = faceStart[j]!;
    const to = faceStart[j + 1]!;
    if (!sides.findCuts(faceCorners, from, to)) return;
    clipper.clear();
    for (let i = from; i < to; i++) {
      const c = 3 * faceCorners[i]!;
      clipper.add(corners[c]!, corners[c + 1]!, corners[c + 2]!);
    }
    if (!clipper.clipBySet(sides.found, sides.words, this.#cells.planes, 0) || clipper.count < 3) return;
    this.#addCells(4 * j, out);
    out.endFace(facePlanes[4 * j]!, facePlanes[4 * j + 1]!, facePlanes[4 * j + 2]!);
  }

  /** Distributes the polygon to the cells. */
  #addCells(face: number, out: PatchStore): void {
    const { planes, neighbourStart, neighbours, wallPlanes } = this.#cells;
    const n = planes.length / 4;
    const clipper = this.#clipper;
    const { count } = clipper;
    const nearest = this.#measureLevels();
    clipper.keep();
    let isWhole = true;
    for (let k = 0; k < n; k++) {
      const first = neighbourStart[k]!;
      const end = neighbourStart[k + 1]!;
      if (this.#least[k]! > nearest || this.#isOutsideCell(k, first, end, count)) continue;
      if (!isWhole) clipper.restore();
      let isLeft = true;
      for (let i = first; i < end && isLeft; i++) {
        const l = neighbours[i]!;
        if (!this.#isCutBetween(k, l, count)) continue;
        isWhole = false;
        isLeft = clipper.clip(wallPlanes, 4 * i, l < k); // open, so that a polygon in a wall belongs to one cell
      }
      if (isLeft) this.#addPiece(4 * k, face, out);
      if (isWhole) return; // all of it was in this cell
    }
  }

  /** Measures the levels of the polygon. Returns a distance within which each of its points has a face; cells of faces that are farther are outside. */
  #measureLevels(): number {
    const { planes } = this.#cells;
    const { points: p, count } = this.#clipper;
    const levels = this.#levels;
    const n = planes.length / 4;
    let nearest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < n; k++) {
      const x = planes[4 * k]!;
      const y = planes[4 * k + 1]!;
      const z = planes[4 * k + 2]!;
      const offset = planes[4 * k + 3]!;
      let least = Number.POSITIVE_INFINITY;
      let largest = Number.NEGATIVE_INFINITY;
      for (let v = 0, e = k; v < 3 * count; v += 3, e += n) {
        const h = offset - (x * p[v]! + y * p[v + 1]! + z * p[v + 2]!);
        levels[e] = h;
        if (h < least) least = h;
        if (h > largest) largest = h;
      }
      this.#least[k] = least;
      this.#largest[k] = largest;
      if (largest < nearest) nearest = largest;
    }
    return nearest;
  }

  /** True if a neighbour of cell k is nearer at all corners of the polygon. */
  #isOutsideCell(k: number, first: number, end: number, count: number): boolean {
    const { planes, neighbours } = this.#cells;
    const n = planes.length / 4;
    const levels = this.#levels;
    for (let i = first; i < end; i++) {
      const l = neighbours[i]!;
      let isNearer = this.#least[l]! < this.#largest[k]!;
      for (let e = 0; e < n * count && isNearer; e += n) isNearer = levels[e + l]! < levels[e + k]!;
      if (isNearer) return true;
    }
    return false;
  }

  /** True if the wall to the neighbour l of cell k cuts the polygon or contains one of its corners. */
  #isCutBetween(k: number, l: number, count: number): boolean {
    if (this.#least[l]! > this.#largest[k]!) return false;
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
