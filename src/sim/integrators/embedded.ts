/** Adaptive steps of an explicit Runge-Kutta method with embedded error estimate; the derivative at the end is the next first stage. */
import type { InitialValueProblem, IntegratorOptions, Stepper } from "../integrator.ts";
import { evaluateNested, setHermite } from "./dense-output.ts";
import { errorNorm } from "./error-norm.ts";
import { chosenTolerances, isFiniteVector, notFinite } from "./settings.ts";
import { startingStep } from "./starting-step.ts";
import { proportionalIntegral, stepControl } from "./step-control.ts";
import { standingOf, stepperOf } from "./stepper.ts";
import { combine, type Row } from "./tableau.ts";

/** The stages in order: 1 to s by `stages`, s + 1 is the derivative at the end of the step, then those of `outputStages`. */
export interface EmbeddedMethod {
  readonly name: string;
  readonly times: readonly number[];
  /** Of stages 2 to s. */
  readonly stages: readonly Row[];
  readonly solution: Row;
  readonly error: Row;
  /** A second estimate, of lower order: error = e^2 / sqrt(e^2 + 0.01 second^2) [HNW I, II.10]. */
  readonly secondError?: Row;
  /** Power of h in the error estimate. */
  readonly errorOrder: number;
  /** Evaluated only when output between the ends is asked for. */
  readonly outputStages: readonly Row[];
  /** Terms F3 and following of the nested polynomial, divided by h. */
  readonly outputTerms: readonly Row[];
}

const HERMITE_TERMS = 3;

export function embedded(method: EmbeddedMethod, problem: InitialValueProblem, options: IntegratorOptions): Stepper {
  const { name, stages, times, errorOrder, outputStages, outputTerms } = method;
  const n = problem.size;
  const tolerances = chosenTolerances(name, options);
  const norm = errorNorm(problem, tolerances);
  const control = stepControl(name, proportionalIntegral(errorOrder), tolerances.largest);
  const now = standingOf(problem);
  const { counts, f } = now;
  const K = times.map(() => new Float64Array(n));
  const last = stages.length + 1;
  const zero = new Float64Array(n);
  const stage = new Float64Array(n);
  const terms = HERMITE_TERMS + outputTerms.length;
  const F = new Float64Array(terms * n);
  const termRows = outputTerms.map((_, j) => F.subarray((HERMITE_TERMS + j) * n, (HERMITE_TERMS + j + 1) * n));
  /** Whether the last stage holds the derivative at (t, y). */
  let known = false;
  let outputReady = false;

  /** The first stage at (t, y), and at the beginning a step to try. */
  function begin(end: number): void {
    const { t, y } = now;
    if (known) {
      const first = K[0]!;
      K[0] = K[last]!;
      K[last] = first;
      known = false;
      return;
    }
    f(t, y, K[0]!);
    if (!isFiniteVector(K[0]!)) throw notFinite(name, K[0]!, t);
    const longest = Math.min(end - t, tolerances.largest);
    control.restart(startingStep(f, norm, errorOrder, t, longest, y, K[0]!, stage, K[1]!));
  }

  /** Writes the candidate at `t1` to `other`, brought to the manifold, and gives its error in units of the tolerance. */
  function attempt(t1: number, h: number): number {
    const { t, y, other } = now;
    for (let s = 1; s < last; s++) {
      combine(stage, y, h, K, stages[s - 1]!);
      f(times[s] === 1 ? t1 : t + times[s]! * h, stage, K[s]!);
    }
    combine(stage, zero, h, K, method.solution);
    for (let i = 0; i < n; i++) other[i] = y[i]! + stage[i]!;
    if (!isFiniteVector(other)) return Number.NaN;
    problem.project?.(other, t1);
    f(t1, other, K[last]!);
    if (!isFiniteVector(K[last]!)) return Number.NaN;
    combine(stage, zero, h, K, method.error);
    const error = norm.of(stage, y, other);
    if (method.secondError === undefined || error === 0) return error;
    combine(stage, zero, h, K, method.secondError);
    const second = norm.of(stage, y, other);
    return (error * error) / Math.sqrt(error * error + 0.01 * second * second);
  }

  function prepareOutput(): void {
    const { t, previous, y, other } = now;
    const h = t - previous;
    for (let s = 0; s < outputStages.length; s++) {
      combine(stage, other, h, K, outputStages[s]!);
      f(previous + times[last + 1 + s]! * h, stage, K[last + 1 + s]!);
    }
    setHermite(F, h, other, y, K[0]!, K[last]!);
    for (let j = 0; j < termRows.length; j++) combine(termRows[j]!, zero, h, K, outputTerms[j]!);
    outputReady = true;
  }

  return stepperOf(name, problem, now, {
    restart() {
      known = outputReady = false;
    },
    step(end) {
      begin(end);
      control.plan(now.t, end);
      while (!control.judge(attempt(control.next, control.size), 1)) {
        counts.rejected++;
        control.plan(now.t, end);
      }
      known = true;
      outputReady = false;
      return control.next;
    },
    between(time, out) {
      const { t, previous, other } = now;
      if (!outputReady) prepareOutput();
      evaluateNested(F, terms, (time - previous) / (t - previous), other, out);
    },
  });
}
