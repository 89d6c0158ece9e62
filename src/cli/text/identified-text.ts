/** Values that were found from measured histories, as text and as JSON. */
import { valueWithError } from "../../report/identification.ts";
import { shortNumber } from "../../report/numbers.ts";
import type { IdentifiedScenario } from "../../scenario/measured/identify-run.ts";
import { formatOverride } from "../../scenario/override.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { TextFormat } from "./terminal.ts";
import { formatTable } from "./text-table.ts";
import { wrapText } from "./wrap-text.ts";

/** Digits of the values to copy; they have far fewer than this. */
const SET_DIGITS = 8;

export function identifiedText(
  scenario: Scenario,
  found: IdentifiedScenario,
  { file, folder }: { readonly file: string; readonly folder: string | undefined },
  { style, width }: TextFormat,
): string {
  const { unknowns, curves, measured, correlations, warnings, overrides, runs, freedoms } = found;
  const interval = ([low, high]: readonly [number, number], error: number): string =>
    error === 0 || !Number.isFinite(error) ? "" : `${shortNumber(low, 5)} to ${shortNumber(high, 5)}`;
  return [
    style.bold(scenario.name),
    `${unknowns.length} unknowns from ${freedoms + unknowns.length} samples, ${runs} simulations`,
    "",
    ...formatTable(
      [
        { head: "", cells: unknowns.map(({ name }) => name) },
        { head: "start", cells: unknowns.map(({ start }) => shortNumber(start, 5)), align: "right" },
        {
          head: "found, standard error",
          cells: unknowns.map(({ value, error, bound }) =>
            bound ? `${shortNumber(value, 6)} (bound)` : valueWithError(value, error),
          ),
        },
        { head: "interval of 95 %", cells: unknowns.map((u) => interval(u.interval, u.error)) },
      ],
      style,
    ),
    "",
    ...formatTable(
      [
        { head: "", cells: curves.map(({ name }) => name) },
        { head: "samples", cells: curves.map(({ samples }) => `${samples}`), align: "right" },
        {
          head: "rms difference",
          cells: curves.map(({ rms }, c) => `${shortNumber(rms, 4)} ${measured[c]!.channel.unit}`.trimEnd()),
          align: "right",
        },
        { head: "of the variation", cells: curves.map((c) => `${shortNumber((100 * c.rms) / c.spread, 3)} %`), align: "right" },
        { head: "autocorrelation", cells: curves.map((c) => c.autocorrelation.toFixed(3)), align: "right" },
      ],
      style,
    ),
    ...(unknowns.length > 1
      ? [
          "",
          `${style.bold("Correlations")}${style.dim("  of the errors")}`,
          ...formatTable(
            [
              { head: "", cells: unknowns.map(({ name }) => name) },
              ...unknowns.slice(0, -1).map(({ name }, b) => ({
                head: name,
                cells: unknowns.map((_, a) => (a <= b ? "" : correlationText(correlations[a]![b]!))),
                align: "right" as const,
              })),
            ],
            style,
          ),
        ]
      : []),
    ...warnings.flatMap((warning) => ["", ...wrapText(`${style.warn("Warning")}  ${warning}`, width, "")]),
    "",
    `${style.bold("Use")}  castor run ${file} with`,
    ...overrides.map(
      ({ path, value }) => `  --set '${formatOverride({ path, value: Number((value as number).toPrecision(SET_DIGITS)) })}'`,
    ),
    ...(folder === undefined ? [] : ["", `  ${folder}/report.html   the run with these values over the measurement`]),
  ].join("\n");
}

const correlationText = (value: number): string => (Number.isNaN(value) ? "none" : value.toFixed(2));

/** The result as plain data. Infinite errors are null in JSON. */
export const identifiedJson = ({ name, identify }: Scenario, found: IdentifiedScenario, files: readonly string[]) => ({
  name,
  unknowns: found.unknowns.map((unknown, j) => ({ ...unknown, paths: identify!.unknowns[j]?.paths ?? [] })),
  correlations: found.correlations,
  undetermined: found.undetermined,
  curves: found.curves.map(({ residuals: _, ...curve }, c) => ({
    ...curve,
    comparison: found.measured[c]!.comparison,
    outside: found.measured[c]!.outside,
  })),
  criterion: found.criterion,
  freedoms: found.freedoms,
  t: found.t,
  converged: found.converged,
  others: found.others,
  runs: found.runs,
  warnings: found.warnings,
  overrides: found.overrides.map(({ path, value }) => ({ path, value })),
  files,
});
