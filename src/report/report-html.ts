/** HTML report of a run: one self-contained file that needs no network and no server. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { checkMembers } from "../arguments.ts";
import { numberText, tickLabels, unitText } from "./numbers.ts";
import { type Html, html, htmlText, jsonScript, NOTHING, trusted } from "./page/html.ts";
import { type PagePlot, pageData } from "./page/page-data.ts";
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
import type { Plot, RunReport } from "./report-data.ts";

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
  const timeUnit = unitText(log.channels[0]?.unit ?? "");
  const data = pageData(log, plots);
  const script = pageScript();
  const figures = pictures.map((picture, i) => ({ size: picture.size, figure: pictureFigure(picture, i) }));
  const largeFigures = figures.flatMap(({ size, figure }) => (size === "large" ? [figure] : []));
  const [firstFigure, ...otherFigures] = figures.flatMap(({ size, figure }) => (size === "large" ? [] : [figure]));
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sha256(script)}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Castor">
<title>${title}</title>
<style>${trusted(readAsset("uplot/dist/uPlot.min.css") + STYLE)}</style>
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
${auditRow(audit, timeUnit)}
${notesList(notes)}
${timelineTable(timeline, timeUnit)}
${limitsTable(limits, timeUnit)}
${largeFigures}
${plotsSection(plots, data.plots, log.length, links)}
<div class="columns">${factsTable(facts)}${modelTree(tree)}${otherFigures}</div>
${channelTable(log)}
</main>
<script type="application/json" id="data">${jsonScript(data)}</script>
<script>${trusted(script)}</script>
</body>
</html>
`);
}

function fileLinks(names: readonly string[]): Html {
  if (names.length === 0) return NOTHING;
  return html`<ul class="files">${names.map((name) => html`<li>${link(name, name)}</li>`)}</ul>`;
}

const link = (name: string, text: string): Html =>
  html`<a href="${name.split("/").map(encodeURIComponent).join("/")}">${text}</a>`;

function plotsSection(plots: readonly Plot[], shown: readonly PagePlot[], samples: number, links: ReportLinks): Html {
  const reset = html`<button class="plain" id="reset" type="button" hidden>Show all</button>`;
  if (plots.length === 0) return html`<div hidden>${reset}</div>`;
  const figures = plots.map((plot, i) => plotFigure(plot, i, shown[i]!.drawnSamples, samples, links.plots?.[i] ?? []));
  return html`<section><div class="head"><h2>Motion</h2><span class="muted hint">Drag to zoom, double-click to see all, click a name to hide its line.</span>${reset}</div>
<noscript><p>The plots on this page need JavaScript. The SVG and PNG files do not.</p></noscript>
<div class="plots">${figures}</div></section>`;
}

function plotFigure({ title, series }: Plot, index: number, shown: number, samples: number, files: readonly string[]): Html {
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
<div class="axis-title"></div><div class="canvas"></div><div class="legend">${names}<span class="clock"></span></div>${thinningNote}</figure>`;
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
  return `\n"use strict";\n(${startPage})(JSON.parse(document.getElementById("data").textContent), ${tools});\n`;
}

const readAsset = (name: string): string => readFileSync(createRequire(import.meta.url).resolve(name), "utf8");

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64");
