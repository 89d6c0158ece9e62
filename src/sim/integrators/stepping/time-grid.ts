/**
 * Times of a fixed-step integrator: t_k = t_0 + k h, computed and not accumulated, so that 160 steps of 0.05 end at exactly 8. An `end` that
 * lies on the grid within rounding is treated as the grid point. Any other `end` is reached by a shorter step (or one stretched by at most a
 * hundredth), and the grid restarts there. After a restart inside the last step, at an event, a shorter step leads back to the grid: samples
 * on the grid stay ends of steps.
 */

import { StepError } from "../../../errors.ts";
import { checkSavedFinite, checkSavedInteger, takeSaved } from "../../../saved-data.ts";

/** Tolerance for rounding in an `end` that the caller has summed from steps, relative to h. */
const ROUNDING = 1e-9;
/** A rest before `end` up to this part of h is added to the step. */
const SLIVER = 1e-2;

export interface TimeGrid {
  /** Size of the planned step. */
  readonly size: number;
  /** End of the planned step. */
  readonly next: number;
  restart(t: number): void;
  /** Plans the step from t toward `end`. */
  plan(t: number, end: number): void;
  /** Plans whole steps on the grid from t toward `end`, at most `most`. Returns their number; zero if the next step is not such a step. */
  planMany(t: number, end: number, most: number): number;
  /** Start of the grid, number of the last step in it, and end of the planned steps. */
  readonly start: number;
  readonly k: number;
  readonly last: number;
  /** The planned steps, or the first ones of them, were made. */
  takeMany(steps: number): void;
  /** Start of the grid and number of the last step in it. */
  save(): unknown;
  restore(saved: unknown): void;
}

export function timeGrid(integrator: string, h: number): TimeGrid {
  const memory = { start: 0, k: 0 };
  let size = h;
  let next = 0;
  let last = 0;
  const slackAt = (t: number): number => Math.max(ROUNDING * h, 4 * Number.EPSILON * Math.abs(t));
  return {
    get start() {
      return memory.start;
    },
    get k() {
      return memory.k;
    },
    get last() {
      return last;
    },
    get size() {
      return size;
    },
    get next() {
      return next;
    },
    restart(t) {
      const { start, k } = memory;
      if (k > 0 && t > start + (k - 1) * h && t < start + k * h - SLIVER * h) memory.k = k - 1;
      else {
        memory.start = t;
        memory.k = 0;
      }
    },
    plan(t, end) {
      const { start, k } = memory;
      const ahead = start + (k + 1) * h;
      if (!(ahead > t)) throw new StepError(`${integrator}: the step ${h} is lost in the rounding of t = ${t}`, t);
      const slack = slackAt(t);
      size = t > start + k * h + slack ? ahead - t : h;
      if (Math.abs(end - ahead) <= slack) {
        memory.k = k + 1;
        next = end;
      } else if (end > ahead + SLIVER * h) {
        memory.k = k + 1;
        next = ahead;
      } else {
        next = end;
        size = end - t;
        if (size <= slack) return;
        memory.start = end;
        memory.k = 0;
      }
    },
    planMany(t, end, most) {
      const { start, k } = memory;
      if (!(start + (k + 1) * h > t) || t > start + k * h + slackAt(t)) return 0;
      let n = Math.min(most, Math.round((end - start) / h) - k);
      last = start + (k + n) * h;
      if (Math.abs(end - last) <= slackAt(n === 1 ? t : start + (k + n - 1) * h)) last = end;
      else if (!(end > last + SLIVER * h)) last = start + (k + --n) * h;
      return Math.max(0, n);
    },
    takeMany(steps) {
      memory.k += steps;
    },
    save: () => ({ ...memory }),
    restore(saved) {
      takeSaved(memory, saved, "time grid");
      checkSavedFinite(memory.start, "time grid.start");
      checkSavedInteger(memory.k, 0, Number.MAX_SAFE_INTEGER - 1, "time grid.k");
    },
  };
}
