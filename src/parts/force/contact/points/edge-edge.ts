/**
 * Two sharp edges that cross, such as the sides of neighbouring petals. With a = a0 + s A, b = b0 + t B the edges, and
 *
 *   n = A × B / |A × B|, out of the first body,   g = n·(b0 - a0)                                                            [1]
 *
 * their distance is g. They touch if -reach < g < 0 and the nearest points lie on both edges. Depth is -g, limited by the remaining length
 * of an edge to its ends, so that it decreases to zero there. Over the last part of the reach, `fade`, it decreases to zero too: an edge
 * that deep has passed the other one. The force acts at the midpoint of the nearest points.
 *
 * Where depth is -g, n is its gradient, and the pair is conservative without friction and damping; at the ends and in the fade it is not.
 */
import { type NarrowPhase, rotateVector, transformPoint } from "../narrow-phase.ts";

/** Edges with a shorter A × B count as parallel, m². */
const PARALLEL = 1e-6;

const P = new Float64Array(12);
const OUT = new Float64Array(3);

/** Data of each: root, tip, out (zero if not given), behind (-1 if it ends at its root), reach, fade. */
export const edgeEdge: NarrowPhase = (first, second, X, hit) => {
  hit[0] = 0;
  transformPoint(X, first, 0, P, 0);
  transformPoint(X, first, 3, P, 3);
  const ax = P[3]! - P[0]!;
  const ay = P[4]! - P[1]!;
  const az = P[5]! - P[2]!;
  const bx = second[3]! - second[0]!;
  const by = second[4]! - second[1]!;
  const bz = second[5]! - second[2]!;
  let nx = ay * bz - az * by;
  let ny = az * bx - ax * bz;
  let nz = ax * by - ay * bx;
  let size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (size < PARALLEL) return;
  rotateVector(X, first, 6, OUT, 0);
  if (nx * (OUT[0]! - second[6]!) + ny * (OUT[1]! - second[7]!) + nz * (OUT[2]! - second[8]!) < 0) size = -size;
  nx /= size;
  ny /= size;
  nz /= size;
  const wx = second[0]! - P[0]!;
  const wy = second[1]! - P[1]!;
  const wz = second[2]! - P[2]!;
  const gap = nx * wx + ny * wy + nz * wz;
  const reach = Math.min(first[10]!, second[10]!);
  if (gap >= 0 || gap < -reach) return;
  const aa = ax * ax + ay * ay + az * az;
  const bb = bx * bx + by * by + bz * bz;
  const ab = ax * bx + ay * by + az * bz;
  const wa = wx * ax + wy * ay + wz * az;
  const wb = wx * bx + wy * by + wz * bz;
  const den = aa * bb - ab * ab;
  const s = (wa * bb - wb * ab) / den;
  const t = (wa * ab - wb * aa) / den;
  let depth = Math.min(-gap, remainingLength(s, Math.sqrt(aa), first[9]!), remainingLength(t, Math.sqrt(bb), second[9]!));
  if (depth <= 0) return;
  const fade = Math.max(first[11]!, second[11]!);
  if (fade > 0) depth *= Math.min(1, (reach + gap) / fade);
  hit[0] = depth;
  hit[1] = -nx;
  hit[2] = -ny;
  hit[3] = -nz;
  hit[4] = 0.5 * (P[0]! + s * ax + second[0]! + t * bx);
  hit[5] = 0.5 * (P[1]! + s * ay + second[1]! + t * by);
  hit[6] = 0.5 * (P[2]! + s * az + second[2]! + t * bz);
};

/** Remaining length of an edge at parameter s: to its tip, and to its root if it ends there. Negative beyond. */
function remainingLength(s: number, length: number, behind: number): number {
  if (behind < 0) return Math.min(s, 1 - s) * length;
  return s < -behind ? -1 : (1 - s) * length;
}
