/** The report of a campaign: one HTML file that loads nothing and runs no script. */
import { countText, durationText, numberText, shortNumber, unitText } from "../../report/numbers.ts";
import { type Html, html, htmlText, NOTHING, trusted } from "../../report/page/html.ts";
import { STYLE } from "../../report/page/style.ts";
import { type CaseColumns, type MeasureAnalysis, TOLERANCE } from "../analysis.ts";
import type { Campaign } from "../campaign.ts";
import type { HistoryEnvelope } from "../histories/envelope.ts";
import type { CaseStatus } from "../run-case.ts";
import type { CampaignSummary, ReasonCount } from "../summary.ts";
import { envelopeChart, histogram, type ScatterPoint, scatter, tornado } from "./charts.ts";

/** Commands of cases without `--case K`; undefined if there is none. */
export interface CaseCommands {
  /** Writes the complete run of a case, e.g. castor campaign mine.yaml --seed 2. */
  readonly run?: string | undefined;
  /** Opens the report, and a case, in the studio, e.g. castor studio out/mine. */
  readonly studio?: string | undefined;
}

export interface CampaignPageData {
  readonly campaign: Campaign;
  readonly summary: CampaignSummary;
  readonly verdict: CaseStatus;
  readonly analysis: readonly MeasureAnalysis[];
  readonly columns: CaseColumns;
  readonly envelopes: readonly HistoryEnvelope[];
  readonly commands: CaseCommands;
  /** Address of the run of a case, relative to the page; undefined if there is none. */
  linkOf(index: number): string | undefined;
}

const PAGE_STYLE = `
.campaign svg { display: block; width: 100%; height: auto; }
.campaign table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.campaign th, .campaign td { padding: 5px 12px 5px 0; text-align: right; border-bottom: 1px solid var(--edge); white-space: nowrap; }
.campaign th { font-weight: 600; color: var(--muted); }
.campaign th:first-child, .campaign td:first-child, .campaign td.text, .campaign th.text { text-align: left; white-space: normal; }
.campaign code { font-size: 13px; overflow-wrap: anywhere; white-space: normal; }
.campaign .wide { overflow-x: auto; }
.charts { display: grid; gap: 16px 24px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); }
.campaign .muted + .charts { margin-top: 14px; }
.charts h3 { font-size: 14px; color: var(--muted); font-weight: 600; margin-bottom: 4px; }
`;

