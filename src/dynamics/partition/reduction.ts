/**
 * The reduction for one choice of dependents [Yaskevich 2018, (3)-(11); docking.md 1.5-1.9]. Each stage keeps the dense block of the
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
import { type Cholesky, choleskySolver } from "../../math/linear/cholesky.ts";
import { applyReflections, type Reflections, reflectColumn } from "../../math/linear/householder.ts";
import type { PartitionChoice, ScaledJacobian, StageChoice } from "./choose-dependents.ts";
import type { PartitionProgram } from "./system-program.ts";

export interface Reduction {
  readonly choice: PartitionChoice;
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

/** A prepared stage. The columns of B are dependents, others, right-hand side. */
interface ReductionStage extends Reflections {
  readonly slots: Int32Array;
  readonly dependents: Int32Array;
  readonly others: Int32Array;
  /** Speeds that are not yet eliminated and couple with the dependents in A. */
  readonly coupled: Int32Array;
  /** p_d = H p_i + h, by rows, h last. */
  readonly H: Float64Array;
  /** A_dd H, or A_id H of one row. */
  readonly product: Float64Array;
  /** Indices of the values of J that belong to the stage, and their offsets in B. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Number of its own rows. Rows deferred by other stages follow them. */
  readonly ownRows: number;
  readonly deferral?: { readonly stage: number; readonly row: number; readonly columns: Int32Array };
  readonly z: Float64Array;
}

