/** Radau IIA with three stages, order 5, adaptive, for stiff problems [HW II, IV.8]. */
import { power } from "../../math/elementary/power.ts";
import { differenceJacobian } from "./implicit/finite-differences.ts";
import { lagrangeWeights } from "./implicit/lagrange.ts";
import { ERROR, NODES } from "./implicit/radau-coefficients.ts";
import { MOST_ITERATIONS, radauNewton } from "./implicit/radau-newton.ts";
import type { InitialValueProblem, Integrator, IntegratorOptions } from "./integrator.ts";
import { errorNorm } from "./stepping/error-norm.ts";
import { isFiniteVector, notFiniteError, type Tolerances, toleranceSettings } from "./stepping/settings.ts";
import { startingStep } from "./stepping/starting-step.ts";
import { type ControlLaw, stepControl } from "./stepping/step-control.ts";
import { createStepper, type StepMethod, type StepperState, stepperState } from "./stepping/stepper.ts";

export const radau5: Integrator = {
  name: "radau5",
  about: "Radau IIA, order 5, implicit, adaptive, dense output of order 3: for stiff problems",
  order: 5,
  adaptive: true,
  start(problem, options) {
    const now = stepperState(problem);
    return createStepper("radau5", problem, now, radauSteps("radau5", problem, options, now));
  },
};

/**
 * Gustafsson's predictive control [HW II, IV.8 (8.25)]. A step that would change a little stays, and with it the factorisations: what
 * swings makes the error go up and down about its set point, and nine of ten factorisations would follow it. At 0.9 the error is half
 * above the set point, far below what is rejected.
 */
const PREDICTIVE: ControlLaw = {
  errorOrder: 4,
  factor(error, before, stretch, caution) {
    const plain = 1 / Math.sqrt(Math.sqrt(error));
    const factor = caution * plain * Math.min(1, stretch * Math.sqrt(Math.sqrt(before / error)));
    return factor >= 0.9 && factor <= 1.2 ? 1 : factor;
  },
  advice: "is the solution singular or the derivative discontinuous there?",
};

/**
 * The iteration ends when it is so much better than the tolerance, and at least so good: what it leaves is seen by no estimate and adds up in
 * the balance of energy, where one more iteration in long steps costs less than short steps do.
 */
const NEWTON_SHARE = 1e-3;
const NEWTON_LOOSEST = 1e-9;
/** Contraction that still keeps a Jacobian for the next step: one more iteration costs less than a Jacobian of differences. */
const GOOD_RATE = 0.003;
const GOOD_RATE_DIFFERENCES = 0.1;
/** Relative change of h that leaves the factorisations as good as they were. */
const SAME_STEP = 1e-9;
const COLLOCATION_NODES = Float64Array.of(0, ...NODES);

