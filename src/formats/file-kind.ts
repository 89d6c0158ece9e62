/** Kind of a file, detected by the root keys of its document in YAML or JSON, or by its root element in XML. */
import { checkText } from "../arguments.ts";
import { rootKeys } from "./document.ts";
import { rootElementName } from "./xml/root-element.ts";

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

/** Root elements of URDF and MJCF. */
const ROBOT_ELEMENTS: readonly string[] = ["robot", "mujoco"];

/** Kind of a text in YAML, JSON or XML; undefined if it cannot be identified. Problems of the text are left to its reader. */
export function kindOfFile(text: string): FileKind | undefined {
  checkText("text", text);
  const root = rootElementName(text);
  if (root !== undefined) return ROBOT_ELEMENTS.includes(root) ? "model" : undefined;
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
