/**
 * The LU factors of a sparse matrix as a traced program: the pivot order is fixed, so elimination and substitution are straight-line
 * code that a kernel runs without indices. The operations are those of math/sparse-lu.ts, in their order. Whether the order still
 * suits the numbers is an output.
 */
import { abs, add, div, max, min, mul, type Scalar, sub } from "../kernel/scalar.ts";
import type { PivotOrder, SparsePattern } from "../math/markowitz.ts";

export interface TracedLU {
  /** x of A x = b, refined once. */
  solve(b: readonly Scalar[]): Scalar[];
  /** The same, not refined. */
  substitute(b: readonly Scalar[]): Scalar[];
  /** The largest multiplier, and the smallest pivot relative to what it was when the order was chosen. */
  readonly largest: Scalar;
  readonly smallest: Scalar;
}

/** One entry of a row of L or U: its column in pivot order. */
type Entry = readonly [column: number, value: Scalar];

/** @param values those of the pattern's places. */
export function tracedLU(
  { rows, columns, pivots, below, right }: PivotOrder,
  pattern: SparsePattern,
  values: readonly Scalar[],
): TracedLU {
  const { n } = pattern;
  const rowPlace = inverse(rows);
  const columnPlace = inverse(columns);
  const A = Array.from({ length: n }, () => new Map<number, Scalar>());
  for (const [e, value] of values.entries()) A[rowPlace[pattern.rows[e]!]!]!.set(columnPlace[pattern.columns[e]!]!, value);
  const eliminated = Array.from({ length: n }, (): number[] => []);
  for (const [k, list] of below.entries()) for (const r of list) eliminated[rowPlace[r]!]!.push(k);

  const L: Entry[][] = [];
  const U: Entry[][] = [];
  const reciprocal: Scalar[] = [];
  let largest: Scalar = 0;
  let smallest: Scalar = 1;
  for (let i = 0; i < n; i++) {
    const work = A[i]!;
    L[i] = eliminated[i]!.map((k) => {
      const factor = mul(work.get(k) ?? 0, reciprocal[k]!);
      for (const [j, value] of U[k]!) work.set(j, sub(work.get(j) ?? 0, mul(factor, value)));
      largest = max(largest, abs(factor));
      return [k, factor];
    });
    const pivot = work.get(i)!;
    smallest = min(smallest, abs(mul(1 / pivots[i]!, pivot)));
    reciprocal[i] = div(1, pivot);
    U[i] = Array.from(right[i]!, (c) => columnPlace[c]!)
      .sort((a, b) => a - b)
      .map((j) => [j, work.get(j) ?? 0]);
  }

  const substitute = (b: readonly Scalar[]): Scalar[] => {
    const y: Scalar[] = [];
    for (let i = 0; i < n; i++) y[i] = L[i]!.reduce((sum, [k, value]) => sub(sum, mul(value, y[k]!)), b[rows[i]!]!);
    const x: Scalar[] = [];
    for (let i = n - 1; i >= 0; i--) {
      y[i] = mul(
        U[i]!.reduce((sum, [j, value]) => sub(sum, mul(value, y[j]!)), y[i]!),
        reciprocal[i]!,
      );
      x[columns[i]!] = y[i]!;
    }
    return x;
  };
  return {
    largest,
    smallest,
    substitute,
    solve(b) {
      const x = substitute(b);
      const residual = [...b];
      for (const [e, value] of values.entries()) {
        const row = pattern.rows[e]!;
        residual[row] = sub(residual[row]!, mul(value, x[pattern.columns[e]!]!));
      }
      const correction = substitute(residual);
      return x.map((value, i) => add(value, correction[i]!));
    },
  };
}

function inverse(permutation: Int32Array): Int32Array {
  const place = new Int32Array(permutation.length);
  for (const [i, p] of permutation.entries()) place[p] = i;
  return place;
}
