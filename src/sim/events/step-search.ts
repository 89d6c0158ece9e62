/** Searches the last step of a stepper for the first event of a function with comparisons. */
import type { Stepper } from "../integrators/integrator.ts";
import { type Comparisons, ConditionSearch } from "./condition-search.ts";

/** Comparisons of a condition as functions of the state. It holds while all of them are negative. */
export interface StateComparisons {
  readonly count: number;
  write(t: number, y: Float64Array, out: Float64Array): void;
}

/** The part of an event that is searched. */
export interface SearchedEvent {
  readonly comparisons?: StateComparisons;
  readonly direction: "falling" | "both" | "change";
  readonly resolution?: number;
}

/** Largest number of changes of sign within a step that are followed. */
const MAX_CHANGES = 100;

export class StepSearch {
  readonly #event: SearchedEvent;
  readonly #search: ConditionSearch;
  readonly #comparisons: Comparisons;
  readonly #y: Float64Array;
  #stepper: Stepper | undefined;
  /** Sign of the value at the end of the last search that found no event; 0 if it was zero at all points. */
  sign = 0;

  constructor(event: SearchedEvent, size: number) {
    const { count } = event.comparisons!;
    this.#event = event;
    this.#search = new ConditionSearch(count);
    this.#y = new Float64Array(size);
    this.#comparisons = { count, write: (t, out) => this.#write(t, out) };
  }

  /** Time of the first event after the start of the step and until `end`; NaN if there is none. @param sign that of the value at the start */
  firstIn(stepper: Stepper, sign: number, end: number): number {
    const { direction, resolution } = this.#event;
    const search = this.#search;
    this.#stepper = stepper;
    this.sign = sign;
    for (let left = stepper.previous, changes = 0; left < end && changes < MAX_CHANGES; changes++) {
      if (this.sign === 0) this.sign = search.signAfter(this.#comparisons, left, end);
      if (this.sign === 0) break;
      const root = search.first(this.#comparisons, this.sign > 0 ? -1 : 1, left, end, resolution);
      if (Number.isNaN(root)) break;
      if (direction === "both" || this.sign > 0) return root;
      this.sign = 1;
      left = root;
    }
    return Number.NaN;
  }

  #write(t: number, out: Float64Array): void {
    const stepper = this.#stepper!;
    if (t !== stepper.t) stepper.interpolate(t, this.#y);
    this.#event.comparisons!.write(t, t === stepper.t ? stepper.y : this.#y, out);
  }
}
