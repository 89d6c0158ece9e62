/** A robot between its file and Castor's description: links in the order of the tree, with what their joints resist. */
import type { Fields } from "../../declare/plain-data.ts";
import type { HingeDescription, LoopDescription, PlacementDescription, ShapeDescription } from "../../model/description.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";

/** Mass properties of a link: mass centre in link axes, inertia about it in link axes. */
export interface LinkMass {
  readonly mass: number;
  readonly com: Vec3<number>;
  readonly inertia: Mat3<number>;
}

/** What acts in the freedom of a joint with one freedom. */
export interface JointTraits {
  readonly lower?: number;
  readonly upper?: number;
  readonly damping?: number;
  readonly friction?: number;
  readonly stiffness?: number;
  /** Coordinate of the relaxed spring. */
  readonly rest?: number;
}

/** Limits of this size stand for none: robot files need numbers where a joint has no limit. */
export const NO_LIMIT = 1e9;

export interface RobotLink {
  readonly name: string;
  /** Index of the parent in the list, which comes earlier; -1 is the world. */
  readonly parent: number;
  readonly line: number;
  readonly massLine: number;
  readonly jointLine: number;
  readonly massProperties: LinkMass;
  readonly hinge: HingeDescription & { readonly name: string };
  readonly traits: JointTraits;
  readonly shapes: readonly ShapeDescription[];
  readonly frames: Readonly<Record<string, PlacementDescription>>;
  /** True for a link without mass that stands between the joints of one body. */
  readonly isJointPart?: boolean;
}

export interface RobotDraft {
  readonly name: string;
  readonly gravity: Vec3<number>;
  readonly links: readonly RobotLink[];
  readonly loops: readonly LoopDescription[];
  readonly forces: Readonly<Record<string, Fields>>;
}

export const NO_MASS: LinkMass = {
  mass: 0,
  com: [0, 0, 0],
  inertia: [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ],
};

/** Kinds of hinges with one freedom, whose coordinate is that of the joint in the file. */
export const hasOneFreedom = (kind: string): boolean => kind === "revolute" || kind === "prismatic" || kind === "helical";
