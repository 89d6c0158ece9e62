/**
 * Hierarchical (lexicographic) least squares for n unknowns: each level of linear equations is solved in the least squares sense within the
 * solution set x + N z of the levels before it. The remaining freedom can minimise a sum of squares. N is orthonormal up to the scale of
 * the unknowns, so results do not depend on a choice of pivots. Methods allocate only when a size occurs for the first time.
 */
import { type PivotedQR, pivotedQR } from "../linear/pivoted-qr.ts";
import { rowTimesMatrix } from "../linear/row-times-matrix.ts";
import { FreeSpace, type LinearRows } from "./free-space.ts";

export type { LinearRows } from "./free-space.ts";

export interface HierarchicalLeastSquares {
  readonly n: number;
  readonly x: Float64Array;
  /** Basis of the free directions, n × freedom, by columns. */
  readonly N: Float64Array;
  readonly freedom: number;
  /** Starts with no equations: x = 0, N = diag(scale). The scale of an unknown is its typical magnitude. */
  reset(scale?: Float64Array): void;
  /** Fixes one unknown unless it is fixed already. Call it before the first level. */
  fixUnknown(unknown: number, value: number): void;
  /**
   * Adds the level A x = b and returns its rank. `weight` scales each row to order one in scaled unknowns. Combinations of rows that are
   * below `tolerance` in the free directions are left out; the others hold in the least squares sense.
   */
  addLevel(rows: LinearRows, b: Float64Array, weight: Float64Array | undefined, tolerance: number): number;
  /** True if a quick bound proves that the smallest singular value of the last level, in its free directions, is above a limit. */
  smallestSingularValueExceeds(limit: number): boolean;
  /** Estimate of that singular value. It is too large, if anything. */
  smallestSingularValue(): number;
  /** Uses the free directions to minimise |diag(weight) (B x + r)|. B has `count` rows, stored by rows. */
  minimise(B: Float64Array, r: Float64Array, count: number, weight?: Float64Array): void;
}

export const hierarchicalLeastSquares = (n: number): HierarchicalLeastSquares => new LevelSolver(n);

/** If the columns of a matrix are further than this from the span of the others, a factorisation without pivoting is accurate. */
export const INDEPENDENT_DISTANCE = 1e-6;

const POWER_ITERATIONS = 5;

class LevelSolver implements HierarchicalLeastSquares {
  readonly n: number;
  readonly x: Float64Array;
  readonly #space: FreeSpace;
  readonly #y: Float64Array;
  /** Factorisation of the last level; undefined if it had no rows or no freedom. */
  #last: PivotedQR | undefined;
  readonly #factorisations = new Map<number, PivotedQR>();
  /** Rows of a level in the free directions, Ā = D A N, by rows. */
  #reducedRows = new Float64Array(0);
  /** Residuals of a level, D (b - A x). */
  #residual = this.#reducedRows;
  /** Products with the rows of a level, by columns. */
  #product = this.#reducedRows;

  constructor(n: number) {
    this.n = n;
    this.#space = new FreeSpace(n);
    this.x = this.#space.x;
    this.#y = new Float64Array(n);
  }

  get N(): Float64Array {
    this.#space.writeDiagonal();
    return this.#space.N;
  }

  get freedom(): number {
    return this.#space.freedom;
  }

  reset(scale?: Float64Array): void {
    this.#last = undefined;
    this.#space.reset(scale);
  }

  fixUnknown(unknown: number, value: number): void {
    this.#space.fixUnknown(unknown, value);
  }

