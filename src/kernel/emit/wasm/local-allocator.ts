/** Locals of straight-line code by linear scan: a local is free again after the last use of its value. */
export class LocalAllocator {
  readonly #of = new Map<number, number>();
  readonly #usesLeft: Map<number, number>;
  readonly #free: number[] = [];
  readonly #first: number;
  #count = 0;

  /** `uses`: how often each value will be used. `first`: index of the first local to hand out. */
  constructor(uses: ReadonlyMap<number, number>, first: number) {
    this.#usesLeft = new Map(uses);
    this.#first = first;
  }

  get count(): number {
    return this.#count;
  }

  usesLeft(id: number): number {
    return this.#usesLeft.get(id) ?? 0;
  }

  /** A local for a value that has just been computed or loaded. */
  bind(id: number): number {
    const local = this.#free.pop() ?? this.#first + this.#count++;
    this.#of.set(id, local);
    return local;
  }

  /** Counts one use; the local of the value, if it has one. */
  use(id: number): number | undefined {
    const left = this.usesLeft(id) - 1;
    this.#usesLeft.set(id, left);
    const local = this.#of.get(id);
    if (left === 0) this.release(id);
    return local;
  }

  release(id: number): void {
    const local = this.#of.get(id);
    if (local === undefined) return;
    this.#of.delete(id);
    this.#free.push(local);
  }
}
