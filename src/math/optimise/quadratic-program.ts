/**
 * Convex quadratic programs, small and dense: min ½ xᵀ G x + gᵀ x with lower ≤ A x ≤ upper and xLower ≤ x ≤ xUpper. Equal bounds make an
 * equality. The solver is the dual active-set method of Goldfarb and Idnani (1983), see dual-active-set.ts. It needs no feasible start. If
 * the problem is infeasible, it names the rows that contradict each other. Solving allocates nothing.
 */
import { checkCount } from "../../arguments.ts";
import { DualActiveSet, type StartMode } from "./dual-active-set.ts";
import { ProximalIteration } from "./proximal-iteration.ts";
import { QuadraticProblem } from "./quadratic-problem.ts";

export type QuadraticProgramOutcome =
  | "optimal"
  /** No x satisfies all rows; `conflict()` names rows that contradict each other. */
  | "infeasible"
  /** The objective falls without end along `x`, which is then a direction. */
  | "unbounded"
  /** G has a negative eigenvalue. */
  | "not convex"
  /** Rounding keeps the method from converging: scale the problem. */
  | "stalled";

export interface QuadraticProgram {
  readonly n: number;
  readonly m: number;
  /** Data of the problem, written by the caller. Matrices by rows; only the lower half of G is read. Bounds may be infinite. */
  readonly G: Float64Array;
  readonly g: Float64Array;
  readonly A: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly xLower: Float64Array;
  readonly xUpper: Float64Array;
  /** Solution of the last call. */
  readonly x: Float64Array;
  /** One per row, then one per variable: G x + g = Aᵀ λ_rows + λ_variables; positive at lower bounds, negative at upper bounds. */
  readonly multipliers: Float64Array;
  /** One per row, then one per variable: 1 active at the lower bound (and equalities), -1 active at the upper bound, 0 inactive. */
  readonly side: Int8Array;
  /** Rows added to or dropped from the active set by the last call: a measure of its cost. */
  readonly changes: number;
  /** "warm" tries the rows in `side` first. @throws ArgumentError if a coefficient is not finite or a bound is NaN */
  solve(start?: "cold" | "warm"): QuadraticProgramOutcome;
  /** After "infeasible": rows (0 to m - 1) and variables (m + index) that contradict each other. */
  conflict(): number[];
}

/** Shift of the diagonal for a semidefinite G, relative to its largest entry. The proximal iteration removes its effect. */
const DIAGONAL_SHIFT = 1e-6;

export function quadraticProgram(n: number, m: number): QuadraticProgram {
  checkCount("n", n);
  checkCount("m", m);
  const problem = new QuadraticProblem(n, m);
  const method = new DualActiveSet(problem);
  const proximal = new ProximalIteration(problem, method);
  const multipliers = new Float64Array(problem.rowCount);
  const { G, g, A, lower, upper, xLower, xUpper } = problem;
  const { x, side } = method;

  function solveConvex(start: StartMode): QuadraticProgramOutcome {
    method.linear.set(g);
    if (method.factor(0)) return method.solve(start);
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, G[i * n + i]!);
    const shift = DIAGONAL_SHIFT * (largest > 0 ? largest : 1);
    return method.factor(shift) ? proximal.solve(start, shift) : "not convex";
  }

  return {
    ...{ n, m, G, g, A, lower, upper, xLower, xUpper, x, multipliers, side },
    get changes() {
      return method.changes;
    },
    solve(start = "cold") {
      method.changes = 0;
      problem.readBounds();
      problem.checkNumbers();
      const emptyRow = problem.firstEmptyRow();
      if (emptyRow >= 0) {
        method.factor(0);
        method.impossibleRow = emptyRow;
        return "infeasible";
      }
      const outcome = solveConvex(start);
      method.writeMultipliers(multipliers);
      return outcome;
    },
    conflict: () => method.conflictingRows(),
  };
}
