/**
 * Runs cases on worker processes (`castor worker`) that take them from a queue on Redis. A job is a list of cases for 1 to 5 seconds. Only as many jobs
 * are in the queue as its workers need next. Cases whose jobs are lost are sent again, and only the first row of a case counts. For Node only.
 */
import type { Queue } from "bullmq";
import type { Campaign } from "../campaign.ts";
import { type Pool, PoolError } from "../pool/pool.ts";
import { type CaseRow, InterruptedError, invalidRow } from "../run-case.ts";
import { identityOf } from "../store/store.ts";
import type { RecordedCampaign } from "./bundle.ts";
import { connectQueue, errorText, type QueueConnection } from "./connection.ts";
import { ProducerLease } from "./lease.ts";
import {
  type Answer,
  bundleFields,
  type CampaignKeys,
  type ChunkJob,
  chunkJob,
  fileField,
  KEPT_SECONDS,
  keysOf,
  MOST_CASES,
  PREFIX,
  parseAnswer,
  parseJob,
  parseWorkers,
  QUEUE_NAME,
  WORKER_SECONDS,
  WORKERS_KEY,
} from "./protocol.ts";
import { type QueueAddress, readQueueAddress } from "./queue-address.ts";

export interface QueueOptions {
  /** redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss:// with encryption. */
  readonly queue: string;
  /** Password, if it is not in the address. */
  readonly password?: string;
  /** Time without an answer of Redis after which the queue is lost, s. Default 30. */
  readonly patience?: number;
  /** Gets remarks, e.g. that no worker is connected. */
  readonly notice?: (text: string) => void;
}

/** Chunks of the store that are in work at the same time. */
const SLOTS = 4096;
const DEFAULT_PATIENCE = 30;
/** Work of a job, s: more workers get longer jobs, so that Redis handles at most about 400 jobs per second. */
const [LEAST_WORK, MOST_WORK, JOBS_PER_SECOND] = [1, 5, 400];
/** Weight of the latest job in the mean time per case. */
const SMOOTHING = 0.3;
const MOST_ANSWERS = 32;
const MOST_SENT = 256;
const BEAT_MS = 2000;
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 100];
const WATCH_MS = 250;
const CANCEL_MS = 3000;
/** Age at which a job without an answer is looked up in the queue, ms. */
const LOOKUP_MS = 20_000;
const ATTEMPTS = 3;

interface CaseRun {
  readonly finished: (row: CaseRow) => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** Number of cases without a row. */
  left: number;
}

interface SentJob {
  readonly data: ChunkJob;
  readonly cases: readonly number[];
  since: number;
}

/** Connects to the queue. @throws PoolError if it cannot be used, or if another process fills the same campaign through it */
export async function queuePool(recorded: RecordedCampaign, options: QueueOptions): Promise<Pool> {
  const address = readQueueAddress(options.queue, options.password);
  const connection = await connectQueue(address);
  const pool = new QueuePool(recorded, options, address, connection);
  try {
    await pool.start();
  } catch (error) {
    await pool.close();
    throw error;
  }
  return pool;
}

class QueuePool implements Pool {
  readonly slots = SLOTS;
  readonly #recorded: RecordedCampaign;
  readonly #campaign: Campaign;
  readonly #options: QueueOptions;
  readonly #address: QueueAddress;
  readonly #connection: QueueConnection;
  readonly #identity: string;
  readonly #keys: CampaignKeys;
  readonly #lease: ProducerLease;
  readonly #queue: Queue;
  /** Runs of cases without a row. */
  readonly #open = new Map<number, CaseRun>();
  /** Cases that are in no job, in the order in which they are sent. */
  #pending: number[] = [];
  readonly #jobs = new Map<string, SentJob>();
  /** Cases of these jobs. */
  readonly #sent = new Set<number>();
  /** Rows that were in the queue before their cases were asked for. */
  readonly #early = new Map<number, CaseRow>();
  /** Number of files that were sent later. */
  #supplied = 0;
  #threads = 0;
  #secondsPerCase: number | undefined;
  #end: Error | undefined;
  #isReconnected = false;
  #silentMs = 0;
  #watch: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #lastNotice = "";

