/**
 * Cells of an elastic polytope. The pressure at a point is modulus × φ / H, with the distance φ = min h_k from its faces and the largest such
 * distance H. The cell of face k is the part where h_k is the smallest: there the pressure is linear. Cells meet at walls, where two distances
 * are equal.
 */
import type { Point3, Polytope } from "../../../../math/convex/polytope.ts";
import { Clipper } from "./clipper.ts";

export interface PressureCells {
  /** Outward normal and offset of each face: h = offset - n·x. */
  readonly planes: Float64Array;
  /** Neighbours of cell k: neighbours[neighbourStart[k]] to neighbours[neighbourStart[k + 1] - 1]. */
  readonly neighbourStart: Int32Array;
  readonly neighbours: Int32Array;
  /** The plane of the wall to each neighbour l of a cell k: h_k <= h_l behind it. */
  readonly wallPlanes: Float64Array;
  /** Walls as polygons, and the cell on one side. The jump is |n_l - n_k| / 2. */
  readonly walls: readonly {
    readonly points: Float64Array;
    readonly cell: number;
    readonly jump: number;
  }[];
  /** H, the largest distance of an inner point from the surface. */
  readonly depth: number;
}

/** Walls with less than this share of the squared size of the polytope are points or lines. */
const SMALLEST_WALL = 1e-12;

export function pressureCells({ corners, planes }: Polytope): PressureCells {
  const n = planes.length;
  const centre = meanOf(corners);
  const size = 2 * Math.max(...corners.map((c) => distance(c, centre)));
  const clipper = new Clipper(4 + n + 1);
  const walls: { points: Float64Array; cell: number; jump: number }[] = [];
  const neighbours: number[][] = planes.map(() => []);
  const all = Float64Array.from(planes.flatMap(({ normal, offset }) => [...normal, offset]));
  const difference = new Float64Array(4);
  /** Leaves the part where h_k <= h_m. */
  const clipToNearest = (k: number, m: number): boolean => {
    for (let i = 0; i < 4; i++) difference[i] = all[4 * m + i]! - all[4 * k + i]!;
    return clipper.clip(difference, 0);
  };
  let nearer = 0;
  let depth = 0;
  for (let k = 0; k < n; k++)
    for (let l = k + 1; l < n; l++) {
      if (!placeWall(clipper, planes[k]!, planes[l]!, centre, 2 * size)) continue;
      const a = planes[k]!;
      // The face that is nearer than the last pair is mostly nearer than this one: polytopes of many faces have many pairs and few walls.
      if (nearer !== k && nearer !== l && !clipToNearest(k, nearer)) continue;
      placeWall(clipper, planes[k]!, planes[l]!, centre, 2 * size);
      let isLeft = clipper.clip(all, 4 * k);
      for (let m = 0; m < n && isLeft; m++) {
        if (m === k || m === l) continue;
        isLeft = clipToNearest(k, m);
        if (!isLeft) nearer = m;
      }
      if (!isLeft || polygonArea(clipper) < SMALLEST_WALL * size * size) continue;
      const points = clipper.points.slice(0, 3 * clipper.count);
      const b = planes[l]!;
      walls.push({ points, cell: k, jump: distance(a.normal, b.normal) / 2 });
      neighbours[k]!.push(l);
      neighbours[l]!.push(k);
      for (let i = 0; i < points.length; i += 3)
        depth = Math.max(
          depth,
          a.offset - (a.normal[0] * points[i]! + a.normal[1] * points[i + 1]! + a.normal[2] * points[i + 2]!),
        );
    }
  const neighbourStart = [0];
  for (const list of neighbours) neighbourStart.push(neighbourStart.at(-1)! + list.length);
  return {
    planes: all,
    neighbourStart: Int32Array.from(neighbourStart),
    neighbours: Int32Array.from(neighbours.flat()),
    wallPlanes: Float64Array.from(neighbours.flatMap((list, k) => list.flatMap((l) => differenceOf(planes[l]!, planes[k]!)))),
    walls,
    depth,
  };
}

type Plane = Polytope["planes"][number];

/** The plane h_a = h_b, as normal and offset; h_b <= h_a behind it. */
const differenceOf = (a: Plane, b: Plane): number[] => [
  ...[0, 1, 2].map((i) => a.normal[i]! - b.normal[i]!),
  a.offset - b.offset,
];

/** Makes the polygon a large square in the plane h_k = h_l. Returns false if there is no such plane. */
function placeWall(clipper: Clipper, a: Plane, b: Plane, centre: Point3, half: number): boolean {
  const d: Point3 = [b.normal[0] - a.normal[0], b.normal[1] - a.normal[1], b.normal[2] - a.normal[2]];
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (length < 1e-9) return false;
  const n: Point3 = [d[0] / length, d[1] / length, d[2] / length];
  const gap = (b.offset - a.offset) / length - (n[0] * centre[0] + n[1] * centre[1] + n[2] * centre[2]);
  if (Math.abs(gap) > half) return false;
  const e = perpendicular(n);
  const f: Point3 = [n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]];
  clipper.clear();
  for (const [u, v] of [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ] as const)
    clipper.add(
      centre[0] + gap * n[0] + u * e[0] + v * f[0],
      centre[1] + gap * n[1] + u * e[1] + v * f[1],
      centre[2] + gap * n[2] + u * e[2] + v * f[2],
    );
  return true;
}

/** A unit vector at right angles to n. */
export function perpendicular(n: Point3): Point3 {
  const i = Math.abs(n[0]) < 0.6 ? 0 : 1;
  const e: Point3 = i === 0 ? [0, n[2], -n[1]] : [-n[2], 0, n[0]];
  const length = Math.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
  return [e[0] / length, e[1] / length, e[2] / length];
}

function polygonArea({ points: p, count }: Clipper): number {
  let [x, y, z] = [0, 0, 0];
  for (let k = 3; k + 3 < 3 * count; k += 3) {
    const [ax, ay, az] = [p[k]! - p[0]!, p[k + 1]! - p[1]!, p[k + 2]! - p[2]!];
    const [bx, by, bz] = [p[k + 3]! - p[0]!, p[k + 4]! - p[1]!, p[k + 5]! - p[2]!];
    x += ay * bz - az * by;
    y += az * bx - ax * bz;
    z += ax * by - ay * bx;
  }
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

export const meanOf = (points: readonly Point3[]): Point3 =>
  [0, 1, 2].map((i) => points.reduce((sum, p) => sum + p[i]!, 0) / points.length) as unknown as Point3;
const distance = (a: Point3, b: Point3): number =>
  Math.sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
