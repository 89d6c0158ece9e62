/** The declaration of a kind of loop: one file each in loops/. A loop joins two frames, or relates coordinates. */

import type { DeclaredKind } from "../../declare/parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import type { OnLink } from "../elastic/expand-elastic-bodies.ts";
import type { CoordinateLoop, Engagement, FrameLoop, LoopRow, LoopSolution } from "../loop.ts";
import type { Frame, Hinge } from "../model.ts";

/** The bodies, frames and hinges that a loop may refer to, by name. */
export interface ModelNames {
  /** Index of each body. */
  readonly bodies: ReadonlyMap<string, number>;
  readonly frames: ReadonlyMap<string, Frame>;
  /** Undefined for a hinge with a problem, which has been reported. */
  readonly hinges: ReadonlyMap<string, Pick<Hinge, "name" | "kind" | "elements" | "q" | "u"> | undefined>;
  readonly onLink: OnLink;
  /** True for a name that cannot be judged, because its body has a problem of its own. */
  readonly isBroken: (name: string) => boolean;
}

type Nameless<L> = Omit<L, "name" | "kind" | keyof Engagement | keyof LoopSolution>;

export interface LoopKind extends DeclaredKind {
  readonly name: string;
  /** Numeric parameters that a campaign may vary, and the rows for given parameters. */
  readonly variable?: {
    readonly numbers: readonly string[];
    rows(parameters: Readonly<Record<string, unknown>>): readonly LoopRow[];
  };
  /** The quantity that is measured if the loop is engaged as found: the pose of F, the origin of F, the length, or the offset. */
  readonly measuredAtEngagement: "pose" | "origin" | "length" | "offset";
  /** The loop that values mean, without its name. Returns undefined if a value is missing, or after a problem. */
  create(
    values: Fields,
    path: string,
    modelNames: ModelNames,
    problems: Problem[],
  ): Nameless<FrameLoop> | Nameless<CoordinateLoop> | undefined;
}
