/** How large a machine is, where it stands, and which way is up: from its bodies at the start. */
import type { Body, BodyShape, Model, NumericVec3 } from "castor";
import { POSE_SIZE } from "../motion/run-motion.ts";
import { leastOccludedView } from "../occlusion.ts";
import { type ShapeSphere, shapeContains, shapeRadius, shapeSpheres } from "./shape-extent.ts";

export interface MachineExtent {
  /** Radius of a ball about the machine, without what dwarfs it, m. */
  readonly radius: number;
  /** What of each body is to be seen. */
  readonly bodySpheres: readonly (readonly ShapeSphere[])[];
  /** Shapes beside which the mechanism is small, such as the vehicles of a docking ring: seen through, and not seen whole. */
  readonly oversized: ReadonlySet<BodyShape>;
  /** Shapes that have shapes of other bodies within. */
  readonly enclosing: ReadonlySet<BodyShape>;
  /** Shapes of the model that would hide joints or whole bodies, from wherever one looks. */
  readonly occluding: ReadonlySet<BodyShape>;
  /** Its middle at the start, in the world. */
  readonly middle: NumericVec3;
  /** Against gravity; z if there is none. */
  readonly up: NumericVec3;
  /** From where one sees most of it: towards the eye. */
  readonly eye: NumericVec3;
  readonly gravity: boolean;
  /** So far from the world's origin, or so fast, that the scene moves along with the mass centre. */
  readonly comoving: boolean;
}

/** The point p of a body, in the world. */
export function bodyPointToWorld(poses: Float64Array, body: number, p: NumericVec3): [number, number, number] {
  if (body < 0) return [p[0], p[1], p[2]];
  const at = POSE_SIZE * body;
  const row = (i: number): number =>
    poses[at + 9 + i]! + poses[at + 3 * i]! * p[0] + poses[at + 3 * i + 1]! * p[1] + poses[at + 3 * i + 2]! * p[2];
  return [row(0), row(1), row(2)];
}

/** The point of the world in the frame of a body: what `pointOf` has made. */
export function worldPointToBody(poses: Float64Array, body: number, p: NumericVec3): NumericVec3 {
  const at = POSE_SIZE * body;
  const [x, y, z] = [p[0] - poses[at + 9]!, p[1] - poses[at + 10]!, p[2] - poses[at + 11]!];
  const column = (k: number): number => poses[at + k]! * x + poses[at + 3 + k]! * y + poses[at + 6 + k]! * z;
  return [column(0), column(1), column(2)];
}

/** The direction d of a body, in the world. */
export function bodyDirectionToWorld(poses: Float64Array, body: number, d: NumericVec3): [number, number, number] {
  if (body < 0) return [d[0], d[1], d[2]];
  const at = POSE_SIZE * body;
  const row = (i: number): number => poses[at + 3 * i]! * d[0] + poses[at + 3 * i + 1]! * d[1] + poses[at + 3 * i + 2]! * d[2];
  return [row(0), row(1), row(2)];
}

/** Points of a body that matter: its hinge, its mass centre unless it has shapes, what it carries, where loops and frames are. */
export function bodyPoints(model: Model, body: Body): NumericVec3[] {
  return [
    body.hinge.onBody.p,
    ...(body.shapes.length > 0 ? [] : [body.com]), // that of a vehicle of which only the nose is drawn is far from it
    ...jointPoints(model, body),
    ...framePoints(model, body),
  ];
}

export const framePoints = (model: Model, { index }: Body): NumericVec3[] =>
  model.frames.filter((f) => f.body === index).map((f) => f.placement.p);

/** Where a body is joined to others: its own hinge unless it is free, hinges of those that it carries, loops. */
export function jointPoints(model: Model, body: Body): NumericVec3[] {
  return [
    ...(body.hinge.kind === "free" || body.parent < 0 ? [] : [body.hinge.onBody.p]),
    ...model.bodies.filter((b) => b.parent === body.index).map((b) => b.hinge.onParent.p),
    ...model.loops.flatMap((loop) =>
      loop.type === "frames" ? [loop.from, loop.to].filter((end) => end.body === body.index).map((end) => end.placement.p) : [],
    ),
  ];
}

/** A shape that is so many times as large as all joints together, and does not have them within, dwarfs the mechanism. */
const DWARFING = 2.5;

/** Bodies further from the origin than so many of their own sizes are seen from a scene that moves along. */
const FAR = 300;

