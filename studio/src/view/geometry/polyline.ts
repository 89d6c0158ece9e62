/** Simplifies long lines. Each point costs a few triangles; without a graphics card, thousands of points take most of the drawing time. */

/**
 * Indices of the points to keep of a line through x, y, z, x, y, z, ... so that all other points are within the tolerance of the line. Each piece
 * is divided at its furthest point until none is too far [Douglas, Peucker 1973]. A piece longer than `longest` is divided too, if there are
 * points between its ends.
 */
export function simplifyPolyline(points: Float32Array, tolerance: number, longest: number): Uint32Array {
  const count = points.length / 3;
  const isNeeded = new Uint8Array(count);
  if (count > 0) isNeeded[0] = isNeeded[count - 1] = 1;
  const pieces: [number, number][] = count > 2 ? [[0, count - 1]] : [];
  for (let piece = pieces.pop(); piece; piece = pieces.pop()) {
    const [from, to] = piece;
    const { furthest, distance, length } = furthestFrom(points, from, to);
    if (distance <= tolerance && length <= longest) continue;
    const split = distance > tolerance ? furthest : (from + to) >> 1;
    isNeeded[split] = 1;
    if (split - from > 1) pieces.push([from, split]);
    if (to - split > 1) pieces.push([split, to]);
  }
  return Uint32Array.from(isNeeded.keys()).filter((i) => isNeeded[i] === 1);
}

/** The point furthest from the straight piece between two points, its distance, and the length of the piece. */
function furthestFrom(p: Float32Array, from: number, to: number): { furthest: number; distance: number; length: number } {
  const [a, b] = [3 * from, 3 * to];
  const [dx, dy, dz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
  const square = dx * dx + dy * dy + dz * dz;
  let [furthest, largest] = [from + 1, -1];
  for (let i = from + 1; i < to; i++) {
    const [x, y, z] = [p[3 * i]! - p[a]!, p[3 * i + 1]! - p[a + 1]!, p[3 * i + 2]! - p[a + 2]!];
    const s = square > 0 ? Math.min(1, Math.max(0, (x * dx + y * dy + z * dz) / square)) : 0;
    const squaredDistance = (x - s * dx) ** 2 + (y - s * dy) ** 2 + (z - s * dz) ** 2;
    if (squaredDistance > largest) [furthest, largest] = [i, squaredDistance];
  }
  return { furthest, distance: Math.sqrt(largest), length: Math.sqrt(square) };
}
