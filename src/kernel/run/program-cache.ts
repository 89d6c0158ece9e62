/** Per-owner cache of traced programs, and a small LRU cache. */
import type { Graph, Program } from "../trace/program.ts";

/** Programs with larger graphs are not cached: their memory costs more than tracing them again. */
const MAX_CACHED_NODES = 200_000;

/** Nodes of all programs of one owner. A model has one program after the other if the numbers of its forces change, e.g. in a campaign. */
const MAX_OWNER_NODES = 2 * MAX_CACHED_NODES;
/** Each program counts as at least this many nodes. */
const LEAST_NODES = 2000;

/** Programs of an owner, the most recently used ones last. */
interface OwnerCache {
  readonly entries: Map<string, { readonly value: unknown; readonly nodes: number }>;
  nodes: number;
}

const cacheByOwner = new WeakMap<object, OwnerCache>();

/** Result of `make`, cached per owner and key: the most recently used ones, as long as the owner lives. Without a key it is made anew. */
export function cachedPerOwner<T extends object>(owner: object, key: string | undefined, make: () => T): T {
  if (key === undefined) return make();
  const cache = cacheByOwner.get(owner) ?? { entries: new Map(), nodes: 0 };
  cacheByOwner.set(owner, cache);
  const known = cache.entries.get(key);
  const value = (known?.value as T | undefined) ?? make();
  const nodes = known?.nodes ?? Math.max(LEAST_NODES, nodesOf(value));
  if (nodes > MAX_CACHED_NODES) return value;
  cache.nodes += nodes - (cache.entries.get(key)?.nodes ?? 0);
  cache.entries.delete(key);
  cache.entries.set(key, { value, nodes });
  for (const [oldestKey, oldest] of cache.entries) {
    if (cache.nodes <= MAX_OWNER_NODES) break;
    cache.entries.delete(oldestKey);
    cache.nodes -= oldest.nodes;
  }
  return value;
}

function nodesOf(value: object): number {
  const { graph, program } = value as { readonly graph?: Graph; readonly program?: Program };
  return (graph ?? program?.graph)?.size ?? 0;
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
