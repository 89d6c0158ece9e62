/** Priority queue of cells with two keys, compared lexicographically: a binary heap that stores the position of each cell. */
import { checkSavedInteger, refuseSaved, savedArray, savedEntries } from "../../saved-data.ts";

/** A queue as plain data: the cells of the heap in its order, which decides between equal keys, and their keys. */
interface EncodedQueue {
  readonly heap: Int32Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

export class CellQueue {
  readonly #heap: Int32Array;
  /** Position of a cell in the heap, -1 if it is not queued. */
  readonly #position: Int32Array;
  readonly #firstKeys: Float64Array;
  readonly #secondKeys: Float64Array;
  #size = 0;

  constructor(cells: number) {
    this.#heap = new Int32Array(cells);
    this.#position = new Int32Array(cells).fill(-1);
    this.#firstKeys = new Float64Array(cells);
    this.#secondKeys = new Float64Array(cells);
  }

  get size(): number {
    return this.#size;
  }

  has(cell: number): boolean {
    return this.#position[cell]! >= 0;
  }

  /** The cell with the smallest keys. The queue must not be empty. */
  top(): number {
    return this.#heap[0]!;
  }

  firstKey(cell: number): number {
    return this.#firstKeys[cell]!;
  }

  secondKey(cell: number): number {
    return this.#secondKeys[cell]!;
  }

  /** Inserts a cell, or moves it to its new keys. */
  put(cell: number, first: number, second: number): void {
    this.#firstKeys[cell] = first;
    this.#secondKeys[cell] = second;
    let position = this.#position[cell]!;
    if (position < 0) position = this.#size++;
    this.#down(this.#up(position, cell), cell);
  }

  remove(cell: number): void {
    const position = this.#position[cell]!;
    if (position < 0) return;
    this.#position[cell] = -1;
    const last = this.#heap[--this.#size]!;
    if (last !== cell) this.#down(this.#up(position, last), last);
  }

  encode(): EncodedQueue {
    const heap = this.#heap.slice(0, this.#size);
    const keysOf = (keys: Float64Array): Float64Array => Float64Array.from(heap, (cell) => keys[cell]!);
    return { heap, first: keysOf(this.#firstKeys), second: keysOf(this.#secondKeys) };
  }

  /** Replaces the queue by saved data. @throws FormatError */
  decode(data: unknown, path: string): void {
    const saved = savedEntries(data, ["heap", "first", "second"], path);
    const heap = savedArray(saved.heap, Int32Array, `${path}.heap`);
    for (const [i, cell] of heap.entries()) checkSavedInteger(cell, 0, this.#heap.length - 1, `${path}.heap[${i}]`);
    if (new Set(heap).size < heap.length) refuseSaved(`${path}.heap`, "must list each cell once", saved.heap);
    const keysOf = (key: "first" | "second"): Float64Array => {
      const keys = savedArray(saved[key], Float64Array, `${path}.${key}`, heap.length);
      if (keys.some(Number.isNaN)) refuseSaved(`${path}.${key}`, "must not contain NaN", Number.NaN);
      return keys;
    };
    const [first, second] = [keysOf("first"), keysOf("second")];
    this.#position.fill(-1);
    this.#heap.set(heap);
    this.#size = heap.length;
    for (const [position, cell] of heap.entries()) {
      this.#position[cell] = position;
      this.#firstKeys[cell] = first[position]!;
      this.#secondKeys[cell] = second[position]!;
    }
  }

  #before(a: number, b: number): boolean {
    const [x, y] = [this.#firstKeys[a]!, this.#firstKeys[b]!];
    return x < y || (x === y && this.#secondKeys[a]! < this.#secondKeys[b]!);
  }

  /** Moves larger parents down. Returns the position for the cell. */
  #up(from: number, cell: number): number {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      const other = this.#heap[parent]!;
      if (!this.#before(cell, other)) break;
      this.#heap[position] = other;
      this.#position[other] = position;
      position = parent;
    }
    return position;
  }

  #down(from: number, cell: number): void {
    let position = from;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#before(this.#heap[child + 1]!, this.#heap[child]!)) child++;
      const other = this.#heap[child]!;
      if (!this.#before(other, cell)) break;
      this.#heap[position] = other;
      this.#position[other] = position;
      position = child;
    }
    this.#heap[position] = cell;
    this.#position[cell] = position;
  }
}
