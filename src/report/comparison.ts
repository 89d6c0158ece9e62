/** Measured histories in the report: curves over those of the run, and differences. */
import { type ComparedChannel, comparedChannels, measuredAt } from "../scenario/measured/compare-run.ts";
import type { ScenarioRun } from "../scenario/run.ts";
import { shortNumber } from "./numbers.ts";
import type { Fact, Plot, Series } from "./report-data.ts";

/** The plots with the measured histories of their channels. Measured channels that are in no plot get a plot. */
export function withMeasurements(plots: readonly Plot[], { scenario, run }: ScenarioRun): readonly Plot[] {
  if (scenario.compare.length === 0) return plots;
  const times = run.log.column("t");
  const measuredSeries = ({ channel, label, times: factor }: Series): readonly Series[] =>
    scenario.compare.flatMap((comparison): Series[] => {
      const values = measuredAt(comparison, channel, times);
      const name = `${label}, ${comparison.name}`;
      return values ? [{ channel, label: name, values, ...(factor !== undefined && { times: factor }) }] : [];
    });
  const shown = new Set(plots.flatMap(({ series }) => series.map(({ channel }) => channel)));
  const missing = scenario.compare.flatMap(({ name, series }) =>
    series.flatMap(({ channel }): Plot[] => {
      if (shown.has(channel.name)) return [];
      shown.add(channel.name);
      return [
        { title: `${channel.name}, ${name}`, unit: channel.unit, series: [{ channel: channel.name, label: channel.name }] },
      ];
    }),
  );
  return [...plots, ...missing].map((plot) => ({ ...plot, series: plot.series.flatMap((s) => [s, ...measuredSeries(s)]) }));
}

/** Rms and largest difference of each channel. */
export const comparisonFacts = (result: ScenarioRun): readonly Fact[] =>
  comparedChannels(result).flatMap((compared): Fact[] => {
    const { name, channel, unit, rms, largest, at } = compared;
    const label = `${channel}, ${name}`;
    const coverage = coverageText(compared);
    return [
      ...(rms === undefined || largest === undefined || at === undefined
        ? []
        : [
            { label: `${label}: rms difference`, value: rms, unit },
            { label: `${label}: largest difference, at ${shortNumber(at, 5)} s`, value: largest, unit },
          ]),
      ...(coverage === undefined ? [] : [{ label: `${label}: not covered`, value: coverage }]),
    ];
  });

/** What the run and the measurement do not have in common, in words; undefined if they cover the same time. */
export function coverageText({ samples, outside, measured, simulated }: ComparedChannel): string | undefined {
  const span = ([from, to]: readonly [number, number]): string => `${shortNumber(from, 5)} to ${shortNumber(to, 5)} s`;
  const [from, to] = simulated;
  const step = (measured[1] - measured[0]) / Math.max(1, samples + outside - 1);
  // A measurement that begins or ends within one sample of the run covers it.
  const isWhole = measured[0] <= from + step && measured[1] >= to - step;
  if (outside === 0 && isWhole) return undefined;
  const spans = `measured ${span(measured)}, simulated ${span(simulated)}`;
  return outside === 0 ? spans : `${outside} of ${samples + outside} measured samples are outside the run; ${spans}`;
}
