/** Size, position and orientation of a machine, from its bodies at the start. */
import type { Body, Model } from "castor";
import { type BodyShape, type NumericVec3, shapeInstances } from "castor/model";
import { leastOccludedView } from "../occlusion.ts";
import {
  bodyDirectionToWorld,
  bodyPoints,
  bodyPointToWorld,
  framePoints,
  jointPoints,
  rotateVector,
  worldPointToBody,
} from "./body-points.ts";
import { BoundingBox } from "./bounding-box.ts";
import { type ShapeSphere, shapeCentre, shapeContains, shapeRadius, shapeSpheres } from "./shape-extent.ts";

export interface MachineExtent {
  /** Radius of a sphere around the machine, without `oversized` shapes, m. */
  readonly radius: number;
  /** Spheres that cover each body; the camera must show them. */
  readonly bodySpheres: readonly (readonly ShapeSphere[])[];
  /** Spheres that cover the shapes fixed to the world. */
  readonly worldSpheres: readonly ShapeSphere[];
  /** Shapes much larger than the mechanism, e.g. the vehicles of a docking ring. They are translucent, and the camera need not show all of them. */
  readonly oversized: ReadonlySet<BodyShape>;
  /** Shapes that contain shapes of other bodies. */
  readonly enclosing: ReadonlySet<BodyShape>;
  /** Shapes of the model that hide joints or whole bodies in every view. They are translucent. */
  readonly occluding: ReadonlySet<BodyShape>;
  /** Middle of the machine at the start, in the world. */
  readonly middle: NumericVec3;
  /** Upward direction: against gravity, or an axis if there is no gravity. */
  readonly up: NumericVec3;
  /** Direction from the machine to the camera. */
  readonly eye: NumericVec3;
  readonly gravity: boolean;
  /** The machine is so far from the world's origin that the scene moves with its mass centre. */
  readonly comoving: boolean;
}

/** A shape is oversized if its radius is this multiple of the radius of all joints, and it does not contain them. */
const OVERSIZED_RATIO = 2.5;

/** Shapes of a vehicle with an oversized shape need not be in view beyond this multiple of the radius of all joints. */
const VICINITY_RATIO = 1.7;

/** A machine further from the world's origin than this, in its radii, is drawn in a scene that moves with it. */
const FAR_RADII = 300;

export function machineExtent(model: Model, poses: Float64Array, shapes: readonly (readonly BodyShape[])[]): MachineExtent {
  const joints = new BoundingBox();
  for (const body of model.bodies)
    for (const point of [...jointPoints(model, body), ...framePoints(model, body)])
      joints.add(bodyPointToWorld(poses, body.index, point), 0);
  const oversized = new Set<BodyShape>();
  if (joints.radius > 0)
    for (const { index } of model.bodies)
      for (const shape of shapes[index] ?? [])
        if (
          shapeRadius(shape) > OVERSIZED_RATIO * joints.radius &&
          !shapeContains(shape, worldPointToBody(poses, index, joints.middle))
        )
          oversized.add(shape);
  // Parts of such a vehicle that are far from the mechanism, e.g. its solar panels.
  for (const { index } of model.bodies) {
    const own = shapes[index] ?? [];
    if (!own.some((shape) => oversized.has(shape))) continue;
    const middle = worldPointToBody(poses, index, joints.middle);
    for (const shape of own) {
      const away = Math.hypot(...shapeCentre(shape).map((x, k) => x - middle[k as 0]));
      if (away + shapeRadius(shape) > VICINITY_RATIO * joints.radius) oversized.add(shape);
    }
  }

  const middles = model.bodies.flatMap(({ index }) =>
    (shapes[index] ?? []).map((shape) => ({ body: index, point: bodyPointToWorld(poses, index, shapeCentre(shape)) })),
  );
  const enclosing = new Set<BodyShape>();
  for (const { index } of model.bodies)
    for (const shape of shapes[index] ?? [])
      if (middles.some(({ body, point }) => body !== index && shapeContains(shape, worldPointToBody(poses, index, point))))
        enclosing.add(shape);

  const bodySpheres = model.bodies.map((body) => [
    ...bodyPoints(model, body).map((p) => ({ p, r: 0 })),
    ...outermost((shapes[body.index] ?? []).flatMap((shape) => (oversized.has(shape) ? [] : shapeSpheres(shape)))),
  ]);
  const bounds = new BoundingBox();
  for (const { index } of model.bodies)
    for (const { p, r } of bodySpheres[index]!) bounds.add(bodyPointToWorld(poses, index, p), r);
  const worldSpheres = model.shapes.flatMap(shapeInstances).flatMap(shapeSpheres);
  for (const { p, r } of worldSpheres) bounds.add(p, r);
  const { middle } = bounds;
  const radius = bounds.radius > 0 && Number.isFinite(bounds.radius) ? bounds.radius : 1;
  const g = Math.hypot(...model.gravity);
  const axis = commonAxis(model, poses);
  const upWithoutGravity: NumericVec3 = axis && Math.abs(axis[2]) > 0.9 ? [0, 1, 0] : [0, 0, 1];
  const up: NumericVec3 = g > 0 ? [-model.gravity[0] / g, -model.gravity[1] / g, -model.gravity[2] / g] : upWithoutGravity;
  const comoving = Math.hypot(...middle) > FAR_RADII * radius;
  // A planar machine is always shown from its side.
  const view = leastOccludedView(defaultEye(axis, up), axis ? undefined : up, {
    model,
    poses,
    shapes,
    translucent: oversized,
    radius,
  });
  const occluding = new Set([...view.occluding, ...shapesContainingBodies(model, poses, shapes, oversized)]);
  return {
    radius,
    bodySpheres,
    worldSpheres,
    oversized,
    enclosing,
    occluding,
    middle,
    up,
    eye: view.eye,
    gravity: g > 0,
    comoving,
  };
}

