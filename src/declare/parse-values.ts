/** Parses the values of single parameters: ranges, axes, text, choices and tables. */
import { type Problem, valueText } from "../errors.ts";
import { euclideanNorm } from "../math/elementary/hypotenuse.ts";
import type { Axis } from "../spatial/axis.ts";
import type { ChoicesParameter, MatrixParameter, TextParameter, TextsParameter } from "./declarations.ts";
import { didYouMean, readTitle } from "./names.ts";
import type { Table } from "./parameters.ts";
import { childPath, itemsOf, readArray, readVec3 } from "./plain-data.ts";

/** A longer list in a file is a mistake: each row of a table costs operations in the kernel. */
const MAX_TABLE_ROWS = 1000;
const SHORTEST_AXIS = 1e-9;

/** The items if all of them could be read. */
export const ifAllRead = <T>(items: readonly (T | undefined)[]): readonly T[] | undefined =>
  items.every((item) => item !== undefined) ? (items as readonly T[]) : undefined;

/** The problem of a value that is missing, if it is. */
export const missingProblem = (value: unknown, path: string): Problem | undefined =>
  value === undefined ? { path, message: "is missing" } : undefined;

/** The value if it is in the range; adds a problem otherwise. */
export function inRange(
  value: number | undefined,
  range: { readonly least?: number; readonly above?: number; readonly most?: number },
  path: string,
  problems: Problem[],
): number | undefined {
  if (value === undefined) return undefined;
  const { least, above, most } = range;
  const message =
    above !== undefined && value <= above
      ? above === 0
        ? "must be positive"
        : `must be above ${above}`
      : least !== undefined && value < least
        ? least === 0
          ? "must not be negative"
          : `must be at least ${least}`
        : most !== undefined && value > most
          ? `must be at most ${most}`
          : undefined;
  if (message === undefined) return value;
  problems.push({ path, message, value: valueText(value) });
  return undefined;
}

/** An axis: its name, or components of any length but zero. */
export function readAxis(value: unknown, path: string, problems: Problem[]): Axis | undefined {
  if (value === "x" || value === "y" || value === "z") return value;
  if (itemsOf(value) === undefined) {
    problems.push(missingProblem(value, path) ?? { path, message: "must be x, y, z or three numbers", value: valueText(value) });
    return undefined;
  }
  const vector = readVec3(value, path, problems);
  if (vector === undefined || euclideanNorm(vector) > SHORTEST_AXIS) return vector;
  const advice = "The length of a direction does not matter, but it must not be zero";
  problems.push({ path, message: "must not be zero", value: valueText(value), advice });
  return undefined;
}

/** Text of a limited length, a title, or text of a given form. */
export function readText(value: unknown, parameter: TextParameter, path: string, problems: Problem[]): string | undefined {
  const { title, longest = Number.POSITIVE_INFINITY, pattern } = parameter;
  if (title) return readTitle(value, path, problems) || undefined;
  if (typeof value === "string" && value.length <= longest && (!pattern || new RegExp(pattern.source).test(value))) return value;
  const form = pattern?.means ?? (longest === Number.POSITIVE_INFINITY ? "text" : `text of at most ${longest} characters`);
  const advice = pattern?.advice === undefined ? {} : { advice: pattern.advice };
  problems.push(missingProblem(value, path) ?? { path, message: `must be ${form}`, value: valueText(value), ...advice });
  return undefined;
}

/** One text, or a list of texts. An item that is no text is undefined, so that the others keep their indices. */
export function readTexts(
  value: unknown,
  { noun, most = Number.POSITIVE_INFINITY, example }: TextsParameter,
  path: string,
  problems: Problem[],
): readonly (string | undefined)[] | undefined {
  if (typeof value === "string") return [value];
  const items = readArray(value, path, `${aOrAn(noun)} or a list of them`, problems);
  if (items === undefined) return undefined;
  if (items.length > most) {
    problems.push({ path, message: `at most ${most} ${noun}s, this has ${items.length}` });
    return undefined;
  }
  const advice = example === undefined ? {} : { advice: example };
  return items.map((item, i) => {
    if (typeof item === "string") return item;
    problems.push({ path: childPath(path, i), message: "must be text", value: valueText(item), ...advice });
    return undefined;
  });
}

/** A name that is resolved later. */
export function readReference(value: unknown, to: string, path: string, problems: Problem[]): string | undefined {
  if (typeof value === "string") return value;
  problems.push(missingProblem(value, path) ?? { path, message: `must be the name of ${aOrAn(to)}`, value: valueText(value) });
  return undefined;
}

/** One name or a list of names that are resolved later. */
export function readReferences(
  value: unknown,
  to: string,
  path: string,
  problems: Problem[],
): readonly (string | undefined)[] | undefined {
  if (typeof value === "string") return [value];
  const items = readArray(value, path, `the name of ${aOrAn(to)} or a list of names`, problems);
  return items && Array.from(items, (item, i) => readReference(item, to, childPath(path, i), problems));
}

