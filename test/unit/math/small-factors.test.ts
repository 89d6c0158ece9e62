/** Householder reflections, Cholesky factors and strong components against their definitions. */
import { expect, test } from "vitest";
import { strongComponents } from "../../../src/math/graph/strong-components.ts";
import { choleskySolver } from "../../../src/math/linear/cholesky.ts";
import { applyReflections, reflectColumn } from "../../../src/math/linear/householder.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Rounding of a few hundred operations on numbers of order one. */
const ROUNDING = 1e-13;

test("Q R is the matrix, and R is triangular", () => {
  const next = uniform(1);
  for (const [rows, width] of [
    [3, 3],
    [5, 2],
    [4, 7],
    [1, 1],
  ] as const) {
    const given = Float64Array.from({ length: rows * width }, () => next() - 0.5);
    const qr = { B: given.slice(), rows, width, beta: new Float64Array(rows) };
    const count = Math.min(rows, width);
    for (let j = 0; j < count; j++) expect(reflectColumn(qr, j)).toBeCloseTo(Math.abs(qr.B[j * width + j]!), 14);
    for (let c = 0; c < width; c++) {
      const z = Float64Array.from({ length: rows }, (_, i) => (i < count && i > c ? 0 : qr.B[i * width + c]!));
      if (c < count) z.fill(0, c + 1);
      applyReflections(qr, count, z);
      for (let i = 0; i < rows; i++) expect(Math.abs(z[i]! - given[i * width + c]!)).toBeLessThan(ROUNDING);
    }
  }
});

test("Cholesky solves, and returns the column at which a matrix is not positive definite", () => {
  const next = uniform(2);
  const n = 6;
  const G = Float64Array.from({ length: n * n }, () => next() - 0.5);
  const A = G.map((_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    let sum = i === j ? 0.1 : 0;
    for (let c = 0; c < n; c++) sum += G[i * n + c]! * G[j * n + c]!;
    return sum;
  });
  const factors = choleskySolver(n);
  expect(factors.factor(A)).toBe(-1);
  const x = Float64Array.from({ length: n }, () => next());
  const b = x.map((_, i) => x.reduce((sum, v, j) => sum + A[i * n + j]! * v, 0));
  factors.solve(b);
  for (let i = 0; i < n; i++) expect(Math.abs(b[i]! - x[i]!)).toBeLessThan(100 * ROUNDING);
  expect(choleskySolver(2).factor(Float64Array.of(1, 1, 1, 1))).toBe(1);
});

test("strong components are in topological order", () => {
  // 0 → 1 ⇄ 2 → 3, and 4 → 3
  expect(strongComponents([[1], [2], [1, 3], [], [3]])).toEqual([[4], [0], [1, 2], [3]]);
  expect(strongComponents([])).toEqual([]);
  const long = Array.from({ length: 20_000 }, (_, i) => (i > 0 ? [i - 1] : []));
  expect(strongComponents(long)[0]).toEqual([19_999]);
});
