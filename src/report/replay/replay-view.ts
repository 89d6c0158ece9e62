/** Where the player looks: at the mechanism, from a side on which shapes hide few of its joints. */
import { type BodyShape, shapeInstances } from "../../model/body-shape.ts";
import type { Body, Model } from "../../model/model.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { worldPoint } from "../pictures/recorded-poses.ts";
import { type KnownSurfaces, pointOnBody } from "./known-surfaces.ts";
import type { ReplayData } from "./replay-format.ts";

/** A shape is oversized, e.g. the vehicle of a docking ring, beyond these multiples of the radius of all joints: its size, its distance. */
const [OVERSIZED, VICINITY] = [2.5, 1.7];
/** A machine that moves further than this, in its radii, is followed. */
const FAR = 3;
/** Half of the player's angle of view, rad, and the room around the machine, as a factor. */
const [HALF_ANGLE, MARGIN] = [0.3, 1.06];
/** The first direction, angles about the vertical and above the horizon; the others are turned by eighths of a turn. */
const [AZIMUTH, ELEVATION] = [-0.9, 0.4];
/** Most shapes, the largest, and most joints for the choice of the direction; and the gain for which it is turned. */
const [MAX_OCCLUDERS, MAX_JOINTS, MIN_GAIN] = [30, 40, 0.2];
/** Distance of the viewer from the middle, in radii. */
const DISTANCE = 3.3;

interface PlacedShape {
  readonly body: number;
  readonly shape: BodyShape;
  readonly radius: number;
  readonly corners: readonly NumericVec3[];
}

/**
 * @param posesAt poses of all bodies at a part of the run, 0 to 1
 * @param shapes those of each body, without copies
 */
export function replayView(
  model: Model,
  shapes: readonly (readonly BodyShape[])[],
  posesAt: (part: number) => Float64Array,
  up: NumericVec3,
  surfaces: KnownSurfaces,
): ReplayData["view"] {
  const start = posesAt(0);
  const joints = model.bodies.flatMap((body) => jointPoints(model, body).map((p) => worldPoint(start, body.index, p)));
  const jointBox = boxOf(joints);
  const world = model.shapes.flatMap(shapeInstances);
  const placed = [world, ...shapes].flatMap((own, i) =>
    own.map((shape): PlacedShape => ({ body: i - 1, shape, ...extentOf(surfaces, shape) })),
  );
  const isFar = ({ body, radius, corners }: PlacedShape): boolean =>
    distance(worldPoint(start, body, middleOf(corners)), jointBox.middle) + radius > VICINITY * jointBox.radius;
  const large = placed.filter(
    ({ body, radius, corners }) =>
      jointBox.radius > 0 &&
      radius > OVERSIZED * jointBox.radius &&
      distance(worldPoint(start, body, middleOf(corners)), jointBox.middle) > 0.6 * radius,
  );
  const vehicles = new Set(large.map(({ body }) => body));
  const near = placed.filter((entry) => !large.includes(entry) && !(vehicles.has(entry.body) && isFar(entry)));
  const points = (poses: Float64Array): NumericVec3[] => [
    ...near.flatMap(({ body, corners }) => corners.map((p) => worldPoint(poses, body, p))),
    ...model.bodies.map(({ index, hinge }) => worldPoint(poses, index, hinge.kind === "free" ? [0, 0, 0] : hinge.onBody.p)),
  ];
  const first = boxOf(points(start));
  const samples = Array.from({ length: 40 }, (_, k) => posesAt(k / 39));
  const whole = boxOf(samples.flatMap(points));
  const follows = whole.radius > FAR * first.radius;
  const { middle, radius } = follows ? first : whole;
  const azimuth = clearAzimuth(surfaces, placed, joints, start, { middle, radius, up });
  const shown = follows ? points(start) : samples.flatMap(points);
  return { centre: middle, radius: MARGIN * viewRadius(shown, middle, azimuth, up) || 1, follows, azimuth, elevation: ELEVATION };
}

/** Radius of the sphere that the player shows from where all points are just within a square view. */
function viewRadius(points: readonly NumericVec3[], middle: NumericVec3, azimuth: number, up: NumericVec3): number {
  const back = directionOf(azimuth, ELEVATION, up);
  const right = unit(cross(up, back));
  const above = cross(back, right);
  let distance = 0;
  for (const p of points) {
    const arm = p.map((x, k) => x - middle[k as 0]) as unknown as NumericVec3;
    const aside = Math.max(Math.abs(dot(arm, right)), Math.abs(dot(arm, above)));
    distance = Math.max(distance, aside / Math.tan(HALF_ANGLE) + dot(arm, back));
  }
  return distance * Math.sin(HALF_ANGLE);
}

const extentOf = (surfaces: KnownSurfaces, shape: BodyShape): Omit<PlacedShape, "body" | "shape"> => {
  const { low, high } = surfaces.bounds(shape);
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    pointOnBody(shape.placement, (i & 1 ? high : low)[0], (i & 2 ? high : low)[1], (i & 4 ? high : low)[2]),
  );
  return { radius: surfaces.boundsRadius(shape), corners };
};

const middleOf = (corners: readonly NumericVec3[]): NumericVec3 =>
  [0, 1, 2].map((k) => (corners[0]![k as 0] + corners[7]![k as 0]) / 2) as unknown as NumericVec3;

