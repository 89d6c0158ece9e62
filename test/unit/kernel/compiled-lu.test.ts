/** LU factors in WebAssembly against those of math/linear, which use another order of sums and no lists of entries. */
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { compiledComplexLU, compiledRealLU } from "../../../src/kernel/emit/wasm/compiled-lu.ts";
import { complexLU } from "../../../src/math/linear/complex-lu.ts";
import { denseLU } from "../../../src/math/linear/dense-lu.ts";

/** Tolerance for diagonally dominant systems with solutions of size 1. */
const ROUNDING = 1e-12;

const entry = fc.double({ min: -1, max: 1, noNaN: true });
const system = fc.integer({ min: 1, max: 14 }).chain((n) => {
  const numbers = (length: number) => fc.array(entry, { minLength: length, maxLength: length });
  const isThere = fc.array(fc.boolean(), { minLength: n * n, maxLength: n * n });
  return fc.record({
    n: fc.constant(n),
    leading: fc.integer({ min: 0, max: n }),
    A: numbers(n * n),
    B: numbers(n * n),
    b: numbers(n),
    c: numbers(n),
    isThere,
  });
});

/** A matrix by rows of a given length, with a large diagonal and leading rows with few entries. */
function matrix(
  n: number,
  rowLength: number,
  leading: number,
  entries: readonly number[],
  isThere: readonly boolean[],
  diagonal: number,
) {
  const A = new Float64Array(n * rowLength);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      A[i * rowLength + j] = (i >= leading || isThere[i * n + j] ? entries[i * n + j]! : 0) + (i === j ? diagonal : 0);
  return A;
}

const apart = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);

afterEach(() => void vi.unstubAllGlobals());

const agrees = (rowLengthOf: (n: number) => number): void =>
  fc.assert(
    fc.property(system, ({ n, leading, A, B, b, c, isThere }) => {
      const [real, complex] = [compiledRealLU(n, leading), compiledComplexLU(n, leading)];
      const { rowLength } = real;
      expect([rowLength, complex.rowLength]).toEqual([rowLengthOf(n), rowLengthOf(n)]);
      const [P, Q] = [matrix(n, rowLength, leading, A, isThere, 2 * n), matrix(n, rowLength, leading, B, isThere, n)];
      const [p, q] = [matrix(n, n, leading, A, isThere, 2 * n), matrix(n, n, leading, B, isThere, n)];
      real.analysePattern(P);
      complex.analysePattern(P, Q);
      const [x, y] = [Float64Array.from(b), Float64Array.from(b)];
      const lu = denseLU(n);
      expect([real.factor(P), lu.factor(p)]).toEqual([true, true]);
      real.solve(x);
      lu.solve(y);
      expect(apart(x, y)).toBeLessThan(ROUNDING);
      const [re, im, u, v] = [Float64Array.from(b), Float64Array.from(c), Float64Array.from(b), Float64Array.from(c)];
      const other = complexLU(n);
      expect([complex.factor(P, Q), other.factor(p, q)]).toEqual([true, true]);
      complex.solve(re, im);
      other.solve(u, v);
      expect(apart(re, u) + apart(im, v)).toBeLessThan(ROUNDING);
    }),
    { seed: 7 },
  );

test("factors in WebAssembly give the same solutions for any leading rows", () => agrees((n) => n + (n % 2)));

test("without WebAssembly the factors of math/linear are used", () => {
  vi.stubGlobal("WebAssembly", undefined);
  agrees((n) => n);
});

test("a zero on the diagonal leads to a pivot search", () => {
  const real = compiledRealLU(3);
  const A = Float64Array.of(0, 2, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0);
  real.analysePattern(A);
  expect(real.factor(A)).toBe(true);
  const b = Float64Array.of(2, 6, 12);
  real.solve(b);
  expect([...b]).toEqual([3, 1, 2]);
});

test("singular matrices and matrices with NaN are rejected and do not affect later factorisations", () => {
  const [real, complex] = [compiledRealLU(3), compiledComplexLU(3)];
  const good = Float64Array.of(2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0);
  const zero = new Float64Array(12);
  const wrong = Float64Array.of(Number.NaN, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0);
  expect([real.factor(zero), real.factor(wrong), complex.factor(zero, zero), complex.factor(wrong, zero)]).toEqual(
    Array(4).fill(false),
  );
  expect([real.factor(good), complex.factor(good, zero)]).toEqual([true, true]);
  const [lost, nothing] = [new Float64Array(3).fill(Number.NaN), new Float64Array(3)];
  real.solve(lost.slice());
  complex.solve(lost, lost.slice());
  const [b, re] = [Float64Array.of(2, 4, 6), Float64Array.of(2, 4, 6)];
  real.solve(b);
  complex.solve(re, nothing);
  expect([[...b], [...re], [...nothing]]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
    [0, 0, 0],
  ]);
});
