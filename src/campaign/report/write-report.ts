/** Writes the report of a campaign into its store. For Node only. */
import { join } from "node:path";
import { analyseMeasures, type MeasureAnalysis, readColumns } from "../analysis.ts";
import type { Campaign } from "../campaign.ts";
import { writeDurably } from "../store/atomic-file.ts";
import type { CaseStore } from "../store/store.ts";
import { type CampaignSummary, campaignVerdict } from "../summary.ts";
import { campaignHtml } from "./campaign-page.ts";

/** File of the report in the folder of the store. */
export const REPORT_FILE = "report.html";

/**
 * Analyses the cases and writes the report. @param argument of `castor campaign`, for commands in the report @param kept cases with a complete run
 * @throws WriteError
 */
export async function writeCampaignReport(
  store: CaseStore,
  campaign: Campaign,
  summary: CampaignSummary,
  { argument, kept }: { readonly argument: string; readonly kept: readonly number[] },
): Promise<readonly MeasureAnalysis[]> {
  const columns = await readColumns(store, campaign);
  const analysis = analyseMeasures(campaign, columns);
  const verdict = campaignVerdict(campaign, summary);
  const keptCases = new Set(kept);
  const linkOf = (index: number): string | undefined => (keptCases.has(index) ? `runs/case-${index}/report.html` : undefined);
  writeDurably(
    join(store.folder, REPORT_FILE),
    campaignHtml({ campaign, summary, verdict, analysis, columns, argument, linkOf }),
  );
  return analysis;
}
