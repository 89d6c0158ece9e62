/** Channels that a run has not recorded: the worker computes them when somebody looks at them, from what the run has kept. */

import type { JobOptions, JobRunner } from "../worker/job-runner.ts";
import type { RunLog } from "./run-log.ts";

/** Samples of one job: so that the first come soon. */
const SAMPLES = 4096;

interface LogRequests {
  readonly job: JobOptions;
  readonly run: number;
  isBusy: boolean;
  failure: string | undefined;
}

export class OnDemandChannels {
  readonly #runner: JobRunner;
  readonly #changed: (run: number) => void;
  readonly #followed = new WeakMap<RunLog, LogRequests>();

  /** @param changed told when a log has got more of a channel */
  constructor(runner: JobRunner, changed: (run: number) => void) {
    this.#runner = runner;
    this.#changed = changed;
  }

  /** From now on what is wanted of the log is computed. */
  register(run: number, log: RunLog, job: JobOptions): void {
    this.#followed.set(log, { job, run, isBusy: false, failure: undefined });
    log.onRequest = () => queueMicrotask(() => this.computeMissing(log)); // several at once
  }

  /** Computes what is missing: something is wanted, or there are more samples. */
  computeMissing(log: RunLog): void {
    const own = this.#followed.get(log);
    if (own === undefined || own.isBusy || own.failure !== undefined) return;
    const missing = log.nextMissing(SAMPLES);
    if (missing === undefined) return;
    const { names, first, end } = missing;
    own.isBusy = true;
    const kept = { channels: log.recorded, ...log.recordedBlock(first, end) };
    this.#runner.start("replay", { ...own.job, run: own.run, names, first, kept, phases: log.phases }, (answer) => {
      own.isBusy = false;
      if (answer.type === "replayed") log.appendComputed(names, { count: end - first, values: answer.values });
      else if (answer.type === "failed") own.failure = answer.failure.message;
      this.#changed(own.run);
      this.computeMissing(log);
    });
  }

  /** All samples of some channels. @throws if they cannot be computed */
  async complete(log: RunLog, names: readonly string[]): Promise<void> {
    const known = names.filter((name) => log.has(name));
    const isMissing = (): boolean => known.map((name) => log.column(name)).some((column) => column.length < log.length); // asks for all
    while (isMissing()) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const own = this.#followed.get(log);
      if (own?.failure !== undefined) throw new Error(own.failure);
      if (!own?.isBusy && log.nextMissing(SAMPLES) === undefined && isMissing())
        throw new Error(
          `${known.length} channels at ${log.length} samples do not fit into memory: take fewer, or a longer sample`,
        );
    }
  }
}
