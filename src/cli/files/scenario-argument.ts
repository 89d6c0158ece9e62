/** The argument SCENARIO: a file, a folder with a scenario.yaml, or the name of a built-in scenario; and options that change it. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { didYouMean } from "../../declare/names.ts";
import { FORMULATIONS } from "../../dynamics/formulations.ts";
import { readText } from "../../formats/node-files.ts";
import { type BuiltIns, diskFiles } from "../../scenario/node-files.ts";
import { openScenario } from "../../scenario/open.ts";
import { type Override, parseOverride } from "../../scenario/override.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { INTEGRATORS } from "../../sim/integrators/index.ts";
import { listedTexts } from "../arguments.ts";
import { CommandError } from "../command.ts";
import { meshFiles } from "./mesh-files.ts";
import { shortestPath } from "./model-argument.ts";
import { builtInNames, packagePath } from "./package-files.ts";

export const SCENARIO_ARGUMENT = {
  type: "positional",
  required: true,
  description: "a scenario file, or the name of a built-in scenario",
} as const;

/** Options that change a scenario before it runs. */
export const SCENARIO_CHANGES = {
  set: {
    type: "string",
    valueHint: "PATH=VALUE",
    list: "of texts",
    description: "change a value of the scenario, e.g. forces.control.stiffness=12; repeatable",
  },
  integrator: {
    type: "enum",
    options: Object.keys(INTEGRATORS),
    description: "use this integrator, with default tolerances of integrator and audit",
  },
  duration: { type: "string", valueHint: "TIME", description: "use this duration, in seconds or with a unit, e.g. '2 min'" },
} as const;

export const FORMULATION_OPTION = {
  type: "enum",
  options: Object.keys(FORMULATIONS),
  description: "use this formulation of the equations of motion",
} as const;

export interface ChangeArguments {
  readonly set?: string | undefined;
  readonly formulation?: string | undefined;
  readonly integrator?: string | undefined;
  readonly duration?: string | undefined;
}

export interface ChosenScenario {
  readonly scenario: Scenario;
  /** Short name for files and messages: that of the built-in scenario, of the folder, or of the file. */
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** Contents of the maps of the scenario, by their paths relative to it. */
  readonly maps: ReadonlyMap<string, () => Uint8Array>;
  /** Contents of the meshes of the model, by the paths in the model. */
  meshes(): ReadonlyMap<string, Uint8Array>;
}

export const BUILT_IN_MODELS: BuiltIns = {
  names: builtInNames(),
  path: (name) => shortestPath(packagePath(`scenarios/${name}/model.yaml`)),
};

/** Loads the scenario with the changes of the command line. @throws CommandError if it does not exist, ModelError if it has problems. */
export async function loadScenarioArgument(argument: string, changes: ChangeArguments = {}): Promise<ChosenScenario> {
  const isBuiltIn = !existsSync(argument) && builtInNames("scenario.yaml").includes(argument);
  const location = isBuiltIn ? shortestPath(packagePath(`scenarios/${argument}`)) : argument;
  if (!existsSync(location)) throw new CommandError(noSuchScenario(argument));
  const path = statSync(location).isDirectory() ? join(location, "scenario.yaml") : location;
  if (!existsSync(path)) throw new CommandError(`${argument} is a folder without a scenario.yaml: tried ${path}`);
  const files = diskFiles(dirname(path), BUILT_IN_MODELS);
  const maps = new Map<string, () => Uint8Array>();
  const folders = new Set([""]);
  /** Records which maps and folders the scenario reads. */
  const recordingFiles: typeof files = {
    ...files,
    readBytes: (file) => {
      const content = files.readBytes!(file);
      maps.set(file, () => files.readBytes!(file));
      return content;
    },
    readBeside: (file) => {
      folders.add(file.slice(0, file.lastIndexOf("/") + 1));
      return files.readBeside(file);
    },
  };
  const scenario = await openScenario(readText(path), path, { files: recordingFiles, overrides: overridesOf(changes) });
  return { scenario, name: scenarioName(path), isBuiltIn, maps, meshes: () => meshFiles(scenario.model, [...folders], files) };
}

/** Short name: `arms` for arms/scenario.yaml, `fast` for arms/fast.yaml. */
function scenarioName(path: string): string {
  const name = basename(path, extname(path));
  return name === "scenario" ? basename(dirname(resolve(path))) : name;
}

function overridesOf({ set, formulation, integrator, duration }: ChangeArguments): Override[] {
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

function noSuchScenario(argument: string): string {
  const names = builtInNames("scenario.yaml");
  const advice = didYouMean(argument, names);
  return [
    `there is no scenario ${JSON.stringify(argument)}`,
    `  tried the file ${resolve(argument)}`,
    `  built-in: ${names.join(", ") || "none"}`,
    ...(advice.startsWith("Did") ? [`  ${advice}`] : []),
  ].join("\n");
}
