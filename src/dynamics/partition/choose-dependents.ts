/**
 * Choice of the dependent speeds, by pivoting on a scaled Jacobian [docking study 5.1, 5.2]. Blocks are processed from the last to the first.
 * Each block eliminates speeds of its own branches. Equations that these cannot satisfy well are deferred to an earlier block, and in the
 * end to the speeds that were to be independent. Redundant equations are dropped.
 */
import { square } from "../../math/elementary/power.ts";
import { type Reflections, reflectColumn } from "../../math/linear/householder.ts";
import type { Loop } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";
import { type ClosureStructure, type LoopTable, loopTable } from "./loop-table.ts";

/** The equations at a state, scaled: every row has length 1 if speeds are measured by kinetic energy. */
export interface ScaledJacobian {
  readonly J: readonly { readonly row: number; readonly column: number }[];
  readonly values: ArrayLike<number>;
  /** Rows of each loop, in the order of the model's loops. */
  readonly rowsOfLoop: readonly (readonly number[])[];
  /** Scale factor of each row and of each column. */
  readonly rowScale: Float64Array;
  readonly columnScale: Float64Array;
}

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

/** Pivots below this are zero, for rows of length 1: singular values of J relative to the largest [docking study 5.1]. */
export const RANK_TOLERANCE = 1e-6;
/** A block keeps its own speeds as dependents if others move them less than this many times their own motion. */
const MAX_GROWTH = 4;

/** The same limit for dependents that the model declares: they are kept while they can be solved for at all. */
const MAX_DECLARED_GROWTH = 1e4;

/** @param declared "kept": dependents and chains that the model declares are used even if others would be better. */
export function choosePartition(
  model: Model,
  jacobian: ScaledJacobian,
  tolerance = RANK_TOLERANCE,
  declared: "kept" | "weighed" = "weighed",
): PartitionChoice {
  const { nu } = model;
  const W = denseRows(jacobian, nu);
  const closures = jacobian.rowsOfLoop.map((rows): ClosureStructure => {
    const speeds = columnsIn(rows.map((r) => W[r]!.pattern));
    return { speeds, rank: eliminate(rowsFor(W, rows, speeds), speeds, speeds, tolerance, nu, MAX_GROWTH).dependents.length };
  });
  const table = loopTable(model, closures);
  const blocks = [...table.blocks].reverse();
  const pendingRows = blocks.map((b) => b.loops.flatMap((k) => jacobian.rowsOfLoop[k]!).filter((r) => W[r]!.pattern.size > 0));
  const lastRows: number[] = [];
  const stages: StageChoice[] = [];
  const eliminated = new Set<number>();
  /** Stages that leave rows to a later stage. */
  const deferringStages = new Set<number>();
  const eliminateStage = (
    rows: readonly number[],
    candidates: readonly number[] | undefined,
    maxGrowth = MAX_GROWTH,
  ): EliminationResult => {
    const speeds = columnsIn(rows.map((r) => W[r]!.pattern));
    const ownCandidates = candidates?.filter((u) => speeds.includes(u)) ?? speeds;
    const result = eliminate(rowsFor(W, rows, speeds), speeds, ownCandidates, tolerance, nu, maxGrowth);
    for (const u of result.dependents) eliminated.add(u);
    const others = speeds.filter((u) => !result.dependents.includes(u));
    for (const [i, row] of rows.entries()) {
      W[row] = { values: result.rows[i]!, pattern: new Set(others) };
    }
    stages.push({ rows, dependents: result.dependents, others });
    return result;
  };
  for (const [s, block] of blocks.entries()) {
    const rows = pendingRows[s]!;
    if (rows.length === 0) continue;
    const isDeclared = declared === "kept" && block.loops.every((k) => isDeclaredLoop(model.loops[k]!));
    const { dependents, remainder } = eliminateStage(rows, block.candidates, isDeclared ? MAX_DECLARED_GROWTH : MAX_GROWTH);
    if (remainder <= tolerance || rows.length === dependents.length) continue;
    const { others } = stages.at(-1)!;
    const takingBlock = blocks.findIndex((b, i) => i > s && b.candidates.some((u) => others.includes(u) && !eliminated.has(u)));
    (takingBlock < 0 ? lastRows : pendingRows[takingBlock]!).push(...rows.slice(dependents.length));
    deferringStages.add(stages.length - 1);
  }
  if (lastRows.length > 0) eliminateStage(lastRows, undefined);
  return {
    table,
    stages: stages.map((stage, i) => {
      if (!deferringStages.has(i)) return stage;
      const first = stage.rows[stage.dependents.length]!;
      return { ...stage, deferredTo: stages.findIndex((other, j) => j > i && other.rows.includes(first)) };
    }),
    independents: Array.from({ length: nu }, (_, u) => u).filter((u) => !eliminated.has(u)),
    rank: eliminated.size,
  };
}

