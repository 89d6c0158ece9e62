/** Convex polytopes: corners, planar faces and their planes. */

export type Point3 = readonly [number, number, number];

/** Points x with normal · x <= offset. The normal is a unit vector and points outward. */
export interface HalfSpace {
  readonly normal: Point3;
  readonly offset: number;
}

export interface Polytope {
  readonly corners: readonly Point3[];
  /** Corners of each face, counterclockwise seen from outside. Two faces that share an edge share both of its corners. */
  readonly faces: readonly (readonly number[])[];
  /** Plane of each face. All corners are in all half-spaces; the corners of a face are in its plane within the tolerance of the hull. */
  readonly planes: readonly HalfSpace[];
}

/** The polytope with these corners and faces. */
export function polytope(corners: readonly Point3[], faces: readonly (readonly number[])[]): Polytope {
  return { corners, faces, planes: faces.map((face) => halfSpaceOf(corners, face)) };
}

/** A box about the origin with edges along the axes. */
export function boxPolytope([x, y, z]: Point3): Polytope {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i): Point3 => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]);
  return polytope(corners, [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ]);
}

/** Volume and centre of volume. */
export function volumeOf({ corners, faces }: Polytope): { readonly volume: number; readonly centre: Point3 } {
  const [ox, oy, oz] = corners[0]!;
  const relative = (corner: number): Point3 => {
    const [x, y, z] = corners[corner]!;
    return [x - ox, y - oy, z - oz];
  };
  let six = 0;
  const moment: [number, number, number] = [0, 0, 0];
  for (const face of faces)
    for (let k = 1; k + 1 < face.length; k++) {
      const [a, b, c] = [relative(face[0]!), relative(face[k]!), relative(face[k + 1]!)];
      const v = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
      six += v;
      for (let i = 0; i < 3; i++) moment[i]! += (v * (a[i]! + b[i]! + c[i]!)) / 4;
    }
  return { volume: six / 6, centre: [ox + moment[0] / six, oy + moment[1] / six, oz + moment[2] / six] };
}

/** The half-space behind a face. Its normal is that of the vector area ½ Σ pᵢ × pᵢ₊₁, and no corner is outside of it. */
function halfSpaceOf(corners: readonly Point3[], face: readonly number[]): HalfSpace {
  const [x, y, z] = vectorArea(corners, face);
  const length = Math.sqrt(x * x + y * y + z * z);
  const normal: Point3 = [x / length, y / length, z / length];
  let offset = Number.NEGATIVE_INFINITY;
  for (const c of corners) offset = Math.max(offset, normal[0] * c[0] + normal[1] * c[1] + normal[2] * c[2]);
  return { normal, offset };
}

/** Twice the vector area of a polygon. */
export function vectorArea(corners: readonly Point3[], polygon: readonly number[]): Point3 {
  const [ox, oy, oz] = corners[polygon[0]!]!;
  let [x, y, z] = [0, 0, 0];
  for (let k = 1; k + 1 < polygon.length; k++) {
    const b = corners[polygon[k]!]!;
    const c = corners[polygon[k + 1]!]!;
    const [bx, by, bz] = [b[0] - ox, b[1] - oy, b[2] - oz];
    const [cx, cy, cz] = [c[0] - ox, c[1] - oy, c[2] - oz];
    x += by * cz - bz * cy;
    y += bz * cx - bx * cz;
    z += bx * cy - by * cx;
  }
  return [x, y, z];
}