/** Directions to the faces, edges and corners of a cube. */
const CUBE_DIRECTIONS = Array.from({ length: 27 }, (_, i): NumericVec3 => {
  const d = [(i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1] as const;
  const length = Math.hypot(...d) || 1;
  return [d[0] / length, d[1] / length, d[2] / length];
});
/** Up to this number all spheres of a body are used. */
const FEW_SPHERES = 100;

/** Of many spheres, those that reach furthest in some direction: the view of a detailed body needs no more. */
function outermost(spheres: readonly ShapeSphere[]): readonly ShapeSphere[] {
  if (spheres.length <= FEW_SPHERES) return spheres;
  const reach = ({ p, r }: ShapeSphere, d: NumericVec3): number => p[0] * d[0] + p[1] * d[1] + p[2] * d[2] + r;
  return [...new Set(CUBE_DIRECTIONS.map((d) => spheres.reduce((best, s) => (reach(s, d) > reach(best, d) ? s : best))))];
}

/** Shapes that contain all of another body, which would never be visible, e.g. the reaction wheels of a satellite. */
function shapesContainingBodies(
  model: Model,
  poses: Float64Array,
  shapes: readonly (readonly BodyShape[])[],
  translucent: ReadonlySet<BodyShape>,
): BodyShape[] {
  const spherePoints = model.bodies.map(({ index }) =>
    (shapes[index] ?? []).flatMap((shape) => shapeSpheres(shape).map(({ p }) => bodyPointToWorld(poses, index, p))),
  );
  return model.bodies.flatMap(({ index, shapes: ownShapes }) =>
    ownShapes.filter((shape) => {
      const isWithin = (point: NumericVec3): boolean => shapeContains(shape, worldPointToBody(poses, index, point));
      return (
        !translucent.has(shape) && spherePoints.some((points, i) => i !== index && points.length > 0 && points.every(isWithin))
      );
    }),
  );
}

const parallel = (a: NumericVec3, b: NumericVec3): boolean => Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) > 0.999;

/** The common axis of all hinges of a planar machine, if there is one. */
function commonAxis(model: Model, poses: Float64Array): NumericVec3 | undefined {
  const axes = model.bodies.flatMap(({ parent, hinge }) =>
    hinge.elements.flatMap(({ screw }) =>
      screw?.turn ? [bodyDirectionToWorld(poses, parent, rotateVector(hinge.onParent.R, screw.axis))] : [],
    ),
  );
  const first = axes[0];
  return first && axes.length > 1 && axes.every((axis) => parallel(axis, first)) ? first : undefined;
}

/** Default direction to the camera: along the common axis of a planar machine, otherwise from a corner. */
function defaultEye(axis: NumericVec3 | undefined, up: NumericVec3): NumericVec3 {
  const side = cross(up, Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
  const front = cross(side, up);
  if (axis && !parallel(axis, up)) {
    const sign = axis[0] - axis[1] + axis[2] >= 0 ? 1 : -1;
    return combination(axis, sign, cross(up, axis), 0.25 * sign, up, 0.25);
  }
  return combination(front, 0.95, side, -0.8, up, 0.55);
}

const combination = (a: NumericVec3, x: number, b: NumericVec3, y: number, c: NumericVec3, z: number): NumericVec3 =>
  [0, 1, 2].map((k) => x * a[k]! + y * b[k]! + z * c[k]!) as unknown as NumericVec3;

const cross = (a: NumericVec3, b: NumericVec3): NumericVec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Distance of the outermost point of a body from its mass centre, m. */
export const bodyReach = ({ bodySpheres }: MachineExtent, { index, com }: Body): number =>
  (bodySpheres[index] ?? []).reduce(
    (most, { p, r }) => Math.max(most, Math.hypot(p[0] - com[0], p[1] - com[1], p[2] - com[2]) + r),
    0,
  );
