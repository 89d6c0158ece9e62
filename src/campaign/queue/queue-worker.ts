/**
 * A worker process of a queue: takes jobs and runs their cases in worker threads, so that the main thread always renews the locks of its jobs. It
 * opens campaigns from what the producer has sent, and reads no files. For Node only.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Job, Worker } from "bullmq";
import { ArgumentError, CastorError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { LackingFilesError, type Pool, PoolError } from "../pool/pool.ts";
import { threadPool } from "../pool/threads.ts";
import { type CaseRow, errorReason, InterruptedError } from "../run-case.ts";
import { identityOf } from "../store/manifest.ts";
import { type CampaignBundle, openBundle } from "./bundle.ts";
import { connectQueue, errorText, type QueueConnection } from "./connection.ts";
import { Patience, waitAtMost } from "./patience.ts";
import { answerText, KEPT_SECONDS, keysOf, PREFIX, parseBundle, parseJob, QUEUE_NAME } from "./protocol.ts";
import { type QueueAddress, readQueueAddress } from "./queue-address.ts";
import { hideWorker, showWorker, type WorkerEntry } from "./workers.ts";

export interface QueueWorkerOptions {
  /** redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss:// with encryption. */
  readonly queue: string;
  /** Password, if it is not in the address. */
  readonly password?: string;
  readonly threads: number;
  /** Script of a thread, which opens the bundle of its data with `openBundle` and calls `serveCases`. */
  readonly script: URL;
  /** Time without a job after which the worker ends, s. Default: never. */
  readonly idle?: number;
  /** Time without an answer of Redis after which the queue is lost, s. Default 60. */
  readonly patience?: number;
  /** Ends the worker. The jobs that it works on go back to the queue. */
  readonly signal?: AbortSignal;
  /** Gets remarks: the queue is found, a campaign begins. */
  readonly notice?: (text: string) => void;
}

/** Work of a queue worker until its end. */
export interface QueueWorkerSummary {
  readonly jobs: number;
  readonly cases: number;
  readonly end: "idle" | "interrupted";
}

const DEFAULT_PATIENCE = 60;
/** A job belongs to its worker for this time after the last renewal; other workers take over jobs of workers that have died. */
const [LOCK_MS, RENEW_MS, STALLED_MS] = [8000, 2000, 4000];
/** Worker processes that may die during a job before it fails. */
const MOST_DEATHS = 3;
const BEAT_MS = 1000;
/** Time without a job after which the threads of a campaign are ended, ms. */
const UNUSED_MS = 60_000;

/** A campaign with its threads. */
interface Served {
  readonly pool: Promise<Pool>;
  /** Jobs in work. */
  active: number;
  lastUse: number;
}

/** Serves a queue until the signal, or until there was no job for a time. @throws PoolError if the queue cannot be used, or is lost */
export async function serveQueue(options: QueueWorkerOptions): Promise<QueueWorkerSummary> {
  if (!(Number.isInteger(options.threads) && options.threads >= 1))
    throw new ArgumentError("options.threads", `must be a whole number of at least 1, got ${options.threads}`);
  const address = readQueueAddress(options.queue, options.password);
  const connection = await connectQueue(address);
  const worker = new QueueWorker(options, address, connection);
  return worker.serve();
}

class QueueWorker {
  readonly #options: QueueWorkerOptions;
  readonly #address: QueueAddress;
  readonly #connection: QueueConnection;
  readonly #entry: WorkerEntry;
  readonly #served = new Map<string, Served>();
  #worker: Worker | undefined;
  #patience: Patience | undefined;
  #jobs = 0;
  #cases = 0;
  #active = 0;
  #idleMs = 0;
  #isBeating = false;
  #end: ((result: "idle" | "interrupted" | Error) => void) | undefined;

  constructor(options: QueueWorkerOptions, address: QueueAddress, connection: QueueConnection) {
    this.#options = options;
    this.#address = address;
    this.#connection = connection;
    this.#entry = { id: randomUUID(), version: VERSION, threads: options.threads, host: hostname() };
  }

