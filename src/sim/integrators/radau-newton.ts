/**
 * Simplified Newton iteration for the stages of Radau IIA, Z = h A F(y + Z), in the transformed variables W = T^-1 Z [HW II, IV.8]:
 *
 *   (Lambda / h - J) dW = T^-1 F(y + Z) - Lambda W / h                                                        (1)
 *
 * with one real and one complex factorisation, kept as long as h and J are. Integrals, on which nothing depends, are left out of both and follow
 * from the others by their rows of (1).
 */
import { complexFactors, realFactors } from "../../kernel/compiled-lu.ts";
import { power } from "../../math/power.ts";
import type { Derivative } from "../integrator.ts";
import { ALPHA, BETA, GAMMA, NODES, T, T_INVERSE } from "./radau-coefficients.ts";

export interface RadauNewton {
  /** Z1, Z2, Z3: in, where the iteration starts; out, its result. */
  readonly Z: readonly [Float64Array, Float64Array, Float64Array];
  /** Contraction seen in the last solve, and its iterations. */
  readonly rate: number;
  readonly iterations: number;
  /** Takes a Jacobian; the matrices are to be factored after it. */
  take(J: Float64Array): void;
  /** Factors the matrices of a step h. False if one is singular. */
  factor(h: number): boolean;
  /** Iterates until the error of Z is below 1 in the norm with 1 / `perScale`. False if that will not be. */
  solve(f: Derivative, t0: number, t1: number, h: number, y: Float64Array, perScale: Float64Array): boolean;
  /** The rate at the end of the step by its collocation polynomial, F3 = (A^-1 Z)_3 / h: but for what Z lacks, f there. */
  lastRate(out: Float64Array): void;
  /** Solves (gamma / h - J) x = b in place. */
  solveReal(b: Float64Array): void;
}

export const MOST_ITERATIONS = 8;

/** Of a problem of n components, of which so many coordinates come first and so many integrals last. */
export function radauNewton(n: number, coordinates = 0, integrals = 0): RadauNewton {
  const m = n - integrals;
  const real = realFactors(m, coordinates);
  const complex = complexFactors(m, coordinates);
  const { rowLength } = real;
  const E = new Float64Array(m * rowLength);
  const EI = new Float64Array(m * rowLength);
  /** Rows of the Jacobian of the integrals, and the step that is factored. */
  const lower = new Float64Array(integrals * m);
  const diagonal = new Float64Array(m);
  let step = 0;
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

  function solveReal(b: Float64Array): void {
    real.solve(b);
    for (let i = m, e = 0; i < n; i++) {
      let sum = b[i]!;
      for (let j = 0; j < m; j++) sum += lower[e++]! * b[j]!;
      b[i] = (sum * step) / GAMMA;
    }
  }

  function solveComplex(re: Float64Array, im: Float64Array): void {
    complex.solve(re, im);
    const perSquare = step / (ALPHA * ALPHA + BETA * BETA);
    for (let i = m, e = 0; i < n; i++) {
      let x = re[i]!;
      let y = im[i]!;
      for (let j = 0; j < m; j++) {
        const entry = lower[e++]!;
        x += entry * re[j]!;
        y += entry * im[j]!;
      }
      re[i] = (ALPHA * x + BETA * y) * perSquare;
      im[i] = (ALPHA * y - BETA * x) * perSquare;
    }
  }

  return {
    Z,
    get rate() {
      return rate;
    },
    get iterations() {
      return iterations;
    },
    lastRate(out) {
      const [w1, w2, w3] = W;
      for (let i = 0; i < n; i++) out[i] = (GAMMA * w1[i]! + (ALPHA * w2[i]! - BETA * w3[i]!)) / step;
    },
    take(J) {
      for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) E[i * rowLength + j] = -J[i * n + j]!;
      for (let i = m, e = 0; i < n; i++) for (let j = 0; j < m; j++) lower[e++] = J[i * n + j]!;
      for (let i = 0; i < m; i++) diagonal[i] = J[i * n + i]!;
      real.look(E);
      complex.look(E, EI);
    },
    factor(h) {
      step = h;
      for (let i = 0; i < m; i++) E[i * rowLength + i] = GAMMA / h - diagonal[i]!;
      if (!real.factor(E)) return false;
      for (let i = 0; i < m; i++) {
        E[i * rowLength + i] = ALPHA / h - diagonal[i]!;
        EI[i * rowLength + i] = BETA / h;
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
        solveReal(F[0]);
        solveComplex(F[1], F[2]);
        const change = update(perScale);
        if (!Number.isFinite(change)) return false;
        if (change === 0) return true;
        if (iterations > 1) {
          rate = iterations === 2 ? change / before : Math.sqrt((rate * change) / before);
          if (rate >= 0.99) return false;
          const missing = (rate / (1 - rate)) * change;
          if (missing <= 1) return true;
          if (missing * power(rate, MOST_ITERATIONS - iterations) > 10) return false;
        }
        before = change;
      }
      return false;
    },
    solveReal,
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
