/**
 * Dual active-set iteration of Goldfarb and Idnani (1983) for a strictly convex quadratic program. It starts at the minimum on the
 * equalities. Each step makes the most violated row active and drops rows whose multipliers reach zero on the way. Solving allocates
 * nothing.
 */
import { ActiveSetFactors } from "./active-set-factors.ts";
import type { QuadraticProblem } from "./quadratic-problem.ts";

/** A normal with a smaller share outside the span of the active normals depends on them. */
const DEPENDENT = 1e-10;
/** A row that depends on others may disagree with them by this much, relative to its bound. */
const REDUNDANT = 1e-9;
/** A multiplier of the wrong sign counts as zero below this, relative to the largest multiplier. */
const SIGN_TOLERANCE = 1e-11;
/** A rate of a multiplier counts as zero below this, relative to the largest rate. */
const RATE_TOLERANCE = 1e-13;
/** Changes of the active set per row, after which rounding is assumed to make the method cycle. */
const MAX_CHANGES_PER_ROW = 10;

export type StartMode = "cold" | "warm";
export type ConvexOutcome = "optimal" | "infeasible" | "stalled";

export class DualActiveSet {
  readonly x: Float64Array;
  /** For each row: 1 active at the lower bound (and equalities), -1 active at the upper bound, 0 inactive. */
  readonly side: Int8Array;
  /** Linear term of the objective in use: g, or g - shift × centre in the proximal iteration. */
  readonly linear: Float64Array;
  /** Number added to the diagonal of G in use. */
  shift = 0;
  /** Rows added or dropped since the caller set this to 0. */
  changes = 0;
  /** Row that no x satisfies together with the active rows; -1 if there is none. */
  impossibleRow = -1;

  readonly #problem: QuadraticProblem;
  readonly #set: ActiveSetFactors;
  /** Violated rows that depend on active rows and agree with them within `REDUNDANT`: they are left alone. */
  readonly #isTolerated: Uint8Array;
  /** Number of equalities; they are the first members of the set. */
  #equalityCount = 0;
  // One entry per member of the set, in its order.
  readonly #bounds: Float64Array;
  readonly #dual: Float64Array;
  readonly #rates: Float64Array;
  readonly #dualCorrection: Float64Array;
  // One entry per variable.
  readonly #normal: Float64Array;
  readonly #z: Float64Array;
  readonly #residual: Float64Array;
  readonly #correction: Float64Array;

  constructor(problem: QuadraticProblem) {
    const { n, rowCount } = problem;
    this.#problem = problem;
    this.#set = new ActiveSetFactors(n);
    this.x = new Float64Array(n);
    this.side = new Int8Array(rowCount);
    this.linear = new Float64Array(n);
    this.#isTolerated = new Uint8Array(rowCount);
    this.#bounds = new Float64Array(n);
    this.#dual = new Float64Array(n);
    this.#rates = new Float64Array(n);
    this.#dualCorrection = new Float64Array(n);
    this.#normal = new Float64Array(n);
    this.#z = new Float64Array(n);
    this.#residual = new Float64Array(n);
    this.#correction = new Float64Array(n);
  }

  /** Factors G + shift 1 and empties the set. False if the matrix is not positive definite. */
  factor(shift: number): boolean {
    this.shift = shift;
    return this.#set.reset(this.#problem.G, shift) < 0;
  }

