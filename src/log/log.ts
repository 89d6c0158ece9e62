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

/** Samples as they come, kept in columns that double when they are full. */
export class Recording implements Log {
  readonly channels: readonly Channel[];
  #columns: Float64Array[];
  #length = 0;

  constructor(channels: readonly Channel[], expected = 256) {
    const names = new Set<string>();
    for (const { name } of channels) {
      if (names.has(name)) throw new RangeError(`two channels are named "${name}"`);
      names.add(name);
    }
    this.channels = channels;
    this.#columns = channels.map(() => new Float64Array(Math.max(1, expected)));
  }

  get length(): number {
    return this.#length;
  }

  /** Adds one sample: a number per channel. */
  add(sample: ArrayLike<number>): void {
    if (sample.length !== this.channels.length)
      throw new RangeError(`a sample has ${this.channels.length} numbers, got ${sample.length}`);
    if (this.#length === this.#columns[0]!.length)
      this.#columns = this.#columns.map((old) => {
        const wider = new Float64Array(2 * old.length);
        wider.set(old);
        return wider;
      });
    for (let i = 0; i < sample.length; i++) this.#columns[i]![this.#length] = sample[i]!;
    this.#length++;
  }

  column(name: string): Float64Array {
    const i = this.channels.findIndex((c) => c.name === name);
    if (i < 0)
      throw new RangeError(
        `no channel named "${name}"; there are ${this.channels
          .map((c) => c.name)
          .slice(0, 20)
          .join(", ")}`,
      );
    return this.#columns[i]!.subarray(0, this.#length);
  }
}
