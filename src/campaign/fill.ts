/** Fills a store: gives unfinished chunks to a pool, keeps every finished case at once, and stores complete chunks. */
import { ArgumentError } from "../errors.ts";
import type { Campaign, CaseRange } from "./campaign.ts";
import type { Pool } from "./pool/pool.ts";
import { type CaseRow, type CaseStatus, InterruptedError } from "./run-case.ts";
import { StopCheck } from "./stopping.ts";
import type { CaseStore } from "./store/store.ts";

/** A part of the chunks: every `count`-th one, beginning with `index`, counted from 0. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface FillProgress {
  /** Cases that are finished, those of earlier processes included, and cases that are expected. */
  readonly done: number;
  readonly total: number;
  /** Cases that this process has finished. */
  readonly own: number;
  readonly counts: Readonly<Record<CaseStatus, number>>;
}

export interface FillOptions {
  readonly shard?: Shard;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: FillProgress) => void;
}

/**
 * Runs all cases that the store lacks. @throws InterruptedError after the signal; WriteError, PoolError if it cannot go on. In all cases the store keeps
 * every finished case, and the next call continues.
 */
export async function fillStore(store: CaseStore, campaign: Campaign, pool: Pool, options: FillOptions = {}): Promise<void> {
  const { stop } = campaign;
  const { shard, signal } = options;
  if (stop && shard)
    throw new ArgumentError(
      "options.shard",
      "a campaign with a stopping rule cannot be divided: the rule needs all cases in order",
    );
  const filling = new Filling(store, campaign, pool, options);
  const abort = (): void => void pool.close();
  if (signal?.aborted) throw new InterruptedError("the campaign was interrupted");
  signal?.addEventListener("abort", abort, { once: true });
  try {
    if (!stop) await filling.run(campaign.cases);
    else
      for (let end = 0; end < campaign.cases && (await casesNeeded(store, campaign)) === undefined; ) {
        end = Math.min(campaign.cases, end + stop.batch);
        await filling.run(end);
      }
    await store.compact();
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Number of cases that count: all of them, or those until the stopping rule was met; undefined if it has not been met. */
export async function casesNeeded(store: CaseStore, campaign: Campaign): Promise<number | undefined> {
  if (!campaign.stop) return campaign.cases;
  const check = new StopCheck(campaign.stop);
  let next = 0;
  for await (const { cases, status } of store.blocks())
    for (let i = 0; i < cases.length; i++) {
      if (cases[i] !== next) return undefined; // a gap: later cases do not count yet
      next++;
      check.add(status[i]!);
      if (check.met !== undefined) return check.met;
    }
  return next > campaign.cases - 1 ? campaign.cases : undefined;
}

class Filling {
  readonly #store: CaseStore;
  readonly #pool: Pool;
  readonly #options: FillOptions;
  readonly #total: number;
  readonly #counts: Record<CaseStatus, number> = { passed: 0, failed: 0, invalid: 0 };
  #done = 0;
  #own = 0;

  constructor(store: CaseStore, { cases, chunk }: Campaign, pool: Pool, options: FillOptions) {
    this.#store = store;
    this.#pool = pool;
    this.#options = options;
    const { index, count } = options.shard ?? { index: 0, count: 1 };
    let total = 0;
    for (let first = index * chunk; first < cases; first += count * chunk) total += Math.min(chunk, cases - first);
    this.#total = total;
    for (const { first, end } of store.chunks()) this.#done += end - first;
  }

  /** Runs the unfinished chunks among the first cases, as many at a time as the pool has slots. */
  async run(end: number): Promise<void> {
    const chunks = this.#chunks(end);
    const work = async (): Promise<void> => {
      for (const chunk of chunks) await this.#runChunk(chunk);
    };
    await Promise.all(Array.from({ length: this.#pool.slots }, work));
  }

  *#chunks(end: number): Generator<CaseRange> {
    const { shard } = this.#options;
    for (const chunk of this.#store.unfinished(end))
      if (!shard || Math.floor(chunk.first / this.#store.manifest.chunk) % shard.count === shard.index) yield chunk;
  }

  async #runChunk(chunk: CaseRange): Promise<void> {
    const rows = this.#store.finishedCases(chunk);
    for (const row of rows.values()) this.#note(row);
    const missing: number[] = [];
    for (let index = chunk.first; index < chunk.end; index++) if (!rows.has(index)) missing.push(index);
    await this.#pool.run(missing, (row) => {
      this.#store.append(chunk, row);
      rows.set(row.case, row);
      this.#own++;
      this.#note(row);
    });
    this.#store.seal(chunk, [...rows.values()]);
  }

  #note({ status }: CaseRow): void {
    this.#counts[status]++;
    this.#done++;
    this.#options.progress?.({ done: this.#done, total: this.#total, own: this.#own, counts: this.#counts });
  }
}
