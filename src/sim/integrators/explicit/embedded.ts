/** Adaptive steps of an explicit Runge-Kutta method with embedded error estimate. The derivative at the end is the first stage of the next step. */
import { checkSavedFinite, savedEntries, takeSaved } from "../../../saved-data.ts";
import type { InitialValueProblem, IntegratorOptions, Stepper } from "../integrator.ts";
import { type ErrorNorm, errorNorm } from "../stepping/error-norm.ts";
import { isFiniteVector, notFiniteError, toleranceSettings } from "../stepping/settings.ts";
import { startingStep } from "../stepping/starting-step.ts";
import { piControl, type StepControl, stepControl } from "../stepping/step-control.ts";
import { createStepper, type StepMethod, type StepperState, stepperState } from "../stepping/stepper.ts";
import { compiledSteps } from "./compiled-steps.ts";
import type { pairableSteps } from "./pairable-steps.ts";
import { plainSteps, type StepArithmetic } from "./plain-steps.ts";
import { combineStages, type EmbeddedMethod } from "./tableau.ts";

export function embeddedStepper(method: EmbeddedMethod, problem: InitialValueProblem, options: IntegratorOptions): Stepper {
  const now = stepperState(problem);
  return createStepper(method.name, problem, now, embeddedSteps(method, problem, options, now));
}

export interface EmbeddedSteps extends StepMethod {
  /**
   * Estimate of the fastest rate |λ| in the motion, 1/s, from the two stages at the end of the last step [HW II, IV.2 (2.20)]. Where
   * stability limits the steps, the fastest mode dominates the difference of these stages. NaN if both are equal.
   */
  fastest(): number;
  /** How much the state has changed in the last step, in units of the tolerance. */
  change(): number;
}

export function embeddedSteps(
  method: EmbeddedMethod,
  problem: InitialValueProblem,
  options: IntegratorOptions,
  now: StepperState,
): EmbeddedSteps {
  const { name, errorOrder } = method;
  const tolerances = toleranceSettings(name, options);
  const norm = errorNorm(problem, tolerances);
  const control = stepControl(name, piControl(errorOrder), tolerances.largest);
  const { counts, f } = now;
  const K = method.times.map(() => new Float64Array(problem.size));
  const last = method.stages.length + 1;
  const plain = plainSteps(method, now, norm, K);
  const compiled = problem.code && compiledSteps(problem.code, { method, tolerances, norm, now, K, plain });
  const arithmetic = (): StepArithmetic => (compiled?.ready() ? compiled : plain);
  /** `known` is true if the last stage holds the derivative at (t, y). `firstStep` is the size of the first step; NaN: to be estimated. */
  const memory = { known: false, firstStep: Number.NaN };
  /** The arithmetic that has prepared the output of the last step. */
  let output: StepArithmetic | undefined;
  const paired =
    compiled &&
    (problem.pairs as typeof pairableSteps | undefined)?.({
      ...{ compiled, control, method, tolerances, norm, now, K, project: problem.project },
      rate: () => (memory.known ? K[last] : undefined),
      isRead: () => output !== undefined,
    });

  /** Computes the first stage at (t, y), and after a restart the size of the first step. */
  function begin(end: number): void {
    const { t, y } = now;
    if (memory.known) {
      K[0]!.set(K[last]!);
      memory.known = false;
      return;
    }
    f(t, y, K[0]!);
    if (!isFiniteVector(K[0]!)) throw notFiniteError(name, K[0]!, t);
    const longest = Math.min(end - t, tolerances.largest);
    const { firstStep } = memory;
    control.restart(
      Number.isNaN(firstStep) ? startingStep(f, norm, errorOrder, t, longest, y, K[0]!, now.other, K[1]!) : firstStep,
    );
  }

  /** Writes the candidate state at `t1`, projected to the manifold, to `other`. Returns its error in units of the tolerance. */
  function attempt(t1: number, h: number): number {
    const known = paired?.together(t1, h);
    if (known !== undefined) return known;
    const steps = arithmetic();
    steps.advance(t1, h);
    if (!isFiniteVector(now.other)) return Number.NaN;
    problem.project?.(now.other, t1);
    return steps.error(t1, h);
  }

  return {
    restart(_time, step = Number.NaN) {
      memory.firstStep = step;
      memory.known = false;
      output = undefined;
    },
    step(end) {
      begin(end);
      control.plan(now.t, end);
      while (!control.judge(attempt(control.next, control.size), 1)) {
        counts.rejected++;
        control.plan(now.t, end);
      }
      memory.known = true;
      output = undefined;
      return control.next;
    },
    ...(paired && { planned: paired.planned }),
    interpolate(time, out) {
      const { t, previous } = now;
      if (!output) {
        output = arithmetic();
        if (!paired?.prepareOutput(output)) output.prepareOutput();
      }
      output.output((time - previous) / (t - previous), out);
    },
    largestRates: (out) => writeLargest(K, last, out),
    save: () => ({ memory: { ...memory }, stages: K.slice(0, last + 1).map((k) => k.slice()), control: control.save() }),
    restore(saved) {
      const entries = savedEntries(saved, ["memory", "stages", "control"], name);
      takeSaved(memory, entries.memory, `${name}.memory`);
      takeSaved(K.slice(0, last + 1), entries.stages, `${name}.stages`);
      if (memory.known) checkSavedFinite(K[last]!, `${name}.stages[${last}]`);
      control.restore(entries.control);
      output = undefined;
    },
    ...stepEstimates(method, now, norm, control, K, problem.size - (problem.integrals ?? 0)),
  };
}

/** @param n number of components on which the rates depend */
function stepEstimates(
  { stages }: EmbeddedMethod,
  now: StepperState,
  norm: ErrorNorm,
  control: StepControl,
  K: readonly Float64Array[],
  n: number,
): Pick<EmbeddedSteps, "fastest" | "change"> {
  const last = stages.length + 1;
  const difference = new Float64Array(now.y.length);
  return {
    fastest() {
      const { y, other } = now;
      combineStages(difference, y, control.size, K, stages[last - 2]!);
      subtractStates(other, difference, n, difference);
      const ofStates = norm.of(difference, y, other);
      subtractStates(K[last]!, K[last - 1]!, n, difference);
      return norm.of(difference, y, other) / ofStates;
    },
    change() {
      const { y, other } = now;
      subtractStates(other, y, n, difference);
      return norm.of(difference, y, other);
    },
  };
}

/** out = a - b in the first n components, and zero in the others. */
function subtractStates(a: Float64Array, b: Float64Array, n: number, out: Float64Array): void {
  for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!;
  out.fill(0, n);
}

/** Writes the largest magnitude of each component of the stage derivatives 0 to `last`. A rate that is not a number stays. */
function writeLargest(K: readonly Float64Array[], last: number, out: Float64Array): void {
  out.fill(0);
  for (let s = 0; s <= last; s++) {
    const rates = K[s]!;
    for (let i = 0; i < out.length; i++) {
      const rate = Math.abs(rates[i]!);
      if (!(rate <= out[i]!)) out[i] = rate;
    }
  }
}
