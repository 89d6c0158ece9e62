/**
 * Simplified Newton iteration for the stages of Radau IIA, Z = h A F(y + Z), in the transformed variables W = T^-1 Z [HW II, IV.8]. The
 * factorisations are kept as long as h and J do not change.
 */
import { power } from "../../../math/elementary/power.ts";
import type { Derivative } from "../integrator.ts";
import { NODES } from "./radau-coefficients.ts";
import { RadauMatrices } from "./radau-matrices.ts";
import type { StageVectors } from "./radau-transform.ts";
import { applyIncrement, newtonResidual, polynomialEndRate, stageVectors, transformStages } from "./radau-transform.ts";

export const MAX_ITERATIONS = 8;

export class RadauNewton {
  /** Z1, Z2, Z3. On input of `solve` the start of the iteration, on output its result. */
  readonly Z: StageVectors;
  readonly #W: StageVectors;
  readonly #F: StageVectors;
  readonly #stage: Float64Array;
  readonly #matrices: RadauMatrices;
  #rate = 0;
  #iterations = 0;

  /** @param coordinates number of coordinates, the first components; @param integrals number of integrals, the last components */
  constructor(n: number, coordinates = 0, integrals = 0) {
    this.Z = stageVectors(n);
    this.#W = stageVectors(n);
    this.#F = stageVectors(n);
    this.#stage = new Float64Array(n);
    this.#matrices = new RadauMatrices(n, coordinates, integrals);
  }

  /** Contraction rate of the last `solve`. */
  get rate(): number {
    return this.#rate;
  }

  /** Number of iterations of the last `solve`. */
  get iterations(): number {
    return this.#iterations;
  }

  /** Takes a new Jacobian. `factor` must be called after it. */
  setJacobian(J: Float64Array): void {
    this.#matrices.setJacobian(J);
  }

  /** Factors the matrices for a step h. False if one is singular. */
  factor(h: number): boolean {
    return this.#matrices.factor(h);
  }

  /** Iterates until the error of Z is below 1 in the norm with weights `perScale`. False if the iteration does not converge. */
  solve(f: Derivative, t0: number, t1: number, h: number, y: Float64Array, perScale: Float64Array): boolean {
    const Z = this.Z;
    const W = this.#W;
    const F = this.#F;
    transformStages(Z, W);
    let before = 0;
    this.#rate = 0;
    for (this.#iterations = 1; this.#iterations <= MAX_ITERATIONS; this.#iterations++) {
      this.#evaluateStages(f, t0, t1, h, y);
      newtonResidual(F, W, h);
      this.#matrices.solveReal(F[0]);
      this.#matrices.solveComplex(F[1], F[2]);
      const change = applyIncrement(F, W, Z, perScale);
      if (!Number.isFinite(change)) return false;
      if (change === 0) return true;
      if (this.#iterations > 1) {
        const rate = this.#iterations === 2 ? change / before : Math.sqrt((this.#rate * change) / before);
        this.#rate = rate;
        if (rate >= 0.99) return false;
        const remaining = (rate / (1 - rate)) * change;
        if (remaining <= 1) return true;
        if (remaining * power(rate, MAX_ITERATIONS - this.#iterations) > 10) return false;
      }
      before = change;
    }
    return false;
  }

  /** Derivative of the collocation polynomial at the end of the step. It equals f there up to the error of Z. */
  endDerivative(out: Float64Array): void {
    polynomialEndRate(this.#W, this.#matrices.step, out);
  }

  /** Solves (gamma / h - J) x = b in place. */
  solveReal(b: Float64Array): void {
    this.#matrices.solveReal(b);
  }

  /** F_s = f(t_s, y + Z_s) */
  #evaluateStages(f: Derivative, t0: number, t1: number, h: number, y: Float64Array): void {
    const stage = this.#stage;
    const n = stage.length;
    for (let s = 0; s < 3; s++) {
      const z = this.Z[s]!;
      for (let i = 0; i < n; i++) stage[i] = y[i]! + z[i]!;
      f(s === 2 ? t1 : t0 + NODES[s]! * h, stage, this.#F[s]!);
    }
  }
}
