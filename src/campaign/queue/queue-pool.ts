/**
 * Runs cases on worker processes (`castor worker`) that take them from a queue on Redis. A job is a list of cases for 1 to 5 seconds. Only as many jobs
 * are in the queue as its workers need next. Cases whose jobs are lost are sent again, and only the first row of a case counts. For Node only.
 */
import type { Queue } from "bullmq";
import { CastorError } from "../../errors.ts";
import type { Campaign } from "../campaign.ts";
import { type Pool, PoolError } from "../pool/pool.ts";
import { type CaseRow, InterruptedError, invalidRow } from "../run-case.ts";
import { identityOf } from "../store/manifest.ts";
import type { RecordedCampaign } from "./bundle.ts";
import { CaseLedger, type SentJob } from "./case-ledger.ts";
import { connectQueue, errorText, openJobs, type QueueConnection } from "./connection.ts";
import { ProducerLease } from "./lease.ts";
import { Patience, waitAtMost } from "./patience.ts";
import {
  type Answer,
  bundleFields,
  type CampaignKeys,
  type ChunkJob,
  fileField,
  fitsCampaign,
  KEPT_SECONDS,
  keysOf,
  parseAnswer,
  parseJob,
} from "./protocol.ts";
import { type QueueAddress, readQueueAddress } from "./queue-address.ts";
import { connectedWorkers, workersOf } from "./workers.ts";

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
const MOST_ANSWERS = 32;
const MOST_SENT = 256;
const BEAT_MS = 2000;
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 100];
const CANCEL_MS = 3000;
/** Age at which a job without an answer is looked up in the queue, ms. */
const LOOKUP_MS = 20_000;

/** Connects to the queue. @throws PoolError if it cannot be used, or if another process fills the same campaign through it */
export async function queuePool(recorded: RecordedCampaign, options: QueueOptions): Promise<Pool> {
  const address = readQueueAddress(options.queue, options.password);
  const connection = await connectQueue(address);
  const pool = new QueuePool(recorded, options, address, connection);
  try {
    await pool.start();
    return pool;
  } catch (error) {
    const reason = pool.errorOf(error);
    await pool.close();
    throw reason;
  }
}

class QueuePool implements Pool {
  readonly slots = SLOTS;
  readonly #recorded: RecordedCampaign;
  readonly #campaign: Campaign;
  readonly #options: QueueOptions;
  readonly #address: QueueAddress;
  readonly #redis: QueueConnection["redis"];
  readonly #identity: string;
  readonly #keys: CampaignKeys;
  readonly #lease: ProducerLease;
  readonly #queue: Queue;
  readonly #ledger: CaseLedger;
  readonly #patience: Patience;
  /** Number of files that were sent later. */
  #supplied = 0;
  #threads = 0;
  #end: Error | undefined;
  #isReconnected = false;
  #working: Promise<void> | undefined;
  #lastNotice = "";

