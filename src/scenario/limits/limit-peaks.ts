/** Extreme values of a run compared with the limits of its scenario, and absorbed energies. */
import type { Log } from "../../log/log.ts";
import type { Peak, PeakOptions } from "../../sim/record/peaks/peak-options.ts";
import type { ScenarioLimit } from "../scenario.ts";

/** One bound of a limit, with the value that came closest to it or exceeded it most, on the continuous motion. */
export interface LimitPeak {
  readonly name: string;
  readonly bound: "least" | "most";
  readonly limit: number;
  readonly unit: string;
  /** NaN if nothing was simulated. */
  readonly value: number;
  readonly at: number;
  /** Channel of this value. */
  readonly channel: string;
  readonly within: boolean;
  readonly mean?: number;
  readonly source?: string;
  readonly confidence?: NonNullable<ScenarioLimit["confidence"]>;
}

const BOUNDS = ["most", "least"] as const;

/** The peaks that a run must follow for its limits. */
export const followedPeaks = (limits: readonly ScenarioLimit[]): readonly PeakOptions[] =>
  limits.flatMap(({ channels, mean, ...limit }) =>
    BOUNDS.filter((bound) => limit[bound] !== undefined).map((bound) => ({
      channels: channels.map(({ name }) => name),
      bound,
      ...(mean !== undefined && { mean }),
    })),
  );

/** The limits of a scenario, with the peaks of its run. */
export const limitPeaks = (peaks: readonly Peak[], limits: readonly ScenarioLimit[]): readonly LimitPeak[] =>
  limits.flatMap((limit) =>
    BOUNDS.flatMap((bound) => {
      const value = limit[bound];
      return value === undefined ? [] : [limitPeak(peaks, limit, bound, value)];
    }),
  );

function limitPeak(
  peaks: readonly Peak[],
  { name, channels, mean, source, confidence }: ScenarioLimit,
  bound: LimitPeak["bound"],
  limit: number,
): LimitPeak {
  const isExceeded = (a: number, b: number): boolean => Number.isNaN(b) || (bound === "most" ? a > b : a < b);
  let [value, at, channel] = [Number.NaN, 0, ""];
  for (const { name: channelName } of channels) {
    const peak = peaks.find((p) => p.channel === channelName && p.bound === bound && p.mean === mean);
    if (peak && isExceeded(peak.value, value)) [value, at, channel] = [peak.value, peak.at, channelName];
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

/** Energy absorbed by each element until the end of the log, for elements whose channel `absorbed` was recorded. */
export const absorbedEnergies = (log: Log): readonly { readonly element: string; readonly energy: number }[] =>
  log.channels.flatMap(({ name, unit }) =>
    unit === "J" && name.endsWith(ABSORBED_SUFFIX)
      ? [{ element: name.slice(0, -ABSORBED_SUFFIX.length), energy: log.column(name).at(-1) ?? Number.NaN }]
      : [],
  );

const ABSORBED_SUFFIX = ".absorbed";
