/**
 * Simplified Newton iteration for the stages of Radau IIA, Z = h A F(y + Z), in the transformed variables W = T^-1 Z [HW II, IV.8]:
 *
 *   (Lambda / h - J) dW = T^-1 F(y + Z) - Lambda W / h                                                        (1)
 *
 * with one real and one complex factorisation, kept as long as h and J are.
 */
import { complexLU } from "../../math/complex-lu.ts";
import { denseLU } from "../../math/dense-lu.ts";
import type { Derivative } from "../integrator.ts";
import { ALPHA, BETA, GAMMA, NODES, T, T_INVERSE } from "./radau-coefficients.ts";

export interface RadauNewton {
  /** Z1, Z2, Z3: in, where the iteration starts; out, its result. */
  readonly Z: readonly [Float64Array, Float64Array, Float64Array];
  /** Contraction seen in the last solve, and its iterations. */
  readonly rate: number;
  readonly iterations: number;
  /** Factors the matrices of a step h with Jacobian J. False if one is singular. */
  factor(h: number, J: Float64Array): boolean;
  /** Iterates until the error of Z is below 1 in the norm with 1 / `perScale`. False if that will not be. */
  solve(f: Derivative, t0: number, t1: number, h: number, y: Float64Array, perScale: Float64Array): boolean;
  /** Solves (gamma / h - J) x = b in place. */
  solveReal(b: Float64Array): void;
}

export const MOST_ITERATIONS = 8;

/** Of a problem of n components, of which so many coordinates come first. */
export function radauNewton(n: number, coordinates = 0): RadauNewton {
  const real = denseLU(n, coordinates);
  const complex = complexLU(n, coordinates);
  const E = new Float64Array(n * n);
  const EI = new Float64Array(n * n);
  const three = (): [Float64Array, Float64Array, Float64Array] => [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const Z = three();
  const W = three();
  const F = three();
  const stage = new Float64Array(n);
  let rate = 0;
  let iterations = 0;

  function evaluate(f: Derivative, t0: number, t1: number, h: number, y: Float64Array): void {
    for (let s = 0; s < 3; s++) {
      const z = Z[s]!;
      for (let i = 0; i < n; i++) stage[i] = y[i]! + z[i]!;
      f(s === 2 ? t1 : t0 + NODES[s]! * h, stage, F[s]!);
    }
  }

  /** Right-hand side of (1), over F. */
  function residual(h: number): void {
    const [f1, f2, f3] = F;
    const [w1, w2, w3] = W;
    const gamma = GAMMA / h;
    const alpha = ALPHA / h;
    const beta = BETA / h;
    for (let i = 0; i < n; i++) {
      const a = f1[i]!;
      const b = f2[i]!;
      const c = f3[i]!;
      f1[i] = T_INVERSE[0]! * a + T_INVERSE[1]! * b + T_INVERSE[2]! * c - gamma * w1[i]!;
      f2[i] = T_INVERSE[3]! * a + T_INVERSE[4]! * b + T_INVERSE[5]! * c - (alpha * w2[i]! - beta * w3[i]!);
      f3[i] = T_INVERSE[6]! * a + T_INVERSE[7]! * b + T_INVERSE[8]! * c - (beta * w2[i]! + alpha * w3[i]!);
    }
  }

  /** Adds dW and gives the root mean square of the change of Z, in units of its scale. */
  function update(perScale: Float64Array): number {
    const [d1, d2, d3] = F;
    const [w1, w2, w3] = W;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      w1[i]! += d1[i]!;
      w2[i]! += d2[i]!;
      w3[i]! += d3[i]!;
      const a = (T[0]! * d1[i]! + T[1]! * d2[i]! + T[2]! * d3[i]!) * perScale[i]!;
      const b = (T[3]! * d1[i]! + T[4]! * d2[i]! + T[5]! * d3[i]!) * perScale[i]!;
      const c = (d1[i]! + d2[i]!) * perScale[i]!;
      sum += a * a + b * b + c * c;
    }
    transform(T, W, Z);
    return Math.sqrt(sum / (3 * n));
  }

  return {
    Z,
    get rate() {
      return rate;
    },
    get iterations() {
      return iterations;
    },
    factor(h, J) {
      for (let e = 0; e < n * n; e++) E[e] = -J[e]!;
      for (let i = 0; i < n; i++) E[i * n + i] = GAMMA / h - J[i * n + i]!;
      if (!real.factor(E)) return false;
      EI.fill(0);
      for (let i = 0; i < n; i++) {
        E[i * n + i] = ALPHA / h - J[i * n + i]!;
        EI[i * n + i] = BETA / h;
      }
      return complex.factor(E, EI);
    },
    solve(f, t0, t1, h, y, perScale) {
      transform(T_INVERSE, Z, W);
      let before = 0;
      rate = 0;
      for (iterations = 1; iterations <= MOST_ITERATIONS; iterations++) {
        evaluate(f, t0, t1, h, y);
        residual(h);
        real.solve(F[0]);
        complex.solve(F[1], F[2]);
        const change = update(perScale);
        if (!Number.isFinite(change)) return false;
        if (change === 0) return true;
        if (iterations > 1) {
          rate = iterations === 2 ? change / before : Math.sqrt((rate * change) / before);
          if (rate >= 0.99) return false;
          const missing = (rate / (1 - rate)) * change;
          if (missing <= 1) return true;
          if (missing * rate ** (MOST_ITERATIONS - iterations) > 10) return false;
        }
        before = change;
      }
      return false;
    },
    solveReal(b) {
      real.solve(b);
    },
  };

  function transform(M: Float64Array, from: readonly Float64Array[], to: readonly Float64Array[]): void {
    const a = from[0]!;
    const b = from[1]!;
    const c = from[2]!;
    const x = to[0]!;
    const y = to[1]!;
    const z = to[2]!;
    for (let i = 0; i < n; i++) {
      x[i] = M[0]! * a[i]! + M[1]! * b[i]! + M[2]! * c[i]!;
      y[i] = M[3]! * a[i]! + M[4]! * b[i]! + M[5]! * c[i]!;
      z[i] = M[6]! * a[i]! + M[7]! * b[i]! + M[8]! * c[i]!;
    }
  }
}
