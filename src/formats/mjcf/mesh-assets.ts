/** Meshes of MJCF: their triangles in the axes of geoms, and mass properties as MuJoCo computes them. */
import { ModelError } from "../../errors.ts";
import { convexHull, hullProblem } from "../../math/convex/convex-hull.ts";
import type { Point3 } from "../../math/convex/polytope.ts";
import type { Placement } from "../../model/model.ts";
import { apply, type Mat3, transpose } from "../../spatial/rotation.ts";
import { negate, scale as scaled, type Vec3 } from "../../spatial/vec3.ts";
import { readMesh } from "../mesh/mesh-file.ts";
import type { ImportOptions } from "../robot/imported-model.ts";
import type { LinkMass } from "../robot/robot-draft.ts";

/** How the mass of a mesh is distributed. MuJoCo's default is `legacy`, which counts the volume of tetrahedra without their signs. */
export const MESH_INERTIAS = ["legacy", "exact", "convex", "shell"] as const;

export interface MjcfMesh {
  readonly file: string;
  readonly scale: readonly number[];
  /** Vertices and faces that the MJCF file gives itself; without faces the mesh is their hull. */
  readonly vertices: readonly Point3[] | undefined;
  readonly faces: readonly number[] | undefined;
  /** Placement of the axes of the geom in those of the vertices. */
  readonly reference: Placement;
  readonly inertia: (typeof MESH_INERTIAS)[number];
}

/** v' = S R_refᵀ (v - p_ref) */
const inGeom = ({ scale, reference: { R, p } }: MjcfMesh, v: readonly number[]): Point3 =>
  (apply(transpose(R), [v[0]! - p[0], v[1]! - p[1], v[2]! - p[2]]) as readonly number[]).map(
    (c, i) => c * scale[i]!,
  ) as unknown as Point3;

/** Placement and scale with which the vertices of the file are drawn on the geom; undefined if an uneven scale follows a rotation. */
export function drawnPlacement({ scale, reference: { R, p } }: MjcfMesh): Placement | undefined {
  const isTurned = R.flat().some((value, i) => value !== (i % 4 === 0 ? 1 : 0));
  const [x, y, z] = scale as unknown as Vec3<number>;
  if (isTurned && (x !== y || y !== z)) return undefined;
  const back = transpose(R) as Mat3<number>;
  const origin = negate(apply(back, p)) as Vec3<number>;
  return { R: back, p: isTurned ? (scaled(x, origin) as Vec3<number>) : [x * origin[0], y * origin[1], z * origin[2]] };
}

/** Vertices that the file gives, in axes of the geom. */
export const ownVertices = (mesh: MjcfMesh): readonly Point3[] | undefined => mesh.vertices?.map((v) => inGeom(mesh, v));

/** Mass for the density 1 (per area for shells), mass centre and inertia, in axes of the geom; undefined if the triangles cannot be had. */
export function meshSolid(mesh: MjcfMesh, options: ImportOptions): LinkMass | undefined {
  const triangles = trianglesOf(mesh, options);
  if (triangles === undefined) return undefined;
  const { mass, com, inertia } = mesh.inertia === "shell" ? shell(triangles) : solid(triangles, mesh.inertia === "legacy");
  return mass > 0 && com.every(Number.isFinite) ? { mass, com, inertia } : undefined;
}

type Triangle = readonly [Point3, Point3, Point3];

function trianglesOf(mesh: MjcfMesh, options: ImportOptions): readonly Triangle[] | undefined {
  const written = mesh.vertices === undefined ? fileTriangles(mesh.file, options) : ownTriangles(mesh.vertices, mesh.faces);
  const triangles = written?.map((corners) => corners.map((v) => inGeom(mesh, v)) as unknown as Triangle);
  if (triangles === undefined || mesh.inertia !== "convex") return triangles;
  return hullTriangles(triangles.flat());
}

function fileTriangles(file: string, { findMesh, readMeshFile }: ImportOptions): readonly Triangle[] | undefined {
  const path = findMesh?.(file);
  if (path === undefined || readMeshFile === undefined) return undefined;
  try {
    const { positions, triangles } = readMesh(path, (name) => {
      const bytes = readMeshFile(name === path ? path : (findMesh?.(name) ?? name));
      if (bytes === undefined) throw new ModelError(name, [{ path: "", message: "there is no such file" }]);
      return bytes;
    });
    const corner = (vertex: number): Point3 => [positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!];
    return Array.from({ length: triangles.length / 3 }, (_, k) => [
      corner(triangles[3 * k]!),
      corner(triangles[3 * k + 1]!),
      corner(triangles[3 * k + 2]!),
    ]);
  } catch (error) {
    if (error instanceof ModelError) return undefined; // a file that pictures and contact report
    throw error;
  }
}

