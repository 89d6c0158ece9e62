/**
 * Solving the augmented system. The rows of loops are eliminated last, so that what is left of them is J M⁻¹ Jᵀ whatever the
 * order before; rows that depend on others are left over then, and the system is solved without them.
 */

import { SingularError } from "../../errors.ts";
import { type SparsePattern, sparseLU } from "../../math/linear/sparse-lu.ts";
import type { Model } from "../../model/model.ts";
import { firstMultiplier, unknownCount, unknownOffsets } from "./augmented-system.ts";

/** Entries of J M⁻¹ Jᵀ this small against their terms are rounding. */
const ROUNDING = 64 * Number.EPSILON;
/** Loops that are not closed exactly make dependent rows differ by about as much: so much more than that is needed to count. */
const BEYOND_ERROR = 16;
/** Loops that are further open than this are not taken for closed, and their rows for what they are. */
const OPEN_ERROR = 1e-4;
/** Loops that are closed so well tell their rank, which states that are further off them must not raise [docking.md 5.1]. */
const CLOSED_ERROR = 1e-10;
/** Where some rows depend on others, more than this left of a row, relative to its terms, clearly does not: a square. */
const CLEAR_REMAINDER = 1e-10;
/** Dependent rows that ask for accelerations further apart than this, relative to their terms, contradict each other. */
const CONTRADICTION = 1e-3;

export interface SystemSolver {
  /** The unknowns: set by `solve`. */
  readonly X: Float64Array;
  /** X of A X = B, where f are the errors of the loops. Throws if accelerations are not determined. */
  solve(A: Float64Array, B: Float64Array, f: Float64Array): void;
  /** Throws if rows that depend on each other contradicted each other in `solve`. */
  checkConsistency(t: number): void;
  /** Of all X that move the same takes that with the smallest multipliers. */
  minimiseMultipliers(): void;
  /** Changes of X without motion, orthonormal in the multipliers. */
  combinations(): Float64Array[];
}

export function systemSolver(model: Model, pattern: SparsePattern): SystemSolver {
  const first = firstMultiplier(model);
  const lu = sparseLU(pattern, { border: pattern.n - first });
  const X = new Float64Array(pattern.n);
  const reach = reachOf(model);
  const kinds = kindsOf(model);
  const largest = { linear: 0, angular: 0, hinge: 0 };
  let contradicting = -1;
  /** Rank that has been seen with closed loops; 0 before. */
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
    const found: Float64Array[] = [];
    for (let k = 0; k < pattern.n - lu.rank; k++) {
      const c = new Float64Array(pattern.n);
      lu.nullVector(k, c);
      for (const _twice of [1, 2]) for (const other of found) addMultiple(c, -inner(c, other), other);
      const length = Math.sqrt(inner(c, c));
      found.push(c.map((v) => v / length));
    }
    return found;
  }

  /** A row left over that is further from zero than its coefficients times the largest accelerations of their kinds; -1 if none is. */
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
      const negligible = Math.max(ROUNDING, Math.min((BEYOND_ERROR * error) / reach, OPEN_ERROR) ** 2);
      lu.factor(A, negligible, isClosed || settled === 0 ? pattern.n : settled);
      if (isClosed) {
        if (lu.rank < pattern.n) lu.factor(A, CLEAR_REMAINDER);
        settled = Math.max(settled, lu.rank);
      }
      if (lu.rank === pattern.n) {
        lu.solve(B, X);
        return;
      }
      const loose = lu.unpivoted.columns.find((column) => kinds[column] !== "force");
      if (loose !== undefined || first === pattern.n || lu.rank < first)
        throw singular(model, loose ?? lu.dependent.column, pattern.n - lu.rank);
      const residual = lu.solveBasic(B, X);
      if (isClosed || settled === 0) contradicting = contradiction(A, B, residual); // off the loops dependent rows disagree a little
    },
    checkConsistency(t) {
      if (contradicting >= 0) throw contradictionError(model, contradicting - first, t);
    },
    minimiseMultipliers() {
      if (lu.rank < pattern.n) for (const c of combinations()) addMultiple(X, -inner(X, c), c);
    },
  };
}

/** The largest distance from a body's origin to one of its hinges or loops: what an error of a loop is small against. */
function reachOf(model: Model): number {
  const placements = [
    ...model.bodies.flatMap(({ hinge }) => [hinge.onParent, hinge.onBody]),
    ...model.loops.flatMap((loop) => (loop.type === "frames" ? [loop.from.placement, loop.to.placement] : [])),
  ];
  return Math.max(...placements.map(({ p }) => Math.hypot(...p))) || 1;
}

type UnknownKind = "linear" | "angular" | "hinge" | "force";

/** What each unknown is: an acceleration of one kind, or a force or torque. */
function kindsOf(model: Model): readonly UnknownKind[] {
  const kinds: UnknownKind[] = Array(unknownCount(model)).fill("force");
  for (const [b, { vdot, wdot, f, udot }] of unknownOffsets(model).entries()) {
    kinds.fill("linear", vdot, wdot);
    kinds.fill("angular", wdot, f);
    kinds.fill("hinge", udot, udot + model.bodies[b]!.hinge.nu);
  }
  return kinds;
}

/** Names the body or hinge of an unknown that the system does not determine. */
function singular(model: Model, column: number, missing: number): SingularError {
  const b = unknownOffsets(model).findLastIndex(({ vdot }) => vdot <= column);
  const { vdot, f, udot } = unknownOffsets(model)[b]!;
  const { name, hinge } = model.bodies[b]!;
  const what =
    column < f
      ? `the ${column < vdot + 3 ? "acceleration" : "angular acceleration"} of body "${name}"`
      : `the ${column < udot ? "reaction" : "acceleration"} of hinge "${hinge.name}"`;
  return new SingularError(
    `${model.name}: the augmented system is singular: ${what} is not determined (${missing} of ${unknownCount(model)} unknowns are free). ` +
      "A freedom there moves no inertia, two freedoms do the same, or the state is not finite.",
  );
}

/** A row that depends on others but asks for a different acceleration. */
function contradictionError(model: Model, row: number, t: number): SingularError {
  const names = model.loops.flatMap((loop) =>
    loop.type === "frames" ? loop.rows.map(({ label }) => `"${loop.name}" (${label})`) : [`"${loop.name}"`],
  );
  return new SingularError(
    `${model.name}: at t = ${t} s loop ${names[row]} contradicts others: they allow the same motion but ask for different accelerations. ` +
      "The speeds do not satisfy the loops, or two of them prescribe the same motion differently.",
  );
}
