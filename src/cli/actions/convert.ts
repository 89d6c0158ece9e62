/** `castor convert`: writes a model in another file format. */
import { existsSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { stringify } from "yaml";
import { type Fields, isFields } from "../../declare/plain-data.ts";
import type { ExportedRobot, MissingFeature, WrittenRobot } from "../../formats/export/exported-robot.ts";
import { formatModel } from "../../formats/model-file.ts";
import { formatByName, writableFormats } from "../../formats/model-formats.ts";
import type { NamedState, UnsupportedFeature } from "../../formats/robot/imported-model.ts";
import { describeModel } from "../../model/build/describe-model.ts";
import { coordinateNames } from "../../model/model.ts";
import { describeScenario } from "../../scenario/load.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { listedTexts } from "../arguments.ts";
import { type Action, UsageError } from "../command.ts";
import type { convertCommand } from "../commands/convert.ts";
import { type ChosenScenario, loadScenarioArgument } from "../files/scenario-argument.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { toJson } from "../text/json.ts";

export const run: Action<typeof convertCommand> = async (args, terminal) => {
  const { output } = args;
  const write = writerOf(output, args.scenario === true);
  const chosen = await loadScenarioArgument(args.file, args);
  const { scenario, source, kind } = chosen;
  if (existsSync(source) && existsSync(output) && realpathSync(source) === realpathSync(output))
    throw new UsageError(`OUTPUT is the file that is read, ${JSON.stringify(output)}. Name another file`);
  const written = write(chosen, [dirname(source), ...listedTexts(args.packages)], output);
  const files = writeFiles(output, written);
  const { model } = scenario;
  const notUnderstood = chosen.imported()?.unsupported ?? [];
  const summary = {
    ...{ source, kind, files, bodies: model.bodies.length, freedoms: model.nu },
    loops: model.loops.length + model.openLoops.length,
    missing: written.missing,
    notUnderstood,
  };
  terminal.print(args.json ? toJson(summary) : summaryText(summary, output));
  return 0;
};

type Writer = (chosen: ChosenScenario, folders: readonly string[], output: string) => WrittenRobot;

/** @throws UsageError if no format has the ending */
function writerOf(output: string, asScenario: boolean): Writer {
  const extension = extname(output).toLowerCase();
  if ([".yaml", ".yml", ".json"].includes(extension)) return asScenario ? scenarioFile : modelFile;
  const format = formatByName(output);
  if (format?.write === undefined)
    throw new UsageError(
      `OUTPUT must end with .yaml, .json, .urdf or .xml, got ${JSON.stringify(output)}; formats: castor, ${writableFormats().join(", ")}`,
    );
  if (asScenario) throw new UsageError("--scenario writes Castor's own files: OUTPUT must end with .yaml or .json");
  return (chosen, folders, path) => {
    const robot = exportedRobot(chosen, meshPaths(folders, path));
    const written = format.write!(robot, chosen.source);
    return { ...written, missing: [...written.missing, ...lostSections(chosen.scenario)] };
  };
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

function exportedRobot({ scenario, imported }: ChosenScenario, meshPath: (path: string) => string): ExportedRobot {
  const { limits, states, contactShapes, noContact } = imported() ?? {};
  return {
    model: scenario.model,
    forces: fieldsOf(scenario.document.forces) as ExportedRobot["forces"],
    limits,
    states: { ...states, start: startOf(scenario) },
    contactShapes,
    noContact,
    meshPath,
  };
}

/** The start of the scenario by hinge. */
function startOf({ model, q, u }: Scenario): NamedState {
  const values = (all: Float64Array, key: "q" | "u", count: "nq" | "nu"): NamedState["q"] =>
    Object.fromEntries(
      model.bodies
        .filter(({ hinge }) => hinge[count] > 0)
        .map(({ hinge }) => [hinge.name, Array.from(all.subarray(hinge[key], hinge[key] + hinge[count]))]),
    );
  return { q: values(q, "q", "nq"), u: values(u, "u", "nu") };
}

/** Sections of a scenario that robot files do not have. */
const lostSections = ({ document }: Scenario): readonly MissingFeature[] =>
  ["controllers", "events", "terrain", "devices", "approach"].flatMap((section) =>
    Object.keys(fieldsOf(document[section])).map((name) => ({
      feature: `${section.replace(/s$/, "")} "${name}"`,
      effect: "robot files have none",
    })),
  );

/** Paths of meshes as a file in another folder names them. */
function meshPaths(folders: readonly string[], output: string): (path: string) => string {
  const target = dirname(resolve(output));
  return (path) => {
    const [, owner, rest] = /^([^/]+)\/(.+)$/.exec(path) ?? [];
    const places = folders.flatMap((folder) => [
      join(folder, path),
      ...(rest !== undefined && basename(resolve(folder)) === owner ? [join(folder, rest)] : []),
    ]);
    const found = places.find(existsSync);
    return found === undefined ? path : relative(target, resolve(found)).split(sep).join("/");
  };
}

const modelFile: Writer = ({ scenario }, _folders, output) => {
  const { model, document } = scenario;
  const isJson = extname(output).toLowerCase() === ".json";
  const text = isJson ? `${toJson({ castor: 1, ...describeModel(model) })}\n` : formatModel(model);
  const lost = Object.keys(fieldsOf(document.forces)).map((name) => ({
    feature: `force "${name}"`,
    effect: "a model file has none",
  }));
  const names = coordinateNames(model).q.length > 0 ? [{ feature: "the start", effect: "a model file has none" }] : [];
  const hint = lost.length > 0 ? [{ feature: "these parts", effect: "write a scenario, which has them: add --scenario" }] : [];
  return { text, missing: [...lost, ...names, ...hint, ...lostSections(scenario)] };
};

const scenarioFile: Writer = ({ scenario }, _folders, output) => {
  const data = { castor: 1, ...describeScenario(scenario) };
  const isJson = extname(output).toLowerCase() === ".json";
  return { text: isJson ? `${toJson(data)}\n` : stringify(data, { lineWidth: 130, aliasDuplicateObjects: false }), missing: [] };
};

/** Writes both files or none. */
function writeFiles(output: string, { text, companion }: WrittenRobot): readonly string[] {
  if (companion === undefined) {
    writeFileAtomically(output, text);
    return [output];
  }
  const beside = output.slice(0, output.length - extname(output).length) + companion.extension;
  const isNew = !existsSync(beside);
  writeFileAtomically(beside, companion.text);
  try {
    writeFileAtomically(output, text);
  } catch (error) {
    if (isNew) rmSync(beside, { force: true });
    throw error;
  }
  return [output, beside];
}

interface Conversion {
  readonly source: string;
  readonly files: readonly string[];
  readonly bodies: number;
  readonly freedoms: number;
  readonly loops: number;
  readonly missing: readonly MissingFeature[];
  readonly notUnderstood: readonly UnsupportedFeature[];
}

function summaryText({ source, files, bodies, freedoms, loops, missing, notUnderstood }: Conversion, output: string): string {
  const counted = (n: number, noun: string): string => `${n} ${n === 1 ? noun : noun.replace(/y$/, "ie")}${n === 1 ? "" : "s"}`;
  const list = (title: string, lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ["", title, ...lines]);
  return [
    `${files.join(" and ")}: ${counted(bodies, "body")}, ${counted(freedoms, "freedom")}, ${counted(loops, "loop")}`,
    ...list(
      `Not in ${output} as in the model:`,
      missing.map(({ feature, effect }) => `  ${feature}: ${effect}`),
    ),
    ...list(
      `Not understood in ${source}:`,
      notUnderstood.map(({ feature, effect, count }) => `  ${feature}${count > 1 ? ` (${count} times)` : ""}: ${effect}`),
    ),
  ].join("\n");
}
