/** Position of the camera: near enough that the machine fills the picture in every part of a run. */
import type { Body, Model } from "castor";
import type { NumericVec3 } from "castor/model";
import { type PerspectiveCamera, Vector3 } from "three";
import { bodyPointToWorld } from "./geometry/body-points.ts";
import { BoundingBox } from "./geometry/bounding-box.ts";
import type { MachineExtent } from "./geometry/machine-extent.ts";
import { massCentre } from "./geometry/mass-centre.ts";
import type { SceneFrame } from "./layer.ts";
import type { SceneModel } from "./scene-model.ts";

/** Angle of view from top to bottom, degrees. */
export const FIELD_OF_VIEW = 35;
/** Fractions of the half picture, from the middle to the sides, top and bottom, that the machine may fill. */
export interface FillLimits {
  readonly sides: number;
  readonly top: number;
  readonly bottom: number;
}

const DEFAULT_LIMITS: FillLimits = { sides: 0.92, top: 0.84, bottom: 0.84 };

/** Places in the scene that the camera must show. */
export interface CameraSubject {
  readonly spheres: readonly number[];
  /** The machine moves so far that the camera follows it. */
  readonly travels: boolean;
}

/** Margin around a mode, in radii of the machine. */
const MODE_MARGIN = 0.15;

/** Number of samples of a run that are checked, enough for fast turns. `spheres` limits the total number of spheres. */
const SAMPLE_LIMITS = { min: 40, max: 240, spheres: 20_000 } as const;

/** A machine that moves further than this, in radii, is followed. */
const TRAVEL_RADII = 3;

/** All places of the bodies in a run; the present place of a machine that moves far; the rest shape of a mode with a margin. */
export function subjectOfRun(
  model: SceneModel,
  { log, origin, poses: presentPoses, mode }: Omit<SceneFrame, "t" | "q" | "grown">,
): CameraSubject {
  const { motion, extent } = model;
  const spheres: number[] = [];
  const bounds = new BoundingBox();
  const margin = mode ? MODE_MARGIN * extent.radius : 0;
  const add = (poses: Float64Array): void => {
    const centre = extent.comoving ? massCentre(motion.model, poses) : origin;
    for (const [body, corners] of extent.bodySpheres.entries())
      for (const { p, r } of corners) {
        const [x, y, z] = bodyPointToWorld(poses, body, p);
        const sphere = [x - centre[0]!, y - centre[1]!, z - centre[2]!] as const;
        bounds.add(sphere, r);
        spheres.push(...sphere, r + margin);
      }
    for (const { p, r } of extent.worldSpheres) {
      const sphere = [p[0] - centre[0]!, p[1] - centre[1]!, p[2] - centre[2]!] as const;
      bounds.add(sphere, r);
      spheres.push(...sphere, r + margin);
    }
  };
  add(mode?.rest ?? motion.at(0).poses);
  const samples = mode ? 0 : (log?.length ?? 0);
  const affordable = Math.floor(SAMPLE_LIMITS.spheres / Math.max(1, extent.bodySpheres.flat().length));
  const count = Math.min(samples, Math.max(SAMPLE_LIMITS.min, Math.min(SAMPLE_LIMITS.max, affordable)));
  for (let k = 0; k < count; k++) add(motion.atSample(Math.floor((k * (samples - 1)) / Math.max(1, count - 1))).poses);
  if (bounds.radius > TRAVEL_RADII * extent.radius) return subjectNow(model, { origin, poses: presentPoses });
  return { spheres, travels: false };
}

/** A sphere around the present place of a machine that moves far. */
export function subjectNow(
  { motion, extent }: SceneModel,
  { origin, poses }: Pick<SceneFrame, "origin" | "poses">,
): CameraSubject {
  const centre = placeToFollow(motion.model, poses, extent.radius);
  return { spheres: [...centre.map((x, k) => x - origin[k]!), extent.radius], travels: true };
}

/** The mass centre; the first body if the parts of the machine have flown so far apart that nothing is near their mass centre. */
function placeToFollow(model: Model, poses: Float64Array, radius: number): number[] {
  const centre = [...massCentre(model, poses)];
  const isNear = ({ index, com }: Body): boolean => {
    const p = bodyPointToWorld(poses, index, com);
    return Math.hypot(p[0] - centre[0]!, p[1] - centre[1]!, p[2] - centre[2]!) < radius;
  };
  const [first] = model.bodies;
  return first === undefined || model.bodies.some(isNear) ? centre : bodyPointToWorld(poses, first.index, first.com);
}

/**
 * Places the camera as near as possible so that it sees all spheres, and returns the point to orbit about. Let r, u, b be unit vectors to the
 * right, up and back, and c the camera. A sphere at p with radius s is inside the right edge of the picture if
 * p.r + s / cos a <= c.r + tan a (c.b - p.b), and likewise for the other edges. Both edges of a direction together give the least c.b [1], and
 * the position between them [2].
 */
export function fitCamera(
  camera: PerspectiveCamera,
  { eye, up, radius }: MachineExtent,
  { spheres }: CameraSubject,
  limits = DEFAULT_LIMITS,
): Vector3 {
  const back = new Vector3(...eye).normalize();
  const right = new Vector3(...up).cross(back).normalize();
  const above = back.clone().cross(right);
  const half = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
  const sides = limits.sides * half * camera.aspect;
  const directions = [
    { axis: right, slopes: [sides, sides], extremes: [-1 / 0, -1 / 0] },
    { axis: above, slopes: [limits.top * half, limits.bottom * half], extremes: [-1 / 0, -1 / 0] },
  ] satisfies { axis: Vector3; slopes: [number, number]; extremes: [number, number] }[];
  const depths: [number, number] = [1 / 0, -1 / 0];
  const point = new Vector3();
  for (let i = 0; i < spheres.length; i += 4) {
    point.set(spheres[i]!, spheres[i + 1]!, spheres[i + 2]!);
    const size = spheres[i + 3]!;
    const depth = point.dot(back);
    depths[0] = Math.min(depths[0], depth - size);
    depths[1] = Math.max(depths[1], depth + size);
    for (const { axis, slopes, extremes } of directions) {
      const along = point.dot(axis);
      for (const k of [0, 1] as const) {
        const outwards = k === 0 ? along : -along;
        extremes[k] = Math.max(extremes[k], outwards + slopes[k] * depth + size * Math.hypot(1, slopes[k]));
      }
    }
  }
  const leastDistances = directions.map(({ slopes, extremes }) => (extremes[0] + extremes[1]) / (slopes[0] + slopes[1])); // [1]
  const middle = (depths[0] + depths[1]) / 2;
  const cameraDepth = Math.max(...leastDistances, middle + 0.5 * radius);
  const [x, y] = directions.map(
    ({ slopes, extremes }) => (extremes[0] - extremes[1] + (slopes[1] - slopes[0]) * cameraDepth) / 2,
  ) as unknown as NumericVec3; // [2]
  const target = right.clone().multiplyScalar(x).addScaledVector(above, y).addScaledVector(back, middle);
  const distance = cameraDepth - middle;
  camera.up.set(...up);
  camera.near = 0.01 * radius;
  camera.far = 200 * radius + 10 * distance;
  camera.position.copy(target).addScaledVector(back, distance);
  camera.lookAt(target);
  camera.updateProjectionMatrix();
  return target;
}
