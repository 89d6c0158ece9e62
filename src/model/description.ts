/** What a user writes to describe a model, in code or in a file: plain data, checked and completed by `createModel`. */

import type { Axis } from "../spatial/axis.ts";
import type { NumericVec3 } from "../spatial/vec3.ts";
import type { GravityName } from "./gravity.ts";
import type { FreedomName, Rotations } from "./hinges/general.ts";
import type { HingeKindName } from "./hinges/index.ts";
import type { ChainName } from "./loop.ts";

/** One of three ways to give a fixed rotation; the rotation maps components of the placed frame to its carrier's. */
export interface RotationDescription {
  /** [w, x, y, z] */
  readonly quaternion?: readonly number[];
  /** Rows; the columns are the axes of the placed frame. */
  readonly matrix?: readonly (readonly number[])[];
  /** Roll, pitch, yaw about the fixed axes x, y, z: R = Rz(yaw) Ry(pitch) Rx(roll). */
  readonly rpy?: readonly number[];
}

export interface PlacementDescription {
  readonly at?: NumericVec3;
  readonly rotation?: RotationDescription;
  /** Instead of them, a row of a Denavit-Hartenberg table in the modified convention: Rx(alpha) Tx(a) Tz(d) Rz(theta). */
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
  /** general: which of x, y, z, rx, ry, rz are free. */
  readonly freedoms?: readonly FreedomName[];
  /** general: "small" takes the matrix of its turns as 1 + φ̃, for comparison with papers. */
  readonly rotations?: Rotations;
  /**
   * Inertia of the drive's rotor as the hinge feels it (gear ratio squared × rotor inertia), kg m² or kg; one number for each freedom
   * where there are several. It resists the hinge's acceleration and nothing else: no mass, no momentum.
   */
  readonly armature?: number | readonly number[];
  /** Where the hinge frame M sits on the body, if not at the body's own frame. */
  readonly onBody?: PlacementDescription;
}

interface ShapeFields extends PlacementDescription {
  /** #rrggbb */
  readonly colour?: string;
}

/** What a body looks like; `at` and `rotation` place it on the body. Cylinders and capsules lie along z. */
export type ShapeDescription =
  | (ShapeFields & { readonly kind: "box"; readonly size: NumericVec3 })
  | (ShapeFields & { readonly kind: "sphere"; readonly radius: number })
  | (ShapeFields & { readonly kind: "cylinder" | "capsule"; readonly radius: number; readonly length: number })
  | (ShapeFields & { readonly kind: "mesh"; readonly file: string; readonly scale?: number });

export interface BodyDescription {
  readonly name: string;
  /** Name of the parent body; the world if not given. */
  readonly parent?: string;
  readonly mass: number;
  /** Mass centre in the body frame. */
  readonly com?: NumericVec3;
  /** About the mass centre in body axes: [xx, yy, zz], [xx, yy, zz, xy, xz, yz], a 3x3 matrix, or "none" for a point mass. */
  readonly inertia: readonly number[] | readonly (readonly number[])[] | "none";
  readonly hinge: HingeDescription;
  /** Points of interest on the body, by name. */
  readonly frames?: Readonly<Record<string, PlacementDescription>>;
  /** What it looks like; nothing of the motion depends on it. */
  readonly shapes?: readonly ShapeDescription[];
}

/** A cross-section in the axes y and z of the body. */
export type SectionDescription =
  | { readonly kind: "round"; readonly diameter: number }
  | { readonly kind: "tube"; readonly outer: number; readonly inner: number }
  /** Width along y, height along z; hollow where a wall is given. */
  | { readonly kind: "box"; readonly width: number; readonly height: number; readonly wall?: number }
  /** ∫ z² dA, ∫ y² dA, and what G times it is the stiffness against twist. */
  | { readonly kind: "custom"; readonly area: number; readonly Iy: number; readonly Iz: number; readonly torsion?: number };

/**
 * An elastic body: straight, along x from the body's origin. Its stiffness is given in one of four ways: material and section; stiffness
 * and mass per length; a measurement of the clamped body; or joints one by one.
 */
