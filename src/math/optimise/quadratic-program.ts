/**
 * Convex quadratic programs, small and dense: min ½ xᵀ G x + gᵀ x with lower ≤ A x ≤ upper and xLower ≤ x ≤ xUpper. Equal bounds
 * make an equality. The dual method of Goldfarb and Idnani (1983): from the minimum without inequalities, one violated row after
 * the other is taken in, and rows whose multipliers vanish on the way leave. It needs no feasible start, and where there is none,
 * the rows that contradict each other are at hand. Solving allocates nothing.
 */
import { activeSet } from "./active-set.ts";

export type QuadraticProgramOutcome =
  | "optimal"
  /** No x satisfies all rows; `conflict()` names those that contradict each other. */
  | "infeasible"
  /** The objective falls for ever along `x`, which is then a direction. */
  | "unbounded"
  /** G has a negative eigenvalue. */
  | "not convex"
  /** Rounding keeps the method from an end: scale the problem. */
  | "stalled";

export interface QuadraticProgram {
  readonly n: number;
  readonly m: number;
  /** The problem, to be written by the caller: matrices by rows; of G only the lower half is read. Bounds may be infinite. */
  readonly G: Float64Array;
  readonly g: Float64Array;
  readonly A: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly xLower: Float64Array;
  readonly xUpper: Float64Array;
  /** Where the last solution is. */
  readonly x: Float64Array;
  /** One per row, then one per variable: G x + g = Aᵀ λ_rows + λ_variables; positive at lower bounds, negative at upper ones. */
  readonly multipliers: Float64Array;
  /** One per row, then one per variable: 1 held at the lower bound (and equalities), -1 at the upper, 0 free. */
  readonly side: Int8Array;
  /** Rows taken in or dropped by the last call: what it cost. */
  readonly changes: number;
  /** "warm" tries the rows in `side` first. @throws RangeError if a number is not one. */
  solve(start?: "cold" | "warm"): QuadraticProgramOutcome;
  /** After "infeasible": rows (0 to m - 1) and variables (m + index) that cannot hold together. */
  conflict(): number[];
}

/** A normal with no more than this part outside the span of others depends on them. */
const DEPENDENT = 1e-10;
/** Largest violation, relative to the sizes that are added up in a row. */
const FEASIBLE = 1e-12;
/** Shift of the diagonal, relative to its largest entry, where G is only semidefinite; the proximal iteration takes it out again. */
const SHIFT = 1e-6;
const MOST_PROXIMAL = 200;
/** Gradient left by the proximal iteration, relative to its terms. */
const STATIONARY = 1e-13;
/** Curvature and rates below this are none, where a direction of endless descent is looked for. */
const FLAT = 1e-7;
/** How far an equality that depends on others may disagree with them. */
const REDUNDANT = 1e-9;
/** A multiplier this far on the wrong side, relative to the largest, is zero. */
const SIGN = 1e-11;
/** A multiplier that changes by less than this part of what others change by does not change. */
const RATE = 1e-13;
/** Changes of the set per row before rounding is held to go in circles. */
const MOST_CHANGES = 10;

