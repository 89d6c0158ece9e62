/** Surfaces of shapes as triangles with normals, for pictures. */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";

/** Triangles, counterclockwise seen from outside. Three numbers per vertex in `positions` and `normals`, two in `uvs`. */
export interface Surface {
  readonly positions: number[];
  readonly normals: number[];
  /** Lengths along the surface, m; on a panel the number of solar cells. */
  readonly uvs: number[];
  readonly triangles: number[];
}

export const emptySurface = (): Surface => ({ positions: [], normals: [], uvs: [], triangles: [] });

/** Adds a vertex and returns its index. */
export function addVertex(
  { positions, normals, uvs }: Surface,
  p: NumericVec3,
  n: NumericVec3,
  uv: readonly [number, number],
): number {
  positions.push(p[0], p[1], p[2]);
  normals.push(n[0], n[1], n[2]);
  uvs.push(uv[0], uv[1]);
  return positions.length / 3 - 1;
}

/** Adds a grid of vertices: `rows` of the same length. Its triangles face cross(along a row, from row to row). */
export function addGrid(
  surface: Surface,
  rows: readonly (readonly { readonly p: NumericVec3; readonly n: NumericVec3; readonly uv: readonly [number, number] }[])[],
): void {
  const first = surface.positions.length / 3;
  for (const row of rows) for (const { p, n, uv } of row) addVertex(surface, p, n, uv);
  const width = rows[0]?.length ?? 0;
  for (let i = 0; i + 1 < rows.length; i++)
    for (let k = 0; k + 1 < width; k++) {
      const a = first + i * width + k;
      addTriangle(surface, a, a + 1, a + width + 1);
      addTriangle(surface, a, a + width + 1, a + width);
    }
}

/** Adds a triangle, unless two of its corners are the same point. */
export function addTriangle({ positions, triangles }: Surface, a: number, b: number, c: number): void {
  if (!isSamePoint(positions, a, b) && !isSamePoint(positions, b, c) && !isSamePoint(positions, c, a)) triangles.push(a, b, c);
}

const isSamePoint = (positions: readonly number[], i: number, j: number): boolean =>
  positions[3 * i] === positions[3 * j] &&
  positions[3 * i + 1] === positions[3 * j + 1] &&
  positions[3 * i + 2] === positions[3 * j + 2];

/** Adds the other side of everything from a vertex and a triangle on, for thin walls. */
export function addReverse(surface: Surface, firstVertex: number, firstIndex: number): void {
  const { positions, normals, uvs, triangles } = surface;
  const [vertices, indices] = [positions.length / 3, triangles.length];
  const shift = vertices - firstVertex;
  for (let i = 3 * firstVertex; i < 3 * vertices; i++) {
    positions.push(positions[i]!);
    normals.push(-normals[i]!);
  }
  for (let i = 2 * firstVertex; i < 2 * vertices; i++) uvs.push(uvs[i]!);
  for (let i = firstIndex; i < indices; i += 3)
    triangles.push(triangles[i]! + shift, triangles[i + 2]! + shift, triangles[i + 1]! + shift);
}

/** The vector with length 1; a zero vector stays zero. */
export function unit(v: NumericVec3): NumericVec3 {
  const length = euclideanNorm(v) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}
