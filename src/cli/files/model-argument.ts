/** The argument MODEL: a file, a folder with a model.yaml, or the name of a built-in scenario. */
import { existsSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { didYouMean } from "../../declare/names.ts";
import { loadModelFile, loadStateFile } from "../../formats/node-files.ts";
import type { InitialState } from "../../formats/state-file.ts";
import { homeOf, type Model } from "../../model/model.ts";
import { CommandError } from "../command.ts";
import { builtInNames, packagePath } from "./package-files.ts";

export const MODEL_ARGUMENT = {
  type: "positional",
  required: true,
  description: "a model file, or the name of a built-in scenario",
} as const;

export interface ChosenModel {
  readonly model: Model;
  readonly source: string;
  /** Path of the file state.yaml in the folder of the model, if there is one. */
  readonly stateBeside: string | undefined;
  readonly isBuiltIn: boolean;
}

/** Loads the model. @throws CommandError if it does not exist, ModelError if it has problems. */
export function loadModelArgument(argument: string): ChosenModel {
  const isBuiltIn = !existsSync(argument) && builtInNames().includes(argument);
  const location = isBuiltIn ? packagePath(`scenarios/${argument}`) : argument;
  if (!existsSync(location)) throw new CommandError(noSuchModel(argument));
  if (!statSync(location).isDirectory())
    return { model: loadModelFile(location), source: location, stateBeside: undefined, isBuiltIn };
  const source = join(location, "model.yaml");
  if (!existsSync(source)) throw new CommandError(`${argument} is a folder without a model.yaml: tried ${source}`);
  const state = join(location, "state.yaml");
  const name = isBuiltIn ? shortestPath(source) : source;
  return {
    model: loadModelFile(name),
    source: name,
    stateBeside: existsSync(state) ? shortestPath(state) : undefined,
    isBuiltIn,
  };
}

/** The state in the file. Without a file: home position, at rest, no forces. */
export function loadState(model: Model, path: string | undefined): InitialState {
  if (path !== undefined) return loadStateFile(path, model);
  return { q: homeOf(model), u: new Float64Array(model.nu), tau: new Float64Array(model.nu), wrenches: [] };
}

/** The path relative to the current folder if that is shorter. */
export function shortestPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

function noSuchModel(argument: string): string {
  const names = builtInNames();
  const advice = didYouMean(argument, names);
  return [
    `there is no model ${JSON.stringify(argument)}`,
    `  tried the file ${resolve(argument)}`,
    `  built-in: ${names.join(", ") || "none"}`,
    ...(advice.startsWith("Did") ? [`  ${advice}`] : []),
  ].join("\n");
}
