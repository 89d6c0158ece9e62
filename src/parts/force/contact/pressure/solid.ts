/** Contact shapes as solids of the pressure law: elastic, rigid, or both; in axes of the frame that carries them. */
import { type ConvexBody, frustumBody, hullBody } from "../../../../math/convex/convex-body.ts";
import { boxPolytope, type Point3, type Polytope, volumeOf } from "../../../../math/convex/polytope.ts";
import type { ContactShape } from "../shape.ts";
import type { RoundLine } from "./line-pressure.ts";
import { type Ball, GroundSource, planeSource } from "./near-solids.ts";
import { boundedSource, type RigidSource } from "./placed-solid.ts";
import { perpendicular } from "./pressure-cells.ts";
import { placePolytope, type RigidSolid, revolvedPolytope, rigidSolid, ringSolid, type SolidPlace } from "./rigid-solid.ts";
import type { RoundSolid } from "./round-pressure.ts";

/** Sides of the prism that represents a rigid cylinder or cone, and of one that is elastic or has a hole. */
const RIGID_SIDES = 64;
const CONE_SIDES = 32;
const RING_SIDES = 48;
/** Radius of the narrow end of a funnel that ends in a point, m. */
const NARROWEST = 1e-3;

export interface PressureSolid {
  /** A sphere or capsule: its axis and radius. */
  readonly line?: RoundLine;
  /** A sphere, capsule or cylinder. */
  readonly round?: RoundSolid;
  /** A box, hull or cone. */
  readonly polytope?: Polytope;
  /** The convex solid for distances, as elastic and as rigid solid; undefined if it is not convex or not bounded. */
  readonly elasticBody?: ConvexBody;
  readonly rigidBody?: ConvexBody;
  /** A point and the outward normal of a plane. */
  readonly plane?: { readonly at: Point3; readonly normal: Point3 };
  /** A ball around it; its reach is infinite for a plane and the ground. */
  readonly ball: Ball;
  readonly volume: number;
  /** The solid as a rigid one, near an elastic solid within a ball; spheres and capsules are rigid only against each other, by their `line`. */
  rigid?(near: Ball): RigidSource;
}

const along = (p: Point3, s: number, axis: Point3): Point3 => [p[0] + s * axis[0], p[1] + s * axis[1], p[2] + s * axis[2]];
const distance = (a: Point3, b: Point3): number =>
  Math.sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));

/** A place with z along an axis. */
function placeAlong(at: Point3, z: Point3): SolidPlace {
  const x = perpendicular(z);
  const y: Point3 = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  return { at, R: [0, 1, 2].map((i) => [x[i]!, y[i]!, z[i]!]) };
}

function ballAround(points: readonly Point3[], centre: Point3): Ball {
  return { centre, reach: Math.max(...points.map((p) => distance(p, centre))) };
}

/** The solid of a shape; undefined for points, edges and rims, which have no volume. */
export function solidOf(shape: ContactShape): PressureSolid | undefined {
  switch (shape.kind) {
    case "sphere":
      return roundLine(shape.at, shape.at, shape.radius);
    case "capsule":
      return roundLine(shape.at, shape.to, shape.radius);
    case "cylinder":
      return cylinder(shape.at, shape.axis, shape.radius, shape.length);
    case "disc":
      return disc(shape);
    case "cone":
      return cone(shape);
    case "box":
      return polytopeSolid(
        placePolytope(boxPolytope([shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2]), { at: shape.at, R: shape.R }),
      );
    case "hull":
      return polytopeSolid(placePolytope(shape.hull!, { at: shape.at, R: shape.R }));
    case "plane":
      return {
        plane: { at: shape.at, normal: shape.axis },
        ball: { centre: shape.at, reach: Number.POSITIVE_INFINITY },
        volume: Number.POSITIVE_INFINITY,
        rigid: (near) => planeSource(shape.at, shape.axis, near),
      };
    case "ground":
      return {
        ball: { centre: [0, 0, 0], reach: Number.POSITIVE_INFINITY },
        volume: Number.POSITIVE_INFINITY,
        rigid: (near) => new GroundSource(shape.terrain, near),
      };
    default:
      return undefined;
  }
}

