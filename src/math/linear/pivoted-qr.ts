/**
 * Rank-revealing factorisation A P = Q R by Householder reflections with column pivoting: the next column is always the one furthest from
 * the span of the columns before it, and |R_kk| is that distance. Columns are scaled to unit length first; a column of zeros counts as
 * dependent. Methods allocate nothing.
 */
import { square } from "../elementary/power.ts";
import { eliminateColumn, rangeNorm, reflect, swapColumns } from "./column-reflections.ts";

export interface PivotedQR {
  readonly rows: number;
  readonly columns: number;
  /**
   * Factors A, given by columns and not changed. A column within `tolerance` (relative to its length) of the span of others depends on
   * them. At most `maxRank` columns count as independent. `weights`, up to 1, scale the distances of columns whose directions are less
   * certain because they are short for their kind.
   */
  factor(A: Float64Array, tolerance: number, maxRank?: number, weights?: Float64Array): void;
  /**
   * Factors A without pivoting: faster, and as accurate if all columns are independent. Returns the smallest distance of a column from the
   * span of all others, relative to its length. If that is too small, call `factor` instead.
   */
  factorInOrder(A: Float64Array): number;
  /** Number of independent columns. */
  readonly rank: number;
  /** Weighted distance of the last column that counts as independent. */
  readonly lastIndependentDistance: number;
  /** Largest weighted distance among the columns that count as dependent. */
  readonly largestDependentDistance: number;
  /** Columns in pivot order: `rank` independent ones, then the dependent ones. */
  readonly order: Int32Array;
  /** b := Qᵀ b for `count` columns. */
  applyQTransposed(b: Float64Array, count?: number): void;
  /** b := Q b for `count` columns. */
  applyQ(b: Float64Array, count?: number): void;
  /** b := y with (A P)ᵀ Q y = b for the independent columns; b is in pivot order, y has `rank` entries. */
  solveTransposed(b: Float64Array): void;
  /** x with (A P) x = Q b, in the order of the columns of A and zero for dependent ones; b has `rank` entries and is overwritten. */
  solve(b: Float64Array, x: Float64Array): void;
  /** Frobenius norm of A⁺: at least one over the smallest singular value, and at most √columns times that. */
  readonly inverseNorm: number;
  /** x with A x = 0 for the k-th dependent column, in the order of the columns of A. The entry of that column is one over its length. */
  nullVector(k: number, x: Float64Array): void;
}

export const pivotedQR = (rows: number, columns: number): PivotedQR => new HouseholderQR(rows, columns);

/** Squared lengths are updated by differences while the result keeps this fraction of the last full sum; below it they are summed again. */
const SAFE_DIFFERENCE = 1e-3;

class HouseholderQR implements PivotedQR {
  readonly order: Int32Array;
  rank = 0;
  lastIndependentDistance = 0;
  largestDependentDistance = 0;
  /** R above the diagonal, vectors of the reflections on and below it; by columns. */
  readonly #R: Float64Array;
  readonly #diagonal: Float64Array;
  /** Lengths of the columns of A, in its order. */
  readonly #lengths: Float64Array;
  readonly #scratch: Float64Array;
  /** One over the squared distance of each scaled column from the span of all others. */
  readonly #inverseSquaredDistances: Float64Array;
  #areDistancesKnown = false;
  /** Squared distance of each remaining column from the span of the pivots so far, in pivot order. */
  readonly #remaining: Float64Array;
  /** Below this, `#remaining` has lost too many digits to differences. */
  readonly #safeRemaining: Float64Array;

  constructor(
    readonly rows: number,
    readonly columns: number,
  ) {
    this.order = new Int32Array(columns);
    this.#R = new Float64Array(rows * columns);
    this.#diagonal = new Float64Array(columns);
    this.#lengths = new Float64Array(columns);
    this.#scratch = new Float64Array(columns);
    this.#inverseSquaredDistances = new Float64Array(columns);
    this.#remaining = new Float64Array(columns);
    this.#safeRemaining = new Float64Array(columns);
  }

