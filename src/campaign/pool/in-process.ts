/** Runs cases one after the other in this thread. */
import type { Campaign } from "../campaign.ts";
import { InterruptedError, runCase } from "../run-case.ts";
import type { Pool } from "./pool.ts";

export function inProcessPool(campaign: Campaign, host = ""): Pool {
  const controller = new AbortController();
  return {
    slots: 1,
    async run(cases, finished) {
      for (const index of cases) {
        if (controller.signal.aborted) throw new InterruptedError("the pool is closed");
        finished(await runCase(campaign, index, { signal: controller.signal, host }));
      }
    },
    async close() {
      controller.abort();
    },
  };
}
