/** Commands of a sampled controller that go linearly to their new values during the period after an update. */
export class Ramp {
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #period: number;
  #since = 0;
  /** No ramp has started yet, or it was ended. */
  isOver = true;

  constructor(count: number, period: number) {
    this.#from = new Float64Array(count);
    this.#to = new Float64Array(count);
    this.#period = period;
  }

  /** Sets the start of the first ramp. */
  setStart(k: number, value: number): void {
    this.#from[k] = this.#to[k] = value;
  }

  /** Starts a ramp from the present commands at t to new ones. */
  retarget(t: number, command: Float64Array): void {
    for (let k = 0; k < command.length; k++) this.#from[k] = this.at(k, t);
    this.#to.set(command);
    this.#since = t;
    this.isOver = false;
  }

  /** Command k at a time since the last `retarget`. */
  at(k: number, t: number): number {
    const to = this.#to[k]!;
    const fraction = (t - this.#since) / this.#period;
    return fraction < 1 ? this.#from[k]! + fraction * (to - this.#from[k]!) : to;
  }
}
