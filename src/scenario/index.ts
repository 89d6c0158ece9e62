/** Scenarios: a model and everything that is chosen about its motion, from a file. */

export { matchesSearch } from "../declare/search-words.ts";
export type { LoadedMaps } from "../parts/terrain/terrain.ts";
export type { NamedText, ScenarioFiles } from "./files.ts";
export { formatScenario } from "./format.ts";
export type { LimitPeak } from "./limits/limit-peaks.ts";
export { reachedLimits } from "./limits/reached-limits.ts";
export { describeScenario, type LoadOptions, loadScenario } from "./load.ts";
export { type ComparedChannel, comparedChannels } from "./measured/compare-run.ts";
export { type IdentifiedScenario, type IdentifyRunOptions, identifyScenario } from "./measured/identify-run.ts";
export { modelScenario } from "./model-scenario.ts";
export { openScenario, withMaps } from "./open.ts";
export { formatOverride, formatValue, type Override, parseOverride } from "./override.ts";
export { type PreparedScenario, prepareScenario } from "./prepare.ts";
export type { Approach } from "./read/approach.ts";
export type { Condition } from "./read/condition.ts";
export { type RunOptions, runScenario, type ScenarioRun } from "./run.ts";
export { saveScenario } from "./save.ts";
export { type ContinuedScenario, formatSavedRun, openSavedRun } from "./saved-run-file.ts";
export {
  checkWorldCoordinates,
  type Scenario,
  type ScenarioComparison,
  type ScenarioEvent,
  type ScenarioIdentification,
  type ScenarioLimit,
  type ScenarioPlot,
  type ScenarioUnknown,
} from "./scenario.ts";
export type { Setting, SettingEntry } from "./settings/setting.ts";
export { settingsOf } from "./settings/settings.ts";
export type { RestPosition } from "./start/rest-position.ts";
export { type ChannelDifference, type Verification, type VerifyOptions, verifyScenario } from "./verify.ts";
