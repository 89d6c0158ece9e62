/** Campaigns: many cases of one scenario with dispersed settings. Stores and pools, which need Node, are in castor/campaign/files. */

export type {
  Campaign,
  CampaignScenario,
  CaseRange,
  Dispersion,
  KeptCases,
  Requirement,
  StoppingRule,
} from "./campaign.ts";
export { CaseRunner, type CaseRunOptions } from "./case-runner.ts";
export { type Case, caseOf, caseScenario } from "./cases.ts";
export { type CampaignComparison, compareRows, type MeasureDifference } from "./compare.ts";
export type { Design, ListedSettings } from "./designs/kind.ts";
export type { Correlate } from "./dispersions/correlation.ts";
export type { Cell, Column, Draw, Drawing } from "./dispersions/kind.ts";
export type { Histories, HistoryValues, RecordedHistory } from "./histories/histories.ts";
export { type CampaignFiles, type CampaignOptions, openCampaign } from "./load.ts";
export type { Measure } from "./measures/kind.ts";
export { type CaseOptions, type CaseRow, type CaseStatus, InterruptedError, runCase } from "./run-case.ts";
export { sampleQuantile } from "./statistics/quantile.ts";
export { type RankCorrelation, rankCorrelation } from "./statistics/ranks.ts";
export { type SensitivityRow, type SobolIndex, sobolIndices } from "./statistics/sobol-indices.ts";
export { type Evaluate, type SubsetOptions, type SubsetResult, subsetSimulation } from "./statistics/subset-simulation.ts";
export {
  casesForToleranceBound,
  lowerToleranceBound,
  quantileInterval,
  upperToleranceBound,
} from "./statistics/tolerance.ts";
export { type Interval, wilsonInterval } from "./statistics/wilson.ts";
