/**
 * The Newton equations of Radau IIA in the transformed variables W = T^-1 Z, in which they separate (see radau-coefficients.ts):
 *
 *   (Lambda / h - J) dW = T^-1 F(y + Z) - Lambda W / h                                                        (1)
 */
import { ALPHA, BETA, GAMMA, T, T_INVERSE } from "./radau-coefficients.ts";

/** One vector for each of the three stages. */
export type StageVectors = readonly [Float64Array, Float64Array, Float64Array];

export const stageVectors = (n: number): StageVectors => [new Float64Array(n), new Float64Array(n), new Float64Array(n)];

type NineEntries = readonly [number, number, number, number, number, number, number, number, number];

// Constants and not array elements: those would be loaded again for each component. The last row of T is (1, 1, 0).
const [T11, T12, T13, T21, T22, T23] = T as unknown as readonly [number, number, number, number, number, number];
const [I11, I12, I13, I21, I22, I23, I31, I32, I33] = T_INVERSE as unknown as NineEntries;

/** W = T^-1 Z */
export function transformStages([z1, z2, z3]: StageVectors, [w1, w2, w3]: StageVectors): void {
  const n = z1.length;
  for (let i = 0; i < n; i++) {
    const a = z1[i]!;
    const b = z2[i]!;
    const c = z3[i]!;
    w1[i] = I11 * a + I12 * b + I13 * c;
    w2[i] = I21 * a + I22 * b + I23 * c;
    w3[i] = I31 * a + I32 * b + I33 * c;
  }
}

/** Right-hand side of (1); overwrites F. */
export function newtonResidual([f1, f2, f3]: StageVectors, [w1, w2, w3]: StageVectors, h: number): void {
  const n = f1.length;
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

/** W := W + dW, Z := T W. Returns the root mean square of the change of Z, in units of its scale. */
export function applyIncrement(
  [d1, d2, d3]: StageVectors,
  [w1, w2, w3]: StageVectors,
  [z1, z2, z3]: StageVectors,
  perScale: Float64Array,
): number {
  const n = d1.length;
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

/** Derivative of the collocation polynomial at the end of the step, (A^-1 Z)_3 / h. It equals f there up to the error of Z. */
export function polynomialEndRate([w1, w2, w3]: StageVectors, h: number, out: Float64Array): void {
  const n = w1.length;
  for (let i = 0; i < n; i++) out[i] = (GAMMA * w1[i]! + (ALPHA * w2[i]! - BETA * w3[i]!)) / h;
}
