/** Restoring of saved memories. The data may come from a file that was damaged or changed by hand, so every entry is checked. */
import { FormatError, valueText } from "./errors.ts";

const ADVICE = "The data was saved by another version or for another model, or it is damaged: save it again";

/** Refuses saved data. @param path the entry, e.g. `stepper.control.size`; @param message what it must be */
export function refuseSaved(path: string, message: string, value: unknown): never {
  throw refusal(path, message, value);
}

const refusal = (path: string, message: string, value: unknown): FormatError =>
  new FormatError(`${path}: ${message}, got ${savedText(value)}. ${ADVICE}`);

/**
 * Copies saved plain data into `target`, key by key: numbers, booleans, strings, null, typed arrays of the same kind and length (by set),
 * nested plain objects and arrays of the same length. Everything is checked before anything is copied. Any number is accepted, also NaN:
 * the caller checks ranges. @throws FormatError with the path if a key is missing or unknown, or a value has another type or length.
 */
export function takeSaved(target: object, saved: unknown, where: string): void {
  checkObject(target, saved, where);
  copyObject(target as Entries, saved as Entries);
}

/** The same, for a memory whose numbers are all finite in every run. @throws FormatError */
export function takeFiniteSaved(target: object, saved: unknown, where: string): void {
  checkObject(target, saved, where);
  checkFiniteEntries(saved as Entries, where);
  copyObject(target as Entries, saved as Entries);
}

function checkFiniteEntries(saved: Entries, path: string): void {
  for (const [key, value] of Object.entries(saved)) {
    if (typeof value === "number" || kindOfTypedArray(value) === "Float64Array")
      checkSavedFinite(value as number | Float64Array, `${path}.${key}`);
    else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
      checkFiniteEntries(value as Entries, `${path}.${key}`);
  }
}

/** Checks a saved number that counts or indexes something. @throws FormatError unless it is a whole number from `least` to `most`. */
export function checkSavedInteger(value: number, least: number, most: number, path: string): void {
  if (!(Number.isInteger(value) && value >= least && value <= most))
    refuseSaved(path, `must be a whole number from ${least} to ${most}`, value);
}

/** Checks saved numbers that are finite in every run. @throws FormatError at the first one that is not. */
export function checkSavedFinite(values: number | Float64Array, path: string): void {
  if (typeof values === "number") {
    if (!Number.isFinite(values)) refuseSaved(path, "must be finite", values);
    return;
  }
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) refuseSaved(`${path}[${bad}]`, "must be finite", values[bad]);
}

/** Checks saved numbers that are a permutation of 0, 1, ..., in any order. @throws FormatError if one is out of range or occurs twice. */
export function checkSavedPermutation(values: Int32Array, path: string): void {
  const isUsed = new Uint8Array(values.length);
  for (const [i, value] of values.entries()) {
    checkSavedInteger(value, 0, values.length - 1, `${path}[${i}]`);
    if (isUsed[value] === 1) refuseSaved(`${path}[${i}]`, "must not occur twice", value);
    isUsed[value] = 1;
  }
}

/** The entries of a saved object whose parts are restored one by one. @throws FormatError unless it has exactly these keys. */
export function savedEntries<const K extends string>(
  saved: unknown,
  keys: readonly K[],
  path: string,
): Readonly<Record<K, unknown>> {
  if (!isObjectWithKeys(saved)) throw refusal(path, "must be an object with keys", saved);
  for (const key of keys) if (!Object.hasOwn(saved, key)) refuseSaved(path, `must have the key ${key}`, saved);
  for (const key of Object.keys(saved))
    if (!keys.includes(key as K)) refuseSaved(path, `must not have the key ${key.slice(0, 40)}`, saved);
  return saved as Record<K, unknown>;
}

/** A copy of a saved typed array of this kind, and of this length if one is given. @throws FormatError */
export function savedArray<T extends TypedArray>(
  saved: unknown,
  kind: { readonly name: string; new (length: number): T },
  path: string,
  length?: number,
): T {
  if (kindOfTypedArray(saved) !== kind.name || (length !== undefined && (saved as T).length !== length))
    refuseSaved(path, `must be a ${kind.name}${length === undefined ? "" : ` of length ${length}`}`, saved);
  const copy = new kind((saved as T).length);
  copy.set(saved as T);
  return copy;
}

type Entries = Record<string, unknown>;
type TypedArray = Float64Array | Float32Array | Int32Array | Int8Array;

/** "Float64Array" and the like; undefined if it is not a typed array. Works for arrays of another realm too. */
const kindOfTypedArray = (value: unknown): string | undefined =>
  ArrayBuffer.isView(value) ? (value as TypedArray)[Symbol.toStringTag] : undefined;

function savedText(value: unknown): string {
  const kind = kindOfTypedArray(value);
  return kind === undefined ? valueText(value) : `a ${kind} of length ${(value as TypedArray).length ?? 0}`;
}

const isObjectWithKeys = (value: unknown): value is Entries =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

function check(target: unknown, saved: unknown, path: string): void {
  const kind = kindOfTypedArray(target);
  if (kind !== undefined) {
    const { length } = target as TypedArray;
    if (kindOfTypedArray(saved) !== kind || (saved as TypedArray).length !== length)
      refuseSaved(path, `must be a ${kind} of length ${length}`, saved);
  } else if (typeof target === "object" && target !== null) checkObject(target, saved, path);
  else if (target === null ? saved !== null : typeof saved !== typeof target)
    refuseSaved(path, `must be ${target === null ? "null" : `a ${typeof target}`}`, saved);
}

function checkObject(target: object, saved: unknown, path: string): void {
  if (Array.isArray(target)) {
    if (!Array.isArray(saved) || saved.length !== target.length)
      refuseSaved(path, `must be an array of length ${target.length}`, saved);
    for (let i = 0; i < target.length; i++) check(target[i], (saved as readonly unknown[])[i], `${path}[${i}]`);
    return;
  }
  const keys = Object.keys(target);
  const entries = savedEntries(saved, keys, path);
  for (const key of keys) check((target as Entries)[key], entries[key], `${path}.${key}`);
}

function copyObject(target: Entries, saved: Entries): void {
  for (const key of Object.keys(target)) {
    const value = target[key];
    if (kindOfTypedArray(value) !== undefined) (value as TypedArray).set(saved[key] as TypedArray);
    else if (typeof value === "object" && value !== null) copyObject(value as Entries, saved[key] as Entries);
    else target[key] = saved[key];
  }
}
