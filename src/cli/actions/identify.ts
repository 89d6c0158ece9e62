/** `castor identify`: virtual links of an elastic rod from measurements. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type IdentifiedDamping, identifyDamping } from "../../analysis/identification/damping.ts";
import { gridSearch } from "../../analysis/identification/grid-search.ts";
import { type IdentifiedFreedom, type IdentifiedRod, identify } from "../../analysis/identification/identify.ts";
import type { IdentifyFile } from "../../analysis/identification/identify-file.ts";
import {
  contradictionsOf,
  measurementName,
  measurementRow,
  measurementsWithoutWeight,
  modelValue,
} from "../../analysis/identification/measurement.ts";
import { didYouMean } from "../../declare/names.ts";
import { kindOfFile } from "../../formats/file-kind.ts";
import { readText } from "../../formats/node-files.ts";
import { misfitSvg } from "../../report/plots/misfit-plot.ts";
import { parseMeasurementFile } from "../../scenario/measurement-file.ts";
import { type Action, CommandError, UsageError } from "../command.ts";
import type { identifyCommand } from "../commands/identify.ts";
import { builtInNames, packagePath } from "../files/package-files.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { STANDARD_INPUT } from "../options.ts";
import { toJson } from "../text/json.ts";
import { rodText } from "../text/rod-text.ts";
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
  const freedoms = result.freedoms.map((identified) => ({ ...identified, damping: dampingOf(file, result, identified) }));
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
        ...{ name: file.name, rod: file.rod, ...result, freedoms },
        ...{ unweighted: measurementsWithoutWeight(file.measurements), decays: file.decays, damping: freedoms[0]!.damping },
      }),
    );
  else terminal.print(rodText(file, result, freedoms, args.plot, terminal));
  return 0;
};

/** Damping of one freedom; null if none of its ratios was measured. */
function dampingOf(file: IdentifyFile, { joints, cuts }: IdentifiedRod, identified: IdentifiedFreedom): IdentifiedDamping | null {
  const ratios = file.ratios.filter(({ freedom = "rz" }) => freedom === identified.freedom);
  if (ratios.length === 0) return null;
  return identifyDamping(file.rod, joints, identified.stiffnesses, ratios, { stiffnessErrors: identified.errors, cuts });
}

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
  const rows = measurements.map((m) => measurementRow(m, modelValue(rod, cuts, stiffnesses, m)));
  const freedoms = [{ freedom: "rz" as const, stiffnesses, errors: fit.uncertainty.stiffnesses }];
  return { ...fit, rows, cuts, joints: cuts, stiffnesses, freedoms, criterion, contradictions: contradictionsOf(rod, rows) };
}
