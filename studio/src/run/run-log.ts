/** The log of a run in the page. It grows by blocks of samples from the worker. */
import type { Channel, Log } from "castor";
import type { Phase, TimedIntent } from "castor/sim";

/** A block of samples, column by column: all samples of the first present channel, then of the second. */
export interface RunSampleBlock {
  readonly count: number;
  /** Indices of the present channels. All samples of the other channels are zero. Undefined: all channels are present. */
  readonly present?: Int32Array;
  readonly values: Float64Array;
  /** Intents that controllers have noted since the last block. */
  readonly intents?: readonly TimedIntent[];
  /** Discrete states since the last block, from which the worker computes channels later. */
  readonly phases?: readonly Phase[];
}

/** Maximum count of numbers in one log (160 MB). Beyond it no further channels are computed. */
export const MAX_LOG_NUMBERS = 2e7;

interface RunLogColumn {
  /** May be shorter than `length`: all further samples are zero. */
  values: Float64Array;
  /** Number of samples. */
  length: number;
}

const NO_SAMPLES = new Float64Array(0);

export class RunLog implements Log {
  readonly channels: readonly Channel[];
  /** Names of the recorded channels, in the order of the blocks. All others are computed on first use. */
  readonly recorded: readonly string[];
  /** Intents in order of time. */
  readonly intents: TimedIntent[] = [];
  readonly phases: Phase[] = [];
  /** Channels that have been read at least once. */
  readonly requested = new Set<string>();
  /** Called when a channel that was not recorded is read for the first time. */
  onRequest: (() => void) | undefined;
  readonly #columns: ReadonlyMap<string, RunLogColumn>;
  readonly #unrecorded: ReadonlySet<string>;
  readonly #expected: number;
  #length = 0;
  #version = 0;

  constructor(channels: readonly Channel[], expected = 256, recorded: readonly string[] = channels.map(({ name }) => name)) {
    this.channels = channels;
    this.recorded = recorded;
    const recordedNames = new Set(recorded);
    this.#unrecorded = new Set(channels.flatMap(({ name }) => (recordedNames.has(name) ? [] : [name])));
    this.#columns = new Map(channels.map(({ name }) => [name, { values: NO_SAMPLES, length: 0 }]));
    this.#expected = expected;
  }

  /** Wraps a complete log. */
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

  /** Increases whenever samples are added. */
  get version(): number {
    return this.#version;
  }

  append({ intents = [], phases = [], ...block }: RunSampleBlock): void {
    this.intents.push(...intents);
    this.phases.push(...phases);
    this.#appendBlock(this.recorded, block);
    this.#length += block.count;
  }

  /** Appends samples of channels that were not recorded. */
  appendComputed(names: readonly string[], block: RunSampleBlock): void {
    this.#appendBlock(names, block);
  }

  #appendBlock(names: readonly string[], { count, present, values }: RunSampleBlock): void {
    for (const [c, name] of (present ? Array.from(present, (i) => names[i]!) : names).entries()) {
      const column = this.#columns.get(name)!;
      this.#ensureCapacity(column, column.length + count);
      column.values.set(values.subarray(c * count, (c + 1) * count), column.length);
    }
    for (const name of names) this.#columns.get(name)!.length += count;
    this.#version++;
  }

  #ensureCapacity(column: RunLogColumn, capacity: number): void {
    if (capacity <= column.values.length) return;
    const larger = new Float64Array(Math.max(capacity, 2 * column.values.length, this.#expected));
    larger.set(column.values);
    column.values = larger;
  }

  has(name: string): boolean {
    return this.#columns.has(name);
  }

  /** A view of a channel, valid until the next block. Empty for an unknown channel; incomplete while a channel is being computed. */
  column(name: string): Float64Array {
    const column = this.#columns.get(name);
    if (column === undefined) return NO_SAMPLES;
    if (!this.requested.has(name)) {
      this.requested.add(name);
      if (this.#unrecorded.has(name)) this.onRequest?.();
    }
    this.#ensureCapacity(column, column.length);
    return column.values.subarray(0, column.length);
  }

  /** The channels to compute next, and the range of samples: the requested channels with the fewest samples. */
  nextMissing(
    maxSamples: number,
  ): { readonly names: readonly string[]; readonly first: number; readonly end: number } | undefined {
    const room = Math.floor(MAX_LOG_NUMBERS / Math.max(1, this.#length)) - this.recorded.length;
    const candidates = [...this.requested].filter((name) => this.#unrecorded.has(name)).slice(0, Math.max(0, room));
    const lengths = candidates.map((name) => this.#columns.get(name)!.length);
    const first = Math.min(...lengths);
    if (!(first < this.#length)) return undefined;
    const names = candidates.filter((_, i) => lengths[i] === first);
    const end = Math.min(this.#length, first + maxSamples, ...lengths.filter((length) => length > first));
    return { names, first, end };
  }

  /** A range of the recorded samples as a block, for the worker. */
  recordedBlock(first: number, end: number): RunSampleBlock {
    const count = end - first;
    const values = new Float64Array(count * this.recorded.length);
    for (const [c, name] of this.recorded.entries()) values.set(this.#columns.get(name)!.values.subarray(first, end), c * count);
    return { count, values };
  }

  /** Time of the last sample, s; 0 without samples. */
  get endTime(): number {
    return this.#length === 0 ? 0 : this.column("t")[this.#length - 1]!;
  }
}
