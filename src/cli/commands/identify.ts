/** `castor identify`: virtual links of an elastic rod from what was measured of it. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { identifyDamping } from "../../analysis/identification/damping.ts";
import { gridSearch } from "../../analysis/identification/grid.ts";
import {
  contradictionsOf,
  type Identified,
  identify,
  modelValue,
  nameOf,
  unweighted,
} from "../../analysis/identification/identify.ts";
import type { IdentifyFile } from "../../analysis/identification/identify-file.ts";
import { didYouMean } from "../../declare/names.ts";
import { short } from "../../report/numbers.ts";
import { misfitSvg } from "../../report/plots/misfit-plot.ts";
import { parseMeasurementFile } from "../../scenario/measurement-file.ts";
import { CommandError, defineCommand } from "../command.ts";
import { EXIT, wrapped } from "../failure.ts";
import { builtInNames, packagePath } from "../files/package-files.ts";
import { writeWhole } from "../files/write-file.ts";
import { columns } from "../text/columns.ts";
import { toJson } from "../text/json.ts";
import type { Terminal } from "../text/terminal.ts";

const FILE = "measurements.yaml";

export const identifyCommand = defineCommand({
  name: "identify",
  about: "cut positions, stiffnesses and damping of an elastic rod from measurements",
  args: {
    file: { type: "positional", required: true, description: "a file of measurements, or the name of a built-in one" },
    grid: { type: "boolean", description: "search the grid of the file, as Yoshikawa and Hosoda (1991) did, instead of freely" },
    plot: { type: "string", valueHint: "FILE.svg", description: "write a picture of the misfits" },
    json: { type: "boolean", description: "everything at full precision, for programs" },
  },
  details: `Exit code: 0, ${EXIT.failure} if the input has problems or says too little, ${EXIT.usage} for a wrong command line.`,
  examples: [
    { command: "castor identify identify-link-1", about: "the first link of the paper, better than it is printed" },
    { command: "castor identify identify-link-1 --grid", about: "the same on the paper's grid: exactly its Table 2" },
  ],
  run(args, terminal) {
    const path = pathOf(args.file);
    const file = parseMeasurementFile(readFileSync(path, "utf8"), path);
    const found = mendable(() => (args.grid ? onGrid(file) : identify(file.rod, file.measurements, file.options)));
    const damping =
      file.ratios.length === 0
        ? undefined
        : mendable(() =>
            identifyDamping(file.rod, found.cuts, found.stiffnesses, file.ratios, {
              stiffnessErrors: found.uncertainty.stiffnesses,
            }),
          );
    if (args.plot !== undefined)
      writeWhole(
        args.plot,
        misfitSvg(
          file.name,
          found.rows.map(({ measurement, misfit }) => ({ name: nameOf(measurement), misfit })),
        ),
      );
    if (args.json)
      terminal.print(
        toJson({
          ...{ name: file.name, rod: file.rod, ...found },
          ...{ unweighted: unweighted(file.measurements), decays: file.decays, damping: damping ?? null },
        }),
      );
    else terminal.print(text(file, found, damping, args.plot, terminal));
    return 0;
  },
});

function pathOf(argument: string): string {
  const builtIn = packagePath(`scenarios/${argument}/${FILE}`);
  const place = existsSync(argument) ? argument : builtIn;
  if (!existsSync(place)) {
    const names = builtInNames(FILE);
    throw new CommandError(
      `there is no file ${JSON.stringify(argument)}\n  built-in: ${names.join(", ")}\n  ${didYouMean(argument, names)}`,
    );
  }
  return statSync(place).isDirectory() ? join(place, FILE) : place;
}

/** What a question lacks is the user's to mend. */
function mendable<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) throw new CommandError(error.message);
    throw error;
  }
}

/** The best of the grid, with everything else that is said of a result: its cuts held, its stiffnesses rounded to the grid. */
function onGrid({ rod, measurements, grid }: IdentifyFile): Identified {
  if (grid === undefined) throw new CommandError("the file has no grid: add grid: { stiffness: ... }");
  const { parts, stiffnesses, criterion } = gridSearch(rod, measurements, grid);
  const cuts = [parts[0] * rod.length, (parts[0] + parts[1]) * rod.length];
  const near = identify(rod, measurements, { cuts, starts: 1 });
  const rows = rowsAt(rod, measurements, cuts, stiffnesses);
  return { ...near, rows, cuts, stiffnesses, criterion, contradictions: contradictionsOf(rod, rows) };
}

