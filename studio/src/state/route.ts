/**
 * Addresses of the studio:
 * - `#/` is the gallery.
 * - `#/scenario/NAME?set=PATH=VALUE&set=...` is a built-in scenario with overrides, as in `--set` of the command line.
 * - `#/file?text=...` is a scenario of the user, packed into the address.
 * - `#/opened` is what `castor studio` was started with.
 * - `#/log`, and `#/file` without text, stand for what is too long for an address.
 * - The parameters `mode=2&lock=HINGE,HINGE&rest` show a mode, with the options of `castor modes`.
 */

import { formatOverride, type Override, parseOverride } from "castor/scenario";
import { withMapsLoaded } from "../files/load-maps.ts";
import { openStartupFiles } from "../files/open-files.ts";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import { DEFAULT_MODE_COUNT, type ModesAddress } from "../run/modes-session.ts";
import type { Studio } from "../studio.ts";
import { packText, unpackText } from "./address-text.ts";
import { StudioError } from "./studio-error.ts";

/** The address of the open scenario, log or gallery. */
export async function addressOfState({ source, overrides, page, modes }: Studio["state"]): Promise<string> {
  if (page === "gallery") return "#/";
  if (source === undefined) return "#/log";
  const parameters = new URLSearchParams();
  for (const override of overrides) parameters.append("set", formatOverride(override));
  if (modes) {
    parameters.set("mode", modes.chosen === undefined ? "" : String(modes.chosen + 1));
    if (modes.options.locked.length > 0) parameters.set("lock", modes.options.locked.join(","));
    if (modes.options.about === "rest") parameters.set("rest", "");
  }
  if (!source.builtIn) parameters.set("text", await packText(JSON.stringify({ ...source, assets: undefined, maps: undefined })));
  const query = parameters.size > 0 ? `?${parameters}` : "";
  return source.builtIn ? `#/scenario/${encodeURIComponent(source.name)}${query}` : `#/file${query}`;
}

export async function openAddress(hash: string, studio: Studio): Promise<void> {
  const [path = "", query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const overrides = (): Override[] => parameters.getAll("set").map((text) => parseOverride(text, `set ${text}`));
  const [, kind, name] = path.split("/");
  if (kind === "scenario" && name !== undefined) studio.openBuiltIn(decodeName(name), overrides());
  else if (kind === "file" && parameters.has("text"))
    studio.open(await withMapsLoaded(readSource(await unpackText(parameters.get("text")!))), overrides());
  else if (kind === "opened") await openStartupFiles(studio, overrides());
  else if ((kind === "file" || kind === "log") && isStillOpen(studio)) return studio.store.set({ page: "scenario" });
  else {
    studio.showGallery();
    if (kind === "file" || kind === "log")
      throw new StudioError(`the address does not contain the ${NOT_IN_ADDRESS[kind]}: open the file again`);
    return;
  }
  if (parameters.has("mode")) studio.modes.open(parseModes(parameters));
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

/** Maximum number of modes that an address may request. Addresses may come from anybody. */
const MAX_MODES = 500;

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
