/**
 * A model whose loops are solved by sequential partitioning. The choice of dependents is kept from one state to the next, and made again
 * only if it has become ill conditioned. A new choice changes the bookkeeping, never the motion.
 */

import { SingularError } from "../../errors.ts";
import { compile, type Target } from "../../kernel/run/kernel.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { rowCount } from "../../model/loop.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { engagedParameterWriter } from "../formulation.ts";
import { choosePartition, type PartitionChoice, RANK_TOLERANCE, type ScaledJacobian } from "./choose-dependents.ts";
import { createReduction, type Reduction } from "./reduction.ts";
import { partitionProgram } from "./system-program.ts";

export interface PartitionedLoops {
  /** Loop and direction of each equation. */
  readonly rows: readonly { readonly loop: string; readonly label: string }[];
  /** u̇ at a state that satisfies the loops. */
  accelerations(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, udot: Float64Array): void;
  /** Multipliers of the last accelerations; signs as in model/loop.ts. */
  multipliers(lambda: Float64Array): void;
  /** f, then ḟ. */
  loopErrors(t: number, q: Float64Array, u: Float64Array, out: Float64Array): void;
  /** Rank of the equations at a position, determined again, and the combinations of multipliers that are not determined. */
  rankAt(t: number, q: Float64Array): { readonly rank: number; readonly dependencies: readonly Float64Array[] };
  /** The change of u by impulses: tau and w integrated over a shock at q. */
  speedJump(t: number, q: Float64Array, tau: Float64Array, w: Float64Array, du: Float64Array): void;
  /** Computes the dependent speeds from the independent ones, in place. */
  completeSpeeds(t: number, q: Float64Array, u: Float64Array): void;
  /** The smallest step of the dependents, in speeds, that closes the loops to first order. Returns the largest residual before the step. */
  closingStep(t: number, q: Float64Array, step: Float64Array): number;
  /** Discards the choice: the next state chooses again. */
  discardChoice(): void;
  /** The present choice, for reports and tests; undefined before the first state. */
  readonly current: (Reduction & { readonly growth: number; readonly switches: number }) | undefined;
}

export interface PartitionOptions {
  /** Frames at which external wrenches act. */
  readonly wrenches?: readonly string[];
  readonly target?: Target;
  /** As in DeriveOptions. */
  readonly engagedParameters?: Float64Array;
  /** Speeds that should stay independent if possible. */
  readonly independents?: readonly number[];
  /** "never": the dependents of the first state are kept in any case. */
  readonly rechoose?: "where needed" | "never";
  /** Replaces SWITCH_GROWTH. */
  readonly switchGrowth?: number;
}

/** Dependents are chosen again if others move them more than this many times their own motion, measured by kinetic energy. */
const SWITCH_GROWTH = 8;
/** A new choice must be better by this factor. */
export const MIN_IMPROVEMENT = 2;
/** Factor by which preferred independents are scaled down as candidates for dependents. */
const PREFERRED_SCALE = 1e-2;
/** Rank tolerance if no choice keeps the rank of the present one: only rounding counts as zero. */
const FORCED_TOLERANCE = 1e-12;

/** Maximum inconsistency of a dropped equation, relative to the largest bias. */
const MAX_INCONSISTENCY = 1e-4;

