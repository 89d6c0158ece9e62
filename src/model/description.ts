/** The description of a model that a user writes, in code or in a file: plain data, checked and completed by `createModel`. */

import type { Axis } from "../spatial/axis.ts";
import type { NumericVec3 } from "../spatial/vec3.ts";
import type { GravityName } from "./gravity.ts";
import type { FreedomName, Rotations } from "./hinges/general.ts";
import type { HingeKindName } from "./hinges/index.ts";
import type { ChainName } from "./loop.ts";
import type { MaterialName } from "./surface/materials.ts";

/** A fixed rotation, given in one of three ways. It maps components in the placed frame to components in its carrier. */
export interface RotationDescription {
  /** [w, x, y, z] */
  readonly quaternion?: readonly number[] | Float64Array;
  /** Rows; the columns are the axes of the placed frame. */
  readonly matrix?: readonly (readonly number[])[];
  /** Roll, pitch, yaw about the fixed axes x, y, z: R = Rz(yaw) Ry(pitch) Rx(roll). */
  readonly rpy?: readonly number[] | Float64Array;
}

export interface PlacementDescription {
  readonly at?: NumericVec3 | Float64Array;
  readonly rotation?: RotationDescription;
  /** Instead of `at` and `rotation`: a row of a Denavit-Hartenberg table in the modified convention, Rx(alpha) Tx(a) Tz(d) Rz(theta). */
  readonly dh?: { readonly alpha?: number; readonly a?: number; readonly d?: number; readonly theta?: number };
}

export interface HingeDescription extends PlacementDescription {
  /** The body's name if not given. */
  readonly name?: string;
  readonly kind: HingeKindName;
  /** revolute, prismatic, helical, cylindrical: the axis in F. */
  readonly axis?: Axis;
  /** helical: metres per radian. */
  readonly pitch?: number;
  /** general: the free ones of x, y, z, rx, ry, rz. */
  readonly freedoms?: readonly FreedomName[];
  /** general: "small" uses the matrix 1 + φ̃ for its turns, for comparison with papers. */
  readonly rotations?: Rotations;
  /**
   * Inertia of the drive's rotor at the hinge (gear ratio squared × rotor inertia), kg m² or kg; one number for each freedom if the hinge
   * has several. It resists only the hinge's acceleration: it adds no mass and no momentum.
   */
  readonly armature?: number | readonly number[];
  /** Placement of the hinge frame M on the body; the body frame if not given. */
  readonly onBody?: PlacementDescription;
}

export interface ShapeFields extends PlacementDescription {
  /** #rrggbb */
  readonly colour?: string;
  readonly material?: MaterialName;
  /** Number of copies around an axis of the body (z if not given) through `about`, evenly over a whole turn or by `spacing`, rad. */
  readonly copies?: number;
  readonly around?: Axis;
  readonly about?: NumericVec3 | Float64Array;
  readonly spacing?: number;
  /** Number of copies in a row along `step`, in body axes. */
  readonly rows?: number;
  readonly step?: NumericVec3 | Float64Array;
}

/** A shape of a body; `at` and `rotation` place it on the body. Cylinders, capsules, prisms and rings lie along z. */
export type ShapeDescription = ShapeFields &
  (
    | { readonly kind: "box"; readonly size: NumericVec3 | Float64Array; readonly rim?: number }
    | { readonly kind: "sphere"; readonly radius: number }
    | { readonly kind: "cylinder"; readonly radius: number; readonly length: number; readonly rim?: number }
    | { readonly kind: "capsule"; readonly radius: number; readonly length: number }
    | {
        readonly kind: "extrude";
        readonly outline: readonly (readonly number[])[];
        readonly length: number;
        readonly rim?: number;
      }
    | { readonly kind: "revolve"; readonly profile: readonly (readonly number[])[]; readonly angle?: number }
    | {
        readonly kind: "ring";
        readonly radius: number;
        readonly inner: number;
        readonly height: number;
        readonly rim?: number;
        readonly angle?: number;
      }
    | {
        readonly kind: "tube";
        readonly path: readonly (NumericVec3 | Float64Array)[];
        readonly radius: number;
        readonly bend?: number;
      }
    | { readonly kind: "panel"; readonly size: NumericVec3 | Float64Array; readonly cells?: readonly number[] }
    | { readonly kind: "ellipsoid"; readonly size: NumericVec3 | Float64Array }
    | { readonly kind: "mesh"; readonly file: string; readonly scale?: number | NumericVec3 | Float64Array }
  );

