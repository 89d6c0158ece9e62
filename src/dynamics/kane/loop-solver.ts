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
import { solveTreeFirstHalf, type TreePattern } from "../../math/linear/tree-ldl.ts";
import { checkSavedInteger, takeSaved } from "../../saved-data.ts";
import type { LoopRank } from "../formulation.ts";
import { closeAlongFreeMotions, closeByEnvelope, closeByRank } from "./close-loops.ts";
import { assembleRows, createLoopScratch, type LoopScratch, type LoopValues } from "./loop-scratch.ts";

export interface LoopSolver {
  /** x := x₀ + B λ. Returns -1, or a row that contradicts others. */
  close(factors: Float64Array, roots: Float64Array, values: LoopValues, x: Float64Array): number;
  /** The same for a singular, unfactored M; u̇ replaces the right-hand side. Returns -2 if motions without inertia remain. */
  closeMassless(M: Float64Array, values: LoopValues, rhs: Float64Array): number;
  /** λ of the last solution. */
  multipliers(lambda: Float64Array): void;
  /** Rank and dependencies of the rows of the last solution. */
  rank(): LoopRank;
  /** The number of independent rows seen with closed loops, as plain data. */
  save(): unknown;
  restore(saved: unknown, path: string): void;
}

/** Creates a solver for rows with entries of J at the given speeds. */
export function loopSolver(pattern: TreePattern, speeds: readonly (readonly number[])[]): LoopSolver {
  const scratch = createLoopScratch(pattern, speeds);
  const { n, m, rows, supports, B, lambda } = scratch;
  return {
    close(factors, roots, values, x) {
      const isSound = assembleRows(scratch, values);
      for (let a = 0; a < m; a++) solveTreeFirstHalf(pattern, factors, roots, supports[a]!, B, a * n);
      scratch.method = "envelope";
      const mayBeRegular = scratch.isClosed || scratch.settledRank === 0 || scratch.settledRank === m;
      if (isSound && mayBeRegular && closeByEnvelope(scratch, values.bias, x)) {
        if (scratch.isClosed) scratch.settledRank = m;
        return -1;
      }
      scratch.method = "rank";
      return closeByRank(scratch, values.bias, x);
    },
    closeMassless(M, values, rhs) {
      assembleRows(scratch, values);
      scratch.method = "rank";
      return closeAlongFreeMotions(scratch, M, values.bias, rhs);
    },
    multipliers(out) {
      if (scratch.method === "rank") for (const c of combinations(scratch)) addMultiple(lambda, -dot(lambda, c), c);
      out.fill(0, 0, speeds.length);
      for (let a = 0; a < m; a++) out[rows[a]!] = lambda[a]!;
    },
    rank: () => rankOf(scratch, speeds),
    save: () => ({ settledRank: scratch.settledRank }),
    restore(saved, path) {
      const restored = { settledRank: 0 };
      takeSaved(restored, saved, path);
      checkSavedInteger(restored.settledRank, 0, m, `${path}.settledRank`);
      scratch.settledRank = restored.settledRank;
    },
  };
}

function rankOf(scratch: LoopScratch, speeds: readonly (readonly number[])[]): LoopRank {
  const { n, m, rows, qr, B, certainty, tolerance, method } = scratch;
  if (method === "envelope") qr.factor(B, tolerance, m, certainty);
  const unit = (row: number): Float64Array => Float64Array.from(speeds, (_, i) => (i === row ? 1 : 0));
  const overAllRows = (c: Float64Array): Float64Array => Float64Array.from(speeds, (_, row) => c[rows.indexOf(row)] ?? 0);
  const values = new Float64Array(speeds.length);
  values.set(singularValues(unitColumns(B, n), n, m));
  return {
    rank: qr.rank,
    dependencies: [
      ...speeds.flatMap((list, row) => (list.length > 0 ? [] : [unit(row)])),
      ...combinations(scratch).map(overAllRows),
    ],
    singularValues: values,
  };
}

/** Orthonormal combinations of multipliers that exert no force. */
function combinations({ m, qr }: LoopScratch): Float64Array[] {
  const basis: Float64Array[] = [];
  for (let k = 0; k < m - qr.rank; k++) {
    const c = new Float64Array(m);
    qr.nullVector(k, c);
    for (const _twice of [1, 2]) for (const other of basis) addMultiple(c, -dot(c, other), other);
    const length = Math.sqrt(dot(c, c));
    basis.push(c.map((v) => v / length));
  }
  return basis;
}

function unitColumns(B: Float64Array, n: number): Float64Array {
  const unit = B.slice();
  for (let first = 0; first < B.length; first += n) {
    const column = unit.subarray(first, first + n);
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
