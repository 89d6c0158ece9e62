/**
 * Chooses a direction of view in which joints are not hidden behind shapes, e.g. the side view of a docking ring between two plates. Shapes that
 * hide joints on all sides are drawn translucent.
 */
import type { Model } from "castor";
import type { BodyShape, NumericVec3 } from "castor/model";
import { bodyDirectionToWorld, bodyPointToWorld, framePoints, jointPoints, worldPointToBody } from "./geometry/body-points.ts";
import { BoundingBox } from "./geometry/bounding-box.ts";
import { boundsOf, isSolid, rayHitsShape, shapeContains, shapeSpheres, toShapeFrame } from "./geometry/shape-extent.ts";

interface OcclusionInput {
  readonly model: Model;
  readonly poses: Float64Array;
  readonly shapes: readonly (readonly BodyShape[])[];
  readonly translucent: ReadonlySet<BodyShape>;
  readonly radius: number;
}

/** Fraction of visible joints above which the default view is kept; and the least gain for another view. */
const ENOUGH_VISIBLE = 0.6;
const MIN_GAIN = 0.2;
/** Shapes narrower than this, in radii of the machine, are ignored: the legs of a platform cross each other in every view. */
const MIN_BREADTH = 0.15;
/** Maximum number of shapes that are checked, the broadest ones. */
const MAX_BROAD_SHAPES = 30;
/** Maximum number of joints that are checked. */
const MAX_JOINTS = 40;
/** A joint inside a shape scaled by this factor is in or on the shape. */
const ON_SURFACE = 1.001;
/** A joint that the shapes of one body hide from this fraction of all sides lies inside them, e.g. a probe in a cone of plates. */
const HIDDEN_FRACTION = 0.6;
const DIRECTIONS = Array.from({ length: 40 }, (_, k): NumericVec3 => {
  const [z, angle] = [1 - (2 * k + 1) / 40, k * Math.PI * (3 - Math.sqrt(5))]; // a spiral, evenly spread over the unit sphere
  return [Math.sqrt(1 - z * z) * Math.cos(angle), Math.sqrt(1 - z * z) * Math.sin(angle), z];
});

export interface OcclusionResult {
  /** Direction from the machine to the camera. */
  readonly eye: NumericVec3;
  /** Shapes that hide joints on most sides. They are drawn translucent. */
  readonly occluding: ReadonlySet<BodyShape>;
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
  { model, poses, shapes, translucent, radius }: OcclusionInput,
): OcclusionResult {
  const joints = model.bodies
    .flatMap((body) =>
      [...jointPoints(model, body), ...framePoints(model, body)].map((p) => bodyPointToWorld(poses, body.index, p)),
    )
    .slice(0, MAX_JOINTS);
  const modelShapes = model.bodies.flatMap(({ index, shapes: ownShapes }) =>
    ownShapes.length === 0 ? [] : shapes[index]!.map((shape) => withAxes(poses, index, shape)),
  );
  if (joints.length === 0 || modelShapes.length === 0) return { eye, occluding: new Set() };
  const occluding = new Set(model.bodies.flatMap(({ index }) => shapesAboutJoints(modelShapes, poses, index, joints)));
  const isTranslucent = (shape: BodyShape): boolean =>
    shape.material === undefined && (translucent.has(shape) || occluding.has(shape));
  const broadShapes = modelShapes
    .map((entry) => ({ ...entry, breadth: breadth(entry.shape) }))
    .filter((entry) => entry.breadth > MIN_BREADTH * radius)
    .sort((a, b) => b.breadth - a.breadth)
    .slice(0, MAX_BROAD_SHAPES);
  // A joint is often inside its own body, which does not count.
  const shapesByJoint = joints.map((joint) =>
    broadShapes.flatMap(({ body, shape, axes }) => {
      const point = worldPointToBody(poses, body, joint);
      return shapeContains(shape, point) ? [] : [{ shape, axes, from: toShapeFrame(shape, point) }];
    }),
  );
  /** Fraction of visible joints. A joint behind translucent shapes counts by half. */
  const visibleFraction = (from: NumericVec3): number => {
    const parts = shapesByJoint.map((shapes) => {
      const inFront = shapes.filter((b) => rayHitsShape(b.shape, b.from, componentsAlong(b.axes, from)));
      return inFront.length === 0 ? 1 : inFront.every(({ shape }) => isTranslucent(shape)) ? 0.5 : 0;
    });
    return parts.reduce((sum: number, part) => sum + part, 0) / joints.length;
  };

  const defaultFraction = visibleFraction(eye);
  let [best, most] = [eye, defaultFraction + MIN_GAIN];
  if (up && defaultFraction < ENOUGH_VISIBLE)
    for (const k of [1, -1, 2, -2, 3, -3, 4]) {
      const candidate = rotateAbout(eye, up, (k * Math.PI) / 4);
      const fraction = visibleFraction(candidate);
      if (fraction > most) [best, most] = [candidate, fraction];
    }
  return { eye: best, occluding: new Set([...occluding].filter((shape) => !translucent.has(shape))) };
}