const rowsAt = (
  rod: IdentifyFile["rod"],
  measurements: IdentifyFile["measurements"],
  cuts: readonly number[],
  k: readonly number[],
): Identified["rows"] =>
  measurements.map((measurement) => {
    const model = modelValue(rod, cuts, k, measurement);
    const misfit = model / measurement.value - 1;
    return { measurement, model, misfit, sigmas: measurement.error === undefined ? Number.NaN : misfit / measurement.error };
  });

const ratioText = ({ mode, ratio, tipMass = 0 }: IdentifyFile["ratios"][number]): string =>
  `${short(ratio, 4)} (mode ${mode}${tipMass > 0 ? ` with ${short(tipMass, 4)} kg` : ""})`;

function light({ rows }: Identified): readonly string[] {
  const names = unweighted(rows.map((row) => row.measurement));
  return names.length === 0
    ? []
    : [
        `Without an error beside others that have one, these count as if known to 100 %: ${names.join(", ")}. Give errors, or weights.`,
      ];
}

function text(
  { name, rod, ratios, decays }: IdentifyFile,
  found: Identified,
  damping: ReturnType<typeof identifyDamping> | undefined,
  plot: string | undefined,
  { style, width }: Terminal,
): string {
  const error = (sigma: number): string =>
    sigma === 0 || Number.isNaN(sigma) ? "" : Number.isFinite(sigma) ? `± ${short(sigma, 2)}` : "open";
  const { uncertainty: u } = found;
  const contradictions = [...found.contradictions, ...(damping?.contradictions ?? [])];
  const said = {
    errors: "from the errors of the measurements",
    fit: "from how well the model fits",
    none: "not known: no errors are given",
  };
  return [
    style.bold(name),
    `criterion ${short(found.criterion, 6)}; standard errors ${said[found.basis]}`,
    "",
    ...columns(
      [
        { head: "joint", cells: found.cuts.map((_, j) => `${j + 1}`), align: "right" },
        { head: "at, m", cells: found.cuts.map((x) => short(x, 6)), align: "point" },
        { head: "", cells: u.cuts.map(error) },
        { head: "of the length", cells: found.cuts.map((x) => short(x / rod.length, 5)), align: "point" },
        { head: "N m/rad", cells: found.stiffnesses.map((k) => short(k, 6)), align: "point" },
        { head: "", cells: u.stiffnesses.map(error) },
        ...(damping
          ? [
              { head: "N m s/rad", cells: damping.dampers.values.map((d) => short(d, 5)), align: "point" as const },
              { head: "", cells: damping.dampers.errors.map(error) },
            ]
          : []),
      ],
      style,
    ),
    "",
    ...columns(
      [
        { head: "", cells: found.rows.map(({ measurement }) => nameOf(measurement)) },
        { head: "measured", cells: found.rows.map(({ measurement }) => short(measurement.value, 6)), align: "right" },
        { head: "model", cells: found.rows.map(({ model }) => short(model, 6)), align: "right" },
        { head: "off by", cells: found.rows.map(({ misfit }) => `${short(100 * misfit, 3)} %`), align: "right" },
      ],
      style,
    ),
    ...decays.flatMap((d) => [
      "",
      `Decay of mode ${d.mode}: ${short(d.frequency, 6)} Hz ± ${short(d.frequencyError, 2)}, damping ratio ${short(d.dampingRatio, 4)} ± ${short(d.dampingRatioError, 2)}`,
    ]),
    ...(damping === undefined
      ? []
      : [
          "",
          ...wrapped(
            `Damping ratios ${ratios.map(ratioText).join(", ")}: in proportion to stiffness with ${short(damping.proportional.time, 4)} s; ` +
              (damping.dampers.feasible
                ? "the dampers above give them all."
                : `no dampers in the joints give them all, those above give ${damping.dampers.ratios.map((z) => short(z, 3)).join(", ")}; the matrix of --json does, as damping: { ratios: ... } of an elastic body.`),
            width,
            "",
          ),
        ]),
    ...light(found).flatMap((line) => ["", ...wrapped(line, width, "")]),
    ...found.open.map((what) => `\n${style.warn("Open")}  the measurements do not tell ${what}`),
    ...(contradictions.length > 0
      ? ["", style.warn("Contradictory"), ...contradictions.flatMap((line) => wrapped(line, width, "  "))]
      : []),
    ...(plot === undefined ? [] : ["", `  ${plot}   the misfits`]),
  ].join("\n");
}