  addLevel(rows: LinearRows, b: Float64Array, weight: Float64Array | undefined, tolerance: number): number {
    const { count } = rows;
    const { freedom } = this.#space;
    this.#last = undefined;
    if (count === 0 || freedom === 0) return 0;
    this.#reserve(count);
    this.#space.reduceRows(rows, b, weight, this.#reducedRows, this.#residual);
    this.#clearSmallRows(count, tolerance);
    const y = this.#y;
    const qr = this.#factorisation(freedom, count);
    this.#last = qr;
    // Ā by rows is Āᵀ by columns.
    if (!(qr.factorInOrder(this.#reducedRows) > Math.max(tolerance, INDEPENDENT_DISTANCE)))
      qr.factor(this.#reducedRows, tolerance);
    const { rank, order } = qr;
    if (rank === count) {
      for (let k = 0; k < rank; k++) y[k] = this.#residual[order[k]!]!;
      qr.solveTransposed(y);
    } else this.#solveLeastSquares(qr, count);
    y.fill(0, rank, freedom);
    this.#space.narrow(qr, y);
    return rank;
  }

  smallestSingularValueExceeds(limit: number): boolean {
    return this.#last !== undefined && this.#last.inverseNorm * limit < 1;
  }

  smallestSingularValue(): number {
    const qr = this.#last;
    if (!qr) return Number.POSITIVE_INFINITY;
    return estimateSmallestSingularValue(qr, new Float64Array(qr.columns), new Float64Array(qr.columns));
  }

  minimise(B: Float64Array, r: Float64Array, count: number, weight?: Float64Array): void {
    const { n } = this;
    const space = this.#space;
    const { freedom, N, x } = space;
    if (freedom === 0) return;
    this.#reserve(count);
    space.writeDiagonal();
    const product = this.#product;
    const residual = this.#residual;
    // x is the column behind those of N, so that one product gives D B N and D B x.
    const lastColumn = freedom * n;
    for (let j = 0; j < n; j++) N[lastColumn + j] = x[j]!;
    for (let i = 0; i < count; i++) {
      const w = weight ? weight[i]! : 1;
      rowTimesMatrix(B, i * n, w, N, n, freedom + 1, product, i, count);
      residual[i] = -product[freedom * count + i]! - w * r[i]!;
    }
    const qr = this.#factorisation(count, freedom);
    if (!(qr.factorInOrder(product) > INDEPENDENT_DISTANCE)) qr.factor(product, 0);
    qr.applyQTransposed(residual);
    qr.solve(residual, this.#y);
    space.move(this.#y);
  }

  #factorisation(rows: number, columns: number): PivotedQR {
    const key = rows * 4096 + columns;
    let qr = this.#factorisations.get(key);
    if (!qr) {
      qr = pivotedQR(rows, columns);
      this.#factorisations.set(key, qr);
    }
    return qr;
  }

  #reserve(count: number): void {
    if (this.#residual.length >= count) return;
    this.#reducedRows = new Float64Array(count * this.n);
    this.#product = new Float64Array(count * (this.n + 1));
    this.#residual = new Float64Array(count);
  }

  /** Sets the rows of Ā to zero that are not longer than the tolerance. */
  #clearSmallRows(count: number, tolerance: number): void {
    const { freedom } = this.#space;
    const reducedRows = this.#reducedRows;
    for (let i = 0; tolerance > 0 && i < count; i++) {
      let squares = 0;
      for (let k = i * freedom; k < (i + 1) * freedom; k++) squares += reducedRows[k]! * reducedRows[k]!;
      if (Math.sqrt(squares) <= tolerance) reducedRows.fill(0, i * freedom, (i + 1) * freedom);
    }
  }

  /** The first `rank` entries of y: least squares solution of (Ā Q) y = residual. */
  #solveLeastSquares(qr: PivotedQR, count: number): void {
    const { rank } = qr;
    const { freedom } = this.#space;
    const [y, reducedRows, product, residual] = [this.#y, this.#reducedRows, this.#product, this.#residual];
    for (let k = 0; k < rank; k++) {
      y.fill(0);
      y[k] = 1;
      qr.applyQ(y);
      for (let i = 0; i < count; i++) {
        let sum = 0;
        for (let j = 0; j < freedom; j++) sum += reducedRows[i * freedom + j]! * y[j]!;
        product[k * count + i] = sum;
      }
    }
    if (rank === 0) return;
    const inner = this.#factorisation(count, rank);
    inner.factor(product, 0);
    inner.applyQTransposed(residual);
    inner.solve(residual, y);
  }
}

/** Smallest singular value of Ā from the factors of Āᵀ. Power method for the pseudo-inverse: |v| / |Ā⁺ v| with v := (Āᵀ)⁺ Ā⁺ v. */
function estimateSmallestSingularValue(qr: PivotedQR, v: Float64Array, w: Float64Array): number {
  const { rank, columns, order } = qr;
  if (rank < columns) return 0;
  for (let i = 0; i < columns; i++) v[i] = 1 + i / columns;
  let estimate = Number.POSITIVE_INFINITY;
  for (let k = 0; k < POWER_ITERATIONS; k++) {
    let [before, after] = [0, 0];
    for (let i = 0; i < columns; i++) {
      before += v[i]! * v[i]!;
      w[i] = v[order[i]!]!;
    }
    qr.solveTransposed(w);
    for (let i = 0; i < columns; i++) after += w[i]! * w[i]!;
    estimate = Math.sqrt(before / after);
    qr.solve(w, v);
    for (let i = 0; i < columns; i++) v[i]! *= estimate * estimate; // keeps the length of v
  }
  return estimate;
}
