/**
 * Chooses a direction of view in which joints are not hidden behind shapes, e.g. the side view of a docking ring between two plates. Shapes that
 * hide joints on all sides are drawn translucent.
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

/** Fraction of visible joints above which the default view is kept; and the least gain for another view. */
const ENOUGH = 0.6;
const BETTER = 0.2;
/** Shapes narrower than this, in radii of the machine, are ignored: the legs of a platform cross each other in every view. */
const BROAD = 0.15;
/** Maximum number of joints that are checked. */
const MOST_JOINTS = 40;
/** A joint inside a shape scaled by this factor is in or on the shape. */
const ON = 1.001;
/** A joint that the shapes of one body hide from this fraction of all sides lies inside them, e.g. a probe in a cone of plates. */
const MOSTLY = 0.6;
const SIDES = Array.from({ length: 40 }, (_, k): NumericVec3 => {
  const [z, angle] = [1 - (2 * k + 1) / 40, k * Math.PI * (3 - Math.sqrt(5))]; // a spiral, evenly spread over the unit sphere
  return [Math.sqrt(1 - z * z) * Math.cos(angle), Math.sqrt(1 - z * z) * Math.sin(angle), z];
});

export interface OcclusionResult {
  /** Direction from the machine to the camera. */
  readonly eye: NumericVec3;
  /** Shapes that hide joints on most sides. They are drawn translucent. */
  readonly surrounding: ReadonlySet<BodyShape>;
}

/** A shape with its axes in the world. */
interface ShapeWithAxes {
  readonly body: number;
  readonly shape: BodyShape;
  readonly axes: readonly [NumericVec3, NumericVec3, NumericVec3];
}

/** Rotates the direction of view about the vertical in steps of 45° if that shows many more joints. */
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
  // A joint is often inside its own body, which does not count.
  const before = joints.map((joint) =>
    broad.flatMap(({ body, shape, axes }) => {
      const at = worldPointToBody(poses, body, joint);
      return shapeContains(shape, at) ? [] : [{ shape, axes, from: toShapeFrame(shape, at) }];
    }),
  );
  /** Fraction of visible joints. A joint behind translucent shapes counts by half. */
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
  if (own.length < 2) return []; // a single shape leaves half of the sides open
  const bounds = new BoundingBox();
  for (const { p, r } of own.flatMap(({ shape }) => shapeSpheres(shape))) bounds.add(p, r);
  return joints
    .map((joint) => worldPointToBody(poses, index, joint))
    .flatMap((at) => (bounds.contains(at) ? shapesAbout(at, own) : []));
}

/** Shapes of a body that hide a point of the body on most sides, without the shapes that contain the point. */
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

/** The second largest dimension of a shape. */
function breadth(shape: BodyShape): number {
  if (shape.kind === "box") return [...shape.size].sort((a, b) => b - a)[1]!;
  return shape.kind === "mesh" ? 0 : 2 * shape.radius;
}

const dot = (a: NumericVec3, b: NumericVec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const byAxes = ([x, y, z]: ShapeWithAxes["axes"], d: NumericVec3): NumericVec3 => [dot(x, d), dot(y, d), dot(z, d)];

/** Rotates a vector about a unit axis (Rodrigues' formula). */
function rotated(v: NumericVec3, axis: NumericVec3, angle: number): NumericVec3 {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
  const across: NumericVec3 = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  return [0, 1, 2].map((k) => c * v[k]! + s * across[k]! + (1 - c) * along * axis[k]!) as unknown as NumericVec3;
}
