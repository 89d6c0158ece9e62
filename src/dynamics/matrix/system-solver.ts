/**
 * Solution of the augmented system. The rows of loops are eliminated last, so their remainder is J M⁻¹ Jᵀ in any order of the
 * others. Dependent rows are left over, and the system is solved without them.
 */

import { SingularError } from "../../errors.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { square } from "../../math/elementary/power.ts";
import { type SparsePattern, sparseLU } from "../../math/linear/sparse-lu.ts";
import type { Model } from "../../model/model.ts";
import { checkSavedInteger, refuseSaved, savedEntries, takeSaved } from "../../saved-data.ts";
import { firstMultiplier, unknownCount, unknownOffsets } from "./augmented-system.ts";
import { type BorderedSolver, borderedSolver } from "./bordered-solver.ts";

/** Entries of J M⁻¹ Jᵀ below this, relative to their terms, are rounding. */
const ROUNDING = 64 * Number.EPSILON;
/** Loops that are not exactly closed make dependent rows differ by about the loop error. A row is independent above this many times that. */
const BEYOND_ERROR = 16;
/** Maximum loop error that the dependence test takes into account. */
const OPEN_ERROR = 1e-4;
/** Below this error loops count as closed and determine the rank. States with a larger error must not raise it [docking study 5.1]. */
const CLOSED_ERROR = 1e-10;
/** If some rows are dependent, a row with a remainder above this, relative to its terms, is clearly independent. It is a square. */
const CLEAR_REMAINDER = 1e-10;
/** Dependent rows contradict each other if their required accelerations differ by more than this, relative to their terms. */
const CONTRADICTION = 1e-3;
/** Rounding of the accelerations of one kind (of points, of bodies, of hinges), relative to the largest acceleration of any kind. */
const ACCELERATION_ROUNDING = 1e-10;

export interface SystemSolver {
  /** The unknowns, set by `solve`. */
  readonly X: Float64Array;
  /**
   * Solves A X = B, where f are the errors of the loops, and `normError` is the largest deviation of a quaternion from norm 1, which also makes
   * dependent rows differ. Throws if accelerations are not determined.
   */
  solve(A: Float64Array, B: Float64Array, f: Float64Array, normError: number): void;
  /** A row that requires another acceleration than the rows on which it depends, in the last `solve`; -1 if there is none. */
  readonly contradicting: number;
  /** The difference of these accelerations, relative to the coefficients of the row. */
  readonly contradiction: number;
  /** Replaces X by the solution with the same motion and the smallest multipliers. */
  minimiseMultipliers(): void;
  /** Changes of X without motion, orthonormal in the multipliers. */
  combinations(): Float64Array[];
  /** The pivot orders, and the rank seen with closed loops, as plain data. */
  save(): unknown;
  restore(saved: unknown, path: string): void;
}

/**
 * Ways to solve the system: "regular" by one LU; "bordered" if rows depend on each other; "complete" if moreover only the loops determine the
 * accelerations, as those of rods without mass: then the rows that depend on others are found among all rows.
 */
const METHODS = ["regular", "bordered", "complete"] as const;

type LastSolver = Pick<BorderedSolver, "rank" | "nullVector">;

