/** Balls, lines with a radius, and circles against each other: depth = sum of the radii - distance of the centre lines. */
import { type NarrowPhase, transformPoint } from "../narrow-phase.ts";

const C = new Float64Array(6);

/**
 * Writes the hit of two round parts whose centre lines are nearest at p (first) and q (second). The point is in the middle of the overlap.
 * Where the centre lines intersect, the normal is undefined and there is no force.
 */
function writeRoundHit(
  hit: Float64Array,
  px: number,
  py: number,
  pz: number,
  r: number,
  qx: number,
  qy: number,
  qz: number,
  R: number,
): void {
  let nx = px - qx;
  let ny = py - qy;
  let nz = pz - qz;
  const distance = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (distance > 0) {
    nx /= distance;
    ny /= distance;
    nz /= distance;
  }
  const depth = r + R - distance;
  const back = r - 0.5 * depth;
  hit[0] = distance > 0 ? depth : 0;
  hit[1] = nx;
  hit[2] = ny;
  hit[3] = nz;
  hit[4] = px - back * nx;
  hit[5] = py - back * ny;
  hit[6] = pz - back * nz;
}

/** Data of each: centre, radius. */
export const ballBall: NarrowPhase = (first, second, X, hit) => {
  transformPoint(X, first, 0, C, 0);
  writeRoundHit(hit, C[0]!, C[1]!, C[2]!, first[3]!, second[0]!, second[1]!, second[2]!, second[3]!);
};

/** Data of second: one end, other end, radius. */
export const ballLine: NarrowPhase = (first, second, X, hit) => {
  transformPoint(X, first, 0, C, 0);
  const bx = second[3]! - second[0]!;
  const by = second[4]! - second[1]!;
  const bz = second[5]! - second[2]!;
  const t = clampToUnit(
    ((C[0]! - second[0]!) * bx + (C[1]! - second[1]!) * by + (C[2]! - second[2]!) * bz) / (bx * bx + by * by + bz * bz),
  );
  writeRoundHit(hit, C[0]!, C[1]!, C[2]!, first[3]!, second[0]! + t * bx, second[1]! + t * by, second[2]! + t * bz, second[6]!);
};

/** Data of second: centre, axis, radius. On the axis all points of the circle are equally near, and there is no force. */
export const ballRim: NarrowPhase = (first, second, X, hit) => {
  transformPoint(X, first, 0, C, 0);
  const dx = C[0]! - second[0]!;
  const dy = C[1]! - second[1]!;
  const dz = C[2]! - second[2]!;
  const h = dx * second[3]! + dy * second[4]! + dz * second[5]!;
  const ex = dx - h * second[3]!;
  const ey = dy - h * second[4]!;
  const ez = dz - h * second[5]!;
  const rho = Math.sqrt(ex * ex + ey * ey + ez * ez);
  if (rho === 0) {
    hit[0] = 0;
    return;
  }
  const s = second[6]! / rho;
  writeRoundHit(hit, C[0]!, C[1]!, C[2]!, first[3]!, second[0]! + s * ex, second[1]! + s * ey, second[2]! + s * ez, 0);
};

/**
 * Data of each: one end, other end, radius. Nearest points of two line segments: those of the two lines if both lie on the segments; else
 * one of them is an end. For parallel lines, the middle of the common part, so that parallel capsules exert no torque on each other.
 */
export const lineLine: NarrowPhase = (first, second, X, hit) => {
  transformPoint(X, first, 0, C, 0);
  transformPoint(X, first, 3, C, 3);
  const ax = C[3]! - C[0]!;
  const ay = C[4]! - C[1]!;
  const az = C[5]! - C[2]!;
  const bx = second[3]! - second[0]!;
  const by = second[4]! - second[1]!;
  const bz = second[5]! - second[2]!;
  const wx = second[0]! - C[0]!;
  const wy = second[1]! - C[1]!;
  const wz = second[2]! - C[2]!;
  const aa = ax * ax + ay * ay + az * az;
  const bb = bx * bx + by * by + bz * bz;
  const ab = ax * bx + ay * by + az * bz;
  const wa = wx * ax + wy * ay + wz * az;
  const wb = wx * bx + wy * by + wz * bz;
  const den = aa * bb - ab * ab;
  let s: number;
  if (den > PARALLEL * aa * bb) s = clampToUnit((wa * bb - wb * ab) / den);
  else {
    // Parallel lines: project the ends of the second onto the first, and take the middle of the common part.
    const from = wa / aa;
    const to = (wa + ab) / aa;
    s = 0.5 * (clampToUnit(Math.min(from, to)) + clampToUnit(Math.max(from, to)));
  }
  let t = (s * ab - wb) / bb;
  if (t < 0 || t > 1) {
    t = clampToUnit(t);
    s = clampToUnit((wa + t * ab) / aa);
  }
  writeRoundHit(
    hit,
    C[0]! + s * ax,
    C[1]! + s * ay,
    C[2]! + s * az,
    first[6]!,
    second[0]! + t * bx,
    second[1]! + t * by,
    second[2]! + t * bz,
    second[6]!,
  );
};

/** sin² of the angle below which lines count as parallel. */
const PARALLEL = 1e-20;

const clampToUnit = (s: number): number => Math.min(Math.max(s, 0), 1);
