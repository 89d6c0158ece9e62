/** The stages of the reduction (see reduction.ts), prepared for one choice of dependents. */
import type { Reflections } from "../../math/linear/householder.ts";
import type { PartitionChoice, StageChoice } from "./partition-stages.ts";
import type { PartitionProgram } from "./system-program.ts";

/** A prepared stage. The columns of B are dependents, others, right-hand side. */
export interface ReductionStage extends Reflections {
  /** Slots of its equations. */
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
  /** The stage that takes the remaining rows, the first row there, and the column there of each of the others. */
  readonly deferral?: { readonly stage: number; readonly row: number; readonly columns: Int32Array };
  /** Multipliers of its equations, reflected. */
  readonly z: Float64Array;
}

export function stagesOf(structure: PartitionProgram, { stages }: PartitionChoice, nu: number): ReductionStage[] {
  const couples = new Uint8Array(nu * nu);
  for (const { row, column } of structure.A) couples[row * nu + column] = couples[column * nu + row] = 1;
  const isEliminated = new Uint8Array(nu);
  const deferredRows = stages.map((_, s) =>
    stages.reduce((sum, other) => sum + (other.deferredTo === s ? remainingRows(other) : 0), 0),
  );
  const nextRow = stages.map((stage, s) => stage.rows.length - deferredRows[s]!);
  return stages.map((stage, s): ReductionStage => {
    const { dependents, others, deferredTo } = stage;
    const [rows, width] = [stage.rows.length, dependents.length + others.length + 1];
    const ownRows = rows - deferredRows[s]!;
    const loads = loadsOf(structure, stage, ownRows, width);
    for (const d of dependents) isEliminated[d] = 1;
    const coupled = Array.from({ length: nu }, (_, i) => i).filter(
      (i) => isEliminated[i] === 0 && dependents.some((d) => couples[i * nu + d] === 1),
    );
    for (const j of others) for (const i of [...coupled, ...others]) couples[i * nu + j] = couples[j * nu + i] = 1;
    let deferral: ReductionStage["deferral"];
    if (deferredTo !== undefined) {
      const target = stages[deferredTo]!;
      const targetColumns = new Map([...target.dependents, ...target.others].map((u, c) => [u, c]));
      const columns = Int32Array.from(others, (u) => targetColumns.get(u)!);
      deferral = { stage: deferredTo, row: nextRow[deferredTo]!, columns };
      nextRow[deferredTo]! += remainingRows(stage);
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
      from: Int32Array.from(loads, (l) => l.from),
      to: Int32Array.from(loads, (l) => l.to),
      ownRows,
      ...(deferral && { deferral }),
      z: new Float64Array(rows),
    };
  });
}

/** Values of J in the stage's own rows: their index in J, and their offset in B. */
function loadsOf(structure: PartitionProgram, { rows, dependents, others }: StageChoice, ownRows: number, width: number) {
  const columnOf = new Map([...dependents, ...others].map((u, c) => [u, c]));
  const rowOf = new Map(rows.slice(0, ownRows).map((slot, i) => [slot, i]));
  return structure.J.flatMap(({ row, column }, from) => {
    const i = rowOf.get(row);
    return i === undefined ? [] : [{ from, to: i * width + columnOf.get(column)! }];
  });
}

/** Number of rows that a stage leaves to a later one. */
const remainingRows = ({ rows, dependents }: StageChoice): number => rows.length - dependents.length;

/** Slots of redundant equations, including those without any speed. */
export function droppedSlots(stages: readonly ReductionStage[], m: number): number[] {
  const used = new Set(stages.flatMap(({ slots }) => [...slots]));
  const empty = Array.from({ length: m }, (_, slot) => slot).filter((slot) => !used.has(slot));
  return [
    ...empty,
    ...stages.flatMap(({ slots, dependents, deferral }) => (deferral ? [] : [...slots.slice(dependents.length)])),
  ];
}

/** Multiplications with and without regard to zeros; QR, substitution, (10), Cholesky and (6). */
export function operationsOf(
  stages: readonly ReductionStage[],
  nu: number,
  n0: number,
): { readonly used: number; readonly dense: number } {
  const one = (rows: number, m: number, others: number, coupled: number): number =>
    m * rows * (2 * others + m) + (m * m * others) / 2 + m * (coupled + m + others / 2) * others + m * others;
  let [used, dense, n] = [0, 0, nu];
  for (const { rows, dependents, others, coupled } of stages) {
    const m = dependents.length;
    used += one(rows, m, others.length, coupled.length);
    dense += one(rows, m, n - m, n - m);
    n -= m;
  }
  const last = (n0 * n0 * n0) / 6 + n0 * n0;
  return { used: Math.round(used + last), dense: Math.round(dense + last) };
}
