/** Opens files of the user: a scenario with the files that it names, a model, or a log. The kind of a file follows from its content. */

import { coordinateNames } from "castor";
import { type FileKind, kindOfFile, parseCsvLog, parseJsonLog } from "castor/formats";
import { modelScenario, type Override } from "castor/scenario";
import { RunLog } from "../run/run-log.ts";
import type { StoredContent, StoredLog } from "../state/saved-sessions.ts";
import type { RecordedAudit, StudioRun } from "../state/state.ts";
import { StudioError } from "../state/studio-error.ts";
import type { Studio } from "../studio.ts";
import { withMapsLoaded } from "./load-maps.ts";
import type { RobotOptions } from "./robot-assets.ts";
import type { ScenarioSource } from "./scenario-sources.ts";

export interface UserFile {
  /** Path relative to the opened folder; the name for a single file. */
  readonly path: string;
  readonly text: string;
  /** Content of a binary file: a mesh or a map. */
  readonly bytes?: ArrayBuffer;
}

type UserFileKind = FileKind | "other";

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function fileKind({ path, text }: UserFile): UserFileKind {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (extension === "csv") return "log";
  if (ROBOT_FILE.test(path))
    return extension !== "srdf" && (extension === "urdf" || kindOfFile(text) === "model") ? "model" : "other";
  // A file of unknown kind is read as a scenario. The reader reports its problems.
  return extension === "json" || extension === "yaml" || extension === "yml" ? (kindOfFile(text) ?? "scenario") : "other";
}

/**
 * Opens files together. If there are several scenarios, or several models and no scenario, one is shown and the others are offered.
 * @param wanted path of the file to show
 * @throws Error, ModelError if none of the files can be opened.
 */
export async function openFiles(
  files: readonly UserFile[],
  studio: Studio,
  overrides: readonly Override[] = [],
  wanted?: string,
  robot?: RobotOptions,
): Promise<void> {
  const kinds = files.map(fileKind);
  const ofKind = (kind: UserFileKind): UserFile[] => files.filter((_, i) => kinds[i] === kind);
  const [scenarios, models] = [ofKind("scenario"), ofKind("model")];
  const logs = ofKind("log").filter(({ path }, _, all) => !isDuplicateLog(path, all));
  const choices = scenarios.length > 0 ? scenarios : models;
  const mainFile =
    choices.find(({ path }) => path === wanted) ?? choices.find(({ path }) => baseName(path) === "scenario.yaml") ?? choices[0];
  // Logs and summaries are results, not inputs. With them, every change would send them to the worker and pack them into the address.
  const inputFiles = files.filter((_, i) => kinds[i] !== "log" && kinds[i] !== "summary");
  const source =
    mainFile && (scenarios.length > 0 ? sourceOfScenario(mainFile, inputFiles) : sourceOfModel(mainFile, inputFiles, robot));
  if (logs.length > 0) openLogs(logs, source, ofKind("summary"), studio);
  else if (source) studio.open(MAP_TERRAIN.test(source.text) ? await withMapsLoaded(source) : source, overrides);
  else
    throw new StudioError(
      "there is no scenario, model (.yaml, .yml, .json), robot (.urdf, .xml) or log (.csv, .json) among these files",
    );
  if (mainFile === undefined || choices.length < 2) return;
  const open = (path: string): void => void openFiles(files, studio, [], path, robot).catch((error) => studio.showFailure(error));
  const kind = scenarios.length > 0 ? "scenario" : "model";
  studio.store.set({ fileChoice: { kind, paths: choices.map(({ path }) => path), shown: mainFile.path, open } });
}

/** Opens logs that the browser has kept. */
export function openStoredLogs({ source, logs }: StoredContent, studio: Studio): void {
  for (const [i, { label, audit, channels, length, columns }] of logs.entries()) {
    const byName = new Map(channels.map(({ name }, k) => [name, columns[k]!]));
    const log = RunLog.from({ channels, length, column: (name) => byName.get(name)! });
    if (i === 0) studio.openLog({ log, label, audit }, source);
    else studio.addLog({ log, label, audit });
  }
}

