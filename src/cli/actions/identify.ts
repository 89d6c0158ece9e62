/** `castor identify`: virtual links of an elastic rod from measurements. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { identifyDamping } from "../../analysis/identification/damping.ts";
import { gridSearch } from "../../analysis/identification/grid-search.ts";
import type { IdentifiedRod } from "../../analysis/identification/identify.ts";
import {
  contradictionsOf,
  identify,
  measurementName,
  measurementsWithoutWeight,
  modelValue,
} from "../../analysis/identification/identify.ts";
import type { IdentifyFile } from "../../analysis/identification/identify-file.ts";
import { didYouMean } from "../../declare/names.ts";
import { kindOfFile } from "../../formats/file-kind.ts";
import { readText } from "../../formats/node-files.ts";
import { shortNumber } from "../../report/numbers.ts";
import { misfitSvg } from "../../report/plots/misfit-plot.ts";
import { parseMeasurementFile } from "../../scenario/measurement-file.ts";
import { type Action, CommandError, UsageError } from "../command.ts";
import type { identifyCommand } from "../commands/identify.ts";
import { builtInNames, packagePath } from "../files/package-files.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { STANDARD_INPUT } from "../options.ts";
import { toJson } from "../text/json.ts";
import type { Terminal } from "../text/terminal.ts";
import { formatTable } from "../text/text-table.ts";
import { wrapText } from "../text/wrap-text.ts";
import { identifyFromHistories } from "./identify-histories.ts";

const MEASUREMENT_FILE = "measurements.yaml";
const SCENARIO_FILE = "scenario.yaml";

export const run: Action<typeof identifyCommand> = async (args, terminal) => {
  const path = measurementPath(args.file);
  if (path === undefined) return identifyFromHistories(args, terminal);
  for (const option of ["set", "out"] as const)
    if (args[option] !== undefined) throw new UsageError(`--${option} is for scenarios, and ${args.file} is a measurement file`);
  const file = parseMeasurementFile(readText(path), path);
  const result = args.grid ? identifyOnGrid(file) : identify(file.rod, file.measurements, file.options);
  const damping =
    file.ratios.length === 0
      ? undefined
      : identifyDamping(file.rod, result.cuts, result.stiffnesses, file.ratios, {
          stiffnessErrors: result.uncertainty.stiffnesses,
        });
  if (args.plot !== undefined)
    writeFileAtomically(
      args.plot,
      misfitSvg(
        file.name,
        result.rows.map(({ measurement, misfit }) => ({ name: measurementName(measurement), misfit })),
      ),
    );
  if (args.json)
    terminal.print(
      toJson({
        ...{ name: file.name, rod: file.rod, ...result },
        ...{ unweighted: measurementsWithoutWeight(file.measurements), decays: file.decays, damping: damping ?? null },
      }),
    );
  else terminal.print(identificationText(file, result, damping, args.plot, terminal));
  return 0;
};

/** The measurement file of an argument; undefined if it names a scenario. */
function measurementPath(argument: string): string | undefined {
  const builtIn = packagePath(`scenarios/${argument}/${MEASUREMENT_FILE}`);
  const path = existsSync(argument) ? argument : builtIn;
  if (!existsSync(path)) {
    if (argument === STANDARD_INPUT || builtInNames(SCENARIO_FILE).includes(argument)) return undefined;
    const names = builtInNames(MEASUREMENT_FILE);
    throw new CommandError(
      `there is no file ${JSON.stringify(argument)}\n  built-in: ${names.join(", ")}\n  ${didYouMean(argument, names)}`,
    );
  }
  if (!statSync(path).isDirectory()) return kindOfFile(readText(path)) === "scenario" ? undefined : path;
  const inFolder = join(path, MEASUREMENT_FILE);
  return !existsSync(inFolder) && existsSync(join(path, SCENARIO_FILE)) ? undefined : inFolder;
}

/** Best point of the grid search. Uncertainties and other results are those of a fit with the same cuts. */
function identifyOnGrid({ rod, measurements, grid }: IdentifyFile): IdentifiedRod {
  if (grid === undefined) throw new CommandError("the file has no grid: add grid: { stiffness: ... }");
  const { parts, stiffnesses, criterion } = gridSearch(rod, measurements, grid);
  const cuts = [parts[0] * rod.length, (parts[0] + parts[1]) * rod.length];
  const fit = identify(rod, measurements, { cuts, starts: 1 });
  const rows = measurementRows(rod, measurements, cuts, stiffnesses);
  return { ...fit, rows, cuts, stiffnesses, criterion, contradictions: contradictionsOf(rod, rows) };
}

