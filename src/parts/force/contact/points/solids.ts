/**
 * A ball (or a point, with radius zero) against a solid or the ground: depth = r - distance, normal = gradient of the distance. Distances
 * are signed. Inside they are the negative distances to the nearest side. They are continuous everywhere, and the normal is their gradient,
 * so the pairs are conservative without friction and damping.
 */
import type { Terrain } from "../../../../ground/terrain.ts";
import { type NarrowPhase, transformPoint } from "../narrow-phase.ts";

const C = new Float64Array(3);

/** Writes the hit of a ball at C with radius r, from its distance and the gradient of the distance. The point is the deepest of the ball. */
function writeHit(hit: Float64Array, r: number, distance: number, nx: number, ny: number, nz: number): void {
  hit[0] = r - distance;
  hit[1] = nx;
  hit[2] = ny;
  hit[3] = nz;
  hit[4] = C[0]! - r * nx;
  hit[5] = C[1]! - r * ny;
  hit[6] = C[2]! - r * nz;
}

/** Data of second: a point of the plane, its normal. */
export const ballPlane: NarrowPhase = (first, second, X, hit) => {
  transformPoint(X, first, 0, C, 0);
  const nx = second[3]!;
  const ny = second[4]!;
  const nz = second[5]!;
  const distance = (C[0]! - second[0]!) * nx + (C[1]! - second[1]!) * ny + (C[2]! - second[2]!) * nz;
  writeHit(hit, first[3]!, distance, nx, ny, nz);
};

/** Iterations for the normal of the ground below a ball: each reduces the error by a factor of about r × curvature. */
const NORMAL_ITERATIONS = 4;
const GROUND = new Float64Array(3);

/**
 * A ball on the ground z(x, y): the normal is that of the ground at the lowest point of the ball along it, found by iteration. There is one
 * contact point, so the ground must not be more curved than the ball. Depth is measured along the normal, and is exact on a plane.
 */
export const ballGround =
  (terrain: Terrain): NarrowPhase =>
  (first, _second, X, hit) => {
    transformPoint(X, first, 0, C, 0);
    const r = first[3]!;
    let x = C[0]!;
    let y = C[1]!;
    let nx = 0;
    let ny = 0;
    let nz = 1;
    for (let k = r > 0 ? 0 : NORMAL_ITERATIONS; k <= NORMAL_ITERATIONS; k++) {
      terrain.sample(x, y, GROUND);
      nz = 1 / Math.sqrt(1 + GROUND[1]! * GROUND[1]! + GROUND[2]! * GROUND[2]!);
      nx = -GROUND[1]! * nz;
      ny = -GROUND[2]! * nz;
      if (k === NORMAL_ITERATIONS) break;
      x = C[0]! - r * nx;
      y = C[1]! - r * ny;
    }
    // Distance from the tangent plane there. Where the ground is unknown, the run must not continue as if there were no ground.
    const distance = (C[0]! - x) * nx + (C[1]! - y) * ny + (C[2]! - GROUND[0]!) * nz;
    writeHit(hit, r, Number.isNaN(distance) ? Number.NEGATIVE_INFINITY : distance, nx, ny, nz);
  };

/** Data of second: centre, R by rows, half edges. */
export const ballBox: NarrowPhase = (first, second, X, hit) => {
  transformPoint(X, first, 0, C, 0);
  const dx = C[0]! - second[0]!;
  const dy = C[1]! - second[1]!;
  const dz = C[2]! - second[2]!;
  // The ball in axes of the box, and its distance beyond each pair of sides.
  const x = second[3]! * dx + second[6]! * dy + second[9]! * dz;
  const y = second[4]! * dx + second[7]! * dy + second[10]! * dz;
  const z = second[5]! * dx + second[8]! * dy + second[11]! * dz;
  const beyondX = Math.abs(x) - second[12]!;
  const beyondY = Math.abs(y) - second[13]!;
  const beyondZ = Math.abs(z) - second[14]!;
  const most = Math.max(beyondX, beyondY, beyondZ);
  let u = 0;
  let v = 0;
  let w = 0;
  let distance = most;
  if (most <= 0) {
    if (most === beyondX) u = x < 0 ? -1 : 1;
    else if (most === beyondY) v = y < 0 ? -1 : 1;
    else w = z < 0 ? -1 : 1;
  } else {
    u = Math.max(0, beyondX);
    v = Math.max(0, beyondY);
    w = Math.max(0, beyondZ);
    distance = Math.sqrt(u * u + v * v + w * w);
    u /= x < 0 ? -distance : distance;
    v /= y < 0 ? -distance : distance;
    w /= z < 0 ? -distance : distance;
  }
  writeHit(
    hit,
    first[3]!,
    distance,
    second[3]! * u + second[4]! * v + second[5]! * w,
    second[6]! * u + second[7]! * v + second[8]! * w,
    second[9]! * u + second[10]! * v + second[11]! * w,
  );
};

