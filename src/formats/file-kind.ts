/** What a file is, by the keys at the root of its document, however that is written. */
import { rootKeys } from "./document.ts";

export type FileKind = "scenario" | "model" | "state" | "log" | "summary";

/** Nothing where no key tells. */
export function kindOfKeys(keys: readonly string[]): FileKind | undefined {
  const has = (...wanted: readonly string[]): boolean => wanted.every((key) => keys.includes(key));
  if (has("columns", "channels")) return "log";
  if (has("castor", "audit", "outcome")) return "summary";
  if (has("model") || has("duration")) return "scenario";
  if (has("bodies")) return "model";
  return ["q", "u", "tau", "wrenches"].some((key) => has(key)) ? "state" : undefined;
}

/** Of a text in YAML or JSON; nothing where no key tells. What is wrong with it, whoever reads it says. */
export const kindOfFile = (text: string): FileKind | undefined => kindOfKeys(jsonKeys(text) ?? rootKeys(text));

/** A log in JSON may be of any size, which the reader of YAML is not for. */
function jsonKeys(text: string): readonly string[] | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null ? Object.keys(data) : [];
  } catch {
    return undefined;
  }
}
