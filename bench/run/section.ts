/** A section of the benchmark, which can be named on the command line. A new section is one file and one line in sections/index.ts. */

import type { ModelName } from "../machines/models.ts";
import type { LimitVerdict } from "./limits.ts";

export interface BenchSection {
  /** Name on the command line. */
  readonly name: string;
  readonly about: string;
  /** Default models. Undefined for a section with its own machines. */
  readonly models?: readonly ModelName[];
  run(options: SectionOptions): SectionOutcome;
}

export interface SectionOptions {
  readonly models: readonly ModelName[];
  readonly effort: Effort;
  /** Folder of another build of Castor to compare with. */
  readonly before?: string | undefined;
}

/** "quick": shorter, less accurate measurements. */
export type Effort = "quick" | "full";

export interface SectionOutcome {
  /** Plain data, for JSON. */
  readonly results: unknown;
  /** Tables for the terminal. */
  readonly text: string;
  readonly verdicts: readonly LimitVerdict[];
}
