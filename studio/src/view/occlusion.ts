/**
 * Where to look from, so that joints are not hidden behind bodies that have shapes: a docking ring between two plates is seen from the side.
 * What hides them on all sides is seen through.
 */
import type { BodyShape, Model, NumericVec3 } from "castor";
import {
  BoundingBox,
  bodyDirectionToWorld,
  bodyPointToWorld,
  framePoints,
  jointPoints,
  worldPointToBody,
} from "./geometry/machine-extent.ts";
import { rayHitsShape, shapeContains, shapeSpheres, toShapeFrame } from "./geometry/shape-extent.ts";

interface OcclusionInput {
  readonly model: Model;
  readonly poses: Float64Array;
  readonly shapes: readonly (readonly BodyShape[])[];
  readonly seenThrough: ReadonlySet<BodyShape>;
  readonly radius: number;
}

/** With so many in sight one does not look for another place; another is taken only where so many more are. */
const ENOUGH = 0.6;
const BETTER = 0.2;
/** Narrower shapes, in radii of the machine, hide nothing: the legs of a platform cross each other from everywhere. */
const BROAD = 0.15;
/** Joints beyond that are not asked. */
const MOST_JOINTS = 40;
/** Within so many times its size about its middle, a joint is in or on a shape. */
const ON = 1.001;
/** What is hidden on so many sides by the shapes of one body is within them: a probe in a cone of plates. */
const MOSTLY = 0.6;
const SIDES = Array.from({ length: 40 }, (_, k): NumericVec3 => {
  const [z, angle] = [1 - (2 * k + 1) / 40, k * Math.PI * (3 - Math.sqrt(5))]; // spread evenly over a ball
  return [Math.sqrt(1 - z * z) * Math.cos(angle), Math.sqrt(1 - z * z) * Math.sin(angle), z];
});

export interface OcclusionResult {
  /** Towards the eye. */
  readonly eye: NumericVec3;
  /** Shapes of a body that hide joints on most sides: they are seen through. */
  readonly surrounding: ReadonlySet<BodyShape>;
}

/** A shape, and the axes of it in the world. */
interface ShapeWithAxes {
  readonly body: number;
  readonly shape: BodyShape;
  readonly axes: readonly [NumericVec3, NumericVec3, NumericVec3];
}

/** The eye turned about the vertical by eighths of a turn, if that shows many more of the joints. */
export function leastOccludedView(
  eye: NumericVec3,
  up: NumericVec3 | undefined,
  { model, poses, shapes, seenThrough, radius }: OcclusionInput,
): OcclusionResult {
  const joints = model.bodies
    .flatMap((body) =>
      [...jointPoints(model, body), ...framePoints(model, body)].map((p) => bodyPointToWorld(poses, body.index, p)),
    )
    .slice(0, MOST_JOINTS);
  const given = model.bodies.flatMap(({ index, shapes: own }) =>
    own.length === 0 ? [] : shapes[index]!.map((shape) => placed(poses, index, shape)),
  );
  if (joints.length === 0 || given.length === 0) return { eye, surrounding: new Set() };
  const surrounding = new Set(model.bodies.flatMap(({ index }) => shapesAboutJoints(given, poses, index, joints)));
  const isGlass = (shape: BodyShape): boolean => seenThrough.has(shape) || surrounding.has(shape);
  const broad = given.filter(({ shape }) => breadth(shape) > BROAD * radius);
  // A joint is often within its own body.
  const before = joints.map((joint) =>
    broad.flatMap(({ body, shape, axes }) => {
      const at = worldPointToBody(poses, body, joint);
      return shapeContains(shape, at) ? [] : [{ shape, axes, from: toShapeFrame(shape, at) }];
    }),
  );
  /** How many of the joints are seen; those behind what is seen through by half. */
  const seen = (from: NumericVec3): number => {
    const parts = before.map((all) => {
      const hiding = all.filter((b) => rayHitsShape(b.shape, b.from, byAxes(b.axes, from)));
      return hiding.length === 0 ? 1 : hiding.every(({ shape }) => isGlass(shape)) ? 0.5 : 0;
    });
    return parts.reduce((sum: number, part) => sum + part, 0) / joints.length;
  };

  const plain = seen(eye);
  let [best, most] = [eye, plain + BETTER];
  if (up && plain < ENOUGH)
    for (const k of [1, -1, 2, -2, 3, -3, 4]) {
      const turned = rotated(eye, up, (k * Math.PI) / 4);
      const part = seen(turned);
      if (part > most) [best, most] = [turned, part];
    }
  return { eye: best, surrounding: new Set([...surrounding].filter((shape) => !seenThrough.has(shape))) };
}

/** Shapes of a body that hide one of the joints on most sides. */
function shapesAboutJoints(
  given: readonly ShapeWithAxes[],
  poses: Float64Array,
  index: number,
  joints: readonly NumericVec3[],
): BodyShape[] {
  const own = given.filter(({ body }) => body === index);
  if (own.length < 2) return []; // one leaves half of the sides open
  const bounds = new BoundingBox();
  for (const { p, r } of own.flatMap(({ shape }) => shapeSpheres(shape))) bounds.add(p, r);
  return joints
    .map((joint) => worldPointToBody(poses, index, joint))
    .flatMap((at) => (bounds.contains(at) ? shapesAbout(at, own) : []));
}

/** Shapes of a body that hide a point of it on most sides; none of those that it is in, or on. */
function shapesAbout(point: NumericVec3, all: readonly ShapeWithAxes[]): BodyShape[] {
  const about = all.flatMap(({ shape }) => {
    const axes = [0, 1, 2].map((k) => shape.placement.R.map((row) => row[k as 0])) as unknown as ShapeWithAxes["axes"];
    return shapeContains(shape, point, ON) ? [] : [{ shape, axes, from: toShapeFrame(shape, point) }];
  });
  const sides = SIDES.map((side) => about.filter(({ shape, axes, from }) => rayHitsShape(shape, from, byAxes(axes, side))));
  const hidden = sides.filter((hit) => hit.length > 0);
  return hidden.length > MOSTLY * SIDES.length ? hidden.flat().map(({ shape }) => shape) : [];
}

function placed(poses: Float64Array, body: number, shape: BodyShape): ShapeWithAxes {
  const column = (k: 0 | 1 | 2): NumericVec3 => shape.placement.R.map((row) => row[k]) as unknown as NumericVec3;
  return {
    body,
    shape,
    axes: [0, 1, 2].map((k) => bodyDirectionToWorld(poses, body, column(k as 0))) as unknown as ShapeWithAxes["axes"],
  };
}

/** The second of its sizes. */
function breadth(shape: BodyShape): number {
  if (shape.kind === "box") return [...shape.size].sort((a, b) => b - a)[1]!;
  return shape.kind === "mesh" ? 0 : 2 * shape.radius;
}

const dot = (a: NumericVec3, b: NumericVec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const byAxes = ([x, y, z]: ShapeWithAxes["axes"], d: NumericVec3): NumericVec3 => [dot(x, d), dot(y, d), dot(z, d)];

/** A vector turned about a unit axis, by Rodrigues' formula. */
function rotated(v: NumericVec3, axis: NumericVec3, angle: number): NumericVec3 {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
  const across: NumericVec3 = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  return [0, 1, 2].map((k) => c * v[k]! + s * across[k]! + (1 - c) * along * axis[k]!) as unknown as NumericVec3;
}
