/** The cases of a producer: those that are wanted, those that are in jobs, and the time that one takes. Every case is delivered once. */
import type { CaseRow } from "../run-case.ts";
import { type ChunkJob, chunkJob, MOST_CASES } from "./protocol.ts";

/** Work of a job, s: more workers get longer jobs, so that Redis handles at most about 400 jobs per second. */
const [LEAST_WORK, MOST_WORK, JOBS_PER_SECOND] = [1, 5, 400];
/** Weight of the latest answer in the mean time of a case. */
const SMOOTHING = 0.3;

/** Cases that somebody waits for. */
interface CaseRun {
  readonly finished: (row: CaseRow) => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** Number of cases without a row. */
  left: number;
}

/** A job in the queue. */
export interface SentJob {
  readonly id: string;
  readonly data: ChunkJob;
  readonly cases: readonly number[];
  /** Time at which it was sent or last looked up, ms. */
  since: number;
}

export class CaseLedger {
  readonly #identity: string;
  /** Runs of cases without a row. */
  readonly #open = new Map<number, CaseRun>();
  /** Cases that are in no job, in the order in which they are sent. */
  #pending: number[] = [];
  readonly #jobs = new Map<string, SentJob>();
  /** Cases of these jobs. */
  readonly #sent = new Set<number>();
  /** Rows whose cases are not wanted yet. */
  readonly #early = new Map<number, CaseRow>();
  #secondsPerCase: number | undefined;

  constructor(identity: string) {
    this.#identity = identity;
  }

  get jobs(): readonly SentJob[] {
    return [...this.#jobs.values()];
  }

  get jobCount(): number {
    return this.#jobs.size;
  }

  job(id: string): SentJob | undefined {
    return this.#jobs.get(id);
  }

  /** Waits for cases. @throws what `finished` throws, and the error of `abandon` */
  want(cases: readonly number[], finished: (row: CaseRow) => void): Promise<void> {
    if (cases.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const run: CaseRun = { finished, resolve, reject, left: cases.length };
      for (const index of cases) {
        this.#open.set(index, run);
        if (!this.#sent.has(index)) this.#pending.push(index);
      }
      for (const index of cases) {
        const row = this.#early.get(index);
        if (row && this.#early.delete(index)) this.deliver(row);
      }
    });
  }

  /** Keeps a row until its case is wanted. */
  keep(row: CaseRow): void {
    this.#early.set(row.case, row);
  }

  /** Hands a row over. Rows of cases that nobody waits for are dropped. @throws what `finished` throws */
  deliver(row: CaseRow): void {
    const run = this.#open.get(row.case);
    if (run === undefined) return;
    this.#open.delete(row.case);
    run.finished(row);
    run.left--;
    if (run.left === 0) run.resolve();
  }

  /** Learns from the rows of a job how long a case takes. */
  learn(rows: readonly CaseRow[]): void {
    if (rows.length === 0) return;
    const mean = rows.reduce((sum, { seconds }) => sum + seconds, 0) / rows.length;
    this.#secondsPerCase = SMOOTHING * mean + (1 - SMOOTHING) * (this.#secondsPerCase ?? mean);
  }

  /** Notes a job that is in the queue. */
  note(id: string, data: ChunkJob, cases: readonly number[]): void {
    this.#jobs.set(id, { id, data, cases, since: performance.now() });
    for (const index of cases) this.#sent.add(index);
  }

  /** Forgets a job; its cases without a row become pending again. */
  takeBack(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    for (const index of job.cases) this.#sent.delete(index);
    const open = job.cases.filter((index) => this.#open.has(index));
    if (open.length > 0) this.#pending = [...open, ...this.#pending];
  }

  /** The next jobs, at most `most`, for workers with so many threads. `files`: see `chunkJob`. */
  next(most: number, threads: number, files: number): readonly SentJob[] {
    const jobs: SentJob[] = [];
    let next = 0;
    while (jobs.length < most && next < this.#pending.length) {
      const end = next + this.#jobSize(this.#pending.length - next, threads);
      const cases = this.#pending.slice(next, end).filter((index) => this.#open.has(index));
      next = end;
      if (cases.length > 0) jobs.push(this.#newJob(cases, files));
    }
    this.#pending.splice(0, next);
    return jobs;
  }

  /** Jobs of one case each. */
  alone(cases: readonly number[], files: number): readonly SentJob[] {
    const alone = new Set(cases.filter((index) => this.#open.has(index)));
    this.#pending = this.#pending.filter((index) => !alone.has(index));
    return Array.from(alone, (index) => this.#newJob([index], files));
  }

  /** Ends all waiting. */
  abandon(error: Error): void {
    for (const { reject } of new Set(this.#open.values())) reject(error);
    this.#open.clear();
    this.#early.clear();
  }

  #newJob(cases: readonly number[], files: number): SentJob {
    const { id, data } = chunkJob(this.#identity, cases, files);
    this.note(id, data, cases);
    return this.#jobs.get(id)!;
  }

  /** Number of cases of the next job: 1 to 5 s of work, and less if few cases are left for many threads. */
  #jobSize(pending: number, threads: number): number {
    if (this.#secondsPerCase === undefined) return 1;
    const work = Math.min(MOST_WORK, Math.max(LEAST_WORK, threads / JOBS_PER_SECOND));
    const share = Math.ceil(pending / Math.max(1, 2 * threads));
    return Math.max(1, Math.min(MOST_CASES, share, Math.floor(work / this.#secondsPerCase)));
  }
}
