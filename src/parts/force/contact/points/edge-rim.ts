/**
 * A straight edge in a round opening, as on petals of docking rings. In axes of the rim, with h the direction of entry, the edge runs from
 * its root a to its tip b and crosses the plane of the rim at C = a + s (b - a), at the radius ρ in the direction e from the centre. The
 * rim is the inner end of a ring, so there is contact if R < ρ <= outer:
 *
 *   n normal to the edge and to the rim's tangent h × e, inwards;   depth = (ρ - R) |n·e|   at the rim, R e.                  [1]
 *
 * Near its tip the edge rests on the face of the ring instead, if that is less deep:  n = -h, depth = |b·h| at b.              [2]
 * Behind its root (s < 0) the edge continues as a heel along h:  n = -e, depth = ρ - R, with ρ that of the root.            [3]
 *
 * If no point moves farther than δ, heights change by at most δ, and C moves by at most δ (1 + L / (b·h - a·h - 2 δ)), with L the length of
 * the edge. This gives the lower bound of the gap without contact.                                                          [4]
 * An edge that does not enter must turn until it does, so that both ends move against each other by the missing entry.      [5]
 *
 * The normal of [1] is the gradient of its depth only to first order in the depth, so a pair without friction and damping conserves its
 * energy to that order. Between [1] and [3] the depth changes by the factor |n·e|.
 */
import { type NarrowPhase, transformPoint } from "../narrow-phase.ts";

/** Edges that enter by less than this, m, are not in the opening. */
const LEAST_ENTRY = 1e-6;

const A = new Float64Array(6);

/** Data of first: root, tip, heel; of second: centre, axis, radius, outer. */
export const edgeRim: NarrowPhase = (first, second, X, hit) => {
  hit[0] = 0;
  transformPoint(X, first, 0, A, 0);
  transformPoint(X, first, 3, A, 3);
  const heel = first[6]!;
  const hx = second[3]!;
  const hy = second[4]!;
  const hz = second[5]!;
  const radius = second[6]!;
  const ax = A[0]! - second[0]!;
  const ay = A[1]! - second[1]!;
  const az = A[2]! - second[2]!;
  let dx = A[3]! - A[0]!;
  let dy = A[4]! - A[1]!;
  let dz = A[5]! - A[2]!;
  const entry = dx * hx + dy * hy + dz * hz;
  const root = ax * hx + ay * hy + az * hz;
  if (entry <= LEAST_ENTRY) {
    hit[0] = Math.min((entry - LEAST_ENTRY) / 2, root + entry, heel - root); // [5]
    return;
  }
  const s = -root / entry;
  if (s > 1 || root > heel) {
    hit[0] = Math.min(root + entry, heel - root);
    return;
  }
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  let cx = ax;
  let cy = ay;
  let cz = az;
  let height = root;
  if (s < 0) {
    dx = hx;
    dy = hy;
    dz = hz;
  } else {
    cx += s * dx;
    cy += s * dy;
    cz += s * dz;
    height += s * entry;
  }
  const rx = cx - height * hx;
  const ry = cy - height * hy;
  const rz = cz - height * hz;
  const rho = Math.sqrt(rx * rx + ry * ry + rz * rz);
  if (rho <= radius || rho > second[7]!) {
    const safety = entry / (entry + 2 * length); // [4] with δ up to a quarter of the entry
    hit[0] = -Math.min((rho > radius ? rho - second[7]! : radius - rho) * safety, entry / 4);
    return;
  }
  const ex = rx / rho;
  const ey = ry / rho;
  const ez = rz / rho;
  const tx = hy * ez - hz * ey;
  const ty = hz * ex - hx * ez;
  const tz = hx * ey - hy * ex;
  let nx = ty * dz - tz * dy;
  let ny = tz * dx - tx * dz;
  let nz = tx * dy - ty * dx;
  const radial = nx * ex + ny * ey + nz * ez;
  const size = (radial > 0 ? -1 : 1) / Math.sqrt(nx * nx + ny * ny + nz * nz);
  nx *= size;
  ny *= size;
  nz *= size;
  const depth = (rho - radius) * Math.abs(radial * size);
  const tip = Math.abs(root + entry);
  if (s >= 0 && tip < depth) {
    hit[0] = tip;
    hit[1] = -hx;
    hit[2] = -hy;
    hit[3] = -hz;
    hit[4] = A[3]!;
    hit[5] = A[4]!;
    hit[6] = A[5]!;
    return;
  }
  hit[0] = depth;
  hit[1] = nx;
  hit[2] = ny;
  hit[3] = nz;
  hit[4] = second[0]! + radius * ex;
  hit[5] = second[1]! + radius * ey;
  hit[6] = second[2]! + radius * ez;
};
