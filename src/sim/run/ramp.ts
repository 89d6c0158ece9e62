/** Commands of a sampled controller that go linearly to their new values during the period after an update. */
import { takeSaved } from "../../saved-data.ts";

export class Ramp {
  readonly #period: number;
  readonly #memory: { readonly from: Float64Array; readonly to: Float64Array; since: number; isOver: boolean };

  constructor(count: number, period: number) {
    this.#period = period;
    this.#memory = { from: new Float64Array(count), to: new Float64Array(count), since: 0, isOver: true };
  }

  /** True if no ramp has started yet, or it was ended. */
  get isOver(): boolean {
    return this.#memory.isOver;
  }

  end(): void {
    this.#memory.isOver = true;
  }

  /** Sets the start of the first ramp. */
  setStart(k: number, value: number): void {
    this.#memory.from[k] = this.#memory.to[k] = value;
  }

  /** Starts a ramp from the present commands at t to new ones. */
  retarget(t: number, command: Float64Array): void {
    const { from, to } = this.#memory;
    for (let k = 0; k < command.length; k++) from[k] = this.at(k, t);
    to.set(command);
    this.#memory.since = t;
    this.#memory.isOver = false;
  }

  /** Command k at a time since the last `retarget`. */
  at(k: number, t: number): number {
    const { from, to, since } = this.#memory;
    const end = to[k]!;
    const fraction = (t - since) / this.#period;
    return fraction < 1 ? from[k]! + fraction * (end - from[k]!) : end;
  }

  save(): unknown {
    return structuredClone(this.#memory);
  }

  restore(saved: unknown, where: string): void {
    takeSaved(this.#memory, saved, where);
  }
}
