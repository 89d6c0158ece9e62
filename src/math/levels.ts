/**
 * Linear equations in order of importance, for n unknowns: those of a level hold as far as the levels before it leave room, and what is
 * left free serves the next level, or makes a sum of squares small. At every moment the solutions of all levels so far are x + N z with
 * any z. N is orthonormal but for the scale of the unknowns, so nothing depends on a choice of pivots. Allocation-free once each
 * size has been met.
 */
import { type PivotedQR, pivotedQR } from "./pivoted-qr.ts";

/** Rows of a matrix with n columns, by rows, from row `first` on. */
export interface LinearRows {
  readonly A: Float64Array;
  readonly first: number;
  readonly count: number;
}

export interface Levels {
  readonly n: number;
  readonly x: Float64Array;
  /** n × freedom, by columns. */
  readonly N: Float64Array;
  readonly freedom: number;
  /** Begins with nothing decided: x = 0, N = diag(scale). An unknown of scale s is typically of that size. */
  begin(scale?: Float64Array): void;
  /**
   * A level A x = b. Each row times its `weight` is of order one in scaled unknowns; combinations of rows that have less than `tolerance`
   * of that in what is still free are left out, and the others hold in the least squares sense. Returns the rank.
   */
  add(rows: LinearRows, b: Float64Array, weight: Float64Array | undefined, tolerance: number): number;
  /** The smallest singular value of the rows of the last level in what was free: an estimate that is a little too large, if anything. */
  smallest(): number;
  /** Uses what is free to make |B x + r| least; B has `count` rows by rows. */
  minimise(B: Float64Array, r: Float64Array, count: number): void;
}

export function levels(n: number): Levels {
  const x = new Float64Array(n);
  let [N, next] = [new Float64Array(n * n), new Float64Array(n * n)];
  let freedom = n;
  let last: PivotedQR | undefined;
  const y = new Float64Array(n);
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
  const space = new Map<number, Float64Array>();
  const scratch = (size: number, which: number): Float64Array => {
    const key = size * 8 + which;
    let array = space.get(key);
    if (!array) {
      array = new Float64Array(size);
      space.set(key, array);
    }
    return array;
  };
  /** x += N y */
  const go = (): void => {
    for (let k = 0; k < freedom; k++) for (let j = 0; j < n; j++) x[j]! += N[k * n + j]! * y[k]!;
  };

  /** y = Q [t; 0] with t the least squares solution of (Ā Q) t = r. */
  const leastSquares = (qr: PivotedQR, reduced: Float64Array, r: Float64Array, count: number): void => {
    const { rank } = qr;
    const product = scratch(count * rank, 2); // Ā Q by columns
    for (let k = 0; k < rank; k++) {
      y.fill(0);
      y[k] = 1;
      qr.turnBack(y);
      for (let i = 0; i < count; i++) {
        let sum = 0;
        for (let j = 0; j < freedom; j++) sum += reduced[i * freedom + j]! * y[j]!;
        product[k * count + i] = sum;
      }
    }
    y.fill(0);
    if (rank === 0) return;
    const inner = factorsOf(count, rank);
    inner.factor(product, 0);
    inner.turn(r);
    inner.solve(r, y);
    y.fill(0, rank);
    qr.turnBack(y);
  };

  return {
    n,
    x,
    get N() {
      return N;
    },
    get freedom() {
      return freedom;
    },
    smallest() {
      return last ? smallestOf(last, scratch(last.columns, 5), scratch(last.columns, 6)) : Number.POSITIVE_INFINITY;
    },
    begin(scale) {
      x.fill(0);
      N.fill(0);
      freedom = n;
      for (let j = 0; j < n; j++) N[j * n + j] = scale?.[j] ?? 1;
    },
    add({ A, first, count }, b, weight, tolerance) {
      last = undefined;
      if (count === 0) return 0;
      const d = freedom;
      const reduced = scratch(count * d, 0); // Ā by rows, which is Āᵀ by columns
      const r = scratch(count, 1);
      for (let i = 0; i < count; i++) {
        const w = weight?.[first + i] ?? 1;
        const row = (first + i) * n;
        let rest = b[first + i]!;
        for (let j = 0; j < n; j++) rest -= A[row + j]! * x[j]!;
        r[i] = w * rest;
        let square = 0;
        for (let k = 0; k < d; k++) {
          let sum = 0;
          for (let j = 0; j < n; j++) sum += A[row + j]! * N[k * n + j]!;
          reduced[i * d + k] = w * sum;
          square += w * w * sum * sum;
        }
        if (Math.sqrt(square) <= tolerance) reduced.fill(0, i * d, (i + 1) * d);
      }
      if (d === 0) return 0;
      const qr = factorsOf(d, count);
      last = qr;
      qr.factor(reduced, tolerance);
      const { rank, order } = qr;
      if (rank === count) {
        y.fill(0);
        for (let k = 0; k < rank; k++) y[k] = r[order[k]!]!;
        qr.solveTransposed(y);
        qr.turnBack(y);
      } else leastSquares(qr, reduced, r, count);
      go();
      for (let k = rank; k < d; k++) {
        y.fill(0);
        y[k] = 1;
        qr.turnBack(y);
        const at = (k - rank) * n;
        next.fill(0, at, at + n);
        for (let c = 0; c < d; c++) for (let j = 0; j < n; j++) next[at + j]! += N[c * n + j]! * y[c]!;
      }
      [N, next] = [next, N];
      freedom = d - rank;
      return rank;
    },
    minimise(B, r, count) {
      if (freedom === 0) return;
      const product = scratch(count * freedom, 3);
      const rest = scratch(count, 4);
      for (let i = 0; i < count; i++) {
        let sum = r[i]!;
        for (let j = 0; j < n; j++) sum += B[i * n + j]! * x[j]!;
        rest[i] = -sum;
      }
      for (let k = 0; k < freedom; k++)
        for (let i = 0; i < count; i++) {
          let sum = 0;
          for (let j = 0; j < n; j++) sum += B[i * n + j]! * N[k * n + j]!;
          product[k * count + i] = sum;
        }
      const qr = factorsOf(count, freedom);
      qr.factor(product, 0);
      qr.turn(rest);
      y.fill(0);
      qr.solve(rest, y);
      go();
    },
  };
}

const ITERATIONS = 5;

/** Of Ā, from the factors of Āᵀ: the power method for its pseudo-inverse, |v| / |Ā⁺ v| with v := (Āᵀ)⁺ Ā⁺ v. */
function smallestOf(qr: PivotedQR, v: Float64Array, w: Float64Array): number {
  const { rank, columns, order } = qr;
  if (rank < columns) return 0;
  for (let i = 0; i < columns; i++) v[i] = 1 + i / columns;
  let estimate = Number.POSITIVE_INFINITY;
  for (let k = 0; k < ITERATIONS; k++) {
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
