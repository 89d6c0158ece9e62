/**
 * Proximal-point iteration for quadratic programs whose G is only positive semidefinite: x of min ½ xᵀ G x + gᵀ x + ½ shift |x - centre|²,
 * repeated with the last x as centre. The limit solves the problem without the shift.
 */
import type { ConvexOutcome, DualActiveSet, StartMode } from "./dual-active-set.ts";
import type { QuadraticProblem } from "./quadratic-problem.ts";

const MAX_ROUNDS = 200;
/** The iteration ends when the gradient of the shift term is below this, relative to the other terms. */
const STATIONARY = 1e-13;
/** Curvatures and rates below this count as zero in the test for unbounded descent. */
const FLAT = 1e-7;

export class ProximalIteration {
  readonly #problem: QuadraticProblem;
  readonly #method: DualActiveSet;
  readonly #centre: Float64Array;
  /** x - centre of the last round. */
  readonly #z: Float64Array;

  constructor(problem: QuadraticProblem, method: DualActiveSet) {
    this.#problem = problem;
    this.#method = method;
    this.#centre = new Float64Array(problem.n);
    this.#z = new Float64Array(problem.n);
  }

  /** After "unbounded", x is the direction along which the objective falls without end. */
  solve(start: StartMode, shift: number): ConvexOutcome | "unbounded" {
    const { n, g } = this.#problem;
    const { x, linear } = this.#method;
    const [centre, z] = [this.#centre, this.#z];
    centre.fill(0);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for (let i = 0; i < n; i++) linear[i] = g[i]! - shift * centre[i]!;
      this.#method.factor(shift);
      const outcome = this.#method.solve(round === 0 ? start : "warm");
      if (outcome !== "optimal") return outcome;
      let largestMove = 0;
      let largestTerm = 0;
      for (let i = 0; i < n; i++) {
        z[i] = x[i]! - centre[i]!;
        largestMove = Math.max(largestMove, Math.abs(z[i]!));
        largestTerm = Math.max(largestTerm, Math.abs(g[i]!), shift * Math.abs(x[i]!));
      }
      if (shift * largestMove <= STATIONARY * largestTerm) return "optimal";
      if (this.#isUnboundedDirection(shift)) {
        for (let i = 0; i < n; i++) x[i] = z[i]! / largestMove;
        return "unbounded";
      }
      centre.set(x);
    }
    return "stalled";
  }

  /** True if the objective falls along z without curvature, and no bound is ever reached. */
  #isUnboundedDirection(shift: number): boolean {
    const { n, m, G, g, A, low, high, rowCount } = this.#problem;
    const z = this.#z;
    let [slope, curvature, squares] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      slope += g[i]! * z[i]!;
      squares += z[i]! * z[i]!;
      for (let j = 0; j < n; j++) curvature += z[i]! * z[j]! * (j <= i ? G[i * n + j]! : G[j * n + i]!);
    }
    if (!(slope < 0) || curvature > FLAT * shift * squares) return false;
    for (let k = 0; k < rowCount; k++) {
      let rate = k < m ? 0 : z[k - m]!;
      let rowSquares = k < m ? 0 : 1;
      if (k < m) {
        for (let i = 0; i < n; i++) {
          rate += A[k * n + i]! * z[i]!;
          rowSquares += A[k * n + i]! * A[k * n + i]!;
        }
      }
      const boundAhead = rate > 0 ? high[k]! : low[k]!;
      if (Number.isFinite(boundAhead) && Math.abs(rate) > FLAT * Math.sqrt(squares * rowSquares)) return false;
    }
    return true;
  }
}
