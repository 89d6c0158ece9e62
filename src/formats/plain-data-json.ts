/**
 * Plain data as JSON, exactly: typed arrays, maps, sets, undefined, and numbers that JSON does not have. Reading gives the same bits. An object
 * with one key that begins with "$" stands for such a value, e.g. { "$f64": base64 } or { "$number": "-0" }. Nothing in a file can run code.
 */
import { FormatError, valueText } from "../errors.ts";

/** Deepest nesting of data. */
const MAX_DEPTH = 64;

const ARRAYS = {
  $f64: Float64Array,
  $f32: Float32Array,
  $i32: Int32Array,
  $u32: Uint32Array,
  $i16: Int16Array,
  $u16: Uint16Array,
  $i8: Int8Array,
  $u8: Uint8Array,
} as const;
type ArrayTag = keyof typeof ARRAYS;

const NUMBERS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
  "-0": -0,
};

/** The data as values that JSON has. @throws FormatError for functions, symbols and instances of other classes */
export function encodePlainData(value: unknown, path = "data", depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new FormatError(`${path}: the data is nested more than ${MAX_DEPTH} levels deep`);
  const inner = (item: unknown, key: string | number): unknown => encodePlainData(item, `${path}.${key}`, depth + 1);
  if (value === undefined) return { $undefined: true };
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: numberName(value) };
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Map) return { $map: [...value].map(([key, item], i) => [inner(key, i), inner(item, i)]) };
  if (value instanceof Set) return { $set: [...value].map(inner) };
  if (typeof value === "object") {
    const tag = (Object.keys(ARRAYS) as ArrayTag[]).find((name) => value instanceof ARRAYS[name]);
    if (tag) return { [tag]: toBase64(value as Float64Array) };
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [escapeKey(key), inner(item, key)]));
  }
  throw new FormatError(`${path}: only plain data can be saved, got ${valueText(value)}`);
}

/** The data that `encodePlainData` has encoded. @throws FormatError if it is not such data */
export function decodePlainData(value: unknown, path = "data", depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new FormatError(`${path}: the data is nested more than ${MAX_DEPTH} levels deep`);
  const inner = (item: unknown, key: string | number): unknown => decodePlainData(item, `${path}.${key}`, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (first?.[0].startsWith("$") && !first[0].startsWith("$$")) {
    if (entries.length !== 1) throw new FormatError(`${path}: "${first[0]}" must be the only key`);
    return decodeTagged(first[0], first[1], path, inner);
  }
  const result: Record<string, unknown> = {};
  for (const [key, item] of entries) {
    if (key === "__proto__") throw new FormatError(`${path}: "__proto__" is not a key of saved data`);
    result[key.startsWith("$$") ? key.slice(1) : key] = inner(item, key);
  }
  return result;
}

function decodeTagged(
  tag: string,
  content: unknown,
  path: string,
  inner: (item: unknown, key: string | number) => unknown,
): unknown {
  const refuse = (what: string): never => {
    throw new FormatError(`${path}.${tag}: must be ${what}, got ${valueText(content)}`);
  };
  if (tag === "$undefined") return undefined;
  if (tag === "$number")
    return typeof content === "string" && Object.hasOwn(NUMBERS, content)
      ? NUMBERS[content]
      : refuse(`one of ${Object.keys(NUMBERS).join(", ")}`);
  if (tag === "$set") return Array.isArray(content) ? new Set(content.map(inner)) : refuse("a list");
  if (tag === "$map")
    return Array.isArray(content) && content.every((pair) => Array.isArray(pair) && pair.length === 2)
      ? new Map(content.map(([key, item], i) => [inner(key, i), inner(item, i)]))
      : refuse("a list of pairs");
  if (!Object.hasOwn(ARRAYS, tag)) return refuse(`data of a known kind (${Object.keys(ARRAYS).join(", ")}, $map, $set, $number)`);
  const type = ARRAYS[tag as ArrayTag];
  const bytes = typeof content === "string" ? fromBase64(content) : undefined;
  if (!bytes || bytes.length % type.BYTES_PER_ELEMENT !== 0)
    return refuse(`numbers in base64, ${type.BYTES_PER_ELEMENT} bytes each`);
  return new type(bytes.buffer);
}

const numberName = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));
const escapeKey = (key: string): string => (key.startsWith("$") ? `$${key}` : key);

/** Number of bytes that are converted at once. */
const CHUNK = 0x8000;

function toBase64({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(text);
}

/** Undefined if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const decoded = atob(text);
  const bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < decoded.length; i++) bytes[i] = decoded.charCodeAt(i);
  return bytes;
}
