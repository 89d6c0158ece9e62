/**
 * Levels of linear equations (math/optimise/hierarchical-least-squares.ts) where every level has its full rank, over Scalar: then all rows hold, and are one matrix Ā
 * with Āᵀ = Q R. Reflections take rows in their order, so the block on the diagonal of R that belongs to a level is the factor of
 * its rows in what the levels before it leave free, and tells how near that level is to losing its rank.
 */
import { div, mul, neg, type Scalar, select, sqrt, square, sub, sum } from "../../../kernel/trace/scalar.ts";

type TracedVectors = readonly (readonly Scalar[])[];

/** A = Q R for columns of A that are independent. */
export interface TracedQR {
  /** By columns, on and above the diagonal, and one over the entries on it. */
  readonly R: TracedVectors;
  readonly reciprocals: readonly Scalar[];
  /** Qᵀ b, and Q b. */
  timesTransposedQ(b: readonly Scalar[]): Scalar[];
  timesQ(b: readonly Scalar[]): Scalar[];
}

/** By Householder reflections: y - β v (vᵀ y). */
export function tracedQR(A: TracedVectors): TracedQR {
  const left = A.map((column) => [...column]);
  const R: Scalar[][] = [];
  const reflections: ((y: Scalar[]) => void)[] = [];
  for (const [k, v] of left.entries()) {
    const distance = sqrt(sum(v.slice(k).map(square)));
    const diagonal = select(v[k]!, neg(distance), distance);
    R.push([...v.slice(0, k), diagonal]);
    v[k] = sub(v[k]!, diagonal);
    const beta = div(-1, mul(diagonal, v[k]!));
    const reflect = (y: Scalar[]): void => {
      const part = mul(beta, sum(v.slice(k).map((value, i) => mul(value, y[k + i]!))));
      for (let i = k; i < v.length; i++) y[i] = sub(y[i]!, mul(part, v[i]!));
    };
    for (const y of left.slice(k + 1)) reflect(y);
    reflections.push(reflect);
  }
  const reflected = (b: readonly Scalar[], order: typeof reflections): Scalar[] => {
    const y = [...b];
    for (const reflect of order) reflect(y);
    return y;
  };
  return {
    R,
    reciprocals: R.map((column) => div(1, column.at(-1)!)),
    timesTransposedQ: (b) => reflected(b, reflections),
    timesQ: (b) => reflected(b, [...reflections].reverse()),
  };
}

/**
 * How near columns `from` to `to` of A are to being dependent, in what those before them leave: for each column 1 / d², d its distance from
 * the span of the others. Their sum is the sum of squares of the inverse of the block of R.
 */
export function inverseSquareDistances({ R, reciprocals }: TracedQR, from: number, to: number): Scalar[] {
  const near: Scalar[] = [];
  for (let k = from; k < to; k++) {
    const row: Scalar[] = []; // k of the inverse
    for (let j = k; j < to; j++) {
      let value: Scalar = j === k ? 1 : 0;
      for (let i = k; i < j; i++) value = sub(value, mul(R[j]![i]!, row[i - k]!));
      row.push(mul(value, reciprocals[j]!));
    }
    near.push(sum(row.map(square)));
  }
  return near;
}

/** The sum of the same with distances in lengths of the columns. */
export function relativeInverseSquare(qr: TracedQR, from: number, to: number): Scalar {
  return sum(inverseSquareDistances(qr, from, to).map((near, k) => mul(near, sum(qr.R[from + k]!.slice(from).map(square)))));
}

export interface TracedLevels {
  readonly qr: TracedQR;
  /** The shortest solution, and orthonormal directions that no row feels. */
  readonly y: readonly Scalar[];
  readonly N: TracedVectors;
}

/** Solutions y + N z of Ā y = b, with at most as many rows as there are unknowns. */
export function tracedLevels(rows: TracedVectors, b: readonly Scalar[], unknowns: number): TracedLevels {
  const qr = tracedQR(rows);
  const along: Scalar[] = []; // Rᵀ along = b
  for (const [k, column] of qr.R.entries()) {
    let value = b[k]!;
    for (let i = 0; i < k; i++) value = sub(value, mul(column[i]!, along[i]!));
    along.push(mul(value, qr.reciprocals[k]!));
  }
  const unit = (k: number): Scalar[] => Array.from({ length: unknowns }, (_, i) => (i === k ? 1 : 0));
  return {
    qr,
    y: qr.timesQ([...along, ...new Array<Scalar>(unknowns - rows.length).fill(0)]),
    N: Array.from({ length: unknowns - rows.length }, (_, k) => qr.timesQ(unit(rows.length + k))),
  };
}

/** z that makes |B z + r| least, B by columns, which are independent. */
export function tracedLeastSquares(
  B: TracedVectors,
  r: readonly Scalar[],
): { readonly qr: TracedQR; readonly z: readonly Scalar[] } {
  const qr = tracedQR(B);
  const z = qr.timesTransposedQ(r).slice(0, B.length).map(neg);
  for (let k = B.length - 1; k >= 0; k--) {
    z[k] = mul(z[k]!, qr.reciprocals[k]!);
    for (let i = 0; i < k; i++) z[i] = sub(z[i]!, mul(qr.R[k]![i]!, z[k]!));
  }
  return { qr, z };
}
