/**
 * The reduction for one choice of dependents [Yaskevich 2018, (3)-(11); docking study 1.5-1.9]. Each stage keeps the dense block of the
 * speeds in its equations, and uses only the entries of A that couple with its dependents:
 *
 *   closure, backward:   C p_d̈ = -J_i p_ï - g  →  p_d̈ = H p_ï + h                                          (3)-(8)
 *   reduction, backward: A ← A_ii + A_id H + (A_id H)ᵀ + Hᵀ A_dd H,  b ← b_i - A_id h + Hᵀ (b_d - A_dd h)   (10)
 *   solution:            A_0 p̈ = b_0 for the independents, then dependents forward                        (11), (6)
 *   loop forces:         Cᵀ λ = A_di p_ï + A_dd p_d̈ - b_d with A, b of the stage                             (1.9)
 *
 * A loop of rank m whose closure has i other speeds, and whose dependents couple with c speeds, costs O(m² i + m c i + m i²), independent
 * of the size of the model. The independents cost the cube of their number.
 */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { choleskySolver } from "../../math/linear/cholesky.ts";
import { applyReflections } from "../../math/linear/householder.ts";
import type { ScaledJacobian } from "./choose-dependents.ts";
import type { PartitionChoice } from "./partition-stages.ts";
import { droppedSlots, operationsOf, type ReductionStage, stagesOf } from "./reduction-stages.ts";
import type { ReducedEquations } from "./stage-operations.ts";
import {
  closeStage,
  deferRows,
  droppedError,
  forwardStage,
  orientationOf,
  reduceStage,
  stageMultipliers,
} from "./stage-operations.ts";
import type { PartitionProgram } from "./system-program.ts";

/** Scale factors of the equations and of the speeds where the dependents were chosen. */
export type ReductionScales = Pick<ScaledJacobian, "rowScale" | "columnScale">;

export interface Reduction {
  readonly choice: PartitionChoice;
  readonly scales: ReductionScales;
  /** Largest error of the equations that were dropped as redundant, after (8). */
  readonly inconsistency: number;
  /** Sign of the determinant of all C_k^(d), or 0 if one is not square. It changes where the dependents pass a singular position. */
  readonly orientation: number;
  /** Multiplications of one solution, and of one that ignores zeros. */
  readonly operations: { readonly used: number; readonly dense: number };
  /** Computes H and h from the values J and g of the program. Returns the growth: the largest entry of H in scaled speeds. */
  close(J: Float64Array, g: Float64Array): number;
  /** Computes the dependent entries of x from the independent ones. */
  forward(x: Float64Array): void;
  /** Solves A x = b under the closures. Returns the speed in which A_0 is singular, or -1. */
  solve(A: Float64Array, b: Float64Array, x: Float64Array): number;
  /** Multipliers of the last solution; the smallest ones if equations are redundant. */
  multipliers(x: Float64Array, lambda: Float64Array): void;
  /** Orthonormal combinations of multipliers that exert no force. Allocates. */
  dependencies(): Float64Array[];
  /** A_0 and b_0 of the last solution. */
  readonly reduced: { readonly A: Float64Array; readonly b: Float64Array };
}

/** @param last results of the last closure, if the reduction continues a saved one. */
export function createReduction(
  structure: PartitionProgram,
  { rowScale, columnScale }: ReductionScales,
  choice: PartitionChoice,
  nu: number,
  last: Pick<Reduction, "inconsistency" | "orientation"> = { inconsistency: 0, orientation: 0 },
): Reduction {
  const stages = stagesOf(structure, choice, nu);
  const loadRows = rowLoader(structure, rowScale);
  const equations: ReducedEquations = { nu, A: new Float64Array(nu * nu), b: new Float64Array(nu) };
  const lower = Int32Array.from(structure.A, (p) => p.row * nu + p.column);
  const upper = Int32Array.from(structure.A, (p) => p.column * nu + p.row);
  const independents = independentSolver(Int32Array.from(choice.independents));
  const multipliers = multiplierSolver(stages, rowScale);
  let { inconsistency, orientation } = last;

  const forward = (x: Float64Array): void => {
    for (let s = stages.length - 1; s >= 0; s--) forwardStage(stages[s]!, x);
  };

  return {
    choice,
    scales: { rowScale, columnScale },
    get inconsistency() {
      return inconsistency;
    },
    get orientation() {
      return orientation;
    },
    operations: operationsOf(stages, nu, choice.independents.length),
    reduced: { A: independents.A, b: independents.b },
    close(J, g) {
      inconsistency = 0;
      let growth = 0;
      for (const stage of stages) loadRows(stage, J, g);
      for (const stage of stages) {
        const stageGrowth = closeStage(stage, columnScale);
        if (stage.deferral) deferRows(stage, stages[stage.deferral.stage]!);
        else inconsistency = Math.max(inconsistency, droppedError(stage));
        if (!(stageGrowth <= growth)) growth = stageGrowth;
      }
      orientation = stages.reduce((sign, stage) => sign * orientationOf(stage), 1);
      return growth;
    },
    forward,
    solve(A, b, x) {
      equations.A.fill(0);
      for (let k = 0; k < A.length; k++) {
        equations.A[lower[k]!] = A[k]!;
        equations.A[upper[k]!] = A[k]!;
      }
      equations.b.set(b);
      for (const stage of stages) reduceStage(stage, equations);
      const singularSpeed = independents.solve(equations, x);
      if (singularSpeed >= 0) return singularSpeed;
      forward(x);
      return -1;
    },
    multipliers: (x, lambda) => multipliers.solve(equations, x, lambda),
    dependencies: () => multipliers.dependencies(),
  };
}

