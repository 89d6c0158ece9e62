/** Runs cases in this thread. */
import type { Campaign } from "../campaign.ts";
import { CaseRunner } from "../case-runner.ts";
import type { Pool } from "./pool.ts";

export function inProcessPool(campaign: Campaign, host = ""): Pool {
  const runner = new CaseRunner(campaign);
  const controller = new AbortController();
  return {
    slots: 1,
    run: (cases, finished) => runner.run(cases, (row) => void finished(row), { signal: controller.signal, host }),
    async close() {
      controller.abort();
    },
  };
}
