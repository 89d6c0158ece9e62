/**
 * Linear equations in order of importance, for n unknowns: those of a level hold as far as the levels before it leave room, and what is
 * left free serves the next level, or makes a sum of squares small. At every moment the solutions of all levels so far are x + N z with
 * any z. N is orthonormal but for the scale of the unknowns, so nothing depends on a choice of pivots. Allocation-free once each
 * size has been met.
 */
import { type PivotedQR, pivotedQR } from "../linear/pivoted-qr.ts";
import { rowTimesMatrix } from "../linear/row-times-matrix.ts";

/** Rows of a matrix with n columns, by rows, from row `first` on. */
export interface LinearRows {
  readonly A: Float64Array;
  readonly first: number;
  readonly count: number;
}

export interface HierarchicalLeastSquares {
  readonly n: number;
  readonly x: Float64Array;
  /** n × freedom, by columns. */
  readonly N: Float64Array;
  readonly freedom: number;
  /** Begins with nothing decided: x = 0, N = diag(scale). An unknown of scale s is typically of that size. */
  reset(scale?: Float64Array): void;
  /** Decides an unknown by itself, unless it is decided. Before the first level. */
  fixUnknown(unknown: number, value: number): void;
  /**
   * A level A x = b. Each row times its `weight` is of order one in scaled unknowns; combinations of rows that have less than `tolerance`
   * of that in what is still free are left out, and the others hold in the least squares sense. Returns the rank.
   */
  addLevel(rows: LinearRows, b: Float64Array, weight: Float64Array | undefined, tolerance: number): number;
  /** Whether a quick bound shows that the smallest singular value of the rows of the last level, in what was free, is above a limit. */
  smallestSingularValueExceeds(limit: number): boolean;
  /** That singular value: an estimate that is a little too large, if anything. */
  smallestSingularValue(): number;
  /** Uses what is free to make |diag(weight) (B x + r)| least; B has `count` rows by rows. */
  minimise(B: Float64Array, r: Float64Array, count: number, weight?: Float64Array): void;
}