export function createReduction(
  structure: PartitionProgram,
  scaled: ScaledJacobian,
  choice: PartitionChoice,
  nu: number,
): Reduction {
  const { rowScale, columnScale } = scaled;
  const stages = stagesOf(structure, choice, nu);
  const independents = Int32Array.from(choice.independents);
  const n0 = independents.length;
  const work = new Float64Array(nu * nu);
  const rhs = new Float64Array(nu);
  const A0 = new Float64Array(n0 * n0);
  const b0 = new Float64Array(n0);
  const x0 = new Float64Array(n0);
  const factors = choleskySolver(n0);
  const lower = Int32Array.from(structure.A, (p) => p.row * nu + p.column);
  const upper = Int32Array.from(structure.A, (p) => p.column * nu + p.row);
  const rowOfJ = Int32Array.from(structure.J, (p) => p.row);
  const dropped = droppedSlots(stages, rowScale.length);
  const force = new Float64Array(rowScale.length);
  let inconsistency = 0;
  let orientation = 0;

  const loadStage = (stage: ReductionStage, J: Float64Array, g: Float64Array): void => {
    const { B, from, to, width, slots, ownRows } = stage;
    B.fill(0, 0, ownRows * width);
    for (let k = 0; k < from.length; k++) B[to[k]!] = rowScale[rowOfJ[from[k]!]!]! * J[from[k]!]!;
    for (let i = 0; i < ownRows; i++) B[i * width + width - 1] = rowScale[slots[i]!]! * g[slots[i]!]!;
  };

  const closeStage = (stage: ReductionStage): number => {
    const { B, rows, width, dependents, others, H } = stage;
    const m = dependents.length;
    for (let j = 0; j < m; j++) reflectColumn(stage, j);
    let growth = 0;
    const wide = width - m;
    for (let c = 0; c < wide; c++) {
      for (let i = m - 1; i >= 0; i--) {
        let sum = -B[i * width + m + c]!;
        for (let k = i + 1; k < m; k++) sum -= B[i * width + k]! * H[k * wide + c]!;
        const value = sum / B[i * width + i]!;
        H[i * wide + c] = value;
        if (c + 1 === wide) continue;
        const size = Math.abs(value) * (columnScale[others[c]!]! / columnScale[dependents[i]!]!);
        if (!(size <= growth)) growth = size;
      }
    }
    const { deferral } = stage;
    if (deferral) defer(stage, stages[deferral.stage]!);
    else for (let i = m; i < rows; i++) inconsistency = Math.max(inconsistency, Math.abs(B[i * width + width - 1]!));
    return growth;
  };

  const reduceStage = ({ dependents, others, coupled, H, product }: ReductionStage): void => {
    const m = dependents.length;
    const width = others.length;
    const wide = width + 1;
    for (let k = 0; k < coupled.length; k++) {
      const i = coupled[k]!;
      for (let c = 0; c < wide; c++) {
        let sum = 0;
        for (let d = 0; d < m; d++) sum += work[i * nu + dependents[d]!]! * H[d * wide + c]!;
        if (c === width) rhs[i]! -= sum;
        else {
          const j = others[c]!;
          work[i * nu + j]! += sum;
          work[j * nu + i]! += sum;
        }
      }
    }
    for (let d = 0; d < m; d++) {
      for (let c = 0; c < wide; c++) {
        let sum = 0;
        for (let e = 0; e < m; e++) sum += work[dependents[d]! * nu + dependents[e]!]! * H[e * wide + c]!;
        product[d * wide + c] = c === width ? rhs[dependents[d]!]! - sum : sum;
      }
    }
    for (let a = 0; a < width; a++) {
      const i = others[a]!;
      for (let d = 0; d < m; d++) rhs[i]! += H[d * wide + a]! * product[d * wide + width]!;
      for (let c = 0; c <= a; c++) {
        let sum = 0;
        for (let d = 0; d < m; d++) sum += H[d * wide + a]! * product[d * wide + c]!;
        work[i * nu + others[c]!]! += sum;
        if (c !== a) work[others[c]! * nu + i]! += sum;
      }
    }
  };

  const forward = (x: Float64Array): void => {
    for (let s = stages.length - 1; s >= 0; s--) {
      const { dependents, others, H } = stages[s]!;
      const wide = others.length + 1;
      for (let d = 0; d < dependents.length; d++) {
        let sum = H[d * wide + wide - 1]!;
        for (let c = 0; c < others.length; c++) sum += H[d * wide + c]! * x[others[c]!]!;
        x[dependents[d]!] = sum;
      }
    }
  };

  /**
   * Multipliers of the scaled equations, in `force`, from the last stage to the first: those of the dropped equations are given there, and
   * `first` computes those of each stage.
   */
  const unreflect = (first: (stage: ReductionStage) => void): void => {
    for (let s = stages.length - 1; s >= 0; s--) {
      const stage = stages[s]!;
      const { slots, dependents, z } = stage;
      for (let i = dependents.length; i < slots.length; i++) z[i] = force[slots[i]!]!;
      first(stage);
      applyReflections(stage, dependents.length, z);
      for (let i = 0; i < slots.length; i++) force[slots[i]!] = z[i]!;
    }
  };

  const stageForces =
    (x: Float64Array) =>
    (stage: ReductionStage): void => {
      const { B, width, dependents, coupled, z } = stage;
      for (let d = 0; d < dependents.length; d++) {
        const row = dependents[d]! * nu;
        let sum = -rhs[dependents[d]!]!;
        for (let k = 0; k < coupled.length; k++) sum += work[row + coupled[k]!]! * x[coupled[k]!]!;
        for (let e = 0; e < dependents.length; e++) sum += work[row + dependents[e]!]! * x[dependents[e]!]!;
        for (let e = 0; e < d; e++) sum -= B[e * width + d]! * z[e]!;
        z[d] = sum / B[d * width + d]!;
      }
    };

  /** For each dropped equation its combination of multipliers, made orthonormal. */
  const dependencies = (): Float64Array[] => {
    const found: Float64Array[] = [];
    for (const slot of dropped) {
      force.fill(0);
      force[slot] = 1;
      unreflect(({ z, dependents }) => z.fill(0, 0, dependents.length));
      const v = force.map((value, i) => value * rowScale[i]!);
      for (const n of found) removePart(v, n);
      const size = Math.hypot(...v);
      if (size > 0) found.push(v.map((value) => value / size));
    }
    return found;
  };

  return {
    choice,
    get inconsistency() {
      return inconsistency;
    },
    get orientation() {
      return orientation;
    },
    operations: operationsOf(stages, nu, n0),
    reduced: { A: A0, b: b0 },
    close(J, g) {
      inconsistency = 0;
      let growth = 0;
      for (const stage of stages) loadStage(stage, J, g);
      for (const stage of stages) {
        const own = closeStage(stage);
        if (!(own <= growth)) growth = own;
      }
      orientation = stages.reduce((sign, stage) => sign * orientationOf(stage), 1);
      return growth;
    },
    forward,
    solve(A, b, x) {
      work.fill(0);
      for (let k = 0; k < A.length; k++) {
        work[lower[k]!] = A[k]!;
        work[upper[k]!] = A[k]!;
      }
      rhs.set(b);
      for (const stage of stages) reduceStage(stage);
      const bad = solveIndependents(work, nu, rhs, independents, A0, b0, x0, factors);
      if (bad >= 0) return independents[bad]!;
      for (let i = 0; i < n0; i++) x[independents[i]!] = x0[i]!;
      forward(x);
      return -1;
    },
    multipliers(x, lambda) {
      force.fill(0);
      unreflect(stageForces(x));
      for (let i = 0; i < force.length; i++) lambda[i] = force[i]! * rowScale[i]!;
      if (dropped.length > 0) for (const n of dependencies()) removePart(lambda, n);
    },
    dependencies,
  };
}

/** Sign of the determinant of a stage's square part: each reflection has determinant -1. */
function orientationOf({ B, rows, width, beta, dependents }: ReductionStage): number {
  if (rows !== dependents.length) return 0;
  let sign = 1;
  for (let i = 0; i < rows; i++) sign *= Math.sign(B[i * width + i]!) * (beta[i] === 0 ? 1 : -1);
  return sign;
}

/** Copies the remaining rows of a stage to the stage that takes them. */
function defer({ B, rows, width, dependents, others, deferral }: ReductionStage, target: ReductionStage): void {
  const { row, columns } = deferral!;
  for (let i = dependents.length, k = row; i < rows; i++, k++) {
    const at = k * target.width;
    target.B.fill(0, at, at + target.width);
    for (let c = 0; c < others.length; c++) target.B[at + columns[c]!] = B[i * width + dependents.length + c]!;
    target.B[at + target.width - 1] = B[i * width + width - 1]!;
  }
}

