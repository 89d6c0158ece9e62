/** Writes the report of a campaign into its store. For Node only. */
import { join } from "node:path";
import { analyseMeasures, type MeasureAnalysis, readColumns } from "../analysis.ts";
import type { Campaign } from "../campaign.ts";
import { readEnvelopes } from "../histories/envelope.ts";
import { writeDurably } from "../store/atomic-file.ts";
import type { CaseStore } from "../store/store.ts";
import { isSelfContained } from "../stored-campaign.ts";
import { type CampaignSummary, campaignVerdict } from "../summary.ts";
import { campaignHtml } from "./campaign-page.ts";

/** A word of a command line, in quotation marks if a shell would divide or change it. */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** File of the report in the folder of the store. */
export const REPORT_FILE = "report.html";

export interface CampaignReportOptions {
  /** Argument of `castor campaign` with its changes of the campaign, for the commands in the report. */
  readonly argument: string;
  /** Argument of `castor studio` that opens the report and its cases. Default: the store, if it alone is enough. */
  readonly studio?: string | undefined;
  /** Cases with a complete run. */
  readonly kept: readonly number[];
}

/** Analyses the cases and writes the report. @throws WriteError */
export async function writeCampaignReport(
  store: CaseStore,
  campaign: Campaign,
  summary: CampaignSummary,
  { argument, kept, studio = isSelfContained(store) ? shellWord(store.folder) : undefined }: CampaignReportOptions,
): Promise<readonly MeasureAnalysis[]> {
  const columns = await readColumns(store, campaign);
  const analysis = analyseMeasures(campaign, columns);
  const verdict = campaignVerdict(campaign, summary);
  const envelopes = await readEnvelopes(store, campaign);
  const keptCases = new Set(kept);
  const linkOf = (index: number): string | undefined => (keptCases.has(index) ? `runs/case-${index}/report.html` : undefined);
  writeDurably(
    join(store.folder, REPORT_FILE),
    campaignHtml({
      ...{ campaign, summary, verdict, analysis, columns, envelopes, linkOf },
      commands: { run: `castor campaign ${argument}`, studio: studio && `castor studio ${studio}` },
    }),
  );
  return analysis;
}