  async serve(): Promise<QueueWorkerSummary> {
    const { signal, threads, notice, patience } = this.#options;
    const { redis, bullmq } = this.#connection;
    const ended = new Promise<"idle" | "interrupted" | Error>((resolve) => {
      this.#end = resolve;
    });
    const interrupt = (): void => this.#end!("interrupted");
    if (signal?.aborted) interrupt();
    signal?.addEventListener("abort", interrupt, { once: true });
    this.#worker = new bullmq.Worker(QUEUE_NAME, (job, token) => this.#runJob(job, token), {
      connection: redis,
      prefix: PREFIX,
      concurrency: threads,
      lockDuration: LOCK_MS,
      lockRenewTime: RENEW_MS,
      stalledInterval: STALLED_MS,
      maxStalledCount: MOST_DEATHS,
      runRetryDelay: BEAT_MS,
      drainDelay: 2,
      name: hostname(),
    });
    this.#worker.on("error", () => {}); // it goes on trying; the beat notices a lost queue
    await showWorker(redis, this.#entry);
    notice?.(`serves ${this.#address.shown} with ${threads} ${threads === 1 ? "thread" : "threads"}`);
    const beat = setInterval(() => void this.#beat(), BEAT_MS);
    const advice = "Start the worker again when Redis runs";
    this.#patience = new Patience(patience ?? DEFAULT_PATIENCE, this.#address, this.#connection, advice, this.#end!);
    const result = await ended;
    clearInterval(beat);
    this.#patience.end();
    signal?.removeEventListener("abort", interrupt);
    await this.#leave(result instanceof Error);
    if (result instanceof Error) throw result;
    return { jobs: this.#jobs, cases: this.#cases, end: result };
  }

  /** Gives all jobs back and closes everything. */
  async #leave(isLost: boolean): Promise<void> {
    const { redis } = this.#connection;
    const pools = [...this.#served.values()];
    this.#served.clear();
    const closing = this.#worker!.close(isLost).catch(() => {});
    await Promise.all(pools.map(async ({ pool }) => (await pool.catch(() => undefined))?.close()));
    await waitAtMost(LOCK_MS, closing);
    if (redis.status === "ready") await waitAtMost(LOCK_MS, hideWorker(redis, this.#entry));
    redis.disconnect();
  }

  async #runJob(job: Job, token: string | undefined): Promise<void> {
    const known = parseJob(job.data);
    if (known === undefined) throw this.#refusal("the job is not one of Castor");
    const { campaign: identity, cases } = known;
    this.#active++;
    this.#idleMs = 0;
    let served: Served | undefined;
    try {
      served = await this.#serveCampaign(identity);
      if (served) served.active++;
      const pool = await served?.pool;
      if (pool === undefined) return; // the campaign was cancelled
      const rows: CaseRow[] = [];
      await pool.run(cases, (row) => void rows.push(row));
      await this.#answer(identity, answerText(job.id!, rows));
      this.#jobs++;
      this.#cases += rows.length;
    } catch (error) {
      await this.#failJob(error, identity, job, token);
    } finally {
      this.#active--;
      this.#idleMs = 0;
      if (served) {
        served.active--;
        served.lastUse = performance.now();
      }
    }
  }

  async #failJob(error: unknown, identity: string, job: Job, token: string | undefined): Promise<void> {
    if (error instanceof LackingFilesError) {
      this.#retire(identity); // its threads do not have the files that will be sent
      await this.#answer(identity, answerText(job.id!, [], error.keys));
    } else if (error instanceof InterruptedError) {
      if (!(await this.#isWanted(identity))) return;
      await job.moveToWait(token);
      throw new this.#connection.bullmq.WaitingError();
    } else if (error instanceof PoolError) {
      // The campaign is good, but this machine cannot run it: others may.
      this.#end!(error);
      await job.moveToWait(token);
      throw new this.#connection.bullmq.WaitingError();
    } else throw error instanceof CastorError ? this.#refusal(errorReason(error)) : new PoolError(errorText(error));
  }

  /** An error after which no worker tries the job again. */
  #refusal(reason: string): Error {
    return new this.#connection.bullmq.UnrecoverableError(`${reason} (on ${hostname()})`);
  }

  async #answer(identity: string, text: string): Promise<void> {
    const { answers } = keysOf(identity);
    if (!(await this.#isWanted(identity))) return;
    await this.#connection.redis.multi().rpush(answers, text).expire(answers, KEPT_SECONDS).exec();
  }

  async #isWanted(identity: string): Promise<boolean> {
    return (await this.#connection.redis.exists(keysOf(identity).campaign)) === 1;
  }

  /** The threads of a campaign; undefined if it was cancelled. */
  async #serveCampaign(identity: string): Promise<Served | undefined> {
    const known = this.#served.get(identity);
    if (known) return known;
    const bundle = parseBundle(await this.#connection.redis.hgetall(keysOf(identity).campaign));
    if (bundle === undefined) return undefined;
    const others = this.#served.get(identity); // another job may have been faster
    if (others) return others;
    const served: Served = { pool: this.#startPool(identity, bundle), active: 0, lastUse: performance.now() };
    this.#served.set(identity, served);
    served.pool.catch(() => this.#served.delete(identity)); // the next job tries again
    return served;
  }

  async #startPool(identity: string, bundle: CampaignBundle): Promise<Pool> {
    const { threads, script, notice } = this.#options;
    const { campaign } = await openBundle(bundle);
    if (identityOf(campaign) !== identity) throw this.#refusal("the files that were sent give another campaign");
    notice?.(`runs cases of ${JSON.stringify(campaign.name)}`);
    return threadPool(campaign, { threads, script, data: { bundle }, host: hostname() });
  }

  /** Ends the threads of a campaign when no job uses them. */
  #retire(identity: string): void {
    const served = this.#served.get(identity);
    if (served === undefined) return;
    this.#served.delete(identity);
    void served.pool.then((pool) => pool.close()).catch(() => {});
  }

  /** Runs every second: shows that the worker lives, looks for cancelled campaigns, and ends the worker if it has been idle for too long. */
  async #beat(): Promise<void> {
    this.#idleMs += this.#active > 0 ? 0 : BEAT_MS;
    const { idle } = this.#options;
    if (idle !== undefined && this.#idleMs >= 1000 * idle) this.#end!("idle");
    if (this.#isBeating) return;
    this.#isBeating = true;
    try {
      await showWorker(this.#connection.redis, this.#entry);
      for (const [identity, { active, lastUse }] of this.#served)
        if (!(await this.#isWanted(identity)) || (active === 0 && performance.now() - lastUse > UNUSED_MS))
          this.#retire(identity);
      this.#patience?.answered();
    } catch {
      // the next beat tries again
    } finally {
      this.#isBeating = false;
    }
  }
}
