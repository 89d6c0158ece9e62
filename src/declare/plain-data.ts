/**
 * Readers of untrusted plain data. Each function returns the value, or `undefined` after adding a problem with its path, so that
 * one pass finds every problem.
 */

import { type Problem, valueText } from "../errors.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import { didYouMean } from "./names.ts";

/** Largest allowed magnitude in SI units. A larger number is a mistake or an attack, and its square may overflow. */
const MAX_MAGNITUDE = 1e30;
/** Maximum number of unknown keys that are reported for one object. */
const MAX_REPORTED_UNKNOWN_KEYS = 20;

export type Fields = Readonly<Record<string, unknown>>;

/** The path of a member: `bodies[2]`, `bodies[2].hinge`, `frames["odd.name"]`. */
export function childPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[^.[\]"\s=]+$/.test(key)) return `${path}[${JSON.stringify(key.slice(0, 100))}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The items of an array or of a typed array. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Array.from(value as Float64Array) : undefined;
}

/** Reasons why certain keys are refused, if they are given. */
export type ForeignKeys = Readonly<Record<string, Pick<Problem, "message" | "advice">>>;

/** An object that has only known keys. Keys in `foreign` are refused with their own reason. */
export function readFields(
  value: unknown,
  path: string,
  known: readonly string[],
  problems: Problem[],
  foreign: ForeignKeys = {},
): Fields | undefined {
  const fields = readRecord(value, path, problems);
  if (fields === undefined) return undefined;
  const keys = Object.keys(fields).filter((key) => !known.includes(key));
  for (const key of keys.filter((k) => Object.hasOwn(foreign, k) && fields[k] !== undefined)) {
    const { message, advice } = foreign[key]!;
    problems.push({
      path: childPath(path, key),
      message,
      value: valueText(fields[key]),
      ...(advice !== undefined && { advice }),
    });
  }
  const unknown = keys.filter((key) => !Object.hasOwn(foreign, key));
  for (const key of unknown.slice(0, MAX_REPORTED_UNKNOWN_KEYS))
    problems.push({ path: childPath(path, key), message: "unknown key", value: valueText(key), advice: didYouMean(key, known) });
  if (unknown.length > MAX_REPORTED_UNKNOWN_KEYS)
    problems.push({ path, message: `${unknown.length - MAX_REPORTED_UNKNOWN_KEYS} more unknown keys` });
  return fields;
}

/** True for an object with keys, which is not a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** An object with any keys. */
export function readRecord(value: unknown, path: string, problems: Problem[]): Fields | undefined {
  if (isFields(value)) return value;
  problems.push(
    value === undefined
      ? { path, message: "is missing" }
      : { path, message: "must be an object with keys", value: valueText(value) },
  );
  return undefined;
}

export function readArray(value: unknown, path: string, what: string, problems: Problem[]): readonly unknown[] | undefined {
  const items = itemsOf(value);
  if (items !== undefined) return items;
  problems.push(
    value === undefined ? { path, message: "is missing" } : { path, message: `must be ${what}`, value: valueText(value) },
  );
  return undefined;
}

/** A finite number of a reasonable magnitude. */
export function readNumber(value: unknown, path: string, problems: Problem[]): number | undefined {
  if (value === undefined) problems.push({ path, message: "is missing" });
  else if (typeof value !== "number") problems.push({ path, message: "must be a number", value: valueText(value) });
  else if (!Number.isFinite(value)) problems.push({ path, message: "must be a finite number", value: valueText(value) });
  else if (Math.abs(value) > MAX_MAGNITUDE)
    problems.push({
      path,
      message: `must be at most ${MAX_MAGNITUDE} in size`,
      value: valueText(value),
      advice: "Values are in SI units and radians",
    });
  else return value + 0; // converts -0 to 0
  return undefined;
}

/** An array of exactly `count` numbers. */
export function readNumbers(value: unknown, path: string, count: number, problems: Problem[]): readonly number[] | undefined {
  const items = readArray(value, path, `${count} numbers`, problems);
  if (items === undefined) return undefined;
  if (items.length !== count) {
    problems.push({ path, message: `must have ${count} numbers, has ${items.length}`, value: valueText(value) });
    return undefined;
  }
  const numbers = Array.from(items, (item, i) => readNumber(item, childPath(path, i), problems));
  return numbers.every((n) => n !== undefined) ? (numbers as number[]) : undefined;
}

export function readVec3(value: unknown, path: string, problems: Problem[]): Vec3<number> | undefined {
  return readNumbers(value, path, 3, problems) as Vec3<number> | undefined;
}
