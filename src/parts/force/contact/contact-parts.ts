/** Parts of shapes for the narrow phase: balls, lines, edges, rims, solids. */
import { gapSteepness } from "../../../ground/terrain.ts";
import { square } from "../../../math/elementary/power.ts";
import type { NumericVec3 } from "../../../spatial/vec3.ts";
import type { ContactPart } from "./narrow-phase.ts";
import { ballGround, profileSides, revolvedData, sidesBehindFace } from "./points/solids.ts";
import type { ContactShape } from "./shape.ts";

/** Radius of the narrowest hollow of a funnel that ends in a point, m: a number for the search of first touches. */
const NARROWEST_HOLLOW = 1e-3;

/** Smallest radius of curvature of the ground for points, m. For balls it is their radius: the ground must not be more curved than they are. */
const SMALLEST_GROUND_CURVE = 0.01;

const norm = (v: NumericVec3): number => Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
const midpoint = (a: NumericVec3, b: NumericVec3): NumericVec3 => [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])];
const difference = (a: NumericVec3, b: NumericVec3): NumericVec3 => [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
const pointAlong = (a: NumericVec3, s: number, axis: NumericVec3): NumericVec3 => [
  a[0] + s * axis[0],
  a[1] + s * axis[1],
  a[2] + s * axis[2],
];

const ballPart = (at: NumericVec3, radius: number): ContactPart => ({
  data: Float64Array.from([...at, radius]),
  centre: at,
  reach: radius,
  round: true,
});

/** The points or balls that represent a shape against planes and solids. */
export function ballsOf(shape: ContactShape): readonly ContactPart[] {
  const { kind, at, to, radius } = shape;
  if (kind === "capsule") return [ballPart(at, radius), ballPart(to, radius)];
  if (kind === "box") return cornersOf(shape).map((corner) => ballPart(corner, 0));
  return [ballPart(at, radius)];
}

const SIGNS = [-1, 1] as const;
const cornersOf = ({ at, size: edges, R }: ContactShape): readonly NumericVec3[] =>
  SIGNS.flatMap((x) =>
    SIGNS.flatMap((y) =>
      SIGNS.map((z): NumericVec3 => {
        const half: NumericVec3 = [(x * edges[0]) / 2, (y * edges[1]) / 2, (z * edges[2]) / 2];
        return at.map((c, i) => c + R[i]![0] * half[0] + R[i]![1] * half[1] + R[i]![2] * half[2]) as unknown as NumericVec3;
      }),
    ),
  );

/** Data: one end, other end, radius. A capsule, or an edge as a capsule of radius zero. */
export const lineOf = ({ at, to, radius }: ContactShape): ContactPart => ({
  data: Float64Array.from([...at, ...to, radius]),
  centre: midpoint(at, to),
  reach: norm(difference(at, to)) / 2 + radius,
});

/** Data: root, tip, heel. */
export const petalOf = ({ at, to, heel }: ContactShape): ContactPart => ({
  data: Float64Array.from([...at, ...to, heel]),
  centre: midpoint(at, to),
  reach: norm(difference(at, to)) / 2 + heel,
});

/** Data: root, tip, out, behind, reach, fade. */
export function edgeOf({ at, to, out = [0, 0, 0], behind, reach, fade }: ContactShape): ContactPart {
  const length = norm(difference(at, to));
  return {
    data: Float64Array.from([...at, ...to, ...out, behind ?? -1, reach, fade]),
    centre: midpoint(at, to),
    reach: length * (0.5 + (behind ?? 0)) + Math.min(reach, length),
  };
}

/** Data: centre, axis, radius, outer. */
export const rimOf = ({ at, axis, radius, outer }: ContactShape): ContactPart => ({
  data: Float64Array.from([...at, ...axis, radius, outer]),
  centre: at,
  reach: outer,
});

/** The circle alone. Data: centre, axis, radius. */
export const circleOf = ({ at, axis, radius }: ContactShape): ContactPart => ({
  data: Float64Array.from([...at, ...axis, radius]),
  centre: at,
  reach: radius,
  hollow: radius,
});

export const planeOf = ({ at, axis }: ContactShape): ContactPart => ({
  data: Float64Array.from([...at, ...axis]),
  centre: at,
  reach: Number.POSITIVE_INFINITY,
  front: axis,
});

export const groundOf = ({ terrain }: ContactShape): ContactPart => ({
  data: new Float64Array(0),
  centre: [0, 0, 0],
  reach: Number.POSITIVE_INFINITY,
  narrow: ballGround(terrain),
  uneven: true,
  hollow: SMALLEST_GROUND_CURVE,
  steepness: gapSteepness(terrain),
});

export const boxOf = ({ at, R, size: edges }: ContactShape): ContactPart => ({
  data: Float64Array.from([...at, ...R.flat(), ...edges.map((e) => e / 2)]),
  centre: at,
  reach: norm(edges) / 2,
});

/** A solid of revolution with its face at `at` and the axis outward. */
export const discOf = ({ at, axis, radius, inner, thickness: t }: ContactShape): ContactPart =>
  t === undefined
    ? {
        data: revolvedData(at, axis, sidesBehindFace(inner, radius)),
        centre: at,
        reach: Number.POSITIVE_INFINITY,
        front: axis,
        ...(inner > 0 && { hollow: inner }),
      }
    : {
        data: revolvedData(
          at,
          axis,
          profileSides([
            [inner, -t],
            [radius, -t],
            [radius, 0],
            [inner, 0],
          ]),
        ),
        centre: at,
        reach: Math.sqrt(t * t + radius * radius),
        front: axis,
        ...(inner > 0 && { hollow: inner }),
      };

/** A solid of revolution about its centre. */
export const cylinderOf = ({ at, axis, radius, length }: ContactShape): ContactPart => ({
  data: revolvedData(
    at,
    axis,
    profileSides([
      [0, -length / 2],
      [radius, -length / 2],
      [radius, length / 2],
      [0, length / 2],
    ]),
  ),
  centre: at,
  reach: Math.sqrt(square(length / 2) + radius * radius),
});

/** A solid cone; with a thickness t a funnel, whose wall extends outwards by t along its normal m. */
export function coneOf({ at, axis, radius, tip, length, thickness: t }: ContactShape): ContactPart {
  const slant = Math.sqrt(length * length + square(radius - tip));
  const m = [((t ?? 0) * length) / slant, ((t ?? 0) * (radius - tip)) / slant] as const;
  const sides =
    t === undefined
      ? profileSides([
          [0, 0],
          [radius, 0],
          [tip, length],
          [0, length],
        ])
      : profileSides([
          [radius, 0],
          [radius + m[0], m[1]],
          [tip + m[0], length + m[1]],
          [tip, length],
        ]);
  return {
    data: revolvedData(at, axis, sides),
    centre: pointAlong(at, length / 2, axis),
    reach: Math.sqrt(square(length / 2) + square(Math.max(radius, tip))) + (t ?? 0),
    ...(t !== undefined && { hollow: Math.max(Math.min(radius, tip), NARROWEST_HOLLOW) }),
  };
}
