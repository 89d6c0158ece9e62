/** Reads channels at times within the last step of a stepper. Values at a time are computed once, for all that look at them. */
import { savedArray, savedEntries } from "../../saved-data.ts";
import type { Stepper } from "../integrators/integrator.ts";
import type { Workspace } from "../system/workspace.ts";
import type { ChannelReader } from "./channel-reader.ts";
import { interpolateState } from "./interpolate-state.ts";

/** Number of times whose values are kept. */
const KEPT = 40;

/** States at times within the last step of a stepper, computed once for all readers. */
export class StepStates {
  readonly #workspace: Workspace;
  readonly #times = new Float64Array(KEPT).fill(Number.NaN);
  readonly #states: readonly Float64Array[];
  #next = 0;
  #stepper: Stepper | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#states = Array.from({ length: KEPT }, () => new Float64Array(workspace.layout.ny));
  }

  begin(stepper: Stepper): void {
    this.#stepper = stepper;
    this.#times.fill(Number.NaN);
    this.#next = 0;
  }

  /** The state at a time within the step. It stays the same until many other times were read. */
  at(t: number): Float64Array {
    const stepper = this.#stepper!;
    if (t === stepper.t) return stepper.y;
    const known = this.#times.indexOf(t);
    if (known >= 0) return this.#states[known]!;
    const y = this.#states[this.#next]!;
    this.#times[this.#next] = t;
    this.#next = (this.#next + 1) % KEPT;
    interpolateState(this.#workspace, stepper, t, y);
    return y;
  }
}

export class StepReader {
  readonly #workspace: Workspace;
  readonly #reader: ChannelReader;
  readonly #states: StepStates;
  /** Kept times and values; the oldest are replaced. */
  readonly #times = new Float64Array(KEPT).fill(Number.NaN);
  readonly #values: readonly Float64Array[];
  #next = 0;

  constructor(workspace: Workspace, reader: ChannelReader, states: StepStates) {
    this.#workspace = workspace;
    this.#reader = reader;
    this.#states = states;
    this.#values = Array.from({ length: KEPT }, () => new Float64Array(reader.size));
  }

  /** Begins to read in the last step of a stepper, as the states do. Values at its start stay known, unless `forget` was called. */
  begin(stepper: Stepper): void {
    const start = this.#times.indexOf(stepper.previous);
    if (start > 0) this.#values[0]!.set(this.#values[start]!);
    this.#times.fill(Number.NaN);
    if (start >= 0) this.#times[0] = stepper.previous;
    this.#next = start >= 0 ? 1 : 0;
  }

  /** Call where values may have jumped. */
  forget(): void {
    this.#times.fill(Number.NaN);
  }

  /** The values at a time within the step. They stay the same until many other times were read. */
  read(t: number): Float64Array {
    const known = this.#times.indexOf(t);
    if (known >= 0) return this.#values[known]!;
    const values = this.#values[this.#next]!;
    this.#reader.read(t, this.#states.at(t), values);
    this.#times[this.#next] = t;
    this.#next = (this.#next + 1) % KEPT;
    return values;
  }

  /** Lets the input law write the commands at a time, as if only this time had been observed. */
  settleInputs(t: number): void {
    const { inputLaw } = this.#workspace;
    if (!inputLaw) return;
    inputLaw(t, this.#states.at(t));
  }

  /** The values at the end of a step, if they are known there: a copy. */
  save(t: number): unknown {
    const known = this.#times.indexOf(t);
    return { names: this.#names(), values: known < 0 ? new Float64Array(0) : this.#values[known]!.slice() };
  }

  /** Values at t, if they were saved for the same channels. @throws FormatError */
  restore(saved: unknown, t: number, where: string): void {
    const { names, values } = savedEntries(saved, ["names", "values"], where);
    const numbers = savedArray(values, Float64Array, `${where}.values`);
    if (names !== this.#names()) return;
    this.forget();
    if (numbers.length !== this.#reader.size) return;
    this.#values[0]!.set(numbers);
    this.#times[0] = t;
    this.#next = 1;
  }

  #names(): string {
    return this.#reader.channels.map(({ name }) => name).join(" ");
  }
}
