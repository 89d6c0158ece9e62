/** HTML report of a run: one self-contained file that needs no network and no server. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { checkMembers } from "../arguments.ts";
import { numberText, tickLabels, unitText } from "./numbers.ts";
import { type Html, html, htmlText, jsonScript, NOTHING, trusted, xmlSafeText } from "./page/html.ts";
import { type PageData, pageData } from "./page/page-data.ts";
import { addThemeSwitch, addTouchZoom, chartOptions, drawChart, startPage, unpackColumn } from "./page/page-script.ts";
import {
  auditRow,
  channelTable,
  factsTable,
  limitsTable,
  modelTree,
  notesList,
  pictureFigure,
  timelineTable,
  verdictPills,
} from "./page/sections.ts";
import { STYLE } from "./page/style.ts";
import { LIGHT, seriesDash } from "./palette.ts";
import { safePicture } from "./pictures/safe-picture.ts";
import { PAPER_SIZE } from "./plots/plot-layout.ts";
import { plotDrawing } from "./plots/plot-svg.ts";
import type { ReplayData } from "./replay/replay-format.ts";
import { castorViewScript } from "./replay/replay-page.ts";
import type { Plot, Provenance, RunReport } from "./report-data.ts";

/** Names of files linked from the page, relative to it. */
export interface ReportLinks {
  readonly logs?: readonly string[];
  /** Files of each plot, in the order of the plots. */
  readonly plots?: readonly (readonly string[])[];
}

/** @throws ArgumentError if `report` is not the report of a run */
export const checkReport = (report: unknown): void =>
  checkMembers("report", report, ["title", "plots", "log"], "a report, as buildRunReport returns it");

/** The whole page. @throws ArgumentError if a channel of a plot is missing in the log or has another unit. */
export function reportHtml(report: RunReport, links: ReportLinks = {}): string {
  checkReport(report);
  const { title, summary, scenario, outcome, facts, audit, timeline, limits = [], plots, log, tree, notes, pictures } = report;
  const { replay, provenance } = report;
  const timeUnit = unitText(log.channels[0]?.unit ?? "");
  const data = pageData(log, plots);
  const script = pageScript();
  const figures = pictures.map((picture, i) => ({ size: picture.size, figure: pictureFigure(picture, i) }));
  const largeFigures = figures.flatMap(({ size, figure }) => (size === "large" ? [figure] : []));
  const smallFigures = figures.flatMap(({ size, figure }) => (size === "large" ? [] : [figure]));
  const [firstFigure, ...otherFigures] = replay === undefined ? smallFigures : [replayFigure(replay), ...smallFigures.slice(1)];
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sha256(script)}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Castor">
<title>${title}</title>
<style>${trusted(readAsset("uplot/dist/uPlot.min.css") + STYLE + runningHeads(title, provenance))}</style>
</head>
<body>
<main>
<header class="hero ${firstFigure === undefined ? "" : "with-picture"}">
<div>
<div class="above">${verdictPills(outcome, audit)}<span class="muted">${scenario}</span><button class="plain" id="theme" type="button">Light / dark</button></div>
<h1>${title}</h1>
<p class="summary">${summary}</p>
${fileLinks(links.logs ?? [])}
</div>
${firstFigure ?? NOTHING}
</header>
${provenanceSection(provenance)}
${auditRow(audit, timeUnit)}
${notesList(notes)}
${timelineTable(timeline, timeUnit)}
${limitsTable(limits, timeUnit)}
${largeFigures}
${plotsSection(report, data, links)}
<div class="columns">${factsTable(facts)}${modelTree(tree)}${otherFigures}</div>
${channelTable(log)}
</main>
<script type="application/json" id="data">${jsonScript(data)}</script>
<script>${trusted(script)}</script>
</body>
</html>
`);
}

/** CSS of the head and foot of each printed page. */
function runningHeads(title: string, provenance: Provenance | undefined): string {
  const origin = provenance === undefined ? "Castor" : `Castor ${provenance.version} · ${dateText(provenance.date)}`;
  return `@page { @top-left { content: ${cssString(title)}; } @top-right { content: ${cssString(origin)}; } }\n`;
}

/** Any text as a CSS string. Characters that could end it or the element are escaped. */
const cssString = (text: string): string =>
  `"${xmlSafeText(text).replace(/["\\<>&\n\r\f]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `)}"`;

const dateText = (date: string): string => date.replace("T", " ").replace(/(:\d\d)(\.\d+)?Z$/, " UTC");

function fileLinks(names: readonly string[]): Html {
  if (names.length === 0) return NOTHING;
  return html`<ul class="files">${names.map((name) => html`<li>${link(name, name)}</li>`)}</ul>`;
}

const link = (name: string, text: string): Html =>
  html`<a href="${name.split("/").map(encodeURIComponent).join("/")}">${text}</a>`;

