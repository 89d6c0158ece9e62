/** A store of immutable state. Values are replaced, never mutated. A listener is called once per change of a key that it watches. */

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

  /** Calls the listener now and at every change of one of the keys. The returned function removes the listener. */
  watch(keys: readonly (keyof S)[], tell: (state: Readonly<S>) => void): () => void {
    const watcher = { keys, tell };
    this.#watchers.add(watcher);
    tell(this.#state);
    return () => void this.#watchers.delete(watcher);
  }
}
