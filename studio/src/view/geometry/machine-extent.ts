/** Size, position and orientation of a machine, from its bodies at the start. */
import type { Body, BodyShape, Model, NumericVec3 } from "castor";
import { POSE_SIZE } from "../motion/run-motion.ts";
import { leastOccludedView } from "../occlusion.ts";
import { type ShapeSphere, shapeContains, shapeRadius, shapeSpheres } from "./shape-extent.ts";

export interface MachineExtent {
  /** Radius of a sphere around the machine, without `oversized` shapes, m. */
  readonly radius: number;
  /** Spheres that cover each body; the camera must show them. */
  readonly bodySpheres: readonly (readonly ShapeSphere[])[];
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

/** World coordinates of the point p of a body. */
export function bodyPointToWorld(poses: Float64Array, body: number, p: NumericVec3): [number, number, number] {
  if (body < 0) return [p[0], p[1], p[2]];
  const offset = POSE_SIZE * body;
  const row = (i: number): number =>
    poses[offset + 9 + i]! +
    poses[offset + 3 * i]! * p[0] +
    poses[offset + 3 * i + 1]! * p[1] +
    poses[offset + 3 * i + 2]! * p[2];
  return [row(0), row(1), row(2)];
}

/** Body coordinates of the point p of the world: the inverse of `bodyPointToWorld`. */
export function worldPointToBody(poses: Float64Array, body: number, p: NumericVec3): NumericVec3 {
  const offset = POSE_SIZE * body;
  const [x, y, z] = [p[0] - poses[offset + 9]!, p[1] - poses[offset + 10]!, p[2] - poses[offset + 11]!];
  const column = (k: number): number => poses[offset + k]! * x + poses[offset + 3 + k]! * y + poses[offset + 6 + k]! * z;
  return [column(0), column(1), column(2)];
}

/** World components of the direction d of a body. */
export function bodyDirectionToWorld(poses: Float64Array, body: number, d: NumericVec3): [number, number, number] {
  if (body < 0) return [d[0], d[1], d[2]];
  const offset = POSE_SIZE * body;
  const row = (i: number): number =>
    poses[offset + 3 * i]! * d[0] + poses[offset + 3 * i + 1]! * d[1] + poses[offset + 3 * i + 2]! * d[2];
  return [row(0), row(1), row(2)];
}

/** Points of a body that must be visible: its hinge, the hinges of its children, loops, frames, and its mass centre if it has no shapes. */
export function bodyPoints(model: Model, body: Body): NumericVec3[] {
  return [
    body.hinge.onBody.p,
    ...(body.shapes.length > 0 ? [] : [body.com]), // the mass centre may be far from the drawn shapes, e.g. for a vehicle whose nose alone is drawn
    ...jointPoints(model, body),
    ...framePoints(model, body),
  ];
}

export const framePoints = (model: Model, { index }: Body): NumericVec3[] =>
  model.frames.filter((f) => f.body === index).map((f) => f.placement.p);

/** Points where a body is joined to others: its hinge unless it is free, the hinges of its children, and loops. */
export function jointPoints(model: Model, body: Body): NumericVec3[] {
  return [
    ...(body.hinge.kind === "free" || body.parent < 0 ? [] : [body.hinge.onBody.p]),
    ...model.bodies.filter((b) => b.parent === body.index).map((b) => b.hinge.onParent.p),
    ...model.loops.flatMap((loop) =>
      loop.type === "frames" ? [loop.from, loop.to].filter((end) => end.body === body.index).map((end) => end.placement.p) : [],
    ),
  ];
}

/** A shape is oversized if its radius is this multiple of the radius of all joints, and it does not contain them. */
const OVERSIZED_RATIO = 2.5;

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

  const middles = model.bodies.flatMap(({ index }) =>
    (shapes[index] ?? []).map(({ placement }) => ({ body: index, point: bodyPointToWorld(poses, index, placement.p) })),
  );
  const enclosing = new Set<BodyShape>();
  for (const { index } of model.bodies)
    for (const shape of shapes[index] ?? [])
      if (middles.some(({ body, point }) => body !== index && shapeContains(shape, worldPointToBody(poses, index, point))))
        enclosing.add(shape);

  const bodySpheres = model.bodies.map((body) => [
    ...bodyPoints(model, body).map((p) => ({ p, r: 0 })),
    ...(shapes[body.index] ?? []).flatMap((shape) => (oversized.has(shape) ? [] : shapeSpheres(shape))),
  ]);
  const bounds = new BoundingBox();
  for (const { index } of model.bodies)
    for (const { p, r } of bodySpheres[index]!) bounds.add(bodyPointToWorld(poses, index, p), r);
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

/** The axis-aligned bounding box of spheres. */
export class BoundingBox {
  readonly #low: [number, number, number] = [1 / 0, 1 / 0, 1 / 0];
  readonly #high: [number, number, number] = [-1 / 0, -1 / 0, -1 / 0];

  add(p: NumericVec3, r: number): void {
    for (const k of [0, 1, 2] as const) {
      this.#low[k] = Math.min(this.#low[k], p[k] - r);
      this.#high[k] = Math.max(this.#high[k], p[k] + r);
    }
  }

  contains(p: NumericVec3): boolean {
    return ([0, 1, 2] as const).every((k) => p[k] > this.#low[k] && p[k] < this.#high[k]);
  }

  get middle(): NumericVec3 {
    return this.#low.map((l, k) => (l + this.#high[k]!) / 2) as unknown as NumericVec3;
  }

  /** Radius of the sphere around the box. */
  get radius(): number {
    return Math.hypot(...this.#low.map((l, k) => this.#high[k]! - l)) / 2;
  }
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

export const cross = (a: NumericVec3, b: NumericVec3): NumericVec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export const rotateVector = (R: readonly (readonly number[])[], v: NumericVec3): NumericVec3 =>
  R.map((row) => row[0]! * v[0] + row[1]! * v[1] + row[2]! * v[2]) as unknown as NumericVec3;
