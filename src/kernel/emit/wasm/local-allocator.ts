/** Allocates locals for straight-line code: a local becomes free after the last use of its value. */
export class LocalAllocator {
  readonly #localOfValue = new Map<number, number>();
  readonly #usesLeft: Map<number, number>;
  readonly #free: number[] = [];
  readonly #first: number;
  #count = 0;

  /** @param uses number of uses of each value; @param first index of the first local */
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

  /** Assigns a local to a value that was just computed or loaded. */
  bind(id: number): number {
    const local = this.#free.pop() ?? this.#first + this.#count++;
    this.#localOfValue.set(id, local);
    return local;
  }

  /** Counts one use. Returns the local of the value, or undefined if it has none. */
  use(id: number): number | undefined {
    const left = this.usesLeft(id) - 1;
    this.#usesLeft.set(id, left);
    const local = this.#localOfValue.get(id);
    if (left === 0) this.release(id);
    return local;
  }

  release(id: number): void {
    const local = this.#localOfValue.get(id);
    if (local === undefined) return;
    this.#localOfValue.delete(id);
    this.#free.push(local);
  }
}