/** @param patience attempts at a step that may fail until it is given up, and its end is NaN. Default: as many as it takes. */
export function radauSteps(
  name: string,
  problem: InitialValueProblem,
  options: IntegratorOptions,
  now: StepperState,
  patience = Number.POSITIVE_INFINITY,
): StepMethod {
  const n = problem.size;
  const tolerances = toleranceSettings(name, options);
  const norm = errorNorm(problem, estimateTolerances(tolerances));
  const control = stepControl(name, PREDICTIVE, tolerances.largest);
  const newton = radauNewton(n, problem.coordinates, problem.integrals);
  const { counts, f } = now;
  const J = new Float64Array(n * n);
  const f0 = new Float64Array(n);
  const f1 = new Float64Array(n);
  const stage = new Float64Array(n);
  const error = new Float64Array(n);
  const perScale = new Float64Array(n);
  const weights = new Float64Array(4);
  const goodRate = problem.jacobian === undefined ? GOOD_RATE_DIFFERENCES : GOOD_RATE;
  /** Z of the last accepted step. */
  const past = [new Float64Array(n), new Float64Array(n), new Float64Array(n)] as const;
  /** Whether f0 = f(t, y), exactly or by the last collocation polynomial; whether a step has been made since the restart. */
  let known: "exactly" | "nearly" | undefined;
  let begun = false;
  let firstStep: number | undefined;
  let jacobianKnown = false;
  let jacobianFresh = false;
  let factoredFor = Number.NaN;

  function begin(end: number): void {
    const { t, y } = now;
    if (known === undefined) evaluateStart();
    if (!begun) {
      const longest = Math.min(end - t, tolerances.largest);
      control.restart(firstStep ?? startingStep(f, norm, PREDICTIVE.errorOrder, t, longest, y, f0, stage, f1));
    }
    const wanted = Math.min(NEWTON_SHARE * tolerances.relative, NEWTON_LOOSEST);
    const share = Math.max(wanted, 10 * Number.EPSILON) / tolerances.relative;
    for (let i = 0; i < n; i++) perScale[i] = 1 / (share * (tolerances.absolute + tolerances.relative * Math.abs(y[i]!)));
  }

  function evaluateStart(): void {
    const { t, y } = now;
    f(t, y, f0);
    if (!isFiniteVector(f0)) throw notFiniteError(name, f0, t);
    known = "exactly";
  }

  function renewJacobian(): void {
    const { t, y } = now;
    if (problem.jacobian !== undefined) problem.jacobian(t, y, J);
    else {
      if (known !== "exactly") evaluateStart();
      differenceJacobian(f, t, y, f0, tolerances.absolute / tolerances.relative, J, stage, f1, problem.integrals);
    }
    newton.setJacobian(J);
    jacobianKnown = jacobianFresh = true;
    factoredFor = Number.NaN;
  }

  /** Where the iteration starts: the last collocation polynomial, continued. */
  function predict(h: number): void {
    const last = now.t - now.previous;
    for (let s = 0; s < 3; s++) {
      const z = newton.Z[s]!;
      if (!begun) {
        z.fill(0);
        continue;
      }
      lagrangeWeights(COLLOCATION_NODES, 4, 1 + (NODES[s]! * h) / last, weights, 0);
      const a = weights[1]!;
      const b = weights[2]!;
      const c = weights[3]! - 1;
      for (let i = 0; i < n; i++) z[i] = a * past[0][i]! + b * past[1][i]! + c * past[2][i]!;
    }
  }

  /** Difference to the embedded solution of order 3, filtered by the stiff part, in units of the tolerance. */
  function estimate(h: number, rate: Float64Array): number {
    const [z1, z2, z3] = newton.Z;
    const a = ERROR[0]! / h;
    const b = ERROR[1]! / h;
    const c = ERROR[2]! / h;
    for (let i = 0; i < n; i++) error[i] = rate[i]! + (a * z1[i]! + b * z2[i]! + c * z3[i]!);
    newton.solveReal(error);
    return norm.of(error, now.y, now.other);
  }

  /** Solves the planned step to `other`. It fails, or asks for another Jacobian: both must be planned anew. */
  function attempt(): "made" | "failed" | "stale" {
    const { t, y, other } = now;
    const h = control.size;
    if (!jacobianKnown) renewJacobian();
    if (!(Math.abs(h / factoredFor - 1) <= SAME_STEP)) {
      factoredFor = newton.factor(h) ? h : Number.NaN;
      if (Number.isNaN(factoredFor)) return repair();
    }
    predict(h);
    if (!newton.solve(f, t, control.next, h, y, perScale)) return repair();
    for (let i = 0; i < n; i++) other[i] = y[i]! + newton.Z[2][i]!;
    let size = estimate(h, f0);
    if (size > 1) {
      // Stiff parts that are not yet at rest make the first estimate too large: one evaluation costs less than a step [HW II, IV.8 (8.20)].
      for (let i = 0; i < n; i++) stage[i] = y[i]! + error[i]!;
      f(t, stage, f1);
      size = estimate(h, f1);
    }
    const caution = (2 * MOST_ITERATIONS + 1) / (2 * MOST_ITERATIONS + newton.iterations);
    if (control.judge(size, caution)) return "made";
    counts.rejected++;
    return "failed";
  }

  /** After an iteration that failed: a new Jacobian, or if it is new already a shorter step. */
  function repair(): "failed" | "stale" {
    const finite = isFiniteVector(newton.Z[2]);
    if (finite && !jacobianFresh) {
      jacobianKnown = false;
      return "stale";
    }
    if (finite) control.shorten(0.4);
    else control.judge(Number.NaN, 1);
    counts.rejected++;
    return "failed";
  }

  return {
    // With a step the motion is taken up again, and a Jacobian from before is tried: much of it is what it was.
    restart(_time, step) {
      firstStep = step;
      known = undefined;
      begun = jacobianFresh = false;
      jacobianKnown &&= step !== undefined;
    },
    // A controller commands anew: poles and sizes of steps are mostly what they were, and both are judged at every step.
    rightHandSideChanged() {
      known = undefined;
      jacobianFresh = false;
    },
    step(end) {
      const { t, y, other } = now;
      begin(end);
      control.plan(t, end);
      let failures = 0;
      for (let outcome = attempt(); outcome !== "made"; outcome = attempt()) {
        if (outcome === "failed" && ++failures > patience) return Number.NaN;
        control.plan(t, end);
      }
      problem.project?.(other, control.next);
      past[0].set(newton.Z[0]);
      past[1].set(newton.Z[1]);
      for (let i = 0; i < n; i++) past[2][i] = other[i]! - y[i]!;
      newton.endDerivative(f0);
      known = "nearly";
      begun = true;
      jacobianFresh = false;
      jacobianKnown = newton.rate <= goodRate;
      return control.next;
    },
    interpolate(time, out) {
      const { t, previous, other } = now;
      lagrangeWeights(COLLOCATION_NODES, 4, (time - previous) / (t - previous), weights, 0);
      const a = weights[1]!;
      const b = weights[2]!;
      const c = weights[3]!;
      for (let i = 0; i < n; i++) out[i] = other[i]! + (a * past[0][i]! + b * past[1][i]! + c * past[2][i]!);
    },
  };
}

/**
 * The estimate goes with h^4, the error with h^5. Measured against tolerance^(4/5) it lets the error fall in proportion to the
 * tolerance, as with the explicit methods.
 */
function estimateTolerances({ relative, absolute, largest }: Tolerances): Tolerances {
  const estimated = 0.6 * power(relative, 0.8);
  return { relative: estimated, absolute: (estimated * absolute) / relative, largest };
}