export function partitionedLoops(model: Model, options: PartitionOptions = {}): PartitionedLoops {
  const structure = partitionProgram(model, options.wrenches);
  const { program } = structure;
  const kernel = compile(program, { target: options.target ?? "wasm" });
  const at = offsetsOf(program.inputs);
  const out = offsetsOf(program.outputs);
  const hold = engagedParameterWriter(options.engagedParameters);
  const { nu } = model;
  const m = structure.rows.length;
  const A = new Float64Array(structure.A.length);
  const J = new Float64Array(structure.J.length);
  const b = new Float64Array(nu);
  const g = new Float64Array(m);
  const x = new Float64Array(nu);
  const none = {
    u: new Float64Array(nu),
    tau: new Float64Array(nu),
    w: new Float64Array(program.inputs.w),
    kept: new Set<number>(),
  };
  const rowsOfLoop = rowsByLoop(model);
  const ones = new Float64Array(nu).fill(1);
  const preferred = new Set(options.independents ?? []);
  let reduction: Reduction | undefined;
  let growth = 0;
  let switches = 0;
  const switchGrowth = options.switchGrowth ?? SWITCH_GROWTH;
  let switchAt = switchGrowth;
  /** Preferences of the model and the caller count for the first choice only. Later choices replace one that has become ill conditioned. */
  let isFirstChoice = true;

  const evaluate = (t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    kernel.x[at.t] = t;
    kernel.x.set(q, at.q);
    kernel.x.set(u, at.u);
    kernel.x.set(tau, at.tau);
    kernel.x.set(w, at.w);
    hold(kernel.x);
    kernel.evaluate();
    const { y } = kernel;
    for (let i = 0; i < A.length; i++) A[i] = y[out.A + i]!;
    for (let i = 0; i < J.length; i++) J[i] = y[out.J + i]!;
  };
  const take = (part: Float64Array, first: number): void => {
    for (let i = 0; i < part.length; i++) part[i] = kernel.y[first + i]!;
  };

  const scaledJacobian = (): ScaledJacobian => {
    const columnScale = columnScales(structure.A, A, nu);
    const rowScale = rowScales(structure.J, J, columnScale, rowsOfLoop);
    return { J: structure.J, values: J.slice(), rowsOfLoop, rowScale, columnScale };
  };

  /** Rank tolerance at the present state: the loop error makes redundant equations look independent. */
  const tolerance = (): number => {
    let off = 0;
    const size = rowScales(structure.J, J, ones, rowsOfLoop);
    for (let i = 0; i < m; i++) off = Math.max(off, Math.abs(kernel.y[out.f + i]!) * size[i]!);
    return Math.min(1e-3, Math.max(RANK_TOLERANCE, 10 * off));
  };

  const choose = (leastRank: number, t: number, kept: ReadonlySet<number>): Reduction => {
    const scaled = scaledJacobian();
    const judged = { ...scaled, columnScale: scaled.columnScale.map((s, u) => (kept.has(u) ? PREFERRED_SCALE * s : s)) };
    let choice: PartitionChoice = choosePartition(model, judged, tolerance(), isFirstChoice ? "kept" : "weighed");
    if (choice.rank < leastRank) choice = choosePartition(model, judged, FORCED_TOLERANCE);
    if (choice.rank < leastRank)
      throw new SingularError(
        `${model.name}: at t = ${t} the loops have rank ${choice.rank} instead of ${leastRank}: the motion is not determined`,
      );
    return createReduction(structure, scaled, choice, nu);
  };

  /** H and h for the right-hand side g, with new dependents if the present ones have become ill conditioned. */
  const close = (t: number): Reduction => {
    reduction ??= choose(0, t, isFirstChoice ? preferred : none.kept);
    isFirstChoice = false;
    growth = reduction.close(J, g);
    if (growth <= switchGrowth) switchAt = switchGrowth;
    else if (!(growth <= switchAt) && options.rechoose !== "never") {
      const other = choose(reduction.choice.rank, t, none.kept);
      const otherGrowth = other.close(J, g);
      if (MIN_IMPROVEMENT * otherGrowth <= growth || Number.isNaN(growth)) {
        reduction = other;
        growth = otherGrowth;
        switches++;
      }
      switchAt = Math.max(switchGrowth, MIN_IMPROVEMENT * growth);
    }
    return reduction;
  };

  /** Throws if, at a state that satisfies the loops, equations dropped as redundant are violated. */
  const checkConsistent = (here: Reduction, t: number): void => {
    const { f, rates, bias } = out;
    let [off, size] = [0, 0];
    for (let i = 0; i < m; i++) {
      off = Math.max(off, Math.abs(kernel.y[f + i]!), Math.abs(kernel.y[rates + i]!));
      size = Math.max(size, Math.abs(kernel.y[bias + i]!));
    }
    if (off > RANK_TOLERANCE || here.inconsistency <= MAX_INCONSISTENCY * size) return;
    const { rank } = here.choice;
    throw new SingularError(
      `${model.name}: at t = ${t} the ${m} equations of the loops have rank ${rank} and contradict each other: a singular position`,
    );
  };

  const solve = (t: number): void => {
    const isFirst = reduction === undefined;
    const here = close(t);
    if (isFirst) checkConsistent(here, t);
    const bad = here.solve(A, b, x);
    if (bad >= 0) {
      const name = coordinateNames(model).u[bad]!;
      throw new SingularError(`${model.name}: the equations of motion are singular in ${name} at t = ${t}: nothing resists it`);
    }
  };

  return {
    rows: structure.rows,
    discardChoice() {
      reduction = undefined;
    },
    get current() {
      return (
        reduction && {
          ...reduction,
          inconsistency: reduction.inconsistency,
          orientation: reduction.orientation,
          growth,
          switches,
        }
      );
    },
    accelerations(t, q, u, tau, w, udot) {
      evaluate(t, q, u, tau, w);
      take(g, out.bias);
      take(b, out.b);
      solve(t);
      udot.set(x);
    },
    multipliers(lambda) {
      reduction?.multipliers(x, lambda);
    },
    loopErrors(t, q, u, error) {
      evaluate(t, q, u, none.tau, none.w);
      for (let i = 0; i < m; i++) {
        error[i] = kernel.y[out.f + i]!;
        error[m + i] = kernel.y[out.rates + i]!;
      }
    },
    rankAt(t, q) {
      evaluate(t, q, none.u, none.tau, none.w);
      take(g, out.bias);
      const here = choose(0, t, none.kept);
      here.close(J, g);
      return { rank: here.choice.rank, dependencies: here.dependencies() };
    },
    speedJump(t, q, tau, w, du) {
      evaluate(t, q, none.u, none.tau, none.w);
      take(b, out.b);
      for (let i = 0; i < nu; i++) du[i] = b[i]!;
      evaluate(t, q, none.u, tau, w);
      for (let i = 0; i < nu; i++) b[i] = kernel.y[out.b + i]! - du[i]!;
      g.fill(0);
      solve(t);
      du.set(x);
    },
    completeSpeeds(t, q, u) {
      evaluate(t, q, none.u, none.tau, none.w);
      take(g, out.rates);
      close(t).forward(u);
    },
    closingStep(t, q, step) {
      evaluate(t, q, none.u, none.tau, none.w);
      take(g, out.f);
      step.fill(0);
      close(t).forward(step);
      return g.reduce((worst, f) => Math.max(worst, Math.abs(f)), 0);
    },
  };
}

