/** Data of a plot: channels in the unit of the plot, thinned for drawing. */
import { ArgumentError } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Plot, Series } from "../report-data.ts";
import { extentOf } from "./axis-scale.ts";
import { thinSamples } from "./thin-samples.ts";

export interface PlotData {
  readonly time: Float64Array;
  /** One column per series; NaN is a gap. */
  readonly columns: readonly Float64Array[];
}

/** About `points` samples of the plot. @throws ArgumentError if a channel is missing or has another unit than the plot. */
export function plotData(log: Log, plot: Plot, points: number): PlotData {
  const time = timeColumn(log);
  const columns = plot.series.map((series) => seriesValues(log, plot, series));
  const kept = thinSamples(time, columns, points);
  if (kept.length === time.length) return { time, columns };
  const pick = (column: Float64Array): Float64Array => Float64Array.from(kept, (i) => column[i]!);
  return { time: pick(time), columns: columns.map(pick) };
}

export function timeColumn(log: Log): Float64Array {
  const time = log.channels[0];
  if (time === undefined) throw new ArgumentError("log", "the log has no channels; its first channel must be time");
  return log.column(time.name);
}

function seriesValues(log: Log, plot: Plot, { channel, times, values }: Series): Float64Array {
  const unit = log.channels.find(({ name }) => name === channel)?.unit;
  if (unit === undefined) throw new ArgumentError("plot", `plot "${plot.title}": the log has no channel "${channel}"`);
  if (times === undefined && unit !== plot.unit)
    throw new ArgumentError(
      "plot",
      `plot "${plot.title}" is in "${plot.unit}", but channel "${channel}" in "${unit}": give the series a factor (times)`,
    );
  const factor = times ?? 1;
  return (values ?? log.column(channel)).map((x) => {
    const y = plot.scale === "log" ? Math.abs(x * factor) : x * factor;
    return Number.isFinite(y) && !(plot.scale === "log" && y === 0) ? y : Number.NaN;
  });
}

/** A line that travels up and down by this many heights of its plot covers about a fifth of the area. */
const DENSE_TRAVEL = 60;

/** For each line: true if it oscillates so often that it fills its area. Such lines are drawn thin. */
export function denseLines({ columns }: PlotData, logarithmic: boolean): readonly boolean[] {
  const toScale = logarithmic ? Math.log10 : (v: number): number => v;
  const [low, high] = extentOf(columns) ?? [1, 1];
  return columns.map((column) => {
    let travel = 0;
    for (let i = 1; i < column.length; i++) travel += Math.abs(toScale(column[i]!) - toScale(column[i - 1]!)) || 0;
    return travel > DENSE_TRAVEL * (toScale(high) - toScale(low));
  });
}
