/** Arrays and state of the loop solver of Kane's method, and the assembly of its matrix B. See loop-solver.ts for the equations. */
import { type Envelope, envelope } from "../../math/linear/envelope-ldl.ts";
import { type PivotedQR, pivotedQR } from "../../math/linear/pivoted-qr.ts";
import type { TreePattern } from "../../math/linear/tree-ldl.ts";

/** A row depends on others if its distance from their span is below this, all rows having unit length. It is a singular value: 1e-18 in S. */
const DEPENDENT_DISTANCE = 1e-9;
/** Loops that are not exactly closed make dependent rows differ by about the loop error. A row is independent above this many times that. */
const BEYOND_ERROR = 16;
/** Maximum loop error that the dependence test takes into account. */
const OPEN_ERROR = 1e-4;
/** Below this error loops count as closed and determine the rank. States with a larger error must not raise it [docking study 5.1]. */
const CLOSED_ERROR = 1e-10;

/** Rounding of the acceleration that a row of size one requires, relative to the square of the largest speed. */
const BIAS_ROUNDING = 1e-10;
/** An acceleration below this, m/s² or rad/s², is none. The speeds of a machine that cannot move are rounding, up to 1e-12. */
const NO_ACCELERATION = 1e-20;

/** The values of all rows at one instant: see kaneProgram. */
export interface LoopValues {
  readonly J: Float64Array;
  readonly bias: Float64Array;
  readonly f: Float64Array;
  readonly size: Float64Array;
  /** Speeds. */
  readonly u: Float64Array;
}

/** Created once for a model. Rows without entries of J move nothing and are left out. */
export interface LoopScratch {
  readonly pattern: TreePattern;
  /** Number of speeds. */
  readonly n: number;
  /** Number of rows with entries of J. */
  readonly m: number;
  /** Index of each of these rows among all rows of the loops. */
  readonly rows: readonly number[];
  /** Speeds at which each row has entries, and the index of its first entry in J. */
  readonly entrySpeeds: readonly Int32Array[];
  readonly firstEntry: readonly number[];
  /** Speeds at which each column of B has entries. */
  readonly supports: readonly Int32Array[];
  /** Envelope of S = Bᵀ B, and its values. */
  readonly shape: Envelope;
  readonly S: Float64Array;
  /** D^-½ L⁻ᵀ Jᵀ by columns; Jᵀ before the reduction. */
  readonly B: Float64Array;
  readonly qr: PivotedQR;
  readonly remainder: Float64Array;
  readonly x0: Float64Array;
  readonly head: Float64Array;
  readonly motion: Float64Array;
  readonly lambda: Float64Array;
  /** Length of each row relative to the size of its terms. A short row is a difference of larger numbers. */
  readonly certainty: Float64Array;
  /** Size of each row without cancellation. */
  readonly rowSizes: Float64Array;
  /** Rounding of the acceleration that a row of size one requires. */
  accelerationRounding: number;
  /** Distance below which a row counts as dependent. */
  tolerance: number;
  isClosed: boolean;
  /** Number of independent rows seen with closed loops; 0 before the first such state. */
  settledRank: number;
  /** Method of the last solution. */
  method: "envelope" | "rank";
}

/** @param speeds for each row, the speeds at which it has entries of J. */
export function createLoopScratch(pattern: TreePattern, speeds: readonly (readonly number[])[]): LoopScratch {
  const { n } = pattern;
  const rows = speeds.flatMap((list, row) => (list.length > 0 ? [row] : []));
  const m = rows.length;
  const entrySpeeds = rows.map((row) => Int32Array.from(speeds[row]!));
  const supports = entrySpeeds.map((list) => supportOf(pattern, list));
  const shape = envelopeOf(supports);
  return {
    pattern,
    n,
    m,
    rows,
    entrySpeeds,
    firstEntry: rows.map((row) => speeds.slice(0, row).flat().length),
    supports,
    shape,
    S: new Float64Array(shape.size),
    B: new Float64Array(n * m),
    qr: pivotedQR(n, m),
    remainder: new Float64Array(m),
    x0: new Float64Array(n),
    head: new Float64Array(Math.max(n, m)),
    motion: new Float64Array(n),
    lambda: new Float64Array(m),
    certainty: new Float64Array(m),
    rowSizes: new Float64Array(m),
    accelerationRounding: 0,
    tolerance: 0,
    isClosed: false,
    settledRank: 0,
    method: "envelope",
  };
}

/** The speeds of a row and all speeds that carry them, ascending. */
function supportOf({ parent }: TreePattern, speeds: Int32Array): Int32Array {
  const support = new Set<number>();
  for (const speed of speeds) for (let i = speed; i >= 0; i = parent[i]!) support.add(i);
  return Int32Array.from(support).sort();
}

/** Envelope of S: it has an entry for two rows whose supports overlap. */
function envelopeOf(supports: readonly Int32Array[]): Envelope {
  return envelope(supports.map((a) => supports.findIndex((b) => b.some((i) => a.includes(i)))));
}

/** Writes Jᵀ into B, and sets the distance below which a row counts as dependent. Returns false if a row is only rounding. */
export function assembleRows(scratch: LoopScratch, { J, f, size, u }: LoopValues): boolean {
  const { n, m, rows, entrySpeeds, firstEntry, B, certainty } = scratch;
  let [error, fastest] = [0, 0];
  let isSound = true;
  for (let i = 0; i < n; i++) fastest = Math.max(fastest, Math.abs(u[i]!));
  scratch.accelerationRounding = BIAS_ROUNDING * fastest * fastest + NO_ACCELERATION;
  for (const row of rows) if (size[row]! > 0) error = Math.max(error, Math.abs(f[row]!) / Math.sqrt(size[row]!));
  scratch.isClosed = error < CLOSED_ERROR;
  const tolerance = Math.max(DEPENDENT_DISTANCE, Math.min(BEYOND_ERROR * error, OPEN_ERROR));
  scratch.tolerance = tolerance;
  for (let a = 0; a < m; a++) {
    const column = a * n;
    const list = entrySpeeds[a]!;
    let square = 0;
    B.fill(0, column, column + n);
    for (let e = 0; e < list.length; e++) {
      const value = J[firstEntry[a]! + e]!;
      square += value * value;
      B[column + list[e]!] = value;
    }
    scratch.rowSizes[a] = Math.sqrt(size[rows[a]!]!);
    certainty[a] = size[rows[a]!]! > 0 ? Math.min(1, Math.sqrt(square / size[rows[a]!]!)) : 1;
    if (square > tolerance * tolerance * size[rows[a]!]!) continue;
    isSound = false;
    for (const i of list) B[column + i] = 0;
  }
  return isSound;
}

/** Column a of B times a vector y that begins at `first`. */
export function columnProduct({ n, supports, B }: LoopScratch, a: number, y: Float64Array, first: number): number {
  const support = supports[a]!;
  const column = a * n;
  let sum = 0;
  for (let k = 0; k < support.length; k++) sum += B[column + support[k]!]! * y[first + support[k]!]!;
  return sum;
}
