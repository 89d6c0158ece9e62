/** Content of the files that `castor studio` opens. The page reads them like files that are dropped onto it. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { didYouMean } from "../../declare/names.ts";
import { ModelError } from "../../errors.ts";
import { parseModel } from "../../formats/model-file.ts";
import { formatOf, readModelDocument } from "../../formats/model-formats.ts";
import { readLogText, readText } from "../../formats/node-files.ts";
import type { ImportOptions } from "../../formats/robot/imported-model.ts";
import type { Model } from "../../model/model.ts";
import type { ScenarioFiles } from "../../scenario/files.ts";
import { diskFiles } from "../../scenario/node-files.ts";
import { openScenario } from "../../scenario/open.ts";
import { registerPrintedForms } from "../../validation/register.ts";
import { CommandError } from "../command.ts";
import { meshFiles } from "../files/mesh-files.ts";
import { builtInNames } from "../files/package-files.ts";
import { type RobotArguments, robotFiles } from "../files/robot-files.ts";
import { BUILT_IN_MODELS, loadScenarioArgument } from "../files/scenario-argument.ts";

interface ServedFile {
  readonly path: string;
  readonly text: string;
  readonly base64?: string;
}

/** Options of a robot file that are plain data; undefined ones are not given. */
interface ServedRobotOptions {
  readonly base?: NonNullable<ImportOptions["base"]> | undefined;
  readonly pose?: string | undefined;
  readonly srdf?: NonNullable<ImportOptions["srdf"]> | undefined;
}

export interface ServedContent {
  /** Short name for the title. */
  readonly name: string;
  /** Text files; maps and meshes as base64. */
  readonly files: readonly ServedFile[];
  /** Options of the command line for a robot file. */
  readonly robot?: object;
}

/** Start of the studio: the address within the page (URL fragment), and the content to show. */
export interface StudioStart {
  readonly address: string;
  readonly opened?: ServedContent;
}

/** Start of the studio for the argument of the command. @throws CommandError if it does not exist, ModelError if a file cannot be read. */
export async function studioStart(
  what: string | undefined,
  sets: readonly string[],
  robot: RobotArguments = {},
): Promise<StudioStart> {
  registerPrintedForms();
  const query = sets.length === 0 ? "" : `?${new URLSearchParams(sets.map((set) => ["set", set]))}`;
  if (what === undefined) return { address: "#/" };
  if (!existsSync(what)) {
    const names = builtInNames("scenario.yaml");
    if (names.includes(what)) return { address: `#/scenario/${encodeURIComponent(what)}${query}` };
    throw new CommandError(
      `there is nothing to open with the name ${JSON.stringify(what)}\n  tried the file ${resolve(what)}\n  and the built-in scenarios: ${didYouMean(what, names)}`,
    );
  }
  if (statSync(what).isFile() && isRobotFile(what))
    return { address: `#/opened${query}`, opened: await robotContent(what, robot) };
  return { address: `#/opened${query}`, opened: await (statSync(what).isDirectory() ? folderContent(what) : fileContent(what)) };
}

const isRobotFile = (path: string): boolean => {
  const isOwnFormat = /\.(ya?ml|json|csv)$/i.test(path);
  return !isOwnFormat && formatOf(readText(path), path) !== undefined;
};

/** A robot file with the meshes that were found. The page reads it as the command line does. */
async function robotContent(path: string, robot: RobotArguments): Promise<ServedContent> {
  const { meshes } = await loadScenarioArgument(path, robot);
  const text = readText(path);
  const { base, pose, srdf, readInclude, findMesh, readMeshFile } = robotFiles(dirname(path), robot).options;
  const includes: ServedFile[] = [];
  const recordInclude = (name: string): string => {
    const content = readInclude!(name);
    includes.push({ path: normalisedPath(name), text: content });
    return content;
  };
  readModelDocument(text, path, {
    ...robotOptions({ base, pose, srdf }),
    findMesh: findMesh!,
    readMeshFile: readMeshFile!,
    readInclude: recordInclude,
  });
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
  return {
    name: basename(path),
    files: [
      { path: basename(path), text },
      ...includes,
      ...Array.from(meshes(), ([file, bytes]) => ({ path: file, text: "", base64: base64(bytes) })),
    ],
    robot: robotOptions({ base, pose, srdf }),
  };
}

/** The options that are given. */
const robotOptions = ({ base, pose, srdf }: ServedRobotOptions): Pick<ImportOptions, "base" | "pose" | "srdf"> => ({
  ...(base !== undefined && { base }),
  ...(pose !== undefined && { pose }),
  ...(srdf !== undefined && { srdf }),
});

/** Content of a folder: the output of `castor run`, a scenario, or a model. */
async function folderContent(folder: string): Promise<ServedContent> {
  const name = basename(resolve(folder));
  const has = (file: string): boolean => existsSync(join(folder, file));
  const log = ["log.csv", "log.json"].find(has);
  const scenario = has("scenario.yaml") ? (await fileContent(join(folder, "scenario.yaml"))).files : [];
  const summary = has("summary.json") ? [{ path: "summary.json", text: readText(join(folder, "summary.json")) }] : [];
  if (log !== undefined) return { name, files: [...scenario, { path: log, text: readLogText(join(folder, log)) }, ...summary] };
  if (scenario.length > 0) return { name, files: scenario };
  if (has("model.yaml")) return { name, files: (await fileContent(join(folder, "model.yaml"))).files };
  throw new CommandError(`${folder} contains no log, no scenario.yaml and no model.yaml`);
}

/** Content of a file and of the files that it names. */
export async function fileContent(path: string): Promise<ServedContent> {
  const text = /\.(csv|json)$/i.test(path) ? readLogText(path) : readText(path);
  const files: ServedFile[] = [{ path: basename(path), text }];
  const disk = diskFiles(dirname(path), BUILT_IN_MODELS);
  const addBytes = (name: string, bytes: Uint8Array): void =>
    void files.push({ path: name, text: "", base64: Buffer.from(bytes).toString("base64") });
  const recordingFiles: ScenarioFiles = {
    ...disk,
    readBeside: (name) => {
      const file = disk.readBeside(name);
      files.push({ path: normalisedPath(name), text: file.text });
      return file;
    },
    readBytes: (name) => {
      const bytes = disk.readBytes!(name);
      addBytes(name, bytes);
      return bytes;
    },
  };
  try {
    if (/\.(ya?ml|json)$/i.test(path)) {
      const model = await modelOfFile(text, path, recordingFiles);
      const folders = files.map((file) => file.path.slice(0, file.path.lastIndexOf("/") + 1));
      for (const [name, bytes] of meshFiles(model, [...new Set(folders)], disk)) addBytes(name, bytes);
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error; // the page shows the problems
  }
  return { name: basename(path), files };
}

/** The model of a scenario or model file. Opening a scenario also reads the files that it names. */
async function modelOfFile(text: string, path: string, files: ScenarioFiles): Promise<Model> {
  try {
    return (await openScenario(text, path, { files })).model;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return parseModel(text, path);
  }
}

const normalisedPath = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "." && part !== "")
    .join("/");
