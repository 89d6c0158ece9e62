/** A campaign: a scenario, dispersed settings, a design, measures and criteria; checked, immutable, shared by all cases. */
import type { ScenarioFiles } from "../scenario/files.ts";
import type { Override } from "../scenario/override.ts";
import type { Condition } from "../scenario/read/condition.ts";
import type { Design } from "./designs/kind.ts";
import type { Correlate } from "./dispersions/correlation.ts";
import type { Column, Drawing } from "./dispersions/kind.ts";
import type { Histories } from "./histories/histories.ts";
import type { Measure } from "./measures/kind.ts";

/** The text of a scenario, its name for messages, and the files that it names. */
export interface CampaignScenario {
  readonly text: string;
  readonly source: string;
  readonly files: ScenarioFiles;
}

export interface Dispersion {
  readonly name: string;
  readonly kind: string;
  readonly paths: readonly string[];
  readonly drawing: Drawing;
  /** Index of its first random number among those of a case. */
  readonly start: number;
}

export interface StoppingRule {
  readonly width: number;
  readonly confidence: number;
  readonly batch: number;
}

export interface Requirement {
  readonly probability: number;
  readonly proven: boolean;
}

export interface KeptCases {
  readonly logs: readonly ("failed" | "invalid" | "extremes")[];
  readonly cases: readonly number[];
  readonly most: number;
}

export interface Campaign {
  /** Title. */
  readonly name: string;
  readonly about: string;
  readonly seed: number;
  readonly design: Design;
  /** Number of cases; with a stopping rule the largest number. */
  readonly cases: number;
  readonly dispersions: readonly Dispersion[];
  readonly correlations: readonly Correlate[];
  /** Columns of the drawn values, in the order of the table. */
  readonly inputs: readonly Column[];
  readonly measures: readonly Measure[];
  readonly histories?: Histories;
  readonly success: readonly Condition[];
  readonly require?: Requirement;
  readonly stop?: StoppingRule;
  readonly keep: KeptCases;
  /** Wall time that one case may take, s. */
  readonly limit: number;
  /** Number of cases of a chunk. */
  readonly chunk: number;
  readonly scenario: CampaignScenario & { readonly overrides: readonly Override[] };
  /** Everything that determines the results, as plain data: version, file, scenario with its model. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** A part of the cases: from `first` to before `end`. */
export interface CaseRange {
  readonly first: number;
  readonly end: number;
}
