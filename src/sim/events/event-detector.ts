/** Locates events: times within a step at which a function of the state changes sign. Uses the dense output; returns the earliest. */
import type { Stepper } from "../integrators/integrator.ts";

export interface EventFunction {
  readonly name: string;
  /** Changes sign at the event; may evaluate the motion at (t, y). */
  value(t: number, y: Float64Array): number;
  /** "falling": from positive to negative only. "both": any change of sign. "change": any change of the value, which is never zero. */
  readonly direction: "falling" | "both" | "change";
  /**
   * A motion that starts with the value at zero must make it positive. If the value is negative at the end of a step and was never positive
   * since, the end of the step is an event.
   */
  readonly staysPositive?: true;
  /** Also an event if the value is negative after a jump of held inputs or of the state. */
  readonly atJumps?: true;
  /** Whether the event is active in a step that ends at t. Its value counts as positive in steps where it is not. Default: active. */
  isActive?(t: number): boolean;
  /** Evaluated in the middle and at the end of a step only. Two changes of sign within half a step may be missed. */
  readonly coarse?: boolean;
  /** Handles the event; may change y. "go on": the integration continues. "restart": y or the forces have jumped. "stop": the run ends. */
  handle(t: number, y: Float64Array): "go on" | "restart" | "stop";
}

export interface LocatedEvent {
  readonly event: EventFunction;
  readonly index: number;
  readonly t: number;
}

/** Points per step at which signs are checked, so that a double crossing within a step is seen. */
const POINTS_PER_STEP = 4;

export class EventDetector {
  readonly #events: readonly EventFunction[];
  /**
   * Sign of each event function at the end of the last step (its value, if any change counts). 0: not known yet, because the function was
   * zero. A function that starts at zero is not an event.
   */
  readonly #sign: Float64Array;
  readonly #y: Float64Array;
  /** State at the point that is being checked. */
  readonly #look: Float64Array;
  /** Sign of each function at the last checked point of this step, and of coarse functions at the end of the step. */
  readonly #told: Float64Array;
  readonly #end: Float64Array;
  /** Number and indices of the events active in this step. */
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

  /** Sets the signs from the state after a restart. */
  resetSigns(t: number, y: Float64Array): void {
    for (const [i, e] of this.#events.entries()) this.#sign[i] = signOrValue(e, e.value(t, y));
  }

  /** Earliest event in the last step of the stepper, located to rounding in time; undefined if there is none. */
  findFirst(stepper: Stepper): LocatedEvent | undefined {
    const { previous, t } = stepper;
    const told = this.#told;
    told.set(this.#sign);
    const often = this.#begin(t, stepper.y);
    if (this.#counting === 0) return undefined;
    let left = previous;
    let coarseLeft = previous;
    // All events at one point, then the next point: they share what is computed at a state.
    for (let look = 1; look <= POINTS_PER_STEP; look++) {
      if (look % 2 === 1 && !often) continue;
      const right = look === POINTS_PER_STEP ? t : previous + ((t - previous) * look) / POINTS_PER_STEP;
      const y = look === POINTS_PER_STEP ? stepper.y : this.#look;
      if (look < POINTS_PER_STEP) stepper.interpolate(right, y);
      let earliest: LocatedEvent | undefined;
      for (let k = 0; k < this.#counting; k++) {
        const index = this.#which[k]!;
        const event = this.#events[index]!;
        if (event.coarse && look % 2 === 1) continue;
        const sign = told[index]!;
        const here = event.coarse && look === POINTS_PER_STEP ? this.#end[index]! : signOrValue(event, event.value(right, y));
        if (here === 0 || here === sign) continue;
        if (sign !== 0 && (event.direction !== "falling" || here < 0)) {
          const root = this.#locate(event, stepper, event.coarse ? coarseLeft : left, right, sign);
          if (!earliest || root < earliest.t) earliest = { event, index, t: root };
        } else told[index] = here;
      }
      if (earliest) return earliest;
      left = right;
      if (look % 2 === 0) coarseLeft = right;
    }
    return undefined;
  }

  /**
   * Collects the active events, and evaluates coarse events at the end of the step. The state at the end was evaluated last, so evaluating
   * there first costs almost nothing. Returns true if there are events that are not coarse.
   */
  #begin(t: number, y: Float64Array): boolean {
    this.#counting = 0;
    let often = false;
    for (let index = 0; index < this.#events.length; index++) {
      const event = this.#events[index]!;
      if (event.isActive && !event.isActive(t)) {
        this.#told[index] = 1;
        continue;
      }
      this.#which[this.#counting++] = index;
      if (event.coarse) this.#end[index] = signOrValue(event, event.value(t, y));
      else often = true;
    }
    return often;
  }

  /** Call after a step without events. Keeps the signs at its end. */
  acceptStep(): void {
    this.#sign.set(this.#told);
  }

  #at(event: EventFunction, stepper: Stepper, t: number): number {
    if (t === stepper.t) return event.value(t, stepper.y);
    stepper.interpolate(t, this.#y);
    return event.value(t, this.#y);
  }

  /** First time, to rounding, at which the function does not have `sign` any more. Bisection, because functions may jump. */
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

/** The part of a value whose change is an event: its sign, or the value itself. */
const signOrValue = ({ direction }: EventFunction, value: number): number => (direction === "change" ? value : Math.sign(value));