/** A_0 x = b_0 (11). */
function solveIndependents(
  A: Float64Array,
  nu: number,
  b: Float64Array,
  independents: Int32Array,
  A0: Float64Array,
  b0: Float64Array,
  x0: Float64Array,
  factors: Cholesky,
): number {
  const n = independents.length;
  for (let i = 0; i < n; i++) {
    const row = independents[i]! * nu;
    for (let j = 0; j < n; j++) A0[i * n + j] = A[row + independents[j]!]!;
    b0[i] = x0[i] = b[independents[i]!]!;
  }
  const bad = factors.factor(A0);
  if (bad < 0) factors.solve(x0);
  return bad;
}

/** Slots of redundant equations, including those without any speed. */
function droppedSlots(stages: readonly ReductionStage[], m: number): number[] {
  const used = new Set(stages.flatMap(({ slots }) => [...slots]));
  const empty = Array.from({ length: m }, (_, slot) => slot).filter((slot) => !used.has(slot));
  return [
    ...empty,
    ...stages.flatMap(({ slots, dependents, deferral }) => (deferral ? [] : [...slots.slice(dependents.length)])),
  ];
}

/** Subtracts from v its component along a unit vector n. */
function removePart(v: Float64Array, n: Float64Array): void {
  const part = v.reduce((sum, value, i) => sum + value * n[i]!, 0);
  for (let i = 0; i < v.length; i++) v[i]! -= part * n[i]!;
}

function stagesOf(structure: PartitionProgram, { stages }: PartitionChoice, nu: number): ReductionStage[] {
  const couples = new Uint8Array(nu * nu);
  for (const { row, column } of structure.A) couples[row * nu + column] = couples[column * nu + row] = 1;
  const gone = new Uint8Array(nu);
  const arriving = stages.map((_, s) => stages.reduce((sum, other) => sum + (other.deferredTo === s ? leftBy(other) : 0), 0));
  const nextRow = stages.map((stage, s) => stage.rows.length - arriving[s]!);
  return stages.map((stage, s): ReductionStage => {
    const { dependents, others, deferredTo } = stage;
    const [rows, width] = [stage.rows.length, dependents.length + others.length + 1];
    const ownRows = rows - arriving[s]!;
    const columnOf = new Map([...dependents, ...others].map((u, c) => [u, c]));
    const rowOf = new Map(stage.rows.slice(0, ownRows).map((slot, i) => [slot, i]));
    const loads = structure.J.flatMap(({ row, column }, k) => {
      const i = rowOf.get(row);
      return i === undefined ? [] : [{ k, to: i * width + columnOf.get(column)! }];
    });
    for (const d of dependents) gone[d] = 1;
    const coupled = Array.from({ length: nu }, (_, i) => i).filter(
      (i) => gone[i] === 0 && dependents.some((d) => couples[i * nu + d] === 1),
    );
    for (const j of others) for (const i of [...coupled, ...others]) couples[i * nu + j] = couples[j * nu + i] = 1;
    let deferral: ReductionStage["deferral"];
    if (deferredTo !== undefined) {
      const target = stages[deferredTo]!;
      const theirs = new Map([...target.dependents, ...target.others].map((u, c) => [u, c]));
      deferral = { stage: deferredTo, row: nextRow[deferredTo]!, columns: Int32Array.from(others, (u) => theirs.get(u)!) };
      nextRow[deferredTo]! += leftBy(stage);
    }
    return {
      B: new Float64Array(rows * width),
      rows,
      width,
      beta: new Float64Array(dependents.length),
      slots: Int32Array.from(stage.rows),
      dependents: Int32Array.from(dependents),
      others: Int32Array.from(others),
      coupled: Int32Array.from(coupled),
      H: new Float64Array(dependents.length * (others.length + 1)),
      product: new Float64Array(dependents.length * (others.length + 1)),
      from: Int32Array.from(loads, (l) => l.k),
      to: Int32Array.from(loads, (l) => l.to),
      ownRows,
      ...(deferral && { deferral }),
      z: new Float64Array(rows),
    };
  });
}

const leftBy = ({ rows, dependents }: StageChoice): number => rows.length - dependents.length;

/** Multiplications with and without regard to zeros; QR, substitution, (10), Cholesky and (6). */
function operationsOf(stages: readonly ReductionStage[], nu: number, n0: number): Reduction["operations"] {
  const one = (rows: number, m: number, others: number, coupled: number): number =>
    m * rows * (2 * others + m) + (m * m * others) / 2 + m * (coupled + m + others / 2) * others + m * others;
  let [used, dense, n] = [0, 0, nu];
  for (const { rows, dependents, others, coupled } of stages) {
    const m = dependents.length;
    used += one(rows, m, others.length, coupled.length);
    dense += one(rows, m, n - m, n - m);
    n -= m;
  }
  const last = n0 ** 3 / 6 + n0 ** 2;
  return { used: Math.round(used + last), dense: Math.round(dense + last) };
}
