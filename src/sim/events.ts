/** Events: points in time where a function of the state changes sign, found on the dense output of a step, earliest first. */
import type { Stepper } from "./integrator.ts";

export interface EventFunction {
  readonly name: string;
  /** Changes sign at the event; may evaluate the motion at (t, y). */
  value(t: number, y: Float64Array): number;
  /** "falling": only from positive to negative. "both": any change of sign. "change": any change of the value, which is never zero. */
  readonly direction: "falling" | "both" | "change";
  /**
   * A motion that begins with the value at zero must make it positive: where it is negative at the end of a step and has been positive
   * nowhere since, that end is an event.
   */
  readonly staysPositive?: true;
  /** Also an event if the value is negative after a jump of held inputs or of the state. */
  readonly atJumps?: true;
  /** What to do there: may change y. "go on" keeps integrating as if nothing had been; "restart" after a jump; "stop" ends the run. */
  handle(t: number, y: Float64Array): "go on" | "restart" | "stop";
}

export interface Found {
  readonly event: EventFunction;
  readonly index: number;
  readonly t: number;
}

/** Looks for sign changes within each accepted step, at points in between too, so that a double crossing is seen. */
const LOOKS = 4;

export class EventWatch {
  readonly #events: readonly EventFunction[];
  /**
   * Sign of each function (value, where any change counts) where it was last clearly not zero; 0: not known yet. A function that starts
   * at zero is not an event.
   */
  readonly #sign: Float64Array;
  readonly #y: Float64Array;
  /** States at the looks of the last step, and which of them are known: all events share them. */
  readonly #looks: readonly Float64Array[];
  #known = 0;
  /** What each function told at the end of the last step. */
  readonly #end: Float64Array;

  constructor(events: readonly EventFunction[], size: number) {
    this.#events = events;
    this.#sign = new Float64Array(events.length);
    this.#end = new Float64Array(events.length);
    this.#y = new Float64Array(size);
    this.#looks = Array.from({ length: LOOKS - 1 }, () => new Float64Array(size));
  }

  get events(): readonly EventFunction[] {
    return this.#events;
  }

  /** Forgets the signs: after a restart every function is judged anew from there. */
  rearm(t: number, y: Float64Array): void {
    for (const [i, e] of this.#events.entries()) this.#sign[i] = told(e, e.value(t, y));
  }

  /** The earliest event in the last step of the stepper, located to rounding in time; undefined if there is none. */
  find(stepper: Stepper): Found | undefined {
    let earliest: Found | undefined;
    const { previous, t } = stepper;
    this.#known = 0;
    for (let index = 0; index < this.#events.length; index++) {
      const event = this.#events[index]!;
      let left = previous;
      let sign = this.#sign[index]!;
      for (let look = 1; look <= LOOKS; look++) {
        const right = look === LOOKS ? t : previous + ((t - previous) * look) / LOOKS;
        if (earliest && left >= earliest.t) break;
        const here = told(event, event.value(right, this.#look(stepper, look, right)));
        if (look === LOOKS) this.#end[index] = here;
        if (here === 0 || here === sign) {
          left = right;
          continue;
        }
        if (sign !== 0 && (event.direction !== "falling" || here < 0)) {
          const root = this.#locate(event, stepper, left, right, sign);
          if (!earliest || root < earliest.t) earliest = { event, index, t: root };
          break;
        }
        sign = here;
        left = right;
      }
      if (event.staysPositive && !earliest && this.#sign[index] === 0 && this.#end[index]! < 0) earliest = { event, index, t };
    }
    return earliest;
  }

  /** After a step in which none was found: the signs at its end. */
  accept(): void {
    for (let i = 0; i < this.#events.length; i++) if (this.#end[i] !== 0) this.#sign[i] = this.#end[i]!;
  }

  /** The state at a look, found in order. */
  #look(stepper: Stepper, look: number, t: number): Float64Array {
    if (look === LOOKS) return stepper.y;
    const y = this.#looks[look - 1]!;
    if (look > this.#known) {
      stepper.interpolate(t, y);
      this.#known = look;
    }
    return y;
  }

  #at(event: EventFunction, stepper: Stepper, t: number): number {
    if (t === stepper.t) return event.value(t, stepper.y);
    stepper.interpolate(t, this.#y);
    return event.value(t, this.#y);
  }

  /** First time, to rounding, at which the function no longer has `sign`: bisection, because functions may jump. */
  #locate(event: EventFunction, stepper: Stepper, left: number, right: number, sign: number): number {
    let [a, b] = [left, right];
    for (;;) {
      const middle = 0.5 * (a + b);
      if (!(middle > a && middle < b)) return b;
      if (told(event, this.#at(event, stepper, middle)) === sign) a = middle;
      else b = middle;
    }
  }
}

/** What of a value counts: its sign, or all of it. */
const told = ({ direction }: EventFunction, value: number): number => (direction === "change" ? value : Math.sign(value));
