/** Plots for papers as SVG. The same plot of the same log gives the same bytes. */
import { axisX, axisY, gridX, gridY, line, plot as observablePlot, ruleY } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { Log } from "../../log/log.ts";
import { type Html, html, htmlText, trusted } from "../page/html.ts";
import { LIGHT, lineColour, lineDash } from "../palette.ts";
import type { Plot } from "../report-data.ts";
import { denseLines } from "./plot-data.ts";
import { FONT_SIZE, HEIGHT, LEGEND_ROW, LEGEND_STROKE, layOutPlot, type PlotLayout, WIDTH } from "./plot-layout.ts";

/** PNG files are drawn with Arimo, which has the metrics of Helvetica and Arial. So SVG and PNG look alike on every machine. */
const FAMILY = "Helvetica, Arial, Arimo, Liberation Sans, sans-serif";
const INK = "#24292f";
const GRID = "#e4e7eb";
const ZERO = "#9aa3ad";
const STROKE = 1.75;
/** Stroke width of lines that fill their area, such as noise. */
const FINE_STROKE = 0.75;

/** One plot of a report as SVG. @throws ArgumentError if a channel is missing or has another unit than the plot. */
export function plotSvg(log: Log, plot: Plot): string {
  const layout = layOutPlot(log, plot);
  return htmlText(html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FAMILY}" font-size="${FONT_SIZE}" fill="${INK}" color="${INK}" role="img">
<title>${layout.title}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<g text-anchor="middle">
${axesAndLines(layout)}
</g>
<text x="14" y="20" font-weight="bold">${layout.title}</text>
<text x="${WIDTH - layout.margin.right}" y="${HEIGHT - 12}" text-anchor="end">${layout.timeTitle}</text>
${layout.ends.length > 0 ? endLabelsHtml(layout) : legendHtml(layout)}
</svg>
`);
}

/** Grid, ticks and lines, drawn by Observable Plot. */
function axesAndLines({ time, columns, x, y, margin }: PlotLayout): Html {
  const dense = denseLines({ time, columns }, y.logarithmic);
  const crossesZero = !y.logarithmic && y.domain[0] < 0 && y.domain[1] > 0;
  const svg = observablePlot({
    document: parseHTML("<!doctype html><html><body></body></html>").document,
    width: WIDTH,
    height: HEIGHT,
    marginLeft: margin.left,
    marginRight: margin.right,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    x: { domain: [...x.domain] },
    y: { domain: [...y.domain], type: y.logarithmic ? "log" : "linear" },
    marks: [
      gridX(x.ticks, { stroke: GRID, strokeOpacity: 1 }),
      gridY(y.ticks, { stroke: GRID, strokeOpacity: 1 }),
      axisX(x.ticks, { text: [...x.labels], fontSize: FONT_SIZE, label: null, tickSize: 0, tickPadding: 9 }),
      axisY(y.ticks, { text: [...y.labels], fontSize: FONT_SIZE, label: null, tickSize: 0, tickPadding: 9 }),
      ...(crossesZero ? [ruleY([0], { stroke: ZERO })] : []),
      ...columns.map((column, i) =>
        line(column, {
          x: time,
          y: column,
          stroke: lineColour(LIGHT, i),
          strokeWidth: dense[i] ? FINE_STROKE : STROKE,
          strokeLinejoin: "round",
          strokeDasharray: lineDash(LIGHT, i).join(" ") || "none",
        }),
      ),
    ],
  });
  return trusted(
    [...svg.children]
      .filter(({ localName }) => localName !== "style") // it is for HTML pages; many SVG programs do not support its selectors
      .map(roundedMarkup)
      .join("\n"),
  );
}

/** The markup with numbers in attributes rounded to two decimals of a pixel; texts are unchanged. */
function roundedMarkup(element: Element): string {
  for (const part of [element, ...element.querySelectorAll("*")])
    for (const { name, value } of [...part.attributes])
      part.setAttribute(
        name,
        value.replace(/-?\d+\.\d{3,}/g, (digits) => String(Number(Number(digits).toFixed(2)))),
      );
  return element.outerHTML;
}

/** Line names at the right ends of the lines. */
function endLabelsHtml({ ends, labels, margin }: PlotLayout): Html {
  const x = WIDTH - margin.right;
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
function legendHtml({ legend: entries, legendTop, labels, margin }: PlotLayout): Html {
  return html`${entries.map(({ line: i, x, row }) => {
    const left = margin.left + x;
    const y = legendTop + LEGEND_ROW * row + LEGEND_ROW / 2;
    const dash = lineDash(LIGHT, i).join(" ") || "none";
    return html`<path d="M${pixelText(left)},${y}h${LEGEND_STROKE - 8}" stroke="${lineColour(LIGHT, i)}" stroke-width="2.25" stroke-dasharray="${dash}"/><text x="${pixelText(left + LEGEND_STROKE)}" y="${y}" dy="0.35em">${labels[i]!}</text>`;
  })}`;
}

const pixelText = (x: number): string => String(Number(x.toFixed(2)));