/** Offset of the sides in the data of a solid of revolution, and numbers of a side: start, direction, length, outward normal. */
const FIRST_SIDE = 8;
const PER_SIDE = 7;

/**
 * A solid of revolution whose profile in (ρ, h), radius and height along the axis, is convex. Data of second: a point of the axis, the axis,
 * number of sides, unused, then the sides. Sides on the axis are left out, because they cannot be touched.
 */
export const ballRevolved: NarrowPhase = (first, second, X, hit) => {
  transformPoint(X, first, 0, C, 0);
  const hx = second[3]!;
  const hy = second[4]!;
  const hz = second[5]!;
  const dx = C[0]! - second[0]!;
  const dy = C[1]! - second[1]!;
  const dz = C[2]! - second[2]!;
  const h = dx * hx + dy * hy + dz * hz;
  let ex = dx - h * hx;
  let ey = dy - h * hy;
  let ez = dz - h * hz;
  const rho = Math.sqrt(ex * ex + ey * ey + ez * ez);
  const count = second[6]!;
  // Inside, the nearest side is the one with the smallest distance; outside, the nearest point is on a side or at a corner.
  let least = Number.NEGATIVE_INFINITY;
  let distance = Number.POSITIVE_INFINITY;
  let slopeRho = 0;
  let slopeH = 0;
  let insideRho = 0;
  let insideH = 0;
  for (let k = 0; k < count; k++) {
    const side = FIRST_SIDE + PER_SIDE * k;
    const x = rho - second[side]!;
    const y = h - second[side + 1]!;
    const inFront = x * second[side + 5]! + y * second[side + 6]!;
    if (inFront > least) {
      least = inFront;
      insideRho = second[side + 5]!;
      insideH = second[side + 6]!;
    }
    const along = Math.min(Math.max(x * second[side + 2]! + y * second[side + 3]!, 0), second[side + 4]!);
    const gx = x - along * second[side + 2]!;
    const gy = y - along * second[side + 3]!;
    const square = gx * gx + gy * gy;
    if (square < distance) {
      distance = square;
      slopeRho = gx;
      slopeH = gy;
    }
  }
  if (least <= 0 || distance === 0) {
    distance = least;
    slopeRho = insideRho;
    slopeH = insideH;
  } else {
    distance = Math.sqrt(distance);
    slopeRho /= distance;
    slopeH /= distance;
  }
  if (rho > 0) {
    ex /= rho;
    ey /= rho;
    ez /= rho;
  } else slopeRho = 0; // on the axis the radial direction is undefined
  writeHit(hit, first[3]!, distance, slopeRho * ex + slopeH * hx, slopeRho * ey + slopeH * hy, slopeRho * ez + slopeH * hz);
};

type ProfileCorner = readonly [rho: number, h: number];
/** Start, direction, length, outward normal. */
type ProfileSide = readonly [number, number, number, number, number, number, number];

/** Sides of a profile from its corners, counterclockwise in (ρ, h). */
export const profileSides = (corners: readonly ProfileCorner[]): readonly ProfileSide[] =>
  corners.flatMap((from, i): ProfileSide[] => {
    const to = corners[(i + 1) % corners.length]!;
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.sqrt(x * x + y * y);
    const onAxis = from[0] === 0 && to[0] === 0;
    return length === 0 || onAxis ? [] : [[...from, x / length, y / length, length, y / length, -x / length]];
  });

/** A face at h = 0 between two radii, with unlimited material behind it. */
export const sidesBehindFace = (inner: number, radius: number): readonly ProfileSide[] => [
  [inner, 0, 1, 0, radius - inner, 0, 1],
  [radius, 0, 0, -1, Number.POSITIVE_INFINITY, 1, 0],
  ...(inner > 0 ? [[inner, 0, 0, -1, Number.POSITIVE_INFINITY, -1, 0] as const] : []),
];

export const revolvedData = (at: readonly number[], axis: readonly number[], sides: readonly ProfileSide[]): Float64Array =>
  Float64Array.from([...at, ...axis, sides.length, 0, ...sides.flat()]);
