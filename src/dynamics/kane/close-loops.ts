/** Three ways to close the loops in Kane's method: by the envelope of S, by the rank of B, and for a singular M. See loop-solver.ts. */
import { envelope, factorEnvelope, solveEnvelope } from "../../math/linear/envelope-ldl.ts";
import { multiplyTree } from "../../math/linear/tree-ldl.ts";
import { columnProduct, type LoopScratch } from "./loop-scratch.ts";

/** If some rows are dependent, a row farther than this from the span of the others is clearly independent. */
const CLEAR_DISTANCE = 1e-5;
/** Pivots of S above this, relative to its diagonal, leave enough digits: one step of refinement restores the others. */
const HEALTHY_PIVOT = 1e-5;
/** A pivot of the inertia along free motions below this, relative to its diagonal, is a rounded zero. */
const ROUNDING = 64 * Number.EPSILON;
/** Dependent rows contradict each other if their required accelerations differ by more than this, relative to all. */
const CONTRADICTION = 1e-3;

/** S λ = -bias - Bᵀ x₀, then once more for the remainder of Bᵀ x + bias: the second solution restores the digits lost by squaring B. */
export function closeByEnvelope(scratch: LoopScratch, bias: Float64Array, x: Float64Array): boolean {
  const { n, m, rows, supports, shape, S, B, remainder, lambda, tolerance } = scratch;
  for (let a = 0; a < m; a++) {
    for (let b = shape.first[a]!; b < a; b++) S[shape.offset[a]! + b] = columnProduct(scratch, b, B, a * n);
    S[shape.offset[a]! + a] = columnProduct(scratch, a, B, a * n);
  }
  if (!(factorEnvelope(shape, S) > Math.max(HEALTHY_PIVOT, tolerance * tolerance))) return false;
  lambda.fill(0);
  for (const _twice of [1, 2]) {
    for (let a = 0; a < m; a++) remainder[a] = -bias[rows[a]!]! - columnProduct(scratch, a, x, 0);
    solveEnvelope(shape, S, remainder);
    for (let a = 0; a < m; a++) {
      const support = supports[a]!;
      const factor = remainder[a]!;
      lambda[a]! += factor;
      for (let k = 0; k < support.length; k++) x[support[k]!]! += B[a * n + support[k]!]! * factor;
    }
  }
  return true;
}

/**
 * B P = Q R. Closed loops determine the number of independent rows: all rows, or those that are clearly independent. Open loops never have
 * more.
 */
function factorRows(scratch: LoopScratch): void {
  const { m, qr, B, certainty, tolerance, isClosed, settledRank } = scratch;
  qr.factor(B, tolerance, isClosed || settledRank === 0 ? m : settledRank, certainty);
  if (!isClosed) return;
  if (qr.rank < m) qr.factor(B, CLEAR_DISTANCE, m, certainty);
  scratch.settledRank = Math.max(settledRank, qr.rank);
}

/** x := x₀ + B λ by B P = Q R. Returns -1, or a row that contradicts others. */
export function closeByRank(scratch: LoopScratch, bias: Float64Array, x: Float64Array): number {
  factorRows(scratch);
  const { rows, qr, x0, head, lambda } = scratch;
  const { rank, order } = qr;
  x0.set(x);
  qr.applyQTransposed(x);
  for (let k = 0; k < rank; k++) head[k] = -bias[rows[order[k]!]!]!;
  qr.solveTransposed(head);
  for (let k = 0; k < rank; k++) {
    const unconstrained = x[k]!;
    x[k] = head[k]!;
    head[k]! -= unconstrained;
  }
  qr.solve(head, lambda);
  qr.applyQ(x);
  return contradictingRow(scratch, bias, x);
}

/**
 * u̇ = Q y in place of the right-hand side, with y₁ from the rows and y₂ from M along the remaining columns of Q. Returns -1, a row that
 * contradicts others, or -2 if motions without inertia remain.
 */
export function closeAlongFreeMotions(scratch: LoopScratch, M: Float64Array, bias: Float64Array, rhs: Float64Array): number {
  factorRows(scratch);
  const { pattern, n, rows, qr, x0, head, motion, lambda } = scratch;
  const { rank, order } = qr;
  const free = n - rank;
  const full = envelope(new Int32Array(free));
  const inertia = new Float64Array(full.size);
  const force = new Float64Array(n);
  const y = new Float64Array(n);
  for (let k = 0; k < rank; k++) head[k] = -bias[rows[order[k]!]!]!;
  qr.solveTransposed(head);
  y.set(head.subarray(0, rank));
  /** force := Qᵀ M Q y */
  const applyInertia = (): void => {
    motion.set(y);
    qr.applyQ(motion);
    multiplyTree(pattern, M, motion, force);
    qr.applyQTransposed(force);
  };
  applyInertia();
  qr.applyQTransposed(rhs);
  const freeForce = rhs.slice(rank).map((v, i) => v - force[rank + i]!);
  for (let i = 0; i < free; i++) {
    y.fill(0).fill(1, rank + i, rank + i + 1);
    applyInertia();
    for (let j = 0; j <= i; j++) inertia[full.offset[i]! + j] = force[rank + j]!;
  }
  if (!(factorEnvelope(full, inertia) > ROUNDING)) return -2;
  solveEnvelope(full, inertia, freeForce);
  y.set(head.subarray(0, rank));
  y.set(freeForce, rank);
  applyInertia();
  for (let k = 0; k < rank; k++) head[k] = force[k]! - rhs[k]!;
  qr.solve(head, lambda);
  rhs.set(motion);
  x0.set(motion);
  return contradictingRow(scratch, bias, rhs);
}

/** A dependent row whose acceleration differs from its required value, or -1. Off the loops all such rows differ a little. */
function contradictingRow(scratch: LoopScratch, bias: Float64Array, x: Float64Array): number {
  const { n, m, rows, qr, B, x0, remainder, certainty } = scratch;
  if (!scratch.isClosed && scratch.settledRank > 0) return -1;
  let scale = 0;
  for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(x[i]!), Math.abs(x0[i]!));
  for (let k = qr.rank; k < m; k++) {
    const a = qr.order[k]!;
    const length = Math.sqrt(columnProduct(scratch, a, B, a * n)) / certainty[a]!;
    remainder[k] = length > 0 ? Math.abs(columnProduct(scratch, a, x, 0) + bias[rows[a]!]!) / length : 0;
    if (length > 0) scale = Math.max(scale, Math.abs(bias[rows[a]!]!) / length);
  }
  for (let k = qr.rank; k < m; k++) {
    if (!(remainder[k]! > CONTRADICTION * scale)) continue;
    const a = qr.order[k]!;
    const difference = Math.abs(columnProduct(scratch, a, x, 0) + bias[rows[a]!]!);
    if (difference > scratch.accelerationRounding * scratch.rowSizes[a]!) return rows[a]!;
  }
  return -1;
}
