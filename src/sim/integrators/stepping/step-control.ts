/**
 * Step size control of adaptive methods. Keeps the error, in units of the tolerance, at a set point below 1, by the control law of the method.
 * A step that is shortened only to reach an `end` does not change the memory; the size wanted before is used again after it.
 */
import { StepError } from "../../../errors.ts";
import { power } from "../../../math/elementary/power.ts";
import { refuseSaved, takeSaved } from "../../../saved-data.ts";

/** Computes the next step from the last two. Errors are in units of the set point. */
export interface ControlLaw {
  /** Power of h in the error estimate. */
  readonly errorOrder: number;
  /** Ratio of next to last step, from the last error, the error before, and the ratio of the last two steps; includes the factor `caution`. */
  factor(error: number, before: number, stretch: number, caution: number): number;
  /** Advice for the user if the step becomes too small. */
  readonly advice: string;
}

/** PI control [HNW II, IV.2 (2.43)] for explicit methods: the steps stay smooth where stability limits them. */
export function piControl(errorOrder: number): ControlLaw {
  const proportional = 0.7 / errorOrder;
  const integral = 0.4 / errorOrder;
  return {
    errorOrder,
    factor: (error, before, _stretch, caution) => caution * power(error, -proportional) * power(before, integral),
    advice: "is the problem stiff (try radau5), or the solution singular there?",
  };
}

const SET_POINT = 0.2;
const SMALLEST_FACTOR = 0.2;
const LARGEST_FACTOR = 8;
/** Errors below this part of the set point do not predict the growth of the error. */
const SMALLEST_ERROR = 1e-4;
/** A rest before `end` up to this part of a step is added to the step. */
const SLIVER = 1e-2;
/** Up to this number, the steps to an `end` have equal size, so that a factorisation serves all of them, and those to the next `end`. */
const EQUAL_PARTS = 8;
/** A step cut to less than this part of the wanted size has an error of round-off only. */
const SHORTEST_INFORMATIVE = 0.2;
/** Smallest step in units of the rounding of t. */
const RESOLUTION = 16 * Number.EPSILON;
const SMALLEST_STEP = Number.MIN_VALUE / Number.EPSILON;

export interface StepControl {
  /** Size and end of the planned step. */
  readonly size: number;
  readonly next: number;
  /** Clears the memory; `size` is the estimate for the next step. */
  restart(size: number): void;
  /** Plans a step from t that does not pass `end`. @throws StepError if the size has become too small. */
  plan(t: number, end: number): void;
  /** Takes the error of the planned step. Returns whether the step is accepted; NaN is not. `caution` multiplies the next step. */
  judge(error: number, caution: number): boolean;
  /** Shortens the planned step by a factor, for a reason other than its error. */
  shorten(factor: number): void;
  /** What the next plan needs from the last steps. */
  save(): unknown;
  restore(saved: unknown): void;
}

export function stepControl(integrator: string, law: ControlLaw, largest: number): StepControl {
  const root = 1 / law.errorOrder;
  const memory = { wantedSize: 0, errorBefore: 1, sizeBefore: 0, rejected: false, finite: true };
  let size = 0;
  let next = 0;

  function underflow(t: number): StepError {
    const { wantedSize, finite } = memory;
    const why = finite ? law.advice : "the derivative is not finite there: look at the state and the forces";
    return new StepError(`${integrator}: the step shrank to ${wantedSize} at t = ${t}, below the resolution of time; ${why}`, t);
  }

  return {
    get size() {
      return size;
    },
    get next() {
      return next;
    },
    restart(h) {
      memory.wantedSize = Math.min(h, largest);
      memory.errorBefore = 1;
      memory.sizeBefore = 0;
      memory.rejected = false;
      memory.finite = true;
    },
    plan(t, end) {
      const { wantedSize } = memory;
      const left = end - t;
      const resolution = RESOLUTION * Math.abs(t);
      const isRest = left <= resolution && !memory.rejected; // two updates a rounding error apart: nothing moves in between
      if (!isRest && !(wantedSize > resolution && wantedSize > SMALLEST_STEP)) throw underflow(t);
      if (isRest || left <= wantedSize * (1 + SLIVER)) {
        next = end;
        size = left;
      } else {
        const parts = Math.ceil(left / wantedSize - SLIVER);
        next = t + (parts <= EQUAL_PARTS ? left / parts : wantedSize);
        size = next - t;
      }
    },
    judge(error, caution) {
      const { wantedSize, errorBefore, sizeBefore } = memory;
      const finite = Number.isFinite(error);
      memory.finite = finite;
      const relative = Math.max(error / SET_POINT, SMALLEST_ERROR);
      if (!(error <= 1)) {
        memory.wantedSize = size * (finite ? Math.max(SMALLEST_FACTOR, caution * power(relative, -root)) : SMALLEST_FACTOR);
        memory.rejected = true;
        return false;
      }
      const limit = memory.rejected ? 1 : LARGEST_FACTOR;
      if (size < wantedSize * (1 - SLIVER)) {
        const alone = caution * power(relative, -root);
        if (size > SHORTEST_INFORMATIVE * wantedSize)
          memory.wantedSize = Math.min(largest, size * alone, Math.max(wantedSize, size * limit));
      } else {
        const factor = law.factor(relative, errorBefore, sizeBefore === 0 ? 1 : size / sizeBefore, caution);
        memory.wantedSize = Math.min(largest, size * Math.min(limit, Math.max(SMALLEST_FACTOR, factor)));
        memory.errorBefore = relative;
        memory.sizeBefore = size;
      }
      memory.rejected = false;
      return true;
    },
    shorten(factor) {
      memory.wantedSize = size * factor;
      memory.rejected = true;
    },
    save: () => ({ ...memory }),
    restore(saved) {
      takeSaved(memory, saved, "step control");
      for (const key of ["wantedSize", "errorBefore", "sizeBefore"] as const)
        if (!(memory[key] >= 0)) refuseSaved(`step control.${key}`, "must not be negative", memory[key]);
    },
  };
}
