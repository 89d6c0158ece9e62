import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { singularValues } from "../../../src/math/eigen/singular-values.ts";
import { pivotedQR } from "../../../src/math/linear/pivoted-qr.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Rounding of products of small matrices. */
const EXACT = 1e-12;

/** Columns; those after the first `rank` are combinations of them. */
function columnsOf(rows: number, columns: number, rank: number, random: () => number): Float64Array {
  const A = new Float64Array(rows * columns);
  for (let j = 0; j < columns; j++) {
    const scale = 10 ** (4 * random() - 2);
    if (j < rank) for (let i = 0; i < rows; i++) A[j * rows + i] = scale * (2 * random() - 1);
    else
      for (let k = 0; k < rank; k++) {
        const factor = 2 * random() - 1;
        for (let i = 0; i < rows; i++) A[j * rows + i]! += factor * A[k * rows + i]!;
      }
  }
  return A;
}

const times = (A: Float64Array, rows: number, x: Float64Array): Float64Array => {
  const y = new Float64Array(rows);
  for (let j = 0; j < x.length; j++) for (let i = 0; i < rows; i++) y[i]! += A[j * rows + i]! * x[j]!;
  return y;
};
const transposed = (A: Float64Array, rows: number, y: Float64Array): Float64Array =>
  Float64Array.from({ length: A.length / rows }, (_, j) => y.reduce((s, v, i) => s + v * A[j * rows + i]!, 0));
const largest = (v: Float64Array): number => Math.max(0, ...v.map(Math.abs));

const sizes = fc
  .record({ rows: fc.integer({ min: 1, max: 12 }), columns: fc.integer({ min: 1, max: 12 }), seed: fc.nat() })
  .chain((size) => fc.record({ size: fc.constant(size), rank: fc.integer({ min: 0, max: Math.min(size.rows, size.columns) }) }));

test("finds the rank and the null vectors", () => {
  fc.assert(
    fc.property(sizes, ({ size: { rows, columns, seed }, rank }) => {
      const A = columnsOf(rows, columns, rank, uniform(seed));
      const given = A.slice();
      const qr = pivotedQR(rows, columns);
      qr.factor(A, 1e-9);
      expect(A).toEqual(given);
      expect(qr.rank).toBe(rank);
      const x = new Float64Array(columns);
      for (let k = 0; k < columns - rank; k++) {
        qr.nullVector(k, x);
        const scale = x.reduce((s, v, j) => s + Math.abs(v) * largest(A.subarray(j * rows, (j + 1) * rows)), 0);
        expect(largest(x)).toBeGreaterThan(0);
        expect(largest(times(A, rows, x))).toBeLessThanOrEqual(EXACT * scale);
      }
    }),
    { seed: 5 },
  );
});

test("solves least squares problems and equations with the transposed matrix", () => {
  const random = uniform(8);
  for (const [rows, columns] of [
    [5, 5],
    [9, 4],
    [12, 1],
  ] as const) {
    // biome-ignore format: sizes
    const A = columnsOf(rows, columns, columns, random);
    const qr = pivotedQR(rows, columns);
    qr.factor(A, 1e-12);

    const b = Float64Array.from({ length: rows }, random);
    const turned = b.slice();
    qr.applyQTransposed(turned);
    const x = new Float64Array(columns);
    qr.solve(turned.slice(0, columns), x);
    const rest = times(A, rows, x).map((v, i) => b[i]! - v);
    expect(largest(transposed(A, rows, rest))).toBeLessThan(EXACT * largest(A) * rows); // orthogonal to all columns

    qr.applyQ(turned);
    expect(largest(turned.map((v, i) => v - b[i]!))).toBeLessThan(EXACT);

    const c = Float64Array.from({ length: columns }, random);
    const y = new Float64Array(rows);
    for (let k = 0; k < columns; k++) y[k] = c[qr.order[k]!]!;
    qr.solveTransposed(y);
    qr.applyQ(y);
    expect(largest(transposed(A, rows, y).map((v, j) => v - c[j]!))).toBeLessThan(EXACT * largest(A) * largest(y) * rows);
  }
});