const measurementRows = (
  rod: IdentifyFile["rod"],
  measurements: IdentifyFile["measurements"],
  cuts: readonly number[],
  k: readonly number[],
): IdentifiedRod["rows"] =>
  measurements.map((measurement) => {
    const model = modelValue(rod, cuts, k, measurement);
    const misfit = model / measurement.value - 1;
    return { measurement, model, misfit, sigmas: measurement.error === undefined ? Number.NaN : misfit / measurement.error };
  });

const ratioText = ({ mode, ratio, tipMass = 0 }: IdentifyFile["ratios"][number]): string =>
  `${shortNumber(ratio, 4)} (mode ${mode}${tipMass > 0 ? ` with ${shortNumber(tipMass, 4)} kg` : ""})`;

function unweightedRemark({ rows }: IdentifiedRod): readonly string[] {
  const names = measurementsWithoutWeight(rows.map((row) => row.measurement));
  return names.length === 0
    ? []
    : [
        `These measurements have no error, but others do. They count as if their error were 100 %: ${names.join(", ")}. Give errors or weights.`,
      ];
}

function identificationText(
  { name, rod, ratios, decays }: IdentifyFile,
  result: IdentifiedRod,
  damping: ReturnType<typeof identifyDamping> | undefined,
  plot: string | undefined,
  { style, width }: Terminal,
): string {
  const error = (sigma: number): string =>
    sigma === 0 || Number.isNaN(sigma) ? "" : Number.isFinite(sigma) ? `± ${shortNumber(sigma, 2)}` : "undetermined";
  const { uncertainty: u } = result;
  const contradictions = [...result.contradictions, ...(damping?.contradictions ?? [])];
  const basisText = {
    errors: "from the measurement errors",
    fit: "from the quality of the fit",
    none: "unknown: no measurement errors are given",
  };
  return [
    style.bold(name),
    `criterion ${shortNumber(result.criterion, 6)}; standard errors ${basisText[result.basis]}`,
    "",
    ...formatTable(
      [
        { head: "joint", cells: result.cuts.map((_, j) => `${j + 1}`), align: "right" },
        { head: "at, m", cells: result.cuts.map((x) => shortNumber(x, 6)), align: "point" },
        { head: "", cells: u.cuts.map(error) },
        { head: "of the length", cells: result.cuts.map((x) => shortNumber(x / rod.length, 5)), align: "point" },
        { head: "N m/rad", cells: result.stiffnesses.map((k) => shortNumber(k, 6)), align: "point" },
        { head: "", cells: u.stiffnesses.map(error) },
        ...(damping
          ? [
              { head: "N m s/rad", cells: damping.dampers.values.map((d) => shortNumber(d, 5)), align: "point" as const },
              { head: "", cells: damping.dampers.errors.map(error) },
            ]
          : []),
      ],
      style,
    ),
    "",
    ...formatTable(
      [
        { head: "", cells: result.rows.map(({ measurement }) => measurementName(measurement)) },
        { head: "measured", cells: result.rows.map(({ measurement }) => shortNumber(measurement.value, 6)), align: "right" },
        { head: "model", cells: result.rows.map(({ model }) => shortNumber(model, 6)), align: "right" },
        { head: "misfit", cells: result.rows.map(({ misfit }) => `${shortNumber(100 * misfit, 3)} %`), align: "right" },
      ],
      style,
    ),
    ...decays.flatMap((d) => [
      "",
      `Decay of mode ${d.mode}: ${shortNumber(d.frequency, 6)} Hz ± ${shortNumber(d.frequencyError, 2)}, damping ratio ${shortNumber(d.dampingRatio, 4)} ± ${shortNumber(d.dampingRatioError, 2)}`,
    ]),
    ...(damping === undefined
      ? []
      : [
          "",
          ...wrapText(
            `Damping ratios ${ratios.map(ratioText).join(", ")}: stiffness-proportional damping has a time constant of ${shortNumber(damping.proportional.time, 4)} s; ` +
              (damping.dampers.feasible
                ? "the dampers above reproduce all of them."
                : `no joint dampers reproduce all of them. Those above give ${damping.dampers.ratios.map((z) => shortNumber(z, 3)).join(", ")}. The damping matrix of --json does: use damping: { ratios: ... } in an elastic body.`),
            width,
            "",
          ),
        ]),
    ...unweightedRemark(result).flatMap((line) => ["", ...wrapText(line, width, "")]),
    ...result.open.map((what) => `\n${style.warn("Undetermined")}  the measurements do not determine ${what}`),
    ...(contradictions.length > 0
      ? ["", style.warn("Contradictions"), ...contradictions.flatMap((line) => wrapText(line, width, "  "))]
      : []),
    ...(plot === undefined ? [] : ["", `  ${plot}   bar chart of the misfits`]),
  ].join("\n");
}
