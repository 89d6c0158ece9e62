/** Dependent coordinates and speeds of formulations that eliminate them: completes a state from its independent part. */
import type { Dependents } from "../../dynamics/formulation.ts";
import { SingularError, UnreachableError } from "../../errors.ts";
import type { Layout } from "./layout.ts";
import type { LoopSets } from "./loop-sets.ts";
import type { MotionEvaluator } from "./motion-evaluator.ts";

export class DependentCompletion {
  readonly #loops: LoopSets;
  readonly #motion: MotionEvaluator;
  readonly #completed: Float64Array;
  readonly #completedQ: Float64Array;
  readonly #completedU: Float64Array;
  /** Time and reason of the last failure. */
  #failure: { readonly t: number; readonly reason: string } | undefined;

  constructor({ nq, nu, ny }: Layout, loops: LoopSets, motion: MotionEvaluator) {
    this.#loops = loops;
    this.#motion = motion;
    this.#completed = new Float64Array(ny);
    this.#completedQ = this.#completed.subarray(0, nq);
    this.#completedU = this.#completed.subarray(nq, nq + nu);
  }

  /** Undefined if the formulation has none at present. */
  get dependents(): Dependents | undefined {
    return this.#motion.isOneKernel ? undefined : this.#loops.current.equations().dependents;
  }

  /** A copy of the state with its dependent part computed; undefined if there is no solution. Valid until the next call. */
  completedState(dependents: Dependents, t: number, y: Float64Array): Float64Array | undefined {
    this.#completed.set(y);
    return this.complete(dependents, this.#completedQ, this.#completedU, t) ? this.#completed : undefined;
  }

  /** Computes the dependent part of q and u in place. False if there is no solution. */
  complete(dependents: Dependents, q: Float64Array, u: Float64Array, t: number): boolean {
    try {
      dependents.complete(q, u, t);
      return true;
    } catch (error) {
      if (!(error instanceof SingularError || error instanceof UnreachableError)) throw error;
      this.#failure = { t, reason: error.message };
      return false;
    }
  }

  /** Reason of a failure at some time since `since`; empty if there was none. */
  failures(since: number): readonly string[] {
    return this.#failure && this.#failure.t >= since ? [this.#failure.reason] : [];
  }

  /** Start of a run. */
  begin(): void {
    this.#failure = undefined;
  }
}
