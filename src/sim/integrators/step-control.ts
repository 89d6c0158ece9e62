/**
 * Step size of adaptive explicit methods: a PI controller [HNW II, IV.2] that holds the error, in units of the tolerance, at a set
 * point below 1. With error ~ h^k:
 *
 *   h' = h (SET_POINT / err_n)^(0.7/k) (err_{n-1} / SET_POINT)^(0.4/k)                                       (1)
 *
 * Steps shortened only to reach an `end` do not enter the memory, and the size wanted before is taken up again behind it.
 */
import { StepError } from "../integrator.ts";

const SET_POINT = 0.2;
const SMALLEST_FACTOR = 0.2;
const LARGEST_FACTOR = 8;
/** An error below this says nothing about how it will grow. */
const SMALLEST_ERROR = 1e-4;
/** What may be added to a step rather than left over before `end`. */
const SLIVER = 1e-2;
/** Below this multiple of the rounding of t a step means nothing. */
const RESOLUTION = 16 * Number.EPSILON;

export interface StepControl {
  /** Size of the step to try, and where it ends. */
  readonly size: number;
  readonly next: number;
  /** Forgets the past; `size` is what the next step wants, as far as is known. */
  restart(size: number): void;
  /** Plans a step from t that does not pass `end`. Throws when the size has become too small. */
  plan(t: number, end: number): void;
  /** Takes the error of the planned step and says whether the step is accepted; NaN is not. */
  judge(error: number): boolean;
}

export function stepControl(integrator: string, errorOrder: number, largest: number): StepControl {
  const proportional = 0.7 / errorOrder;
  const integral = 0.4 / errorOrder;
  let wanted = 0;
  let size = 0;
  let next = 0;
  let before = SET_POINT;
  let rejected = false;
  let finite = true;
  return {
    get size() {
      return size;
    },
    get next() {
      return next;
    },
    restart(h) {
      wanted = Math.min(h, largest);
      before = SET_POINT;
      rejected = false;
      finite = true;
    },
    plan(t, end) {
      if (!(wanted > RESOLUTION * Math.abs(t) && wanted > Number.MIN_VALUE / Number.EPSILON))
        throw underflow(integrator, t, wanted, finite);
      const left = end - t;
      if (left <= wanted * (1 + SLIVER)) {
        next = end;
        size = left;
      } else {
        next = t + (left < 2 * wanted ? left / 2 : wanted);
        size = next - t;
      }
    },
    judge(error) {
      finite = Number.isFinite(error);
      if (!(error <= 1)) {
        wanted = size * (finite ? Math.max(SMALLEST_FACTOR, (SET_POINT / error) ** (1 / errorOrder)) : SMALLEST_FACTOR);
        rejected = true;
        return false;
      }
      const limit = rejected ? 1 : LARGEST_FACTOR;
      if (size < wanted * (1 - SLIVER)) {
        const alone = (SET_POINT / Math.max(error, Number.MIN_VALUE)) ** (1 / errorOrder);
        wanted = Math.min(largest, size * alone, Math.max(wanted, size * limit));
      } else {
        const bounded = Math.max(error, SMALLEST_ERROR);
        const factor = (SET_POINT / bounded) ** proportional * (before / SET_POINT) ** integral;
        wanted = Math.min(largest, size * Math.min(limit, Math.max(SMALLEST_FACTOR, factor)));
        before = bounded;
      }
      rejected = false;
      return true;
    },
  };
}

function underflow(integrator: string, t: number, h: number, finite: boolean): StepError {
  const why = finite
    ? "is the problem stiff (try radau5), or the solution singular there?"
    : "the derivative is not finite there: look at the state and the forces";
  return new StepError(`${integrator}: the step shrank to ${h} at t = ${t}, below what time resolves; ${why}`, t);
}
