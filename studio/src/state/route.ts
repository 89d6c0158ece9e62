/**
 * Addresses of the studio:
 * - `#/` is the gallery.
 * - `#/scenario/NAME?set=PATH=VALUE&set=...` is a built-in scenario with overrides, as in `--set` of the command line.
 * - `#/file?text=...` is a scenario of the user, packed into the address.
 * - `#/opened` is what `castor studio` was started with.
 * - `#/log?id=...`, and `#/file?id=...` without text, stand for what is too long for an address; see saved-sessions.ts.
 * - The parameters `mode=2&lock=HINGE,HINGE&rest` show a mode, with the options of `castor modes`.
 * - All others are the view; see session-view.ts.
 */
import { ModelError, type Problem } from "castor";

import { formatOverride, type Override, parseOverride, type Scenario } from "castor/scenario";
import { withMapsLoaded } from "../files/load-maps.ts";
import { openStartupFiles, openStoredLogs } from "../files/open-files.ts";
import { builtInSource, type ScenarioSource } from "../files/scenario-sources.ts";
import { DEFAULT_MODE_COUNT, type ModesAddress } from "../run/modes-session.ts";
import type { Studio } from "../studio.ts";
import { packText, unpackText } from "./address-text.ts";
import { sessionIdOf, storedContent } from "./saved-sessions.ts";
import { MAX_MODES, readView, writeView } from "./session-view.ts";
import { currentRun, openItem } from "./state.ts";
import { StudioError } from "./studio-error.ts";

/** Maximum length of an address. A longer one contains only the id of what the browser has stored. */
const MAX_ADDRESS_LENGTH = 60_000;

/** Packed texts: the same source is packed once. */
const packedTexts = new WeakMap<ScenarioSource, Promise<string>>();

function packedText(source: ScenarioSource): Promise<string> {
  const packed = packedTexts.get(source) ?? packText(JSON.stringify({ ...source, assets: undefined, maps: undefined }));
  packedTexts.set(source, packed);
  return packed;
}

/** The address of the open scenario, log or gallery. @param id of what the browser has stored */
export async function addressOfState(state: Studio["state"], id?: string): Promise<string> {
  const { source, overrides, page, modes } = state;
  if (page === "gallery") return "#/";
  const parameters = new URLSearchParams();
  for (const override of overrides) parameters.append("set", formatOverride(override));
  if (modes) {
    parameters.set("mode", modes.chosen === undefined ? "" : String(modes.chosen + 1));
    if (modes.options.locked.length > 0) parameters.set("lock", modes.options.locked.join(","));
    if (modes.options.about === "rest") parameters.set("rest", "");
  }
  writeView(parameters, state);
  const address = (kind: string): string => {
    const query = readable(parameters);
    return query === "" ? `#/${kind}` : `#/${kind}?${query}`;
  };
  if (source?.builtIn && !isLog(state)) return address(`scenario/${encodeURIComponent(source.name)}`);
  const text = source === undefined || isLog(state) ? undefined : await packedText(source);
  if (id !== undefined) parameters.set("id", id);
  if (text === undefined) return address("log");
  const stored = address("file");
  parameters.set("text", text);
  const whole = address("file");
  return whole.length <= MAX_ADDRESS_LENGTH ? whole : stored;
}

/** Without escapes that an address does not need. */
const readable = (parameters: URLSearchParams): string =>
  parameters
    .toString()
    .replaceAll("%2C", ",")
    .replaceAll("%3A", ":")
    .replaceAll("%2F", "/")
    .replaceAll(/=(?=&|$)/g, "");

/** True if a recorded log is open instead of a scenario that can be run. */
export const isLog = (state: Studio["state"]): boolean =>
  state.page === "scenario" && (state.source === undefined || currentRun(state)?.status === "recorded");

