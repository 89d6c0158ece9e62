/**
 * Simplified Newton iteration for the stages of Radau IIA, Z = h A F(y + Z), in the transformed variables W = T^-1 Z [HW II, IV.8]:
 *
 *   (Lambda / h - J) dW = T^-1 F(y + Z) - Lambda W / h                                                        (1)
 *
 * with one real and one complex factorisation, kept as long as h and J are. Integrals, on which nothing depends, are left out of both and follow
 * from the others by their rows of (1).
 */
import { compiledComplexLU, compiledRealLU } from "../../../kernel/emit/wasm/compiled-lu.ts";
import { power } from "../../../math/elementary/power.ts";
import type { Derivative } from "../integrator.ts";
import { ALPHA, BETA, GAMMA, NODES, T, T_INVERSE } from "./radau-coefficients.ts";

export interface RadauNewton {
  /** Z1, Z2, Z3: in, where the iteration starts; out, its result. */
  readonly Z: readonly [Float64Array, Float64Array, Float64Array];
  /** Contraction seen in the last solve, and its iterations. */
  readonly rate: number;
  readonly iterations: number;
  /** Takes a Jacobian; the matrices are to be factored after it. */
  setJacobian(J: Float64Array): void;
  /** Factors the matrices of a step h. False if one is singular. */
  factor(h: number): boolean;
  /** Iterates until the error of Z is below 1 in the norm with 1 / `perScale`. False if that will not be. */
  solve(f: Derivative, t0: number, t1: number, h: number, y: Float64Array, perScale: Float64Array): boolean;
  /** The rate at the end of the step by its collocation polynomial, F3 = (A^-1 Z)_3 / h: but for what Z lacks, f there. */
  endDerivative(out: Float64Array): void;
  /** Solves (gamma / h - J) x = b in place. */
  solveReal(b: Float64Array): void;
}

export const MOST_ITERATIONS = 8;

// As numbers: of arrays they would be read anew for each component. The last row of T is (1, 1, 0).
const [T11, T12, T13, T21, T22, T23] = T as unknown as readonly [number, number, number, number, number, number];
const [I11, I12, I13, I21, I22, I23, I31, I32, I33] = T_INVERSE as unknown as NineEntries;
type NineEntries = readonly [number, number, number, number, number, number, number, number, number];

/** Of a problem of n components, of which so many coordinates come first and so many integrals last. */
export function radauNewton(n: number, coordinates = 0, integrals = 0): RadauNewton {
  const m = n - integrals;
  const real = compiledRealLU(m, coordinates);
  const complex = compiledComplexLU(m, coordinates);
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
      const v = w2[i]!;
      const w = w3[i]!;
      f1[i] = I11 * a + I12 * b + I13 * c - gamma * w1[i]!;
      f2[i] = I21 * a + I22 * b + I23 * c - (alpha * v - beta * w);
      f3[i] = I31 * a + I32 * b + I33 * c - (beta * v + alpha * w);
    }
  }

  /** Adds dW to W, with Z = T W, and gives the root mean square of the change of Z, in units of its scale. */
  function update(perScale: Float64Array): number {
    const [d1, d2, d3] = F;
    const [w1, w2, w3] = W;
    const [z1, z2, z3] = Z;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const p = d1[i]!;
      const q = d2[i]!;
      const r = d3[i]!;
      const scale = perScale[i]!;
      const a = (T11 * p + T12 * q + T13 * r) * scale;
      const b = (T21 * p + T22 * q + T23 * r) * scale;
      const c = (p + q) * scale;
      sum += a * a + b * b + c * c;
      const u = w1[i]! + p;
      const v = w2[i]! + q;
      const w = w3[i]! + r;
      w1[i] = u;
      w2[i] = v;
      w3[i] = w;
      z1[i] = T11 * u + T12 * v + T13 * w;
      z2[i] = T21 * u + T22 * v + T23 * w;
      z3[i] = u + v;
    }
    return Math.sqrt(sum / (3 * n));
  }

  /** W = T^-1 Z */
  function transform(): void {
    const [w1, w2, w3] = W;
    const [z1, z2, z3] = Z;
    for (let i = 0; i < n; i++) {
      const a = z1[i]!;
      const b = z2[i]!;
      const c = z3[i]!;
      w1[i] = I11 * a + I12 * b + I13 * c;
      w2[i] = I21 * a + I22 * b + I23 * c;
      w3[i] = I31 * a + I32 * b + I33 * c;
    }
  }

  /** A row of the Jacobian of the integrals, which begins at e, times x; in four sums that do not wait for each other. */
  function rowTimes(e: number, x: Float64Array): number {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let j = 0;
    for (; j + 3 < m; j += 4) {
      a += lower[e + j]! * x[j]!;
      b += lower[e + j + 1]! * x[j + 1]!;
      c += lower[e + j + 2]! * x[j + 2]!;
      d += lower[e + j + 3]! * x[j + 3]!;
    }
    for (; j < m; j++) a += lower[e + j]! * x[j]!;
    return a + b + (c + d);
  }

  function solveReal(b: Float64Array): void {
    real.solve(b);
    for (let i = m, e = 0; i < n; i++, e += m) b[i] = ((b[i]! + rowTimes(e, b)) * step) / GAMMA;
  }

  function solveComplex(re: Float64Array, im: Float64Array): void {
    complex.solve(re, im);
    const perSquare = step / (ALPHA * ALPHA + BETA * BETA);
    for (let i = m, e = 0; i < n; i++, e += m) {
      const x = re[i]! + rowTimes(e, re);
      const y = im[i]! + rowTimes(e, im);
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
    endDerivative(out) {
      const [w1, w2, w3] = W;
      for (let i = 0; i < n; i++) out[i] = (GAMMA * w1[i]! + (ALPHA * w2[i]! - BETA * w3[i]!)) / step;
    },
    setJacobian(J) {
      for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) E[i * rowLength + j] = -J[i * n + j]!;
      for (let i = m, e = 0; i < n; i++) for (let j = 0; j < m; j++) lower[e++] = J[i * n + j]!;
      for (let i = 0; i < m; i++) diagonal[i] = J[i * n + i]!;
      real.analysePattern(E);
      complex.analysePattern(E, EI);
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
      transform();
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
}