export function hierarchicalLeastSquares(n: number): HierarchicalLeastSquares {
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  const N = new Float64Array(n * (n + 1)); // and a column that goes through the same
  const turned = new Float64Array(n * (n + 1));
  const before = new Float64Array(N.length);
  let freedom = n;
  /**
   * Before the first level each column of N has one entry: that of this unknown, so large. It is written out if it is asked for. Behind
   * them are the unknowns that are decided.
   */
  const unknown = new Int32Array(n);
  const size = new Float64Array(n);
  let isDiagonal = true;
  let last: PivotedQR | undefined;
  const known = new Map<number, PivotedQR>();
  const factorsOf = (rows: number, columns: number): PivotedQR => {
    const key = rows * 4096 + columns;
    let qr = known.get(key);
    if (!qr) {
      qr = pivotedQR(rows, columns);
      known.set(key, qr);
    }
    return qr;
  };
  /** Rows of a level in what is free; what they lack; and room for a product with them. */
  let reduced = new Float64Array(0);
  let rest = reduced;
  let product = reduced;
  const makeRoom = (count: number): void => {
    if (rest.length >= count) return;
    reduced = new Float64Array(count * n);
    product = new Float64Array(count * (n + 1));
    rest = new Float64Array(count);
  };

  const writeDiagonal = (): void => {
    N.fill(0);
    for (let k = 0; k < freedom; k++) N[k * n + unknown[k]!] = size[k]!;
  };

  /** x += N y */
  const go = (): void => {
    if (isDiagonal) for (let k = 0; k < freedom; k++) x[unknown[k]!]! += size[k]! * y[k]!;
    else for (let k = 0; k < freedom; k++) for (let j = 0; j < n; j++) x[j]! += N[k * n + j]! * y[k]!;
  };

  /** Ā = D A N by rows, and rest = D (b - A x). */
  const reduce = ({ A, first, count }: LinearRows, b: Float64Array, D: Float64Array | undefined): void => {
    for (let i = 0; i < count; i++) {
      const row = (first + i) * n;
      const w = D ? D[first + i]! : 1;
      let sum = b[first + i]!;
      if (isDiagonal) {
        for (let k = freedom; k < n; k++) sum -= A[row + unknown[k]!]! * x[unknown[k]!]!;
        for (let k = 0; k < freedom; k++) reduced[i * freedom + k] = w * A[row + unknown[k]!]! * size[k]!;
      } else {
        for (let j = 0; j < n; j++) sum -= A[row + j]! * x[j]!;
        rowTimesMatrix(A, row, w, N, n, freedom, reduced, i * freedom, 1);
      }
      rest[i] = w * sum;
    }
  };

  /** y, of `rank` entries, the least squares solution of (Ā Q) y = rest. */
  const leastSquares = (qr: PivotedQR, count: number): void => {
    const { rank } = qr;
    for (let k = 0; k < rank; k++) {
      y.fill(0);
      y[k] = 1;
      qr.applyQ(y);
      for (let i = 0; i < count; i++) {
        let sum = 0;
        for (let j = 0; j < freedom; j++) sum += reduced[i * freedom + j]! * y[j]!;
        product[k * count + i] = sum;
      }
    }
    if (rank === 0) return;
    const inner = factorsOf(count, rank);
    inner.factor(product, 0);
    inner.applyQTransposed(rest);
    inner.solve(rest, y);
  };

  /** x += N Q y, and N := N times the last columns of Q, those that the level has left free. */
  const narrow = (qr: PivotedQR): void => {
    const { rank } = qr;
    const d = freedom;
    const left = d - rank;
    turned.fill(0, 0, d * left);
    for (let k = 0; k < left; k++) turned[k * d + rank + k] = 1;
    for (let k = 0; k < d; k++) turned[left * d + k] = y[k]!;
    qr.applyQ(turned, left + 1);
    for (let k = 0; k < d; k++) y[k] = turned[left * d + k]!;
    go();
    freedom = left;
    if (isDiagonal) {
      isDiagonal = false;
      N.fill(0, 0, n * left);
      for (let k = 0; k < left; k++) for (let c = 0; c < d; c++) N[k * n + unknown[c]!] = size[c]! * turned[k * d + c]!;
      return;
    }
    before.set(N);
    N.fill(0, 0, n * left);
    for (let k = 0; k < left; k++)
      for (let c = 0; c < d; c++) {
        const part = turned[k * d + c]!;
        for (let j = 0; j < n; j++) N[k * n + j]! += before[c * n + j]! * part;
      }
  };

  return {
    n,
    x,
    get N() {
      if (isDiagonal) writeDiagonal();
      return N;
    },
    get freedom() {
      return freedom;
    },
    reset(scale) {
      x.fill(0);
      freedom = n;
      isDiagonal = true;
      last = undefined;
      for (let j = 0; j < n; j++) {
        unknown[j] = j;
        size[j] = scale ? scale[j]! : 1;
      }
    },
    fixUnknown(j, value) {
      let at = 0;
      while (at < freedom && unknown[at] !== j) at++;
      if (at === freedom) return;
      x[j] = value;
      freedom--;
      for (let k = at; k < freedom; k++) {
        unknown[k] = unknown[k + 1]!;
        size[k] = size[k + 1]!;
      }
      unknown[freedom] = j;
    },
    addLevel(rows, b, weight, tolerance) {
      const { count } = rows;
      last = undefined;
      if (count === 0 || freedom === 0) return 0;
      const d = freedom;
      makeRoom(count);
      reduce(rows, b, weight);
      for (let i = 0; tolerance > 0 && i < count; i++) {
        let square = 0;
        for (let k = i * d; k < (i + 1) * d; k++) square += reduced[k]! * reduced[k]!;
        if (Math.sqrt(square) <= tolerance) reduced.fill(0, i * d, (i + 1) * d);
      }
      const qr = factorsOf(d, count);
      last = qr;
      // Ā by rows is its transpose by columns.
      if (!(qr.factorInOrder(reduced) > Math.max(tolerance, INDEPENDENT_DISTANCE))) qr.factor(reduced, tolerance);
      const { rank, order } = qr;
      if (rank === count) {
        for (let k = 0; k < rank; k++) y[k] = rest[order[k]!]!;
        qr.solveTransposed(y);
      } else leastSquares(qr, count);
      y.fill(0, rank, d);
      narrow(qr);
      return rank;
    },
    smallestSingularValueExceeds: (limit) => last !== undefined && last.inverseNorm * limit < 1,
    smallestSingularValue: () =>
      last
        ? estimateSmallestSingularValue(last, new Float64Array(last.columns), new Float64Array(last.columns))
        : Number.POSITIVE_INFINITY,
    minimise(B, r, count, weight) {
      if (freedom === 0) return;
      makeRoom(count);
      if (isDiagonal) writeDiagonal();
      const behind = freedom * n;
      for (let j = 0; j < n; j++) N[behind + j] = x[j]!;
      for (let i = 0; i < count; i++) {
        const w = weight ? weight[i]! : 1;
        rowTimesMatrix(B, i * n, w, N, n, freedom + 1, product, i, count); // D B N by columns, and behind it D B x
        rest[i] = -product[freedom * count + i]! - w * r[i]!;
      }
      const qr = factorsOf(count, freedom);
      if (!(qr.factorInOrder(product) > INDEPENDENT_DISTANCE)) qr.factor(product, 0);
      qr.applyQTransposed(rest);
      qr.solve(rest, y);
      go();
    },
  };
}

/** Rows further than this from what others say are independent whatever their order, and pivots need not be looked for. */
export const INDEPENDENT_DISTANCE = 1e-6;

const POWER_ITERATIONS = 5;

/** Of Ā, from the factors of Āᵀ: the power method for its pseudo-inverse, |v| / |Ā⁺ v| with v := (Āᵀ)⁺ Ā⁺ v. */
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
    for (let i = 0; i < columns; i++) v[i]! *= estimate * estimate; // stays of its size
  }
  return estimate;
}
