/** What is made once for what it is of, as programs of a model, and kept as long as that lives. */
import type { Graph, Program } from "../trace/program.ts";

/** Larger graphs are not kept: they take more memory than time. */
const MAX_CACHED_NODES = 200_000;

const cacheByOwner = new WeakMap<object, Map<string, unknown>>();

/** What `make` makes; the same again for the same owner and key. No key: made anew. */
export function cachedPerOwner<T extends object>(owner: object, key: string | undefined, make: () => T): T {
  if (key === undefined) return make();
  const own = cacheByOwner.get(owner) ?? new Map<string, unknown>();
  cacheByOwner.set(owner, own);
  const known = own.get(key) as T | undefined;
  if (known !== undefined) return known;
  const made = make();
  const { graph, program } = made as { readonly graph?: Graph; readonly program?: Program };
  if (((graph ?? program?.graph)?.size ?? 0) <= MAX_CACHED_NODES) own.set(key, made);
  return made;
}

/** Plain data as a text that tells it from all other data; undefined for what has functions or the like in it. */
export function contentKey(data: unknown): string | undefined {
  let isPlain = true;
  const text = JSON.stringify(data, (_, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) return { number: String(value) };
    if (typeof value === "object" && value !== null && !Array.isArray(value)) isPlain &&= isPlainObject(value);
    else if (typeof value === "function" || typeof value === "symbol") isPlain = false;
    return value;
  });
  return isPlain ? text : undefined;
}

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** What was wanted last, by key: a few of them. */
export class LruCache<T> {
  readonly #most: number;
  readonly #kept = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The one of this key, made if it is not there. No key: made, and not kept. */
  get(key: string | undefined, make: () => T): T {
    if (key === undefined) return make();
    const value = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value); // the last
    for (const oldest of this.#kept.keys()) if (this.#kept.size > this.#most) this.#kept.delete(oldest);
    return value;
  }
}
