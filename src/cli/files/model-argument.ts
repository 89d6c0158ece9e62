/** The argument MODEL: a file, a folder with a model.yaml, the name of a built-in scenario, or standard input. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseModel } from "../../formats/model-file.ts";
import { loadStateFile } from "../../formats/node-files.ts";
import type { InitialState } from "../../formats/state-file.ts";
import { homeOf, type Model } from "../../model/model.ts";
import { readChosenFile, shortestPath } from "./chosen-file.ts";
import { type RobotArguments, robotFiles } from "./robot-files.ts";

export interface ChosenModel {
  readonly model: Model;
  readonly source: string;
  /** Path of the file state.yaml in the folder of the model, if there is one. */
  readonly stateBeside: string | undefined;
  readonly isBuiltIn: boolean;
}

/** Loads the model. @throws CommandError if it does not exist, ModelError if it has problems. */
export function loadModelArgument(argument: string, robot: RobotArguments = {}): ChosenModel {
  const { text, source, folder, isBuiltIn, isFolder } = readChosenFile(argument, "model", ["model.yaml"]);
  const state = join(folder, "state.yaml");
  return {
    model: parseModel(text, source, robotFiles(folder, robot).options),
    source,
    stateBeside: isFolder && existsSync(state) ? shortestPath(state) : undefined,
    isBuiltIn,
  };
}

/** The state in the file. Without a file: home position, at rest, no forces. */
export function loadState(model: Model, path: string | undefined): InitialState {
  if (path !== undefined) return loadStateFile(path, model);
  return { q: homeOf(model), u: new Float64Array(model.nu), tau: new Float64Array(model.nu), wrenches: [] };
}
