/** Processor time of runs of built-in scenarios, in turn with another build of Castor if one is given: the motion alone, and whole commands. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { motionOf, programOf } from "../machines/scenario-of-build.ts";
import { cpuMilliseconds } from "../run/cpu-time.ts";
import { timesInTurns } from "./start-up.ts";

const WARM_UPS = 3;

/** Processor times of the motion, ms, in a process that has simulated it before. All builds run in one process, in turns. */
export async function measureMotion(scenario: string, builds: readonly string[], runs: number): Promise<number[][]> {
  const motions: (() => void)[] = [];
  for (const build of builds) motions.push(await motionOf(scenario, build));
  const times: number[][] = motions.map(() => []);
  for (let run = -WARM_UPS; run < runs; run++)
    for (const [i, motion] of motions.entries()) {
      const time = cpuMilliseconds(motion);
      if (run >= 0) times[i]!.push(time);
    }
  return times;
}

/** Processor time of the first motion in this process, ms. */
export async function measureFirstMotion(scenario: string, build: string): Promise<number> {
  return cpuMilliseconds(await motionOf(scenario, build));
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
