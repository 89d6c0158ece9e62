/**
 * Solution of the augmented system. The rows of loops are eliminated last, so their remainder is J M⁻¹ Jᵀ in any order of the
 * others. Dependent rows are left over, and the system is solved without them.
 */

import { SingularError } from "../../errors.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { square } from "../../math/elementary/power.ts";
import { type SparsePattern, sparseLU } from "../../math/linear/sparse-lu.ts";
import type { Model } from "../../model/model.ts";
import { checkSavedInteger, savedEntries, takeSaved } from "../../saved-data.ts";
import { firstMultiplier, unknownCount, unknownOffsets } from "./augmented-system.ts";

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

export interface SystemSolver {
  /** The unknowns, set by `solve`. */
  readonly X: Float64Array;
  /** Solves A X = B, where f are the errors of the loops. Throws if accelerations are not determined. */
  solve(A: Float64Array, B: Float64Array, f: Float64Array): void;
  /** Throws if dependent rows contradicted each other in `solve`. */
  checkConsistency(t: number): void;
  /** Replaces X by the solution with the same motion and the smallest multipliers. */
  minimiseMultipliers(): void;
  /** Changes of X without motion, orthonormal in the multipliers. */
  combinations(): Float64Array[];
  /** The pivot order, and the rank seen with closed loops, as plain data. */
  save(): unknown;
  restore(saved: unknown, path: string): void;
}

export function systemSolver(model: Model, pattern: SparsePattern): SystemSolver {
  const first = firstMultiplier(model);
  const lu = sparseLU(pattern, { border: pattern.n - first });
  const X = new Float64Array(pattern.n);
  const reach = reachOf(model);
  const kinds = kindsOf(model);
  const largest = { linear: 0, angular: 0, hinge: 0 };
  let contradicting = -1;
  /** Rank seen with closed loops; 0 before the first such state. */
  let settled = 0;

  const inner = (a: Float64Array, b: Float64Array): number => {
    let sum = 0;
    for (let i = first; i < pattern.n; i++) sum += a[i]! * b[i]!;
    return sum;
  };
  const addMultiple = (y: Float64Array, factor: number, x: Float64Array): void => {
    for (let i = 0; i < y.length; i++) y[i]! += factor * x[i]!;
  };

  function combinations(): Float64Array[] {
    const basis: Float64Array[] = [];
    for (let k = 0; k < pattern.n - lu.rank; k++) {
      const c = new Float64Array(pattern.n);
      lu.nullVector(k, c);
      for (const _twice of [1, 2]) for (const other of basis) addMultiple(c, -inner(c, other), other);
      const length = Math.sqrt(inner(c, c));
      basis.push(c.map((v) => v / length));
    }
    return basis;
  }

  /** A row left over whose residual exceeds its coefficients times the largest accelerations of their kinds, or -1. */
  function contradiction(A: Float64Array, B: Float64Array, residual: Float64Array): number {
    largest.linear = largest.angular = largest.hinge = 0;
    for (let i = 0; i < first; i++) {
      const kind = kinds[i]!;
      if (kind !== "force") largest[kind] = Math.max(largest[kind], Math.abs(X[i]!));
    }
    for (const row of lu.unpivoted.rows) {
      let scale = Math.abs(B[row]!);
      for (let e = 0; e < A.length; e++) {
        if (pattern.rows[e] !== row) continue;
        const kind = kinds[pattern.columns[e]!]!;
        if (kind !== "force") scale = Math.max(scale, Math.abs(A[e]!) * largest[kind]);
      }
      if (Math.abs(residual[row]!) > CONTRADICTION * scale) return row;
    }
    return -1;
  }

  return {
    X,
    combinations,
    solve(A, B, f) {
      let error = 0;
      for (const value of f) error = Math.max(error, Math.abs(value));
      contradicting = -1;
      const isClosed = error < CLOSED_ERROR;
      const negligible = Math.max(ROUNDING, square(Math.min((BEYOND_ERROR * error) / reach, OPEN_ERROR)));
      lu.factor(A, negligible, isClosed || settled === 0 ? pattern.n : settled);
      if (isClosed) {
        if (lu.rank < pattern.n) lu.factor(A, CLEAR_REMAINDER);
        settled = Math.max(settled, lu.rank);
      }
      if (lu.rank === pattern.n) {
        lu.solve(B, X);
        return;
      }
      const undetermined = lu.unpivoted.columns.find((column) => kinds[column] !== "force");
      if (undetermined !== undefined || first === pattern.n || lu.rank < first)
        throw singular(model, undetermined ?? lu.dependent.column, pattern.n - lu.rank);
      const residual = lu.solveBasic(B, X);
      if (isClosed || settled === 0) contradicting = contradiction(A, B, residual); // off the loops dependent rows differ a little
    },
    checkConsistency(t) {
      if (contradicting >= 0) throw contradictionError(model, contradicting - first, t);
    },
    save: () => ({ lu: lu.save(), settled }),
    restore(saved, path) {
      const entries = savedEntries(saved, ["lu", "settled"], path);
      const restored = { settled: 0 };
      takeSaved(restored, { settled: entries.settled }, path);
      checkSavedInteger(restored.settled, 0, pattern.n, `${path}.settled`);
      lu.restore(entries.lu, `${path}.lu`);
      settled = restored.settled;
    },
    minimiseMultipliers() {
      if (lu.rank < pattern.n) for (const c of combinations()) addMultiple(X, -inner(X, c), c);
    },
  };
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
function contradictionError(model: Model, row: number, t: number): SingularError {
  const names = model.loops.flatMap((loop) =>
    loop.type === "frames" ? loop.rows.map(({ label }) => `"${loop.name}" (${label})`) : [`"${loop.name}"`],
  );
  return new SingularError(
    `${model.name}: at t = ${t} s loop ${names[row]} contradicts others: they block the same motion but require different accelerations. ` +
      "The speeds do not satisfy the loops, or two of them prescribe the same motion differently.",
  );
}
