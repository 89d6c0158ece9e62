/** The argument SCENARIO: a scenario or model file, a folder, the name of a built-in scenario, or standard input; and options that change it. */
import { basename } from "node:path";
import { kindOfFile } from "../../formats/file-kind.ts";
import { checkedFormat, formatOf, readModelDocument } from "../../formats/model-formats.ts";
import type { ImportedModel } from "../../formats/robot/imported-model.ts";
import type { NamedText, ScenarioFiles } from "../../scenario/files.ts";
import { loadScenario } from "../../scenario/load.ts";
import { modelScenario } from "../../scenario/model-scenario.ts";
import { type BuiltIns, diskFiles } from "../../scenario/node-files.ts";
import { withMaps } from "../../scenario/open.ts";
import { type Override, parseOverride } from "../../scenario/override.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { registerPrintedForms } from "../../validation/register.ts";
import { listedTexts } from "../arguments.ts";
import { type ChosenFile, readChosenFile, shortestPath } from "./chosen-file.ts";
import { meshFiles } from "./mesh-files.ts";
import { builtInNames, packagePath } from "./package-files.ts";
import { type RobotArguments, robotFiles } from "./robot-files.ts";

export interface ChangeArguments extends RobotArguments {
  readonly set?: string | undefined;
  readonly formulation?: string | undefined;
  readonly integrator?: string | undefined;
  readonly duration?: string | undefined;
}

export interface ChosenScenario {
  readonly scenario: Scenario;
  /** Short name for files and messages: that of the built-in scenario, of the folder, or of the file. */
  readonly name: string;
  /** Path for messages. */
  readonly source: string;
  /** "scenario", "model", or the format of a robot file: "URDF robot". */
  readonly kind: string;
  readonly isBuiltIn: boolean;
  /** Everything that the robot file describes; undefined if the model is not a robot file. */
  imported(): ImportedModel | undefined;
  /** Contents of the maps of the scenario, by their paths relative to it. */
  readonly maps: ReadonlyMap<string, () => Uint8Array>;
  /** Access to the files that the scenario names; its maps are read already. */
  readonly files: ScenarioFiles;
  /** Contents of the meshes of the model, by the paths in the model. */
  meshes(): ReadonlyMap<string, Uint8Array>;
}

export const BUILT_IN_MODELS: BuiltIns = {
  names: builtInNames(),
  path: (name) => shortestPath(packagePath(`scenarios/${name}/model.yaml`)),
};

/**
 * Loads the scenario with the changes of the command line. A model without a scenario runs for 10 s from its home position.
 * @throws CommandError if it does not exist, ModelError if it has problems.
 */
export async function loadScenarioArgument(argument: string, changes: ChangeArguments = {}): Promise<ChosenScenario> {
  registerPrintedForms();
  const chosen = readChosenFile(argument, "scenario", ["scenario.yaml", "model.yaml"]);
  const { text, source, files } = isModel(chosen) ? scenarioOfModel(chosen, changes) : scenarioOfFile(chosen, changes);
  let robot: NamedText | undefined;
  const maps = new Map<string, () => Uint8Array>();
  const folders = new Set([""]);
  /** Records which maps and folders the scenario reads. */
  const recordingFiles: ScenarioFiles = {
    ...files,
    readBytes: (file) => {
      const content = files.readBytes!(file);
      maps.set(file, () => files.readBytes!(file));
      return content;
    },
    readBeside: (file) => {
      folders.add(file.slice(0, file.lastIndexOf("/") + 1));
      const content = files.readBeside(file);
      if (formatOf(content.text, content.source) !== undefined) robot = content;
      return content;
    },
  };
  const overrides = overridesOf(changes);
  const filesWithMaps = await withMaps(text, source, { files: recordingFiles, overrides });
  const scenario = loadScenario(text, source, { files: filesWithMaps, overrides });
  const { name, isBuiltIn } = chosen;
  return {
    ...{ scenario, name, isBuiltIn, maps, source, kind: kindOf(chosen), files: filesWithMaps },
    imported: () => robot && readModelDocument(robot.text, robot.source, files.importOptions).imported,
    meshes: () => meshFiles(scenario.model, [...folders], files),
  };
}

/** True for a model without a scenario. The kind follows from the name of the file if it can, because that needs no parsing. */
function isModel({ text, source }: ChosenFile): boolean {
  const name = basename(source);
  if (formatOf(text, source) !== undefined) return true;
  return name === "model.yaml" || (name !== "scenario.yaml" && kindOfFile(text) === "model");
}

const kindOf = (chosen: ChosenFile): string => {
  const format = formatOf(chosen.text, chosen.source);
  if (format !== undefined) return `${format.name.toUpperCase()} robot`;
  return isModel(chosen) ? "model" : "scenario";
};

type ScenarioText = NamedText & { readonly files: ScenarioFiles };

const scenarioOfFile = ({ text, source, folder }: ChosenFile, robot: RobotArguments): ScenarioText => ({
  text,
  source,
  files: filesWithRobots(folder, robot),
});

/** Files of a folder, with the meshes that a robot file refers to. */
export function filesWithRobots(folder: string, robot: RobotArguments): ScenarioFiles {
  const files = diskFiles(folder, BUILT_IN_MODELS);
  const { options, readMesh } = robotFiles(folder, robot);
  return { ...files, importOptions: options, readBytes: (path) => readMesh(path) ?? files.readBytes!(path) };
}

/** The model is given to the scenario under a name that scenarios accept. */
function scenarioOfModel({ text, source, folder }: ChosenFile, robot: RobotArguments): ScenarioText {
  const files = filesWithRobots(folder, robot);
  const isRobot = checkedFormat(text, source) !== undefined;
  const model = isRobot ? "model.urdf" : /\.(ya?ml|json)$/i.test(source) ? basename(source) : "model.yaml";
  const readBeside = (name: string): NamedText => (name === model ? { text, source } : files.readBeside(name));
  return { text: modelScenario(model), source, files: { ...files, readBeside } };
}

/** The changes of the command line. */
export function overridesOf({ set, formulation, integrator, duration }: ChangeArguments): Override[] {
  const overrides: Override[] = [];
  if (integrator !== undefined) {
    const from = `--integrator ${integrator}`;
    // The tolerances of the scenario are meant for its own integrator.
    overrides.push({ path: "integrator.name", value: integrator, from });
    overrides.push(
      ...["relativeTolerance", "absoluteTolerance"].map((key) => ({ path: `integrator.${key}`, value: undefined, from })),
    );
    overrides.push({ path: "audit", value: undefined, from });
  }
  if (formulation !== undefined)
    overrides.push({ path: "formulation", value: formulation, from: `--formulation ${formulation}` });
  if (duration !== undefined) overrides.push(parseOverride(`duration=${duration}`, `--duration ${duration}`));
  return [...overrides, ...listedTexts(set).map((text) => parseOverride(text))];
}
