/**
 * Choice of the dependent speeds, by pivoting on a scaled Jacobian [docking study 5.1, 5.2]. Blocks are processed from the last to the first.
 * Each block eliminates speeds of its own branches. Equations that these cannot satisfy well are deferred to an earlier block, and in the
 * end to the speeds that were to be independent. Redundant equations are dropped.
 */
import { square } from "../../math/elementary/power.ts";
import { type Reflections, reflectColumn } from "../../math/linear/householder.ts";
import type { Loop } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";
import { type JacobianPattern, type PartitionChoice, partitionStages, rowPatterns, speedsIn } from "./partition-stages.ts";

/** The equations at a state, scaled: every row has length 1 if speeds are measured by kinetic energy. */
export interface ScaledJacobian extends JacobianPattern {
  readonly values: ArrayLike<number>;
  /** Scale factor of each row and of each column. */
  readonly rowScale: Float64Array;
  readonly columnScale: Float64Array;
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
  const speedsOfRow = rowPatterns(jacobian);
  const ranks = jacobian.rowsOfLoop.map((rows) => {
    const speeds = speedsIn(speedsOfRow, rows);
    return eliminate(rowsFor(W, rows, speeds), speeds, speeds, tolerance, nu, MAX_GROWTH).dependents.length;
  });
  return partitionStages(model, jacobian, ranks, ({ rows, speeds, candidates, loops }) => {
    const isDeclared = declared === "kept" && loops?.every((k) => isDeclaredLoop(model.loops[k]!));
    const maxGrowth = isDeclared ? MAX_DECLARED_GROWTH : MAX_GROWTH;
    const result = eliminate(rowsFor(W, rows, speeds), speeds, candidates, tolerance, nu, maxGrowth);
    for (const [i, row] of rows.entries()) W[row] = result.rows[i]!;
    return { dependents: result.dependents, isDeferring: !(result.remainder <= tolerance) };
  });
}

const isDeclaredLoop = (loop: Loop): boolean =>
  loop.dependent !== undefined || (loop.type === "frames" && loop.chain !== undefined);

/** The scaled rows, one entry per speed. */
function denseRows({ J, values, rowScale, columnScale }: ScaledJacobian, nu: number): Float64Array[] {
  const rows = Array.from(rowScale, () => new Float64Array(nu));
  for (const [k, { row, column }] of J.entries()) rows[row]![column] = values[k]! * rowScale[row]! * columnScale[column]!;
  return rows;
}

const rowsFor = (W: readonly Float64Array[], rows: readonly number[], speeds: readonly number[]): Float64Array[] =>
  rows.map((r) => Float64Array.from(speeds, (u) => W[r]![u]!));

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