const isDeclaredLoop = (loop: Loop): boolean =>
  loop.dependent !== undefined || (loop.type === "frames" && loop.chain !== undefined);

interface SparseRow {
  /** One entry per speed. */
  readonly values: Float64Array;
  readonly pattern: ReadonlySet<number>;
}

function denseRows({ J, values, rowScale, columnScale }: ScaledJacobian, nu: number): SparseRow[] {
  const rows = Array.from(rowScale, () => ({ values: new Float64Array(nu), pattern: new Set<number>() }));
  for (const [k, { row, column }] of J.entries()) {
    rows[row]!.values[column] = values[k]! * rowScale[row]! * columnScale[column]!;
    rows[row]!.pattern.add(column);
  }
  return rows;
}

const columnsIn = (patterns: readonly ReadonlySet<number>[]): number[] =>
  [...new Set(patterns.flatMap((p) => [...p]))].sort((a, b) => a - b);

const rowsFor = (W: readonly SparseRow[], rows: readonly number[], speeds: readonly number[]): Float64Array[] =>
  rows.map((r) => Float64Array.from(speeds, (u) => W[r]!.values[u]!));

interface EliminationResult {
  readonly dependents: readonly number[];
  /** The rows after the reflections, one entry per speed of the model. */
  readonly rows: readonly Float64Array[];
  /** Length of the longest column of the remaining rows. */
  readonly remainder: number;
}

/** QR with column pivoting among the candidates. It stops when the best candidate is small relative to the other columns. */
function eliminate(
  rows: readonly Float64Array[],
  speeds: readonly number[],
  candidates: readonly number[],
  tolerance: number,
  nu: number,
  maxGrowth: number,
): EliminationResult {
  const [m, width] = [rows.length, speeds.length];
  const order = [...speeds];
  const isCandidate = new Set(candidates);
  const qr: Reflections = { B: new Float64Array(m * width), rows: m, width, beta: new Float64Array(m) };
  const { B } = qr;
  for (const [i, row] of rows.entries()) B.set(row, i * width);
  let rank = 0;
  const sizeOf = (c: number): number => {
    let sum = 0;
    for (let i = rank; i < m; i++) sum += square(B[i * width + c]!);
    return Math.sqrt(sum);
  };
  let remainder = 0;
  for (; ; rank++) {
    let [best, largestCandidate, largestOther] = [-1, 0, 0];
    for (let c = rank; c < width; c++) {
      const size = sizeOf(c);
      if (!isCandidate.has(order[c]!)) largestOther = Math.max(largestOther, size);
      else if (size > largestCandidate) [best, largestCandidate] = [c, size];
    }
    remainder = Math.max(largestCandidate, largestOther);
    if (rank === m || best < 0 || largestCandidate <= tolerance || largestCandidate * maxGrowth < largestOther) break;
    swapColumns(qr, order, rank, best);
    reflectColumn(qr, rank);
  }
  const after = rows.map((_, i) => {
    const values = new Float64Array(nu);
    for (let c = rank; c < width; c++) values[order[c]!] = B[i * width + c]!;
    return values;
  });
  return { dependents: order.slice(0, rank), rows: after, remainder: rank === m ? 0 : remainder };
}

function swapColumns({ B, rows, width }: Reflections, order: number[], a: number, b: number): void {
  [order[a], order[b]] = [order[b]!, order[a]!];
  for (let i = 0; i < rows; i++) {
    const value = B[i * width + a]!;
    B[i * width + a] = B[i * width + b]!;
    B[i * width + b] = value;
  }
}
