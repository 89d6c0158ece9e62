/** Reads model and state files from disk. For Node only; the rest of the library also runs in browsers. */
import { readFileSync, statSync } from "node:fs";
import { ModelError } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { LARGEST_TEXT } from "./document.ts";
import { binaryKindProblem } from "./foreign-kind.ts";
import { parseModel } from "./model-file.ts";
import { type InitialState, parseState } from "./state-file.ts";

/** @throws ModelError with every problem of the file, or with the reason why it cannot be read. */
export const loadModelFile = (path: string): Model => parseModel(readText(path), path);

/** @throws ModelError with every problem of the file, or with the reason why it cannot be read. */
export const loadStateFile = (path: string, model: Model): InitialState => parseState(readText(path), model, path);

const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

export const readText = (path: string): string => readWithLimit(path, LARGEST_TEXT, decodeUtf8);

/** Largest size of a log in bytes, limited by the length of strings and by the memory of browsers. */
const LARGEST_LOG = 200 * 2 ** 20;

/** Reads the text of a log, which may be longer than files written by hand. */
export const readLogText = (path: string): string => readWithLimit(path, LARGEST_LOG, decodeUtf8);

/** Largest size of a map in bytes. */
const LARGEST_MAP = 2 ** 30;

export const readBytes = (path: string): Uint8Array => readWithLimit(path, LARGEST_MAP, (bytes) => bytes);

function readWithLimit<T>(path: string, largest: number, make: (bytes: Uint8Array) => T): T {
  const refuse = (message: string): never => {
    throw new ModelError(path, [{ path: "", message }]);
  };
  let bytes: Uint8Array | undefined;
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return refuse("is not a file"); // a device or a pipe may never end
    if (stat.size > largest) return refuse(`is larger than ${largest / 2 ** 20} MiB`);
    bytes = readFileSync(path);
    return make(bytes);
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const foreign = bytes && binaryKindProblem(bytes, path);
    if (foreign !== undefined) throw new ModelError(path, [foreign]);
    return refuse(REASON_BY_CODE.get(code) ?? `cannot be read: ${message}`);
  }
}

const REASON_BY_CODE: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ERR_ENCODING_INVALID_ENCODED_DATA", "is not UTF-8 text"],
]);
