/**
 * Accelerations and multipliers of models with cut loops [TR-942 2.3.46]: M u̇ = r + Jᵀ λ with J u̇ = -bias, in coordinates
 * x = D^½ L u̇ in which M = Lᵀ D L is the unit matrix. With B = D^-½ L⁻ᵀ Jᵀ and x₀ for λ = 0
 *
 *   x = x₀ + B λ,  Bᵀ x = -bias,  so  S λ = -bias - Bᵀ x₀ with S = Bᵀ B = J M⁻¹ Jᵀ.
 *
 * If S is well conditioned, it is factored in its envelope. If not, B itself is factored, B P = Q R, which reveals the rank. That has
 * the condition of B, not its square, so singular configurations are passed with as many digits as possible. Rows that depend on
 * others do not affect the motion; their multipliers are the smallest ones.
 *
 * If M is singular and only the loops give every motion inertia (rods without mass), Jᵀ P = Q R is factored instead, and M is
 * reduced to the motions that the loops leave free.
 */

import { singularValues } from "../../math/eigen/singular-values.ts";
import { type Envelope, envelope, factorEnvelope, solveEnvelope } from "../../math/linear/envelope-ldl.ts";
import { pivotedQR } from "../../math/linear/pivoted-qr.ts";
import { multiplyTree, solveTreeFirstHalf, type TreePattern } from "../../math/linear/tree-ldl.ts";
import type { LoopRank } from "../formulation.ts";

/** A row depends on others if its distance from their span is below this, all rows having unit length. It is a singular value: 1e-18 in S. */
const DEPENDENT_DISTANCE = 1e-9;
/** Loops that are not exactly closed make dependent rows differ by about the loop error. A row is independent above this many times that. */
const BEYOND_ERROR = 16;
/** Maximum loop error that the dependence test takes into account. */
const OPEN_ERROR = 1e-4;
/** Below this error loops count as closed and determine the rank. States with a larger error must not raise it [docking.md 5.1]. */
const CLOSED_ERROR = 1e-10;
/** If some rows are dependent, a row farther than this from the span of the others is clearly independent. */
const CLEAR_DISTANCE = 1e-5;
/** Pivots of S above this, relative to its diagonal, leave enough digits: one step of refinement restores the others. */
const HEALTHY_PIVOT = 1e-5;
/** A pivot of the inertia along free motions below this, relative to its diagonal, is a rounded zero. */
const ROUNDING = 64 * Number.EPSILON;
/** Dependent rows contradict each other if their required accelerations differ by more than this, relative to all. */
const CONTRADICTION = 1e-3;

/** The values of all rows at one instant: see kaneProgram. */
export interface LoopValues {
  readonly J: Float64Array;
  readonly bias: Float64Array;
  readonly f: Float64Array;
  readonly size: Float64Array;
}

export interface LoopSolver {
  /** x := x₀ + B λ. Returns -1, or a row that contradicts others. */
  close(factors: Float64Array, roots: Float64Array, values: LoopValues, x: Float64Array): number;
  /** The same for a singular, unfactored M; u̇ replaces the right-hand side. Returns -2 if motions without inertia remain. */
  closeMassless(M: Float64Array, values: LoopValues, rhs: Float64Array): number;
  /** λ of the last solution. */
  multipliers(lambda: Float64Array): void;
  /** Rank and dependencies of the rows of the last solution. */
  rank(): LoopRank;
}

