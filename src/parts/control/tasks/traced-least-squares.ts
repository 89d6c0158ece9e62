/**
 * Levels of linear equations (math/optimise/hierarchical-least-squares.ts) of full rank, over Scalar. All rows then hold and form one matrix
 * Ā with Āᵀ = Q R. Reflections take rows in their order. So the diagonal block of R that belongs to a level is the factor of its rows in
 * the null space of the levels before it, and shows how close this level is to losing rank.
 */
import { div, mul, neg, type Scalar, select, sqrt, square, sub, sum } from "../../../kernel/trace/scalar.ts";

type TracedVectors = readonly (readonly Scalar[])[];

/** A = Q R for independent columns of A. */
export interface TracedQR {
  /** R by columns, on and above the diagonal, and the reciprocals of its diagonal. */
  readonly R: TracedVectors;
  readonly reciprocals: readonly Scalar[];
  /** Qᵀ b, and Q b. */
  timesTransposedQ(b: readonly Scalar[]): Scalar[];
  timesQ(b: readonly Scalar[]): Scalar[];
}

/** QR factorisation by Householder reflections y - β v (vᵀ y). */
export function tracedQR(A: TracedVectors): TracedQR {
  const columns = A.map((column) => [...column]);
  const R: Scalar[][] = [];
  const reflections: ((y: Scalar[]) => void)[] = [];
  for (const [k, v] of columns.entries()) {
    const distance = sqrt(sum(v.slice(k).map(square)));
    const diagonal = select(v[k]!, neg(distance), distance);
    R.push([...v.slice(0, k), diagonal]);
    v[k] = sub(v[k]!, diagonal);
    const beta = div(-1, mul(diagonal, v[k]!));
    const reflect = (y: Scalar[]): void => {
      const component = mul(beta, sum(v.slice(k).map((value, i) => mul(value, y[k + i]!))));
      for (let i = k; i < v.length; i++) y[i] = sub(y[i]!, mul(component, v[i]!));
    };
    for (const y of columns.slice(k + 1)) reflect(y);
    reflections.push(reflect);
  }
  const applyAll = (b: readonly Scalar[], order: typeof reflections): Scalar[] => {
    const y = [...b];
    for (const reflect of order) reflect(y);
    return y;
  };
  return {
    R,
    reciprocals: R.map((column) => div(1, column.at(-1)!)),
    timesTransposedQ: (b) => applyAll(b, reflections),
    timesQ: (b) => applyAll(b, [...reflections].reverse()),
  };
}

/**
 * Closeness of columns `from` to `to` of A to linear dependence, in the null space of the columns before them: 1 / d² for each column, d its
 * distance from the span of the others. The sum is that of the squared entries of the inverse of the block of R.
 */
export function inverseSquareDistances({ R, reciprocals }: TracedQR, from: number, to: number): Scalar[] {
  const inverseSquares: Scalar[] = [];
  for (let k = from; k < to; k++) {
    const row: Scalar[] = []; // row k of the inverse
    for (let j = k; j < to; j++) {
      let value: Scalar = j === k ? 1 : 0;
      for (let i = k; i < j; i++) value = sub(value, mul(R[j]![i]!, row[i - k]!));
      row.push(mul(value, reciprocals[j]!));
    }
    inverseSquares.push(sum(row.map(square)));
  }
  return inverseSquares;
}

/** The same summed, with distances relative to the lengths of the columns. */
export function relativeInverseSquare(qr: TracedQR, from: number, to: number): Scalar {
  return sum(inverseSquareDistances(qr, from, to).map((near, k) => mul(near, sum(qr.R[from + k]!.slice(from).map(square)))));
}

export interface TracedLevels {
  readonly qr: TracedQR;
  /** The shortest solution, and an orthonormal basis of the null space. */
  readonly y: readonly Scalar[];
  readonly N: TracedVectors;
}

/** Solutions y + N z of Ā y = b, with at most as many rows as unknowns. */
export function tracedLevels(rows: TracedVectors, b: readonly Scalar[], unknowns: number): TracedLevels {
  const qr = tracedQR(rows);
  const solution: Scalar[] = []; // Rᵀ solution = b
  for (const [k, column] of qr.R.entries()) {
    let value = b[k]!;
    for (let i = 0; i < k; i++) value = sub(value, mul(column[i]!, solution[i]!));
    solution.push(mul(value, qr.reciprocals[k]!));
  }
  const unit = (k: number): Scalar[] => Array.from({ length: unknowns }, (_, i) => (i === k ? 1 : 0));
  return {
    qr,
    y: qr.timesQ([...solution, ...new Array<Scalar>(unknowns - rows.length).fill(0)]),
    N: Array.from({ length: unknowns - rows.length }, (_, k) => qr.timesQ(unit(rows.length + k))),
  };
}

/** z that minimises |B z + r|. B is given by its columns, which are independent. */
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
