/** Steps of embedded methods in JavaScript, for any derivative. */

import type { ErrorNorm } from "../stepping/error-norm.ts";
import { isFiniteVector } from "../stepping/settings.ts";
import type { StepperState } from "../stepping/stepper.ts";
import { evaluateNested, HERMITE_TERMS, setHermite } from "./dense-output.ts";
import { combineStages, type EmbeddedMethod } from "./tableau.ts";

/** Arithmetic of a step, on the state of a stepper and its stage derivatives. The first stage derivative must be known. */
export interface StepArithmetic {
  /** Computes stages 2 to s of a step of size h to t1, and writes the state at its end to `other`. */
  advance(t1: number, h: number): void;
  /** Computes the derivative at the end. Returns the error in units of the tolerance; NaN if the derivative is not finite. */
  error(t1: number, h: number): number;
  /** Prepares the last step for `output`. */
  prepareOutput(): void;
  /** The state at the fraction s of the last step. */
  output(s: number, out: Float64Array): void;
}

export interface PlainSteps extends StepArithmetic {
  /** As in StepArithmetic, but starts at stage index `first`; the stages before it are known. */
  advance(t1: number, h: number, first?: number): void;
}

/** Error from both estimates [HNW I, II.10]. */
export const combinedError = (error: number, second: number): number =>
  (error * error) / Math.sqrt(error * error + 0.01 * second * second);

export function plainSteps(method: EmbeddedMethod, now: StepperState, norm: ErrorNorm, K: readonly Float64Array[]): PlainSteps {
  const { stages, times, outputStages, outputTerms } = method;
  const { f } = now;
  const n = now.y.length;
  const last = stages.length + 1;
  const zero = new Float64Array(n);
  const stage = new Float64Array(n);
  const terms = HERMITE_TERMS + outputTerms.length;
  const F = new Float64Array(terms * n);
  const termRows = outputTerms.map((_, j) => F.subarray((HERMITE_TERMS + j) * n, (HERMITE_TERMS + j + 1) * n));
  return {
    advance(t1, h, first = 1) {
      const { t, y, other } = now;
      for (let s = first; s < last; s++) {
        combineStages(stage, y, h, K, stages[s - 1]!);
        f(times[s] === 1 ? t1 : t + times[s]! * h, stage, K[s]!);
      }
      combineStages(stage, zero, h, K, method.solution);
      for (let i = 0; i < n; i++) other[i] = y[i]! + stage[i]!;
    },
    error(t1, h) {
      const { y, other } = now;
      f(t1, other, K[last]!);
      if (!isFiniteVector(K[last]!)) return Number.NaN;
      combineStages(stage, zero, h, K, method.error);
      const error = norm.of(stage, y, other);
      if (method.secondError === undefined || error === 0) return error;
      combineStages(stage, zero, h, K, method.secondError);
      return combinedError(error, norm.of(stage, y, other));
    },
    prepareOutput() {
      const { t, previous, y, other } = now;
      const h = t - previous;
      for (let s = 0; s < outputStages.length; s++) {
        combineStages(stage, other, h, K, outputStages[s]!);
        f(previous + times[last + 1 + s]! * h, stage, K[last + 1 + s]!);
      }
      setHermite(F, h, other, y, K[0]!, K[last]!);
      for (let j = 0; j < termRows.length; j++) combineStages(termRows[j]!, zero, h, K, outputTerms[j]!);
    },
    output(s, out) {
      evaluateNested(F, terms, s, now.other, out);
    },
  };
}
