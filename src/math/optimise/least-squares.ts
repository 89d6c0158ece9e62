/**
 * Nonlinear least squares with bounds by the Levenberg-Marquardt method. Parameters that a step would move beyond a bound are held at it.
 */
import { choleskySolver } from "../linear/cholesky.ts";

export interface LeastSquaresFit {
  readonly x: Float64Array;
  /** Sum of squared residuals. */
  readonly cost: number;
  /** ∂r/∂x by rows, at x. */
  readonly J: Float64Array;
  readonly r: Float64Array;
  /** False if the search ended because of `maxSteps`. */
  readonly converged: boolean;
}

export interface LeastSquaresProblem {
  /** Residuals at x. Where the model has no value they are infinite; the start must be finite. */
  readonly residuals: (x: Float64Array) => Float64Array;
  /** Moves x into its bounds. */
  readonly confine?: (x: Float64Array) => void;
  readonly maxSteps?: number;
  /** Step of the differences, relative to the larger of x and 1. Residuals with an error need a larger one than the default. */
  readonly differenceStep?: number;
  /** Relative decrease of the cost below which the search ends. */
  readonly enough?: number;
}

const DIFFERENCE_STEP = 1e-6;
const ENOUGH = 1e-14;

export function leastSquares(
  { residuals, confine = () => {}, maxSteps: most = 100, differenceStep = DIFFERENCE_STEP, enough = ENOUGH }: LeastSquaresProblem,
  start: Float64Array,
): LeastSquaresFit {
  const n = start.length;
  let x: Float64Array = Float64Array.from(start);
  confine(x);
  let r = residuals(x);
  let cost = sumOfSquares(r);
  let J = residualJacobian(residuals, confine, x, r, differenceStep);
  let damping = 1e-3;
  let converged = false;
  for (let step = 0; step < most; step++) {
    const g = new Float64Array(n);
    for (let i = 0; i < r.length; i++) for (let j = 0; j < n; j++) g[j]! += J[i * n + j]! * r[i]!;
    let isBetter = false;
    for (let trial = 0; trial < 12 && !isBetter; trial++) {
      const next = dampedStep(x, J, g, r.length, damping, confine);
      const rNext = next && residuals(next);
      const costNext = rNext ? sumOfSquares(rNext) : Number.POSITIVE_INFINITY;
      if (costNext < cost) {
        isBetter = cost - costNext > enough * cost;
        x = next!;
        r = rNext!;
        cost = costNext;
        damping = Math.max(1e-12, damping / 5);
        if (!isBetter) break;
      } else damping *= 6;
    }
    converged = !isBetter;
    if (converged) break;
    J = residualJacobian(residuals, confine, x, r, differenceStep);
  }
  return { x, cost, J, r, converged };
}

export const sumOfSquares = (r: Float64Array): number => r.reduce((sum, v) => sum + v * v, 0);

/** One damped step. Parameters that the bounds keep from moving are held, and the step is solved again for the others. */
function dampedStep(
  x: Float64Array,
  J: Float64Array,
  g: Float64Array,
  rows: number,
  damping: number,
  confine: (x: Float64Array) => void,
): Float64Array | undefined {
  const n = x.length;
  let free = Array.from({ length: n }, (_, i) => i);
  for (let round = 0; round < n; round++) {
    const m = free.length;
    const A = new Float64Array(m * m);
    for (let a = 0; a < m; a++)
      for (let b = 0; b < m; b++) {
        let sum = 0;
        for (let i = 0; i < rows; i++) sum += J[i * n + free[a]!]! * J[i * n + free[b]!]!;
        A[a * m + b] = a === b ? sum * (1 + damping) + 1e-300 : sum;
      }
    const cholesky = choleskySolver(m);
    if (cholesky.factor(A) >= 0) return undefined;
    const d = Float64Array.from(free, (i) => -g[i]!);
    cholesky.solve(d);
    const next = Float64Array.from(x);
    for (const [a, i] of free.entries()) next[i]! += d[a]!;
    confine(next);
    const blocked = free.filter((i, a) => d[a] !== 0 && next[i] === x[i]);
    if (blocked.length === 0 || blocked.length === m) return next;
    free = free.filter((i) => !blocked.includes(i));
  }
  return undefined;
}

/** Jacobian of the residuals by central differences; one-sided at a bound, and where the model has no value on one side. */
export function residualJacobian(
  residuals: (x: Float64Array) => Float64Array,
  confine: (x: Float64Array) => void,
  x: Float64Array,
  r: Float64Array,
  step: number,
): Float64Array {
  const n = x.length;
  const J = new Float64Array(r.length * n);
  for (let j = 0; j < n; j++) {
    const shiftedResiduals = (sign: number): { readonly r: Float64Array; readonly h: number } => {
      const shifted = Float64Array.from(x);
      shifted[j]! += sign * step * Math.max(1, Math.abs(x[j]!));
      confine(shifted);
      const h = shifted[j]! - x[j]!;
      const value = h === 0 ? r : residuals(shifted);
      return value.every(Number.isFinite) ? { r: value, h } : { r, h: 0 };
    };
    const [up, down] = [shiftedResiduals(1), shiftedResiduals(-1)];
    const span = up.h - down.h;
    if (span === 0) continue;
    for (let i = 0; i < r.length; i++) J[i * n + j] = (up.r[i]! - down.r[i]!) / span;
  }
  return J;
}
