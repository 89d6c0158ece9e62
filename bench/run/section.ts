/** A part of the benchmark that can be asked for by its name. Adding one is adding its file and its line in sections/index.ts. */

import type { ModelName } from "../machines/models.ts";
import type { LimitVerdict } from "./limits.ts";

export interface BenchSection {
  /** As on the command line. */
  readonly name: string;
  readonly about: string;
  /** Models that it measures unless others are named; absent if it has machines of its own. */
  readonly models?: readonly ModelName[];
  run(options: SectionOptions): SectionOutcome;
}

export interface SectionOptions {
  readonly models: readonly ModelName[];
  readonly effort: Effort;
}

/** "quick": for a first look. */
export type Effort = "quick" | "full";

export interface SectionOutcome {
  /** For programs. */
  readonly results: unknown;
  /** For people. */
  readonly text: string;
  readonly verdicts: readonly LimitVerdict[];
}
