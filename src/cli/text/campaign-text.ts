/** The summary of a campaign as text and as JSON, and the remark of its progress. */
import { join } from "node:path";
import type { MeasureAnalysis } from "../../campaign/analysis.ts";
import type { Campaign } from "../../campaign/campaign.ts";
import type { CampaignComparison } from "../../campaign/compare.ts";
import type { FillProgress } from "../../campaign/fill.ts";
import type { CaseStore } from "../../campaign/store/store.ts";
import { type CampaignSummary, campaignVerdict, type ReasonCount } from "../../campaign/summary.ts";
import { countText, durationText, shortNumber } from "../../report/numbers.ts";
import type { Terminal, TextFormat } from "./terminal.ts";
import { formatTable } from "./text-table.ts";

/** 37 of 400 cases, 12.1 per s, 2 failed */
export function progressRemark({ done, total, own, counts }: FillProgress, seconds: number): string {
  const rate = seconds > 0 ? `, ${shortNumber(own / seconds, 3)} per s` : "";
  const bad = (["failed", "invalid"] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `, ${counts[status]} ${status}`);
  return `${done} of ${total} cases${rate}${bad.join("")}`;
}

const MAX_REASONS = 5;

export function campaignText(
  argument: string,
  campaign: Campaign,
  summary: CampaignSummary,
  { folder, kept }: { readonly folder: string; readonly kept: number },
  terminal: Pick<Terminal, "style" | "width">,
): string {
  const { style } = terminal;
  const { counts, done, cases, probability } = summary;
  const status = [
    style.good(`${counts.passed} passed`),
    counts.failed > 0 ? style.warn(`${counts.failed} failed`) : "0 failed",
    counts.invalid > 0 ? style.bad(`${counts.invalid} invalid`) : "0 invalid",
  ].join(", ");
  const interval =
    probability &&
    `  success: ${percent(probability.value)}, 95 % interval ${percent(probability.low)} to ${percent(probability.high)}`;
  return [
    style.bold(campaign.name),
    `  ${done === cases ? countText(cases, "case") : `${done} of ${cases} cases`}: ${status}; ${durationText(summary.seconds)} of work`,
    ...(interval ? [interval] : []),
    "",
    ...measureTable(campaign, summary, terminal),
    ...reasonLines("Failed", summary.failed, argument, style),
    ...reasonLines("Invalid", summary.invalid, argument, style),
    "",
    style.bold("Files"),
    `  ${join(folder, "report.html")}   open this one: distributions, sensitivities, worst cases`,
    `  ${folder}   the store: chunks/*.parquet have one row for each case`,
    ...(kept > 0 ? [`  ${folder}/runs   the complete runs of ${countText(kept, "case")}`] : []),
  ].join("\n");
}

const percent = (p: number): string => `${shortNumber(100 * p, 5)} %`;

function measureTable({ measures }: Campaign, summary: CampaignSummary, { style }: TextFormat): string[] {
  const columns = ["0.05", "0.5", "0.95", "0.99"];
  const number = (value: number): string => (Number.isFinite(value) ? shortNumber(value, 4) : "-");
  const rows = summary.measures;
  return formatTable(
    [
      { head: "measure", cells: measures.map(({ name }) => name) },
      { head: "cases", cells: rows.map(({ count }) => String(count)), align: "right" },
      { head: "least", cells: rows.map(({ least }) => number(least.value)), align: "right" },
      ...columns.map((p) => ({
        head: `${100 * Number(p)} %`,
        cells: rows.map(({ quantiles }) => number(quantiles[p]!)),
        align: "right" as const,
      })),
      { head: "most", cells: rows.map(({ most }) => number(most.value)), align: "right" },
      { head: "in case", cells: rows.map(({ most }) => (most.case < 0 ? "-" : String(most.case))), align: "right" },
      { head: "unit", cells: measures.map(({ unit }) => unit) },
    ],
    style,
  );
}

function reasonLines(title: string, reasons: readonly ReasonCount[], argument: string, style: TextFormat["style"]): string[] {
  if (reasons.length === 0) return [];
  const more = reasons.length > MAX_REASONS ? [`  and ${reasons.length - MAX_REASONS} more reasons`] : [];
  return [
    "",
    style.bold(title),
    ...reasons
      .slice(0, MAX_REASONS)
      .map(({ reason, count, case: first }) => `  ${count} × ${reason}   castor campaign ${argument} --case ${first}`),
    ...more,
  ];
}

/** Differences from another campaign with common random numbers. */
export function comparisonText(other: string, comparison: CampaignComparison, { style }: TextFormat): string {
  const { count, onlyFirst, onlySecond, chance, measures } = comparison;
  const number = (value: number): string => (Number.isFinite(value) ? shortNumber(value, 4) : "-");
  return [
    style.bold(`Compared with ${other}, case by case`),
    `  ${countText(count, "case")} valid in both; passed only there: ${onlyFirst}, only here: ${onlySecond}; by chance with probability ${shortNumber(chance, 2)}`,
    ...formatTable(
      [
        { head: "measure", cells: measures.map(({ name }) => name) },
        { head: "cases", cells: measures.map((m) => String(m.count)), align: "right" },
        { head: "mean difference", cells: measures.map(({ mean }) => number(mean)), align: "right" },
        { head: "95 % interval", cells: measures.map(({ low, high }) => `${number(low)} to ${number(high)}`), align: "right" },
        { head: "largest", cells: measures.map(({ largest }) => number(largest.value)), align: "right" },
        {
          head: "in case",
          cells: measures.map(({ largest }) => (largest.case < 0 ? "-" : String(largest.case))),
          align: "right",
        },
      ],
      style,
    ),
  ].join("\n");
}

/** The summary for other programs. NaN, which JSON lacks, becomes null. */
export function campaignJson(
  name: string,
  campaign: Campaign,
  summary: CampaignSummary,
  analysis: readonly MeasureAnalysis[],
  { folder, manifest }: CaseStore,
  comparison?: CampaignComparison,
): object {
  return {
    campaign: name,
    title: campaign.name,
    verdict: campaignVerdict(campaign, summary),
    ...summary,
    analysis,
    ...(comparison && { comparison }),
    store: folder,
    identity: manifest.identity,
  };
}