function replayFigure(replay: ReplayData): Html {
  return html`<figure class="card picture replay"><castor-view><script type="application/json">${jsonScript(replay)}</script></castor-view></figure>`;
}

function provenanceSection(provenance: Provenance | undefined): Html {
  if (provenance === undefined) return NOTHING;
  const { date, version, command, scenarioHash, link: address } = provenance;
  const open =
    address === undefined
      ? NOTHING
      : html`<div class="link"><dt>studio</dt><dd><a href="${address}">open this run</a> <span class="muted">(while <code>castor studio</code> runs)</span></dd></div>`;
  return html`<dl class="provenance"><div><dt>date</dt><dd>${dateText(date)}</dd></div><div><dt>version</dt><dd>Castor ${version}</dd></div><div><dt>command</dt><dd><code>${command}</code></dd></div><div><dt>scenario</dt><dd><code title="SHA-256 of the scenario with its model: ${scenarioHash}">sha256 ${scenarioHash.slice(0, 16)}…</code></dd></div>${open}</dl>`;
}

/** Largest size of the drawings for print, characters. */
const MAX_PRINTED = 500_000;

function plotsSection({ plots, log }: RunReport, data: PageData, links: ReportLinks): Html {
  const reset = html`<button class="plain" id="reset" type="button" hidden>Show all</button>`;
  if (plots.length === 0) return html`<div hidden>${reset}</div>`;
  // Paper gets vector drawings, unless they would make the page too large.
  const drawings = plots.map((plot) => plotDrawing(log, plot, PAPER_SIZE));
  const isPrinted = drawings.reduce((sum, { length }) => sum + length, 0) <= MAX_PRINTED;
  const figures = plots.map((plot, i) =>
    plotFigure(plot, i, {
      ...{ shown: data.plots[i]!.drawnSamples, samples: log.length, files: links.plots?.[i] ?? [], timeUnit: data.timeUnit },
      printed: isPrinted ? safePicture(drawings[i]!, `print-${i}-`) : NOTHING,
    }),
  );
  return html`<section><div class="head"><h2>Motion</h2><span class="muted hint">Drag to zoom, double-click to see all, click a name to hide its line.</span>${reset}</div>
<noscript><p>The plots on this page need JavaScript. The SVG files do not.</p></noscript>
<div class="plots ${isPrinted ? "with-drawings" : ""}">${figures}</div></section>`;
}

interface PlotFigureOptions {
  readonly shown: number;
  readonly samples: number;
  readonly files: readonly string[];
  readonly timeUnit: string;
  /** Drawing for print. */
  readonly printed: Html;
}

function plotFigure(
  { title, series }: Plot,
  index: number,
  { shown, samples, files, timeUnit, printed }: PlotFigureOptions,
): Html {
  const names = series.map((line, i) => {
    const { label, channel } = line;
    const swatch = html`<svg viewBox="0 0 20 10" aria-hidden="true"><path class="line-${i % LIGHT.lines.length}" d="M0 5H20" stroke-width="2.5" stroke-dasharray="${seriesDash(line, i).join(" ") || "none"}"/></svg>`;
    return html`<button type="button" aria-pressed="true" title="${channel}">${swatch}<span class="label">${label}</span><span class="value"></span></button>`;
  });
  const nav = files.map((file) => link(file, file.slice(file.lastIndexOf(".") + 1).toUpperCase()));
  const thinningNote =
    shown < samples
      ? html`<p class="thinned">Drawn from ${shown} of ${samples} samples, with all extreme values. The log files contain all samples.</p>`
      : NOTHING;
  return html`<figure class="card plot" id="plot-${index}"><header><h3>${title}</h3><nav>${nav}</nav></header>
<div class="axis-title"></div><div class="canvas"></div><div class="time-title">time, ${timeUnit}</div><div class="legend">${names}<span class="clock"></span></div>${thinningNote}<div class="printed">${printed}</div></figure>`;
}

/**
 * Script of the page: the plotting library and the functions of page-script.ts as text. The content security policy of the page allows
 * this script and no other. The library reads `navigator.language` and fails if it is not a valid locale, e.g. "en-US@posix", so it gets "en".
 */
function pageScript(): string {
  const library = `(function (navigator) {\n${readAsset("uplot/dist/uPlot.iife.min.js")}\nreturn uPlot;\n})({ language: "en" })`;
  const functions = { tickLabels, numberText, unpackColumn, chartOptions, drawChart, addTouchZoom, addThemeSwitch };
  const texts = Object.entries(functions).map(([name, source]) => `${name}: ${source}`);
  const tools = `{ Chart: ${library}, ${texts.join(", ")} }`;
  return `\n${castorViewScript()}(${startPage})(JSON.parse(document.getElementById("data").textContent), ${tools});\n`;
}

const readAsset = (name: string): string => readFileSync(createRequire(import.meta.url).resolve(name), "utf8");

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64");
