/** Where everything on a plot for papers goes, in pixels. */
import type { Log } from "../../log/log.ts";
import { powerOfTen, type TickLabels, tickLabels, unitText } from "../numbers.ts";
import { plainText } from "../page/html.ts";
import type { Plot } from "../report-data.ts";
import { type EndLabel, endLabels, type LegendEntry, legendRows, widthOf } from "./labels.ts";
import { type PlotData, plotData } from "./plot-data.ts";
import { decadeScale, extentOf, type Scale, ticksBetween, valueScale } from "./scale.ts";

export const WIDTH = 680;
export const HEIGHT = 380;
export const FONT = 13;
/** With a few samples per pixel column, the picture is that of all samples. */
const POINTS = 4 * WIDTH;
const MOST_END_LABELS = 6;
/** Room for the title above the plot, for tick labels and the title of the time axis below. */
const TITLE = 42;
const FOOT = 50;
export const LEGEND_ROW = 20;
/** The stroke in front of a name in the legend, with its gap. */
export const LEGEND_STROKE = 30;

export interface PlotLayout extends PlotData {
  readonly labels: readonly string[];
  readonly title: string;
  readonly timeTitle: string;
  readonly x: Scale & { readonly labels: readonly string[] };
  readonly y: Scale & { readonly labels: readonly string[]; readonly logarithmic: boolean };
  readonly margin: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** Names at the ends of the lines, or else names in rows under the title; neither for a single line. */
  readonly ends: readonly EndLabel[];
  readonly legend: readonly LegendEntry[];
  /** The middle of the first row of the legend. */
  readonly legendTop: number;
}

/** @throws RangeError if a channel is missing or has another unit than the plot. */
export function layOut(log: Log, plot: Plot): PlotLayout {
  const data = plotData(log, plot, POINTS);
  const logarithmic = plot.scale === "log";
  const y = logarithmic ? decadeScale(data.columns, 7) : valueScale(data.columns, 6);
  const yTicks = logarithmic ? decadeLabels(y.ticks) : tickLabels(y.ticks);
  const x = timeScale(data.time);
  const time = log.channels[0]!;
  const xTicks = tickLabels(x.ticks);

  const labels = plot.series.map(({ label }) => plainText(label));
  const widths = labels.map((label) => FONT * widthOf(label));
  const left = 22 + FONT * Math.max(...yTicks.labels.map(widthOf), 1);
  const bottom = HEIGHT - FOOT;
  const ends = endsOf(data, y, logarithmic, bottom);
  const direct = labels.length > 1 && labels.length <= MOST_END_LABELS && Math.max(...widths) < WIDTH / 4;
  const endLabelling = direct ? endLabels(ends, FONT + 3, TITLE, bottom) : undefined;
  const inRows = labels.length > 1 && endLabelling === undefined;
  const legend = inRows
    ? legendRows(
        widths.map((width) => LEGEND_STROKE + width),
        WIDTH - left - 16,
        20,
      )
    : [];
  return {
    ...data,
    labels,
    title: titled(plainText(plot.title), plot.unit, yTicks),
    timeTitle: titled(time.name === "t" ? "time" : plainText(time.name), time.unit, xTicks),
    x: { ...x, labels: xTicks.labels },
    y: { ...y, labels: yTicks.labels, logarithmic },
    margin: {
      left,
      right: endLabelling ? 24 + Math.max(...widths) : 20,
      top: TITLE + (inRows ? 2 + LEGEND_ROW * (legend.at(-1)!.row + 1) : 0),
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

/** The name of an axis with its unit, and what its labels leave out: Energy (75.2557 + … 10⁻¹⁰ J). */
function titled(name: string, unit: string, { offset, power }: TickLabels): string {
  const parts = [offset && `${offset} + …`, power === 0 ? "" : powerOfTen(power), unitText(unit)].filter((part) => part !== "");
  return parts.length === 0 ? name : `${name} (${parts.join(" ")})`;
}

function timeScale(time: Float64Array): Scale {
  const [first, last] = extentOf([time]) ?? [0, 1];
  const domain = [first, last > first ? last : first + 1] as const;
  return { domain, ticks: ticksBetween(...domain, 8) };
}

/** Heights of the last points, in pixels from the top, when no legend is above the plot. */
function endsOf({ columns }: PlotData, { domain }: Scale, logarithmic: boolean, bottom: number): number[] {
  const place = logarithmic ? Math.log10 : (v: number): number => v;
  const [low, high] = [place(domain[0]), place(domain[1])];
  return columns.map((column) => {
    const last = column.findLast((v) => !Number.isNaN(v)) ?? domain[0];
    return bottom - ((place(last) - low) / (high - low)) * (bottom - TITLE);
  });
}