  /** Solves the problem with the linear term `linear` and the factored matrix. "warm" tries the rows in `side` first. */
  solve(start: StartMode): ConvexOutcome {
    const { side } = this;
    this.impossibleRow = -1;
    this.#isTolerated.fill(0);
    if (!this.#begin(start)) return "infeasible";
    const maxChanges = this.changes + MAX_CHANGES_PER_ROW * (this.#problem.rowCount + 1);
    let isRefined = false;
    while (this.changes <= maxChanges) {
      const k = this.#chooseMostViolated();
      if (k < 0) {
        if (isRefined) return "optimal";
        this.#refine();
        isRefined = this.#areSignsValid();
        if (!isRefined) this.#dropWrongSigns();
      } else {
        isRefined = false;
        if (this.#activate(k)) continue;
        if (!this.#isTolerable(k)) return "infeasible";
        side[k] = 0;
        this.#isTolerated[k] = 1;
        this.#dropWrongSigns();
      }
    }
    return "stalled";
  }

  /** Multipliers of all rows: G x + g = Aᵀ λ_rows + λ_variables. */
  writeMultipliers(multipliers: Float64Array): void {
    const { members, count } = this.#set;
    multipliers.fill(0);
    for (let c = 0; c < count; c++) multipliers[members[c]!] = this.side[members[c]!]! * this.#dual[c]!;
  }

  /** After "infeasible": the impossible row and the active rows that its normal depends on, ascending. */
  conflictingRows(): number[] {
    const k = this.impossibleRow;
    if (k < 0) return [];
    const rows = [k];
    if (this.#problem.isEmpty(k)) return rows;
    this.#problem.writeNormal(k, this.side[k]!, this.#normal);
    this.#set.project(this.#normal);
    this.#set.writeDualDirection(this.#rates);
    for (let c = 0; c < this.#set.count; c++) if (Math.abs(this.#rates[c]!) > DEPENDENT) rows.push(this.#set.members[c]!);
    return rows.sort((a, b) => a - b);
  }

  /**
   * Activates the equalities, and for a warm start the rows in `side`, and moves to the minimum on them. False if equalities contradict
   * each other.
   */
  #begin(start: StartMode): boolean {
    const problem = this.#problem;
    const { low, high, rowCount } = problem;
    const { side } = this;
    let dependent = -1;
    for (let k = 0; k < rowCount; k++) {
      if (!problem.isEquality(k)) continue;
      side[k] = 1;
      if (!this.#addIfIndependent(k)) dependent = k;
    }
    this.#equalityCount = this.#set.count;
    for (let k = 0; k < rowCount; k++) {
      if (problem.isEquality(k)) continue;
      const isUnbounded = !Number.isFinite(side[k]! > 0 ? low[k]! : high[k]!);
      if (start === "cold" || isUnbounded || (side[k] !== 0 && !this.#addIfIndependent(k))) side[k] = 0;
    }
    this.#dropWrongSigns();
    return dependent < 0 || this.#areDependentEqualitiesConsistent();
  }

  /** True if the equalities that depend on others agree with them. */
  #areDependentEqualitiesConsistent(): boolean {
    const problem = this.#problem;
    this.#refine();
    for (let k = 0; k < problem.rowCount; k++) {
      if (!problem.isEquality(k) || this.#set.has(k) || this.#isTolerable(k)) continue;
      this.side[k] = problem.rowProduct(k, this.x) < problem.low[k]! ? 1 : -1;
      this.impossibleRow = k;
      return false;
    }
    return true;
  }

  /** Adds row k to the set unless its normal depends on the active normals. */
  #addIfIndependent(k: number): boolean {
    const set = this.#set;
    this.#problem.writeNormal(k, this.side[k]!, this.#normal);
    if (set.count === this.#problem.n || set.project(this.#normal) <= DEPENDENT) return false;
    this.#bounds[set.count] = this.#problem.signedBound(k, this.side[k]!);
    set.add(k);
    this.changes++;
    return true;
  }

  #drop(position: number): void {
    const set = this.#set;
    this.side[set.members[position]!] = 0;
    set.drop(position);
    this.#bounds.copyWithin(position, position + 1, set.count + 1);
    this.#dual.copyWithin(position, position + 1, set.count + 1);
    this.changes++;
  }

  /** Moves to the minimum on the active rows, dropping the row with the most negative multiplier until there is none. */
  #dropWrongSigns(): void {
    const dual = this.#dual;
    for (;;) {
      this.#set.writeMinimum(this.#bounds, this.linear, this.x, dual);
      let mostNegative = -1;
      for (let c = this.#equalityCount; c < this.#set.count; c++)
        if (dual[c]! < (mostNegative < 0 ? 0 : dual[mostNegative]!)) mostNegative = c;
      if (mostNegative < 0) return;
      this.#drop(mostNegative);
    }
  }

  /** Computes x and the multipliers on the active rows, with one step of iterative refinement: updates have cost the factors digits. */
  #refine(): void {
    const { n, m, G, A } = this.#problem;
    const { x, side, linear, shift } = this;
    const set = this.#set;
    const [dual, residual, correction] = [this.#dual, this.#residual, this.#correction];
    set.writeMinimum(this.#bounds, linear, x, dual);
    for (let i = 0; i < n; i++) {
      let sum = linear[i]! + shift * x[i]!;
      for (let j = 0; j < n; j++) sum += (j <= i ? G[i * n + j]! : G[j * n + i]!) * x[j]!;
      residual[i] = sum;
    }
    for (let c = 0; c < set.count; c++) {
      const k = set.members[c]!;
      this.#rates[c] = this.#bounds[c]! - side[k]! * this.#problem.rowProduct(k, x);
      if (k >= m) residual[k - m]! -= side[k]! * dual[c]!;
      else for (let i = 0; i < n; i++) residual[i]! -= dual[c]! * side[k]! * A[k * n + i]!;
    }
    set.writeMinimum(this.#rates, residual, correction, this.#dualCorrection);
    for (let i = 0; i < n; i++) x[i]! += correction[i]!;
    for (let c = 0; c < set.count; c++) dual[c]! += this.#dualCorrection[c]!;
  }

  /** True if no multiplier of an inequality is negative beyond rounding. Long steps can cost the multipliers all digits. */
  #areSignsValid(): boolean {
    let [least, largest] = [0, 1];
    for (let c = 0; c < this.#set.count; c++) {
      largest = Math.max(largest, Math.abs(this.#dual[c]!));
      if (c >= this.#equalityCount) least = Math.min(least, this.#dual[c]!);
    }
    return least >= -SIGN_TOLERANCE * largest;
  }

  /** The inactive row with the largest violation, its `side` set; -1 if all rows hold. */
  #chooseMostViolated(): number {
    const problem = this.#problem;
    const { side, x } = this;
    let worst = -1;
    let largest = 0;
    for (let k = 0; k < problem.rowCount; k++) {
      if (side[k] !== 0 || this.#isTolerated[k] !== 0) continue;
      const violation = problem.violation(k, x);
      if (violation > largest) {
        largest = violation;
        worst = k;
      }
    }
    if (worst >= 0) side[worst] = problem.rowProduct(worst, x) < problem.low[worst]! ? 1 : -1;
    return worst;
  }

  /** Makes the violated row k active, dropping rows whose multipliers reach zero first. False if no x satisfies it with the equalities. */
  #activate(k: number): boolean {
    const problem = this.#problem;
    const set = this.#set;
    const { x, side } = this;
    const [dual, rates, z] = [this.#dual, this.#rates, this.#z];
    let multiplier = 0;
    for (;;) {
      problem.writeNormal(k, side[k]!, this.#normal);
      const isIndependent = set.project(this.#normal) > DEPENDENT && set.count < problem.n;
      const curvature = set.writePrimalDirection(z);
      set.writeDualDirection(rates);
      let dualStep = Number.POSITIVE_INFINITY;
      let leaving = -1;
      let rounding = 0;
      for (let c = 0; c < set.count; c++) rounding = Math.max(rounding, RATE_TOLERANCE * Math.abs(rates[c]!));
      for (let c = this.#equalityCount; c < set.count; c++) {
        if (rates[c]! > rounding && dual[c]! < dualStep * rates[c]!) {
          dualStep = Math.max(0, dual[c]! / rates[c]!);
          leaving = c;
        }
      }
      const distance = problem.signedBound(k, side[k]!) - side[k]! * problem.rowProduct(k, x);
      const fullStep = isIndependent ? Math.max(0, distance) / curvature : Number.POSITIVE_INFINITY;
      if (dualStep === Number.POSITIVE_INFINITY && fullStep === dualStep) {
        this.impossibleRow = k;
        return false;
      }
      const t = Math.min(dualStep, fullStep);
      if (isIndependent) for (let i = 0; i < problem.n; i++) x[i]! += t * z[i]!;
      for (let c = 0; c < set.count; c++) dual[c]! -= t * rates[c]!;
      multiplier += t;
      if (fullStep <= dualStep) {
        this.#bounds[set.count] = problem.signedBound(k, side[k]!);
        dual[set.count] = multiplier;
        set.add(k);
        this.changes++;
        return true;
      }
      this.#drop(leaving);
    }
  }

  /** True if the violation of a row that depends on active rows is only rounding. */
  #isTolerable(k: number): boolean {
    const { low, high } = this.#problem;
    const bound = this.#problem.rowProduct(k, this.x) < low[k]! ? low[k]! : high[k]!;
    return this.#problem.violation(k, this.x) <= REDUNDANT * (1 + Math.abs(bound));
  }
}
