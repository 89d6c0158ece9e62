/** Conditions of events as functions of the state: they get the values of the channels that they name. */
import type { StateComparisons } from "./step-search.ts";

/** Returns a function that reads channels at a state. */
export type ChannelReading = (names: readonly string[]) => (t: number, y: Float64Array) => Float64Array;

/** Comparisons of a planned event. It happens when all of them are negative. */
export interface PlannedComparisons {
  readonly count: number;
  write(t: number, y: Float64Array, channels: Float64Array, out: Float64Array): void;
}

const NO_NUMBERS = new Float64Array(0);

/** A function of the state and of the channels that it names. */
export function withChannels(
  channels: readonly string[] | undefined,
  readChannels: ChannelReading,
  value: (t: number, y: Float64Array, channels: Float64Array) => number,
): (t: number, y: Float64Array) => number {
  if (!channels?.length) return (t, y) => value(t, y, NO_NUMBERS);
  const read = readChannels(channels);
  return (t, y) => value(t, y, read(t, y));
}

/** The only comparison of a condition. */
export const oneComparison = (margin: (t: number, y: Float64Array) => number): StateComparisons => ({
  count: 1,
  write(t, y, out) {
    out[0] = margin(t, y);
  },
});

/** The comparisons of a planned event; its margin, if it gives none. */
export function comparisonsOf(
  comparisons: PlannedComparisons | undefined,
  channels: readonly string[] = [],
  margin: (t: number, y: Float64Array) => number,
  readChannels: ChannelReading,
): StateComparisons {
  if (!comparisons) return oneComparison(margin);
  const read = channels.length > 0 ? readChannels(channels) : () => NO_NUMBERS;
  return { count: comparisons.count, write: (t, y, out) => comparisons.write(t, y, read(t, y), out) };
}