/** A log for the storage of the browser. */
export const storedLog = ({ log, label, audit }: Pick<StudioRun, "log" | "label" | "audit">): StoredLog => ({
  ...{ label, audit, channels: log.channels, length: log.length },
  columns: log.channels.map(({ name }) => log.column(name).slice()),
});

/** True if this is a log.json next to a log.csv with the same content. */
const isDuplicateLog = (path: string, all: readonly UserFile[]): boolean =>
  /\.json$/i.test(path) && all.some((other) => other.path === path.replace(/json$/i, "csv"));

function openLogs(
  files: readonly UserFile[],
  source: ScenarioSource | undefined,
  summaries: readonly UserFile[],
  studio: Studio,
): void {
  for (const [i, { path, text }] of files.entries()) {
    const log = RunLog.from(/\.csv$/i.test(path) ? parseCsvLog(text, path) : parseJsonLog(text, path));
    checkTimes(log, path);
    const { scenario } = studio.state;
    const fitsScenario = scenario !== undefined && coordinateNames(scenario.model).q.every((name) => log.has(`q.${name}`));
    const summary = summaries.find((file) => folderOf(file.path) === folderOf(path));
    const recordedRun = { log, label: baseName(path), audit: summary && readAudit(summary.text) };
    if (source && i === 0) studio.openLog(recordedRun, source);
    else if (fitsScenario && studio.state.page === "scenario") studio.addLog(recordedRun);
    else studio.openLog(recordedRun);
  }
}

/** The audit in a summary.json of `castor run`. Undefined if it has another form. */
function readAudit(text: string): readonly RecordedAudit[] | undefined {
  const { audit } = JSON.parse(text) as { readonly audit: unknown };
  const isRow = (row: Partial<RecordedAudit> | null): boolean =>
    typeof row?.channel === "string" && [row.worst, row.at, row.tolerance].every((x) => typeof x === "number");
  return Array.isArray(audit) && audit.every(isRow) ? (audit as readonly RecordedAudit[]) : undefined;
}

