/** Files that the user gives, dropped or chosen: a scenario with what it names, a model, a log. What each is, its content says. */
import { coordinateNames, type FileKind, kindOfFile, type Override, parseCsvLog, parseJsonLog } from "castor";
import { RunLog } from "../run/run-log.ts";
import type { RecordedAudit } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { withMapsLoaded } from "./load-maps.ts";
import type { ScenarioSource } from "./scenario-sources.ts";

export interface UserFile {
  /** From the folder that was given; a name only for a single file. */
  readonly path: string;
  readonly text: string;
  /** Of a file that is not text: a mesh. */
  readonly bytes?: ArrayBuffer;
}

type UserFileKind = FileKind | "other";

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function kindOf({ path, text }: UserFile): UserFileKind {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  if (extension === "csv") return "log";
  // What cannot be told is read as a scenario, which says what is wrong with it.
  return extension === "json" || extension === "yaml" || extension === "yml" ? (kindOfFile(text) ?? "scenario") : "other";
}

/**
 * Opens what was given; of several scenarios, or models without one, the wanted one, and the others are offered.
 * @throws Error, ModelError if there is nothing to open in it.
 */
export async function openFiles(
  given: readonly UserFile[],
  studio: Studio,
  overrides: readonly Override[] = [],
  wanted?: string,
): Promise<void> {
  const kinds = given.map(kindOf);
  const of = (kind: UserFileKind): UserFile[] => given.filter((_, i) => kinds[i] === kind);
  const [scenarios, models] = [of("scenario"), of("model")];
  const logs = of("log").filter(({ path }, _, all) => !isTwin(path, all));
  const choices = scenarios.length > 0 ? scenarios : models;
  const main =
    choices.find(({ path }) => path === wanted) ?? choices.find(({ path }) => nameOf(path) === "scenario.yaml") ?? choices[0];
  // What a run has left is not a part of what ran: it would go to the worker, and into the address, with every change.
  const own = given.filter((_, i) => kinds[i] !== "log" && kinds[i] !== "summary");
  const source = main && (scenarios.length > 0 ? sourceFrom(main, own) : sourceOfModel(main, own));
  if (logs.length > 0) openLogs(logs, source, of("summary"), studio);
  else if (source) studio.open(MAP_TERRAIN.test(source.text) ? await withMapsLoaded(source) : source, overrides);
  else throw new Error("there is no scenario, model (.yaml, .yml, .json) or log (.csv, .json) among these files");
  if (main === undefined || choices.length < 2) return;
  const open = (path: string): void => void openFiles(given, studio, [], path).catch((error) => studio.showFailure(error));
  const kind = scenarios.length > 0 ? "scenario" : "model";
  studio.store.set({ given: { kind, paths: choices.map(({ path }) => path), shown: main.path, open } });
}

/** log.json beside log.csv has the same in it. */
const isTwin = (path: string, all: readonly UserFile[]): boolean =>
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
    const fits = scenario !== undefined && coordinateNames(scenario.model).q.every((name) => log.has(`q.${name}`));
    const summary = summaries.find((file) => folderOf(file.path) === folderOf(path));
    const recorded = { log, label: nameOf(path), audit: summary && auditIn(summary.text) };
    if (source && i === 0) studio.openLog(recorded, source);
    else if (fits && studio.state.page === "scenario") studio.addLog(recorded);
    else studio.openLog(recorded);
  }
}

/** The audit in a summary of `castor run`; nothing if it is not as that writes it. */
function auditIn(text: string): readonly RecordedAudit[] | undefined {
  const { audit } = JSON.parse(text) as { readonly audit: unknown };
  const isRow = (row: Partial<RecordedAudit> | null): boolean =>
    typeof row?.channel === "string" && [row.worst, row.at, row.tolerance].every((x) => typeof x === "number");
  return Array.isArray(audit) && audit.every(isRow) ? (audit as readonly RecordedAudit[]) : undefined;
}