export interface BodyDescription {
  readonly name: string;
  /** Name of the parent body; the world if not given. */
  readonly parent?: string;
  readonly mass: number;
  /** Mass centre in the body frame. */
  readonly com?: NumericVec3 | Float64Array;
  /** About the mass centre in body axes: [xx, yy, zz], [xx, yy, zz, xy, xz, yz], a 3x3 matrix, or "none" for a point mass. */
  readonly inertia: readonly number[] | Float64Array | readonly (readonly number[])[] | "none";
  readonly hinge: HingeDescription;
  /** Named points of interest on the body. */
  readonly frames?: Readonly<Record<string, PlacementDescription>>;
  /** Shapes for pictures. The motion does not depend on them. */
  readonly shapes?: readonly ShapeDescription[];
}

/** A cross-section in the axes y and z of the body. */
export type SectionDescription =
  | { readonly kind: "round"; readonly diameter: number }
  | { readonly kind: "tube"; readonly outer: number; readonly inner: number }
  /** Width along y, height along z; hollow if a wall is given. */
  | { readonly kind: "box"; readonly width: number; readonly height: number; readonly wall?: number }
  /** ∫ z² dA, ∫ y² dA, and the torsion constant (G times it is the torsional stiffness). */
  | { readonly kind: "custom"; readonly area: number; readonly Iy: number; readonly Iz: number; readonly torsion?: number };

/**
 * An elastic body: straight, along x from the body's origin. Its stiffness is given in one of four ways: material and section; stiffness
 * and mass per length; a measurement of the clamped body; or a list of joints.
 */
export interface ElasticDescription {
  readonly length: number;
  readonly material?:
    | "steel"
    | "aluminium"
    | "titanium"
    | { readonly youngs: number; readonly shear?: number; readonly poisson?: number; readonly density: number };
  readonly section?: SectionDescription;
  /** Section at the tip, of the same kind. Every number changes linearly from root to tip. */
  readonly tipSection?: SectionDescription;
  /** Total mass, or mass per length. */
  readonly mass?: number;
  readonly massPerLength?: number;
  /** EI: one number for bending about y and z, or one for each; N m². */
  readonly bendingStiffness?: number | readonly [number, number];
  /** GJ, N m². */
  readonly torsionStiffness?: number;
  /** EA, N. */
  readonly axialStiffness?: number;
  /** Polar inertia of the sections about x, per length: kg m. */
  readonly polarInertia?: number;
  /** First frequency of the clamped body in Hz, or deflection of its tip under a force in m/N. */
  readonly measured?: { readonly frequency: number } | { readonly compliance: number };
  /**
   * Number of joints (default 4), or a list: distance from the root, stiffness and damping for each freedom, and the distance at which the mass
   * is divided, if not at the joint.
   */
  readonly joints?:
    | number
    | readonly {
        readonly at: number;
        readonly cut?: number;
        readonly stiffness: number | readonly number[];
        readonly damping?: number | readonly number[];
      }[];
  /** x: stretch, rx: twist, ry and rz: bending. If not given: twist and bending, if their stiffness is known. */
  readonly freedoms?: readonly ("x" | "rx" | "ry" | "rz")[];
  /** "small" uses the matrix 1 + φ̃ for each joint [Yoshikawa and Hosoda 1991, eq. 7], for comparison; see the model format. */
  readonly rotations?: Rotations;
  /**
   * Damping ratio of the first clamped mode (a number or `ratio`), its logarithmic decrement, a time that multiplies the stiffness, or the
   * ratio of each mode.
   */
  readonly damping?:
    | number
    | { readonly ratio: number }
    | { readonly decrement: number }
    | { readonly time: number }
    | { readonly ratios: readonly number[] };
}

/** A body that bends. The hinge joins its root to the parent; bodies, frames and loops may be attached anywhere along it. */
export interface ElasticBodyDescription {
  readonly name: string;
  readonly parent?: string;
  readonly elastic: ElasticDescription;
  readonly hinge: HingeDescription;
  readonly frames?: Readonly<Record<string, PlacementDescription>>;
}

