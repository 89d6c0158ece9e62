/**
 * Changes of a scenario by path, before it is checked: `controllers.arm.period=0.02`, `model.bodies.hand.mass=35 kg`,
 * `plots[0].title=Angles`. List items are addressed by number, or by their name, hinge, frame or title.
 */

import { checkMembers, checkText } from "../arguments.ts";
import { didYouMean } from "../declare/names.ts";
import { childPath } from "../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import { pathSegments, readDocument } from "../formats/document.ts";

export interface Override {
  /** Path in the scenario. */
  readonly path: string;
  /** New value; undefined removes the key. */
  readonly value: unknown;
  /** The option as the user wrote it, for messages. */
  readonly from: string;
}

/** Objects that are created when a key in them is set. */
const IMPLIED_OBJECTS =
  /^(state|state\.[qu]|integrator|audit|devices|terrain|ruts|forces|controllers|events|limits|approach|model\..*\.(rotation|onBody))$/;

/** PATH=VALUE. The path ends at the first = that is not in quotes. */
const ASSIGNMENT = /^((?:[^="[]|\[(?!")|(?<!\[)"|\["(?:[^"\\]|\\.)*"\])+)=([\s\S]*)$/;

/** Parses `path=value`. The value is YAML; null removes the key. @throws ModelError */
export function parseOverride(text: string, from = `--set ${String(text)}`): Override {
  checkText("text", text, "PATH=VALUE, e.g. duration=20");
  checkText("from", from, "a name for messages");
  const refuse = (message: string, advice?: string): never => {
    throw new ModelError(from, [{ path: "", message, ...(advice !== undefined && { advice }) }]);
  };
  const [, path, written] = ASSIGNMENT.exec(text) ?? [];
  if (path === undefined || written === undefined)
    return refuse("must be PATH=VALUE", "For example duration=20 or forces.spring.stiffness=12");
  if (written.trim() === "") return refuse("the value is missing", "Write '' for an empty text");
  const document = readDocument(written, from);
  if (document.problems.length > 0) throw document.error(document.problems);
  return { path: path.trim(), value: document.data ?? undefined, from };
}

/** The inverse of `parseOverride`. */
export function formatOverride(override: Pick<Override, "path" | "value">): string {
  checkMembers("override", override, ["path"], "an object with path and value");
  return `${override.path}=${formatValue(override.value)}`;
}

/** A value as YAML on one line, without unnecessary quotes. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "null";
  if (Array.isArray(value)) return `[${value.map((item) => formatValue(item)).join(", ")}]`;
  if (isContainer(value)) {
    const parts = Object.entries(value).map(([key, part]) => `${formatValue(key)}: ${formatValue(part)}`);
    return `{${parts.join(", ")}}`;
  }
  const quotedText = Object.is(value, -0) ? "-0" : JSON.stringify(value);
  return typeof value === "string" && /^[\w.+-][\w .+/^-]*$/.test(value) && isReadAsText(value) ? value : quotedText;
}

function isReadAsText(text: string): boolean {
  try {
    return readDocument(text, "").data === text;
  } catch {
    return false;
  }
}

type Container = Record<string, unknown> | unknown[];

/** A copy of the data with the changes applied. A path that does not exist is a problem. */
export function applyOverrides(data: unknown, overrides: readonly Override[], problems: Problem[]): unknown {
  if (overrides.length === 0) return data;
  const copy = copyPlainData(data);
  for (const override of overrides) {
    const problem = applyOverride(copy, override);
    if (problem !== undefined) problems.push(problem);
  }
  return copy;
}

/** Keys of what a file contains, in an object that names it by `file`. */
const FILE_CONTENT: readonly string[] = ["columns", "table", "points"];

/** The changes of what files contain: of keys that a file of the same object gives. They are made when the file has been read. */
export function overridesOfFiles(data: unknown, overrides: readonly Override[]): readonly Override[] {
  const candidates = overrides.filter(
    ({ path, value }) => value !== undefined && pathSegments(path).some((segment) => FILE_CONTENT.includes(segment)),
  );
  if (candidates.length === 0) return [];
  const others = overrides.filter((override) => !candidates.includes(override));
  const changed = applyOverrides(data, others, []);
  return candidates.filter(({ path }) => isOfFile(changed, pathSegments(path)));
}

function isOfFile(data: unknown, segments: readonly string[]): boolean {
  let container = data;
  for (const segment of segments) {
    if (!isContainer(container)) return false;
    if (FILE_CONTENT.includes(segment) && typeof (container as Record<string, unknown>).file === "string") return true;
    const key = keyOfSegment(container, segment);
    if (key === undefined) return false;
    container = (container as Record<string | number, unknown>)[key];
  }
  return false;
}

/** The path with names of list items replaced by their numbers. Returns undefined if the path does not exist. */
export function resolvePath(data: unknown, path: string): string | undefined {
  let container = data;
  let resolved = "";
  for (const segment of pathSegments(path)) {
    if (!isContainer(container)) return undefined;
    const key = keyOfSegment(container, segment);
    if (key === undefined) return undefined;
    resolved = childPath(resolved, key);
    container = (container as Record<string | number, unknown>)[key];
  }
  return resolved;
}

function applyOverride(data: unknown, { path, value, from }: Override): Problem | undefined {
  const segments = pathSegments(path);
  let container = data;
  let parentPath = "";
  const notFound = (message: string, segment: string, known: readonly string[]): Problem => ({
    path: childPath(parentPath, segment),
    message,
    value: valueText(segment),
    ...(known.length > 0 && { advice: didYouMean(segment, known) }),
    file: from,
  });
  for (const [i, segment] of segments.entries()) {
    if (value === undefined && resolvePath(data, path) === undefined) return undefined;
    if (!isContainer(container)) return notFound(`"${parentPath}" is a single value and has no keys`, segment, []);
    const isLast = i === segments.length - 1;
    const key = keyOfSegment(container, segment);
    const target = container as Record<string | number, unknown>;
    if (key === undefined) {
      if (Array.isArray(container))
        return notFound("the list has no item with this name or number", segment, labelsInList(container));
      if (!isLast && !IMPLIED_OBJECTS.test(childPath(parentPath, segment)))
        return notFound("there is no such key", segment, Object.keys(container));
      target[segment] = isLast ? value : Object.create(null);
    } else if (isLast && value === undefined) delete target[key];
    else if (isLast) target[key] = value;
    parentPath = childPath(parentPath, key ?? segment);
    container = target[key ?? segment];
  }
  return segments.length > 0 ? undefined : { path, message: "is not a path", value: valueText(path), file: from };
}

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** The key or list index of a path segment in a container, or undefined. */
function keyOfSegment(container: Container, segment: string): string | number | undefined {
  if (!Array.isArray(container)) return Object.hasOwn(container, segment) ? segment : undefined;
  const labelledIndex = container.findIndex((item) => labelsOf(item).includes(segment));
  if (labelledIndex >= 0) return labelledIndex;
  const index = /^\d+$/.test(segment) ? Number(segment) : Number.NaN;
  return index < container.length ? index : undefined;
}

/** The values by which a list item can be addressed. */
const labelsOf = (item: unknown): readonly unknown[] => {
  if (!isContainer(item) || Array.isArray(item)) return [];
  return ["name", "hinge", "frame", "title"].flatMap((key) => (Object.hasOwn(item, key) ? [item[key]] : []));
};

const labelsInList = (list: readonly unknown[]): string[] =>
  list.flatMap((item) => labelsOf(item).filter((label) => typeof label === "string")).slice(0, 100) as string[];

/** Deep copy of plain data as `readDocument` returns it. */
function copyPlainData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlainData);
  if (!isContainer(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key] = copyPlainData(part);
  return copy;
}
