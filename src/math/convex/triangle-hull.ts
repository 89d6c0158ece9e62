/** Triangles of the convex hull of points on an integer grid, by quickhull with exact orientation tests. */
import { orientation } from "./orientation.ts";

/** Triangles of a closed convex surface, counterclockwise seen from outside. */
export interface TriangleHull {
  /** Indices of points, three per triangle. */
  readonly corners: readonly number[];
  /** Neighbours: the triangle at the other side of the edge from corner i to corner i + 1, three per triangle. */
  readonly neighbours: readonly number[];
}

const NONE = -1;

/**
 * The hull of the points, from four of them that are not in one plane. Each step adds the farthest point outside of a triangle. It removes
 * the triangles that the point sees, and joins the point with the edges around them [Barber, Dobkin, Huhdanpaa 1996]. Exact tests make the
 * removed triangles a disc without holes, also for points in one plane, on one line, or equal to each other.
 * @param tolerance Points that are at most this far outside of the planes of all triangles are left out.
 */
export function triangleHull(
  grid: Float64Array,
  start: readonly [number, number, number, number],
  tolerance: number,
): TriangleHull {
  const hull = new GrowingHull(grid, tolerance);
  hull.begin(start);
  hull.grow();
  return hull.result();
}

class GrowingHull {
  readonly #grid: Float64Array;
  readonly #corners: number[] = [];
  readonly #neighbours: number[] = [];
  readonly #isRemoved: boolean[] = [];
  /** Points outside of each triangle as linked lists; a point is in the list of one triangle that it sees. */
  readonly #firstOutside: number[] = [];
  readonly #nextOutside: Int32Array;
  /** Number of the step that found the triangle visible. */
  readonly #seenInStep: number[] = [];
  #step = 0;
  readonly #tolerance: number;

  constructor(grid: Float64Array, tolerance: number) {
    this.#grid = grid;
    this.#tolerance = tolerance;
    this.#nextOutside = new Int32Array(grid.length / 3).fill(NONE);
  }

