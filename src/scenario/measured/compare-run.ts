/** Differences between a run and the measured histories of its scenario. */

import { checkMembers } from "../../arguments.ts";
import type { ScenarioRun } from "../run.ts";
import type { ScenarioComparison } from "../scenario.ts";

/** Difference between one channel and its measured history, at the measured times within the run. */
export interface ComparedChannel {
  /** Name of the comparison. */
  readonly name: string;
  readonly channel: string;
  readonly unit: string;
  /** Number of measured samples within the run, and number of those before its start or after its end. */
  readonly samples: number;
  readonly outside: number;
  /** First and last measured time, s. */
  readonly measured: readonly [number, number];
  /** First and last time of the run, s. */
  readonly simulated: readonly [number, number];
  /** Root mean square of simulated less measured values; undefined if no measured time is within the run. */
  readonly rms?: number;
  /** Difference, simulated less measured, that is largest in size, and its time, s. */
  readonly largest?: number;
  readonly at?: number;
}

/** Differences between a run and the measured histories of its scenario. */
export function comparedChannels(result: ScenarioRun): readonly ComparedChannel[] {
  checkMembers("run", result, ["scenario", "run", "system"], "a run, as runScenario returns it");
  const { scenario, run } = result;
  return scenario.compare.flatMap(({ name, times, series }) =>
    series.map(({ channel, values }): ComparedChannel => {
      const runTimes = run.log.column("t");
      const simulated = sampleAt(runTimes, run.log.column(channel.name), times);
      let [sum, samples, largest, at] = [0, 0, 0, 0];
      for (const [i, value] of simulated.entries()) {
        if (Number.isNaN(value)) continue;
        const difference = value - values[i]!;
        sum += difference * difference;
        if (samples++ > 0 && Math.abs(difference) <= Math.abs(largest)) continue;
        [largest, at] = [difference, times[i]!];
      }
      return {
        name,
        channel: channel.name,
        unit: channel.unit,
        samples,
        outside: times.length - samples,
        measured: [times[0]!, times.at(-1)!],
        simulated: [runTimes[0] ?? 0, runTimes.at(-1) ?? 0],
        ...(samples > 0 && { rms: Math.sqrt(sum / samples), largest, at }),
      };
    }),
  );
}

/** The measured history of a channel at the times of the run, for drawing; NaN outside the measurement. */
export const measuredAt = (
  { times, series }: ScenarioComparison,
  channel: string,
  runTimes: Float64Array,
): Float64Array | undefined => {
  const measured = series.find((s) => s.channel.name === channel);
  return measured && sampleAt(times, measured.values, runTimes);
};

/** Relative distance up to which a time counts as the end of a history: 0.1 times 30 is not 3. */
const ROUNDING = 1e-12;

/**
 * Values of a sampled curve at other times by linear interpolation; NaN outside. Both lists of times do not decrease. Two samples at one time are
 * the values before and after a jump. The first of two equal wanted times gets the value before the jump.
 */
export function sampleAt(times: ArrayLike<number>, values: ArrayLike<number>, wanted: ArrayLike<number>): Float64Array {
  const out = new Float64Array(wanted.length).fill(Number.NaN);
  const last = times.length - 1;
  if (last < 0) return out;
  const slack = ROUNDING * Math.max(Math.abs(times[0]!), Math.abs(times[last]!));
  let i = 0;
  for (let k = 0; k < wanted.length; k++) {
    const t = wanted[k]!;
    if (t < times[0]! - slack || t > times[last]! + slack) continue;
    while (i < last && times[i + 1]! <= t + slack) i++;
    const isAtSample = Math.abs(times[i]! - t) <= slack;
    const isBeforeJump = isAtSample && i > 0 && t - times[i - 1]! <= slack && wanted[k + 1]! - t <= slack;
    const span = i < last && !isAtSample ? times[i + 1]! - times[i]! : 0;
    const share = span > 0 ? Math.max(0, (t - times[i]!) / span) : 0;
    if (isBeforeJump) out[k] = values[i - 1]!;
    else out[k] = share === 0 ? values[i]! : values[i]! + share * (values[i + 1]! - values[i]!);
  }
  return out;
}
