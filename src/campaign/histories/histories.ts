/** Histories of cases: expressions of channels at the same times in every case, for envelopes. */
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { timeTolerance } from "../../sim/run/sample-recorder.ts";
import type { SimulationRun } from "../../sim/run/simulation.ts";
import { unitOfExpression } from "../measures/kind.ts";
import { channelExpression } from "../read-measures.ts";

export interface RecordedHistory {
  readonly name: string;
  /** SI unit; "" if it is a pure number or not known. */
  readonly unit: string;
  /** Channels of the expression, and its value from their values. */
  readonly channels: readonly string[];
  value(values: Float64Array): number;
}

/** Histories of a campaign, and the times at which they are recorded: multiples of `sample`. */
export interface Histories {
  readonly list: readonly RecordedHistory[];
  /** Number of times, the start and the end of the scenario included. */
  readonly samples: number;
  /** Time between two of them, s. */
  readonly sample: number;
}

/** Values of one history of a case; null where it has none, e.g. after the end of a run that stopped early. */
export type HistoryValues = readonly (number | null)[];

/** Digits of the stored values: histories are for pictures. */
const DIGITS = 6;

/** @param taken names of other columns */
export function readHistories(
  written: { readonly samples: number; readonly of: Fields } | undefined,
  scenario: Scenario,
  taken: readonly string[],
  problems: Problem[],
): Histories | undefined {
  if (written === undefined) return undefined;
  const { samples, of } = written;
  const list = Object.entries(of).flatMap(([name, text]): RecordedHistory[] => {
    const path = childPath("histories.of", name);
    const problem = (_: string, message: string, value?: unknown, advice?: string): void =>
      void problems.push({ path, message, value: valueText(value), ...(advice !== undefined && { advice }) });
    if (taken.includes(name)) problem("of", "the name is taken by another column", name);
    const expression = channelExpression("of", String(text), scenario, problem);
    if (expression === undefined) return [];
    const { channels, value } = expression;
    return [{ name, unit: unitOfExpression(expression, scenario), channels, value }];
  });
  return { list, samples, sample: scenario.duration / (samples - 1) };
}

/** Values of all histories of a run, which must have recorded a sample at each of their times. */
export function historyValues({ list, samples, sample }: Histories, { log }: SimulationRun): readonly HistoryValues[] {
  const times = log.column("t");
  const rows: (number | undefined)[] = [];
  for (let i = 0, row = 0; i < samples; i++) {
    const t = i * sample;
    while (row < times.length && times[row]! < t - timeTolerance(t)) row++;
    rows.push(row < times.length && times[row]! <= t + timeTolerance(t) ? row : undefined);
  }
  return list.map((history) => {
    const columns = history.channels.map((name) => log.column(name));
    const values = new Float64Array(columns.length);
    return rows.map((row) => {
      if (row === undefined) return null;
      for (const [k, column] of columns.entries()) values[k] = column[row]!;
      const value = history.value(values);
      return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
    });
  });
}