/** Returns a function that loads the scaled own rows of a stage, J and g, into its B. */
function rowLoader(structure: PartitionProgram, rowScale: Float64Array) {
  const rowOfJ = Int32Array.from(structure.J, (p) => p.row);
  return ({ B, from, to, width, slots, ownRows }: ReductionStage, J: Float64Array, g: Float64Array): void => {
    B.fill(0, 0, ownRows * width);
    for (let k = 0; k < from.length; k++) B[to[k]!] = rowScale[rowOfJ[from[k]!]!]! * J[from[k]!]!;
    for (let i = 0; i < ownRows; i++) B[i * width + width - 1] = rowScale[slots[i]!]! * g[slots[i]!]!;
  };
}

/** A_0 x = b_0 (11). `solve` writes the independent entries of x; it returns the speed in which A_0 is singular, or -1. */
function independentSolver(independents: Int32Array) {
  const n = independents.length;
  const A0 = new Float64Array(n * n);
  const b0 = new Float64Array(n);
  const x0 = new Float64Array(n);
  const factors = choleskySolver(n);
  return {
    A: A0,
    b: b0,
    solve({ nu, A, b }: ReducedEquations, x: Float64Array): number {
      for (let i = 0; i < n; i++) {
        const row = independents[i]! * nu;
        for (let j = 0; j < n; j++) A0[i * n + j] = A[row + independents[j]!]!;
        b0[i] = x0[i] = b[independents[i]!]!;
      }
      const singular = factors.factor(A0);
      if (singular >= 0) return independents[singular]!;
      factors.solve(x0);
      for (let i = 0; i < n; i++) x[independents[i]!] = x0[i]!;
      return -1;
    },
  };
}

/** Multipliers of the last solution, and the combinations of multipliers that exert no force. */
function multiplierSolver(stages: readonly ReductionStage[], rowScale: Float64Array) {
  const dropped = droppedSlots(stages, rowScale.length);
  const force = new Float64Array(rowScale.length);

  /**
   * Multipliers of the scaled equations, in `force`, from the last stage to the first: those of the dropped equations are given there, and
   * `solveStage` computes those of each stage.
   */
  const unreflect = (solveStage: (stage: ReductionStage) => void): void => {
    for (let s = stages.length - 1; s >= 0; s--) {
      const stage = stages[s]!;
      const { slots, dependents, z } = stage;
      for (let i = dependents.length; i < slots.length; i++) z[i] = force[slots[i]!]!;
      solveStage(stage);
      applyReflections(stage, dependents.length, z);
      for (let i = 0; i < slots.length; i++) force[slots[i]!] = z[i]!;
    }
  };

  /** For each dropped equation its combination of multipliers, made orthonormal. */
  const dependencies = (): Float64Array[] => {
    const basis: Float64Array[] = [];
    for (const slot of dropped) {
      force.fill(0);
      force[slot] = 1;
      unreflect(({ z, dependents }) => z.fill(0, 0, dependents.length));
      const v = force.map((value, i) => value * rowScale[i]!);
      for (const n of basis) removeComponent(v, n);
      const size = euclideanNorm(v);
      if (size > 0) basis.push(v.map((value) => value / size));
    }
    return basis;
  };

  return {
    dependencies,
    solve(equations: ReducedEquations, x: Float64Array, lambda: Float64Array): void {
      force.fill(0);
      unreflect((stage) => stageMultipliers(stage, equations, x));
      for (let i = 0; i < force.length; i++) lambda[i] = force[i]! * rowScale[i]!;
      if (dropped.length > 0) for (const n of dependencies()) removeComponent(lambda, n);
    },
  };
}

/** Subtracts from v its component along a unit vector n. */
function removeComponent(v: Float64Array, n: Float64Array): void {
  const component = v.reduce((sum, value, i) => sum + value * n[i]!, 0);
  for (let i = 0; i < v.length; i++) v[i]! -= component * n[i]!;
}
