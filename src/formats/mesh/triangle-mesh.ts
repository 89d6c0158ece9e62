/** Triangles of a mesh file, with the limits and errors that the readers of all mesh formats share. */
import { ModelError, type Problem } from "../../errors.ts";

/** Triangles in the units and axes of the file. */
export interface TriangleMesh {
  /** Coordinates x, y, z of each vertex. Every vertex is a corner of a triangle, and no two are equal. */
  readonly positions: Float64Array;
  /** Vertices of each triangle, counted from 0; counterclockwise seen from outside, if the file says so. */
  readonly triangles: Uint32Array;
}

/** Largest size of a mesh file in bytes; of a .gltf file together with its buffers. */
export const LARGEST_MESH_FILE = 100 * 2 ** 20;
/** Most triangles of a mesh: those of a file, or those that a scene repeats. */
export const MOST_TRIANGLES = 1_000_000;
/** Most vertices that a file lists. */
export const MOST_VERTICES = 3 * MOST_TRIANGLES;

/** @param place line or path in the file, and the value there */
export const meshError = (
  file: string,
  message: string,
  advice: string,
  place: Pick<Problem, "line" | "value"> & { readonly path?: string } = {},
): ModelError => new ModelError(file, [{ path: "", message, advice, ...place }]);

/** Advice for files that contradict themselves. */
export const DAMAGED = "The file is truncated or damaged: export it again";
const SIMPLIFY = "Simplify the mesh, or split it into several files";

export function checkMeshSize(bytes: number, file: string): void {
  if (bytes > LARGEST_MESH_FILE)
    throw meshError(file, `has ${bytes} bytes, at most ${LARGEST_MESH_FILE / 2 ** 20} MiB are read`, SIMPLIFY);
}

export function checkTriangleCount(count: number, file: string, line?: number): void {
  if (count > MOST_TRIANGLES)
    throw meshError(
      file,
      `has ${count} triangles or more, at most ${MOST_TRIANGLES} are read`,
      SIMPLIFY,
      line === undefined ? {} : { line },
    );
}

export function checkVertexCount(count: number, file: string, line?: number): void {
  if (count > MOST_VERTICES)
    throw meshError(
      file,
      `has ${count} vertices or more, at most ${MOST_VERTICES} are read`,
      SIMPLIFY,
      line === undefined ? {} : { line },
    );
}

/**
 * The mesh of triangles without common vertices: equal corners become one vertex. Corners are sorted, because files may be made so that a
 * hash table gets slow.
 * @param corners x, y, z of the three corners of each triangle; changed
 * @throws ModelError if there are none, or a coordinate is not finite
 */
export function weldCorners(corners: Float64Array, file: string): TriangleMesh {
  if (corners.length === 0) throw meshError(file, "has no triangles", "Export the surface of the part as triangles");
  for (let i = 0; i < corners.length; i++) {
    if (!Number.isFinite(corners[i]))
      throw meshError(file, `a coordinate of triangle ${Math.floor(i / 9) + 1} is ${corners[i]}`, DAMAGED);
    corners[i]! += 0; // -0 becomes 0
  }
  const count = corners.length / 3;
  const difference = (a: number, b: number): number =>
    corners[3 * a]! - corners[3 * b]! || corners[3 * a + 1]! - corners[3 * b + 1]! || corners[3 * a + 2]! - corners[3 * b + 2]!;
  const sorted = Uint32Array.from({ length: count }, (_, i) => i).sort(difference);
  // The sort is stable: the first of equal corners is the first in the file.
  const firstEqual = new Uint32Array(count);
  for (let k = 0; k < count; k++) {
    const corner = sorted[k]!;
    firstEqual[corner] = k > 0 && difference(sorted[k - 1]!, corner) === 0 ? firstEqual[sorted[k - 1]!]! : corner;
  }
  const triangles = new Uint32Array(count);
  let vertices = 0;
  for (let corner = 0; corner < count; corner++) {
    const first = firstEqual[corner]!;
    triangles[corner] = first === corner ? vertices : triangles[first]!;
    if (first === corner) corners.copyWithin(3 * vertices++, 3 * corner, 3 * corner + 3);
  }
  return { positions: corners.slice(0, 3 * vertices), triangles };
}
