/**
 * Equations of rest: the forces that are not balanced at a position with zero speeds and zero accelerations, and their derivatives,
 *
 *   f(q) = -r(q, 0, 0, λ) = 0,   with the multipliers λ that leave the smallest f,   and closed loops.
 *
 * The stiffness K = -Zᵀ ∂f/∂s Z has no part of the mass matrix. The stiffness of small motions about a state that accelerates has one: it is
 * the derivative of M u̇ too, so it is not the matrix of Newton's method for f = 0.
 */
import type { TangentDirection, TangentEvaluator } from "../kernel/trace/tangents.ts";
import { transposedProduct } from "../math/linear/dense-matrix.ts";
import { type Layout, scheduledInputs, startingStates } from "../sim/system/layout.ts";
import { congruence, type LoopNullSpace, loopNullSpace } from "./loop-null-space.ts";
import { coordinateDirections, type residualProgram } from "./residual-program.ts";

/** The equations of rest at a position. Matrices are m by m, by rows, in changes σ with δs = Z σ. */
export interface StaticState {
  readonly q: Float64Array;
  readonly m: number;
  /** Z: nu by m, by rows, its columns orthonormal. */
  readonly basis: Float64Array;
  readonly mass: Float64Array;
  readonly stiffness: Float64Array;
  /** f in the space of speeds; zero at locked freedoms. */
  readonly force: Float64Array;
  /** Zᵀ f. */
  readonly imbalance: Float64Array;
  /** Smallest change in the space of speeds that closes the loops. */
  readonly misfit: Float64Array;
}

export interface StaticEquations {
  at(q: Float64Array, t: number): StaticState;
  /** The misfit alone. It costs much less than the whole state. */
  misfitAt(q: Float64Array, t: number): Float64Array;
}

type ResidualProgram = ReturnType<typeof residualProgram>["program"];
type ResidualEvaluator = TangentEvaluator<ResidualProgram["inputs"], ResidualProgram["outputs"]>;

/** @param free indices of the speeds that are not locked */
export function staticEquations(
  layout: Layout,
  residual: ResidualEvaluator,
  rows: number,
  free: readonly number[],
): StaticEquations {
  const { model } = layout;
  const { nu } = model;
  const { x, y, inputs: into, outputs: from } = residual;
  const read = (first: number, size: number): Float64Array => y.slice(first, first + size);
  const derivatives = (directions: readonly TangentDirection[]): Float64Array =>
    residual.directionalDerivatives(directions).slice(from.r * nu, (from.r + nu) * nu);
  const evaluate = (q: Float64Array, t: number): LoopNullSpace => {
    x.fill(0);
    x[into.t] = t;
    x.set(q, into.q);
    x.set(startingStates(layout), into.z);
    x.set(scheduledInputs(layout, t), into.held);
    residual.evaluate();
    return loopNullSpace(read(from.J, rows * nu), rows, nu, free);
  };
  return {
    at(q, t) {
      const loops = evaluate(q, t);
      const { basis, m } = loops;
      const misfit = loops.closing(read(from.residual, rows), 1);
      const M = derivatives(Array.from({ length: nu }, (_, k) => [{ input: into.udot + k, rate: 1 }]));
      x.set(loops.multipliers(read(from.r, nu)), into.lambda);
      residual.evaluate();
      const force = new Float64Array(nu);
      for (const k of free) force[k] = -y[from.r + k]!;
      return {
        q,
        m,
        basis,
        mass: congruence(basis, M, nu, m),
        stiffness: congruence(basis, derivatives(coordinateDirections(model, q, into.q)), nu, m),
        force,
        imbalance: transposedProduct(basis, force, nu, m, 1),
        misfit,
      };
    },
    misfitAt(q, t) {
      return evaluate(q, t).closing(read(from.residual, rows), 1);
    },
  };
}
