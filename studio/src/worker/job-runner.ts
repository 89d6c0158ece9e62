/** The page's side of a worker: starts jobs, passes on what comes, and ends a job at once, the worker with it if it must be. */
import type { Override } from "castor";
import { toWorkerFailure } from "./failure.ts";
import { onWorkerEnd, uniqueWorkerName } from "./liveness.ts";
import type { AliveMessage, JobInputs, ModesJobOptions, ReplayOptions, WorkerAnswer, WorkerRequest } from "./protocol.ts";
import { spawnWorker } from "./spawn.ts";

type OfJob<A> = A extends { readonly id: number } ? Omit<A, "id"> : never;
/** An answer to a job, without the id. */
export type JobAnswer = OfJob<WorkerAnswer>;

export interface JobOptions extends JobInputs {
  readonly overrides: readonly Override[];
}

/** Kinds of jobs, with their additional options. */
interface JobKinds {
  readonly run: { readonly wanted: readonly string[] };
  readonly replay: ReplayOptions;
  readonly verify: unknown;
  readonly assemble: unknown;
  readonly modes: { readonly modes: ModesJobOptions };
}

interface PendingJob {
  readonly request: WorkerRequest;
  readonly given: JobInputs;
  tell(answer: JobAnswer): void;
  cancelled: boolean;
}

/**
 * Time that a worker has to end a cancelled job, ms. If it compiles, or computes one long step, it is terminated and replaced; a new worker
 * needs about as long to start.
 */
const PATIENCE = 500;

const ADVICE = "Run it again. If it fails again, use a shorter duration or fewer samples";
const ENDED = `the simulation worker ended unexpectedly: it ran out of memory, or the browser closed it. ${ADVICE}`;
const UNREADABLE = `the page could not receive the results of the simulation worker: it ran out of memory. ${ADVICE}`;

const isLast = ({ type }: JobAnswer): boolean =>
  type === "done" || type === "replayed" || type === "verified" || type === "assembled" || type === "modes" || type === "failed";

const isSame = (a: JobOptions | undefined, b: JobOptions): boolean =>
  a?.source === b.source && a.library === b.library && a.overrides === b.overrides;

/** Sends jobs to one worker, which does one job after the other, and replays in between. Parallel jobs need separate runners. */
export class JobRunner {
  #worker: Worker | undefined;
  /** The inputs that the worker has. */
  #given: Partial<JobInputs> = {};
  #last = 0;
  #announced: { readonly id: number; readonly job: JobOptions } | undefined;
  readonly #waiting = new Map<number, PendingJob>();

  /** Starts the worker if there is none, so that the first job does not wait for it. */
  startWorker(): void {
    try {
      this.#worker ??= this.#spawn();
    } catch (error) {
      // Without workers the page still works, but every job fails.
      this.#fail(new Error(`simulation is not possible because workers are blocked: ${(error as Error).message}`));
    }
  }

  /** Lets the worker read the scenario of a likely next job now. */
  readAhead(job: JobOptions): void {
    const { source, library, overrides } = job;
    const id = ++this.#last;
    this.#announced = { id, job };
    this.#send({ request: { type: "announce", id, overrides }, given: { source, library } });
  }

  /** Starts a job. The returned function cancels it; after that `tell` is not called again. */
  start<K extends keyof JobKinds>(type: K, job: JobOptions & JobKinds[K], tell: (answer: JobAnswer) => void): () => void {
    const id = ++this.#last;
    const { source, library, ...rest } = job;
    const announced = isSame(this.#announced?.job, job) ? { announced: this.#announced!.id } : {};
    const request = { type, id, ...rest, ...announced } as unknown as WorkerRequest;
    const waiting = { request, given: { source, library }, tell, cancelled: false };
    this.#waiting.set(id, waiting);
    this.#send(waiting);
    return () => this.#cancel(id);
  }

  #send({ request, given }: Pick<PendingJob, "request" | "given">): void {
    this.startWorker();
    if (this.#worker === undefined) return;
    this.#give(this.#worker, given);
    this.#worker.postMessage(request);
  }

  /** Sends the inputs that have changed. Texts, models and maps can be long. */
  #give(worker: Worker, { source, library }: JobInputs): void {
    const { assets: _, ...plain } = source;
    const given = {
      ...(source !== this.#given.source && { source: plain }),
      ...(library !== this.#given.library && { library }),
    };
    this.#given = { source, library };
    if (Object.keys(given).length > 0) worker.postMessage({ type: "given", given } satisfies WorkerRequest);
  }

  #spawn(): Worker {
    const name = uniqueWorkerName();
    const worker = spawnWorker(name);
    const failed = (error: Error): void => {
      if (worker !== this.#worker) return;
      this.#end();
      this.#fail(error);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer | AliveMessage>) => {
      if (data.type === "alive") return onWorkerEnd(name, () => failed(new Error(ENDED)));
      const { id, ...answer } = data;
      const waiting = this.#waiting.get(id);
      if (isLast(answer)) this.#waiting.delete(id);
      if (waiting && !waiting.cancelled) waiting.tell(answer);
    });
    worker.addEventListener("error", (event) => failed(new Error(event.message || "the worker could not be started")));
    worker.addEventListener("messageerror", () => failed(new Error(UNREADABLE)));
    return worker;
  }

  /** Fails all pending jobs. */
  #fail(error: Error): void {
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    const answer = { type: "failed", failure: toWorkerFailure(error) } as const;
    // Not now: the caller of `start` does not expect an answer before `start` returns.
    for (const { tell, cancelled } of left) if (!cancelled) queueMicrotask(() => tell(answer));
  }

  #cancel(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || waiting.cancelled) return;
    waiting.cancelled = true;
    this.#worker?.postMessage({ type: "cancel", id } satisfies WorkerRequest);
    setTimeout(() => {
      if (this.#waiting.has(id)) this.#replace();
    }, PATIENCE);
  }

  /** Replaces the worker and restarts all jobs that were not cancelled. */
  #replace(): void {
    this.#end();
    for (const [id, { cancelled }] of this.#waiting) if (cancelled) this.#waiting.delete(id);
    for (const waiting of this.#waiting.values()) this.#send(waiting);
    this.startWorker();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#given = {};
  }
}
