/**
 * The stages of a partition, from the dependents that each stage eliminates. Blocks are processed from the last to the first; equations that
 * a stage leaves over are deferred to an earlier block, and in the end to one last stage. Only the pattern of J counts here, so a partition
 * can be laid out again from its dependents alone.
 */
import type { Model } from "../../model/model.ts";
import { type LoopTable, loopTable } from "./loop-table.ts";

/** One elimination. `rows` are slots of equations: the first ones give the dependents, the others go on to a later stage. */
export interface StageChoice {
  readonly rows: readonly number[];
  readonly dependents: readonly number[];
  /** The other speeds in its equations. */
  readonly others: readonly number[];
  /** The later stage that takes the remaining rows; undefined if they are redundant or there are none. */
  readonly deferredTo?: number;
}

export interface PartitionChoice {
  readonly table: LoopTable;
  /** In the order of elimination: the last block is first. */
  readonly stages: readonly StageChoice[];
  readonly independents: readonly number[];
  readonly rank: number;
}

/** The entries of J that are not always zero, and the rows of each loop, in the order of the model's loops. */
export interface JacobianPattern {
  readonly J: readonly { readonly row: number; readonly column: number }[];
  readonly rowsOfLoop: readonly (readonly number[])[];
}

/** The equations of a stage. */
export interface StageEquations {
  readonly rows: readonly number[];
  /** Speeds in its equations, and those of them that may become dependent. */
  readonly speeds: readonly number[];
  readonly candidates: readonly number[];
  /** Loops of its block; undefined for the last stage, which takes the equations that no block could satisfy. */
  readonly loops?: readonly number[];
}

/** Dependents of a stage, and whether its remaining equations are deferred. If not, they are redundant. */
export interface StageDecision {
  readonly dependents: readonly number[];
  readonly isDeferring: boolean;
}

/**
 * @param ranks number of independent equations of each loop
 * @param decide is called for each stage in order
 */
export function partitionStages(
  model: Model,
  pattern: JacobianPattern,
  ranks: ArrayLike<number>,
  decide: (stage: StageEquations) => StageDecision,
): PartitionChoice {
  const speedsOfRow = rowPatterns(pattern);
  const closures = pattern.rowsOfLoop.map((rows, k) => ({ speeds: speedsIn(speedsOfRow, rows), rank: ranks[k]! }));
  const table = loopTable(model, closures);
  const blocks = [...table.blocks].reverse();
  const pendingRows = blocks.map((b) => b.loops.flatMap((k) => pattern.rowsOfLoop[k]!).filter((r) => speedsOfRow[r]!.size > 0));
  const lastRows: number[] = [];
  const stages: StageChoice[] = [];
  const eliminated = new Set<number>();
  /** Stages that leave rows to a later stage. */
  const deferringStages = new Set<number>();
  const addStage = (rows: readonly number[], block?: LoopTable["blocks"][number]): StageDecision => {
    const speeds = speedsIn(speedsOfRow, rows);
    const candidates = block?.candidates.filter((u) => speeds.includes(u)) ?? speeds;
    const decision = decide({ rows, speeds, candidates, ...(block && { loops: block.loops }) });
    for (const u of decision.dependents) eliminated.add(u);
    const others = speeds.filter((u) => !decision.dependents.includes(u));
    for (const row of rows) speedsOfRow[row] = new Set(others);
    stages.push({ rows, dependents: decision.dependents, others });
    return decision;
  };
  for (const [s, block] of blocks.entries()) {
    const rows = pendingRows[s]!;
    if (rows.length === 0) continue;
    const { dependents, isDeferring } = addStage(rows, block);
    if (!isDeferring || rows.length === dependents.length) continue;
    const { others } = stages.at(-1)!;
    const takingBlock = blocks.findIndex((b, i) => i > s && b.candidates.some((u) => others.includes(u) && !eliminated.has(u)));
    (takingBlock < 0 ? lastRows : pendingRows[takingBlock]!).push(...rows.slice(dependents.length));
    deferringStages.add(stages.length - 1);
  }
  if (lastRows.length > 0) addStage(lastRows);
  return {
    table,
    stages: stages.map((stage, i) => {
      if (!deferringStages.has(i)) return stage;
      const first = stage.rows[stage.dependents.length]!;
      return { ...stage, deferredTo: stages.findIndex((other, j) => j > i && other.rows.includes(first)) };
    }),
    independents: Array.from({ length: model.nu }, (_, u) => u).filter((u) => !eliminated.has(u)),
    rank: eliminated.size,
  };
}

/** The speeds in each row of J. */
export function rowPatterns({ J, rowsOfLoop }: JacobianPattern): Set<number>[] {
  const rows = rowsOfLoop.flat().map(() => new Set<number>());
  for (const { row, column } of J) rows[row]!.add(column);
  return rows;
}

/** The speeds in some rows, ascending. */
export const speedsIn = (speedsOfRow: readonly ReadonlySet<number>[], rows: readonly number[]): number[] =>
  [...new Set(rows.flatMap((r) => [...speedsOfRow[r]!]))].sort((a, b) => a - b);
