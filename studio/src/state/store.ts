/** State in one place. Parts are replaced, never changed; whoever watches a part is told once for each change. */

export class Store<S extends object> {
  #state: Readonly<S>;
  readonly #watchers = new Set<{ readonly keys: readonly (keyof S)[]; readonly tell: (state: Readonly<S>) => void }>();

  constructor(start: S) {
    this.#state = start;
  }

  get state(): Readonly<S> {
    return this.#state;
  }

  set(changes: Partial<S>): void {
    const changed = (Object.keys(changes) as (keyof S)[]).filter((key) => !Object.is(changes[key], this.#state[key]));
    if (changed.length === 0) return;
    this.#state = { ...this.#state, ...changes };
    for (const { keys, tell } of [...this.#watchers]) if (keys.some((key) => changed.includes(key))) tell(this.#state);
  }

  /** Tells at once, and whenever one of the parts changes, until the returned function is called. */
  watch(keys: readonly (keyof S)[], tell: (state: Readonly<S>) => void): () => void {
    const watcher = { keys, tell };
    this.#watchers.add(watcher);
    tell(this.#state);
    return () => void this.#watchers.delete(watcher);
  }
}
