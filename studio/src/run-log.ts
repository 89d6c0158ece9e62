/** A log that grows by blocks from the worker. */
import type { Channel, Log, NotedIntent } from "castor";

/** Samples in columns: all of the first channel, then all of the second. */
export interface SampleBlock {
  readonly count: number;
  readonly values: Float64Array;
  /** What controllers have had in mind since the last block. */
  readonly intents?: readonly NotedIntent[];
}

export class RunLog implements Log {
  readonly channels: readonly Channel[];
  /** In order; it grows. */
  readonly intents: NotedIntent[] = [];
  readonly #index: ReadonlyMap<string, number>;
  #columns: Float64Array[];
  #length = 0;

  constructor(channels: readonly Channel[], expected = 256) {
    this.channels = channels;
    this.#index = new Map(channels.map(({ name }, i) => [name, i]));
    this.#columns = channels.map(() => new Float64Array(Math.max(1, expected)));
  }

  /** Takes over a log that is complete. */
  static from(log: Log): RunLog {
    const copy = new RunLog(log.channels, log.length);
    copy.#columns = log.channels.map(({ name }) => log.column(name));
    copy.#length = log.length;
    return copy;
  }

  get length(): number {
    return this.#length;
  }

  append({ count, values, intents = [] }: SampleBlock): void {
    this.intents.push(...intents);
    const needed = this.#length + count;
    if (needed > this.#columns[0]!.length)
      this.#columns = this.#columns.map((old) => {
        const wider = new Float64Array(Math.max(needed, 2 * old.length));
        wider.set(old.subarray(0, this.#length));
        return wider;
      });
    for (const [c, column] of this.#columns.entries()) column.set(values.subarray(c * count, (c + 1) * count), this.#length);
    this.#length = needed;
  }

  has(name: string): boolean {
    return this.#index.has(name);
  }

  /** A view, valid until the next block; empty for a channel that is not there. */
  column(name: string): Float64Array {
    const i = this.#index.get(name);
    return i === undefined ? new Float64Array(0) : this.#columns[i]!.subarray(0, this.#length);
  }

  /** The last time that there is. */
  get end(): number {
    return this.#length === 0 ? 0 : this.column("t")[this.#length - 1]!;
  }
}
