/** Channels that a run has not recorded. The worker computes them on first use, from the recorded states. */

import { StudioError } from "../state/studio-error.ts";
import { toError } from "../worker/failure.ts";
import type { JobOptions, JobRunner } from "../worker/job-runner.ts";
import type { WorkerFailure } from "../worker/protocol.ts";
import type { RunLog } from "./run-log.ts";

/** Samples per job. Short jobs deliver the first samples soon. */
const SAMPLES_PER_JOB = 4096;

interface LogRequests {
  readonly job: JobOptions;
  readonly run: number;
  isBusy: boolean;
  failure: WorkerFailure | undefined;
}

export class OnDemandChannels {
  readonly #runner: JobRunner;
  readonly #changed: (run: number) => void;
  readonly #requests = new WeakMap<RunLog, LogRequests>();

  /** @param changed called with the run's id when its log has more samples of a channel */
  constructor(runner: JobRunner, changed: (run: number) => void) {
    this.#runner = runner;
    this.#changed = changed;
  }

  /** Enables on-demand channels for a log. */
  register(run: number, log: RunLog, job: JobOptions): void {
    this.#requests.set(log, { job, run, isBusy: false, failure: undefined });
    log.onRequest = () => queueMicrotask(() => this.computeMissing(log)); // collects several requests
  }

  /** Starts a job for the next missing samples, if there are any and no job runs. */
  computeMissing(log: RunLog): void {
    const request = this.#requests.get(log);
    if (request === undefined || request.isBusy || request.failure !== undefined) return;
    const missingRange = log.nextMissing(SAMPLES_PER_JOB);
    if (missingRange === undefined) return;
    const { names, first, end } = missingRange;
    request.isBusy = true;
    const recorded = { channels: log.recorded, ...log.recordedBlock(first, end) };
    this.#runner.start("replay", { ...request.job, run: request.run, names, first, recorded, phases: log.phases }, (answer) => {
      request.isBusy = false;
      if (answer.type === "replayed") log.appendComputed(names, { count: end - first, values: answer.values });
      else if (answer.type === "failed") request.failure = answer.failure;
      this.#changed(request.run);
      this.computeMissing(log);
    });
  }

  /** Waits until all samples of the channels are there. @throws if they cannot be computed */
  async complete(log: RunLog, names: readonly string[]): Promise<void> {
    const knownNames = names.filter((name) => log.has(name));
    const isMissing = (): boolean => knownNames.map((name) => log.column(name)).some((column) => column.length < log.length); // reading a column requests it
    while (isMissing()) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const request = this.#requests.get(log);
      if (request?.failure !== undefined) throw toError(request.failure);
      if (!request?.isBusy && log.nextMissing(SAMPLES_PER_JOB) === undefined && isMissing())
        throw new StudioError(
          `${knownNames.length} channels of ${log.length} samples do not fit into memory: choose fewer channels or a longer sample period`,
        );
    }
  }
}
