/** Events: points in time where a function of the state changes sign, found on the dense output of a step, earliest first. */
import type { Stepper } from "../integrators/integrator.ts";

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
  /** Whether it counts in a step that ends at t; if not, its value is positive all the way. It does if this is not given. */
  counts?(t: number): boolean;
  /** Looked at in the middle and at the end of a step only: nothing is lost where two changes within half a step are not seen. */
  readonly seldom?: boolean;
  /** What to do there: may change y. "go on" keeps integrating as if nothing had been; "restart" after a jump; "stop" ends the run. */
  handle(t: number, y: Float64Array): "go on" | "restart" | "stop";
}

export interface LocatedEvent {
  readonly event: EventFunction;
  readonly index: number;
  readonly t: number;
}

/** Looks for sign changes within each accepted step, at points in between too, so that a double crossing is seen. */
const POINTS_PER_STEP = 4;

export class EventDetector {
  readonly #events: readonly EventFunction[];
  /**
   * Sign of each function (value, where any change counts) where it was last clearly not zero; 0: not known yet. A function that starts
   * at zero is not an event.
   */
  readonly #sign: Float64Array;
  readonly #y: Float64Array;
  /** The state at a look. */
  readonly #look: Float64Array;
  /** What each function told last within the step that is looked at, and what seldom ones tell at its end. */
  readonly #told: Float64Array;
  readonly #end: Float64Array;
  /** Those that count in that step: so many, and which. */
  #counting = 0;
  readonly #which: Int32Array;

  constructor(events: readonly EventFunction[], size: number) {
    this.#events = events;
    this.#sign = new Float64Array(events.length);
    this.#told = new Float64Array(events.length);
    this.#end = new Float64Array(events.length);
    this.#which = new Int32Array(events.length);
    this.#y = new Float64Array(size);
    this.#look = new Float64Array(size);
  }

  get events(): readonly EventFunction[] {
    return this.#events;
  }

  /** Forgets the signs: after a restart every function is judged anew from there. */
  resetSigns(t: number, y: Float64Array): void {
    for (const [i, e] of this.#events.entries()) this.#sign[i] = signOrValue(e, e.value(t, y));
  }

  /** The earliest event in the last step of the stepper, located to rounding in time; undefined if there is none. */
  findFirst(stepper: Stepper): LocatedEvent | undefined {
    const { previous, t } = stepper;
    const told = this.#told;
    told.set(this.#sign);
    const often = this.#begin(t, stepper.y);
    if (this.#counting === 0) return undefined;
    let left = previous;
    let seldomLeft = previous;
    // All events at a look, then the next: they share what is computed at a state.
    for (let look = 1; look <= POINTS_PER_STEP; look++) {
      if (look % 2 === 1 && !often) continue;
      const right = look === POINTS_PER_STEP ? t : previous + ((t - previous) * look) / POINTS_PER_STEP;
      const y = look === POINTS_PER_STEP ? stepper.y : this.#look;
      if (look < POINTS_PER_STEP) stepper.interpolate(right, y);
      let earliest: LocatedEvent | undefined;
      for (let k = 0; k < this.#counting; k++) {
        const index = this.#which[k]!;
        const event = this.#events[index]!;
        if (event.seldom && look % 2 === 1) continue;
        const sign = told[index]!;
        const here = event.seldom && look === POINTS_PER_STEP ? this.#end[index]! : signOrValue(event, event.value(right, y));
        if (here === 0 || here === sign) continue;
        if (sign !== 0 && (event.direction !== "falling" || here < 0)) {
          const root = this.#locate(event, stepper, event.seldom ? seldomLeft : left, right, sign);
          if (!earliest || root < earliest.t) earliest = { event, index, t: root };
        } else told[index] = here;
      }
      if (earliest) return earliest;
      left = right;
      if (look % 2 === 0) seldomLeft = right;
    }
    return undefined;
  }

  /**
   * Notes the events that count, and what seldom ones tell at the end: the state there is the one that was evaluated last, so that looking at it
   * first costs next to nothing. Says whether there are others.
   */
  #begin(t: number, y: Float64Array): boolean {
    this.#counting = 0;
    let often = false;
    for (let index = 0; index < this.#events.length; index++) {
      const event = this.#events[index]!;
      if (event.counts && !event.counts(t)) {
        this.#told[index] = 1;
        continue;
      }
      this.#which[this.#counting++] = index;
      if (event.seldom) this.#end[index] = signOrValue(event, event.value(t, y));
      else often = true;
    }
    return often;
  }

  /** After a step in which none was found: the signs at its end. */
  acceptStep(): void {
    this.#sign.set(this.#told);
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
      if (signOrValue(event, this.#at(event, stepper, middle)) === sign) a = middle;
      else b = middle;
    }
  }
}

/** What of a value counts: its sign, or all of it. */
const signOrValue = ({ direction }: EventFunction, value: number): number => (direction === "change" ? value : Math.sign(value));