  factor(A: Float64Array, tolerance: number, maxRank = this.columns, weights?: Float64Array): void {
    const { rows, columns, order } = this;
    const [R, remaining, safeRemaining] = [this.#R, this.#remaining, this.#safeRemaining];
    this.#areDistancesKnown = false;
    this.lastIndependentDistance = Number.POSITIVE_INFINITY;
    this.#scaleColumns(A);
    const limit = Math.min(rows, columns, maxRank);
    for (this.rank = 0; this.rank < limit; this.rank++) {
      const k = this.rank;
      const furthest = this.#furthestColumn(weights);
      const distance = rangeNorm(R, furthest * rows + k, (furthest + 1) * rows);
      this.largestDependentDistance = distance * (weights ? weights[order[furthest]!]! : 1);
      if (!(this.largestDependentDistance > tolerance)) return;
      this.lastIndependentDistance = this.largestDependentDistance;
      if (furthest !== k) {
        swapColumns(R, rows, order, k, furthest);
        remaining[furthest] = remaining[k]!;
        safeRemaining[furthest] = safeRemaining[k]!;
      }
      this.#diagonal[k] = eliminateColumn(R, rows, columns, k, distance);
      this.#updateRemaining(k);
    }
    this.largestDependentDistance = 0;
  }

  #scaleColumns(A: Float64Array): void {
    const { rows, columns, order } = this;
    const R = this.#R;
    for (let j = 0; j < columns; j++) {
      order[j] = j;
      const length = rangeNorm(A, j * rows, (j + 1) * rows);
      this.#lengths[j] = length;
      const scale = length > 0 ? 1 / length : 0;
      for (let i = j * rows; i < (j + 1) * rows; i++) R[i] = A[i]! * scale;
      this.#remaining[j] = length > 0 ? 1 : 0;
      this.#safeRemaining[j] = SAFE_DIFFERENCE;
    }
  }

