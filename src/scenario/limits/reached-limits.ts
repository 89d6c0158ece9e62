import { checkMembers } from "../../arguments.ts";
import type { ScenarioRun } from "../run.ts";
import { type LimitPeak, limitPeaks } from "./limit-peaks.ts";

/** The limits of a scenario, each with the value of the run that came closest to it or exceeded it most, on the continuous motion. */
export function reachedLimits(run: ScenarioRun): readonly LimitPeak[] {
  checkMembers("run", run, ["scenario", "run", "system"], "a run, as runScenario returns it");
  return limitPeaks(run.run.peaks, run.scenario.limits);
}