/** Curves are drawn along the time, and the machine is shown at any of it. @throws Error */
function checkTimes(log: RunLog, path: string): void {
  if (!log.has("t")) throw new Error(`${path} is no log: it has no column t, the time, as \`castor run\` writes it`);
  const t = log.column("t");
  if (t.length === 0) throw new Error(`${path} has no samples: there is nothing below its first line`);
  const back = t.findIndex((time, i) => i > 0 && time < t[i - 1]!);
  if (back > 0) throw new Error(`the time of ${path} goes back from ${t[back - 1]} to ${t[back]} s, at sample ${back + 1}`);
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** The scenario with the files of its folder and below. */
function sourceFrom(main: UserFile, given: readonly UserFile[]): ScenarioSource {
  const folder = folderOf(main.path);
  const beside = given.filter(({ path }) => path.startsWith(folder));
  const texts = beside.filter(({ bytes }) => bytes === undefined).map(({ path, text }) => [path.slice(folder.length), text]);
  const binary = beside.filter(({ bytes }) => bytes).map(({ path, bytes }) => [path.slice(folder.length), bytes]);
  const plain = nameOf(main.path).replace(/\.\w+$/, "");
  const name = plain === "scenario" ? (/([^/]+)\/$/.exec(folder)?.[1] ?? plain) : plain;
  return {
    name,
    path: main.path,
    text: main.text,
    files: Object.fromEntries(texts),
    builtIn: false,
    assets: Object.fromEntries(binary),
  };
}

/** A model by itself: from home and rest, with nothing but gravity acting. */
function sourceOfModel(model: UserFile, given: readonly UserFile[]): ScenarioSource {
  const text = ["castor: 1", `model: ${JSON.stringify(nameOf(model.path))}`, "duration: 10 # s", ""].join("\n");
  const source = sourceFrom(model, given);
  return { ...source, path: `${folderOf(model.path)}scenario.yaml`, text };
}

const TEXT = /\.(ya?ml|json|csv|md|txt)$/i;
/** Meshes, and what a .gltf has beside it. */
const MESH = /\.(stl|glb|gltf|bin|png|jpe?g|webp)$/i;
const MAP = /\.(tiff?|lbl|img|dat)$/i;
/** Whether a scenario may have a map, so that it is opened a moment later. */
export const MAP_TERRAIN = /\bkind["']?\s*:\s*["']?map\b/;
/** A browser gets slow beyond that. */
const LARGEST = 200e6;

export async function readUserFile(file: File, path = file.name): Promise<UserFile | undefined> {
  if (file.size > LARGEST) throw new Error(`${path} is larger than ${LARGEST / 1e6} MB`);
  if (MESH.test(path) || MAP.test(path)) return { path, text: "", bytes: await file.arrayBuffer() };
  if (!TEXT.test(path)) return undefined;
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch (error) {
    throw new Error(`${path} is not UTF-8 text`, { cause: error });
  }
}

/** A file as `castor studio` gives it: text, or bytes in base64. */
interface StartupFile extends UserFile {
  readonly base64?: string;
}

const bytesOf = ({ base64, ...file }: StartupFile): UserFile =>
  base64 === undefined ? file : { ...file, bytes: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer };

interface StartupFiles {
  /** Of the file, or of the folder. */
  readonly name: string;
  readonly files: readonly StartupFile[];
}

/** A run is called by its folder. */
const inFolder = (file: StartupFile, { name, files }: StartupFiles): StartupFile =>
  files.some(({ path }) => path === name) ? file : { ...file, path: `${name}/${file.path}` };

/** What `castor studio` was started with; it lies beside the page. */
export async function openStartupFiles(studio: Studio, overrides: readonly Override[]): Promise<void> {
  const answer = await fetch(new URL("opened.json", document.baseURI));
  const opened = answer.ok ? ((await answer.json()) as StartupFiles | null) : null;
  if (opened)
    await openFiles(
      opened.files.map((file) => bytesOf(inFolder(file, opened))),
      studio,
      overrides,
    );
  else throw new Error("nothing was opened with this page; choose a scenario");
}