/** Shapes of a body that hide one of the joints on most sides. */
function shapesAboutJoints(
  modelShapes: readonly ShapeWithAxes[],
  poses: Float64Array,
  index: number,
  joints: readonly NumericVec3[],
): BodyShape[] {
  const bodyShapes = modelShapes.filter(({ body }) => body === index);
  if (bodyShapes.length < 2) return []; // a single shape leaves half of the sides open
  const bounds = new BoundingBox();
  for (const { p, r } of bodyShapes.flatMap(({ shape }) => shapeSpheres(shape))) bounds.add(p, r);
  return joints
    .map((joint) => worldPointToBody(poses, index, joint))
    .flatMap((point) => (bounds.contains(point) ? shapesAbout(point, bodyShapes) : []));
}

/** Shapes of a body that hide a point of the body on most sides, without the shapes that contain the point. */
function shapesAbout(point: NumericVec3, shapes: readonly ShapeWithAxes[]): BodyShape[] {
  const others = shapes.flatMap(({ shape }) => {
    if (shape.material !== undefined) return []; // it is opaque in any case
    const axes = [0, 1, 2].map((k) => shape.placement.R.map((row) => row[k as 0])) as unknown as ShapeWithAxes["axes"];
    return shapeContains(shape, point, ON_SURFACE) ? [] : [{ shape, axes, from: toShapeFrame(shape, point) }];
  });
  const hitsByDirection = DIRECTIONS.map((direction) =>
    others.filter(({ shape, axes, from }) => rayHitsShape(shape, from, componentsAlong(axes, direction))),
  );
  const hits = hitsByDirection.filter((hit) => hit.length > 0);
  return hits.length > HIDDEN_FRACTION * DIRECTIONS.length ? hits.flat().map(({ shape }) => shape) : [];
}

function withAxes(poses: Float64Array, body: number, shape: BodyShape): ShapeWithAxes {
  const column = (k: 0 | 1 | 2): NumericVec3 => shape.placement.R.map((row) => row[k]) as unknown as NumericVec3;
  return {
    body,
    shape,
    axes: [0, 1, 2].map((k) => bodyDirectionToWorld(poses, body, column(k as 0))) as unknown as ShapeWithAxes["axes"],
  };
}

/** The second largest dimension of a shape. */
function breadth(shape: BodyShape): number {
  if (shape.kind === "box" || shape.kind === "ellipsoid") return [...shape.size].sort((a, b) => b - a)[1]!;
  if (shape.kind === "mesh") return 0;
  if (isSolid(shape)) return 2 * shape.radius;
  const { low, high } = boundsOf(shape);
  return low.map((x, k) => high[k as 0] - x).sort((a, b) => b - a)[1]!;
}

const dot = (a: NumericVec3, b: NumericVec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const componentsAlong = ([x, y, z]: ShapeWithAxes["axes"], d: NumericVec3): NumericVec3 => [dot(x, d), dot(y, d), dot(z, d)];

/** Rotates a vector about a unit axis (Rodrigues' formula). */
function rotateAbout(v: NumericVec3, axis: NumericVec3, angle: number): NumericVec3 {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
  const across: NumericVec3 = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  return [0, 1, 2].map((k) => c * v[k]! + s * across[k]! + (1 - c) * along * axis[k]!) as unknown as NumericVec3;
}
