/** Per-owner cache of traced programs, and a small LRU cache. */
import type { Graph, Program } from "../trace/program.ts";

/** Programs with larger graphs are not cached: their memory costs more than tracing them again. */
const MAX_CACHED_NODES = 200_000;

const cacheByOwner = new WeakMap<object, Map<string, unknown>>();

/** Result of `make`, cached per owner and key as long as the owner lives. Without a key it is made anew. */
export function cachedPerOwner<T extends object>(owner: object, key: string | undefined, make: () => T): T {
  if (key === undefined) return make();
  const cache = cacheByOwner.get(owner) ?? new Map<string, unknown>();
  cacheByOwner.set(owner, cache);
  const cached = cache.get(key) as T | undefined;
  if (cached !== undefined) return cached;
  const value = make();
  const { graph, program } = value as { readonly graph?: Graph; readonly program?: Program };
  if (((graph ?? program?.graph)?.size ?? 0) <= MAX_CACHED_NODES) cache.set(key, value);
  return value;
}

/** Text that is equal for equal plain data and different otherwise; undefined if the data contain functions, symbols or class instances. */
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

/** LRU cache with a fixed capacity. */
export class LruCache<T> {
  readonly #capacity: number;
  readonly #values = new Map<string, T>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of a key, made if it is not in the cache. Without a key it is made and not cached. */
  get(key: string | undefined, make: () => T): T {
    if (key === undefined) return make();
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value); // most recently used
    for (const oldestKey of this.#values.keys()) if (this.#values.size > this.#capacity) this.#values.delete(oldestKey);
    return value;
  }
}