export function quadraticProgram(n: number, m: number): QuadraticProgram {
  const all = m + n;
  const vector = (size = n): Float64Array => new Float64Array(size);
  const [G, A] = [vector(n * n), vector(m * n)];
  const [g, x, xLower, xUpper, lower, upper] = [vector(), vector(), vector(), vector(), vector(m), vector(m)];
  xLower.fill(Number.NEGATIVE_INFINITY);
  xUpper.fill(Number.POSITIVE_INFINITY);
  const multipliers = vector(all);
  const side = new Int8Array(all);
  const tolerated = new Uint8Array(all);
  const set = activeSet(n);
  /** Of the set, in its order. */
  const [bounds, dual, rates, dualCorrection] = [vector(), vector(), vector(), vector()];
  const [normal, z, linear, residual, correction, centre] = [vector(), vector(), vector(), vector(), vector(), vector()];
  let changes = 0;
  let equalities = 0; // the first members of the set
  let shift = 0;
  let impossible = -1; // the row that nothing can satisfy

  /** Bounds of rows, then of variables, as they were when solving began. */
  const [low, high] = [vector(all), vector(all)];
  /** Every row held is normal · x ≥ bound: at the upper bound both are turned round. */
  const boundOf = (k: number): number => (side[k]! > 0 ? low[k]! : -high[k]!);

  function writeNormal(k: number): void {
    if (k < m) for (let i = 0; i < n; i++) normal[i] = side[k]! * A[k * n + i]!;
    else {
      normal.fill(0);
      normal[k - m] = side[k]!;
    }
  }

  /** Takes row k into the set unless it depends on it. */
  function take(k: number): boolean {
    writeNormal(k);
    if (set.count === n || set.project(normal) <= DEPENDENT) return false;
    bounds[set.count] = boundOf(k);
    set.add(k);
    changes++;
    return true;
  }

  function leave(place: number): void {
    side[set.members[place]!] = 0;
    set.drop(place);
    bounds.copyWithin(place, place + 1, set.count + 1);
    dual.copyWithin(place, place + 1, set.count + 1);
    changes++;
  }

  /** x and multipliers on the set, with one step of refinement: the factors have seen many changes. */
  function polish(): void {
    set.minimum(bounds, linear, x, dual);
    for (let i = 0; i < n; i++) {
      let sum = linear[i]! + shift * x[i]!;
      for (let j = 0; j < n; j++) sum += (j <= i ? G[i * n + j]! : G[j * n + i]!) * x[j]!;
      residual[i] = sum;
    }
    for (let c = 0; c < set.count; c++) {
      const k = set.members[c]!;
      rates[c] = bounds[c]! - side[k]! * product(k);
      if (k >= m) residual[k - m]! -= side[k]! * dual[c]!;
      else for (let i = 0; i < n; i++) residual[i]! -= dual[c]! * side[k]! * A[k * n + i]!;
    }
    set.minimum(rates, residual, correction, dualCorrection);
    for (let i = 0; i < n; i++) x[i]! += correction[i]!;
    for (let c = 0; c < set.count; c++) dual[c]! += dualCorrection[c]!;
  }

  function product(k: number): number {
    if (k >= m) return x[k - m]!;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += A[k * n + i]! * x[i]!;
    return sum;
  }

  /** How far row k is beyond a bound, beside what rounding explains: the larger of both sides; not positive if it holds. */
  function violation(k: number): number {
    if (k >= m) {
      const value = x[k - m]!;
      const beyond = Math.max(xLower[k - m]! - value, value - xUpper[k - m]!);
      return beyond > FEASIBLE * Math.abs(value) ? beyond : 0;
    }
    let sum = 0;
    let size = 0;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      const a = A[k * n + i]!;
      const part = a * x[i]!;
      sum += part;
      size += Math.abs(part);
      squares += a * a;
    }
    const beyond = Math.max(lower[k]! - sum, sum - upper[k]!);
    return beyond > FEASIBLE * size ? beyond / Math.sqrt(squares) : 0;
  }

  /** The row that is violated most, with its side; -1 if all hold. */
  function mostViolated(): number {
    let worst = -1;
    let most = 0;
    for (let k = 0; k < all; k++) {
      if (side[k] !== 0 || tolerated[k] !== 0) continue;
      const far = violation(k);
      if (far > most) {
        most = far;
        worst = k;
      }
    }
    if (worst >= 0) side[worst] = product(worst) < low[worst]! ? 1 : -1;
    return worst;
  }

  /** Equalities, and with a warm start the rows of the last solution; then the minimum on those that keep their signs. */
  function begin(start: "cold" | "warm"): boolean {
    let dependent = -1;
    for (let k = 0; k < all; k++) {
      if (low[k] !== high[k]) continue;
      side[k] = 1;
      if (!take(k)) dependent = k;
    }
    equalities = set.count;
    for (let k = 0; k < all; k++) {
      if (low[k] === high[k]) continue;
      if (start === "cold" || !Number.isFinite(side[k]! > 0 ? low[k]! : high[k]!) || (side[k] !== 0 && !take(k))) side[k] = 0;
    }
    settle();
    if (dependent < 0) return true;
    polish(); // equalities that depend on others must agree with them
    for (let k = 0; k < all; k++) {
      if (low[k] !== high[k] || isMember(k) || isTolerable(k)) continue;
      side[k] = product(k) < low[k]! ? 1 : -1;
      impossible = k;
      return false;
    }
    return true;
  }

  /** The minimum on the set, once all whose multipliers have the wrong sign have left. */
  function settle(): void {
    for (;;) {
      set.minimum(bounds, linear, x, dual);
      let least = -1;
      for (let c = equalities; c < set.count; c++) if (dual[c]! < (least < 0 ? 0 : dual[least]!)) least = c;
      if (least < 0) return;
      leave(least);
    }
  }

  /** Whether multipliers have the signs that the steps gave them; long steps may have left them no digits. */
  function signsHold(): boolean {
    let [least, most] = [0, 1];
    for (let c = 0; c < set.count; c++) {
      most = Math.max(most, Math.abs(dual[c]!));
      if (c >= equalities) least = Math.min(least, dual[c]!);
    }
    return least >= -SIGN * most;
  }

  /** Rows that depend on others and agree with them but for rounding. */
  const isTolerable = (k: number): boolean =>
    violation(k) <= REDUNDANT * (1 + Math.abs(product(k) < low[k]! ? low[k]! : high[k]!));

  function isMember(k: number): boolean {
    for (let c = 0; c < set.count; c++) if (set.members[c] === k) return true;
    return false;
  }

  /** Takes a violated row in; rows whose multipliers vanish first leave. False if no x satisfies it with those that must stay. */
  function satisfy(k: number): boolean {
    let multiplier = 0;
    for (;;) {
      writeNormal(k);
      const independent = set.project(normal) > DEPENDENT && set.count < n;
      const size = set.direction(z);
      set.dependence(rates);
      let step = Number.POSITIVE_INFINITY;
      let leaving = -1;
      let least = 0; // what is less is rounding
      for (let c = 0; c < set.count; c++) least = Math.max(least, RATE * Math.abs(rates[c]!));
      for (let c = equalities; c < set.count; c++) {
        if (rates[c]! > least && dual[c]! < step * rates[c]!) {
          step = Math.max(0, dual[c]! / rates[c]!);
          leaving = c;
        }
      }
      const full = independent ? Math.max(0, boundOf(k) - side[k]! * product(k)) / size : Number.POSITIVE_INFINITY;
      if (step === Number.POSITIVE_INFINITY && full === step) {
        impossible = k;
        return false;
      }
      const t = Math.min(step, full);
      if (independent) for (let i = 0; i < n; i++) x[i]! += t * z[i]!;
      for (let c = 0; c < set.count; c++) dual[c]! -= t * rates[c]!;
      multiplier += t;
      if (full <= step) {
        bounds[set.count] = boundOf(k);
        dual[set.count] = multiplier;
        set.add(k);
        changes++;
        return true;
      }
      leave(leaving);
    }
  }

  /** The strictly convex problem with `linear` in place of g and G shifted. */
  function solveShifted(start: "cold" | "warm"): QuadraticProgramOutcome {
    impossible = -1;
    tolerated.fill(0);
    if (!begin(start)) return "infeasible";
    const most = changes + MOST_CHANGES * (all + 1);
    let polished = false;
    while (changes <= most) {
      const k = mostViolated();
      if (k < 0) {
        if (polished) return "optimal";
        polish();
        polished = signsHold();
        if (!polished) settle();
      } else {
        polished = false;
        if (satisfy(k)) continue;
        if (!isTolerable(k)) return "infeasible";
        side[k] = 0;
        tolerated[k] = 1;
        settle();
      }
    }
    return "stalled";
  }

  /** x of min ½ xᵀ G x + gᵀ x + ½ shift |x - centre|², again and again with the last x as centre: its limit solves the problem. */
  function solveProximal(start: "cold" | "warm"): QuadraticProgramOutcome {
    centre.fill(0);
    for (let round = 0; round < MOST_PROXIMAL; round++) {
      for (let i = 0; i < n; i++) linear[i] = g[i]! - shift * centre[i]!;
      set.start(G, shift);
      const outcome = solveShifted(round === 0 ? start : "warm");
      if (outcome !== "optimal") return outcome;
      let moved = 0;
      let size = 0;
      for (let i = 0; i < n; i++) {
        z[i] = x[i]! - centre[i]!;
        moved = Math.max(moved, Math.abs(z[i]!));
        size = Math.max(size, Math.abs(g[i]!), shift * Math.abs(x[i]!));
      }
      if (shift * moved <= STATIONARY * size) return "optimal";
      if (fallsForEver()) {
        for (let i = 0; i < n; i++) x[i] = z[i]! / moved;
        return "unbounded";
      }
      centre.set(x);
    }
    return "stalled";
  }

  /** Whether the direction z costs nothing, meets no bound and lowers the objective. */
  function fallsForEver(): boolean {
    let [fall, curve, size] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      fall += g[i]! * z[i]!;
      size += z[i]! * z[i]!;
      for (let j = 0; j < n; j++) curve += z[i]! * z[j]! * (j <= i ? G[i * n + j]! : G[j * n + i]!);
    }
    if (!(fall < 0) || curve > FLAT * shift * size) return false;
    for (let k = 0; k < all; k++) {
      let rate = k < m ? 0 : z[k - m]!;
      let squares = k < m ? 0 : 1;
      if (k < m) {
        for (let i = 0; i < n; i++) {
          rate += A[k * n + i]! * z[i]!;
          squares += A[k * n + i]! * A[k * n + i]!;
        }
      }
      const meets = rate > 0 ? high[k]! : low[k]!;
      if (Number.isFinite(meets) && Math.abs(rate) > FLAT * Math.sqrt(size * squares)) return false;
    }
    return true;
  }

  return {
    ...{ n, m, G, g, A, lower, upper, xLower, xUpper, x, multipliers, side },
    get changes() {
      return changes;
    },
    solve(start = "cold") {
      changes = 0;
      low.set(lower);
      low.set(xLower, m);
      high.set(upper);
      high.set(xUpper, m);
      check();
      for (let k = 0; k < all; k++) {
        if (low[k]! <= high[k]!) continue;
        set.start(G, 0);
        impossible = k;
        return "infeasible";
      }
      shift = 0;
      linear.set(g);
      let outcome: QuadraticProgramOutcome;
      if (set.start(G, 0) < 0) outcome = solveShifted(start);
      else {
        let largest = 0;
        for (let i = 0; i < n; i++) largest = Math.max(largest, G[i * n + i]!);
        shift = SHIFT * (largest > 0 ? largest : 1);
        outcome = set.start(G, shift) < 0 ? solveProximal(start) : "not convex";
      }
      multipliers.fill(0);
      for (let c = 0; c < set.count; c++) multipliers[set.members[c]!] = side[set.members[c]!]! * dual[c]!;
      return outcome;
    },
    conflict() {
      if (impossible < 0) return [];
      const rows = [impossible];
      if (!(low[impossible]! <= high[impossible]!)) return rows;
      writeNormal(impossible);
      set.project(normal);
      set.dependence(rates);
      for (let c = 0; c < set.count; c++) if (Math.abs(rates[c]!) > DEPENDENT) rows.push(set.members[c]!);
      return rows.sort((a, b) => a - b);
    },
  };

  function check(): void {
    checkFinite("G", G);
    checkFinite("g", g);
    checkFinite("A", A);
    for (let k = 0; k < all; k++) {
      if (Number.isNaN(low[k]!) || Number.isNaN(high[k]!))
        throw new RangeError(`a quadratic program needs numbers: a bound of ${k < m ? `row ${k}` : `variable ${k - m}`} is NaN`);
    }
  }
}

function checkFinite(name: string, values: Float64Array): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i])) throw new RangeError(`a quadratic program needs numbers: ${name}[${i}] is ${values[i]}`);
}