export function systemSolver(model: Model, pattern: SparsePattern): SystemSolver {
  const first = firstMultiplier(model);
  const m = pattern.n - first;
  const lu = sparseLU(pattern, { border: m });
  const bordered = borderedSolver(pattern, first);
  const X = new Float64Array(pattern.n);
  const reach = reachOf(model);
  const kinds = kindsOf(model);
  const contradictingRow = contradictionFinder(pattern, first, kinds, reach);
  /** Index of the method of the next solution. */
  let method = 0;
  /** The solver of the last solution. */
  let solver: LastSolver = lu;
  let contradicting = -1;
  /** Rank seen with closed loops; 0 before the first such state. */
  let settled = 0;

  /** A dependent row whose residual exceeds its coefficients times the largest accelerations of their kinds, or -1. */
  function contradiction(A: Float64Array, B: Float64Array, rows: Int32Array, residual: Float64Array): number {
    const suspect = contradictingRow.find(A, B, rows, residual, X);
    // Accelerations of a machine that cannot move are only rounding of those that it would have without its loops.
    return suspect >= 0 && solver === bordered ? contradictingRow.find(A, B, rows, residual, bordered.withoutLoops(B)) : suspect;
  }

  /** Solves with the rows of loops apart. False if the system without loops is singular. */
  function solveBordered(A: Float64Array, B: Float64Array, negligible: number, isClosed: boolean): boolean {
    if (!bordered.factor(A)) return false;
    bordered.chooseRank(negligible, isClosed || settled === 0 ? m : settled - first);
    if (isClosed) {
      if (bordered.rank < pattern.n) bordered.chooseRank(CLEAR_REMAINDER, m);
      settled = Math.max(settled, bordered.rank);
    }
    const residual = bordered.solve(B, X);
    solver = bordered;
    const isClear = isClosed && bordered.rank === pattern.n && bordered.smallestRemainder > CLEAR_REMAINDER;
    method = METHODS.indexOf(isClear ? "regular" : "bordered");
    // Off the loops dependent rows differ a little.
    if (isClosed || settled === 0) contradicting = contradiction(A, B, bordered.dependentRows, residual);
    return true;
  }

  /** Solves with pivots anywhere. Returns false if rows depend on each other and `mayDepend` is false. */
  function solveComplete(A: Float64Array, B: Float64Array, negligible: number, isClosed: boolean, mayDepend: boolean): boolean {
    lu.factor(A, negligible, isClosed || settled === 0 ? pattern.n : settled);
    if (lu.rank < pattern.n && !mayDepend) return false;
    solver = lu;
    if (isClosed) {
      if (lu.rank < pattern.n) lu.factor(A, CLEAR_REMAINDER);
      settled = Math.max(settled, lu.rank);
    }
    if (lu.rank === pattern.n) {
      lu.solve(B, X);
      method = METHODS.indexOf("regular");
      return true;
    }
    const undetermined = lu.unpivoted.columns.find((column) => kinds[column] !== "force");
    if (undetermined !== undefined || m === 0 || lu.rank < first)
      throw singular(model, undetermined ?? lu.dependent.column, pattern.n - lu.rank);
    const residual = lu.solveBasic(B, X);
    method = METHODS.indexOf("complete");
    if (isClosed || settled === 0) contradicting = contradiction(A, B, lu.unpivoted.rows, residual);
    return true;
  }

  return {
    X,
    combinations: () => combinationsOf(solver, pattern.n, first),
    get contradicting() {
      return contradicting;
    },
    get contradiction() {
      return contradictingRow.size;
    },
    solve(A, B, f, normError) {
      let error = 0;
      for (const value of f) error = Math.max(error, Math.abs(value));
      contradicting = -1;
      const isClosed = error < CLOSED_ERROR;
      const negligible = Math.max(ROUNDING, square(Math.min((BEYOND_ERROR * error) / reach, OPEN_ERROR)));
      if (METHODS[method] === "regular" && solveComplete(A, B, negligible, isClosed, m === 0)) return;
      if (METHODS[method] !== "complete" && solveBordered(A, B, negligible, isClosed && normError < CLOSED_ERROR)) return;
      solveComplete(A, B, negligible, isClosed, true);
    },
    save: () => ({ lu: lu.save(), bordered: bordered.save(), settled, method }),
    restore(saved, path) {
      const entries = savedEntries(saved, ["lu", "bordered", "settled", "method"], path);
      const restored = { settled: 0, method: 0 };
      takeSaved(restored, { settled: entries.settled, method: entries.method }, path);
      checkSavedInteger(restored.settled, 0, pattern.n, `${path}.settled`);
      checkSavedInteger(restored.method, 0, METHODS.length - 1, `${path}.method`);
      checkPivotOrders(entries, restored, path);
      lu.restore(entries.lu, `${path}.lu`);
      bordered.restore(entries.bordered, `${path}.bordered`);
      ({ settled, method } = restored);
    },
    minimiseMultipliers() {
      for (const c of combinationsOf(solver, pattern.n, first)) removeComponent(X, c, first);
    },
  };
}

/** Refuses saved data without the pivot orders that the next solution needs. */
function checkPivotOrders(
  entries: Readonly<Record<"lu" | "bordered", unknown>>,
  { method, settled }: { readonly method: number; readonly settled: number },
  path: string,
): void {
  const isBordered = METHODS[method] === "bordered";
  if (entries.lu === null && (isBordered || settled > 0)) refuseSaved(`${path}.lu`, "must be a pivot order", null);
  if (entries.bordered === null && isBordered) refuseSaved(`${path}.bordered`, "must be a pivot order", null);
}

/** Changes of the n unknowns without motion, orthonormal in the multipliers, which begin at `first`. */
function combinationsOf(solver: LastSolver, n: number, first: number): Float64Array[] {
  const basis: Float64Array[] = [];
  for (let k = 0; k < n - solver.rank; k++) {
    const c = new Float64Array(n);
    solver.nullVector(k, c);
    for (const _twice of [1, 2]) for (const other of basis) removeComponent(c, other, first);
    const length = Math.sqrt(multiplierProduct(c, c, first));
    basis.push(c.map((v) => v / length));
  }
  return basis;
}