const distance = (a: NumericVec3, b: NumericVec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function boxOf(points: readonly NumericVec3[]): { middle: NumericVec3; radius: number } {
  const low = [1 / 0, 1 / 0, 1 / 0];
  const high = [-1 / 0, -1 / 0, -1 / 0];
  for (const p of points)
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, p[k as 0]);
      high[k] = Math.max(high[k]!, p[k as 0]);
    }
  if (points.length === 0) return { middle: [0, 0, 0], radius: 0 };
  const middle = low.map((x, k) => (x + high[k]!) / 2) as unknown as NumericVec3;
  return { middle, radius: Math.hypot(...low.map((x, k) => high[k]! - x)) / 2 };
}

/** Points where a body is joined to others, and its frames. */
function jointPoints(model: Model, { index, parent, hinge }: Body): readonly NumericVec3[] {
  return [
    ...(hinge.kind === "free" || parent < 0 ? [] : [hinge.onBody.p]),
    ...model.bodies.filter((b) => b.parent === index).map((b) => b.hinge.onParent.p),
    ...model.loops.flatMap((loop) =>
      loop.type === "frames" ? [loop.from, loop.to].filter((end) => end.body === index).map((end) => end.placement.p) : [],
    ),
    ...model.frames.filter((frame) => frame.body === index).map((frame) => frame.placement.p),
  ];
}

/** Turns the direction of view about the vertical if that shows many more joints. */
function clearAzimuth(
  surfaces: KnownSurfaces,
  placed: readonly PlacedShape[],
  joints: readonly NumericVec3[],
  poses: Float64Array,
  { middle, radius, up }: { readonly middle: NumericVec3; readonly radius: number; readonly up: NumericVec3 },
): number {
  const occluders = [...placed]
    .sort((a, b) => b.radius - a.radius)
    .slice(0, MAX_OCCLUDERS)
    .flatMap(({ body, shape }) => worldTriangles(surfaces, shape, body, poses));
  const points = joints.slice(0, MAX_JOINTS);
  if (points.length === 0) return AZIMUTH;
  const visible = (azimuth: number): number => {
    const back = directionOf(azimuth, ELEVATION, up);
    const eye = middle.map((x, k) => x + DISTANCE * radius * back[k as 0]) as unknown as NumericVec3;
    return points.filter((p) => !occluders.some((triangle) => isBetween(p, eye, triangle))).length / points.length;
  };
  const first = visible(AZIMUTH);
  let [best, most] = [AZIMUTH, first + MIN_GAIN];
  for (const k of [1, -1, 2, -2, 3, -3, 4]) {
    const fraction = visible(AZIMUTH + (k * Math.PI) / 4);
    if (fraction > most) [best, most] = [AZIMUTH + (k * Math.PI) / 4, fraction];
  }
  return best;
}

/** Direction to the viewer, as the player computes it. */
function directionOf(azimuth: number, elevation: number, up: NumericVec3): NumericVec3 {
  const side = unit(cross(up, Math.abs(up[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1]));
  const ahead = cross(side, up);
  const level = Math.cos(elevation);
  return up.map(
    (u, i) => Math.sin(elevation) * u + level * (Math.cos(azimuth) * ahead[i as 0] + Math.sin(azimuth) * side[i as 0]),
  ) as unknown as NumericVec3;
}

type WorldTriangle = readonly [NumericVec3, NumericVec3, NumericVec3];

function worldTriangles(surfaces: KnownSurfaces, shape: BodyShape, body: number, poses: Float64Array): WorldTriangle[] {
  return surfaces.withoutRim(shape, 10).flatMap(({ positions, triangles }) => {
    const corners = Array.from({ length: positions.length / 3 }, (_, i) =>
      worldPoint(poses, body, pointOnBody(shape.placement, positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!)),
    );
    return Array.from(
      { length: triangles.length / 3 },
      (_, i): WorldTriangle => [corners[triangles[3 * i]!]!, corners[triangles[3 * i + 1]!]!, corners[triangles[3 * i + 2]!]!],
    );
  });
}

/** A joint lies on or in its own body: a triangle hides it only beyond this part of the way to the viewer. */
const CLEAR = 0.02;

/** True if the triangle crosses the line from a to b (Möller and Trumbore). */
function isBetween(a: NumericVec3, b: NumericVec3, [p, q, r]: WorldTriangle): boolean {
  const [d, e, f] = [minus(b, a), minus(q, p), minus(r, p)];
  const h = cross(d, f);
  const det = dot(e, h);
  if (det === 0) return false;
  const s = minus(a, p);
  const u = dot(s, h) / det;
  if (u < 0 || u > 1) return false;
  const k = cross(s, e);
  const v = dot(d, k) / det;
  if (v < 0 || u + v > 1) return false;
  const t = dot(f, k) / det;
  return t > CLEAR && t < 1;
}

const dot = (a: NumericVec3, b: NumericVec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: NumericVec3, b: NumericVec3): NumericVec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: NumericVec3, b: NumericVec3): NumericVec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: NumericVec3): NumericVec3 => {
  const size = Math.hypot(...a) || 1;
  return [a[0] / size, a[1] / size, a[2] / size];
};