/** Creates a solver for rows with entries of J at the given speeds. */
export function loopSolver(pattern: TreePattern, speeds: readonly (readonly number[])[]): LoopSolver {
  const { n } = pattern;
  const rows = speeds.flatMap((list, row) => (list.length > 0 ? [row] : [])); // a row without entries moves nothing
  const m = rows.length;
  const places = rows.map((row) => Int32Array.from(speeds[row]!));
  const starts = rows.map((row) => speeds.slice(0, row).flat().length);
  const supports = places.map((list) => supportOf(pattern, list));
  const shape = couplings(supports);
  const S = new Float64Array(shape.size);
  const B = new Float64Array(n * m); // by columns
  const rest = new Float64Array(m);
  const x0 = new Float64Array(n);
  const head = new Float64Array(Math.max(n, m));
  const lambda = new Float64Array(m);
  /** Length of each row relative to the size of its terms. A short row is a difference of larger numbers. */
  const certainty = new Float64Array(m);
  const qr = pivotedQR(n, m);
  const motion = new Float64Array(n);
  let tolerance = 0;
  let isClosed = false;
  /** Number of independent rows seen with closed loops; 0 before the first such state. */
  let settled = 0;
  let way: "envelope" | "rank" = "envelope";

  /** Writes Jᵀ into B, and sets the distance below which a row counts as dependent. Returns false if a row is only rounding. */
  function assemble({ J, f, size }: LoopValues): boolean {
    let error = 0;
    let isSound = true;
    for (const row of rows) if (size[row]! > 0) error = Math.max(error, Math.abs(f[row]!) / Math.sqrt(size[row]!));
    isClosed = error < CLOSED_ERROR;
    tolerance = Math.max(DEPENDENT_DISTANCE, Math.min(BEYOND_ERROR * error, OPEN_ERROR));
    for (let a = 0; a < m; a++) {
      const at = a * n;
      const list = places[a]!;
      let square = 0;
      B.fill(0, at, at + n);
      for (let e = 0; e < list.length; e++) {
        const value = J[starts[a]! + e]!;
        square += value * value;
        B[at + list[e]!] = value;
      }
      certainty[a] = size[rows[a]!]! > 0 ? Math.min(1, Math.sqrt(square / size[rows[a]!]!)) : 1;
      if (square > tolerance * tolerance * size[rows[a]!]!) continue;
      isSound = false;
      for (const i of list) B[at + i] = 0;
    }
    return isSound;
  }

  /** Column a of B times a vector. */
  function product(a: number, y: Float64Array, at: number): number {
    const support = supports[a]!;
    const column = a * n;
    let sum = 0;
    for (let k = 0; k < support.length; k++) sum += B[column + support[k]!]! * y[at + support[k]!]!;
    return sum;
  }

  /** S λ = -bias - Bᵀ x₀, then once more for the remainder of Bᵀ x + bias: the second solution restores the digits lost by squaring B. */
  function closeByEnvelope(bias: Float64Array, x: Float64Array): boolean {
    for (let a = 0; a < m; a++) {
      for (let b = shape.first[a]!; b < a; b++) S[shape.offset[a]! + b] = product(b, B, a * n);
      S[shape.offset[a]! + a] = product(a, B, a * n);
    }
    if (!(factorEnvelope(shape, S) > Math.max(HEALTHY_PIVOT, tolerance * tolerance))) return false;
    lambda.fill(0);
    for (const _twice of [1, 2]) {
      for (let a = 0; a < m; a++) rest[a] = -bias[rows[a]!]! - product(a, x, 0);
      solveEnvelope(shape, S, rest);
      for (let a = 0; a < m; a++) {
        const support = supports[a]!;
        const factor = rest[a]!;
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
  function factorRows(): void {
    qr.factor(B, tolerance, isClosed || settled === 0 ? m : settled, certainty);
    if (!isClosed) return;
    if (qr.rank < m) qr.factor(B, CLEAR_DISTANCE, m, certainty);
    settled = Math.max(settled, qr.rank);
  }

  function closeByRank(bias: Float64Array, x: Float64Array): number {
    factorRows();
    const { rank, order } = qr;
    x0.set(x);
    qr.applyQTransposed(x);
    for (let k = 0; k < rank; k++) head[k] = -bias[rows[order[k]!]!]!;
    qr.solveTransposed(head);
    for (let k = 0; k < rank; k++) {
      const given = x[k]!;
      x[k] = head[k]!;
      head[k]! -= given;
    }
    qr.solve(head, lambda);
    qr.applyQ(x);
    return contradiction(bias, x);
  }

  /** u̇ = Q y in place of the right-hand side, with y₁ from the rows and y₂ from M along the remaining columns of Q. */
  function closeAlongFree(M: Float64Array, bias: Float64Array, rhs: Float64Array): number {
    factorRows();
    const { rank, order } = qr;
    const free = n - rank;
    const whole = envelope(new Int32Array(free));
    const inertia = new Float64Array(whole.size);
    const given = new Float64Array(n);
    const y = new Float64Array(n);
    for (let k = 0; k < rank; k++) head[k] = -bias[rows[order[k]!]!]!;
    qr.solveTransposed(head);
    y.set(head.subarray(0, rank));
    /** Qᵀ M Q y */
    const resisted = (): void => {
      motion.set(y);
      qr.applyQ(motion);
      multiplyTree(pattern, M, motion, given);
      qr.applyQTransposed(given);
    };
    resisted();
    qr.applyQTransposed(rhs);
    const push = rhs.slice(rank).map((v, i) => v - given[rank + i]!);
    for (let i = 0; i < free; i++) {
      y.fill(0).fill(1, rank + i, rank + i + 1);
      resisted();
      for (let j = 0; j <= i; j++) inertia[whole.offset[i]! + j] = given[rank + j]!;
    }
    if (!(factorEnvelope(whole, inertia) > ROUNDING)) return -2;
    solveEnvelope(whole, inertia, push);
    y.set(head.subarray(0, rank));
    y.set(push, rank);
    resisted();
    for (let k = 0; k < rank; k++) head[k] = given[k]! - rhs[k]!;
    qr.solve(head, lambda);
    rhs.set(motion);
    x0.set(motion);
    return contradiction(bias, rhs);
  }

  /** A dependent row whose acceleration differs from its required value, or -1. Off the loops all such rows differ a little. */
  function contradiction(bias: Float64Array, x: Float64Array): number {
    if (!isClosed && settled > 0) return -1;
    let scale = 0;
    for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(x[i]!), Math.abs(x0[i]!));
    for (let k = qr.rank; k < m; k++) {
      const a = qr.order[k]!;
      const length = Math.sqrt(product(a, B, a * n)) / certainty[a]!;
      rest[k] = length > 0 ? Math.abs(product(a, x, 0) + bias[rows[a]!]!) / length : 0;
      if (length > 0) scale = Math.max(scale, Math.abs(bias[rows[a]!]!) / length);
    }
    for (let k = qr.rank; k < m; k++) if (rest[k]! > CONTRADICTION * scale) return rows[qr.order[k]!]!;
    return -1;
  }

  /** Orthonormal combinations of multipliers that exert no force. */
  function combinations(): Float64Array[] {
    const found: Float64Array[] = [];
    for (let k = 0; k < m - qr.rank; k++) {
      const c = new Float64Array(m);
      qr.nullVector(k, c);
      for (const _twice of [1, 2]) for (const other of found) addMultiple(c, -dot(c, other), other);
      const length = Math.sqrt(dot(c, c));
      found.push(c.map((v) => v / length));
    }
    return found;
  }

  return {
    close(factors, roots, values, x) {
      const isSound = assemble(values);
      for (let a = 0; a < m; a++) solveTreeFirstHalf(pattern, factors, roots, supports[a]!, B, a * n);
      way = "envelope";
      const mayBeRegular = isClosed || settled === 0 || settled === m;
      if (isSound && mayBeRegular && closeByEnvelope(values.bias, x)) {
        if (isClosed) settled = m;
        return -1;
      }
      way = "rank";
      return closeByRank(values.bias, x);
    },
    closeMassless(M, values, rhs) {
      assemble(values);
      way = "rank";
      return closeAlongFree(M, values.bias, rhs);
    },
    multipliers(out) {
      if (way === "rank") for (const c of combinations()) addMultiple(lambda, -dot(lambda, c), c);
      out.fill(0, 0, speeds.length);
      for (let a = 0; a < m; a++) out[rows[a]!] = lambda[a]!;
    },
    rank() {
      if (way === "envelope") qr.factor(B, tolerance, m, certainty);
      const unit = (row: number): Float64Array => Float64Array.from(speeds, (_, i) => (i === row ? 1 : 0));
      const whole = (c: Float64Array): Float64Array => Float64Array.from(speeds, (_, row) => c[rows.indexOf(row)] ?? 0);
      const values = new Float64Array(speeds.length);
      values.set(singularValues(unitColumns(B, n), n, m));
      return {
        rank: qr.rank,
        dependencies: [...speeds.flatMap((list, row) => (list.length > 0 ? [] : [unit(row)])), ...combinations().map(whole)],
        singularValues: values,
      };
    },
  };
}

/** The speeds of a row and all speeds that carry them, ascending. */
function supportOf({ parent }: TreePattern, speeds: Int32Array): Int32Array {
  const found = new Set<number>();
  for (const speed of speeds) for (let i = speed; i >= 0; i = parent[i]!) found.add(i);
  return Int32Array.from(found).sort();
}

/** Envelope of S: it has an entry for two rows whose supports overlap. */
function couplings(supports: readonly Int32Array[]): Envelope {
  return envelope(supports.map((a) => supports.findIndex((b) => b.some((i) => a.includes(i)))));
}

function unitColumns(B: Float64Array, n: number): Float64Array {
  const unit = B.slice();
  for (let at = 0; at < B.length; at += n) {
    const column = unit.subarray(at, at + n);
    const length = Math.sqrt(dot(column, column));
    if (length > 0) for (let i = 0; i < n; i++) column[i]! /= length;
  }
  return unit;
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};

function addMultiple(y: Float64Array, factor: number, x: Float64Array): void {
  for (let i = 0; i < y.length; i++) y[i]! += factor * x[i]!;
}
