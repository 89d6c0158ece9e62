/** Where the models come from that a scenario names. Reading is up to the caller: disk in Node, dropped files in a browser. */

import { didYouMean } from "../declare/names.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import type { LoadedMaps } from "../parts/terrain/terrain.ts";

/** A text and how it is called in messages. */
export interface NamedText {
  readonly text: string;
  readonly source: string;
}

export interface ScenarioFiles {
  /** A file by its path from the folder of the scenario, which it cannot leave. @throws ModelError if it cannot be read. */
  readBeside(path: string): NamedText;
  /** A file that the user named, wherever it is. @throws ModelError if it cannot be read. */
  readChosen(path: string): NamedText;
  /** Names of the built-in models, and the file of one. */
  readonly builtIns: readonly string[];
  readBuiltIn(name: string): NamedText;
  /** A file of bytes, as `beside`. @throws ModelError if it cannot be read. */
  readBytes?(path: string): Uint8Array;
  /** Maps that have been read, or why they could not be, by path: see `openScenario`. */
  readonly maps?: LoadedMaps;
}

/** For scenarios that carry their model along. */
export const NO_FILES: ScenarioFiles = {
  readBeside: refuseFile,
  readChosen: refuseFile,
  builtIns: [],
  readBuiltIn: refuseFile,
};

function refuseFile(path: string): never {
  throw new ModelError(path, [{ path: "", message: "there are no files here to take it from" }]);
}

const MODEL_FILE_NAME = /\.(ya?ml|json)$/i;

/** The file that a scenario means by `model: ...`; undefined after a problem. */
export function findModelFile(
  name: string,
  path: string,
  chosenByUser: boolean,
  files: ScenarioFiles,
  problems: Problem[],
): NamedText | undefined {
  if (MODEL_FILE_NAME.test(name)) {
    if (chosenByUser) return files.readChosen(name);
    const wrong = pathProblem(name);
    if (wrong === undefined) return files.readBeside(name);
    problems.push({
      path,
      message: wrong,
      value: valueText(name),
      advice: "A scenario takes its model from its own folder or below; give another one on the command line: --set model=FILE",
    });
    return undefined;
  }
  if (files.builtIns.includes(name)) return files.readBuiltIn(name);
  problems.push({
    path,
    message: "is neither a file (.yaml, .yml, .json) nor a built-in model",
    value: valueText(name),
    advice: didYouMean(name, files.builtIns),
  });
  return undefined;
}

/** A scenario may come from anywhere: the paths in it must not lead out of its folder. */
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
