/** What `castor studio` was asked to open, as texts for the page: it reads them as it reads files that are dropped onto it. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { didYouMean } from "../../declare/names.ts";
import { ModelError } from "../../errors.ts";
import { parseModel } from "../../formats/model-file.ts";
import { readLogText, readText } from "../../formats/node-files.ts";
import type { Model } from "../../model/model.ts";
import type { ScenarioFiles } from "../../scenario/files.ts";
import { filesFor } from "../../scenario/node-files.ts";
import { openScenario } from "../../scenario/open.ts";
import { CommandError } from "../command.ts";
import { meshFiles } from "../files/mesh-files.ts";
import { builtInNames } from "../files/package-files.ts";
import { BUILT_IN_MODELS } from "../files/scenario-argument.ts";

interface OpenedFile {
  readonly path: string;
  readonly text: string;
  readonly base64?: string;
}

export interface Opened {
  /** Short, for people. */
  readonly name: string;
  /** Texts; maps and meshes as bytes in base64. */
  readonly files: readonly OpenedFile[];
}

/** The address within the page, and what it shall show. */
export interface Opening {
  readonly address: string;
  readonly opened?: Opened;
}

/** @throws CommandError if there is no such thing, ModelError if a file cannot be read. */
export async function openingOf(what: string | undefined, sets: readonly string[]): Promise<Opening> {
  const query = sets.length === 0 ? "" : `?${new URLSearchParams(sets.map((set) => ["set", set]))}`;
  if (what === undefined) return { address: "#/" };
  if (!existsSync(what)) {
    const names = builtInNames("scenario.yaml");
    if (names.includes(what)) return { address: `#/scenario/${encodeURIComponent(what)}${query}` };
    throw new CommandError(
      `there is nothing to open at ${JSON.stringify(what)}\n  tried the file ${resolve(what)}\n  and the built-in scenarios: ${didYouMean(what, names)}`,
    );
  }
  return { address: `#/opened${query}`, opened: await (statSync(what).isDirectory() ? ofFolder(what) : ofFile(what)) };
}

/** A run that `castor run` wrote, or the folder of a scenario or of a model. */
async function ofFolder(folder: string): Promise<Opened> {
  const name = basename(resolve(folder));
  const has = (file: string): boolean => existsSync(join(folder, file));
  const log = ["log.csv", "log.json"].find(has);
  const scenario = has("scenario.yaml") ? (await ofFile(join(folder, "scenario.yaml"))).files : [];
  const summary = has("summary.json") ? [{ path: "summary.json", text: readText(join(folder, "summary.json")) }] : [];
  if (log !== undefined) return { name, files: [...scenario, { path: log, text: readLogText(join(folder, log)) }, ...summary] };
  if (scenario.length > 0) return { name, files: scenario };
  if (has("model.yaml")) return { name, files: (await ofFile(join(folder, "model.yaml"))).files };
  throw new CommandError(`${folder} has neither a log nor a scenario.yaml nor a model.yaml in it`);
}

/** A file and those that it names. */
async function ofFile(path: string): Promise<Opened> {
  const text = /\.(csv|json)$/i.test(path) ? readLogText(path) : readText(path);
  const files: OpenedFile[] = [{ path: basename(path), text }];
  const disk = filesFor(dirname(path), BUILT_IN_MODELS);
  const addBytes = (name: string, bytes: Uint8Array): void =>
    void files.push({ path: name, text: "", base64: Buffer.from(bytes).toString("base64") });
  const seeing: ScenarioFiles = {
    ...disk,
    beside: (name) => {
      const named = disk.beside(name);
      files.push({ path: plain(name), text: named.text });
      return named;
    },
    bytes: (name) => {
      const bytes = disk.bytes!(name);
      addBytes(name, bytes);
      return bytes;
    },
  };
  try {
    if (/\.(ya?ml|json)$/i.test(path)) {
      const model = await modelOf(text, path, seeing);
      const folders = files.map((file) => file.path.slice(0, file.path.lastIndexOf("/") + 1));
      for (const [name, bytes] of meshFiles(model, [...new Set(folders)], disk)) addBytes(name, bytes);
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error; // what is wrong with it is shown by the page
  }
  return { name: basename(path), files };
}

/** The model of a scenario, which reads what else it names; or one by itself. */
async function modelOf(text: string, path: string, files: ScenarioFiles): Promise<Model> {
  try {
    return (await openScenario(text, path, { files })).model;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return parseModel(text, path);
  }
}

const plain = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "." && part !== "")
    .join("/");
