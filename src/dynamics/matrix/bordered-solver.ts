/**
 * The augmented system with the rows of loops apart: without them it is solved by one sparse LU, and the rows that remain of them by
 * `redundantRows`, whatever their rank is.
 */
import { borderedLU } from "../../math/linear/bordered-lu.ts";
import type { SparsePattern } from "../../math/linear/sparse-lu.ts";
import { redundantRows } from "./redundant-rows.ts";

export interface BorderedSolver {
  /** Factors the system with these values. False if it is singular without the loops. */
  factor(A: Float64Array): boolean;
  /** Counts the rows with a remainder above a limit as independent, but no more than `maxRows`. */
  chooseRank(limit: number, maxRows: number): void;
  /** Number of independent rows of the whole system. */
  readonly rank: number;
  /** Remainder of the last independent row. */
  readonly smallestRemainder: number;
  /** Rows that depend on others. The next `chooseRank` changes them. */
  readonly dependentRows: Int32Array;
  /** Solves for X. Where dependent rows differ, their errors are the smallest. Returns B - A X, which the next call overwrites. */
  solve(B: Float64Array, X: Float64Array): Float64Array;
  /** The solution without loops. The next call overwrites it. */
  withoutLoops(B: Float64Array): Float64Array;
  /** X with A X = 0: the k-th dependent row has a multiplier, the other dependent rows have none. */
  nullVector(k: number, X: Float64Array): void;
  save(): unknown;
  restore(saved: unknown, path: string): void;
}

/** @param first offset of the multipliers */
export function borderedSolver(pattern: SparsePattern, first: number): BorderedSolver {
  const m = pattern.n - first;
  const lu = borderedLU(pattern, m);
  const rows = redundantRows(m);
  const [reduced, lambda, none] = [new Float64Array(m), new Float64Array(m), new Float64Array(m)];
  const [residual, correction] = [new Float64Array(pattern.n), new Float64Array(pattern.n)];
  const dependent = new Int32Array(m);
  let factored: Float64Array = new Float64Array(0);
  let rank = 0;

  const solveOnce = (B: Float64Array, X: Float64Array): void => {
    lu.reduce(B, reduced);
    rows.solve(reduced, lambda);
    lu.complete(lambda, X);
  };
  const subtractProduct = (B: Float64Array, X: Float64Array): void => {
    residual.set(B);
    for (let e = 0; e < factored.length; e++) residual[pattern.rows[e]!]! -= factored[e]! * X[pattern.columns[e]!]!;
  };

  return {
    factor(A) {
      factored = A;
      if (!lu.factor(A)) return false;
      rows.factor(lu.S, lu.peak);
      return true;
    },
    chooseRank(limit, maxRows) {
      rank = 0;
      while (rank < Math.min(m, maxRows) && rows.remainders[rank]! > limit) rank++;
      for (let k = rank; k < m; k++) dependent[k] = first + rows.order[k]!;
    },
    get rank() {
      return first + rank;
    },
    get smallestRemainder() {
      return rank > 0 ? rows.remainders[rank - 1]! : Number.POSITIVE_INFINITY;
    },
    get dependentRows() {
      return dependent.subarray(rank);
    },
    solve(B, X) {
      rows.useRank(rank);
      solveOnce(B, X);
      subtractProduct(B, X);
      solveOnce(residual, correction); // one step of iterative refinement
      for (let i = 0; i < pattern.n; i++) X[i]! += correction[i]!;
      subtractProduct(B, X);
      return residual;
    },
    withoutLoops(B) {
      lu.reduce(B, reduced);
      lu.complete(none, correction);
      return correction;
    },
    nullVector(k, X) {
      residual.fill(0);
      lu.reduce(residual, reduced);
      rows.nullVector(k, lambda);
      lu.complete(lambda, X);
    },
    save: () => lu.save(),
    restore: (saved, path) => lu.restore(saved, path),
  };
}