export function campaignHtml(data: CampaignPageData): string {
  const { campaign, summary, verdict, analysis } = data;
  const { counts, done, cases, probability } = summary;
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Castor">
<title>${campaign.name}</title>
<style>${trusted(STYLE + PAGE_STYLE)}</style>
</head>
<body>
<main class="campaign">
<header class="hero"><div>
<div class="above"><span class="pill ${PILL[verdict]}">${verdict}</span><span class="muted">campaign, ${campaign.design.kind}, seed ${campaign.seed}</span></div>
<h1>${campaign.name}</h1>
<p class="summary">${campaign.about}</p>
<p class="summary">${done === cases ? countText(cases, "case") : `${done} of ${cases} cases`}: ${counts.passed} passed, ${counts.failed} failed, ${counts.invalid} invalid. ${durationText(summary.seconds)} of work.${probability ? ` Probability of success ${percent(probability.value)}, 95 % interval ${percent(probability.low)} to ${percent(probability.high)}.` : ""}</p>
${criteria(campaign)}
</div></header>
${measureTable(summary, analysis)}
${reasons("Failed cases", summary.failed, data)}
${reasons("Invalid cases", summary.invalid, data)}
${envelopeSection(data)}
${analysis.map((measure) => measureSection(measure, data))}
${worstCases(data)}
</main>
</body>
</html>
`);
}

const PILL: Readonly<Record<CaseStatus, string>> = { passed: "good", failed: "warn", invalid: "bad" };
const percent = (p: number): string => `${shortNumber(100 * p, 4)}\u00a0%`;
const number = (value: number | undefined): string => (value === undefined || Number.isNaN(value) ? "–" : numberText(value, 4));

const criteria = ({ success, require }: Campaign): Html =>
  success.length === 0
    ? NOTHING
    : html`<p class="muted">Success: ${success.map(({ text }) => text).join(" and ")}.${require ? ` Required probability: ${require.probability}.` : ""}</p>`;

function measureTable({ measures }: CampaignSummary, analysis: readonly MeasureAnalysis[]): Html {
  const hasBounds = analysis.some(({ upper }) => upper !== undefined);
  const head = ["measure", "unit", "cases", "mean", "deviation", "least", "5 %", "median", "95 %", "99 %", "most"];
  if (hasBounds) head.push("bound");
  return html`<section class="card"><h2>Measures</h2><div class="wide"><table><thead><tr>${head.map((text) => html`<th>${text}</th>`)}</tr></thead><tbody>
${measures.map(({ name, unit, count, mean, deviation, least, most, quantiles }, i) => {
  const cells = [
    mean,
    deviation,
    least.value,
    quantiles["0.05"],
    quantiles["0.5"],
    quantiles["0.95"],
    quantiles["0.99"],
    most.value,
    ...(hasBounds ? [analysis[i]!.upper] : []),
  ];
  return html`<tr><td>${name}</td><td>${unitText(unit)}</td><td>${count}</td>${cells.map((value) => html`<td>${number(value)}</td>`)}</tr>
`;
})}</tbody></table></div>
${hasBounds ? html`<p class="muted">bound: ${100 * TOLERANCE.content} % of all cases are below it, with a confidence of ${100 * TOLERANCE.confidence} %.</p>` : NOTHING}</section>`;
}

const MAX_REASONS = 20;

/** Cells of a table with a command of a case; none without the command. */
const commandCell = (command: string | undefined, index: number): Html =>
  command === undefined ? NOTHING : html`<td class="text"><code>${command} --case ${index}</code></td>`;

function reasons(title: string, list: readonly ReasonCount[], data: CampaignPageData): Html {
  if (list.length === 0) return NOTHING;
  return html`<section class="card"><h2>${title}</h2><div class="wide"><table><thead><tr><th>reason</th><th>cases</th><th>first</th><th></th></tr></thead><tbody>
${list.slice(0, MAX_REASONS).map(
  ({ reason, count, case: first }) =>
    html`<tr><td>${reason}</td><td>${count}</td><td>${first}</td>${commandCell(data.commands.run ?? data.commands.studio, first)}</tr>
`,
)}</tbody></table></div></section>`;
}

function measureSection(
  { name, unit, sensitivities, sobol }: MeasureAnalysis,
  { campaign, columns, linkOf }: CampaignPageData,
): Html {
  const values = columns.columns.get(name)!;
  const sorted = values.filter((v) => !Number.isNaN(v)).sort();
  const strongest = sensitivities.filter(({ value }) => Number.isFinite(value)).slice(0, 2);
  const inputs = strongest.map(({ input }) => campaign.inputs.find((column) => column.name === input)!);
  const points = (from: Float64Array): ScatterPoint[] =>
    Array.from(values.keys()).flatMap((i) => {
      if (Number.isNaN(values[i]!)) return [];
      const index = columns.cases[i]!;
      const link = linkOf(index);
      return [
        { x: from[i]!, y: values[i]!, case: index, isPassed: columns.passed[i] === 1, ...(link !== undefined && { link }) },
      ];
    });
  return html`<section class="card"><h2>${name}</h2><div class="charts">
<div><h3>Distribution${sorted.length < values.length ? ` of ${sorted.length} cases; ${values.length - sorted.length} have no value` : ""}</h3>${histogram(name, unit, sorted)}</div>
<div><h3>Rank correlation with the inputs</h3>${tornado(
    `rank correlations of ${name}`,
    sensitivities.slice(0, 12).map(({ input: label, ...bar }) => ({ name: label, ...bar })),
  )}</div>
${inputs.map((input) => html`<div><h3>Against ${input.name}; failed cases in the second colour</h3>${scatter(input, { name, unit }, points(columns.columns.get(input.name)!))}</div>`)}
${
  sobol
    ? html`<div><h3>Sobol indices: first order</h3>${tornado(
        `first-order indices of ${name}`,
        sobol.map((index) => ({ name: index.name, ...index.first })),
      )}</div>
<div><h3>Sobol indices: total</h3>${tornado(
        `total indices of ${name}`,
        sobol.map((index) => ({ name: index.name, ...index.total })),
      )}</div>`
    : NOTHING
}
</div></section>`;
}

function envelopeSection({ envelopes, linkOf, summary }: CampaignPageData): Html {
  if (envelopes.length === 0) return NOTHING;
  const hasFailed = envelopes.some(({ failed }) => failed.length > 0);
  return html`<section class="card"><h2>Histories</h2>
<p class="muted">Line: median. Dark band: 5 % to 95 % of the ${countText(envelopes[0]!.cases, "valid case")}, light band: all of them.${hasFailed ? ` Thin lines in the second colour: ${summary.counts.failed > envelopes[0]!.failed.length ? `the first ${envelopes[0]!.failed.length} of ${summary.counts.failed}` : "the"} failed cases.` : ""}</p>
<div class="charts">
${envelopes.map((envelope) => html`<div><h3>${envelope.name}</h3>${envelopeChart(envelope, linkOf)}</div>`)}
</div></section>`;
}

function worstCases(data: CampaignPageData): Html {
  const { analysis, commands, linkOf } = data;
  const rows = analysis.flatMap(({ name, unit, largest }) =>
    largest.slice(0, 3).map(({ case: index, value, status }) => {
      const link = linkOf(index);
      const shown = link === undefined ? html`${index}` : html`<a href="${link}">${index}</a>`;
      return html`<tr><td>${name}</td><td>${number(value)} ${unitText(unit)}</td><td>${shown}</td><td>${status}</td>${commandCell(commands.run, index)}${commandCell(commands.studio, index)}</tr>
`;
    }),
  );
  return html`<section class="card"><h2>Largest values</h2><div class="wide"><table><thead><tr><th>measure</th><th>value</th><th>case</th><th>status</th>${commands.run === undefined ? NOTHING : html`<th class="text">writes its complete run</th>`}${commands.studio === undefined ? NOTHING : html`<th class="text">opens it in the studio</th>`}</tr></thead><tbody>
${rows}</tbody></table></div>
<p class="muted">Each computes the same bits as the campaign.${commands.studio === undefined ? NOTHING : html` <code>${commands.studio}</code> shows this report with every dot as a link to its case.`}</p></section>`;
}