/** Rows of the Jacobian by loop, in the order of loopConstraints(). */
function rowsByLoop(model: Model): number[][] {
  let next = 0;
  return model.loops.map((loop) => Array.from({ length: rowCount(loop) }, () => next++));
}

/** 1/√A_jj, so that a unit of each speed has the same kinetic energy. A speed without inertia counts as the lightest. */
function columnScales(
  places: readonly { readonly row: number; readonly column: number }[],
  A: Float64Array,
  nu: number,
): Float64Array {
  const diagonal = new Float64Array(nu);
  for (const [k, { row, column }] of places.entries()) if (row === column) diagonal[row] = A[k]!;
  const most = diagonal.reduce((a, d) => Math.max(a, d), 0);
  const isSome = (d: number): boolean => d > 1e-12 * most;
  const least = diagonal.reduce((a, d) => (isSome(d) ? Math.min(a, d) : a), most);
  return diagonal.map((d) => 1 / Math.sqrt(isSome(d) ? d : least));
}

/** A row that is smaller than this, relative to others of its loop, is rounding and is not scaled up. */
const ROUNDING_ROW = 1e-8;

/** Factors that give each row length 1 in scaled columns. */
function rowScales(
  places: readonly { readonly row: number; readonly column: number }[],
  J: Float64Array,
  columnScale: Float64Array,
  rowsOfLoop: readonly (readonly number[])[],
): Float64Array {
  const size = new Float64Array(rowsOfLoop.flat().length);
  for (const [k, { row, column }] of places.entries()) size[row] = hypotenuse(size[row]!, J[k]! * columnScale[column]!);
  for (const rows of rowsOfLoop) {
    const largest = rows.reduce((most, r) => Math.max(most, size[r]!), 0);
    for (const r of rows) size[r] = largest > 0 ? 1 / (size[r]! > ROUNDING_ROW * largest ? size[r]! : largest) : 1;
  }
  return size;
}
