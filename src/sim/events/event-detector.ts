/** Locates events: times within a step at which a function of the state changes sign. Uses the dense output; returns the earliest. */
import { checkVector } from "../../arguments.ts";
import type { Stepper } from "../integrators/integrator.ts";
import { type StateComparisons, StepSearch } from "./step-search.ts";

/** An event that the user gives to a run. */
export interface RunEvent {
  readonly name: string;
  /** Channels whose values `value` gets. */
  readonly channels?: readonly string[];
  /** Changes sign at the event. */
  value(t: number, y: Float64Array, channels: Float64Array): number;
  /** "falling" (default): from positive to negative only. "both": any change of sign. */
  readonly direction?: "falling" | "both";
  /** Also an event if the value is negative after a jump of held inputs or of the state. */
  readonly atJumps?: true;
  /**
   * The value is looked at at least five times in this time, s. Default: five times in every step, and more often where the value may reach
   * zero. To be given if the value jumps, or changes faster than the motion.
   */
  readonly resolution?: number;
  /** May change y. "stop" ends the run. Default: the event is recorded, and the run goes on. */
  handle?(t: number, y: Float64Array): "go on" | "stop";
}

export interface EventFunction {
  readonly name: string;
  /** Changes sign at the event; may evaluate the motion at (t, y). */
  value(t: number, y: Float64Array): number;
  /** "falling": from positive to negative only. "both": any change of sign. "change": any change of the value, which is never zero. */
  readonly direction: "falling" | "both" | "change";
  /** Also an event if the value is negative after a jump of held inputs or of the state. */
  readonly atJumps?: true;
  /** True if the event is active in a step that ends at t. Its value counts as positive in steps where it is not. Default: active. */
  isActive?(t: number): boolean;
  /** Evaluated in the middle and at the end of a step only. Two changes of sign within half a step may be missed. */
  readonly coarse?: boolean;
  /**
   * Time of the first event in the last step of the stepper, found with bounds of its motion: no event is missed. Infinite if there is none;
   * NaN if there are no bounds in this step, so that values at points of the step decide. `start` is y at the start of the step.
   */
  firstIn?(stepper: Stepper, start: Float64Array): number;
  /**
   * Comparisons whose largest value is `value`. If given, the whole step is searched with bounds (see condition-search.ts), and a value of
   * zero at the start of the run counts as positive.
   */
  readonly comparisons?: StateComparisons;
  /** Where the largest comparison was smallest so far: its value, its time and its index. Only with `comparisons`. */
  readonly closest?: Float64Array | undefined;
  /** See RunEvent. Only with `comparisons`. */
  readonly resolution?: number;
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
   * Sign of each event function at the end of the last step (its value, if any change counts). NaN: before the start. 0: not known yet,
   * because the function was zero. A function that starts at zero is not an event.
   */
  readonly #sign: Float64Array;
  readonly #y: Float64Array;
  /** State at the point that is being checked. */
  readonly #pointState: Float64Array;
  /** Sign of each function at the last checked point of this step, and of coarse functions at the end of the step. */
  readonly #lastSign: Float64Array;
  readonly #endSign: Float64Array;
  /** Number and indices of the events active in this step. */
  #activeCount = 0;
  readonly #activeIndices: Int32Array;
  /** Earliest event of this step that was found with bounds, and its time. */
  #boundedIndex = -1;
  #boundedTime = Number.POSITIVE_INFINITY;
  /** One for each event with comparisons. */
  readonly #searches: readonly (StepSearch | undefined)[];

  constructor(events: readonly EventFunction[], size: number) {
    this.#events = events;
    this.#searches = events.map((event) => event.comparisons && new StepSearch(event, size));
    this.#sign = new Float64Array(events.length).fill(Number.NaN);
    this.#lastSign = new Float64Array(events.length);
    this.#endSign = new Float64Array(events.length);
    this.#activeIndices = new Int32Array(events.length);
    this.#y = new Float64Array(size);
    this.#pointState = new Float64Array(size);
  }

  get events(): readonly EventFunction[] {
    return this.#events;
  }

  /** Signs of all functions at the end of the last step: a copy. */
  save(): Float64Array {
    return this.#sign.slice();
  }

  /** @throws ArgumentError if the signs belong to other events */
  restore(signs: Float64Array): void {
    checkVector("state.discrete.run.signs", signs, this.#sign.length, "one for each event function");
    this.#sign.set(signs);
  }

  /** Sets the signs from the state after a restart. */
  resetSigns(t: number, y: Float64Array): void {
    for (const [i, e] of this.#events.entries()) {
      const sign = signOrValue(e, e.value(t, y));
      const wasFalse = Number.isNaN(this.#sign[i]!) || this.#sign[i]! > 0;
      this.#sign[i] = sign === 0 && e.comparisons && wasFalse ? 1 : sign;
    }
  }

  /** Events with comparisons that happen at t, where the step was ended by another event. */
  alsoAt(t: number, y: Float64Array): readonly EventFunction[] {
    return this.#events.filter((event, i) => {
      const sign = this.#sign[i]!;
      if (!event.comparisons || !(sign > 0 || (sign < 0 && event.direction === "both")) || event.isActive?.(t) === false)
        return false;
      return sign * event.value(t, y) < 0;
    });
  }

