/** The file that an argument names: a path, a folder, the name of a built-in scenario, or - for standard input. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { nearestNames } from "../../declare/names.ts";
import { readText } from "../../formats/node-files.ts";
import { CommandError } from "../command.ts";
import { STANDARD_INPUT } from "../options.ts";
import { builtInNames, packagePath } from "./package-files.ts";
import { readStandardInput } from "./standard-input.ts";

/** Files that a folder may stand for. */
export type FolderFile = "scenario.yaml" | "model.yaml" | "campaign.yaml";

export interface ChosenFile {
  readonly text: string;
  /** Path for messages. */
  readonly source: string;
  /** Folder of the files that it names. */
  readonly folder: string;
  /** Short name: `arms` for arms/scenario.yaml, `fast` for arms/fast.yaml. */
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** True if the argument is a folder or a built-in scenario, whose file state.yaml belongs to the model. */
  readonly isFolder: boolean;
}

/**
 * Reads the file of an argument. A folder stands for the first of `files` that it contains, also the folder of a built-in scenario.
 * @param what "scenario" or "model", for messages. @throws CommandError if it does not exist, ModelError if it cannot be read.
 */
export function readChosenFile(argument: string, what: string, files: readonly FolderFile[]): ChosenFile {
  if (argument === STANDARD_INPUT)
    return {
      ...{ text: readStandardInput(), source: "standard input", folder: ".", name: "standard-input" },
      ...{ isBuiltIn: false, isFolder: false },
    };
  const isBuiltIn = !existsSync(argument) && isBuiltInName(argument, files);
  const location = isBuiltIn ? shortestPath(packagePath(`scenarios/${argument}`)) : argument;
  if (!existsSync(location)) throw new CommandError(nothingNamed(argument, what, files));
  const isFolder = statSync(location).isDirectory();
  const source = isFolder ? files.map((file) => join(location, file)).find(existsSync) : location;
  if (source === undefined)
    throw new CommandError(
      `${argument} is a folder without a ${files.join(" or a ")}: tried ${files.map((file) => join(location, file)).join(", ")}`,
    );
  return { text: readText(source), source, folder: dirname(source), name: shortName(source), isBuiltIn, isFolder };
}

const isBuiltInName = (name: string, files: readonly FolderFile[]): boolean =>
  files.some((file) => builtInNames(file).includes(name));

function shortName(path: string): string {
  const name = basename(path, extname(path));
  return name === "scenario" || name === "model" || name === "campaign" ? basename(dirname(resolve(path))) : name;
}

/** The path relative to the current folder if that is shorter. */
export function shortestPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

const MAX_SUGGESTIONS = 5;

/** Says what was tried, the most similar built-in names, and how to list all. */
function nothingNamed(argument: string, what: string, files: readonly FolderFile[]): string {
  const names = [...new Set(files.flatMap((file) => builtInNames(file)))];
  const similar = nearestNames(argument, names, MAX_SUGGESTIONS);
  const kind = files.includes("campaign.yaml") ? "campaigns" : "scenarios";
  return [
    `there is no ${what} ${JSON.stringify(argument)}`,
    `  tried the file ${resolve(argument)}`,
    ...(similar.length === 0 ? [] : [`  Did you mean ${similar.map((name) => JSON.stringify(name)).join(", ")}?`]),
    names.length === 0 ? `  there are no built-in ${kind}` : `  castor list ${kind} shows all ${names.length} built-in ones`,
  ].join("\n");
}