/** Springs in hinges. Elastic bodies are expanded to them. One number for each speed of a hinge. */
export interface SpringsDescription {
  readonly name: string;
  readonly joints: readonly {
    readonly hinge: string;
    readonly stiffness?: readonly number[];
    readonly damping?: readonly number[];
  }[];
  /** Damping matrix of the speeds of all joints, in their order. */
  readonly coupling?: readonly (readonly number[])[];
}

/** Attachment of a loop: a frame placed on a body ("world" is the world), or a named frame of the model. */
export type AttachmentDescription = (PlacementDescription & { readonly body: string }) | { readonly frame: string };

/** Engagement of a loop: at the start, and during a run. */
export interface EngagementDescription {
  /** false: open until a run engages it. */
  readonly engaged?: boolean;
  /**
   * as-found: the loop engages at the present position of the bodies (default). as-declared: at the position declared here; the bodies may
   * then deviate by `tolerance` (m or rad).
   */
  readonly engages?: "as-found" | "as-declared";
  readonly tolerance?: number;
  /**
   * Coordinates that `partition` and `minimal` compute from the others by this loop: names of hinges or of single freedoms.
   * These formulations choose them if not given.
   */
  readonly dependent?: readonly string[];
}

/** The two frames that a loop joins. */
export interface LoopEnds extends EngagementDescription {
  readonly name: string;
  /** F */
  readonly from: AttachmentDescription;
  /** M */
  readonly to: AttachmentDescription;
  /** The chain in closed form of its dependent branch. Another geometry is an error. Determined automatically if not given. */
  readonly chain?: ChainName;
}

export type HingeLoopKindName = Exclude<HingeKindName, "free">;

/** A hinge outside of the tree. It blocks the directions that the hinge does not free. */
export interface HingeLoopDescription extends LoopEnds {
  readonly kind: HingeLoopKindName;
  /** revolute, prismatic, helical, cylindrical: the axis in F. */
  readonly axis?: Axis;
  /** helical: metres per radian, not zero. */
  readonly pitch?: number;
  /** general: the free ones of x, y, z, rx, ry, rz. */
  readonly freedoms?: readonly FreedomName[];
}

/** A rod: the distance of M's origin from F's origin is constant. */
export interface DistanceDescription extends LoopEnds {
  readonly kind: "distance";
  readonly length: number;
}

/** M's origin stays on the line through F's origin along `axis`, or on the plane through F's origin with normal `axis`. */
export interface PointDescription extends LoopEnds {
  readonly kind: "point-on-line" | "point-on-plane";
  readonly axis?: Axis;
}

/** Σ factor × coordinate = offset: gears and differentials. */
export interface CouplingDescription extends EngagementDescription {
  readonly name: string;
  readonly kind: "coupling";
  /** Each term has a coordinate: the name of a hinge with one freedom, or "hinge.part" for one freedom of a hinge. */
  readonly terms: readonly { readonly hinge: string; readonly factor: number }[];
  readonly offset?: number;
}

/** A coordinate with prescribed motion: offset + rate t + amplitude sin(frequency t + phase). */
export interface PrescribedDescription extends EngagementDescription {
  readonly name: string;
  readonly kind: "prescribed";
  /** The name of a hinge with one freedom, or "hinge.part" for one freedom of a hinge. */
  readonly hinge: string;
  readonly motion: {
    readonly offset?: number;
    readonly rate?: number;
    readonly amplitude?: number;
    readonly frequency?: number;
    readonly phase?: number;
  };
}

export type LoopDescription =
  | HingeLoopDescription
  | DistanceDescription
  | PointDescription
  | CouplingDescription
  | PrescribedDescription;

export interface ModelDescription {
  readonly name: string;
  /** Uniform gravity in world axes, m/s², or the name of a world; then it acts along -z. */
  readonly gravity?: NumericVec3 | Float64Array | GravityName;
  readonly bodies: readonly (BodyDescription | ElasticBodyDescription)[];
  /** Hinges outside of the tree, and other constraints. */
  readonly loops?: readonly LoopDescription[];
  /** Springs of elastic bodies after their expansion. */
  readonly springs?: readonly SpringsDescription[];
  /** Shapes fixed to the world, for pictures. */
  readonly shapes?: readonly ShapeDescription[];
}