  /** Earliest event in the last step of the stepper, located to rounding in time; undefined if there is none. @param start y at its start */
  findFirst(stepper: Stepper, start: Float64Array): LocatedEvent | undefined {
    this.#lastSign.set(this.#sign);
    const hasFineEvents = this.#collectActive(stepper, start);
    const index = this.#boundedIndex;
    const bounded = index < 0 ? undefined : { event: this.#events[index]!, index, t: this.#boundedTime };
    const probed = this.#activeCount === 0 ? undefined : this.#findAtPoints(stepper, hasFineEvents);
    const earliest = probed && !(bounded && bounded.t < probed.t) ? probed : bounded;
    const first = this.#findCondition(stepper, earliest) ?? earliest;
    this.#recordClosest(stepper, first?.t ?? stepper.t);
    return first;
  }

  /** Records how close events came to happening until `end`. */
  #recordClosest(stepper: Stepper, end: number): void {
    for (let index = 0; index < this.#events.length; index++) {
      const event = this.#events[index]!;
      if (event.closest && event.isActive?.(stepper.previous) !== false)
        this.#searches[index]!.recordClosest(stepper, event.closest, end);
    }
  }

  /** Earliest event with comparisons, if it is before `other`. */
  #findCondition(stepper: Stepper, other: LocatedEvent | undefined): LocatedEvent | undefined {
    let first = -1;
    let end = other?.t ?? stepper.t;
    for (let index = 0; index < this.#events.length; index++) {
      const event = this.#events[index]!;
      const search = this.#searches[index];
      if (!search) continue;
      if (event.isActive && !event.isActive(stepper.previous)) {
        this.#lastSign[index] = 1;
        continue;
      }
      const root = search.firstIn(stepper, this.#lastSign[index]!, end);
      if (Number.isNaN(root)) this.#lastSign[index] = search.sign;
      else if (root < end || (first < 0 && other === undefined)) {
        first = index;
        end = root;
      }
    }
    if (first < 0) return undefined;
    this.#sign[first] = 0; // known only after the event was handled
    return { event: this.#events[first]!, index: first, t: end };
  }

  /** Earliest event whose function changes sign between points of the step. */
  #findAtPoints(stepper: Stepper, hasFineEvents: boolean): LocatedEvent | undefined {
    const { previous, t } = stepper;
    const signs = this.#lastSign;
    let left = previous;
    let coarseLeft = previous;
    // All events at one point, then the next point: they share what is computed at a state.
    for (let point = 1; point <= POINTS_PER_STEP; point++) {
      if (point % 2 === 1 && !hasFineEvents) continue;
      const right = point === POINTS_PER_STEP ? t : previous + ((t - previous) * point) / POINTS_PER_STEP;
      const y = point === POINTS_PER_STEP ? stepper.y : this.#pointState;
      if (point < POINTS_PER_STEP) stepper.interpolate(right, y);
      let earliest: LocatedEvent | undefined;
      for (let k = 0; k < this.#activeCount; k++) {
        const index = this.#activeIndices[k]!;
        const event = this.#events[index]!;
        if (event.coarse && point % 2 === 1) continue;
        const sign = signs[index]!;
        const value =
          event.coarse && point === POINTS_PER_STEP ? this.#endSign[index]! : signOrValue(event, event.value(right, y));
        if (value === 0 || value === sign) continue;
        if (sign !== 0 && (event.direction !== "falling" || value < 0)) {
          const root = this.#locate(event, stepper, event.coarse ? coarseLeft : left, right, sign);
          if (!earliest || root < earliest.t) earliest = { event, index, t: root };
        } else signs[index] = value;
      }
      if (earliest) return earliest;
      left = right;
      if (point % 2 === 0) coarseLeft = right;
    }
    return undefined;
  }

  /**
   * Finds the first of the events with bounds, collects the other active events, and evaluates coarse events at the end of the step. The
   * state at the end was evaluated last, so evaluating there first costs almost nothing. Returns true if there are events that are not coarse.
   */
  #collectActive(stepper: Stepper, start: Float64Array): boolean {
    const { t, y } = stepper;
    this.#activeCount = 0;
    this.#boundedIndex = -1;
    this.#boundedTime = Number.POSITIVE_INFINITY;
    let hasFineEvents = false;
    for (let index = 0; index < this.#events.length; index++) {
      const event = this.#events[index]!;
      if (event.comparisons) continue;
      if (event.isActive && !event.isActive(t)) {
        this.#lastSign[index] = 1;
        continue;
      }
      const first = event.firstIn ? event.firstIn(stepper, start) : Number.NaN;
      if (first < this.#boundedTime) {
        this.#boundedTime = first;
        this.#boundedIndex = index;
      }
      if (!Number.isNaN(first)) continue;
      this.#activeIndices[this.#activeCount++] = index;
      if (event.coarse) this.#endSign[index] = signOrValue(event, event.value(t, y));
      else hasFineEvents = true;
    }
    return hasFineEvents;
  }

  /** Call after a step without events. Keeps the signs at its end. */
  acceptStep(): void {
    this.#sign.set(this.#lastSign);
  }

  #valueAt(event: EventFunction, stepper: Stepper, t: number): number {
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
      if (signOrValue(event, this.#valueAt(event, stepper, middle)) === sign) a = middle;
      else b = middle;
    }
  }
}

/** The part of a value whose change is an event: its sign, or the value itself. */
const signOrValue = ({ direction }: EventFunction, value: number): number => (direction === "change" ? value : Math.sign(value));