export function machineExtent(model: Model, poses: Float64Array, shapes: readonly (readonly BodyShape[])[]): MachineExtent {
  const joints = new BoundingBox();
  for (const body of model.bodies)
    for (const point of [...jointPoints(model, body), ...framePoints(model, body)])
      joints.add(bodyPointToWorld(poses, body.index, point), 0);
  const dwarfing = new Set<BodyShape>();
  if (joints.radius > 0)
    for (const { index } of model.bodies)
      for (const shape of shapes[index] ?? [])
        if (shapeRadius(shape) > DWARFING * joints.radius && !shapeContains(shape, worldPointToBody(poses, index, joints.middle)))
          dwarfing.add(shape);

  const middles = model.bodies.flatMap(({ index }) =>
    (shapes[index] ?? []).map(({ placement }) => ({ body: index, at: bodyPointToWorld(poses, index, placement.p) })),
  );
  const enclosing = new Set<BodyShape>();
  for (const { index } of model.bodies)
    for (const shape of shapes[index] ?? [])
      if (middles.some(({ body, at }) => body !== index && shapeContains(shape, worldPointToBody(poses, index, at))))
        enclosing.add(shape);

  const corners = model.bodies.map((body) => [
    // A free body's hinge is a place in the world, not on the machine.
    ...bodyPoints(model, body).map((p) => ({ p, r: 0 })),
    ...(shapes[body.index] ?? []).flatMap((shape) => (dwarfing.has(shape) ? [] : shapeSpheres(shape))),
  ]);
  const all = new BoundingBox();
  for (const { index } of model.bodies) for (const { p, r } of corners[index]!) all.add(bodyPointToWorld(poses, index, p), r);
  const { middle } = all;
  const radius = all.radius > 0 && Number.isFinite(all.radius) ? all.radius : 1;
  const g = Math.hypot(...model.gravity);
  const axis = commonAxis(model, poses);
  const free: NumericVec3 = axis && Math.abs(axis[2]) > 0.9 ? [0, 1, 0] : [0, 0, 1];
  const up: NumericVec3 = g > 0 ? [-model.gravity[0] / g, -model.gravity[1] / g, -model.gravity[2] / g] : free;
  const comoving = Math.hypot(...middle) > FAR * radius;
  // A flat machine is seen from its side alone.
  const view = leastOccludedView(eyeOf(axis, up), axis ? undefined : up, { model, poses, shapes, seenThrough: dwarfing, radius });
  const surrounding = new Set([...view.surrounding, ...hidingBodies(model, poses, shapes, dwarfing)]);
  return {
    radius,
    bodySpheres: corners,
    oversized: dwarfing,
    enclosing,
    occluding: surrounding,
    middle,
    up,
    eye: view.eye,
    gravity: g > 0,
    comoving,
  };
}

/** Shapes that have all of another body within: wheels of a satellite would never be seen. */
function hidingBodies(
  model: Model,
  poses: Float64Array,
  shapes: readonly (readonly BodyShape[])[],
  seenThrough: ReadonlySet<BodyShape>,
): BodyShape[] {
  const places = model.bodies.map(({ index }) =>
    (shapes[index] ?? []).flatMap((shape) => shapeSpheres(shape).map(({ p }) => bodyPointToWorld(poses, index, p))),
  );
  return model.bodies.flatMap(({ index, shapes: given }) =>
    given.filter((shape) => {
      const isWithin = (at: NumericVec3): boolean => shapeContains(shape, worldPointToBody(poses, index, at));
      return !seenThrough.has(shape) && places.some((all, i) => i !== index && all.length > 0 && all.every(isWithin));
    }),
  );
}

/** A box with the axes of the world about points. */
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

  /** Of the ball about the box. */
  get radius(): number {
    return Math.hypot(...this.#low.map((l, k) => this.#high[k]! - l)) / 2;
  }
}

const parallel = (a: NumericVec3, b: NumericVec3): boolean => Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) > 0.999;

/** The axis about which all hinges of a flat machine turn. */
function commonAxis(model: Model, poses: Float64Array): NumericVec3 | undefined {
  const axes = model.bodies.flatMap(({ parent, hinge }) =>
    hinge.elements.flatMap(({ screw }) =>
      screw?.turn ? [bodyDirectionToWorld(poses, parent, rotateVector(hinge.onParent.R, screw.axis))] : [],
    ),
  );
  const first = axes[0];
  return first && axes.length > 1 && axes.every((axis) => parallel(axis, first)) ? first : undefined;
}

/** Flat machines are looked at from the side that shows them; others from a corner. */
function eyeOf(axis: NumericVec3 | undefined, up: NumericVec3): NumericVec3 {
  const side = cross(up, Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
  const front = cross(side, up);
  if (axis && !parallel(axis, up)) {
    const sign = axis[0] - axis[1] + axis[2] >= 0 ? 1 : -1;
    return sum(axis, sign, cross(up, axis), 0.25 * sign, up, 0.25);
  }
  return sum(front, 0.95, side, -0.8, up, 0.55);
}

const sum = (a: NumericVec3, x: number, b: NumericVec3, y: number, c: NumericVec3, z: number): NumericVec3 =>
  [0, 1, 2].map((k) => x * a[k]! + y * b[k]! + z * c[k]!) as unknown as NumericVec3;

export const cross = (a: NumericVec3, b: NumericVec3): NumericVec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export const rotateVector = (R: readonly (readonly number[])[], v: NumericVec3): NumericVec3 =>
  R.map((row) => row[0]! * v[0] + row[1]! * v[1] + row[2]! * v[2]) as unknown as NumericVec3;
