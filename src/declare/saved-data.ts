/** Reader of data that a run has saved. The data may come from a file, so every entry is checked. */

import { refuseSaved, savedArray } from "../saved-data.ts";
import { childPath } from "./plain-data.ts";

/** One object of saved data. Each method checks an entry and returns a copy of it. All methods throw a FormatError that names the entry. */
export class SavedData {
  readonly #source: string;
  readonly #data: unknown;
  readonly #path: string;

  /** @param source what was saved, for messages, such as "saved memory of arm" */
  constructor(source: string, data: unknown, path = "") {
    this.#source = source;
    this.#data = data;
    this.#path = path;
    if (typeof data !== "object" || data === null) this.#refuse(path, "must be an object with keys", data);
  }

  /** The entry itself. */
  raw(key: string): unknown {
    return Object.hasOwn(this.#data as object, key) ? (this.#data as Readonly<Record<string, unknown>>)[key] : undefined;
  }

  has(key: string): boolean {
    return this.raw(key) !== undefined;
  }

  child(key: string): SavedData {
    return new SavedData(this.#source, this.raw(key), childPath(this.#path, key));
  }

  /** Any number, also an infinite one or NaN. */
  number(key: string): number {
    const value = this.raw(key);
    return typeof value === "number" ? value : this.refuse(key, "must be a number");
  }

  /** A whole number from `least` to `most`. */
  integer(key: string, least: number, most: number): number {
    const value = this.number(key);
    return Number.isInteger(value) && value >= least && value <= most
      ? value
      : this.refuse(key, `must be a whole number from ${least} to ${most}`);
  }

  flag(key: string): boolean {
    const value = this.raw(key);
    return typeof value === "boolean" ? value : this.refuse(key, "must be true or false");
  }

  text(key: string): string {
    const value = this.raw(key);
    return typeof value === "string" ? value : this.refuse(key, "must be a text");
  }

  choice<const T extends string>(key: string, choices: readonly T[]): T {
    const value = this.raw(key) as T;
    return choices.includes(value) ? value : this.refuse(key, `must be one of ${choices.join(", ")}`);
  }

  /** Double-precision numbers; any number of them if no length is given. */
  numbers(key: string, length?: number): Float64Array {
    return this.#array(key, Float64Array, length);
  }

  /** 32-bit whole numbers from `least` to `most`. */
  integers(key: string, least: number, most: number, length?: number): Int32Array {
    const values = this.#array(key, Int32Array, length);
    return values.every((value) => value >= least && value <= most)
      ? values
      : this.refuse(key, `must have whole numbers from ${least} to ${most} only`);
  }

  /** 8-bit whole numbers from `least` to `most`. */
  bytes(key: string, least: number, most: number, length?: number): Int8Array {
    const values = this.#array(key, Int8Array, length);
    return values.every((value) => value >= least && value <= most)
      ? values
      : this.refuse(key, `must have whole numbers from ${least} to ${most} only`);
  }

  /** Ends with an error about an entry. */
  refuse(key: string, message: string): never {
    return this.#refuse(childPath(this.#path, key), message, this.raw(key));
  }

  #array<T extends Float64Array | Int32Array | Int8Array>(
    key: string,
    type: { readonly name: string; new (length: number): T },
    length: number | undefined,
  ): T {
    return savedArray(this.raw(key), type, `${this.#source}: ${childPath(this.#path, key)}`, length);
  }

  #refuse(path: string, message: string, value: unknown): never {
    return refuseSaved(`${this.#source}: ${path}`, message, value);
  }
}
