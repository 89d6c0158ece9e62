/** Records the samples of a run: at multiples of the sample interval, and on both sides of jumps. Every sample is audited. */
import type { Stepper } from "../integrators/integrator.ts";
import type { Audit } from "../record/audit.ts";
import type { Recorder } from "../record/recorder.ts";
import type { Workspace } from "../system/workspace.ts";

/** Relative difference of times that count as equal: sample times and step times differ by rounding. */
const SAME_TIME = 1e-12;

/** Tolerance for equal times near t, s. */
export const timeTolerance = (t: number): number => SAME_TIME * Math.max(1, t);

export class SampleRecorder {
  readonly #workspace: Workspace;
  readonly #recorder: Recorder;
  readonly #audit: Audit;
  readonly #interval: number;
  readonly #state: Float64Array;
  /** Number of regular samples so far. */
  #count = 0;
  #lastTime = -1;

  constructor(workspace: Workspace, recorder: Recorder, audit: Audit, interval: number) {
    this.#workspace = workspace;
    this.#recorder = recorder;
    this.#audit = audit;
    this.#interval = interval;
    this.#state = new Float64Array(workspace.layout.ny);
  }

  /** Time of the next regular sample. */
  get nextTime(): number {
    return this.#count * this.#interval;
  }

  record(t: number, y: Float64Array): void {
    const observation = this.#workspace.observe(t, y);
    this.#audit.check(t, y, observation);
    this.#lastTime = t;
    this.#recorder.record(t, y, observation, this.#audit.balance(y, observation));
  }

  /** Records a sample if the last one was at an earlier time. */
  recordOnce(t: number, y: Float64Array): void {
    if (t - this.#lastTime > timeTolerance(t)) this.record(t, y);
  }

  /** Records every regular sample up to `end`, a time within the last step. */
  recordUpTo(end: number, stepper: Stepper): void {
    const limit = end + timeTolerance(end);
    for (let t = this.nextTime; t <= limit; this.#count++, t = this.nextTime) {
      if (t >= stepper.t - timeTolerance(t)) this.#state.set(stepper.y);
      else interpolateState(this.#workspace, stepper, Math.max(t, stepper.previous), this.#state);
      this.record(t, this.#state);
    }
  }
}

/** The state at a time within the last step, on the manifold. */
export function interpolateState(workspace: Workspace, stepper: Stepper, t: number, out: Float64Array): void {
  stepper.interpolate(t, out);
  if (!stepper.onManifold) workspace.problem.project?.(out, t);
}
