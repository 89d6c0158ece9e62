/** The curves of a plot, from the logs of its runs, and their columns for uPlot. */
import { lastSampleUpTo } from "../run/sample-index.ts";
import type { PlotSpec, StudioRun } from "../state/state.ts";
import { displayUnit } from "./plot-list.ts";

export interface PlotCurve {
  readonly channel: string;
  readonly run: Pick<StudioRun, "id" | "label">;
  /** Index of the channel in its plot; it chooses the colour. */
  readonly line: number;
  /** 0 for the current run, 1, 2, ... for compared runs; it chooses the dash pattern. */
  readonly dash: number;
  /** Unit of the axis, and unit in the log. */
  readonly unit: string;
  readonly logUnit: string;
  readonly t: Float64Array;
  readonly y: Float64Array;
  readonly isMeasured?: true;
  /** Values and unit of the horizontal axis at the times `t`, if the plot is not against time. */
  readonly x?: Float64Array;
  readonly xUnit?: string;
}

/** The curves of a plot. The last run is the current one. With `asDifference`, each curve is the current run minus another run. */
export function plotCurves(plot: PlotSpec, runs: readonly StudioRun[], asDifference: boolean): readonly PlotCurve[] {
  const current = runs.at(-1);
  if (current === undefined) return [];
  const others = runs.slice(0, -1);
  const isDifference = asDifference && others.length > 0 && plot.x === undefined;
  const drawnRuns = isDifference ? others : [current, ...others];
  const simulated = drawnRuns.flatMap((run, order) =>
    plot.channels.flatMap((channel, line): PlotCurve[] => {
      const { log } = run;
      if (!log.has(channel) || (isDifference && !current.log.has(channel))) return [];
      const logUnit = log.channels.find((c) => c.name === channel)!.unit;
      const { unit, factor } = displayUnit(logUnit, plot.unit);
      const common = { channel, run, line, unit, logUnit, dash: isDifference ? order + 1 : order };
      const x = plot.x === undefined ? undefined : log.column(plot.x);
      const all = log.column(channel);
      const y = x ? all.subarray(0, x.length) : all;
      const t = log.column("t").subarray(0, y.length); // a channel that is being computed is shorter
      if (plot.x !== undefined) {
        const xLogUnit = log.channels.find((c) => c.name === plot.x)?.unit;
        if (xLogUnit === undefined) return [];
        const shown = displayUnit(xLogUnit, plot.unit);
        return [{ ...common, t, y: scale(y, factor), x: scale(x!.subarray(0, y.length), shown.factor), xUnit: shown.unit }];
      }
      if (!isDifference) return [{ ...common, t, y: scale(y, factor) }];
      const currentValues = current.log.column(channel);
      const difference = curveDifference(
        { t: current.log.column("t").subarray(0, currentValues.length), y: currentValues },
        { t, y },
      );
      return [{ ...common, t: difference.t, y: scale(difference.y, factor) }];
    }),
  );
  return isDifference || plot.x !== undefined ? simulated : [...simulated, ...measuredCurves(plot, current)];
}

/** Dash pattern of measured curves: dots, so that a simulated curve below them stays visible. */
export const MEASURED_DASH = 2;

/** The measured histories of the channels of a plot, within the run. Each has a colour of its own, after those of the channels. */
function measuredCurves(plot: PlotSpec, { id, scenario }: StudioRun): readonly PlotCurve[] {
  const { compare = [], duration = 0 } = scenario ?? {};
  return compare.flatMap(({ name, times, series }) =>
    series.flatMap(({ channel, values }): PlotCurve[] => {
      const line = plot.channels.indexOf(channel.name);
      if (line < 0) return [];
      const { unit, factor } = displayUnit(channel.unit, plot.unit);
      const from = times.findIndex((t) => t >= 0);
      const to = 1 + lastSampleUpTo(times, duration);
      return [
        {
          channel: channel.name,
          run: { id, label: name },
          line: plot.channels.length + line,
          dash: MEASURED_DASH,
          ...{ unit, logUnit: channel.unit, t: times.slice(from, to), y: scale(values.slice(from, to), factor) },
          isMeasured: true,
        },
      ];
    }),
  );
}

const scale = (y: Float64Array, factor: number): Float64Array => (factor === 1 ? y : y.map((v) => v * factor));

interface PlotSamples {
  readonly t: Float64Array;
  readonly y: Float64Array;
}

/** a - b at the times of a up to the end of b. b is interpolated linearly. */
export function curveDifference(a: PlotSamples, b: PlotSamples): PlotSamples {
  const t = a.t.subarray(0, 1 + lastSampleUpTo(a.t, b.t.at(-1) ?? Number.NEGATIVE_INFINITY));
  let i = 0;
  const y = t.map((time, k) => {
    while (i < b.t.length - 2 && b.t[i + 1]! <= time) i++;
    return a.y[k]! - valueBetween(b, i, time);
  });
  return { t, y };
}

function valueBetween({ t, y }: PlotSamples, i: number, time: number): number {
  const [t0, t1] = [t[i]!, t[i + 1]];
  if (time === t0 || t1 === undefined) return y[i]!;
  if (time === t1) return y[i + 1]!;
  return y[i]! + ((time - t0) / (t1 - t0)) * (y[i + 1]! - y[i]!);
}

/** The value of a curve at a time, linear between samples: the last value after the end, undefined before the first sample. */
export function curveValueAt(curve: PlotSamples, time: number): number | undefined {
  const i = lastSampleUpTo(curve.t, time);
  if (i < 0 || (i === curve.t.length - 1 && time > curve.t[i]!)) return i < 0 ? undefined : curve.y[i];
  return valueBetween(curve, i, time);
}

/** One column of times for all curves, then the columns of the curves. Null marks a missing sample; with `positive`, also a value <= 0. */
export function alignCurves(
  curves: readonly PlotCurve[],
  positive: boolean,
): [Float64Array, ...(Float64Array | (number | null)[])[]] {
  const drawable = (y: Float64Array): Float64Array | (number | null)[] =>
    positive ? Array.from(y, (v) => (v > 0 ? v : null)) : y;
  const first = curves[0]?.t ?? new Float64Array(0);
  if (curves.every(({ t }) => t === first || areSameTimes(t, first))) return [first, ...curves.map(({ y }) => drawable(y))];
  const times = Float64Array.from(new Set(curves.flatMap(({ t }) => [...t]))).sort();
  const rowOfTime = new Map(Array.from(times, (t, i) => [t, i]));
  return [
    times,
    ...curves.map(({ t, y }) => {
      const column = new Array<number | null>(times.length).fill(null);
      for (const [i, v] of drawable(y).entries()) column[rowOfTime.get(t[i]!)!] = v;
      return column;
    }),
  ];
}

const areSameTimes = (a: Float64Array, b: Float64Array): boolean => a.length === b.length && a.every((t, i) => t === b[i]);
