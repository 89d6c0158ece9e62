/** Access to the files that a scenario names. The caller implements it: disk in Node, dropped files in a browser. */

import { didYouMean } from "../declare/names.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import { isModelFileName, modelExtensions } from "../formats/model-formats.ts";
import type { ImportOptions } from "../formats/robot/imported-model.ts";
import type { LoadedMaps } from "../parts/terrain/terrain.ts";

/** The text of a file, and the name of the file for messages. */
export interface NamedText {
  readonly text: string;
  readonly source: string;
}

export interface ScenarioFiles {
  /** Reads a text file by its path relative to the scenario's folder; the path cannot leave it. @throws ModelError if it cannot be read. */
  readBeside(path: string): NamedText;
  /** Reads a text file that the user named on the command line, in any folder. @throws ModelError if it cannot be read. */
  readChosen(path: string): NamedText;
  /** Names of the built-in models; `readBuiltIn` reads the file of one. */
  readonly builtIns: readonly string[];
  readBuiltIn(name: string): NamedText;
  /** Like `readBeside`, for a binary file. @throws ModelError if it cannot be read. */
  readBytes?(path: string): Uint8Array;
  /** For a model that is a robot file (URDF): its base, and where its meshes are. */
  readonly importOptions?: ImportOptions;
  /** Maps by path: the raster, or the error if it could not be read. Filled by `openScenario`. */
  readonly maps?: LoadedMaps;
}

/** For scenarios that contain their model. */
export const NO_FILES: ScenarioFiles = {
  readBeside: refuseFile,
  readChosen: refuseFile,
  builtIns: [],
  readBuiltIn: refuseFile,
};

function refuseFile(path: string): never {
  throw new ModelError(path, [{ path: "", message: "cannot be read: no files were given with this scenario" }]);
}

/** Reads the file that `model: NAME` of a scenario refers to. Returns undefined after a problem. */
export function findModelFile(
  name: string,
  path: string,
  chosenByUser: boolean,
  files: ScenarioFiles,
  problems: Problem[],
): NamedText | undefined {
  if (isModelFileName(name)) {
    if (chosenByUser) return files.readChosen(name);
    const refusal = pathProblem(name);
    if (refusal === undefined) return files.readBeside(name);
    problems.push({
      path,
      message: refusal,
      value: valueText(name),
      advice: "A scenario reads its model from its own folder or below. To use another file: --set model=FILE",
    });
    return undefined;
  }
  if (files.builtIns.includes(name)) return files.readBuiltIn(name);
  problems.push({
    path,
    message: `is neither a file (${modelExtensions().join(", ")}) nor a built-in model`,
    value: valueText(name),
    advice: didYouMean(name, files.builtIns),
  });
  return undefined;
}

/** Reads the file that `state: NAME` of a scenario refers to. Returns undefined after a problem. */
export function findStateFile(
  name: string,
  chosenByUser: boolean,
  files: ScenarioFiles,
  problems: Problem[],
): NamedText | undefined {
  const refusal = /\.(ya?ml|json)$/i.test(name)
    ? chosenByUser
      ? undefined
      : pathProblem(name)
    : "is not a state file (.yaml, .yml, .json)";
  if (refusal === undefined) return chosenByUser ? files.readChosen(name) : files.readBeside(name);
  problems.push({
    path: "state",
    message: refusal,
    value: valueText(name),
    advice: "A scenario reads its state from its own folder or below. To use another file: --set state=FILE",
  });
  return undefined;
}

/** Why a path of a scenario is refused, or undefined. Scenarios may come from untrusted sources, so paths must stay in the folder. */
export function pathProblem(path: string): string | undefined {
  if (/^[\\/]|^[a-z][a-z\d+.-]*:/i.test(path)) return "must be a path relative to the scenario";
  if (path.includes("\\") || path.includes("\0")) return "must be written with / between folders";
  let depth = 0;
  for (const part of path.split("/")) {
    depth += part === ".." ? -1 : part === "." || part === "" ? 0 : 1;
    if (depth < 0) return "must not lead out of the scenario's folder";
  }
  return undefined;
}