  constructor(recorded: RecordedCampaign, options: QueueOptions, address: QueueAddress, connection: QueueConnection) {
    this.#recorded = recorded;
    this.#campaign = recorded.campaign;
    this.#options = options;
    this.#address = address;
    this.#redis = connection.redis;
    this.#identity = identityOf(recorded.campaign);
    this.#keys = keysOf(this.#identity);
    this.#ledger = new CaseLedger(this.#identity);
    this.#lease = new ProducerLease(connection.redis, this.#keys.producer);
    this.#queue = openJobs(connection);
    const advice = "Finished cases are kept: when Redis runs again, the same command goes on";
    this.#patience = new Patience(options.patience ?? DEFAULT_PATIENCE, address, connection, advice, (error) => {
      this.#stop(error);
      connection.redis.disconnect();
    });
    connection.redis.on("ready", () => {
      this.#isReconnected = true;
    });
  }

  /** Takes the campaign over: sends it, and adopts rows and jobs that an earlier process has left. */
  async start(): Promise<void> {
    await this.#lease.take((text) => {
      this.#patience.answered();
      this.#notice(text);
    });
    await this.#sendCampaign();
    for (const text of await this.#redis.lrange(this.#keys.answers, 0, -1))
      for (const row of parseAnswer(text)?.rows ?? []) if (fitsCampaign(row, this.#campaign)) this.#ledger.keep(row);
    for (const job of await this.#queue.getJobs(["waiting", "active", "delayed", "failed", "prioritized"])) {
      const known = parseJob(job?.data);
      if (known?.campaign !== this.#identity) continue;
      if (await job.isActive()) this.#ledger.note(job.id!, job.data as ChunkJob, known.cases);
      else await this.#queue.remove(job.id!);
    }
    await this.#readWorkers();
    this.#isReconnected = false;
    this.#working = this.#work().catch((error: unknown) => this.#stop(this.errorOf(error)));
  }

  /** Why the pool has ended: the first reason, and for errors of Redis one without secrets. */
  errorOf(error: unknown): Error {
    if (this.#end) return this.#end;
    return error instanceof CastorError ? error : new PoolError(`the queue ${this.#address.shown} refuses: ${errorText(error)}`);
  }

  run(cases: readonly number[], finished: (row: CaseRow) => void): Promise<void> {
    return this.#end ? Promise.reject(this.#end) : this.#ledger.want(cases, finished);
  }

  async close(): Promise<void> {
    this.#stop(new InterruptedError("the pool is closed"));
    await waitAtMost(CANCEL_MS, this.#working);
    await waitAtMost(CANCEL_MS, this.#cancel());
    this.#redis.disconnect();
  }

  /** Sends jobs and takes answers until the end. */
  async #work(): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    for (let nextBeat = 0; !this.#end; ) {
      const count = (await this.#takeAnswers()) + (await this.#sendJobs());
      this.#patience.answered();
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
      if (!fitsCampaign(row, this.#campaign))
        throw new PoolError(
          `a worker on ${JSON.stringify(row.host)} has sent a row that does not fit the campaign (case ${row.case})`,
        );
      this.#deliver(row);
    }
    this.#ledger.learn(rows);
    for (const key of lacking) {
      const content = this.#recorded.supply(key);
      if (content === undefined)
        throw new PoolError(`a worker asks for ${JSON.stringify(key)}, which the campaign does not name`);
      await this.#redis.hset(this.#keys.campaign, ...fileField(key, content));
      this.#supplied++;
    }
    this.#ledger.takeBack(id);
  }

  #deliver(row: CaseRow): void {
    if (this.#end) return;
    try {
      this.#ledger.deliver(row);
    } catch (error) {
      this.#stop(error as Error); // the row could not be stored
    }
  }

  /** Sends jobs, until each thread of the workers has one more than it works on. */
  async #sendJobs(): Promise<number> {
    const room = Math.min(MOST_SENT, 2 * this.#threads + 2 - this.#ledger.jobCount);
    return this.#add(room > 0 ? this.#ledger.next(room, this.#threads, this.#supplied) : []);
  }

  /** Adds jobs to the queue. Those that it has already stay as they are. */
  async #add(jobs: readonly SentJob[]): Promise<number> {
    if (jobs.length > 0) await this.#queue.addBulk(jobs.map(({ id, data }) => ({ name: "cases", data, opts: { jobId: id } })));
    return jobs.length;
  }

  /** Runs every two seconds: renews the lease, and sends lost jobs again. */
  async #beat(): Promise<void> {
    await this.#lease.renew();
    if ((await this.#redis.expire(this.#keys.campaign, KEPT_SECONDS)) === 0) await this.#sendAgain(); // Redis has lost its data
    await this.#redis.expire(this.#keys.answers, KEPT_SECONDS);
    await this.#readWorkers();
    await this.#takeFailures();
    await this.#lookUpOldJobs();
  }

  /** Adds all jobs that are in work again, after Redis may have lost some. */
  async #sendAgain(): Promise<void> {
    this.#isReconnected = false;
    await this.#sendCampaign();
    await this.#add(this.#ledger.jobs);
  }

  async #readWorkers(): Promise<void> {
    const version = String(this.#campaign.definition.castor);
    const { threads, problem } = workersOf(version, await connectedWorkers(this.#redis));
    this.#threads = threads;
    if (problem === undefined) this.#lastNotice = "";
    else this.#notice(`${problem}. Start one: castor worker --queue ${this.#address.shown}`);
  }

  /** Failed jobs. Cases during which worker processes died are tried one by one, and then are invalid. */
  async #takeFailures(): Promise<void> {
    for (const job of await this.#queue.getJobs(["failed"], 0, MOST_SENT)) {
      const sent = job?.id === undefined ? undefined : this.#ledger.job(job.id);
      if (sent === undefined || parseJob(job.data)?.campaign !== this.#identity) continue;
      await this.#queue.remove(job.id!);
      if (!/stalled|started more than/.test(job.failedReason ?? "")) {
        const [first, last] = [sent.cases[0], sent.cases.at(-1)];
        throw new PoolError(`the workers cannot run cases ${first} to ${last}: ${job.failedReason}`);
      }
      if (sent.cases.length === 1)
        this.#deliver(invalidRow(this.#campaign, sent.cases[0]!, "worker: every worker process that ran it has died"));
      this.#ledger.takeBack(job.id!);
      await this.#add(this.#ledger.alone(sent.cases, this.#supplied));
    }
  }

  /** Jobs that are no longer in the queue although no answer came, e.g. because somebody has removed them, are sent again. */
  async #lookUpOldJobs(): Promise<void> {
    const now = performance.now();
    const old = this.#ledger.jobs.filter(({ since }) => now - since > LOOKUP_MS).slice(0, MOST_ANSWERS);
    for (const job of old) {
      const { id } = job;
      job.since = now;
      if ((await this.#queue.getJobState(id)) !== "unknown") continue;
      const last = await this.#redis.lrange(this.#keys.answers, 0, -1); // it may have ended just now
      if (!last.some((text) => text.startsWith(`{"job":${JSON.stringify(id)},`))) this.#ledger.takeBack(id);
    }
  }

  #notice(text: string): void {
    if (text === this.#lastNotice) return;
    this.#lastNotice = text;
    this.#options.notice?.(text);
  }

  #stop(error: Error): void {
    if (this.#end) return;
    this.#end = error;
    this.#patience.end();
    this.#ledger.abandon(error);
  }

  /** Removes the campaign from the queue. Workers abandon the cases in work when they notice it. */
  async #cancel(): Promise<void> {
    if (this.#redis.status !== "ready" || !this.#lease.isOwn) return;
    const { campaign, answers } = this.#keys;
    await this.#redis.del(campaign, answers);
    for (const { id } of this.#ledger.jobs) await this.#queue.remove(id);
    await this.#lease.release();
  }
}