  begin(start: readonly [number, number, number, number]): void {
    const [a, b, c, d] = start;
    const [p, q] = orientation(this.#grid, a, b, c, d) < 0 ? [b, c] : [c, b];
    this.#add(a, p, q);
    this.#add(a, d, p);
    this.#add(p, d, q);
    this.#add(q, d, a);
    this.#neighbours.splice(0, 12, 1, 2, 3, 3, 2, 0, 1, 3, 0, 2, 1, 0);
    const faces = [0, 1, 2, 3];
    for (let point = 0; point < this.#nextOutside.length; point++) if (!start.includes(point)) this.#assign(point, faces);
  }

  grow(): void {
    for (let face = 0; face < this.#isRemoved.length; face++)
      while (!this.#isRemoved[face] && this.#firstOutside[face] !== NONE) {
        const farthest = this.#farthest(face);
        // If no point is far above this triangle, one of them may still be far above another triangle that it sees.
        const point = this.#height(farthest, face) > this.#tolerance ? farthest : this.#firstOutside[face]!;
        const visible = this.#visibleFrom(point, face);
        if (visible.some((seen) => this.#height(point, seen) > this.#tolerance)) this.#addPoint(point, visible);
        else this.#firstOutside[face] = this.#nextOutside[point]!;
      }
  }

  result(): TriangleHull {
    const kept = this.#isRemoved.flatMap((isRemoved, face) => (isRemoved ? [] : [face]));
    const number = new Int32Array(this.#isRemoved.length);
    for (const [i, face] of kept.entries()) number[face] = i;
    const three = [0, 1, 2];
    return {
      corners: kept.flatMap((face) => three.map((i) => this.#corners[3 * face + i]!)),
      neighbours: kept.flatMap((face) => three.map((i) => number[this.#neighbours[3 * face + i]!]!)),
    };
  }

  #add(a: number, b: number, c: number): number {
    this.#corners.push(a, b, c);
    this.#neighbours.push(NONE, NONE, NONE);
    this.#firstOutside.push(NONE);
    this.#seenInStep.push(0);
    return this.#isRemoved.push(false) - 1;
  }

  #sees(point: number, face: number): boolean {
    const corners = this.#corners;
    return orientation(this.#grid, corners[3 * face]!, corners[3 * face + 1]!, corners[3 * face + 2]!, point) > 0;
  }

  /** Puts a point into the list of the first of these triangles that it sees. A point that sees none is inside. */
  #assign(point: number, faces: readonly number[]): void {
    for (const face of faces) {
      if (!this.#sees(point, face)) continue;
      this.#nextOutside[point] = this.#firstOutside[face]!;
      this.#firstOutside[face] = point;
      return;
    }
  }

  #farthest(face: number): number {
    let farthest = this.#firstOutside[face]!;
    let largest = Number.NEGATIVE_INFINITY;
    for (let point = farthest; point !== NONE; point = this.#nextOutside[point]!) {
      const height = this.#height(point, face);
      if (height > largest) [largest, farthest] = [height, point];
    }
    return farthest;
  }

  /** Height of a point above the plane of a triangle, with rounding errors; infinite above a triangle without area. */
  #height(point: number, face: number): number {
    const grid = this.#grid;
    const a = 3 * this.#corners[3 * face]!;
    const b = 3 * this.#corners[3 * face + 1]!;
    const c = 3 * this.#corners[3 * face + 2]!;
    const [x, y, z] = [grid[a]!, grid[a + 1]!, grid[a + 2]!];
    const [bx, by, bz] = [grid[b]! - x, grid[b + 1]! - y, grid[b + 2]! - z];
    const [cx, cy, cz] = [grid[c]! - x, grid[c + 1]! - y, grid[c + 2]! - z];
    const [nx, ny, nz] = [by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx];
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const volume = nx * (grid[3 * point]! - x) + ny * (grid[3 * point + 1]! - y) + nz * (grid[3 * point + 2]! - z);
    return area > 0 ? volume / area : Number.POSITIVE_INFINITY;
  }

  /** All triangles that a point sees, one of which is `face`. */
  #visibleFrom(point: number, face: number): readonly number[] {
    this.#step += 1;
    const visible = [face];
    this.#seenInStep[face] = this.#step;
    for (let k = 0; k < visible.length; k++)
      for (let i = 0; i < 3; i++) {
        const neighbour = this.#neighbours[3 * visible[k]! + i]!;
        if (this.#seenInStep[neighbour] === this.#step || !this.#sees(point, neighbour)) continue;
        this.#seenInStep[neighbour] = this.#step;
        visible.push(neighbour);
      }
    return visible;
  }

  /** Replaces the triangles that a point sees by a fan from the point to the edges around them. */
  #addPoint(point: number, visible: readonly number[]): void {
    /** Edges of visible triangles at others: visible triangle, number of the edge. By the corner at which the edge starts. */
    const horizon = new Map<number, readonly [number, number]>();
    for (const seen of visible)
      for (let i = 0; i < 3; i++)
        if (this.#seenInStep[this.#neighbours[3 * seen + i]!] !== this.#step)
          horizon.set(this.#corners[3 * seen + i]!, [seen, i]);
    const fan = this.#closeWithFan(point, horizon);
    for (const seen of visible) {
      this.#isRemoved[seen] = true;
      let orphan = this.#firstOutside[seen]!;
      while (orphan !== NONE) {
        const next = this.#nextOutside[orphan]!;
        if (orphan !== point) this.#assign(orphan, fan);
        orphan = next;
      }
    }
  }

  #closeWithFan(point: number, horizon: ReadonlyMap<number, readonly [number, number]>): readonly number[] {
    const fan: number[] = [];
    const first = horizon.keys().next().value!;
    let corner = first;
    do {
      const [seen, i] = horizon.get(corner)!;
      const outer = this.#neighbours[3 * seen + i]!;
      const end = this.#corners[3 * seen + ((i + 1) % 3)]!;
      const made = this.#add(corner, end, point);
      this.#neighbours[3 * made] = outer;
      // The edge of the outer triangle runs the other way: it starts at `end`.
      for (let k = 0; k < 3; k++) if (this.#corners[3 * outer + k] === end) this.#neighbours[3 * outer + k] = made;
      fan.push(made);
      corner = end;
    } while (corner !== first);
    for (const [k, made] of fan.entries()) {
      this.#neighbours[3 * made + 1] = fan[(k + 1) % fan.length]!;
      this.#neighbours[3 * made + 2] = fan[(k + fan.length - 1) % fan.length]!;
    }
    return fan;
  }
}
