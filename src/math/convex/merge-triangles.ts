/** Planar faces of a convex surface of triangles: triangles of one plane are joined, corners within faces and edges are removed. */
import { type Point3, vectorArea } from "./polytope.ts";
import type { TriangleHull } from "./triangle-hull.ts";

const NONE = -1;

/**
 * Faces as lists of points, counterclockwise seen from outside. Each face grows from a large triangle over its neighbours whose corners are
 * within the tolerance of the plane of the first. It remains a disc with a simple boundary. A face that is not convex within the tolerance
 * is divided into its triangles again: this happens to surfaces that are curved by less than the tolerance per triangle.
 */
export function mergeTriangles(points: readonly Point3[], hull: TriangleHull, tolerance: number): readonly (readonly number[])[] {
  const triangles = Array.from({ length: hull.corners.length / 3 }, (_, t) => hull.corners.slice(3 * t, 3 * t + 3));
  const areas = triangles.map((triangle) => norm(vectorArea(points, triangle)));
  const faceOf = new Int32Array(triangles.length).fill(NONE);
  const faces: (readonly number[])[] = [];
  const bySize = triangles.map((_, t) => t).sort((s, t) => areas[t]! - areas[s]! || s - t);
  for (const seed of bySize) {
    if (faceOf[seed] !== NONE) continue;
    const members = growFace(seed, points, hull, faceOf, tolerance);
    const face = boundaryOf(members, hull);
    if (isConvex(points, face, tolerance)) {
      for (const t of members) faceOf[t] = faces.length;
      faces.push(face);
    } else {
      faceOf[seed] = faces.length;
      faces.push(triangles[seed]!);
    }
  }
  return withoutMiddleCorners(faces);
}

const norm = ([x, y, z]: Point3): number => Math.sqrt(x * x + y * y + z * z);

/** Triangles of the face that grows from `seed`. */
function growFace(
  seed: number,
  points: readonly Point3[],
  { corners, neighbours }: TriangleHull,
  faceOf: Int32Array,
  tolerance: number,
): ReadonlySet<number> {
  const [nx, ny, nz] = vectorArea(points, corners.slice(3 * seed, 3 * seed + 3));
  const area = norm([nx, ny, nz]);
  const [x, y, z] = points[corners[3 * seed]!]!;
  const isInPlane = (p: Point3): boolean => Math.abs(nx * (p[0] - x) + ny * (p[1] - y) + nz * (p[2] - z)) <= tolerance * area;
  const members = new Set([seed]);
  const onFace = new Set(corners.slice(3 * seed, 3 * seed + 3));
  const queue = neighbours.slice(3 * seed, 3 * seed + 3);
  while (queue.length > 0) {
    const t = queue.pop()!;
    if (members.has(t) || faceOf[t] !== NONE) continue;
    const edges = [0, 1, 2].filter((i) => members.has(neighbours[3 * t + i]!));
    // A triangle at one edge must bring a new corner, so that the boundary stays simple. Otherwise it waits for another neighbour.
    const newCorner = corners[3 * t + ((edges[0]! + 2) % 3)]!;
    if (edges.length === 1 && (onFace.has(newCorner) || !isInPlane(points[newCorner]!))) continue;
    members.add(t);
    onFace.add(newCorner);
    queue.push(...neighbours.slice(3 * t, 3 * t + 3));
  }
  return members;
}

/** Corners around a set of triangles that is a disc. */
function boundaryOf(members: ReadonlySet<number>, { corners, neighbours }: TriangleHull): readonly number[] {
  const next = new Map<number, number>();
  for (const t of members)
    for (let i = 0; i < 3; i++)
      if (!members.has(neighbours[3 * t + i]!)) next.set(corners[3 * t + i]!, corners[3 * t + ((i + 1) % 3)]!);
  const [first] = next.keys();
  const boundary = [first!];
  for (let corner = next.get(first!)!; corner !== first; corner = next.get(corner)!) boundary.push(corner);
  return boundary;
}

/** True if no corner is farther than the tolerance behind the line through its neighbours. */
function isConvex(points: readonly Point3[], face: readonly number[], tolerance: number): boolean {
  const [nx, ny, nz] = vectorArea(points, face);
  const area = norm([nx, ny, nz]);
  const n = face.length;
  return face.every((corner, k) => {
    const [before, after] = [face[(k + n - 1) % n]!, face[(k + 1) % n]!];
    const [x, y, z] = vectorArea(points, [before, corner, after]);
    const [a, b] = [points[before]!, points[after]!];
    return x * nx + y * ny + z * nz >= -tolerance * area * norm([b[0] - a[0], b[1] - a[1], b[2] - a[2]]);
  });
}

/** Removes corners that belong to two faces only, because they are in the middle of an edge. */
function withoutMiddleCorners(faces: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const facesAt = new Map<number, number[]>();
  for (const [f, face] of faces.entries())
    for (const corner of face) {
      if (!facesAt.has(corner)) facesAt.set(corner, []);
      facesAt.get(corner)!.push(f);
    }
  const counts = faces.map((face) => face.length);
  const removed = new Set<number>();
  for (const [corner, at] of facesAt) {
    if (at.length > 2 || at.some((f) => counts[f]! <= 3)) continue;
    removed.add(corner);
    for (const f of at) counts[f]! -= 1;
  }
  return faces.map((face) => face.filter((corner) => !removed.has(corner)));
}
