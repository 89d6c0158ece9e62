/** What a robot file describes: plain data for a model and a scenario, and a list of everything that was not understood or was changed. */
import type { Fields } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import type { ModelDescription } from "../../model/description.ts";

/** A feature of a file that has no equivalent in Castor. */
export interface UnsupportedFeature {
  /** Name of the element or attribute as the file writes it: "gazebo plugin". */
  readonly feature: string;
  /** What is missing in the motion or in the picture. */
  readonly effect: string;
  readonly count: number;
  /** Lines of its first uses. */
  readonly lines: readonly number[];
}

/** Coordinates and speeds by hinge, as in a state file. */
export interface NamedState {
  readonly q: Readonly<Record<string, number | readonly number[]>>;
  readonly u?: Readonly<Record<string, number | readonly number[]>>;
}

export interface ImportedModel {
  readonly model: ModelDescription;
  /** Force elements by name, as a scenario writes them. */
  readonly forces: Readonly<Record<string, Fields>>;
  /** Largest speeds as limits by name, as a scenario writes them. A run has them only if its scenario does. */
  readonly limits: Readonly<Record<string, Fields>>;
  /** Named states: `start` is where the file starts; others are poses and keyframes. Hinges that are not named are at home. */
  readonly states: Readonly<Record<string, NamedState>>;
  /** Names of bodies and hinges by group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Shapes that may touch, as the force `contact` writes them. They act only if a scenario has such a force: `shapes: [{ kind: collisions }]`. */
  readonly contactShapes: readonly Fields[];
  /** Pairs of bodies, or of contact shapes by their names, that never touch each other. */
  readonly noContact: readonly (readonly [string, string])[];
  readonly unsupported: readonly UnsupportedFeature[];
  readonly warnings: readonly Problem[];
  /** Line of the file for a path of `model`: `bodies[2].inertia`. */
  readonly lines: ReadonlyMap<string, number>;
}

/** Where a file that a robot file refers to is found. The caller decides about folders; nothing is read from a network. */
export interface ImportOptions {
  /** Base of a URDF robot: fixed to the world, or free. Default: fixed, unless the file joins it to `world` by a floating joint. */
  readonly base?: "fixed" | "free";
  /**
   * Path of a mesh for the model, by the name in the file (`package://arm/hand.stl`, `/meshes/hand.stl`, `hand.stl`); undefined if there is no
   * such file in the given folders.
   */
  findMesh?(name: string): string | undefined;
  /** Bytes of a mesh that `findMesh` has found, for masses that follow from meshes; undefined if it cannot be read. */
  readMeshFile?(path: string): Uint8Array | undefined;
  /** Text of a file that the file includes, by its path relative to the file. @throws ModelError if it cannot be read or is outside */
  readInclude?(path: string): string;
  /** Name of the state at which the robot starts: a pose of the SRDF file. */
  readonly pose?: string;
  /** SRDF text with groups, poses and loops of a URDF robot. */
  readonly srdf?: { readonly text: string; readonly source: string };
}
