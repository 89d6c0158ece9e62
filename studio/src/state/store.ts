/** A store of immutable state. Values are replaced, never mutated. A listener is called once per change of a key that it watches. */

export class Store<S extends object> {
  #state: Readonly<S>;
  readonly #listeners = new Set<{ readonly keys: readonly (keyof S)[]; readonly listener: (state: Readonly<S>) => void }>();

  constructor(start: S) {
    this.#state = start;
  }

  get state(): Readonly<S> {
    return this.#state;
  }

  set(changes: Partial<S>): void {
    const changedKeys = (Object.keys(changes) as (keyof S)[]).filter((key) => !Object.is(changes[key], this.#state[key]));
    if (changedKeys.length === 0) return;
    this.#state = { ...this.#state, ...changes };
    for (const { keys, listener } of [...this.#listeners])
      if (keys.some((key) => changedKeys.includes(key))) listener(this.#state);
  }

  /** Calls the listener now and at every change of one of the keys. The returned function removes the listener. */
  watch(keys: readonly (keyof S)[], listener: (state: Readonly<S>) => void): () => void {
    const entry = { keys, listener };
    this.#listeners.add(entry);
    listener(this.#state);
    return () => void this.#listeners.delete(entry);
  }
}
