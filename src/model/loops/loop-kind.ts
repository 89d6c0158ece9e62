/** What a kind of loop is: one file each in loops/. A loop joins two frames, or relates coordinates. */

import type { Fields } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import type { CoordinateLoop, Engagement, FrameLoop, LoopRow, LoopSolution } from "../loop.ts";
import type { Frame, Hinge } from "../model.ts";

/** What loops may name. */
export interface ModelNames {
  /** Index of each body. */
  readonly bodies: ReadonlyMap<string, number>;
  readonly frames: ReadonlyMap<string, Frame>;
  /** Nothing for a hinge that could not be read: what is wrong with it is noted already. */
  readonly hinges: ReadonlyMap<string, Pick<Hinge, "name" | "kind" | "elements" | "q" | "u"> | undefined>;
}

type Nameless<L> = Omit<L, "name" | "kind" | keyof Engagement | keyof LoopSolution>;

export interface LoopKind {
  readonly name: string;
  /** One sentence for the documentation and the schema. */
  readonly about: string;
  /** Keys of its description besides name and kind. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Parameters that are numbers and may vary, and the rows for others. */
  readonly variable?: {
    readonly numbers: readonly string[];
    rows(parameters: Readonly<Record<string, unknown>>): readonly LoopRow[];
  };
  /** What it takes from the bodies when it is engaged as found: where F is, or only F's origin, its length, its offset. */
  readonly measuredAtEngagement: "pose" | "origin" | "length" | "offset";
  /** The loop but for its name, after a problem perhaps nothing. */
  read(
    fields: Fields,
    path: string,
    places: ModelNames,
    problems: Problem[],
  ): Nameless<FrameLoop> | Nameless<CoordinateLoop> | undefined;
}

export const keysOfLoopKind = ({ required, optional }: LoopKind): readonly string[] => [...required, ...optional];
