/** The right-hand side of a system, ẏ = f(t, y), with everything that acts: input law, numeric elements, dry friction. It allocates nothing. */
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import type { jacobian } from "../../kernel/trace/differentiate.ts";
import { quaternionStarts } from "../../model/model.ts";
import type { FrictionContacts } from "../events/dry-friction.ts";
import type { DerivativeCode, InitialValueProblem } from "../integrators/integrator.ts";
import type { DependentCompletion } from "./dependent-completion.ts";
import { DISSIPATED, type Layout, LEDGER, SUPPLIED } from "./layout.ts";
import type { LoopSets } from "./loop-sets.ts";
import type { MotionEvaluator } from "./motion-evaluator.ts";
import { motionProgram } from "./motion-program.ts";
import type { NumericElements } from "./numeric-elements.ts";

/** Largest state with a compiled Jacobian. Beyond, its kernel takes longer to compile and to run than finite differences. */
const LARGEST_JACOBIAN = 64;

/** Parts of a system that its right-hand side uses. */
export interface SystemParts {
  readonly layout: Layout;
  readonly loops: LoopSets;
  readonly motion: MotionEvaluator;
  readonly dependents: DependentCompletion;
  readonly numeric: NumericElements;
  readonly friction: FrictionContacts;
}

export class RightHandSide {
  /** Writes the commands at a time and state into the held inputs before an evaluation; undefined if they are constant between samples. */
  inputLaw: ((t: number, y: Float64Array) => void) | undefined;
  readonly #parts: SystemParts;
  readonly #options: { readonly target: Target };
  #jacobian: Kernel | undefined;
  /** The only numeric part is dry friction: then the Jacobian is known except for the slope of slipping friction. */
  readonly #hasOnlyFriction: boolean;
  readonly #scratch: Float64Array;
  readonly #quaternions: readonly number[];
  /** Coordinates and speeds of states as views. Making a view allocates, and steps use the same few arrays again. */
  readonly #views = new WeakMap<Float64Array, { readonly q: Float64Array; readonly u: Float64Array }>();

  constructor(parts: SystemParts, options: { readonly target: Target }) {
    const { layout, motion } = parts;
    this.#parts = parts;
    this.#hasOnlyFriction =
      motion.isOneKernel &&
      layout.numeric &&
      layout.model.openLoops.length === 0 &&
      layout.elements.every((e) => e.apply === undefined);
    this.#scratch = new Float64Array(layout.ny);
    this.#quaternions = quaternionStarts(layout.model);
    this.#options = options;
  }

  /** The initial value problem for integrators. */
  problem(): InitialValueProblem {
    const { layout, motion } = this.#parts;
    const { model, ny, nq } = layout;
    const hasManifold = this.#quaternions.length > 0 || model.loops.length + model.openLoops.length > 0;
    const hasJacobian = (motion.fullProgram || this.#hasOnlyFriction) && ny <= LARGEST_JACOBIAN;
    return {
      size: ny,
      coordinates: nq,
      integrals: LEDGER,
      derivative: (t, y, ydot) => this.derivative(t, y, ydot),
      code: () => this.#code(),
      ...(hasManifold && { project: (y: Float64Array, t: number) => this.#project(y, t) }),
      ...(hasJacobian && {
        jacobian: (t: number, y: Float64Array, out: Float64Array, differentiate: typeof jacobian) => {
          this.#jacobian ??= compile(differentiate(motionProgram(layout), "y"), this.#options);
          this.#evaluateJacobian(this.#jacobian, t, y, out);
        },
      }),
    };
  }

  derivative(t: number, state: Float64Array, ydot: Float64Array): void {
    const { layout, motion, dependents, numeric, friction } = this.#parts;
    const following = motion.branch ? undefined : dependents.dependents;
    const y = following ? dependents.completedState(following, t, state) : state;
    if (y === undefined) {
      ydot.fill(Number.NaN); // a shorter step may have a solution
      return;
    }
    this.inputLaw?.(t, y);
    motion.setState(t, y);
    if (!layout.numeric) {
      motion.evaluate(ydot);
      return;
    }
    this.setNumericLoads(t, y);
    friction.addSlipForces(y, motion.tau);
    friction.solveSticking(motion.tau, ydot, this.#evaluate);
    numeric.addRates(ydot);
    const ledger = layout.ny - LEDGER;
    ydot[ledger + DISSIPATED]! += numeric.dissipated + friction.dissipatedPower(y);
    ydot[ledger + SUPPLIED]! += numeric.supplied;
  }

  /** Sets tau and w to the loads of the numeric elements. */
  setNumericLoads(t: number, y: Float64Array): void {
    const { motion, numeric } = this.#parts;
    motion.tau.fill(0);
    motion.w.fill(0);
    numeric.apply(t, y, motion.tau, motion.w);
  }

  readonly #evaluate = (ydot: Float64Array): void => this.#parts.motion.evaluate(ydot);

  /** The derivative as one kernel, if no numeric code must run before or after it. */
  #code(): DerivativeCode | undefined {
    const { layout, motion, dependents } = this.#parts;
    return layout.numeric || this.inputLaw || dependents.dependents ? undefined : motion.code();
  }

  #evaluateJacobian(kernel: Kernel, t: number, y: Float64Array, out: Float64Array): void {
    const { motion, friction } = this.#parts;
    const offsets = motion.offsets;
    this.inputLaw?.(t, y);
    if (this.#hasOnlyFriction) this.derivative(t, y, this.#scratch); // sets tau to the sticking forces
    kernel.x[offsets.t] = t;
    kernel.x.set(y, offsets.y);
    kernel.x.set(motion.held, offsets.held);
    if (this.#hasOnlyFriction) kernel.x.set(motion.tau, offsets.tau);
    kernel.evaluate();
    out.set(kernel.y);
    if (this.#hasOnlyFriction) friction.projectJacobian(out);
  }

  /** Projects y onto the manifold: dependent coordinates, or closed loops; and unit quaternions. */
  #project(y: Float64Array, t: number): void {
    const { dependents, loops, motion } = this.#parts;
    const { branch } = motion;
    const following = branch ? undefined : dependents.dependents;
    const { closed } = loops.current;
    if (branch) {
      const { q, u } = this.#viewsOf(y);
      if (branch.covers(q)) branch.project(t, q, u);
      else closed?.project(t, q, u);
      return;
    }
    if (following) {
      const { q, u } = this.#viewsOf(y);
      if (dependents.complete(following, q, u, t)) following.rechoose(q, t);
      else y.fill(Number.NaN);
    } else if (closed) {
      const { q, u } = this.#viewsOf(y);
      closed.project(t, q, u); // includes the quaternions
      return;
    }
    for (const i of this.#quaternions) {
      const n = 1 / Math.sqrt(y[i]! * y[i]! + y[i + 1]! * y[i + 1]! + y[i + 2]! * y[i + 2]! + y[i + 3]! * y[i + 3]!);
      for (let k = 0; k < 4; k++) y[i + k]! *= n;
    }
  }

  #viewsOf(y: Float64Array): { readonly q: Float64Array; readonly u: Float64Array } {
    const { nq, nu } = this.#parts.layout;
    let views = this.#views.get(y);
    if (!views) {
      views = { q: y.subarray(0, nq), u: y.subarray(nq, nq + nu) };
      this.#views.set(y, views);
    }
    return views;
  }
}
