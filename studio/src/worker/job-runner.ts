/** The page's side of a worker: starts jobs, passes on what comes, and ends a job at once, the worker with it if it must be. */

import type { Override } from "castor/scenario";
import { StudioError } from "../state/studio-error.ts";
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
  readonly inputs: JobInputs;
  onAnswer(answer: JobAnswer): void;
  cancelled: boolean;
}

/**
 * Time that a worker has to end a cancelled job, ms. If it compiles, or computes one long step, it is terminated and replaced; a new worker
 * needs about as long to start.
 */
const CANCEL_TIMEOUT = 500;

const ADVICE = "Run it again. If it fails again, use a shorter duration or fewer samples";
const ENDED = `the simulation worker ended unexpectedly: it ran out of memory, or the browser closed it. ${ADVICE}`;
const UNREADABLE = `the page could not receive the results of the simulation worker: it ran out of memory. ${ADVICE}`;

const isFinal = ({ type }: JobAnswer): boolean =>
  type === "done" || type === "replayed" || type === "verified" || type === "assembled" || type === "modes" || type === "failed";

const isSameScenario = (a: JobOptions | undefined, b: JobOptions): boolean =>
  a?.source === b.source && a.library === b.library && a.overrides === b.overrides;

/** Files with triangles, and the buffers of .gltf files. */
const MESH_FILE = /\.(stl|obj|glb|gltf|bin)$/i;

/** Sends jobs to one worker, which does one job after the other, and replays in between. Parallel jobs need separate runners. */
export class JobRunner {
  #worker: Worker | undefined;
  /** The inputs that the worker has. */
  #sentInputs: Partial<JobInputs> = {};
  #lastId = 0;
  #readAhead: { readonly id: number; readonly job: JobOptions } | undefined;
  readonly #pendingJobs = new Map<number, PendingJob>();

  /** Starts the worker if there is none, so that the first job does not wait for it. */
  startWorker(): void {
    try {
      this.#worker ??= this.#spawn();
    } catch (error) {
      // Without workers the page still works, but every job fails.
      this.#fail(new StudioError(`simulation is not possible because workers are blocked: ${(error as Error).message}`));
    }
  }

  /** Lets the worker read the scenario of a likely next job now. */
  readAhead(job: JobOptions): void {
    const { source, library, overrides } = job;
    const id = ++this.#lastId;
    this.#readAhead = { id, job };
    this.#send({ request: { type: "read-ahead", id, overrides }, inputs: { source, library } });
  }

  /** Starts a job. The returned function cancels it; after that `onAnswer` is not called again. */
  start<K extends keyof JobKinds>(type: K, job: JobOptions & JobKinds[K], onAnswer: (answer: JobAnswer) => void): () => void {
    const id = ++this.#lastId;
    const { source, library, ...rest } = job;
    const readAhead = isSameScenario(this.#readAhead?.job, job) ? { readAheadId: this.#readAhead!.id } : {};
    const request = { type, id, ...rest, ...readAhead } as unknown as WorkerRequest;
    const pendingJob = { request, inputs: { source, library }, onAnswer, cancelled: false };
    this.#pendingJobs.set(id, pendingJob);
    this.#send(pendingJob);
    return () => this.#cancel(id);
  }

  #send({ request, inputs }: Pick<PendingJob, "request" | "inputs">): void {
    this.startWorker();
    if (this.#worker === undefined) return;
    this.#sendInputs(this.#worker, inputs);
    this.#worker.postMessage(request);
  }

  /** Sends the inputs that have changed. Texts, models and maps can be long. */
  #sendInputs(worker: Worker, { source, library }: JobInputs): void {
    const { assets = {}, ...withoutAssets } = source;
    // Contact reads the hulls of meshes. Maps are sent in another form.
    const meshes = Object.entries(assets).filter(([path]) => MESH_FILE.test(path));
    const sent = { ...withoutAssets, assetPaths: Object.keys(assets), assets: Object.fromEntries(meshes) };
    const inputs = {
      ...(source !== this.#sentInputs.source && { source: sent }),
      ...(library !== this.#sentInputs.library && { library }),
    };
    this.#sentInputs = { source, library };
    if (Object.keys(inputs).length > 0) worker.postMessage({ type: "inputs", inputs } satisfies WorkerRequest);
  }

  #spawn(): Worker {
    const name = uniqueWorkerName();
    const worker = spawnWorker(name);
    const failAll = (error: Error): void => {
      if (worker !== this.#worker) return;
      this.#end();
      this.#fail(error);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer | AliveMessage>) => {
      if (data.type === "alive") return onWorkerEnd(name, () => failAll(new StudioError(ENDED)));
      const { id, ...answer } = data;
      const pendingJob = this.#pendingJobs.get(id);
      if (isFinal(answer)) this.#pendingJobs.delete(id);
      if (pendingJob && !pendingJob.cancelled) pendingJob.onAnswer(answer);
    });
    worker.addEventListener("error", ({ message }) =>
      failAll(message ? new Error(message) : new StudioError("the worker could not be started")),
    );
    worker.addEventListener("messageerror", () => failAll(new StudioError(UNREADABLE)));
    return worker;
  }

  /** Fails all pending jobs. */
  #fail(error: Error): void {
    const failedJobs = [...this.#pendingJobs.values()];
    this.#pendingJobs.clear();
    const answer = { type: "failed", failure: toWorkerFailure(error) } as const;
    // Not now: the caller of `start` does not expect an answer before `start` returns.
    for (const { onAnswer, cancelled } of failedJobs) if (!cancelled) queueMicrotask(() => onAnswer(answer));
  }

  #cancel(id: number): void {
    const pendingJob = this.#pendingJobs.get(id);
    if (pendingJob === undefined || pendingJob.cancelled) return;
    pendingJob.cancelled = true;
    this.#worker?.postMessage({ type: "cancel", id } satisfies WorkerRequest);
    setTimeout(() => {
      if (this.#pendingJobs.has(id)) this.#replace();
    }, CANCEL_TIMEOUT);
  }

  /** Replaces the worker and restarts all jobs that were not cancelled. */
  #replace(): void {
    this.#end();
    for (const [id, { cancelled }] of this.#pendingJobs) if (cancelled) this.#pendingJobs.delete(id);
    for (const pendingJob of this.#pendingJobs.values()) this.#send(pendingJob);
    this.startWorker();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#sentInputs = {};
  }
}
