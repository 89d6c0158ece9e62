/**
 * Hinges. A hinge joins frame F on the parent to frame M on the body. It is a chain of elements, F first: each element is one
 * screw about a fixed axis, a ball, free motion, or (for comparison with a paper) small turns. Its partial velocities are constant, in
 * its own F axes, or in M axes for small turns. Algorithms use only the properties of elements, never the kind of a hinge, so a new
 * kind is one file that lists its elements.
 */
import type { NoteRule, Parameters, ParameterValues } from "../declare/parameters.ts";
import { mul, neg, type Scalar } from "../kernel/trace/scalar.ts";
import { type AxisName, UNIT_VECTOR_BY_NAME } from "../spatial/axis.ts";
import { fromQuaternion, IDENTITY, type Mat3, type Quaternion, quaternionRates, rotationAboutAxis } from "../spatial/rotation.ts";
import { scale, UNIT_VECTORS, type Vec3, ZERO3 } from "../spatial/vec3.ts";

/**
 * Partial velocities of one speed: angular velocity of M in F and velocity of M's origin in F; constant components in F (in M for small
 * turns).
 */
export interface PartialVelocity {
  readonly angular: Vec3<number>;
  readonly linear: Vec3<number>;
}

export interface HingeElement {
  readonly nq: number;
  readonly nu: number;
  readonly partials: readonly PartialVelocity[];
  /** Coordinates at which M coincides with F. */
  readonly home: readonly number[];
  /** Unit of each coordinate and of each speed, for display. */
  readonly units: { readonly q: readonly string[]; readonly u: readonly string[] };
  /** Names of the coordinates and speeds; empty for an element of one freedom. */
  readonly parts: { readonly q: readonly string[]; readonly u: readonly string[] };
  /** Index of the first component of a unit quaternion among the coordinates, if there is one. */
  readonly quaternion?: number;
  /** For one freedom: the axis, the same in F and M, with the turn and the slide per unit of q. */
  readonly screw?: { readonly axis: Vec3<number>; readonly turn: number; readonly slide: number };
  /** For one freedom: inertia of a drive's rotor at the hinge, kg m² for a turn, kg for a slide; none if not given. */
  readonly armature?: number;
  /** True for small turns: R = 1 + φ̃, and speeds and partial velocities are in axes of M (see `smallTurnsElement`). */
  readonly small?: true;
  /** R_FM and the position of M's origin in F. */
  pose(q: readonly Scalar[]): { readonly R: Mat3; readonly p: Vec3 };
  /** q̇ = N(q) u. */
  rates(q: readonly Scalar[], u: readonly Scalar[]): readonly Scalar[];
}

/** One freedom: turn (0 or 1) rad and slide m along `axis` per unit of q. */
export function screwElement(axis: Vec3<number>, turn: 0 | 1, slide: number): HingeElement {
  const unit = turn ? "rad" : "m";
  return {
    nq: 1,
    nu: 1,
    partials: [
      {
        angular: axis.map((a) => a * turn) as unknown as Vec3<number>,
        linear: axis.map((a) => a * slide) as unknown as Vec3<number>,
      },
    ],
    home: [0],
    units: { q: [unit], u: [`${unit}/s`] },
    parts: { q: [""], u: [""] },
    screw: { axis, turn, slide },
    pose: ([q]) => ({ R: turn ? rotationAboutAxis(axis, q!) : IDENTITY, p: scale(mul(slide, q!), axis) }),
    rates: (_, u) => u,
  };
}

export const turnElement = (axis: Vec3<number>): HingeElement => screwElement(axis, 1, 0);
export const slideElement = (axis: Vec3<number>): HingeElement => screwElement(axis, 0, 1);

/**
 * Small turns about some of the axes x, y, z: R_FM = 1 + φ̃ and ω = φ̇ in M [Yoshikawa and Hosoda 1991, eqs. 7, 8]. R is
 * not orthogonal, so neither lengths nor energy are conserved. For comparison with that paper; only `articulated` supports it.
 */
export function smallTurnsElement(axes: readonly AxisName[]): HingeElement {
  return {
    nq: axes.length,
    nu: axes.length,
    small: true,
    partials: axes.map((a) => ({ angular: UNIT_VECTOR_BY_NAME[a], linear: ZERO3 })),
    home: axes.map(() => 0),
    units: { q: axes.map(() => "rad"), u: axes.map(() => "rad/s") },
    parts: { q: axes.map((a) => `r${a}`), u: axes.map((a) => `r${a}`) },
    pose: (q) => {
      const [x, y, z] = (["x", "y", "z"] as const).map((a) => q[axes.indexOf(a)] ?? 0) as unknown as Vec3;
      return {
        R: [
          [1, neg(z), y],
          [z, 1, neg(x)],
          [neg(y), x, 1],
        ],
        p: ZERO3,
      };
    },
    rates: (_, u) => u,
  };
}

/** Three freedoms of rotation: q is the unit quaternion of R_FM, u the angular velocity in F axes. No singular attitude. */
export const ballElement: HingeElement = {
  nq: 4,
  nu: 3,
  partials: UNIT_VECTORS.map((e) => ({ angular: e, linear: ZERO3 })),
  home: [1, 0, 0, 0],
  units: { q: ["", "", "", ""], u: ["rad/s", "rad/s", "rad/s"] },
  parts: { q: ["qw", "qx", "qy", "qz"], u: ["wx", "wy", "wz"] },
  quaternion: 0,
  pose: (q) => ({ R: fromQuaternion(q as unknown as Quaternion), p: ZERO3 }),
  rates: (q, u) => quaternionRates(q as unknown as Quaternion, u as unknown as Vec3),
};

/** Six freedoms: q = quaternion of R_FM, then position of M's origin; u = angular, then linear velocity; all in F axes. */
export const freeElement: HingeElement = {
  nq: 7,
  nu: 6,
  partials: [...ballElement.partials, ...UNIT_VECTORS.map((e) => ({ angular: ZERO3, linear: e }))],
  home: [1, 0, 0, 0, 0, 0, 0],
  units: { q: ["", "", "", "", "m", "m", "m"], u: ["rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"] },
  parts: { q: ["qw", "qx", "qy", "qz", "x", "y", "z"], u: ["wx", "wy", "wz", "vx", "vy", "vz"] },
  quaternion: 0,
  pose: (q) => ({ R: fromQuaternion(q.slice(0, 4) as unknown as Quaternion), p: q.slice(4, 7) as unknown as Vec3 }),
  rates: (q, u) => [...ballElement.rates(q.slice(0, 4), u.slice(0, 3)), ...u.slice(3, 6)],
};

/** A kind of hinge: its parameters, each with a default, and its elements. One file each in hinges/. */
export interface HingeKind<D extends Parameters = Parameters> {
  readonly name: string;
  /** One sentence for the documentation and the schema. */
  readonly about: string;
  readonly parameters: D;
  /** What differs if the hinge closes a loop: parameters that it does not have then, and a further rule between the others. */
  readonly asLoop?: { readonly without?: readonly string[]; rule?(values: never, note: NoteRule): void };
  elements(values: ParameterValues<D>): readonly HingeElement[];
}

/** Declares a kind of hinge. */
export const hingeKind = <const D extends Parameters>(kind: HingeKind<D>): HingeKind<D> => kind;

/** The axis of a hinge with one. */
export const AXIS = {
  type: "axis",
  id: "axis",
  default: "z",
  about: "Axis in the hinge frame, by name or by components of any length.",
} as const;
