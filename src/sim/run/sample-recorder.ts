/** Records the samples of a run: at regular or given times, and on both sides of jumps. Every sample is audited. */
import { checkSavedInteger, refuseSaved, takeSaved } from "../../saved-data.ts";
import type { Stepper } from "../integrators/integrator.ts";
import type { Audit } from "../record/audit.ts";
import { interpolateState } from "../record/interpolate-state.ts";
import type { Recorder } from "../record/recorder.ts";
import type { Workspace } from "../system/workspace.ts";
import type { SampleRows } from "./fixed-steps/fixed-steps.ts";

/** Relative difference of times that count as equal: sample times and step times differ by a few roundings. */
const SAME_TIME = 16 * Number.EPSILON;

/** Tolerance for equal times near t, s. It is relative, because a run may last 1e-12 s or 1e9 s. */
export const timeTolerance = (t: number): number => SAME_TIME * Math.abs(t);

/** When samples are recorded: the time between them, or a list of times; undefined: only where the caller asks for them. */
export type SampleTimes = number | readonly number[] | undefined;

export class SampleRecorder {
  readonly #workspace: Workspace;
  readonly #recorder: Recorder;
  readonly #audit: Audit;
  readonly #times: SampleTimes;
  readonly #state: Float64Array;
  #recordRow: ((t: number, first: number) => void) | undefined;
  /** Number of planned samples so far, and time of the last sample. */
  readonly #memory = { count: 0, lastTime: Number.NEGATIVE_INFINITY };

  constructor(workspace: Workspace, recorder: Recorder, audit: Audit, times: SampleTimes, t0: number) {
    this.#workspace = workspace;
    this.#recorder = recorder;
    this.#audit = audit;
    this.#times = times;
    this.#state = new Float64Array(workspace.layout.ny);
    this.#memory.count = firstSample(times, t0);
  }

  /** Time of the next planned sample. */
  get nextTime(): number {
    return this.timeOf(this.#memory.count);
  }

  /** Time of a planned sample. */
  timeOf(sample: number): number {
    if (typeof this.#times === "number") return sample * this.#times;
    return this.#times?.[sample] ?? Number.POSITIVE_INFINITY;
  }

  /** Checks a state without recording it. */
  check(t: number, y: Float64Array): void {
    this.#audit.check(t, y, this.#workspace.observe(t, y));
  }

  record(t: number, y: Float64Array): void {
    const observation = this.#workspace.observe(t, y);
    this.#audit.check(t, y, observation);
    this.#memory.lastTime = t;
    this.#recorder.record(t, y, observation, this.#audit.balance(y, observation));
  }

  /** Prepares the recording of samples from rows. Returns false if a channel needs more than they contain. */
  setRows(block: SampleRows): boolean {
    this.#recordRow = this.#recorder.rowRecorder(block.columns, block.rows);
    return this.#recordRow !== undefined;
  }

  /** Number of regular samples before a time, at most `most`. */
  countBefore(end: number, most: number): number {
    if (typeof this.#times !== "number") return 0;
    const { count } = this.#memory;
    const limit = end - timeTolerance(end);
    let n = 0;
    while (n < most && (count + n) * this.#times < limit) n++;
    return n;
  }

  /** Number of the next planned sample. */
  get next(): number {
    return this.#memory.count;
  }

  /** Audits and records a row of the block: the next planned sample. */
  recordRow(block: SampleRows, row: number): void {
    const { rows, width, columns } = block;
    const first = row * width;
    const t = rows[first + columns.single.t]!;
    const y = block.stateOf(row);
    const observation = block.observationOf(row);
    this.#audit.checkFinite(t, y, observation);
    this.#memory.lastTime = t;
    rows[first + columns.single.balance] = this.#audit.balance(y, observation);
    this.#recordRow!(t, first);
    this.#memory.count++;
  }

  /** Records a sample if the last one was at an earlier time. */
  recordOnce(t: number, y: Float64Array): void {
    if (t - this.#memory.lastTime > timeTolerance(t)) this.record(t, y);
  }

  /** Records the final state if no sample was there. With a list of times, only these are recorded, and the final state is checked. */
  recordEnd(t: number, y: Float64Array): void {
    if (typeof this.#times === "number") this.recordOnce(t, y);
    else this.check(t, y);
  }

  /** Records every planned sample up to `end`, a time within the last step. */
  recordUpTo(end: number, stepper: Stepper): void {
    const limit = end + timeTolerance(end);
    for (let t = this.nextTime; t <= limit; this.#memory.count++, t = this.nextTime) {
      if (t >= stepper.t - timeTolerance(t)) this.#state.set(stepper.y);
      else interpolateState(this.#workspace, stepper, Math.max(t, stepper.previous), this.#state);
      this.record(t, this.#state);
    }
  }

  /** Position in the planned samples, as plain data: a copy. */
  save(): unknown {
    return { ...this.#memory };
  }

  /** Continues at t. @throws FormatError if the position is not that of a run at t */
  restore(saved: unknown, t: number): void {
    takeSaved(this.#memory, saved, "samples");
    checkSavedInteger(this.#memory.count, 0, Number.MAX_SAFE_INTEGER, "samples.count");
    if (!(this.nextTime > t))
      refuseSaved("samples.count", `must be beyond the planned samples up to t = ${t} s`, this.#memory.count);
  }
}

/** Number of planned samples before t. */
function firstSample(times: SampleTimes, t: number): number {
  const earliest = t - timeTolerance(t);
  if (typeof times === "number") return Math.max(0, Math.ceil(earliest / times));
  const first = times?.findIndex((time) => time >= earliest) ?? 0;
  return first < 0 ? times!.length : first;
}
