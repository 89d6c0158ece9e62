/** Which cases of a campaign are kept with their complete run. */
import type { Campaign } from "./campaign.ts";
import { casesNeeded } from "./fill.ts";
import type { CaseStore } from "./store/store.ts";
import type { CampaignSummary } from "./summary.ts";

/** Numbers of the cases, in order: chosen ones first in rank, then extremes, then failed and invalid ones, up to the largest number. */
export async function casesToKeep(
  store: CaseStore,
  campaign: Campaign,
  { measures }: CampaignSummary,
): Promise<readonly number[]> {
  const { logs, cases, most } = campaign.keep;
  const chosen = new Set(cases.filter((index) => Number.isInteger(index) && index < campaign.cases));
  if (logs.includes("extremes"))
    for (const extreme of measures.flatMap((measure) => [measure.most, measure.least]))
      if (extreme.case >= 0) chosen.add(extreme.case);
  const needed = (await casesNeeded(store, campaign)) ?? campaign.cases;
  if (logs.includes("failed") || logs.includes("invalid"))
    for await (const { cases: indices, status } of store.blocks()) {
      for (const [i, own] of status.entries())
        if (chosen.size < most && indices[i]! < needed && own !== "passed" && logs.includes(own)) chosen.add(indices[i]!);
      if (chosen.size >= most) break;
    }
  return [...chosen].slice(0, most).sort((a, b) => a - b);
}
