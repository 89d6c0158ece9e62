/** Exact orientation of four points on an integer grid. */

/** Grid coordinates are whole numbers of at most this magnitude, 2⁵¹: their differences are exact in double precision. */
export const LARGEST_GRID_COORDINATE = 2_251_799_813_685_248;

/** Relative error of the determinant below, 16 roundings with a margin. */
const ROUNDING = 8 * Number.EPSILON;

/**
 * Sign of the volume of the tetrahedron abcd: positive if d is on the side of the plane abc to which (b - a) × (c - a) points. The
 * determinant is computed in double precision; if its sign is not certain, it is computed again with integers of any size.
 * @param grid whole numbers, three per point
 */
export function orientation(grid: Float64Array, a: number, b: number, c: number, d: number): number {
  const x = grid[3 * a]!;
  const y = grid[3 * a + 1]!;
  const z = grid[3 * a + 2]!;
  const bx = grid[3 * b]! - x;
  const by = grid[3 * b + 1]! - y;
  const bz = grid[3 * b + 2]! - z;
  const cx = grid[3 * c]! - x;
  const cy = grid[3 * c + 1]! - y;
  const cz = grid[3 * c + 2]! - z;
  const dx = grid[3 * d]! - x;
  const dy = grid[3 * d + 1]! - y;
  const dz = grid[3 * d + 2]! - z;
  const determinant = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
  const magnitude =
    Math.abs(dx) * (Math.abs(by * cz) + Math.abs(bz * cy)) +
    Math.abs(dy) * (Math.abs(bz * cx) + Math.abs(bx * cz)) +
    Math.abs(dz) * (Math.abs(bx * cy) + Math.abs(by * cx));
  if (magnitude === 0) return 0;
  if (Math.abs(determinant) > ROUNDING * magnitude) return determinant;
  return exactSign(bx, by, bz, cx, cy, cz, dx, dy, dz);
}

function exactSign(
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const [BX, BY, BZ] = [BigInt(bx), BigInt(by), BigInt(bz)];
  const [CX, CY, CZ] = [BigInt(cx), BigInt(cy), BigInt(cz)];
  const determinant = BigInt(dx) * (BY * CZ - BZ * CY) + BigInt(dy) * (BZ * CX - BX * CZ) + BigInt(dz) * (BX * CY - BY * CX);
  return determinant > 0n ? 1 : determinant < 0n ? -1 : 0;
}
