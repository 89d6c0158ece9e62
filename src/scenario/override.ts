/**
 * Changes to a scenario by path, before it is checked: `controllers.arm.period=0.02`, `model.bodies.hand.mass=35 kg`,
 * `plots[0].title=Angles`. Parts of a list are named by number, or by their name, hinge, frame or title.
 */

import { didYouMean } from "../declare/names.ts";
import { childPath } from "../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import { pathSegments, readDocument } from "../formats/document.ts";

export interface Override {
  /** Where in the scenario. */
  readonly path: string;
  /** Undefined takes away what is there. */
  readonly value: unknown;
  /** How the user gave it, for messages. */
  readonly from: string;
}

/** Objects of a scenario that need not be written to have something set in them. */
const IMPLIED_OBJECTS = /^(state|state\.[qu]|integrator|audit|model\..*\.(rotation|onBody))$/;

/** A path ends at the first = that is not in quotes. */
const ASSIGNMENT = /^((?:[^="[]|\[(?!")|(?<!\[)"|\["(?:[^"\\]|\\.)*"\])+)=([\s\S]*)$/;

/** Reads `path=value`, the value in YAML; null takes away what is there. @throws ModelError */
export function parseOverride(text: string, from = `--set ${text}`): Override {
  const refuse = (message: string, advice?: string): never => {
    throw new ModelError(from, [{ path: "", message, ...(advice !== undefined && { advice }) }]);
  };
  const [, path, written] = ASSIGNMENT.exec(text) ?? [];
  if (path === undefined || written === undefined)
    return refuse("must be PATH=VALUE", "E.g. duration=20 or forces.spring.stiffness=12");
  if (written.trim() === "") return refuse("the value is missing", "Text that is empty is written ''");
  const document = readDocument(written, from);
  if (document.problems.length > 0) throw document.error(document.problems);
  return { path: path.trim(), value: document.data ?? undefined, from };
}

/** The text that `parseOverride` reads. */
export function formatOverride({ path, value }: Pick<Override, "path" | "value">): string {
  return `${path}=${formatValue(value)}`;
}

/** A value in YAML on one line, as one would write it by hand. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "null";
  if (Array.isArray(value)) return `[${value.map((item) => formatValue(item)).join(", ")}]`;
  if (isContainer(value)) {
    const parts = Object.entries(value).map(([key, part]) => `${formatValue(key)}: ${formatValue(part)}`);
    return `{${parts.join(", ")}}`;
  }
  const quoted = Object.is(value, -0) ? "-0" : JSON.stringify(value);
  return typeof value === "string" && /^[\w.+-][\w .+/^-]*$/.test(value) && isReadAsText(value) ? value : quoted;
}

function isReadAsText(text: string): boolean {
  try {
    return readDocument(text, "").data === text;
  } catch {
    return false;
  }
}

type Container = Record<string, unknown> | unknown[];

/** A copy of the data with the changes made; what cannot be found is a problem. */
export function applyOverrides(data: unknown, overrides: readonly Override[], problems: Problem[]): unknown {
  if (overrides.length === 0) return data;
  const changed = copyPlainData(data);
  for (const override of overrides) {
    const problem = applyOverride(changed, override);
    if (problem !== undefined) problems.push(problem);
  }
  return changed;
}

/** The path in the file's own terms: names of list parts replaced by their numbers; undefined where it leads nowhere. */
export function resolvePath(data: unknown, path: string): string | undefined {
  let container = data;
  let at = "";
  for (const segment of pathSegments(path)) {
    if (!isContainer(container)) return undefined;
    const key = keyOfSegment(container, segment);
    if (key === undefined) return undefined;
    at = childPath(at, key);
    container = (container as Record<string | number, unknown>)[key];
  }
  return at;
}

function applyOverride(data: unknown, { path, value, from }: Override): Problem | undefined {
  const segments = pathSegments(path);
  let container = data;
  let at = "";
  const nowhere = (message: string, segment: string, known: readonly string[]): Problem => ({
    path: childPath(at, segment),
    message,
    value: valueText(segment),
    ...(known.length > 0 && { advice: didYouMean(segment, known) }),
    file: from,
  });
  for (const [i, segment] of segments.entries()) {
    if (value === undefined && resolvePath(data, path) === undefined) return undefined;
    if (!isContainer(container)) return nowhere(`"${at}" has no parts`, segment, []);
    const isLast = i === segments.length - 1;
    const key = keyOfSegment(container, segment);
    const place = container as Record<string | number, unknown>;
    if (key === undefined) {
      if (Array.isArray(container))
        return nowhere("no part of the list has this name or number", segment, labelsInList(container));
      if (!isLast && !IMPLIED_OBJECTS.test(childPath(at, segment)))
        return nowhere("there is nothing of this name to change", segment, Object.keys(container));
      place[segment] = isLast ? value : Object.create(null);
    } else if (isLast && value === undefined) delete place[key];
    else if (isLast) place[key] = value;
    at = childPath(at, key ?? segment);
    container = place[key ?? segment];
  }
  return segments.length > 0 ? undefined : { path, message: "is not a path", value: valueText(path), file: from };
}

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** The key or index that a segment means in a container, if there is such a part. */
function keyOfSegment(container: Container, segment: string): string | number | undefined {
  if (!Array.isArray(container)) return Object.hasOwn(container, segment) ? segment : undefined;
  const named = container.findIndex((item) => labelsOf(item).includes(segment));
  if (named >= 0) return named;
  const index = /^\d+$/.test(segment) ? Number(segment) : Number.NaN;
  return index < container.length ? index : undefined;
}

/** What a part of a list may be called by. */
const labelsOf = (item: unknown): readonly unknown[] => {
  if (!isContainer(item) || Array.isArray(item)) return [];
  return ["name", "hinge", "frame", "title"].flatMap((key) => (Object.hasOwn(item, key) ? [item[key]] : []));
};

const labelsInList = (list: readonly unknown[]): string[] =>
  list.flatMap((item) => labelsOf(item).filter((label) => typeof label === "string")).slice(0, 100) as string[];

/** Plain data only: what `readDocument` makes. */
function copyPlainData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlainData);
  if (!isContainer(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key] = copyPlainData(part);
  return copy;
}
