/** A log: columns of numbers with names and units, the first of them time. */

export interface Channel {
  readonly name: string;
  readonly unit: string;
  /** What it is, for people who read the log. */
  readonly about?: string;
}

export interface Log {
  readonly channels: readonly Channel[];
  /** Number of samples. */
  readonly length: number;
  /** The samples of a channel, by name: a view. */
  column(name: string): Float64Array;
}

/** Samples on their way into the columns: a column that takes one number at a time is far from the next one, and slow. */
const ROWS = 32;

/** Samples as they come, kept in columns that double when they are full. */
export class Recording implements Log {
  readonly channels: readonly Channel[];
  readonly #places: ReadonlyMap<string, number>;
  #columns: Float64Array[];
  #length = 0;
  /** The last samples, one after the other, of which the columns have not got the last few yet. */
  readonly #rows: Float64Array;
  #written = 0;

  constructor(channels: readonly Channel[], expected = 256) {
    this.#places = new Map(channels.map(({ name }, i) => [name, i]));
    const twice = channels.find(({ name }, i) => this.#places.get(name) !== i);
    if (twice) throw new RangeError(`two channels are named "${twice.name}"`);
    this.channels = channels;
    this.#columns = channels.map(() => new Float64Array(Math.max(1, Math.ceil(expected))));
    this.#rows = new Float64Array(ROWS * channels.length);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds one sample: a number per channel. */
  add(sample: ArrayLike<number>): void {
    if (sample.length !== this.channels.length)
      throw new RangeError(`a sample has ${this.channels.length} numbers, got ${sample.length}`);
    this.#rows.set(sample, (this.#length - this.#written) * sample.length);
    this.#length++;
    if (this.#length - this.#written === ROWS) this.#write();
  }

  #write(): void {
    const [first, count, width] = [this.#written, this.#length - this.#written, this.channels.length];
    if (count === 0) return;
    if (this.#length > this.#columns[0]!.length)
      this.#columns = this.#columns.map((old) => {
        const wider = new Float64Array(Math.max(this.#length, 2 * old.length));
        wider.set(old);
        return wider;
      });
    for (let i = 0; i < width; i++) {
      const column = this.#columns[i]!;
      for (let k = 0; k < count; k++) column[first + k] = this.#rows[k * width + i]!;
    }
    this.#written = this.#length;
  }

  column(name: string): Float64Array {
    const i = this.#places.get(name);
    if (i === undefined)
      throw new RangeError(
        `no channel named "${name}"; there are ${this.channels
          .map((c) => c.name)
          .slice(0, 20)
          .join(", ")}`,
      );
    this.#write();
    return this.#columns[i]!.subarray(0, this.#length);
  }
}