  /** The remaining column with the largest weighted distance from the span of the pivots. */
  #furthestColumn(weights: Float64Array | undefined): number {
    const { columns, order, rank } = this;
    const remaining = this.#remaining;
    let furthest = rank;
    let largest = 0;
    for (let j = rank; j < columns; j++) {
      const weight = weights ? weights[order[j]!]! : 1;
      const squaredDistance = remaining[j]! * weight * weight;
      if (squaredDistance > largest) {
        largest = squaredDistance;
        furthest = j;
      }
    }
    return furthest;
  }

  /** Subtracts the entries in row k from the squared distances of the columns after k. */
  #updateRemaining(k: number): void {
    const { rows, columns } = this;
    const [R, remaining, safeRemaining] = [this.#R, this.#remaining, this.#safeRemaining];
    for (let j = k + 1; j < columns; j++) {
      const entry = R[j * rows + k]!;
      remaining[j]! -= entry * entry;
      if (remaining[j]! >= safeRemaining[j]!) continue;
      remaining[j] = square(rangeNorm(R, j * rows + k + 1, (j + 1) * rows));
      safeRemaining[j] = SAFE_DIFFERENCE * remaining[j]!;
    }
  }

  factorInOrder(A: Float64Array): number {
    const { rows, columns, order } = this;
    const [R, diagonal] = [this.#R, this.#diagonal];
    this.rank = 0;
    if (columns > rows) return 0;
    for (let i = 0; i < rows * columns; i++) R[i] = A[i]!;
    for (let k = 0; k < columns; k++) {
      order[k] = k;
      this.#lengths[k] = 1;
      const distance = rangeNorm(R, k * rows + k, (k + 1) * rows);
      if (!(distance > 0)) return 0;
      diagonal[k] = eliminateColumn(R, rows, columns, k, distance);
    }
    this.rank = columns;
    this.#computeDistances();
    let nearest = 0;
    for (let k = 0; k < columns; k++) {
      let square = diagonal[k]! * diagonal[k]!;
      for (let i = k * rows; i < k * rows + k; i++) square += R[i]! * R[i]!;
      nearest = Math.max(nearest, square * this.#inverseSquaredDistances[k]!);
    }
    return 1 / Math.sqrt(nearest);
  }

  applyQTransposed(b: Float64Array, count = 1): void {
    const { rows } = this;
    for (let k = 0; k < this.rank; k++) reflect(this.#R, k * rows, k, rows, b, 0, count);
  }

  applyQ(b: Float64Array, count = 1): void {
    const { rows } = this;
    for (let k = this.rank - 1; k >= 0; k--) reflect(this.#R, k * rows, k, rows, b, 0, count);
  }

  solveTransposed(b: Float64Array): void {
    const { rows, rank, order } = this;
    const R = this.#R;
    for (let k = 0; k < rank; k++) {
      let value = b[k]! / this.#lengths[order[k]!]!;
      for (let i = 0; i < k; i++) value -= R[k * rows + i]! * b[i]!;
      b[k] = value / this.#diagonal[k]!;
    }
  }

  solve(b: Float64Array, x: Float64Array): void {
    const { rank, order } = this;
    this.#backSubstitute(b);
    x.fill(0, 0, this.columns);
    for (let k = 0; k < rank; k++) x[order[k]!] = b[k]! / this.#lengths[order[k]!]!;
  }

  get inverseNorm(): number {
    const { rank, order } = this;
    const lengths = this.#lengths;
    if (rank < this.columns) return Number.POSITIVE_INFINITY;
    if (!this.#areDistancesKnown) this.#computeDistances();
    let squares = 0;
    for (let k = 0; k < rank; k++) squares += this.#inverseSquaredDistances[k]! / (lengths[order[k]!]! * lengths[order[k]!]!);
    return Math.sqrt(squares);
  }

  nullVector(k: number, x: Float64Array): void {
    const { rows, rank, order } = this;
    const [R, lengths, coefficients] = [this.#R, this.#lengths, this.#scratch];
    const column = rank + k;
    const length = lengths[order[column]!]!;
    for (let i = 0; i < rank; i++) coefficients[i] = -R[column * rows + i]!;
    this.#backSubstitute(coefficients);
    x.fill(0, 0, this.columns);
    for (let i = 0; i < rank; i++) x[order[i]!] = coefficients[i]! / lengths[order[i]!]!;
    x[order[column]!] = length > 0 ? 1 / length : 1;
  }

  /** Writes one over the squared distance of each scaled column from the span of all others: squared lengths of the rows of R⁻¹. */
  #computeDistances(): void {
    const { rows, columns } = this;
    const [R, diagonal, inverseRow, inverseSquares] = [this.#R, this.#diagonal, this.#scratch, this.#inverseSquaredDistances];
    this.#areDistancesKnown = true;
    for (let k = 0; k < columns; k++) {
      inverseSquares[k] = 0;
      for (let j = k; j < columns; j++) {
        let sum = j === k ? 1 : 0;
        for (let i = k; i < j; i++) sum -= R[j * rows + i]! * inverseRow[i]!;
        inverseRow[j] = sum / diagonal[j]!;
        inverseSquares[k]! += inverseRow[j]! * inverseRow[j]!;
      }
    }
  }

  /** b := R⁻¹ b for the leading `rank` by `rank` block of R. */
  #backSubstitute(b: Float64Array): void {
    const { rows, rank } = this;
    const [R, diagonal] = [this.#R, this.#diagonal];
    for (let k = rank - 1; k >= 0; k--) {
      b[k]! /= diagonal[k]!;
      for (let i = 0; i < k; i++) b[i]! -= R[k * rows + i]! * b[k]!;
    }
  }
}
