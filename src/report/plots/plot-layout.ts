/** Layout of plots for papers, in pixels. */
import type { Log } from "../../log/log.ts";
import { powerOfTen, type TickLabels, tickLabels, unitText } from "../numbers.ts";
import { xmlSafeText } from "../page/html.ts";
import { seriesDash } from "../palette.ts";
import type { Plot } from "../report-data.ts";
import { type AxisScale, decadeScale, extentOf, ticksBetween, valueScale } from "./axis-scale.ts";
import { type EndLabel, endLabels, type LegendEntry, legendRows, textWidth } from "./line-labels.ts";
import { type PlotData, plotData } from "./plot-data.ts";

export interface DrawingSize {
  readonly width: number;
  readonly height: number;
}

export const FILE_SIZE: DrawingSize = { width: 680, height: 380 };
/** Two plots beside each other on paper: their text is as large as that of the page. */
export const PAPER_SIZE: DrawingSize = { width: 420, height: 260 };
export const FONT_SIZE = 13;
/** Number of samples to draw per pixel: with a few in each column, the drawing does not differ from that of all samples. */
const SAMPLES_PER_PIXEL = 4;
const MAX_END_LABELS = 6;
/** Height of the title above the plot, and of tick labels and axis title below it. */
const TITLE = 42;
const FOOT = 50;
export const LEGEND_ROW = 20;
/** Width of the line sample before a name in the legend, with the gap after it. */
export const LEGEND_STROKE = 30;

export interface PlotLayout extends PlotData {
  readonly size: DrawingSize;
  readonly labels: readonly string[];
  /** Dash pattern of each line. */
  readonly dashes: readonly (readonly number[])[];
  readonly title: string;
  readonly timeTitle: string;
  readonly x: AxisScale & { readonly labels: readonly string[] };
  readonly y: AxisScale & { readonly labels: readonly string[]; readonly logarithmic: boolean };
  readonly margin: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** Names at the ends of the lines (`ends`), or in rows under the title (`legend`). Both are empty for a single line. */
  readonly ends: readonly EndLabel[];
  readonly legend: readonly LegendEntry[];
  /** Top of the first row of the legend. */
  readonly legendTop: number;
}

/** @throws ArgumentError if a channel is missing or has another unit than the plot. */
export function layOutPlot(log: Log, plot: Plot, size: DrawingSize): PlotLayout {
  const { width, height } = size;
  const data = plotData(log, plot, SAMPLES_PER_PIXEL * width);
  const logarithmic = plot.scale === "log";
  const y = logarithmic ? decadeScale(data.columns, 7) : valueScale(data.columns, height < 300 ? 4 : 6);
  const yTicks = logarithmic ? decadeLabels(y.ticks) : tickLabels(y.ticks);
  const x = timeScale(data.time, width < 500 ? 5 : 8);
  const time = log.channels[0]!;
  const xTicks = tickLabels(x.ticks);

  const labels = plot.series.map(({ label }) => xmlSafeText(label));
  const labelWidths = labels.map((label) => FONT_SIZE * textWidth(label));
  const left = 22 + FONT_SIZE * Math.max(...yTicks.labels.map(textWidth), 1);
  const bottom = height - FOOT;
  const ends = lineEndHeights(data, y, logarithmic, bottom);
  const fitAtLineEnds = labels.length > 1 && labels.length <= MAX_END_LABELS && Math.max(...labelWidths) < width / 4;
  const endLabelling = fitAtLineEnds ? endLabels(ends, FONT_SIZE + 3, TITLE, bottom) : undefined;
  const hasLegend = labels.length > 1 && endLabelling === undefined;
  const legend = hasLegend
    ? legendRows(
        labelWidths.map((labelWidth) => LEGEND_STROKE + labelWidth),
        width - left - 16,
        20,
      )
    : [];
  return {
    ...data,
    size,
    labels,
    dashes: plot.series.map(seriesDash),
    title: titleWithUnit(xmlSafeText(plot.title), plot.unit, yTicks),
    timeTitle: titleWithUnit(time.name === "t" ? "time" : xmlSafeText(time.name), time.unit, xTicks),
    x: { ...x, labels: xTicks.labels },
    y: { ...y, labels: yTicks.labels, logarithmic },
    margin: {
      left,
      right: endLabelling ? 24 + Math.max(...labelWidths) : 20,
      top: TITLE + (hasLegend ? 2 + LEGEND_ROW * (legend.at(-1)!.row + 1) : 0),
      bottom: FOOT,
    },
    ends: endLabelling ?? [],
    legend,
    legendTop: TITLE - 10,
  };
}

const decadeLabels = (ticks: readonly number[]): TickLabels => ({
  labels: ticks.map((tick) => powerOfTen(Math.round(Math.log10(tick)))),
  offset: "",
  power: 0,
});

/** Title of an axis with its unit, and the offset and power of ten that its labels leave out: Energy (75.2557 + … 10⁻¹⁰ J). */
function titleWithUnit(name: string, unit: string, { offset, power }: TickLabels): string {
  const parts = [offset && `${offset} + …`, power === 0 ? "" : powerOfTen(power), unitText(unit)].filter((part) => part !== "");
  return parts.length === 0 ? name : `${name} (${parts.join(" ")})`;
}

function timeScale(time: Float64Array, ticks: number): AxisScale {
  const [first, last] = extentOf([time]) ?? [0, 1];
  const domain = [first, last > first ? last : first + 1] as const;
  return { domain, ticks: ticksBetween(...domain, ticks) };
}

/** Heights of the line ends, in pixels from the top, for a plot without a legend above it. */
function lineEndHeights({ columns }: PlotData, { domain }: AxisScale, logarithmic: boolean, bottom: number): number[] {
  const toScale = logarithmic ? Math.log10 : (v: number): number => v;
  const [low, high] = [toScale(domain[0]), toScale(domain[1])];
  return columns.map((column) => {
    const last = column.findLast((v) => !Number.isNaN(v)) ?? domain[0];
    return bottom - ((toScale(last) - low) / (high - low)) * (bottom - TITLE);
  });
}