/** Subtracts from y its component along a combination. */
function removeComponent(y: Float64Array, combination: Float64Array, first: number): void {
  const factor = multiplierProduct(y, combination, first);
  for (let i = 0; i < y.length; i++) y[i]! -= factor * combination[i]!;
}

function multiplierProduct(a: Float64Array, b: Float64Array, first: number): number {
  let sum = 0;
  for (let i = first; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** The largest distance from a body's origin to one of its hinges or loops: the length to which loop errors are compared. */
function reachOf(model: Model): number {
  const placements = [
    ...model.bodies.flatMap(({ hinge }) => [hinge.onParent, hinge.onBody]),
    ...model.loops.flatMap((loop) => (loop.type === "frames" ? [loop.from.placement, loop.to.placement] : [])),
  ];
  return Math.max(...placements.map(({ p }) => euclideanNorm(p))) || 1;
}

type UnknownKind = "linear" | "angular" | "hinge" | "force";

/** Kind of each unknown: an acceleration, or a force or torque. */
function kindsOf(model: Model): readonly UnknownKind[] {
  const kinds: UnknownKind[] = Array(unknownCount(model)).fill("force");
  for (const [b, { vdot, wdot, f, udot }] of unknownOffsets(model).entries()) {
    kinds.fill("linear", vdot, wdot);
    kinds.fill("angular", wdot, f);
    kinds.fill("hinge", udot, udot + model.bodies[b]!.hinge.nu);
  }
  return kinds;
}

/** Finds the first row of some whose residual exceeds its coefficients times the largest accelerations of their kinds, or -1. */
function contradictionFinder(pattern: SparsePattern, first: number, kinds: readonly UnknownKind[], reach: number) {
  const largest = { linear: 0, angular: 0, hinge: 0 };
  const entries: number[][] = Array.from({ length: pattern.n - first }, () => []);
  for (let e = 0; e < pattern.rows.length; e++)
    if (pattern.rows[e]! >= first && kinds[pattern.columns[e]!] !== "force") entries[pattern.rows[e]! - first]!.push(e);
  const finder = { size: 0, find };
  return finder;

  function find(A: Float64Array, B: Float64Array, rows: Int32Array, residual: Float64Array, X: Float64Array): number {
    largest.linear = largest.angular = largest.hinge = 0;
    for (let i = 0; i < first; i++) {
      const kind = kinds[i]!;
      if (kind !== "force") largest[kind] = Math.max(largest[kind], Math.abs(X[i]!));
    }
    // Rounding of one kind of acceleration reaches the others: that of a free fall the angular accelerations.
    const { linear, angular, hinge } = largest;
    const largestOfAll = Math.max(linear / reach, angular, hinge, hinge / reach);
    for (const row of rows) {
      let [scale, coefficient] = [Math.abs(B[row]!), 0];
      for (const e of entries[row - first]!) {
        const kind = kinds[pattern.columns[e]!] as keyof typeof largest;
        const rounding = (ACCELERATION_ROUNDING / CONTRADICTION) * largestOfAll * (kind === "linear" ? reach : 1);
        scale = Math.max(scale, Math.abs(A[e]!) * Math.max(largest[kind], rounding));
        coefficient = Math.max(coefficient, Math.abs(A[e]!));
      }
      finder.size = Math.abs(residual[row]!) / coefficient;
      if (Math.abs(residual[row]!) > CONTRADICTION * scale) return row;
    }
    return -1;
  }
}

/** Error that names the body or hinge of an unknown that the system does not determine. */
function singular(model: Model, column: number, missing: number): SingularError {
  const b = unknownOffsets(model).findLastIndex(({ vdot }) => vdot <= column);
  const { vdot, f, udot } = unknownOffsets(model)[b]!;
  const { name, hinge } = model.bodies[b]!;
  const unknown =
    column < f
      ? `the ${column < vdot + 3 ? "acceleration" : "angular acceleration"} of body "${name}"`
      : `the ${column < udot ? "reaction" : "acceleration"} of hinge "${hinge.name}"`;
  return new SingularError(
    `${model.name}: the augmented system is singular: ${unknown} is not determined (${missing} of ${unknownCount(model)} unknowns are free). ` +
      "A freedom there moves no inertia, two freedoms are equivalent, or the state is not finite.",
  );
}

/** Error for a dependent row that requires a different acceleration. */
export function contradictionError(model: Model, row: number, t: number): SingularError {
  const names = model.loops.flatMap((loop) =>
    loop.type === "frames" ? loop.rows.map(({ label }) => `"${loop.name}" (${label})`) : [`"${loop.name}"`],
  );
  return new SingularError(
    `${model.name}: at t = ${t} s loop ${names[row]} contradicts others: they block the same motion but require different accelerations. ` +
      "The speeds do not satisfy the loops, or two of them prescribe the same motion differently.",
  );
}