export async function openAddress(hash: string, studio: Studio): Promise<void> {
  const [path = "", query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const [, kind, name] = path.split("/");
  if (kind === "scenario" && name !== undefined) {
    const builtIn = studio.state.library.find((b) => b.name === decodeName(name));
    if (!builtIn) return studio.openBuiltIn(decodeName(name)); // reports it
    await openLink(builtInSource(builtIn), parameters, studio);
  } else if (kind === "opened")
    await openStartupFiles(
      studio,
      parameters.getAll("set").map((text) => parseOverride(text, `set ${text}`)),
    );
  else if (kind === "file" || kind === "log") return openOwn(kind, parameters, studio);
  else {
    studio.showGallery();
    if (kind) throw new StudioError(`there is nothing at the address #${path}: addresses begin with #/scenario/ or #/file`);
  }
}

/** Opens a file or log of the user: from the page, from the browser's storage, or from the text in the address. */
async function openOwn(kind: "file" | "log", parameters: URLSearchParams, studio: Studio): Promise<void> {
  const id = parameters.get("id");
  const content = id === null ? undefined : await storedContent(id);
  if (kind === "log" && content && content.logs.length > 0) openStoredLogs(content, studio);
  else if (kind === "file" && content?.source) await openLink(await withMapsLoaded(content.source), parameters, studio);
  else if (kind === "file" && parameters.has("text"))
    await openLink(await withMapsLoaded(readSource(await unpackText(parameters.get("text")!))), parameters, studio);
  else if (isStillOpen(studio)) return studio.store.set({ page: "scenario" });
  else {
    studio.showGallery();
    throw new StudioError(`the address does not contain the ${NOT_IN_ADDRESS[kind]}: open the file again`);
  }
  const item = openItem(studio.state);
  if (content && item) sessionIdOf(item, content.id);
  if (kind === "log" && parameters.has("mode")) studio.modes.open(parseModes(parameters));
}

/** Opens a scenario with the changes and the view of a link. If a value of it is wrong, the scenario is opened unchanged. */
async function openLink(source: ScenarioSource, parameters: URLSearchParams, studio: Studio): Promise<void> {
  const problems: Problem[] = [];
  const add = (error: unknown, place: string): void => {
    if (!(error instanceof ModelError)) throw error;
    for (const { file: _, line: __, column: ___, ...problem } of error.problems)
      problems.push({ ...problem, path: problem.path || place });
  };
  const overrides: Override[] = [];
  for (const text of parameters.getAll("set"))
    try {
      overrides.push(parseOverride(text, `set ${text}`));
    } catch (error) {
      add(error, `set=${text}`);
    }
  let scenario: Scenario;
  try {
    scenario = studio.readScenario(source, overrides);
  } catch (error) {
    if (overrides.length === 0) return studio.open(source); // the scenario itself is wrong
    add(error, "set");
    try {
      scenario = studio.readScenario(source, []);
    } catch {
      return studio.open(source);
    }
  }
  const layers = parameters.has("layers") ? (await import("../view/layers/index.ts")).LAYERS : [];
  const ids = layers.map((layer) => layer.id);
  const read = readView(parameters, scenario, ids, (others) => studio.readScenario(source, others), problems);
  if (source.builtIn)
    for (const name of ["text", "id"])
      if (parameters.has(name)) problems.push({ path: name, message: "is no part of the link of a built-in scenario" });
  if (problems.length === 0) {
    studio.open(source, overrides, read);
    if (parameters.has("mode")) studio.modes.open(parseModes(parameters));
    return;
  }
  studio.open(source);
  if (studio.state.scenario) studio.showFailure(new ModelError("The scenario is opened unchanged, because the link", problems));
}

const NOT_IN_ADDRESS = { file: "scenario, which is too long", log: "log" } as const;

/** True if a scenario or log without an address of its own is still open: the user went back to it. */
const isStillOpen = ({ state }: Studio): boolean => (state.source ? !state.source.builtIn : state.runs.length > 0);

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // no scenario has this name
  }
}

function parseModes(parameters: URLSearchParams): ModesAddress {
  const number = Number(parameters.get("mode") || Number.NaN);
  const locked = (parameters.get("lock") ?? "").split(",").filter(Boolean);
  const count = Math.max(DEFAULT_MODE_COUNT, Number.isInteger(number) ? Math.min(number, MAX_MODES) : 0);
  return {
    options: { locked, about: parameters.has("rest") ? "rest" : "state", count },
    chosen: Number.isInteger(number) && number > 0 ? number - 1 : undefined,
  };
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {}; // `readSource` reports it
  }
}

/** Checks and reads a scenario source from an address. Addresses may come from anybody. @throws Error */
function readSource(text: string): ScenarioSource {
  const { name, path, text: scenario, files } = parseFields(text);
  const isTextRecord = (value: unknown): value is Record<string, string> =>
    typeof value === "object" && value !== null && Object.values(value).every((v) => typeof v === "string");
  if (typeof name !== "string" || typeof path !== "string" || typeof scenario !== "string" || !isTextRecord(files))
    throw new StudioError("the address contains no scenario: it may have been cut off");
  return { name, path, text: scenario, files, builtIn: false };
}
