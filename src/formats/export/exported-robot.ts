/** What a writer of a file format gets and returns. */
import type { Fields } from "../../declare/plain-data.ts";
import type { Model } from "../../model/model.ts";
import type { NamedState } from "../robot/imported-model.ts";

/** A model with everything that a robot file can describe. */
export interface ExportedRobot {
  readonly model: Model;
  /** Force elements by name, as a scenario writes them. */
  readonly forces?: Readonly<Record<string, Fields>> | undefined;
  /** Largest speeds as limits by name, as `importModel` returns them. */
  readonly limits?: Readonly<Record<string, Fields>> | undefined;
  /** Named states; `start` is where a run starts. */
  readonly states?: Readonly<Record<string, NamedState>> | undefined;
  /** Shapes that may touch, as `importModel` returns them. */
  readonly contactShapes?: readonly Fields[] | undefined;
  /** Pairs of bodies whose shapes never touch. */
  readonly noContact?: readonly (readonly [string, string])[] | undefined;
  /** Path of a mesh as the written file names it, by its path in the model. Default: the same path. */
  meshPath?(path: string): string;
}

/** Something of the model that the written file does not have. */
export interface MissingFeature {
  /** Name of the part: `loop "pin" (distance)`. */
  readonly feature: string;
  /** What is missing, or different, for a program that reads the file. */
  readonly effect: string;
}

export interface WrittenRobot {
  readonly text: string;
  /** A second file that belongs to it: loops and states of a URDF robot. */
  readonly companion?: { readonly extension: string; readonly text: string };
  readonly missing: readonly MissingFeature[];
}
