/** Processor time of runs of built-in scenarios, in turn with another build of Castor if one is given: the motion alone, and whole commands. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { motionOf, programOf } from "../machines/scenario-of-build.ts";
import { cpuMilliseconds } from "../run/cpu-time.ts";
import { timesInTurns } from "./start-up.ts";

/** Processor times of simulations of one scenario in this process, ms. The first contains code that the engine has not optimised yet. */
export async function measureMotions(scenario: string, build: string, runs: number): Promise<number[]> {
  const motion = await motionOf(scenario, build);
  return Array.from({ length: runs }, () => cpuMilliseconds(motion));
}

/** Processor times of the command, ms, in new processes. */
export function measureCommand(scenario: string, builds: readonly string[], runs: number): number[][] {
  const folder = mkdtempSync(join(tmpdir(), "castor-runs-"));
  try {
    return timesInTurns(builds, runs, folder, (build) => [programOf(build), "run", scenario, "--out", join(folder, "out")]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
