/** Contact shapes as convex bodies, for distances. */
import { type ConvexBody, frustumBody, hullBody } from "../../../../math/convex/convex-body.ts";
import type { NumericVec3 } from "../../../../spatial/vec3.ts";
import { ballsOf, boxOf, coneOf, cylinderOf, discOf, lineOf } from "../contact-parts.ts";
import type { ContactPart } from "../narrow-phase.ts";
import { solidOf } from "../pressure/solid.ts";
import type { ContactShape } from "../shape.ts";
import type { ContactShapeKind } from "../shape-kinds.ts";

/** A convex shape in axes of the frame that carries it. */
export interface ConvexShape {
  /** Undefined: the half-space behind a plane. */
  readonly body: ConvexBody | undefined;
  /** Centre and radius of a ball around it; for a half-space a point of its plane and infinite. */
  readonly centre: NumericVec3;
  readonly reach: number;
  /** Outward normal of a half-space; zero for bodies. */
  readonly normal: NumericVec3;
}

/** Reason why a shape has no distance from others, and advice. */
export interface NotConvex {
  readonly why: string;
  readonly advice: string;
}

const bounded = (body: ConvexBody, { centre, reach }: Pick<ContactPart, "centre" | "reach">): ConvexShape => ({
  body,
  centre,
  reach,
  normal: [0, 0, 0],
});

const opposite = ([x, y, z]: NumericVec3): NumericVec3 => [0 - x, 0 - y, 0 - z];

const ball = (shape: ContactShape): ConvexShape => bounded(hullBody([shape.at], shape.radius), ballsOf(shape)[0]!);
const line = (shape: ContactShape): ConvexShape => bounded(hullBody([shape.at, shape.to], shape.radius), lineOf(shape));

const CONVEX_SHAPES: Readonly<Record<ContactShapeKind, (shape: ContactShape) => ConvexShape | NotConvex>> = {
  point: ball,
  sphere: ball,
  capsule: line,
  edge: line,
  box: (shape) => bounded(hullBody(ballsOf(shape).map(({ centre }) => centre)), boxOf(shape)),
  plane: ({ at, axis }) => ({ body: undefined, centre: at, reach: Number.POSITIVE_INFINITY, normal: axis }),
  disc(shape) {
    const { at, axis, radius, inner, thickness } = shape;
    if (inner > 0) return { why: "a ring is not convex", advice: "Use a disc without a hole, or several boxes" };
    if (thickness === undefined) return { why: "its material has no end behind its face", advice: "Give its thickness" };
    const size = { at, axis: opposite(axis), length: thickness, first: radius, second: radius };
    return bounded(frustumBody(size), discOf(shape));
  },
  cone(shape) {
    const { at, axis, length, radius, tip, thickness } = shape;
    if (thickness !== undefined)
      return { why: "a funnel is not convex", advice: "Use a cone without a thickness, or several boxes" };
    return bounded(frustumBody({ at, axis, length, first: radius, second: tip }), coneOf(shape));
  },
  cylinder(shape) {
    const { at, axis, length, radius } = shape;
    const end: NumericVec3 = [at[0] - (length / 2) * axis[0], at[1] - (length / 2) * axis[1], at[2] - (length / 2) * axis[2]];
    return bounded(frustumBody({ at: end, axis, length, first: radius, second: radius }), cylinderOf(shape));
  },
  hull(shape) {
    const { ball, polytope } = solidOf(shape)!;
    return bounded(hullBody(polytope!.corners), ball);
  },
  rim: () => ({ why: "a rim is not convex", advice: "Use a disc or a box" }),
  collisions: () => ({ why: "the model is not a robot file with collision shapes", advice: "Give the shapes one by one" }),
  ground: () => ({ why: "the ground is not convex", advice: "Use a plane" }),
};

/** The convex shape of a contact shape, or the reason why there is none. */
export const convexShapeOf = (shape: ContactShape): ConvexShape | NotConvex => CONVEX_SHAPES[shape.kind](shape);
