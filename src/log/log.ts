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

/** Some samples in columns: all of the first channel that is there, then all of the second. */
export interface SampleBlock {
  readonly count: number;
  /** Places of the channels that are there; of all others every sample is zero. */
  readonly present: Int32Array;
  readonly values: Float64Array<ArrayBuffer>;
}

/** A log of a run that goes on. */
export interface GrowingLog extends Log {
  /**
   * The samples since the last call, which the log then forgets: for whoever keeps them elsewhere. It has a length as before, and no columns
   * any more.
   */
  take(): SampleBlock;
}

/** Samples on their way into the columns: a column that takes one number at a time is far from the next one, and slow. */
const BUFFER_ROWS = 32;
/** Columns have room for so many samples before they get the room for all that are expected: of a log that is taken, they never need more. */
const INITIAL_CAPACITY = 2048;

/**
 * Samples as they come, kept in columns that double when they are full. What is zero for long, as the forces of most contacts are, takes no
 * time and no memory: columns begin with the first number that is not, and rows of zeros are not written into them.
 */
export class Recording implements GrowingLog {
  readonly channels: readonly Channel[];
  readonly #places: ReadonlyMap<string, number>;
  /** None where all is zero so far. */
  readonly #columns: (Float64Array | undefined)[];
  /** Of each column whether anything in it is not zero. */
  readonly #present: Uint8Array;
  readonly #expected: number;
  #room: number;
  #length = 0;
  /** How many samples have been taken: the columns begin after them. */
  #taken = 0;
  /** The last samples, one after the other, of which the columns have not got the last few yet. */
  readonly #rows: Float64Array;
  readonly #bits: Int32Array;
  #written = 0;

  constructor(channels: readonly Channel[], expected = 256) {
    this.#places = new Map(channels.map(({ name }, i) => [name, i]));
    const twice = channels.find(({ name }, i) => this.#places.get(name) !== i);
    if (twice) throw new RangeError(`two channels are named "${twice.name}"`);
    this.channels = channels;
    this.#columns = channels.map(() => undefined);
    this.#present = new Uint8Array(channels.length);
    this.#expected = Math.max(1, Math.ceil(expected));
    this.#room = Math.min(INITIAL_CAPACITY, this.#expected);
    this.#rows = new Float64Array(BUFFER_ROWS * channels.length);
    this.#bits = new Int32Array(this.#rows.buffer);
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
    if (this.#length - this.#written === BUFFER_ROWS) this.#write();
  }

  #write(): void {
    const [first, count, width] = [this.#written - this.#taken, this.#length - this.#written, this.channels.length];
    if (count === 0) return;
    if (this.#length - this.#taken > this.#room) this.#widen();
    const rows = this.#rows;
    const bits = this.#bits;
    const size = count * width;
    for (let i = 0; i < width; i++) {
      let k = i;
      while (k < size && (bits[2 * k]! | bits[2 * k + 1]!) === 0) k += width; // a zero without sign
      if (k >= size) continue;
      let column = this.#columns[i];
      if (column === undefined) column = this.#columns[i] = new Float64Array(this.#room);
      for (let row = first + (k - i) / width; k < size; k += width) column[row++] = rows[k]!;
      this.#present[i] = 1;
    }
    this.#written = this.#length;
  }

  #widen(): void {
    this.#room = Math.max(this.#length - this.#taken, this.#room < this.#expected ? this.#expected : 2 * this.#room);
    for (const [i, old] of this.#columns.entries()) {
      if (old === undefined) continue;
      const wider = new Float64Array(this.#room);
      wider.set(old);
      this.#columns[i] = wider;
    }
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
    if (this.#taken > 0) throw new RangeError(`the first ${this.#taken} samples of "${name}" were taken from the log`);
    this.#write();
    this.#columns[i] ??= new Float64Array(this.#room);
    return this.#columns[i].subarray(0, this.#length);
  }

  take(): SampleBlock {
    this.#write();
    const count = this.#length - this.#taken;
    const present = Int32Array.from(this.channels.keys()).filter((i) => this.#present[i] === 1);
    const values = new Float64Array(count * present.length);
    for (const [c, i] of present.entries()) {
      const column = this.#columns[i]!;
      values.set(column.subarray(0, count), c * count);
      column.fill(0, 0, count);
    }
    this.#present.fill(0);
    this.#taken = this.#length;
    return { count, present, values };
  }
}
