/**
 * Finds collections that no file of Castor has, in a fraction of the time that the parser takes: a map of many thousand keys, or more bodies than a
 * model may have. It reads lines and indentation, or JSON; what it cannot tell is left to the parser.
 */
import type { Problem } from "../errors.ts";
import { MAX_BODIES } from "../model/build/limits.ts";

/** Largest number of keys in one map: a state names each of 10,000 hinges, and elastic bodies have several. */
const MOST_KEYS = 20_000;
/** Texts below this size are parsed at once. */
const SMALL_TEXT = 200_000;

export function oversizedProblem(text: string): Problem | undefined {
  if (text.length < SMALL_TEXT) return undefined;
  return /^[\s\ufeff]*[{[]/.test(text) ? oversizedJson(text) : oversizedBlocks(text);
}

/** Keys at the root of block YAML, by its lines without indentation. */
export function* unindentedKeys(text: string): Generator<string> {
  for (const [, quoted, plain] of text.matchAll(/^(?:"([^"\\\n]*)"|([^\s#"'&*!|>%@`{[\]},-][^\n:#]*?)):(?=\s)/gm))
    yield quoted ?? plain!;
}

/** @param offset of the map or of the key in the text */
const located = (text: string, offset: number): Pick<Problem, "line" | "column"> => {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
};

const tooManyKeys = (text: string, offset: number, count: string): Problem => ({
  path: "",
  message: `has ${count} keys at one level, at most ${MOST_KEYS} are read`,
  advice: "This is not a file of Castor, or it is damaged",
  ...located(text, offset),
});

const tooManyBodies = (text: string, offset: number, count: number): Problem => ({
  path: "bodies",
  message: `at most ${MAX_BODIES} bodies, this has ${count}`,
  ...located(text, offset),
});

function oversizedJson(text: string): Problem | undefined {
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const items = Object.values(value);
    if (!Array.isArray(value) && items.length > MOST_KEYS) return tooManyKeys(text, 0, String(items.length));
    for (const item of items) if (typeof item === "object") open.push(item);
  }
  const bodies = bodiesOf(root) ?? bodiesOf((root as Readonly<Record<string, unknown>> | null)?.model);
  return bodies !== undefined && bodies.length > MAX_BODIES
    ? tooManyBodies(text, text.indexOf('"bodies"'), bodies.length)
    : undefined;
}

function bodiesOf(value: unknown): readonly unknown[] | undefined {
  const bodies = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>).bodies : undefined;
  return Array.isArray(bodies) ? bodies : undefined;
}

/** Counts keys by indentation: a line that is less indented, or that begins a list item, ends the maps before it. */
function oversizedBlocks(text: string): Problem | undefined {
  const bodies = /^( *)bodies: *(?:#.*)?\r?$/m.exec(text);
  const count = bodies === null ? 0 : listItems(text, bodies.index + bodies[0].length);
  if (count > MAX_BODIES) return tooManyBodies(text, bodies!.index, count);
  const open: { readonly indent: number; readonly offset: number; keys: number }[] = [];
  for (const { 1: before, index } of text.matchAll(/^([ -]*)[^\s#:-][^:#\n]*:(?=\s|$)/gm)) {
    const indent = before!.length;
    const isItem = before!.includes("-");
    while (open.length > 0 && (open.at(-1)!.indent > indent || (isItem && open.at(-1)!.indent === indent))) open.pop();
    if (open.at(-1)?.indent !== indent) open.push({ indent, offset: index, keys: 0 });
    const map = open.at(-1)!;
    if (++map.keys > MOST_KEYS) return tooManyKeys(text, map.offset, `${map.keys} or more`);
  }
  return undefined;
}

/** Number of items of the block list that begins after an offset. */
function listItems(text: string, from: number): number {
  let indent: number | undefined;
  let count = 0;
  for (const [, spaces, dash] of text.slice(from).matchAll(/^( *)(-(?= |$))?[^\s#]?/gm)) {
    if (dash === undefined && (indent === undefined || spaces!.length > indent)) continue;
    indent ??= spaces!.length;
    if (spaces!.length === indent && dash !== undefined) count++;
    else if (spaces!.length <= indent && count > 0) break;
  }
  return count;
}
