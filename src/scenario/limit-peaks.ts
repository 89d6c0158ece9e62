/** Extreme values of a run compared with the limits of its scenario, and absorbed energies. */
import type { Log } from "../log/log.ts";
import type { ScenarioLimit } from "./scenario.ts";

/** One bound of a limit, with the sample that came closest to it or exceeded it most. */
export interface LimitPeak {
  readonly name: string;
  readonly bound: "least" | "most";
  readonly limit: number;
  readonly unit: string;
  /** NaN if there is no sample. */
  readonly value: number;
  readonly at: number;
  /** Channel of this sample. */
  readonly channel: string;
  readonly within: boolean;
  readonly mean?: number;
  readonly source?: string;
  readonly confidence?: NonNullable<ScenarioLimit["confidence"]>;
}

export const limitPeaks = (log: Log, limits: readonly ScenarioLimit[]): readonly LimitPeak[] =>
  limits.flatMap((limit) =>
    (["most", "least"] as const).flatMap((bound) => {
      const value = limit[bound];
      return value === undefined ? [] : [limitPeak(log, limit, bound, value)];
    }),
  );

function limitPeak(
  log: Log,
  { name, channels, mean, source, confidence }: ScenarioLimit,
  bound: LimitPeak["bound"],
  limit: number,
): LimitPeak {
  const time = log.column("t");
  let [value, at, channel] = [Number.NaN, 0, ""];
  for (const { name: channelName } of channels) {
    const column = mean === undefined ? log.column(channelName) : movingMeans(time, log.column(channelName), mean);
    for (const [i, v] of column.entries())
      if (Number.isNaN(value) || (bound === "most" ? v > value : v < value)) [value, at, channel] = [v, time[i]!, channelName];
  }
  return {
    name,
    bound,
    limit,
    unit: channels[0]!.unit,
    value,
    at,
    channel,
    within: bound === "most" ? value <= limit : value >= limit,
    ...(mean !== undefined && { mean }),
    ...(source !== undefined && { source }),
    ...(confidence !== undefined && { confidence }),
  };
}

/** Mean over the `window` seconds before each sample, by the trapezoidal rule. Before the start of the run the value is zero. */
export function movingMeans(time: Float64Array, values: Float64Array, window: number): Float64Array {
  const integral = new Float64Array(values.length);
  for (let i = 1; i < values.length; i++)
    integral[i] = integral[i - 1]! + 0.5 * (values[i]! + values[i - 1]!) * (time[i]! - time[i - 1]!);
  const means = new Float64Array(values.length);
  let first = 0;
  for (let i = 0; i < values.length; i++) {
    const from = time[i]! - window;
    while (first < i && time[first + 1]! <= from) first++;
    const span = time[first + 1]! - time[first]!;
    const fraction = from > time[first]! && span > 0 ? (from - time[first]!) / span : 0;
    const [start, end] = [values[first]!, values[first + 1] ?? values[first]!];
    const before = integral[first]! + (fraction > 0 ? fraction * span * (start + 0.5 * fraction * (end - start)) : 0);
    means[i] = (integral[i]! - before) / window;
  }
  return means;
}

/** Energy absorbed by each element until the end of the log, for elements whose channel `absorbed` was recorded. */
export const absorbedEnergies = (log: Log): readonly { readonly element: string; readonly energy: number }[] =>
  log.channels.flatMap(({ name, unit }) =>
    unit === "J" && name.endsWith(ABSORBED_SUFFIX)
      ? [{ element: name.slice(0, -ABSORBED_SUFFIX.length), energy: log.column(name).at(-1) ?? Number.NaN }]
      : [],
  );

const ABSORBED_SUFFIX = ".absorbed";