/** Checks that the log has a time column that never decreases: plots and the scene need it. @throws Error */
function checkTimes(log: RunLog, path: string): void {
  if (!log.has("t")) throw new StudioError(`${path} is not a log: it has no column t (time), as \`castor run\` writes it`);
  const t = log.column("t");
  if (t.length === 0) throw new StudioError(`${path} has no samples: there are no lines below the header`);
  const firstDecrease = t.findIndex((time, i) => i > 0 && time < t[i - 1]!);
  if (firstDecrease > 0)
    throw new StudioError(
      `${path}: the time goes back from ${t[firstDecrease - 1]} to ${t[firstDecrease]} s at sample ${firstDecrease + 1}; it must not decrease`,
    );
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** The scenario with all files in its folder and below. */
function sourceOfScenario(mainFile: UserFile, files: readonly UserFile[]): ScenarioSource {
  const folder = folderOf(mainFile.path);
  const inFolder = files.filter(({ path }) => path.startsWith(folder));
  const texts = inFolder.filter(({ bytes }) => bytes === undefined).map(({ path, text }) => [path.slice(folder.length), text]);
  const binary = inFolder.filter(({ bytes }) => bytes).map(({ path, bytes }) => [path.slice(folder.length), bytes]);
  const stem = baseName(mainFile.path).replace(/\.\w+$/, "");
  const name = stem === "scenario" ? (/([^/]+)\/$/.exec(folder)?.[1] ?? stem) : stem;
  return {
    name,
    path: mainFile.path,
    text: mainFile.text,
    files: Object.fromEntries(texts),
    builtIn: false,
    assets: Object.fromEntries(binary),
  };
}

/** A scenario for a model without one. */
function sourceOfModel(model: UserFile, files: readonly UserFile[], robot: RobotOptions = {}): ScenarioSource {
  if (ROBOT_FILE.test(model.path)) return sourceOfRobot(model, files, robot);
  const text = modelScenario(baseName(model.path));
  const source = sourceOfScenario(model, files);
  return { ...source, path: `${folderOf(model.path)}scenario.yaml`, text };
}

/** A scenario for a robot file. Its meshes may be anywhere among the opened files, so it has all of them. One SRDF file belongs to it. */
function sourceOfRobot(model: UserFile, files: readonly UserFile[], robot: RobotOptions): ScenarioSource {
  const source = sourceOfScenario({ ...model, path: baseName(model.path) }, files);
  const semantics = files.filter(({ path }) => /\.srdf$/i.test(path));
  const srdf =
    semantics.length === 1 && !/<mujoco\b/.test(model.text)
      ? { text: semantics[0]!.text, source: semantics[0]!.path }
      : undefined;
  return {
    ...source,
    path: "scenario.yaml",
    text: modelScenario(model.path),
    robot: { ...(srdf && { srdf }), ...robot },
  };
}

/** URDF, SRDF and MJCF. */
const ROBOT_FILE = /\.(urdf|srdf|xml|mjcf|xacro)$/i;
const TEXT_FILE = /\.(ya?ml|json|csv|md|txt|urdf|srdf|xml|mjcf|xacro)$/i;
/** Meshes, and the buffers and images of a .gltf file. */
const MESH_FILE = /\.(stl|obj|glb|gltf|bin|png|jpe?g|webp)$/i;
const MAP_FILE = /\.(tiff?|lbl|img|dat)$/i;
/** Matches a scenario text that may name a terrain of kind `map`. Maps are read before the scenario is opened. */
const MAP_TERRAIN = /\bkind["']?\s*:\s*["']?map\b/;
/** Maximum size of a file, bytes. Browsers get slow with larger files. */
const MAX_FILE_BYTES = 200e6;

export async function readUserFile(file: File, path = file.name): Promise<UserFile | undefined> {
  if (file.size > MAX_FILE_BYTES)
    throw new StudioError(
      `${path} has ${Math.round(file.size / 1e6)} MB; the studio opens files up to ${MAX_FILE_BYTES / 1e6} MB`,
    );
  if (MESH_FILE.test(path) || MAP_FILE.test(path)) return { path, text: "", bytes: await file.arrayBuffer() };
  if (!TEXT_FILE.test(path)) return undefined;
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch (error) {
    throw new StudioError(`${path} is not UTF-8 text: save it as UTF-8`, { cause: error });
  }
}

/** A file in opened.json of `castor studio`: text, or bytes in base64. */
interface StartupFile extends UserFile {
  readonly base64?: string;
}

const decodeStartupFile = ({ base64, ...file }: StartupFile): UserFile =>
  base64 === undefined ? file : { ...file, bytes: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer };

interface StartupFiles {
  /** Name of the file or folder. */
  readonly name: string;
  readonly files: readonly StartupFile[];
  /** Options of the command line for a robot file. */
  readonly robot?: RobotOptions;
}

/** Puts the files of an opened folder below its name: a run is named after its folder. */
const inFolder = (file: StartupFile, { name, files }: StartupFiles): StartupFile =>
  files.some(({ path }) => path === name) ? file : { ...file, path: `${name}/${file.path}` };

/** Opens the file or folder that `castor studio` was started with. The server provides it as opened.json next to the page. */
export async function openStartupFiles(studio: Studio, overrides: readonly Override[]): Promise<void> {
  const response = await fetch(new URL("opened.json", document.baseURI));
  const startup = response.ok ? ((await response.json()) as StartupFiles | null) : null;
  if (startup)
    await openFiles(
      startup.files.map((file) => decodeStartupFile(inFolder(file, startup))),
      studio,
      overrides,
      undefined,
      startup.robot,
    );
  else throw new StudioError("castor studio was started without a file; choose a scenario from the gallery");
}