function roundLine(from: Point3, to: Point3, radius: number): PressureSolid {
  const length = distance(from, to);
  const centre = along(from, 0.5, [to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
  const axis: Point3 =
    length === 0 ? [0, 0, 1] : [(to[0] - from[0]) / length, (to[1] - from[1]) / length, (to[2] - from[2]) / length];
  return {
    line: { from, to, radius },
    round: { radius, half: length / 2, ends: "round", place: placeAlong(centre, axis) },
    elasticBody: hullBody(length === 0 ? [from] : [from, to], radius),
    ball: { centre, reach: length / 2 + radius },
    volume: Math.PI * radius * radius * (length + (4 / 3) * radius),
  };
}

function cylinder(centre: Point3, axis: Point3, radius: number, length: number): PressureSolid {
  const place = placeAlong(centre, axis);
  let prism: Polytope | undefined;
  const prismOf = (): Polytope => {
    prism ??= placePolytope(revolvedPolytope(radius, -length / 2, radius, length / 2, RIGID_SIDES), place);
    return prism;
  };
  return {
    round: { radius, half: length / 2, ends: "flat", place },
    elasticBody: frustumBody({ at: along(centre, -length / 2, axis), axis, length, first: radius, second: radius }),
    get rigidBody() {
      return hullBody(prismOf().corners);
    },
    // The corners of the prism are farther out than the circle, so that its sections have the same area.
    ball: { centre, reach: 1.001 * Math.sqrt((length * length) / 4 + radius * radius) },
    volume: Math.PI * radius * radius * length,
    rigid: () => boundedSource(rigidSolid([prismOf()])),
  };
}

/** A disc without thickness is as thick as it is wide. */
function disc({ at, axis, radius, inner, thickness = 2 * radius }: ContactShape): PressureSolid {
  const centre = along(at, -thickness / 2, axis);
  if (inner === 0) return cylinder(centre, axis, radius, thickness);
  const h = thickness / 2;
  return ring(
    ringSolid(
      [
        [inner, -h],
        [radius, -h],
        [radius, h],
        [inner, h],
      ],
      RING_SIDES,
      placeAlong(centre, axis),
    ),
    centre,
  );
}

function cone({ at, axis, radius, tip, length, thickness: t }: ContactShape): PressureSolid {
  const place = placeAlong(at, axis);
  if (t === undefined) return polytopeSolid(placePolytope(revolvedPolytope(radius, 0, tip, length, CONE_SIDES), place));
  const slant = Math.sqrt(length * length + (radius - tip) * (radius - tip));
  const [x, z] = [(t * length) / slant, (t * (radius - tip)) / slant];
  const [r0, r1] = [Math.max(radius, NARROWEST), Math.max(tip, NARROWEST)];
  return ring(
    ringSolid(
      [
        [r0, 0],
        [r0 + x, z],
        [r1 + x, length + z],
        [r1, length],
      ],
      RING_SIDES,
      place,
    ),
    along(at, length / 2, axis),
  );
}

/** A solid with a hole is rigid only. */
function ring(solid: RigidSolid, centre: Point3): PressureSolid {
  const { corners } = solid;
  const points = Array.from(
    { length: corners.length / 3 },
    (_, i): Point3 => [corners[3 * i]!, corners[3 * i + 1]!, corners[3 * i + 2]!],
  );
  return { ball: ballAround(points, centre), volume: Number.POSITIVE_INFINITY, rigid: () => boundedSource(solid) };
}

function polytopeSolid(polytope: Polytope): PressureSolid {
  const { volume, centre } = volumeOf(polytope);
  const body = hullBody(polytope.corners);
  return {
    polytope,
    elasticBody: body,
    rigidBody: body,
    ball: ballAround(polytope.corners, centre),
    volume,
    rigid: () => boundedSource(rigidSolid([polytope])),
  };
}
