/**
 * Runs cases in worker threads. A worker that does not end a case within its limit, or that dies, is replaced. A case that two workers did not
 * survive is invalid.
 */
import { Worker } from "node:worker_threads";
import type { Campaign } from "../campaign.ts";
import { type CaseRow, InterruptedError, invalidRow, timeLimitReason } from "../run-case.ts";
import { identityOf } from "../store/manifest.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { LackingFilesError, type Pool, PoolError } from "./pool.ts";

export interface ThreadOptions {
  readonly threads: number;
  /** Script of a worker, which calls `serveCases`, and its data. */
  readonly script: URL;
  readonly data: unknown;
  /** Name of the machine for the table. */
  readonly host?: string;
}

/** Time beyond the limit of a case after which a silent worker is replaced, ms. Between steps, workers notice the limit by themselves. */
const GRACE_MS = 5000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Job {
  readonly finished: (row: CaseRow) => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** Cases without a row. */
  readonly open: Set<number>;
  /** A case during which a worker has died. */
  suspect?: number;
  /** True after a worker has died during two cases at once: which of them was it? */
  alone: boolean;
}

/** A thread, its job, and the cases in progress. */
interface Slot {
  readonly worker: Worker;
  isReady: boolean;
  job?: Job;
  current?: { readonly cases: readonly number[]; readonly since: number };
  watchdog?: NodeJS.Timeout;
}

export const threadPool = (campaign: Campaign, options: ThreadOptions): Pool => new ThreadPool(campaign, options);

class ThreadPool implements Pool {
  readonly slots: number;
  readonly #campaign: Campaign;
  readonly #options: ThreadOptions;
  readonly #identity: string;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Job[] = [];
  /** Why no more cases can be run. */
  #end: Error | undefined;

  constructor(campaign: Campaign, options: ThreadOptions) {
    this.slots = options.threads;
    this.#campaign = campaign;
    this.#options = options;
    this.#identity = identityOf(campaign);
    for (let i = 0; i < options.threads; i++) this.#start();
  }

  run(cases: readonly number[], finished: (row: CaseRow) => void): Promise<void> {
    if (this.#end) return Promise.reject(this.#end);
    if (cases.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ finished, resolve, reject, open: new Set(cases), alone: false });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    const slots = [...this.#slots];
    this.#stop(new InterruptedError("the pool is closed"));
    await Promise.all(slots.map(({ worker }) => worker.terminate()));
  }

  #start(): void {
    const { script, data } = this.#options;
    const slot: Slot = { worker: new Worker(script, { workerData: data }), isReady: false };
    this.#slots.add(slot);
    let cause = "it ended by itself";
    slot.worker.on("message", (message: FromWorker) => this.#receive(slot, message));
    slot.worker.on("error", (error: NodeJS.ErrnoException) => {
      cause = error.code === undefined ? `${error.name}: ${error.message}` : `${error.code}: ${error.message}`;
    });
    slot.worker.on("exit", () => this.#replace(slot, cause));
  }

  #receive(slot: Slot, message: FromWorker): void {
    if ("ready" in message) {
      slot.isReady = true;
      if (message.ready === this.#identity) this.#assign();
      else this.#stop(new PoolError("the campaign or its scenario was changed on disk while it was read. Start again"));
    } else if ("lost" in message) this.#stop(new PoolError(`a worker cannot load the campaign: ${message.lost}`));
    else if ("started" in message) {
      clearTimeout(slot.watchdog);
      slot.current = { cases: message.started, since: performance.now() };
      const limit = Math.min(LONGEST_TIMER_MS, 1000 * this.#campaign.limit + GRACE_MS);
      slot.watchdog = setTimeout(() => void slot.worker.terminate(), limit);
    } else if ("row" in message) {
      clearTimeout(slot.watchdog);
      delete slot.current;
      this.#finish(slot.job, message.row);
    } else if ("lacking" in message) {
      clearTimeout(slot.watchdog);
      delete slot.current;
      slot.job?.reject(new LackingFilesError(message.lacking));
    } else {
      const { job } = slot;
      delete slot.job;
      job?.resolve();
      this.#assign();
    }
  }

  #finish(job: Job | undefined, row: CaseRow): void {
    if (!job?.open.delete(row.case)) return;
    try {
      job.finished(row);
    } catch (error) {
      this.#stop(error as Error); // the row could not be stored
    }
  }

  /** Gives waiting jobs to free workers. */
  #assign(): void {
    for (const slot of this.#slots) {
      if (!slot.isReady || slot.job) continue;
      const job = this.#waiting.shift();
      if (job === undefined) return;
      slot.job = job;
      slot.worker.postMessage({ run: [...job.open], alone: job.alone } satisfies ToWorker);
    }
  }

  /** Starts another worker for one that has ended, and continues its job. */
  #replace(slot: Slot, cause: string): void {
    clearTimeout(slot.watchdog);
    this.#slots.delete(slot);
    if (this.#end) return;
    if (!slot.isReady) {
      this.#stop(new PoolError(`a worker thread cannot start: ${cause}`));
      return;
    }
    this.#start();
    const { job, current } = slot;
    if (job === undefined) return;
    if (current) this.#judge(job, current, cause);
    if (job.open.size === 0) job.resolve();
    else this.#waiting.unshift(job);
  }

  /** Decides about the case during which a worker has ended: too long, or fatal twice, is invalid. Of two at once, each runs by itself before that. */
  #judge(job: Job, { cases, since }: NonNullable<Slot["current"]>, cause: string): void {
    const [index] = cases as readonly [number];
    if (cases.length > 1) {
      job.alone = true;
      return;
    }
    const seconds = (performance.now() - since) / 1000;
    const isTooLong = seconds >= this.#campaign.limit;
    if (!isTooLong && job.suspect !== index) {
      job.suspect = index;
      return;
    }
    const reason = isTooLong ? timeLimitReason(this.#campaign) : `worker: ${cause}`;
    this.#finish(job, invalidRow(this.#campaign, index, reason, this.#options.host, seconds));
  }

  /** Ends the pool: all jobs fail with the error. */
  #stop(error: Error): void {
    if (this.#end) return;
    this.#end = error;
    const jobs = [...this.#slots].flatMap(({ job }) => job ?? []);
    for (const { worker, watchdog } of this.#slots) {
      clearTimeout(watchdog);
      void worker.terminate();
    }
    for (const job of [...jobs, ...this.#waiting.splice(0)]) job.reject(error);
  }
}
