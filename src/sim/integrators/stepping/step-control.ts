/**
 * Step size of adaptive methods: keeps the error, in units of the tolerance, at a set point below 1, by the law that the method
 * declares. Steps shortened only to reach an `end` do not enter the memory, and the size wanted before is taken up again behind it.
 */
import { power } from "../../../math/elementary/power.ts";
import { StepError } from "../integrator.ts";

/** How the next step follows from the last two. Errors are in units of the set point. */
export interface ControlLaw {
  /** Power of h in the error estimate. */
  readonly errorOrder: number;
  /** Next step over last, from the last error, the one before, and the last step over the one before; to be taken times `caution`. */
  factor(error: number, before: number, stretch: number, caution: number): number;
  /** What to try when the step becomes too small. */
  readonly advice: string;
}

/** PI control [HNW II, IV.2 (2.43)], for explicit methods: smooth steps also where stability limits them. */
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
/** An error below this part of the set point says nothing about how it will grow. */
const SMALLEST_ERROR = 1e-4;
/** What may be added to a step rather than left over before `end`. */
const SLIVER = 1e-2;
/** Few steps to an `end` are of equal size, so that what is factored for one serves the others, and those to the next `end`. */
const EQUAL_PARTS = 8;
/** A step cut shorter than this part of what was wanted tells of round-off only. */
const SHORTEST_INFORMATIVE = 0.2;
/** Below this multiple of the rounding of t a step means nothing. */
const RESOLUTION = 16 * Number.EPSILON;
const SMALLEST_STEP = Number.MIN_VALUE / Number.EPSILON;

export interface StepControl {
  /** Size of the step to try, and where it ends. */
  readonly size: number;
  readonly next: number;
  /** Forgets the past; `size` is what the next step wants, as far as is known. */
  restart(size: number): void;
  /** Plans a step from t that does not pass `end`. Throws when the size has become too small. */
  plan(t: number, end: number): void;
  /** Takes the error of the planned step and says whether the step is accepted; NaN is not. `caution` multiplies the next step. */
  judge(error: number, caution: number): boolean;
  /** Shortens the planned step by a factor, for another reason than its error. */
  shorten(factor: number): void;
}

export function stepControl(integrator: string, law: ControlLaw, largest: number): StepControl {
  const root = 1 / law.errorOrder;
  let wanted = 0;
  let size = 0;
  let next = 0;
  let errorBefore = 1;
  let sizeBefore = 0;
  let rejected = false;
  let finite = true;

  function underflow(t: number): StepError {
    const why = finite ? law.advice : "the derivative is not finite there: look at the state and the forces";
    return new StepError(`${integrator}: the step shrank to ${wanted} at t = ${t}, below what time resolves; ${why}`, t);
  }

  return {
    get size() {
      return size;
    },
    get next() {
      return next;
    },
    restart(h) {
      wanted = Math.min(h, largest);
      errorBefore = 1;
      sizeBefore = 0;
      rejected = false;
      finite = true;
    },
    plan(t, end) {
      if (!(wanted > RESOLUTION * Math.abs(t) && wanted > SMALLEST_STEP)) throw underflow(t);
      const left = end - t;
      if (left <= wanted * (1 + SLIVER)) {
        next = end;
        size = left;
      } else {
        const parts = Math.ceil(left / wanted - SLIVER);
        next = t + (parts <= EQUAL_PARTS ? left / parts : wanted);
        size = next - t;
      }
    },
    judge(error, caution) {
      finite = Number.isFinite(error);
      const relative = Math.max(error / SET_POINT, SMALLEST_ERROR);
      if (!(error <= 1)) {
        wanted = size * (finite ? Math.max(SMALLEST_FACTOR, caution * power(relative, -root)) : SMALLEST_FACTOR);
        rejected = true;
        return false;
      }
      const limit = rejected ? 1 : LARGEST_FACTOR;
      if (size < wanted * (1 - SLIVER)) {
        const alone = caution * power(relative, -root);
        if (size > SHORTEST_INFORMATIVE * wanted) wanted = Math.min(largest, size * alone, Math.max(wanted, size * limit));
      } else {
        const factor = law.factor(relative, errorBefore, sizeBefore === 0 ? 1 : size / sizeBefore, caution);
        wanted = Math.min(largest, size * Math.min(limit, Math.max(SMALLEST_FACTOR, factor)));
        errorBefore = relative;
        sizeBefore = size;
      }
      rejected = false;
      return true;
    },
    shorten(factor) {
      wanted = size * factor;
      rejected = true;
    },
  };
}