  constructor(recorded: RecordedCampaign, options: QueueOptions, address: QueueAddress, connection: QueueConnection) {
    this.#recorded = recorded;
    this.#campaign = recorded.campaign;
    this.#options = options;
    this.#address = address;
    this.#connection = connection;
    this.#identity = identityOf(recorded.campaign);
    this.#keys = keysOf(this.#identity);
    this.#lease = new ProducerLease(connection.redis, this.#keys.producer);
    const { redis, bullmq } = connection;
    this.#queue = new bullmq.Queue(QUEUE_NAME, {
      connection: redis,
      prefix: PREFIX,
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: {
        attempts: ATTEMPTS,
        backoff: { type: "fixed", delay: 1000 },
        removeOnComplete: true,
        removeOnFail: { age: KEPT_SECONDS },
      },
    });
    this.#queue.on("error", () => {}); // the watch decides
    redis.on("ready", () => {
      this.#isReconnected = true;
    });
  }

  /** Takes the campaign over: sends it, and adopts rows and jobs that an earlier process has left. */
  async start(): Promise<void> {
    this.#watch = setInterval(() => this.#checkSilence(), WATCH_MS);
    await this.#lease.take((text) => this.#notice(text));
    await this.#sendCampaign();
    for (const text of await this.#redis.lrange(this.#keys.answers, 0, -1))
      for (const row of parseAnswer(text)?.rows ?? []) if (this.#fits(row)) this.#early.set(row.case, row);
    for (const job of await this.#queue.getJobs(["waiting", "active", "delayed", "failed", "prioritized"])) {
      const known = parseJob(job?.data);
      if (known?.campaign !== this.#identity) continue;
      if (await job.isActive()) this.#note(job.id!, job.data as ChunkJob, known.cases);
      else await this.#queue.remove(job.id!);
    }
    await this.#readWorkers();
    this.#isReconnected = false;
    this.#working = this.#work().catch((error: unknown) => {
      if (error instanceof InterruptedError) return;
      this.#stop(
        error instanceof PoolError ? error : new PoolError(`the queue ${this.#address.shown} refuses: ${errorText(error)}`),
      );
    });
  }

  run(cases: readonly number[], finished: (row: CaseRow) => void): Promise<void> {
    if (this.#end) return Promise.reject(this.#end);
    if (cases.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const run: CaseRun = { finished, resolve, reject, left: cases.length };
      for (const index of cases) {
        this.#open.set(index, run);
        if (!this.#sent.has(index)) this.#pending.push(index);
      }
      for (const index of cases) {
        const row = this.#early.get(index);
        if (row && this.#early.delete(index)) this.#deliver(row);
      }
    });
  }

  async close(): Promise<void> {
    this.#stop(new InterruptedError("the pool is closed"));
    const limit = new Promise((resolve) => setTimeout(resolve, CANCEL_MS).unref());
    await Promise.race([this.#working, limit]);
    await Promise.race([this.#cancel().catch(() => {}), limit]);
    this.#redis.disconnect();
  }

  get #redis(): QueueConnection["redis"] {
    return this.#connection.redis;
  }

  /** Sends jobs and takes answers until the end. */
  async #work(): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    for (let nextBeat = 0; !this.#end; ) {
      const count = (await this.#takeAnswers()) + (await this.#sendJobs());
      this.#silentMs = 0;
      if (count === 0 && this.#isReconnected) await this.#sendAgain();
      if (performance.now() >= nextBeat) {
        await this.#beat();
        nextBeat = performance.now() + BEAT_MS;
      }
      pause = count > 0 ? SHORTEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, 2 * pause);
      if (!this.#end) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async #sendCampaign(): Promise<void> {
    const { head, contents } = this.#recorded;
    await this.#redis.hset(this.#keys.campaign, bundleFields(head, contents()));
    await this.#redis.expire(this.#keys.campaign, KEPT_SECONDS);
  }

  /** Takes rows from the queue. They are removed from it when the store has them. */
  async #takeAnswers(): Promise<number> {
    const texts = await this.#redis.lrange(this.#keys.answers, 0, MOST_ANSWERS - 1);
    for (const text of texts) {
      const answer = parseAnswer(text);
      if (answer === undefined) throw new PoolError(`the queue ${this.#address.shown} has an answer that is not of Castor`);
      await this.#receive(answer);
      if (this.#end) return 0;
    }
    if (texts.length > 0) await this.#redis.ltrim(this.#keys.answers, texts.length, -1);
    return texts.length;
  }

  async #receive({ job: id, rows, lacking }: Answer): Promise<void> {
    for (const row of rows) {
      if (!this.#fits(row))
        throw new PoolError(
          `a worker on ${JSON.stringify(row.host)} has sent a row that does not fit the campaign (case ${row.case})`,
        );
      this.#deliver(row);
    }
    if (rows.length > 0) {
      const mean = rows.reduce((sum, { seconds }) => sum + seconds, 0) / rows.length;
      this.#secondsPerCase = SMOOTHING * mean + (1 - SMOOTHING) * (this.#secondsPerCase ?? mean);
    }
    for (const key of lacking) {
      const content = this.#recorded.supply(key);
      if (content === undefined)
        throw new PoolError(`a worker asks for ${JSON.stringify(key)}, which the campaign does not name`);
      await this.#redis.hset(this.#keys.campaign, ...fileField(key, content));
      this.#supplied++;
    }
    this.#takeBack(id);
  }

  #fits({ case: index, inputs, measures }: CaseRow): boolean {
    const { cases, inputs: columns, measures: wanted } = this.#campaign;
    return (
      index < cases &&
      inputs.length === columns.length &&
      columns.every(({ type }, i) => (typeof inputs[i] === "number") === (type === "number")) &&
      measures.length === wanted.length
    );
  }

  #deliver(row: CaseRow): void {
    const run = this.#open.get(row.case);
    if (run === undefined || this.#end) return;
    this.#open.delete(row.case);
    try {
      run.finished(row);
    } catch (error) {
      this.#stop(error as Error); // the row could not be stored
    }
    run.left--;
    if (run.left === 0) run.resolve();
  }

  /** Forgets a job; its cases without a row become pending again. */
  #takeBack(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    for (const index of job.cases) this.#sent.delete(index);
    const open = job.cases.filter((index) => this.#open.has(index));
    if (open.length > 0) this.#pending = [...open, ...this.#pending];
  }

  #note(id: string, data: ChunkJob, cases: readonly number[]): void {
    this.#jobs.set(id, { data, cases, since: performance.now() });
    for (const index of cases) this.#sent.add(index);
  }

  /** Sends jobs, until each thread of the workers has one more than it works on. */
  async #sendJobs(): Promise<number> {
    const room = Math.min(MOST_SENT, 2 * this.#threads + 2 - this.#jobs.size);
    const jobs: ReturnType<typeof chunkJob>[] = [];
    let next = 0;
    while (jobs.length < room && next < this.#pending.length) {
      const end = next + this.#jobSize(this.#pending.length - next);
      const cases = this.#pending.slice(next, end).filter((index) => this.#open.has(index));
      next = end;
      if (cases.length === 0) continue;
      const job = chunkJob(this.#identity, cases, this.#supplied);
      jobs.push(job);
      this.#note(job.id, job.data, cases);
    }
    this.#pending.splice(0, next);
    if (jobs.length > 0) await this.#queue.addBulk(jobs.map(({ id, data }) => ({ name: "cases", data, opts: { jobId: id } })));
    return jobs.length;
  }

  /** Number of cases of the next job: 1 to 5 s of work, and less if few cases are left for many threads. */
  #jobSize(pending: number): number {
    if (this.#secondsPerCase === undefined) return 1;
    const work = Math.min(MOST_WORK, Math.max(LEAST_WORK, this.#threads / JOBS_PER_SECOND));
    const share = Math.ceil(pending / Math.max(1, 2 * this.#threads));
    return Math.max(1, Math.min(MOST_CASES, share, Math.floor(work / this.#secondsPerCase)));
  }

  /** What is done every two seconds. */
  async #beat(): Promise<void> {
    await this.#lease.renew();
    if ((await this.#redis.expire(this.#keys.campaign, KEPT_SECONDS)) === 0) await this.#sendAgain(); // Redis has lost its data
    await this.#redis.expire(this.#keys.answers, KEPT_SECONDS);
    await this.#readWorkers();
    await this.#takeFailures();
    await this.#lookUpOldJobs();
  }

  /** Adds all jobs that are in work again, after Redis may have lost some. Those that it still has stay as they are. */
  async #sendAgain(): Promise<void> {
    this.#isReconnected = false;
    await this.#sendCampaign();
    for (const [id, { data }] of this.#jobs) await this.#queue.add("cases", data, { jobId: id });
  }

  async #readWorkers(): Promise<void> {
    const [seconds] = await this.#redis.time();
    const workers = parseWorkers(await this.#redis.zrangebyscore(WORKERS_KEY, Number(seconds) - WORKER_SECONDS, "+inf"));
    const version = String(this.#campaign.definition.castor);
    const own = workers.filter((worker) => worker.version === version);
    this.#threads = own.reduce((sum, { threads }) => sum + threads, 0);
    if (own.length > 0) {
      this.#lastNotice = "";
      return;
    }
    const others = [...new Set(workers.map((worker) => worker.version))].join(", ");
    this.#notice(
      `no worker of version ${version} is connected${others && `, only of version ${others}`}. Start one: castor worker --queue ${this.#address.shown}`,
    );
  }

  /** Failed jobs. Cases during which worker processes died are tried one by one, and then are invalid. */
  async #takeFailures(): Promise<void> {
    for (const job of await this.#queue.getJobs(["failed"], 0, MOST_SENT)) {
      const sent = job?.id === undefined ? undefined : this.#jobs.get(job.id);
      if (sent === undefined || parseJob(job.data)?.campaign !== this.#identity) continue;
      await this.#queue.remove(job.id!);
      if (!/stalled|started more than/.test(job.failedReason ?? "")) {
        const [first, last] = [sent.cases[0], sent.cases.at(-1)];
        throw new PoolError(`the workers cannot run cases ${first} to ${last}: ${job.failedReason}`);
      }
      if (sent.cases.length === 1)
        this.#deliver(invalidRow(this.#campaign, sent.cases[0]!, "worker: every worker process that ran it has died"));
      this.#takeBack(job.id!);
      await this.#sendAlone(sent.cases);
    }
  }

  async #sendAlone(cases: readonly number[]): Promise<void> {
    const alone = new Set(cases.filter((index) => this.#open.has(index)));
    this.#pending = this.#pending.filter((index) => !alone.has(index));
    for (const index of alone) {
      const { id, data } = chunkJob(this.#identity, [index], this.#supplied);
      this.#note(id, data, [index]);
      await this.#queue.add("cases", data, { jobId: id });
    }
  }

  /** Jobs that are no longer in the queue although no answer came, e.g. because somebody has removed them, are sent again. */
  async #lookUpOldJobs(): Promise<void> {
    const now = performance.now();
    const old = [...this.#jobs].filter(([, { since }]) => now - since > LOOKUP_MS).slice(0, MOST_ANSWERS);
    for (const [id, job] of old) {
      job.since = now;
      if ((await this.#queue.getJobState(id)) !== "unknown") continue;
      const last = await this.#redis.lrange(this.#keys.answers, 0, -1); // it may have ended just now
      if (!last.some((text) => text.startsWith(`{"job":${JSON.stringify(id)},`))) this.#takeBack(id);
    }
  }

  #checkSilence(): void {
    this.#silentMs += WATCH_MS;
    const patience = this.#options.patience ?? DEFAULT_PATIENCE;
    if (this.#silentMs <= 1000 * patience) return;
    this.#stop(
      new PoolError(
        `the queue ${this.#address.shown} is lost: Redis has not answered for ${patience} s (${this.#connection.problem()}). Finished cases are kept: when Redis runs again, the same command goes on`,
      ),
    );
    this.#redis.disconnect();
  }

  #notice(text: string): void {
    if (text === this.#lastNotice) return;
    this.#lastNotice = text;
    this.#options.notice?.(text);
  }

  #stop(error: Error): void {
    if (this.#end) return;
    this.#end = error;
    clearInterval(this.#watch);
    for (const { reject } of new Set(this.#open.values())) reject(error);
    this.#open.clear();
  }

  /** Removes the campaign from the queue. Workers abandon the cases in work when they notice it. */
  async #cancel(): Promise<void> {
    if (this.#redis.status !== "ready" || !this.#lease.isOwn) return;
    const { campaign, answers } = this.#keys;
    await this.#redis.del(campaign, answers);
    for (const id of this.#jobs.keys()) await this.#queue.remove(id);
    await this.#lease.release();
  }
}
