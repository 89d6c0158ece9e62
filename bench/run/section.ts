/** A part of the benchmark that can be asked for by its name. Adding one is adding its file and its line in sections/index.ts. */

import type { ModelName } from "../machines/models.ts";
import type { Verdict } from "./limits.ts";

export interface Section {
  /** As on the command line. */
  readonly name: string;
  readonly about: string;
  /** Models that it measures unless others are named; absent if it has machines of its own. */
  readonly models?: readonly ModelName[];
  run(options: SectionOptions): Outcome;
}

export interface SectionOptions {
  readonly models: readonly ModelName[];
  readonly effort: Effort;
}

/** "quick": for a first look. */
export type Effort = "quick" | "full";

export interface Outcome {
  /** For programs. */
  readonly results: unknown;
  /** For people. */
  readonly text: string;
  readonly verdicts: readonly Verdict[];
}
