/** Triangles with normals for shading: smooth across flat edges, sharp at creases. */
import type { TriangleMesh } from "castor/formats";
import { BufferAttribute, BufferGeometry } from "three";

/** Faces that meet at a smaller angle are shaded smoothly. */
const CREASE_COSINE = Math.cos((35 * Math.PI) / 180);
/** Most triangles at a vertex that are compared with each other; beyond, the triangle has its own normal. */
const MOST_AT_VERTEX = 64;

export function creasedGeometry({ positions, triangles }: TriangleMesh): BufferGeometry {
  const count = triangles.length / 3;
  const areas = vectorAreas(positions, triangles);
  const { first, faces } = facesAtVertices(triangles, positions.length / 3);
  const corners = new Float32Array(9 * count);
  const normals = new Float32Array(9 * count);
  for (let corner = 0; corner < 3 * count; corner++) {
    const vertex = triangles[corner]!;
    const own = 3 * Math.floor(corner / 3);
    let [x, y, z] = [areas[own]!, areas[own + 1]!, areas[own + 2]!];
    const size = Math.hypot(x, y, z);
    const [begin, end] = [first[vertex]!, first[vertex + 1]!];
    for (let k = begin; k < end && end - begin <= MOST_AT_VERTEX; k++) {
      const other = 3 * faces[k]!;
      if (other === own) continue;
      const [a, b, c] = [areas[other]!, areas[other + 1]!, areas[other + 2]!];
      const cosine = areas[own]! * a + areas[own + 1]! * b + areas[own + 2]! * c;
      if (cosine > CREASE_COSINE * size * Math.hypot(a, b, c)) [x, y, z] = [x + a, y + b, z + c];
    }
    const norm = Math.hypot(x, y, z) || 1;
    normals.set([x / norm, y / norm, z / norm], 3 * corner);
    corners.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * corner);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  return geometry;
}

/** Normal of each triangle, as long as twice its area. */
function vectorAreas(p: Float64Array, triangles: Uint32Array): Float64Array {
  const areas = new Float64Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i]!, 3 * triangles[i + 1]!, 3 * triangles[i + 2]!];
    const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
    const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
    areas[i] = uy * vz - uz * vy;
    areas[i + 1] = uz * vx - ux * vz;
    areas[i + 2] = ux * vy - uy * vx;
  }
  return areas;
}

/** Triangles at each vertex v: faces[first[v]] to faces[first[v + 1] - 1]. */
function facesAtVertices(triangles: Uint32Array, vertices: number): { readonly first: Uint32Array; readonly faces: Uint32Array } {
  const first = new Uint32Array(vertices + 1);
  for (const vertex of triangles) first[vertex + 1]!++;
  for (let v = 0; v < vertices; v++) first[v + 1]! += first[v]!;
  const next = first.slice();
  const faces = new Uint32Array(triangles.length);
  for (const [corner, vertex] of triangles.entries()) faces[next[vertex]!++] = Math.floor(corner / 3);
  return { first, faces };
}
