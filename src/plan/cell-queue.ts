/** Priority queue of cells with two keys, compared lexicographically: a binary heap that stores the position of each cell. */
export class CellQueue {
  readonly #heap: Int32Array;
  /** Position of a cell in the heap, -1 if it is not queued. */
  readonly #place: Int32Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  #size = 0;

  constructor(cells: number) {
    this.#heap = new Int32Array(cells);
    this.#place = new Int32Array(cells).fill(-1);
    this.#first = new Float64Array(cells);
    this.#second = new Float64Array(cells);
  }

  get size(): number {
    return this.#size;
  }

  has(cell: number): boolean {
    return this.#place[cell]! >= 0;
  }

  /** The cell with the smallest keys. The queue must not be empty. */
  top(): number {
    return this.#heap[0]!;
  }

  firstKey(cell: number): number {
    return this.#first[cell]!;
  }

  secondKey(cell: number): number {
    return this.#second[cell]!;
  }

  /** Inserts a cell, or moves it to its new keys. */
  put(cell: number, first: number, second: number): void {
    this.#first[cell] = first;
    this.#second[cell] = second;
    let position = this.#place[cell]!;
    if (position < 0) position = this.#size++;
    this.#down(this.#up(position, cell), cell);
  }

  remove(cell: number): void {
    const position = this.#place[cell]!;
    if (position < 0) return;
    this.#place[cell] = -1;
    const last = this.#heap[--this.#size]!;
    if (last !== cell) this.#down(this.#up(position, last), last);
  }

  #before(a: number, b: number): boolean {
    const [x, y] = [this.#first[a]!, this.#first[b]!];
    return x < y || (x === y && this.#second[a]! < this.#second[b]!);
  }

  /** Moves larger parents down. Returns the position for the cell. */
  #up(from: number, cell: number): number {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      const other = this.#heap[parent]!;
      if (!this.#before(cell, other)) break;
      this.#heap[position] = other;
      this.#place[other] = position;
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
      this.#place[other] = position;
      position = child;
    }
    this.#heap[position] = cell;
    this.#place[cell] = position;
  }
}