const aOrAn = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

export function readChoice(
  value: unknown,
  of: readonly string[],
  path: string,
  problems: Problem[],
  refusal = "is not one of the choices",
): string | undefined {
  if (typeof value === "string" && of.includes(value)) return value;
  problems.push(
    missingProblem(value, path) ?? {
      path,
      message: refusal,
      value: valueText(value),
      advice: didYouMean(value, of),
    },
  );
  return undefined;
}

/** A list of different words, in its own order. */
export function readSet(
  value: unknown,
  { of, noun = "choice" }: ChoicesParameter,
  path: string,
  problems: Problem[],
): readonly string[] | undefined {
  const items = readArray(value, path, `a list of ${of.join(", ")}`, problems);
  if (items === undefined) return undefined;
  const before = problems.length;
  const words: string[] = [];
  for (const [i, item] of items.slice(0, 2 * of.length).entries()) {
    const word = readChoice(item, of, childPath(path, i), problems, `no such ${noun}`);
    if (word !== undefined && words.includes(word))
      problems.push({ path: childPath(path, i), message: `the ${noun} is listed twice`, value: valueText(item) });
    else if (word !== undefined) words.push(word);
  }
  return problems.length === before ? words : undefined;
}

/** One word or a list of words; the result has the order of the choices. */
export function readChoices(
  value: unknown,
  of: readonly string[],
  path: string,
  problems: Problem[],
): readonly string[] | undefined {
  const list = itemsOf(value);
  if (list === undefined) {
    const single = readChoice(value, of, path, problems);
    return single === undefined ? undefined : [single];
  }
  const items = ifAllRead(list.map((item, i) => readChoice(item, of, childPath(path, i), problems)));
  if (items === undefined) return undefined;
  const chosen = of.filter((choice) => items.includes(choice));
  if (chosen.length === items.length && chosen.length > 0) return chosen;
  problems.push({ path, message: chosen.length === 0 ? "must name at least one" : "names one twice", value: valueText(value) });
  return undefined;
}

/** A table with increasing x. `readItem` reads one number of a row. */
export function readTable(
  value: unknown,
  { columns, rows }: { readonly columns: readonly [string, string]; readonly rows: number },
  path: string,
  problems: Problem[],
  readItem: (item: unknown, axis: "x" | "y", path: string) => number | undefined,
): Table | undefined {
  const expected = `a list of rows [${columns.join(", ")}]`;
  const items = readArray(value, path, expected, problems);
  if (items === undefined) return undefined;
  if (items.length < rows || items.length > MAX_TABLE_ROWS) {
    const message = `must have ${rows} to ${MAX_TABLE_ROWS} rows [${columns.join(", ")}], has ${items.length}`;
    problems.push({ path, message });
    return undefined;
  }
  const before = problems.length;
  const x: number[] = [];
  const y: number[] = [];
  for (const [i, row] of items.entries()) {
    const rowPath = childPath(path, i);
    const pair = itemsOf(row);
    if (pair?.length !== 2) {
      problems.push({ path: rowPath, message: `must be a row [${columns.join(", ")}]`, value: valueText(row) });
      continue;
    }
    const [xi, yi] = [readItem(pair[0], "x", childPath(rowPath, 0)), readItem(pair[1], "y", childPath(rowPath, 1))];
    if (xi === undefined || yi === undefined) continue;
    if (x.length > 0 && xi <= x.at(-1)!)
      problems.push({
        path: childPath(rowPath, 0),
        message: `${columns[0]} must increase from row to row`,
        value: valueText(xi),
      });
    x.push(xi);
    y.push(yi);
  }
  return problems.length === before ? { x, y } : undefined;
}

/** Rows of numbers: three rows of three, or any. */
export function readMatrix(
  { unit, free }: MatrixParameter,
  written: unknown,
  path: string,
  problems: Problem[],
  quantity: (value: unknown, unit: string, path: string, problems: Problem[]) => number | undefined,
): readonly (readonly number[])[] | undefined {
  const rows = readArray(written, path, free ? "rows of numbers" : "three rows of three numbers", problems);
  if (rows === undefined) return undefined;
  const before = problems.length;
  if (!free && rows.length !== 3)
    problems.push({ path, message: `must have 3 rows, has ${rows.length}`, value: valueText(written) });
  else {
    const numbers = Array.from(rows, (row, i) => {
      const rowPath = childPath(path, i);
      const items = readArray(row, rowPath, free ? "a row of numbers" : "3 numbers", problems);
      if (items && !free && items.length !== 3)
        problems.push({ path: rowPath, message: `must have 3 numbers, has ${items.length}`, value: valueText(row) });
      else return Array.from(items ?? [], (item, j) => quantity(item, unit, childPath(rowPath, j), problems)!);
      return [];
    });
    if (problems.length === before) return numbers;
  }
  return undefined;
}
