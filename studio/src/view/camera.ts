/** From where one looks. */
import { type PerspectiveCamera, Vector3 } from "three";
import { type Extent, pointOf, shapeRadius } from "./extent.ts";
import type { Frame } from "./layer.ts";
import { centreOf } from "./mass-centre.ts";
import type { SceneModel } from "./scene-model.ts";
import { shapesOf } from "./shapes.ts";

/** Angle of view from top to bottom, degrees. */
export const FIELD = 35;

/** A ball in the scene. */
export interface Ball {
  readonly middle: Vector3;
  readonly radius: number;
  /** The machine goes so far that the ball goes along with it. */
  readonly travels: boolean;
}

/** About a mode there is so much room, in radii of the machine. */
const SWING = 0.15;

/** So much of a run is looked at. */
const LOOKS = 40;

/** A ball about the ways of all bodies; about a far traveller, where it is now; about a mode, where it swings. */
export function sweptBall(model: SceneModel, { log, origin, poses: now, mode }: Omit<Frame, "t" | "q" | "grown">): Ball {
  const { motion, extent } = model;
  if (extent.comoving && !mode) return { middle: new Vector3(), radius: 1.05 * extent.radius, travels: false };
  const low = new Vector3(1 / 0, 1 / 0, 1 / 0);
  const high = low.clone().negate();
  const shapes = shapesOf(motion.model);
  const point = new Vector3();
  const reach = (p: readonly [number, number, number], r: number): void => {
    point.set(...p);
    low.min(point.clone().subScalar(r));
    high.max(point.clone().addScalar(r));
  };
  const add = (poses: Float64Array): void => {
    for (const { index, com, hinge, shapes: own } of motion.model.bodies) {
      for (const shape of shapes[index]!) reach(pointOf(poses, index, shape.placement.p), 0.75 * shapeRadius(shape));
      for (const point of own.length > 0 ? [hinge.onBody.p] : [com, hinge.onBody.p]) reach(pointOf(poses, index, point), 0);
    }
  };
  add(mode?.rest ?? motion.at(0).poses);
  const samples = mode ? 0 : (log?.length ?? 0);
  const looks = Math.min(samples, LOOKS);
  for (let k = 0; k < looks; k++) add(motion.atSample(Math.floor((k * (samples - 1)) / Math.max(1, looks - 1))).poses);
  const radius = low.distanceTo(high) / 2 + (mode ? SWING * extent.radius : 0);
  if (!mode && radius > FAR * extent.radius) return ballNow(model, { origin, poses: now });
  const middle = low.add(high).multiplyScalar(0.5);
  return {
    middle: middle.sub(new Vector3(...(origin as unknown as [number, number, number]))),
    radius: Math.max(radius, 0.6 * extent.radius),
    travels: false,
  };
}

/** Machines that go further than so many of their radii travel. */
const FAR = 4;

/** A ball about where a traveller is. */
export function ballNow({ motion, extent }: SceneModel, { origin, poses }: Pick<Frame, "origin" | "poses">): Ball {
  const at = centreOf(motion.model, poses);
  const middle = new Vector3(at[0]! - origin[0]!, at[1]! - origin[1]!, at[2]! - origin[2]!);
  return { middle, radius: 1.6 * extent.radius, travels: true };
}

/** Machines are seldom as high as they are wide: a wide view can be nearer than the ball asks for. */
const WIDE = 1.3;

/** Puts the camera where it sees the ball whole. */
export function lookAt(
  camera: PerspectiveCamera,
  { eye, up, radius: size }: Extent,
  { middle, radius }: Pick<Ball, "middle" | "radius">,
): void {
  const tight = camera.aspect > WIDE ? 0.92 : 1.04;
  const distance = (tight * radius) / (Math.sin((FIELD * Math.PI) / 360) * Math.min(1, camera.aspect));
  camera.up.set(...up);
  camera.near = 0.01 * size;
  camera.far = 200 * size + 10 * distance;
  camera.position.copy(middle).add(new Vector3(...eye).normalize().multiplyScalar(distance));
  camera.lookAt(middle);
  camera.updateProjectionMatrix();
}
