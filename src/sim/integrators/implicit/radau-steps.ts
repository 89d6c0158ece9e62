/** Adaptive steps of Radau IIA with three stages [HW II, IV.8]. */

import { jacobian } from "../../../kernel/trace/differentiate.ts";
import { power } from "../../../math/elementary/power.ts";
import { refuseSaved, savedEntries, takeSaved } from "../../../saved-data.ts";
import type { InitialValueProblem, IntegratorOptions } from "../integrator.ts";
import { type ErrorNorm, errorNorm } from "../stepping/error-norm.ts";
import { isFiniteVector, notFiniteError, type Tolerances, toleranceSettings } from "../stepping/settings.ts";
import { startingStep } from "../stepping/starting-step.ts";
import { type ControlLaw, type StepControl, stepControl } from "../stepping/step-control.ts";
import type { StepMethod, StepperState } from "../stepping/stepper.ts";
import { differenceJacobian } from "./finite-differences.ts";
import { lagrangeWeights } from "./lagrange.ts";
import { ERROR, NODES } from "./radau-coefficients.ts";
import { type RadauMemory, radauMemory, restoreRadauMemory } from "./radau-memory.ts";
import { MAX_ITERATIONS, RadauNewton } from "./radau-newton.ts";

/**
 * Gustafsson's predictive control [HW II, IV.8 (8.25)]. A step that would change only a little is kept, and with it the factorisations. In an
 * oscillation the error moves up and down about its set point, and nine of ten factorisations would only follow it. At a factor of 0.9 the error
 * is half above the set point, which is far below rejection.
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
 * Tolerance of the Newton iteration relative to the tolerance of the step, and its largest value. No estimate sees the rest that the iteration
 * leaves, and the rest adds up in the energy balance. One more iteration in long steps costs less than shorter steps.
 */
const NEWTON_SHARE = 1e-3;
const NEWTON_LOOSEST = 1e-9;
/** Contraction rate up to which a Jacobian is kept for the next step. One more iteration costs less than a Jacobian of differences. */
const GOOD_RATE = 0.003;
const GOOD_RATE_DIFFERENCES = 0.1;
/** Relative change of h up to which the factorisations are kept. */
const SAME_STEP = 1e-9;
const COLLOCATION_NODES = Float64Array.of(0, ...NODES);

export class RadauSteps implements StepMethod {
  readonly #name: string;
  readonly #problem: InitialValueProblem;
  readonly #now: StepperState;
  readonly #maxFailures: number;
  readonly #tolerances: Tolerances;
  readonly #norm: ErrorNorm;
  readonly #control: StepControl;
  readonly #newton: RadauNewton;
  readonly #goodRate: number;
  readonly #J: Float64Array;
  readonly #memory: RadauMemory;
  readonly #f1: Float64Array;
  readonly #stage: Float64Array;
  readonly #error: Float64Array;
  readonly #perScale: Float64Array;
  readonly #weights = new Float64Array(4);

  /** @param maxFailures failed attempts after which a step is given up and its end is NaN; default: no limit */
  constructor(
    name: string,
    problem: InitialValueProblem,
    options: IntegratorOptions,
    now: StepperState,
    maxFailures = Number.POSITIVE_INFINITY,
  ) {
    const n = problem.size;
    this.#name = name;
    this.#problem = problem;
    this.#now = now;
    this.#maxFailures = maxFailures;
    this.#tolerances = toleranceSettings(name, options);
    this.#norm = errorNorm(problem, estimateTolerances(this.#tolerances));
    this.#control = stepControl(name, PREDICTIVE, this.#tolerances.largest);
    this.#newton = new RadauNewton(n, problem.coordinates, problem.integrals);
    this.#goodRate = problem.jacobian === undefined ? GOOD_RATE_DIFFERENCES : GOOD_RATE;
    this.#J = new Float64Array(n * n);
    this.#f1 = new Float64Array(n);
    this.#stage = new Float64Array(n);
    this.#error = new Float64Array(n);
    this.#perScale = new Float64Array(n);
    this.#memory = radauMemory(n);
  }

  /** With a given first step, the motion continues after other steps, and the old Jacobian is tried first. */
  restart(_time: number, step = Number.NaN): void {
    const memory = this.#memory;
    memory.firstStep = step;
    memory.startRate = "unknown";
    memory.begun = memory.jacobianFresh = false;
    memory.jacobianKnown &&= !Number.isNaN(step);
  }

