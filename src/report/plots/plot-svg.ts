/** Plots for papers as SVG. The same plot of the same log gives the same bytes. */
import { checkList, checkMembers } from "../../arguments.ts";
import { checkLog, type Log } from "../../log/log.ts";
import { type Html, html, htmlText, trusted } from "../page/html.ts";
import { LIGHT, lineColour, MEASURED_DASH } from "../palette.ts";
import type { Plot } from "../report-data.ts";
import { denseLines } from "./plot-data.ts";
import { type DrawingSize, FILE_SIZE, FONT_SIZE, LEGEND_ROW, LEGEND_STROKE, layOutPlot, type PlotLayout } from "./plot-layout.ts";

/** PNG files are drawn with Arimo, which has the metrics of Helvetica and Arial. So SVG and PNG look alike on every machine. */
const FAMILY = "Helvetica, Arial, Arimo, Liberation Sans, sans-serif";
const INK = "#24292f";
const GRID = "#e4e7eb";
const ZERO = "#9aa3ad";
/** Distance of tick labels from the axes. */
const TICK_GAP = 9;
const STROKE = 1.75;
/** Dots of a measured curve are wider than the line below them. */
const MEASURED_STROKE = 2.5;
/** Stroke width of lines that fill their area, such as noise. */
const FINE_STROKE = 0.75;

/** One plot of a report as SVG. @throws ArgumentError if a channel is missing or has another unit than the plot. */
export function plotSvg(log: Log, plot: Plot): string {
  checkLog(log);
  checkMembers("plot", plot, ["title", "unit", "series"], "an object with title, unit and series");
  checkList("plot.series", plot.series, "lines with channel and label");
  return plotDrawing(log, plot, FILE_SIZE);
}