function ownTriangles(vertices: readonly Point3[], faces: readonly number[] | undefined): readonly Triangle[] | undefined {
  if (faces === undefined) return hullTriangles(vertices);
  if (faces.length % 3 !== 0 || faces.some((vertex) => vertices[vertex] === undefined)) return undefined;
  return Array.from({ length: faces.length / 3 }, (_, k) => [
    vertices[faces[3 * k]!]!,
    vertices[faces[3 * k + 1]!]!,
    vertices[faces[3 * k + 2]!]!,
  ]);
}

function hullTriangles(points: readonly Point3[]): readonly Triangle[] | undefined {
  if (hullProblem(points) !== undefined) return undefined;
  const { corners, faces } = convexHull(points);
  return faces.flatMap((face) =>
    face.slice(2).map((_, k): Triangle => [corners[face[0]!]!, corners[face[k + 1]!]!, corners[face[k + 2]!]!]),
  );
}

const minus = (a: Point3, b: Point3): Point3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const crossed = (a: Point3, b: Point3): Point3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const areaOf = ([a, b, c]: Triangle): number => Math.hypot(...crossed(minus(b, a), minus(c, a))) / 2;
const middleOf = ([a, b, c]: Triangle): Point3 => [0, 1, 2].map((i) => (a[i]! + b[i]! + c[i]!) / 3) as unknown as Point3;

/** Sum of weighted points over the sum of weights, and that sum. */
function weighted(items: readonly Triangle[], weight: (t: Triangle) => number, point: (t: Triangle) => Point3) {
  let total = 0;
  const sum = [0, 0, 0];
  for (const item of items) {
    const w = weight(item);
    total += w;
    for (const [i, c] of point(item).entries()) sum[i]! += w * c;
  }
  return { total, centre: sum.map((c) => c / total) as unknown as Point3 };
}

/** Volume of the tetrahedron between a point and a triangle. */
function volumeFrom(apex: Point3, [a, b, c]: Triangle): number {
  const [x, y, z] = crossed(minus(b, apex), minus(c, apex));
  const [px, py, pz] = minus(a, apex);
  return (px * x + py * y + pz * z) / 6;
}

/** @param isLegacy tetrahedra count without their signs: from the middle of the surface for the mass centre, from there for mass and inertia */
function solid(triangles: readonly Triangle[], isLegacy: boolean): LinkMass {
  const apex = weighted(triangles, areaOf, middleOf).centre;
  const volume = (from: Point3, t: Triangle): number => (isLegacy ? Math.abs(volumeFrom(from, t)) : volumeFrom(from, t));
  const { total, centre } = weighted(
    triangles,
    (t) => volume(apex, t),
    (t) => middleOf(t).map((c, i) => (3 * c + apex[i]!) / 4) as unknown as Point3,
  );
  const sign = Math.sign(total);
  return {
    mass: sign * triangles.reduce((sum, t) => sum + volume(centre, t), 0),
    com: centre,
    inertia: inertiaOf(triangles, centre, (t) => (sign * volume(centre, t)) / 20),
  };
}

function shell(triangles: readonly Triangle[]): LinkMass {
  const { total, centre } = weighted(triangles, areaOf, middleOf);
  return { mass: total, com: centre, inertia: inertiaOf(triangles, centre, (t) => areaOf(t) / 12) };
}

/** ∫ x xᵀ of a triangle with weight 1/12 of its area, or of its tetrahedron with 1/20 of the volume: a aᵀ + b bᵀ + c cᵀ + s sᵀ. */
function inertiaOf(triangles: readonly Triangle[], centre: Point3, weight: (t: Triangle) => number): Mat3<number> {
  const second = [0, 1, 2].map(() => [0, 0, 0]);
  for (const triangle of triangles) {
    const corners = triangle.map((corner) => minus(corner, centre));
    const points = [...corners, [0, 1, 2].map((i) => corners.reduce((sum, corner) => sum + corner[i]!, 0))];
    const w = weight(triangle);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) for (const point of points) second[i]![j]! += w * point[i]! * point[j]!;
  }
  const trace = second[0]![0]! + second[1]![1]! + second[2]![2]!;
  return second.map((row, i) => row.map((value, j) => (i === j ? trace - value : -value))) as unknown as Mat3<number>;
}