export interface ElasticDescription {
  readonly length: number;
  readonly material?:
    | "steel"
    | "aluminium"
    | "titanium"
    | { readonly youngs: number; readonly shear?: number; readonly poisson?: number; readonly density: number };
  readonly section?: SectionDescription;
  /** At the tip, of the same kind: every number changes evenly on the way. */
  readonly tipSection?: SectionDescription;
  /** In all, or per length. */
  readonly mass?: number;
  readonly massPerLength?: number;
  /** EI, the same about y and z, or both: N m². */
  readonly bendingStiffness?: number | readonly [number, number];
  /** GJ, N m². */
  readonly torsionStiffness?: number;
  /** EA, N. */
  readonly axialStiffness?: number;
  /** Of the sections about x, per length: kg m. */
  readonly polarInertia?: number;
  /** First frequency of the clamped body in Hz, or deflection of its tip under a force in m/N. */
  readonly measured?: { readonly frequency: number } | { readonly compliance: number };
  /** How many joints (4), or each: its distance from the root, stiffness and damping for each freedom. */
  readonly joints?:
    | number
    | readonly {
        readonly at: number;
        readonly stiffness: number | readonly number[];
        readonly damping?: number | readonly number[];
      }[];
  /** x: stretch, rx: twist, ry and rz: bending. Twist and bending, as far as their stiffness is known, if not given. */
  readonly freedoms?: readonly ("x" | "rx" | "ry" | "rz")[];
  /** "small" takes the matrix of each joint as 1 + φ̃ [Yoshikawa and Hosoda 1991, eq. 7]: for comparison, see the model format. */
  readonly rotations?: Rotations;
  /** Ratio of the first clamped mode; the same as ratio or as logarithmic decrement; stiffness times a time; ratios mode by mode. */
  readonly damping?:
    | number
    | { readonly ratio: number }
    | { readonly decrement: number }
    | { readonly time: number }
    | { readonly ratios: readonly number[] };
}

/** A body that bends: its root is joined to the parent by the hinge, and everything may be attached along it. */
export interface ElasticBodyDescription {
  readonly name: string;
  readonly parent?: string;
  readonly elastic: ElasticDescription;
  readonly hinge: HingeDescription;
  readonly frames?: Readonly<Record<string, PlacementDescription>>;
}

/** Springs in hinges, of which elastic bodies are made; one number for each speed of a hinge. */
export interface SpringsDescription {
  readonly name: string;
  readonly joints: readonly {
    readonly hinge: string;
    readonly stiffness?: readonly number[];
    readonly damping?: readonly number[];
  }[];
  /** Damping between the speeds of all joints in their order. */
  readonly coupling?: readonly (readonly number[])[];
}

/** Where a loop is attached: a frame placed on a body ("world" is the world), or a named frame of the model. */
export type AttachmentDescription = (PlacementDescription & { readonly body: string }) | { readonly frame: string };

/** Whether a loop holds, and how it takes hold when it is engaged in a run. */
export interface EngagementDescription {
  /** false: open until a run engages it. */
  readonly engaged?: boolean;
  /** Where the bodies are found at that moment, or as declared here: then they may miss by `tolerance` (m or rad). As found if not given. */
  readonly engages?: "as-found" | "as-declared";
  readonly tolerance?: number;
  /**
   * Coordinates that follow from the others by this loop, where `partition` and `minimal` solve: of hinges or of single freedoms, by name.
   * Chosen by them if not given.
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
  /** The chain in closed form that its dependent branch is: a mistake if its geometry is another. Found if not given. */
  readonly chain?: ChainName;
}

export type HingeLoopKindName = Exclude<HingeKindName, "free">;

/** A hinge that is not in the tree: it blocks what it does not free. */
export interface HingeLoopDescription extends LoopEnds {
  readonly kind: HingeLoopKindName;
  /** revolute, prismatic, helical, cylindrical: the axis in F. */
  readonly axis?: Axis;
  /** helical: metres per radian, not zero. */
  readonly pitch?: number;
  /** general: which of x, y, z, rx, ry, rz are free. */
  readonly freedoms?: readonly FreedomName[];
}

/** A rod: M's origin stays at a distance from F's. */
export interface DistanceDescription extends LoopEnds {
  readonly kind: "distance";
  readonly length: number;
}

/** M's origin stays on the line through F's along `axis`, or on the plane through F's with normal `axis`. */
export interface PointDescription extends LoopEnds {
  readonly kind: "point-on-line" | "point-on-plane";
  readonly axis?: Axis;
}

/** Σ factor × coordinate = offset: gears and differentials. */
export interface CouplingDescription extends EngagementDescription {
  readonly name: string;
  readonly kind: "coupling";
  /** Each of a hinge of one freedom, by its name, or of one freedom of a hinge, as "hinge.part". */
  readonly terms: readonly { readonly hinge: string; readonly factor: number }[];
  readonly offset?: number;
}

/** A coordinate that moves as told: offset + rate t + amplitude sin(frequency t + phase). */
export interface PrescribedDescription extends EngagementDescription {
  readonly name: string;
  readonly kind: "prescribed";
  /** A hinge of one freedom, by its name, or one freedom of a hinge, as "hinge.part". */
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
  /** Uniform gravity in world axes, m/s², or that of a world by name, along -z. */
  readonly gravity?: NumericVec3 | GravityName;
  readonly bodies: readonly (BodyDescription | ElasticBodyDescription)[];
  /** Hinges that are not in the tree, and other constraints. */
  readonly loops?: readonly LoopDescription[];
  /** What elastic bodies are made of, once they are written out. */
  readonly springs?: readonly SpringsDescription[];
}
