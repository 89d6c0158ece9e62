/** Process that runs attack cases for attack.ts: it gets names and seeds by messages, and answers with outcomes. */
import type { CaseModule } from "../cases/case.ts";
import { importCases, runCase } from "./generators.ts";

export interface Job {
  readonly generator: string;
  readonly seed: number;
}

export function main(): Promise<number> {
  const answer = async ({ generator, seed }: Job): Promise<void> => {
    const module = (await importCases(generator)) as CaseModule;
    process.send!(await runCase(() => module.default(seed)));
  };
  process.on("message", (job: Job) => void answer(job));
  process.send!("ready");
  return new Promise((resolve) => process.on("disconnect", () => resolve(0)));
}
