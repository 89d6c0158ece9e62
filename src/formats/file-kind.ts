/** Kind of a file, detected by the root keys of its document, in YAML or JSON. */
import { checkText } from "../arguments.ts";
import { rootKeys } from "./document.ts";

export type FileKind = "scenario" | "model" | "state" | "log" | "summary" | "saved run" | "campaign";

/** Returns undefined if the keys do not identify a kind. */
export function kindOfKeys(keys: readonly string[]): FileKind | undefined {
  const has = (...wanted: readonly string[]): boolean => wanted.every((key) => keys.includes(key));
  if (has("columns", "channels")) return "log";
  if (has("audit", "outcome")) return "summary";
  if (has("version", "hash", "content")) return "saved run";
  if (has("scenario", "dispersions")) return "campaign";
  if (has("model") || has("duration")) return "scenario";
  if (has("bodies")) return "model";
  return ["q", "u", "tau", "wrenches"].some((key) => has(key)) ? "state" : undefined;
}

/** Kind of a text in YAML or JSON; undefined if it cannot be identified. Problems of the text are left to its reader. */
export function kindOfFile(text: string): FileKind | undefined {
  checkText("text", text);
  return kindOfKeys(jsonKeys(text) ?? rootKeys(text));
}

/** Root keys of JSON. Logs in JSON may be larger than the YAML reader accepts. */
function jsonKeys(text: string): readonly string[] | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null ? Object.keys(data) : [];
  } catch {
    return undefined;
  }
}
