import fc from "fast-check";
import { expect, test } from "vitest";
import { complexLU } from "../../../src/math/linear/complex-lu.ts";
import { denseLU } from "../../../src/math/linear/dense-lu.ts";

/** Residual of a backward stable solve, relative to |A| |x|. */
const BACKWARD_ERROR = 1e-13;

const entry = fc.double({ min: -1, max: 1, noNaN: true });
const numbers = (length: number): fc.Arbitrary<Float64Array> =>
  fc.array(entry, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values));
const system = fc
  .integer({ min: 1, max: 12 })
  .chain((n) => fc.record({ n: fc.constant(n), A: numbers(n * n), B: numbers(n * n), b: numbers(n), c: numbers(n) }));

test("real LU solves with a small residual or reports a singular matrix", () => {
  fc.assert(
    fc.property(system, ({ n, A, b }) => {
      const lu = denseLU(n);
      const given = A.slice();
      if (!lu.factor(A)) return;
      expect(A).toEqual(given);
      const x = b.slice();
      lu.solve(x);
      fc.pre(x.every((value) => Math.abs(value) < 1e100));
      for (let i = 0; i < n; i++) {
        let residual = -b[i]!;
        for (let j = 0; j < n; j++) residual += A[i * n + j]! * x[j]!;
        expect(Math.abs(residual)).toBeLessThanOrEqual(BACKWARD_ERROR * (1 + n * Math.max(...x.map(Math.abs))));
      }
    }),
    { seed: 3 },
  );
});

test("complex LU solves with a small residual or reports a singular matrix", () => {
  fc.assert(
    fc.property(system, ({ n, A, B, b, c }) => {
      const lu = complexLU(n);
      if (!lu.factor(A, B)) return;
      const [x, y] = [b.slice(), c.slice()];
      lu.solve(x, y);
      fc.pre([...x, ...y].every((value) => Math.abs(value) < 1e100));
      const limit = BACKWARD_ERROR * (1 + n * Math.max(...x.map(Math.abs), ...y.map(Math.abs)));
      for (let i = 0; i < n; i++) {
        let re = -b[i]!;
        let im = -c[i]!;
        for (let j = 0; j < n; j++) {
          re += A[i * n + j]! * x[j]! - B[i * n + j]! * y[j]!;
          im += A[i * n + j]! * y[j]! + B[i * n + j]! * x[j]!;
        }
        expect(Math.hypot(re, im)).toBeLessThanOrEqual(limit);
      }
    }),
    { seed: 3 },
  );
});

test("elimination of leading rows on their diagonal gives the same solution as pivoting", () => {
  const motion = fc
    .integer({ min: 1, max: 9 })
    .chain((m) => fc.record({ m: fc.constant(m), K: numbers(m * m), D: numbers(m * m), b: numbers(2 * m), c: numbers(2 * m) }));
  fc.assert(
    fc.property(motion, ({ m, K, D, b, c }) => {
      const n = 2 * m;
      // γ q - u = r, K q + (γ + D) u = s: the equations of an implicit step of q̇ = u, u̇ = -K q - D u
      const [A, B] = [new Float64Array(n * n), new Float64Array(n * n)];
      for (let i = 0; i < m; i++) {
        A[i * n + i] = A[(m + i) * n + m + i] = 3;
        B[i * n + i] = B[(m + i) * n + m + i] = 2;
        A[i * n + m + i] = -1;
        for (let j = 0; j < m; j++) {
          A[(m + i) * n + j] = 1e3 * K[i * m + j]!;
          A[(m + i) * n + m + j]! += D[i * m + j]!;
        }
      }
      const [plain, led] = [complexLU(n), complexLU(n, m)];
      if (!plain.factor(A, B) || !led.factor(A, B)) return;
      const [x, y, u, v] = [b.slice(), c.slice(), b.slice(), c.slice()];
      plain.solve(x, y);
      led.solve(u, v);
      const size = Math.max(...x.map(Math.abs), ...y.map(Math.abs));
      fc.pre(size < 1e3); // not nearly singular
      for (let i = 0; i < n; i++) expect(Math.hypot(x[i]! - u[i]!, y[i]! - v[i]!)).toBeLessThan(1e-9 * (1 + size));
      const [real, leading] = [denseLU(n), denseLU(n, m)];
      if (!real.factor(A) || !leading.factor(A)) return;
      const [p, q] = [b.slice(), b.slice()];
      real.solve(p);
      leading.solve(q);
      const most = Math.max(...p.map(Math.abs));
      fc.pre(most < 1e3);
      for (let i = 0; i < n; i++) expect(Math.abs(p[i]! - q[i]!)).toBeLessThan(1e-9 * (1 + most));
    }),
    { seed: 3 },
  );
});

test("a singular matrix and a matrix with NaN are rejected", () => {
  expect(denseLU(2).factor(Float64Array.of(1, 2, 2, 4))).toBe(false);
  expect(denseLU(2).factor(Float64Array.of(Number.NaN, 2, 2, 4))).toBe(false);
  expect(complexLU(2).factor(Float64Array.of(1, 2, 2, 4), new Float64Array(4))).toBe(false);
  expect(complexLU(2).factor(new Float64Array(4).fill(Number.NaN), new Float64Array(4))).toBe(false);
});