test("distinguishes nearly dependent from dependent columns", () => {
  const near = (distance: number): number => {
    const qr = pivotedQR(3, 3);
    qr.factor(Float64Array.of(1, 0, 0, 0.5, 0.5, 0, 1, 1, distance), 1e-9);
    return qr.rank;
  };
  expect([1e-3, 1e-8, 1e-10, 0].map(near)).toEqual([3, 3, 2, 2]);
});

test("without pivoting: the same solutions, and the distance of the nearest column from the others", () => {
  const random = uniform(12);
  for (const [rows, columns] of [
    [5, 5],
    [9, 4],
    [12, 9],
  ] as const) {
    const A = columnsOf(rows, columns, columns, random);
    const b = Float64Array.from({ length: rows }, random);
    const solutions = (["factor", "factorInOrder"] as const).map((way) => {
      const qr = pivotedQR(rows, columns);
      const nearest = qr[way](A, 0);
      const turned = b.slice();
      qr.applyQTransposed(turned);
      const x = new Float64Array(columns);
      qr.solve(turned, x);
      return { x, nearest, norm: qr.inverseNorm };
    });
    const [pivoted, inOrder] = solutions as [(typeof solutions)[0], (typeof solutions)[0]];
    expect(largest(pivoted.x.map((v, j) => v - inOrder.x[j]!))).toBeLessThan(1e-10 * largest(pivoted.x));
    const values = singularValues(A.slice(), rows, columns);
    const norm = Math.sqrt(values.reduce((sum, v) => sum + 1 / (v * v), 0));
    for (const way of [pivoted, inOrder]) expect(way.norm / norm).toBeCloseTo(1, 9);
    // The residual of a least squares fit of the last column by the others is its distance from them.
    const distances = Array.from({ length: columns }, (_, left) => {
      const others = Float64Array.from({ length: rows * (columns - 1) }, (_, i) => A[i < left * rows ? i : i + rows]!);
      const qr = pivotedQR(rows, columns - 1);
      qr.factor(others, 0);
      const column = A.slice(left * rows, (left + 1) * rows);
      const length = Math.hypot(...column);
      qr.applyQTransposed(column);
      return Math.hypot(...column.slice(columns - 1)) / length;
    });
    expect(inOrder.nearest! / Math.min(...distances)).toBeCloseTo(1, 9);
  }
  expect(pivotedQR(2, 3).factorInOrder(Float64Array.of(1, 0, 0, 1, 1, 1))).toBe(0);
  expect(pivotedQR(3, 2).factorInOrder(Float64Array.of(1, 2, 3, 0, 0, 0))).toBe(0);
});

describe("singular values", () => {
  test("of a rotated diagonal matrix: small ones are accurate relative to themselves", () => {
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const A = Float64Array.of(c, s, 0, -s, c, 0, 0, 0, 1).map((v, i) => v * [3, 1e-9, 2][Math.floor(i / 3)]!);
    const [a, b, d] = singularValues(A, 3, 3) as unknown as [number, number, number];
    expect(a).toBeCloseTo(3, 12);
    expect(b).toBeCloseTo(2, 12);
    expect(d / 1e-9).toBeCloseTo(1, 12);
  });

  test("have the sum of squares of the entries, and are zero beyond the rank", () => {
    const random = uniform(12);
    for (const [rows, columns, rank] of [
      [6, 4, 4],
      [6, 6, 3],
      [3, 7, 2],
    ] as const) {
      // biome-ignore format: sizes
      const A = columnsOf(rows, columns, rank, random);
      const squares = A.reduce((t, v) => t + v * v, 0);
      const values = singularValues(A, rows, columns);
      expect(values.reduce((t, v) => t + v * v, 0) / squares).toBeCloseTo(1, 12);
      expect([...values].filter((v) => v > 1e-12 * values[0]!).length).toBe(rank);
    }
  });
});
