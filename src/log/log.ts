/** Log of a run: columns of numbers with names and units. The first column is time. */
import { checkMembers } from "../arguments.ts";
import { ArgumentError } from "../errors.ts";

export interface Channel {
  readonly name: string;
  readonly unit: string;
  /** Description for readers of the log. */
  readonly about?: string;
}

export interface Log {
  readonly channels: readonly Channel[];
  /** Number of samples. */
  readonly length: number;
  /** View of the samples of a channel. */
  column(name: string): Float64Array;
}

/** @throws ArgumentError if `log` is not a log */
export const checkLog = (log: unknown): void =>
  checkMembers("log", log, ["channels", "length", "column"], "a log, as simulate and parseCsvLog return it");

/** A block of samples by columns: all samples of the first present channel, then all of the second, and so on. */
export interface SampleBlock {
  readonly count: number;
  /** Indices of the present channels. All samples of the other channels are zero. */
  readonly present: Int32Array;
  readonly values: Float64Array<ArrayBuffer>;
}

/** Log of a run in progress. */
export interface GrowingLog extends Log {
  /**
   * Returns the samples since the last call and removes them from the log, for callers that store them elsewhere. `length` stays the same;
   * `column` cannot be used any more.
   */
  take(): SampleBlock;
}

/**
 * Number of samples in the row buffer. Writing each sample directly to all columns would be slow, because columns are far apart in memory.
 */
const BUFFER_ROWS = 32;
/** Initial capacity of columns, in samples. A log whose samples are taken regularly never needs more. */
const INITIAL_CAPACITY = 2048;

/**
 * Records samples in columns, which double their capacity when they are full. Channels that stay zero, such as most contact forces, cost no
 * time and no memory: a column is allocated at its first nonzero number, and leading zeros are not written.
 */
export class Recording implements GrowingLog {
  readonly channels: readonly Channel[];
  readonly #indexByName: ReadonlyMap<string, number>;
  /** Undefined for a channel that has been zero so far. */
  readonly #columns: (Float64Array | undefined)[];
  /** 1 for a column with a nonzero number since the last `take`. */
  readonly #present: Uint8Array;
  readonly #expected: number;
  #capacity: number;
  #length = 0;
  /** Number of samples taken: the columns begin after them. */
  #taken = 0;
  /** Row buffer: samples that are not yet written to the columns. */
  readonly #rows: Float64Array;
  readonly #bits: Int32Array;
  #flushed = 0;

  constructor(channels: readonly Channel[], expected = 256) {
    this.#indexByName = new Map(channels.map(({ name }, i) => [name, i]));
    const duplicate = channels.find(({ name }, i) => this.#indexByName.get(name) !== i);
    if (duplicate) throw new ArgumentError("channels", `two channels have the name "${duplicate.name}"`);
    this.channels = channels;
    this.#columns = channels.map(() => undefined);
    this.#present = new Uint8Array(channels.length);
    this.#expected = Math.max(1, Math.ceil(expected));
    this.#capacity = Math.min(INITIAL_CAPACITY, this.#expected);
    this.#rows = new Float64Array(BUFFER_ROWS * channels.length);
    this.#bits = new Int32Array(this.#rows.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds one sample: a number per channel. */
  add(sample: ArrayLike<number>): void {
    if (sample.length !== this.channels.length)
      throw new ArgumentError("sample", `needs ${this.channels.length} numbers, one per channel, got ${sample.length}`);
    const rows = this.#rows;
    const first = this.bufferStart;
    for (let i = 0; i < sample.length; i++) rows[first + i] = sample[i]!;
    this.addBuffered();
  }

  /** Where callers may write the numbers of the next sample themselves, from `bufferStart` on, before `addBuffered`. */
  get buffer(): Float64Array {
    return this.#rows;
  }

  get bufferStart(): number {
    return (this.#length - this.#flushed) * this.channels.length;
  }

  /** Adds the sample in the buffer. */
  addBuffered(): void {
    this.#length++;
    if (this.#length - this.#flushed === BUFFER_ROWS) this.#flush();
  }

  /** Writes the row buffer to the columns. */
  #flush(): void {
    const [first, count, width] = [this.#flushed - this.#taken, this.#length - this.#flushed, this.channels.length];
    if (count === 0) return;
    if (this.#length - this.#taken > this.#capacity) this.#grow();
    const rows = this.#rows;
    const bits = this.#bits;
    const size = count * width;
    for (let i = 0; i < width; i++) {
      let k = i;
      while (k < size && (bits[2 * k]! | bits[2 * k + 1]!) === 0) k += width; // skips +0
      if (k >= size) continue;
      let column = this.#columns[i];
      if (column === undefined) column = this.#columns[i] = new Float64Array(this.#capacity);
      for (let row = first + (k - i) / width; k < size; k += width) column[row++] = rows[k]!;
      this.#present[i] = 1;
    }
    this.#flushed = this.#length;
  }

  #grow(): void {
    this.#capacity = Math.max(this.#length - this.#taken, this.#capacity < this.#expected ? this.#expected : 2 * this.#capacity);
    for (const [i, old] of this.#columns.entries()) {
      if (old === undefined) continue;
      const wider = new Float64Array(this.#capacity);
      wider.set(old);
      this.#columns[i] = wider;
    }
  }

  column(name: string): Float64Array {
    const i = this.#indexByName.get(name);
    if (i === undefined)
      throw new ArgumentError(
        "name",
        `there is no channel "${name}"; the channels are ${this.channels
          .map((c) => c.name)
          .slice(0, 20)
          .join(", ")}`,
      );
    if (this.#taken > 0)
      throw new ArgumentError(
        "column",
        `the first ${this.#taken} samples of "${name}" were removed by take(); read columns before it`,
      );
    this.#flush();
    this.#columns[i] ??= new Float64Array(this.#capacity);
    return this.#columns[i].subarray(0, this.#length);
  }

  take(): SampleBlock {
    this.#flush();
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
