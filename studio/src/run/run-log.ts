/** A log that grows by blocks from the worker. */
import type { Channel, DiscreteState, Log, TimedIntent } from "castor";

/** Samples in columns: all of the first channel that is there, then all of the second. */
export interface RunSampleBlock {
  readonly count: number;
  /** Places of the channels that are there, where they are not all; of the others every sample is zero. */
  readonly present?: Int32Array;
  readonly values: Float64Array;
  /** What controllers have had in mind since the last block. */
  readonly intents?: readonly TimedIntent[];
  /** What held from sample to sample, since the last block: for channels that are computed later. */
  readonly phases?: readonly DiscreteState[];
}

/** Numbers of one log, 160 MB: beyond these no further channels are computed. */
export const MAX_LOG_NUMBERS = 2e7;

interface RunLogColumn {
  /** They may be fewer than the samples: all that follow are zero. */
  values: Float64Array;
  /** How many samples there are. */
  length: number;
}

const NOTHING = new Float64Array(0);

export class RunLog implements Log {
  readonly channels: readonly Channel[];
  /** Those that come with the samples, in the order of the blocks; the others are computed when somebody looks at them. */
  readonly recorded: readonly string[];
  /** In order; they grow. */
  readonly intents: TimedIntent[] = [];
  readonly phases: DiscreteState[] = [];
  /** The channels that somebody has looked at. */
  readonly requested = new Set<string>();
  /** Told when a channel is looked at that was not recorded. */
  onRequest: (() => void) | undefined;
  readonly #columns: ReadonlyMap<string, RunLogColumn>;
  readonly #late: ReadonlySet<string>;
  readonly #expected: number;
  #length = 0;
  #version = 0;

  constructor(channels: readonly Channel[], expected = 256, recorded: readonly string[] = channels.map(({ name }) => name)) {
    this.channels = channels;
    this.recorded = recorded;
    const own = new Set(recorded);
    this.#late = new Set(channels.flatMap(({ name }) => (own.has(name) ? [] : [name])));
    this.#columns = new Map(channels.map(({ name }) => [name, { values: NOTHING, length: 0 }]));
    this.#expected = expected;
  }

  /** Takes over a log that is complete. */
  static from(log: Log): RunLog {
    const copy = new RunLog(log.channels, 1);
    for (const { name } of log.channels)
      Object.assign(copy.#columns.get(name)!, { values: log.column(name), length: log.length });
    copy.#length = log.length;
    return copy;
  }

  get length(): number {
    return this.#length;
  }

  /** Another number whenever there is more in it. */
  get version(): number {
    return this.#version;
  }

  append({ intents = [], phases = [], ...block }: RunSampleBlock): void {
    this.intents.push(...intents);
    this.phases.push(...phases);
    this.#put(this.recorded, block);
    this.#length += block.count;
  }

  /** The next samples of channels that were computed later. */
  appendComputed(names: readonly string[], block: RunSampleBlock): void {
    this.#put(names, block);
  }

  #put(names: readonly string[], { count, present, values }: RunSampleBlock): void {
    for (const [c, name] of (present ? Array.from(present, (i) => names[i]!) : names).entries()) {
      const column = this.#columns.get(name)!;
      this.#widen(column, column.length + count);
      column.values.set(values.subarray(c * count, (c + 1) * count), column.length);
    }
    for (const name of names) this.#columns.get(name)!.length += count;
    this.#version++;
  }

  #widen(column: RunLogColumn, needed: number): void {
    if (needed <= column.values.length) return;
    const wider = new Float64Array(Math.max(needed, 2 * column.values.length, this.#expected));
    wider.set(column.values);
    column.values = wider;
  }

  has(name: string): boolean {
    return this.#columns.has(name);
  }

  /** A view, valid until the next block; empty for a channel that is not there, and of one that is computed now as far as that has come. */
  column(name: string): Float64Array {
    const column = this.#columns.get(name);
    if (column === undefined) return NOTHING;
    if (!this.requested.has(name)) {
      this.requested.add(name);
      if (this.#late.has(name)) this.onRequest?.();
    }
    this.#widen(column, column.length);
    return column.values.subarray(0, column.length);
  }

  /** Channels to compute next, and from which sample to which: of those that were looked at, the ones that are furthest behind. */
  nextMissing(most: number): { readonly names: readonly string[]; readonly first: number; readonly end: number } | undefined {
    const room = Math.floor(MAX_LOG_NUMBERS / Math.max(1, this.#length)) - this.recorded.length;
    const wanted = [...this.requested].filter((name) => this.#late.has(name)).slice(0, Math.max(0, room));
    const lengths = wanted.map((name) => this.#columns.get(name)!.length);
    const first = Math.min(...lengths);
    if (!(first < this.#length)) return undefined;
    const names = wanted.filter((_, i) => lengths[i] === first);
    const end = Math.min(this.#length, first + most, ...lengths.filter((length) => length > first));
    return { names, first, end };
  }

  /** Recorded samples as a block, for the worker. */
  recordedBlock(first: number, end: number): RunSampleBlock {
    const count = end - first;
    const values = new Float64Array(count * this.recorded.length);
    for (const [c, name] of this.recorded.entries()) values.set(this.#columns.get(name)!.values.subarray(first, end), c * count);
    return { count, values };
  }

  /** The last time that there is. */
  get endTime(): number {
    return this.#length === 0 ? 0 : this.column("t")[this.#length - 1]!;
  }
}
