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

/** Accuracy of a closest approach, as a share of its value; and the largest number of them in a step. */
const CLOSEST_SHARE = 1e-6;
const MAX_APPROACHES = 20;
const GOLDEN = 0.381966011250105;

export class StepSearch {
  readonly #event: SearchedEvent;
  readonly #search: ConditionSearch;
  readonly #comparisons: Comparisons;
  readonly #y: Float64Array;
  readonly #out: Float64Array;
  #stepper: Stepper | undefined;
  /** What is subtracted from all values. */
  #level = 0;
  /** Sign of the value at the end of the last search that found no event; 0 if it was zero at all points. */
  sign = 0;

  constructor(event: SearchedEvent, size: number) {
    const { count } = event.comparisons!;
    this.#event = event;
    this.#search = new ConditionSearch(count);
    this.#y = new Float64Array(size);
    this.#out = new Float64Array(count);
    this.#comparisons = { count, write: (t, out) => this.#write(t, out) };
  }

  /**
   * Records where the largest value is smallest, from the start of the step until `end`, if that is less than recorded so far: the value, its
   * time, and the index of the comparison. The value is exact to a millionth.
   */
  recordClosest(stepper: Stepper, closest: Float64Array, end: number): void {
    this.#stepper = stepper;
    if (closest[0] === Number.POSITIVE_INFINITY) this.#record(stepper.previous, closest);
    this.#record(end, closest);
    for (let k = 0; k < MAX_APPROACHES; k++) {
      this.#level = closest[0]! - Math.max(CLOSEST_SHARE * Math.abs(closest[0]!), CLOSEST_SHARE * CLOSEST_SHARE);
      let low = this.#search.first(this.#comparisons, -1, stepper.previous, end, this.#event.resolution);
      this.#level = 0;
      if (Number.isNaN(low)) return;
      this.#record(low, closest);
      // Golden section: the next search tells whether there is a still closer approach elsewhere.
      for (let high = end; high - low > CLOSEST_SHARE * CLOSEST_SHARE * (end - stepper.previous); ) {
        const left = low + GOLDEN * (high - low);
        const right = high - GOLDEN * (high - low);
        if (!(left > low && right < high)) break;
        if (this.#record(left, closest) < this.#record(right, closest)) high = right;
        else low = left;
      }
    }
  }

  /** Records the largest value at a time if it is the smallest so far. Returns it. */
  #record(t: number, closest: Float64Array): number {
    const out = this.#out;
    this.#write(t, out);
    let worst = 0;
    for (let i = 1; i < out.length; i++) if (out[i]! > out[worst]!) worst = i;
    if (out[worst]! < closest[0]!) {
      closest[0] = out[worst]!;
      closest[1] = t;
      closest[2] = worst;
    }
    return out[worst]!;
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
    if (this.#level !== 0) for (let i = 0; i < out.length; i++) out[i]! -= this.#level;
  }
}
