/**
 * Mass properties of a solid that is bounded by triangles, from its density. The integrals over tetrahedra between a point and each triangle are
 * exact: with the corners a, b, c and v = a · (b × c) / 6, ∫ x = v (a + b + c) / 4 and ∫ x xᵀ = v (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20, s = a + b + c.
 */
import { checkMembers, checkPositive } from "../../arguments.ts";
import { meshBounds } from "./mesh-bounds.ts";
import { meshError, type TriangleMesh } from "./triangle-mesh.ts";

export interface MeshMassProperties {
  readonly volume: number;
  readonly area: number;
  readonly mass: number;
  /** Mass centre in axes of the file, in units of the file times the scale. */
  readonly com: readonly [number, number, number];
  /** About the mass centre: xx, yy, zz, xy, xz, yz (entries of the tensor). */
  readonly inertia: readonly [number, number, number, number, number, number];
  /** True if the triangles are clockwise seen from outside. The result is that of the turned triangles. */
  readonly insideOut: boolean;
}

/**
 * @param density per cube of the scaled unit: kg/m³ if coordinates times `scale` are metres
 * @param scale one factor, or three for x, y and z
 * @throws ModelError if the surface is not closed, or if its triangles are not all turned the same way
 */
export function meshMassProperties(
  mesh: TriangleMesh,
  density: number,
  scale: number | readonly number[] = 1,
  file = "mesh",
): MeshMassProperties {
  checkMembers("mesh", mesh, ["positions", "triangles"], "triangles, as readMesh returns them");
  checkPositive("density", density);
  const factors = typeof scale === "number" ? [scale, scale, scale] : scale;
  const { positions, triangles } = mesh;
  checkClosed(mesh, file);
  const centre = middleOf(positions);
  let [volume, area] = [0, 0];
  const first = [0, 0, 0];
  // xx, yy, zz, xy, xz, yz
  const second = [0, 0, 0, 0, 0, 0];
  const corner = (k: number): [number, number, number] => {
    const at = 3 * triangles[k]!;
    return [
      factors[0]! * (positions[at]! - centre[0]),
      factors[1]! * (positions[at + 1]! - centre[1]),
      factors[2]! * (positions[at + 2]! - centre[2]),
    ];
  };
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [corner(k), corner(k + 1), corner(k + 2)];
    const v = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    const s = [a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]];
    volume += v;
    area += triangleArea(a, b, c);
    for (let i = 0; i < 3; i++) first[i]! += (v * s[i]!) / 4;
    for (const [n, [i, j]] of PRODUCTS.entries())
      second[n]! += (v * (a[i]! * a[j]! + b[i]! * b[j]! + c[i]! * c[j]! + s[i]! * s[j]!)) / 20;
  }
  const sign = Math.sign(volume);
  if (!(Math.abs(volume) > FLAT * area ** 1.5))
    throw meshError(file, `encloses no volume: ${volume} with a surface of ${area}`, "Export the surface of a solid part");
  const offset = first.map((x) => x / volume);
  // About the mass centre.
  const [xx, yy, zz, xy, xz, yz] = second.map(
    (x, n) => sign * density * (x - volume * offset[PRODUCTS[n]![0]]! * offset[PRODUCTS[n]![1]]!),
  ) as [number, number, number, number, number, number];
  return {
    volume: Math.abs(volume),
    area,
    mass: density * Math.abs(volume),
    com: [0, 1, 2].map((i) => offset[i]! + factors[i]! * centre[i as 0]) as unknown as [number, number, number],
    inertia: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
    // A mirrored scale turns the triangles as well.
    insideOut: sign * Math.sign(factors[0]! * factors[1]! * factors[2]!) < 0,
  };
}

/** Volumes that are smaller than this share of area^1.5 are rounding errors. */
const FLAT = 1e-12;

const PRODUCTS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

type Point = readonly [number, number, number];

function triangleArea(a: Point, b: Point, c: Point): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

/** Middle of the bounding box: products about it lose the fewest digits. */
function middleOf(positions: Float64Array): Point {
  const { low, high } = meshBounds(positions);
  return low.map((l, i) => l / 2 + high[i]! / 2) as unknown as Point;
}

/**
 * In a closed surface each edge is passed as often in one direction as in the other. Sorted, because a hash table gets slow with files that are
 * made for it. @throws ModelError
 */
function checkClosed({ positions, triangles }: TriangleMesh, file: string): void {
  const count = positions.length / 3;
  const edges = new Float64Array(triangles.length);
  let used = 0;
  for (let k = 0; k < triangles.length; k++) {
    const [from, to] = [triangles[k]!, triangles[k % 3 === 2 ? k - 2 : k + 1]!];
    // An edge between the vertices low and high is 2 (low × count + high), plus 1 if it is passed downwards.
    if (from !== to) edges[used++] = 2 * (Math.min(from, to) * count + Math.max(from, to)) + (from > to ? 1 : 0);
  }
  const sorted = edges.subarray(0, used).sort();
  let [open, turned] = [0, 0];
  let place = -1;
  for (let k = 0; k < used; ) {
    const edge = Math.floor(sorted[k]! / 2);
    let [passes, balance] = [0, 0];
    for (; k < used && Math.floor(sorted[k]! / 2) === edge; k++) {
      passes++;
      balance += sorted[k]! % 2 === 0 ? 1 : -1;
    }
    if (balance === 0) continue;
    if (passes % 2 === 0) turned++;
    else open++;
    if (place < 0) place = Math.floor(edge / count);
  }
  if (open + turned === 0) return;
  const at = `near ${[0, 1, 2].map((i) => +positions[3 * place + i]!.toPrecision(6)).join(", ")} in units of the file`;
  if (open > 0)
    throw meshError(
      file,
      `is not closed: ${open} edges belong to an odd number of triangles, e.g. ${at}`,
      "Close the holes of the surface in the program that wrote it, and join vertices that are meant to be the same",
    );
  throw meshError(
    file,
    `its triangles are turned differently: ${turned} edges have triangles of opposite sense, e.g. ${at}`,
    "Let the program that wrote the mesh recalculate its normals outwards",
  );
}
