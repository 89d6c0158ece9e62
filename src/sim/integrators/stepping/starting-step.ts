import { power } from "../../../math/elementary/power.ts";
import type { Derivative } from "../integrator.ts";
import type { ErrorNorm } from "./error-norm.ts";

/** Shortest first step, relative to t. An end that is nearer says nothing about the motion after it. */
const SHORTEST = 4096 * Number.EPSILON;

/** Smallest first step, relative to t: time can resolve it. A guess below it says nothing; the error of the step decides. */
const RESOLVED = 64 * Number.EPSILON;

/**
 * First step from the magnitudes of y, of f and of the change of f over a small Euler step [HNW I, II.4]. The leading term of the error is
 * then about a hundredth of the tolerance.
 */
export function startingStep(
  f: Derivative,
  norm: ErrorNorm,
  errorOrder: number,
  t: number,
  toEnd: number,
  y: Float64Array,
  f0: Float64Array,
  stage: Float64Array,
  f1: Float64Array,
): number {
  const longest = Math.max(toEnd, SHORTEST * Math.abs(t));
  if (!norm.controls) return longest;
  const d0 = norm.of(y, y, y);
  const d1 = norm.of(f0, y, y);
  const h0 = Math.min(longest, d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : (0.01 * d0) / d1);
  for (let i = 0; i < y.length; i++) stage[i] = y[i]! + h0 * f0[i]!;
  f(t + h0, stage, f1);
  for (let i = 0; i < y.length; i++) f1[i]! -= f0[i]!;
  const curvature = norm.of(f1, y, y) / h0;
  const change = Math.max(d1, Number.isFinite(curvature) ? curvature : 0);
  const h1 = change <= 1e-15 ? Math.max(1e-6, 1e-3 * h0) : power(0.01 / change, 1 / errorOrder);
  return Math.max(Math.min(100 * h0, h1, longest), RESOLVED * Math.abs(t));
}