  /** After a new command of a controller, poles and step sizes are mostly unchanged, and both are checked at every step. */
  rightHandSideChanged(): void {
    this.#memory.startRate = "unknown";
    this.#memory.jacobianFresh = false;
  }

  step(end: number): number {
    const { t, y, other } = this.#now;
    const newton = this.#newton;
    this.#begin(end);
    this.#control.plan(t, end);
    let failures = 0;
    for (let outcome = this.#attempt(); outcome !== "made"; outcome = this.#attempt()) {
      if (outcome === "failed" && ++failures > this.#maxFailures) return Number.NaN;
      this.#control.plan(t, end);
    }
    this.#problem.project?.(other, this.#control.next);
    const memory = this.#memory;
    const { past } = memory;
    past[0].set(newton.Z[0]);
    past[1].set(newton.Z[1]);
    for (let i = 0; i < y.length; i++) past[2][i] = other[i]! - y[i]!;
    newton.endDerivative(memory.f0);
    memory.startRate = "polynomial";
    memory.begun = true;
    memory.jacobianFresh = false;
    memory.jacobianKnown = newton.rate <= this.#goodRate;
    return this.#control.next;
  }

  interpolate(time: number, out: Float64Array): void {
    const { t, previous, other } = this.#now;
    const [z1, z2, z3] = this.#memory.past;
    lagrangeWeights(COLLOCATION_NODES, 4, (time - previous) / (t - previous), this.#weights, 0);
    const a = this.#weights[1]!;
    const b = this.#weights[2]!;
    const c = this.#weights[3]!;
    for (let i = 0; i < other.length; i++) out[i] = other[i]! + (a * z1[i]! + b * z2[i]! + c * z3[i]!);
  }

  /** The Jacobian is saved only while it is known. Its factors are computed again by `restore`. */
  save(): unknown {
    const { jacobianKnown, factoredFor } = this.#memory;
    return {
      memory: { ...structuredClone(this.#memory), factoredFor: jacobianKnown ? factoredFor : Number.NaN },
      jacobian: jacobianKnown ? this.#J.slice() : null,
      control: this.#control.save(),
    };
  }

  restore(saved: unknown): void {
    const name = `${this.#name}, implicit steps`;
    const entries = savedEntries(saved, ["memory", "jacobian", "control"], name);
    const memory = this.#memory;
    restoreRadauMemory(memory, entries.memory, `${name}.memory`);
    takeSaved({ jacobian: memory.jacobianKnown ? this.#J : null }, { jacobian: entries.jacobian }, name);
    this.#control.restore(entries.control);
    if (!memory.jacobianKnown) return;
    this.#newton.setJacobian(this.#J);
    const step = memory.factoredFor;
    if (!Number.isNaN(step) && !this.#newton.factor(step))
      refuseSaved(`${name}.jacobian`, `must give regular matrices for the step ${step}`, entries.jacobian);
  }

  /** Prepares a step: derivative at its start, first step size, scales of the Newton iteration. */
  #begin(end: number): void {
    const { t, y, f } = this.#now;
    const { relative, absolute, largest } = this.#tolerances;
    if (this.#memory.startRate === "unknown") this.#evaluateStart();
    if (!this.#memory.begun) {
      const longest = Math.min(end - t, largest);
      const { errorOrder } = PREDICTIVE;
      const { firstStep, f0 } = this.#memory;
      this.#control.restart(
        Number.isNaN(firstStep) ? startingStep(f, this.#norm, errorOrder, t, longest, y, f0, this.#stage, this.#f1) : firstStep,
      );
    }
    const newtonTolerance = Math.min(NEWTON_SHARE * relative, NEWTON_LOOSEST);
    const share = Math.max(newtonTolerance, 10 * Number.EPSILON) / relative;
    const perScale = this.#perScale;
    for (let i = 0; i < y.length; i++) perScale[i] = 1 / (share * (absolute + relative * Math.abs(y[i]!)));
  }

  #evaluateStart(): void {
    const { t, y, f } = this.#now;
    f(t, y, this.#memory.f0);
    if (!isFiniteVector(this.#memory.f0)) throw notFiniteError(this.#name, this.#memory.f0, t);
    this.#memory.startRate = "exact";
  }

  #renewJacobian(): void {
    const { t, y, f } = this.#now;
    const problem = this.#problem;
    if (problem.jacobian !== undefined) problem.jacobian(t, y, this.#J, jacobian);
    else {
      if (this.#memory.startRate !== "exact") this.#evaluateStart();
      const typical = this.#tolerances.absolute / this.#tolerances.relative;
      differenceJacobian(f, t, y, this.#memory.f0, typical, this.#J, this.#stage, this.#f1, problem.integrals);
    }
    this.#newton.setJacobian(this.#J);
    this.#memory.jacobianKnown = this.#memory.jacobianFresh = true;
    this.#memory.factoredFor = Number.NaN;
  }

  /** Start of the Newton iteration: the last collocation polynomial, extrapolated. */
  #predict(h: number): void {
    const last = this.#now.t - this.#now.previous;
    const [p1, p2, p3] = this.#memory.past;
    const weights = this.#weights;
    for (let s = 0; s < 3; s++) {
      const z = this.#newton.Z[s]!;
      if (!this.#memory.begun) {
        z.fill(0);
        continue;
      }
      lagrangeWeights(COLLOCATION_NODES, 4, 1 + (NODES[s]! * h) / last, weights, 0);
      const a = weights[1]!;
      const b = weights[2]!;
      const c = weights[3]! - 1;
      for (let i = 0; i < z.length; i++) z[i] = a * p1[i]! + b * p2[i]! + c * p3[i]!;
    }
  }

  /** Difference to the embedded solution of order 3, filtered by the stiff part, in units of the tolerance. */
  #estimate(h: number, rate: Float64Array): number {
    const [z1, z2, z3] = this.#newton.Z;
    const error = this.#error;
    const a = ERROR[0]! / h;
    const b = ERROR[1]! / h;
    const c = ERROR[2]! / h;
    for (let i = 0; i < error.length; i++) error[i] = rate[i]! + (a * z1[i]! + b * z2[i]! + c * z3[i]!);
    this.#newton.solveReal(error);
    return this.#norm.of(error, this.#now.y, this.#now.other);
  }

  /** Solves the planned step and writes its end to `other`. After "failed" or "stale" (Jacobian) the step must be planned again. */
  #attempt(): "made" | "failed" | "stale" {
    const { t, y, other, f, counts } = this.#now;
    const newton = this.#newton;
    const h = this.#control.size;
    const memory = this.#memory;
    if (!memory.jacobianKnown) this.#renewJacobian();
    if (!(Math.abs(h / memory.factoredFor - 1) <= SAME_STEP)) {
      memory.factoredFor = newton.factor(h) ? h : Number.NaN;
      if (Number.isNaN(memory.factoredFor)) return this.#repair("finite");
    }
    this.#predict(h);
    if (!newton.solve(f, t, this.#control.next, h, y, this.#perScale))
      return this.#repair(isFiniteVector(newton.Z[2]) ? "finite" : "not finite");
    for (let i = 0; i < y.length; i++) other[i] = y[i]! + newton.Z[2][i]!;
    let size = this.#estimate(h, memory.f0);
    if (size > 1) {
      // Stiff parts that are still decaying make the first estimate too large: one evaluation costs less than a step [HW II, IV.8 (8.20)].
      const [stage, error] = [this.#stage, this.#error];
      for (let i = 0; i < y.length; i++) stage[i] = y[i]! + error[i]!;
      f(t, stage, this.#f1);
      size = this.#estimate(h, this.#f1);
    }
    const caution = (2 * MAX_ITERATIONS + 1) / (2 * MAX_ITERATIONS + newton.iterations);
    if (this.#control.judge(size, caution)) return "made";
    counts.rejected++;
    return "failed";
  }

  /** After a failed iteration: a new Jacobian, or a shorter step if the Jacobian is new already. */
  #repair(stages: "finite" | "not finite"): "failed" | "stale" {
    if (stages === "finite" && !this.#memory.jacobianFresh) {
      this.#memory.jacobianKnown = false;
      return "stale";
    }
    if (stages === "finite") this.#control.shorten(0.4);
    else this.#control.judge(Number.NaN, 1);
    this.#now.counts.rejected++;
    return "failed";
  }
}

/**
 * Tolerances of the error estimate. The estimate behaves like h^4, the error like h^5. With tolerance^(4/5) for the estimate, the error falls in
 * proportion to the tolerance, as with the explicit methods.
 */
function estimateTolerances({ relative, absolute, largest }: Tolerances): Tolerances {
  const estimated = 0.6 * power(relative, 0.8);
  return { relative: estimated, absolute: (estimated * absolute) / relative, largest };
}
