/** Opens files of the user: a scenario with the files that it names, a model, or a log. The kind of a file follows from its content. */
import { coordinateNames, type FileKind, kindOfFile, type Override, parseCsvLog, parseJsonLog } from "castor";
import { RunLog } from "../run/run-log.ts";
import type { RecordedAudit } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { withMapsLoaded } from "./load-maps.ts";
import type { ScenarioSource } from "./scenario-sources.ts";

export interface UserFile {
  /** Path relative to the opened folder; the name for a single file. */
  readonly path: string;
  readonly text: string;
  /** Content of a binary file: a mesh or a map. */
  readonly bytes?: ArrayBuffer;
}

type UserFileKind = FileKind | "other";

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function kindOf({ path, text }: UserFile): UserFileKind {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  if (extension === "csv") return "log";
  // A file of unknown kind is read as a scenario. The reader reports its problems.
  return extension === "json" || extension === "yaml" || extension === "yml" ? (kindOfFile(text) ?? "scenario") : "other";
}

/**
 * Opens files together. If there are several scenarios, or several models and no scenario, one is shown and the others are offered.
 * @param wanted path of the file to show
 * @throws Error, ModelError if none of the files can be opened.
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
  // Logs and summaries are results, not inputs. With them, every change would send them to the worker and pack them into the address.
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

/** Whether this is a log.json next to a log.csv with the same content. */
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

/** The audit in a summary.json of `castor run`. Undefined if it has another form. */
function auditIn(text: string): readonly RecordedAudit[] | undefined {
  const { audit } = JSON.parse(text) as { readonly audit: unknown };
  const isRow = (row: Partial<RecordedAudit> | null): boolean =>
    typeof row?.channel === "string" && [row.worst, row.at, row.tolerance].every((x) => typeof x === "number");
  return Array.isArray(audit) && audit.every(isRow) ? (audit as readonly RecordedAudit[]) : undefined;
}

/** Checks that the log has a time column that never decreases: plots and the scene need it. @throws Error */
function checkTimes(log: RunLog, path: string): void {
  if (!log.has("t")) throw new Error(`${path} is not a log: it has no column t (time), as \`castor run\` writes it`);
  const t = log.column("t");
  if (t.length === 0) throw new Error(`${path} has no samples: there are no lines below the header`);
  const back = t.findIndex((time, i) => i > 0 && time < t[i - 1]!);
  if (back > 0)
    throw new Error(
      `${path}: the time goes back from ${t[back - 1]} to ${t[back]} s at sample ${back + 1}; it must not decrease`,
    );
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** The scenario with all files in its folder and below. */
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

/** A scenario for a model without one: it starts at home and at rest, and only gravity acts. */
function sourceOfModel(model: UserFile, given: readonly UserFile[]): ScenarioSource {
  const text = ["castor: 1", `model: ${JSON.stringify(nameOf(model.path))}`, "duration: 10 # s", ""].join("\n");
  const source = sourceFrom(model, given);
  return { ...source, path: `${folderOf(model.path)}scenario.yaml`, text };
}

const TEXT = /\.(ya?ml|json|csv|md|txt)$/i;
/** Meshes, and the buffers and images of a .gltf file. */
const MESH = /\.(stl|glb|gltf|bin|png|jpe?g|webp)$/i;
const MAP = /\.(tiff?|lbl|img|dat)$/i;
/** Matches a scenario text that may name a terrain of kind `map`. Maps are read before the scenario is opened. */
export const MAP_TERRAIN = /\bkind["']?\s*:\s*["']?map\b/;
/** Maximum size of a file, bytes. Browsers get slow with larger files. */
const LARGEST = 200e6;

export async function readUserFile(file: File, path = file.name): Promise<UserFile | undefined> {
  if (file.size > LARGEST)
    throw new Error(`${path} has ${Math.round(file.size / 1e6)} MB; the studio opens files up to ${LARGEST / 1e6} MB`);
  if (MESH.test(path) || MAP.test(path)) return { path, text: "", bytes: await file.arrayBuffer() };
  if (!TEXT.test(path)) return undefined;
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch (error) {
    throw new Error(`${path} is not UTF-8 text: save it as UTF-8`, { cause: error });
  }
}

/** A file in opened.json of `castor studio`: text, or bytes in base64. */
interface StartupFile extends UserFile {
  readonly base64?: string;
}

const bytesOf = ({ base64, ...file }: StartupFile): UserFile =>
  base64 === undefined ? file : { ...file, bytes: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer };

interface StartupFiles {
  /** Name of the file or folder. */
  readonly name: string;
  readonly files: readonly StartupFile[];
}

/** Puts the files of an opened folder below its name: a run is named after its folder. */
const inFolder = (file: StartupFile, { name, files }: StartupFiles): StartupFile =>
  files.some(({ path }) => path === name) ? file : { ...file, path: `${name}/${file.path}` };

/** Opens the file or folder that `castor studio` was started with. The server provides it as opened.json next to the page. */
export async function openStartupFiles(studio: Studio, overrides: readonly Override[]): Promise<void> {
  const answer = await fetch(new URL("opened.json", document.baseURI));
  const opened = answer.ok ? ((await answer.json()) as StartupFiles | null) : null;
  if (opened)
    await openFiles(
      opened.files.map((file) => bytesOf(inFolder(file, opened))),
      studio,
      overrides,
    );
  else throw new Error("castor studio was started without a file; choose a scenario from the gallery");
}
