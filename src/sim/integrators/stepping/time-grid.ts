/**
 * The times of a fixed-step integrator: t_k = t_0 + k h, computed and not accumulated, so that 160 steps of 0.05 end at 8 exactly. An
 * `end` that lies on the grid but for rounding is taken for the grid point; one that does not is reached by a shorter step (or one
 * stretched by at most a hundredth, rather than leave a sliver), and the grid begins anew there.
 */
import { StepError } from "../integrator.ts";

/** Relative to h: what rounding in the caller's own sums of h may have moved an `end` by. */
const ROUNDING = 1e-9;
/** Relative to h: what may be added to a step rather than left over for the next. */
const SLIVER = 1e-2;

export interface TimeGrid {
  /** Size of the step now planned. */
  readonly size: number;
  /** Where it ends. */
  readonly next: number;
  restart(t: number): void;
  /** Plans the step from t toward `end`. */
  plan(t: number, end: number): void;
}

export function timeGrid(integrator: string, h: number): TimeGrid {
  let start = 0;
  let k = 0;
  let size = h;
  let next = 0;
  return {
    get size() {
      return size;
    },
    get next() {
      return next;
    },
    restart(t) {
      start = t;
      k = 0;
    },
    plan(t, end) {
      const ahead = start + (k + 1) * h;
      if (!(ahead > t)) throw new StepError(`${integrator}: the step ${h} is lost in the rounding of t = ${t}`, t);
      const slack = Math.max(ROUNDING * h, 4 * Number.EPSILON * Math.abs(t));
      size = h;
      if (Math.abs(end - ahead) <= slack) {
        k++;
        next = end;
      } else if (end > ahead + SLIVER * h) {
        k++;
        next = ahead;
      } else {
        next = end;
        size = end - t;
        if (size <= slack) return;
        start = end;
        k = 0;
      }
    },
  };
}