/** The plot in a size, px. The text has the same size in all of them. */
export function plotDrawing(log: Log, plot: Plot, size: DrawingSize): string {
  const layout = layOutPlot(log, plot, size);
  const { width, height } = size;
  return htmlText(html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FAMILY}" font-size="${FONT_SIZE}" fill="${INK}" color="${INK}" role="img">
<title>${layout.title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<g text-anchor="middle">
${axesAndLines(layout)}
</g>
<text x="14" y="20" font-weight="bold">${layout.title}</text>
<text x="${width - layout.margin.right}" y="${height - 12}" text-anchor="end">${layout.timeTitle}</text>
${layout.ends.length > 0 ? endLabelsHtml(layout) : legendHtml(layout)}
</svg>
`);
}

/** Grid, tick labels and lines. */
function axesAndLines({ time, columns, dashes, x, y, margin, size }: PlotLayout): Html {
  const [left, right, top, bottom] = [margin.left, size.width - margin.right, margin.top, size.height - margin.bottom];
  const toX = pixelScale(x.domain, [left, right], identity);
  const toY = pixelScale(y.domain, [bottom, top], y.logarithmic ? Math.log10 : identity);
  const vertical = (at: number): Html => segment([at, top], [at, bottom]);
  const horizontal = (at: number): Html => segment([left, at], [right, at]);
  const crossesZero = !y.logarithmic && y.domain[0] < 0 && y.domain[1] > 0;
  const dense = denseLines({ time, columns }, y.logarithmic);
  const across = Array.from(time, (t) => pixelText(toX(t)));
  return joined([
    html`<g stroke="${GRID}">${x.ticks.map((tick) => vertical(toX(tick)))}</g>`,
    html`<g stroke="${GRID}">${y.ticks.map((tick) => horizontal(toY(tick)))}</g>`,
    html`<g transform="translate(0,${TICK_GAP})">${x.ticks.map((tick, i) => tickLabel(toX(tick), bottom, "0.71em", x.labels[i]!))}</g>`,
    html`<g transform="translate(${-TICK_GAP},0)" text-anchor="end">${y.ticks.map((tick, i) => tickLabel(left, toY(tick), "0.32em", y.labels[i]!))}</g>`,
    ...(crossesZero ? [html`<g stroke="${ZERO}">${[horizontal(toY(0))]}</g>`] : []),
    ...columns.map((column, i) => {
      const dash = dashes[i]!.join(" ") || "none";
      return html`<path d="${pathThrough(across, column.map(toY))}" fill="none" stroke="${lineColour(LIGHT, i)}" stroke-width="${dense[i] ? FINE_STROKE : dashes[i] === MEASURED_DASH ? MEASURED_STROKE : STROKE}" stroke-linejoin="round" stroke-linecap="round" stroke-dasharray="${dash}"/>`;
    }),
  ]);
}

const joined = (parts: readonly Html[]): Html => trusted(parts.map(htmlText).join("\n"));

const identity = (value: number): number => value;

/** Maps a domain to pixels, linear in `toScale` of the values. */
function pixelScale(
  domain: readonly [number, number],
  [first, last]: readonly [number, number],
  toScale: (value: number) => number,
): (value: number) => number {
  const [low, high] = [toScale(domain[0]), toScale(domain[1])];
  return (value) => {
    const part = (toScale(value) - low) / (high - low);
    return first * (1 - part) + last * part;
  };
}

const segment = ([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): Html =>
  html`<line x1="${pixelText(x1)}" y1="${pixelText(y1)}" x2="${pixelText(x2)}" y2="${pixelText(y2)}"/>`;

const tickLabel = (x: number, y: number, dy: string, label: string): Html =>
  html`<text x="${pixelText(x)}" y="${pixelText(y)}" dy="${dy}" font-variant="tabular-nums">${label}</text>`;

/** Path through points; NaN is a gap. A single point between gaps is closed, so that the round line cap draws a dot. */
function pathThrough(x: readonly string[], y: Float64Array): string {
  let path = "";
  let length = 0;
  for (let i = 0; i <= y.length; i++) {
    if (i < y.length && !Number.isNaN(y[i])) path += `${length++ === 0 ? "M" : "L"}${x[i]!},${pixelText(y[i]!)}`;
    else {
      if (length === 1) path += "Z";
      length = 0;
    }
  }
  return path;
}

/** Line names at the right ends of the lines. */
function endLabelsHtml({ ends, labels, margin, size }: PlotLayout): Html {
  const x = size.width - margin.right;
  const hasLeaders = ends.some(({ labelY: at, lineEndY: end }) => Math.abs(at - end) > 3);
  return html`${ends.map(({ line: i, lineEndY: end, labelY: at }) => {
    const colour = lineColour(LIGHT, i);
    const leader = hasLeaders
      ? html`<path d="M${x + 2},${pixelText(end)}L${x + 9},${pixelText(at)}" stroke="${colour}" fill="none"/>`
      : html``;
    return html`${leader}<text x="${x + (hasLeaders ? 12 : 7)}" y="${pixelText(at)}" dy="0.35em" fill="${colour}">${labels[i]!}</text>`;
  })}`;
}

/** Line names in rows above the plot, each after a sample of its line. */
function legendHtml({ legend: entries, legendTop, labels, dashes, margin }: PlotLayout): Html {
  return html`${entries.map(({ line: i, x, row }) => {
    const left = margin.left + x;
    const y = legendTop + LEGEND_ROW * row + LEGEND_ROW / 2;
    const dash = dashes[i]!.join(" ") || "none";
    return html`<path d="M${pixelText(left)},${y}h${LEGEND_STROKE - 8}" stroke="${lineColour(LIGHT, i)}" stroke-width="2.25" stroke-dasharray="${dash}"/><text x="${pixelText(left + LEGEND_STROKE)}" y="${y}" dy="0.35em">${labels[i]!}</text>`;
  })}`;
}

/** Two digits after the point at most. Halves are rounded as `toFixed` rounds them, by the exact value of x. */
function pixelText(x: number): string {
  const hundredths = Math.round(100 * x);
  const isNearHalf = Math.abs(Math.abs(100 * x - hundredths) - 0.5) < 1e-6;
  return String(isNearHalf || !(Math.abs(x) < 1e6) ? Number(x.toFixed(2)) : hundredths / 100);
}
