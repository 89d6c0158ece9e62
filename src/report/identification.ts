/** Values that were found from measured histories, in the report of the run with these values. */
import type { IdentifiedScenario } from "../scenario/measured/identify-run.ts";
import { shortNumber } from "./numbers.ts";
import type { Fact, RunReport } from "./report-data.ts";

/** A value with its standard error: digits up to the second one of the error. */
export function valueWithError(value: number, error: number): string {
  if (error === 0) return shortNumber(value, 6);
  if (!Number.isFinite(error)) return `${shortNumber(value, 4)}, undetermined`;
  const decade = (size: number): number => Math.floor(Math.log10(size));
  const digits = decade(Math.max(Math.abs(value), error)) - decade(error) + 2;
  return `${shortNumber(value, Math.min(12, Math.max(2, digits)))} ± ${shortNumber(error, 2)}`;
}

/** The report with the found values, their errors, and the warnings about them. */
export function withIdentification(report: RunReport, found: IdentifiedScenario): RunReport {
  const inGroup = (facts: readonly Fact[]): Fact[] => facts.map((fact) => ({ ...fact, group: "Identified values" }));
  const facts = inGroup([
    ...found.unknowns.map(({ name, value, error, bound }) => ({
      label: name,
      value: bound ? `${shortNumber(value, 6)}, at its bound` : valueWithError(value, error),
    })),
    ...found.curves.map(({ name, noise, isNoiseGiven }, c) => ({
      label: `noise of ${name}${isNoiseGiven ? "" : ", estimated"}`,
      value: noise,
      unit: found.measured[c]!.channel.unit,
    })),
    { label: "simulations", value: found.runs },
  ]);
  return { ...report, facts: [...facts, ...report.facts], notes: [...found.warnings, ...report.notes] };
}
