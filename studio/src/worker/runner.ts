/** The page's side of a worker: starts jobs, passes on what comes, and ends a job at once, the worker with it if it must be. */
import type { Override } from "castor";
import type { BuiltIn, Source } from "../library.ts";
import { failureOf } from "./failure.ts";
import type { Answer, ModesWanted, ReplayWanted, Request } from "./protocol.ts";
import { spawnWorker } from "./spawn.ts";

type OfJob<A> = A extends { readonly id: number } ? Omit<A, "id"> : never;
/** What a job says, without its number. */
export type JobAnswer = OfJob<Answer>;

export interface JobOptions {
  readonly source: Source;
  readonly overrides: readonly Override[];
  readonly library: readonly BuiltIn[];
}

/** Kinds of jobs, and what each is told besides. */
interface JobKinds {
  readonly run: { readonly wanted: readonly string[] };
  readonly replay: ReplayWanted;
  readonly verify: unknown;
  readonly assemble: unknown;
  readonly modes: { readonly modes: ModesWanted };
}

interface Waiting {
  readonly request: Request;
  tell(answer: JobAnswer): void;
  cancelled: boolean;
}

/** A worker that has not ended a job by then is ended itself, ms: it compiles, or takes one long step. */
const PATIENCE = 120;

const isLast = ({ type }: JobAnswer): boolean =>
  type === "done" || type === "replayed" || type === "verified" || type === "assembled" || type === "modes" || type === "failed";

/** One worker, which does one job after the other, and replays in between. What shall run beside it takes a runner of its own. */
export class Runner {
  #worker: Worker | undefined;
  #last = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** Starts the worker, so that the first job does not wait for it. */
  warm(): void {
    try {
      this.#worker ??= this.#spawn();
    } catch (error) {
      // Where there are no workers the page is there all the same, and what is asked of one fails.
      this.#fail(new Error(`nothing can be simulated here, because workers are blocked: ${(error as Error).message}`));
    }
  }

  /** Starts a job; the returned function cancels it, after which nothing more is heard of it. */
  start<K extends keyof JobKinds>(type: K, job: JobOptions & JobKinds[K], tell: (answer: JobAnswer) => void): () => void {
    const id = ++this.#last;
    const { assets: _, ...source } = job.source;
    const request = { type, id, ...job, source } as unknown as Request;
    this.#waiting.set(id, { request, tell, cancelled: false });
    this.#send(request);
    return () => this.#cancel(id);
  }

  #send(request: Request): void {
    this.warm();
    this.#worker?.postMessage(request);
  }

  #spawn(): Worker {
    const worker = spawnWorker();
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      const { id, ...answer } = data;
      const waiting = this.#waiting.get(id);
      if (isLast(answer)) this.#waiting.delete(id);
      if (waiting && !waiting.cancelled) waiting.tell(answer);
    });
    worker.addEventListener("error", (event) => {
      if (worker !== this.#worker) return;
      this.#end();
      this.#fail(new Error(event.message || "the worker could not be started"));
    });
    return worker;
  }

  /** Tells all that wait. */
  #fail(error: Error): void {
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { tell, cancelled } of left) if (!cancelled) tell({ type: "failed", failure: failureOf(error) });
  }

  #cancel(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || waiting.cancelled) return;
    waiting.cancelled = true;
    this.#send({ type: "cancel", id });
    setTimeout(() => {
      if (this.#waiting.has(id)) this.#replace();
    }, PATIENCE);
  }

  /** Another worker, with the jobs that nobody has cancelled from their start. */
  #replace(): void {
    this.#end();
    for (const [id, { cancelled }] of this.#waiting) if (cancelled) this.#waiting.delete(id);
    for (const { request } of this.#waiting.values()) this.#send(request);
    this.warm();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
