import { describe, expect, it } from "vitest";
import { singularValues } from "../../../src/math/eigen/singular-values.ts";
import { hierarchicalLeastSquares } from "../../../src/math/optimise/hierarchical-least-squares.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

const N = 7;
const random = (seed: number) => {
  const next = uniform(seed);
  return (count: number): Float64Array => Float64Array.from({ length: count }, () => 2 * next() - 1);
};
const times = (A: Float64Array, x: ArrayLike<number>, i: number): number => {
  let sum = 0;
  for (let j = 0; j < N; j++) sum += A[i * N + j]! * x[j]!;
  return sum;
};
const rows = (A: Float64Array, count: number, first = 0) => ({ A, first, count });

describe.each([1, 2, 3, 4, 5])("levels, seed %i", (seed) => {
  const draw = random(seed);
  const [A, b, C, d, scale] = [draw(3 * N), draw(3), draw(2 * N), draw(2), draw(N).map((v) => Math.exp(3 * v))] as const;

  it("are solved as far as possible, and leave the null space free", () => {
    const solver = hierarchicalLeastSquares(N);
    solver.reset(scale);
    expect(solver.addLevel(rows(A, 3), b, undefined, 1e-9)).toBe(3);
    expect(solver.freedom).toBe(4);
    expect(solver.addLevel(rows(C, 2), d, undefined, 1e-9)).toBe(2);
    expect(solver.freedom).toBe(2);
    for (let i = 0; i < 3; i++) expect(times(A, solver.x, i)).toBeCloseTo(b[i]!, 12);
    for (let i = 0; i < 2; i++) expect(times(C, solver.x, i)).toBeCloseTo(d[i]!, 12);
    for (let k = 0; k < 2; k++) {
      const free = solver.N.slice(k * N, (k + 1) * N);
      for (let i = 0; i < 3; i++) expect(times(A, free, i)).toBeCloseTo(0, 12);
      for (let i = 0; i < 2; i++) expect(times(C, free, i)).toBeCloseTo(0, 12);
      for (let l = 0; l < 2; l++) {
        const other = solver.N.slice(l * N, (l + 1) * N);
        const product = free.reduce((sum, v, j) => sum + (v / scale[j]!) * (other[j]! / scale[j]!), 0);
        expect(product).toBeCloseTo(k === l ? 1 : 0, 12);
      }
    }
  });

  it("minimise a sum of squares in the free directions", () => {
    const [B, r] = [draw(9 * N), draw(9)];
    const solver = hierarchicalLeastSquares(N);
    solver.reset(scale);
    solver.addLevel(rows(A, 3), b, undefined, 1e-9);
    const free = Array.from({ length: 4 }, (_, k) => solver.N.slice(k * N, (k + 1) * N));
    solver.minimise(B, r, 9);
    for (let i = 0; i < 3; i++) expect(times(A, solver.x, i)).toBeCloseTo(b[i]!, 11);
    for (const direction of free) {
      let slope = 0;
      for (let i = 0; i < 9; i++) slope += (times(B, solver.x, i) + r[i]!) * times(B, direction, i);
      expect(slope).toBeCloseTo(0, 11);
    }
  });

  it("a level that contradicts earlier levels does not change them, and holds in the least squares sense", () => {
    // Two rows equal to earlier ones with different right-hand sides, and one new row.
    const more = new Float64Array(3 * N);
    for (let j = 0; j < N; j++) {
      more[j] = A[j]! + A[N + j]!;
      more[N + j] = 2 * A[2 * N + j]!;
      more[2 * N + j] = C[j]!;
    }
    const solver = hierarchicalLeastSquares(N);
    solver.reset();
    solver.addLevel(rows(A, 3), b, undefined, 1e-9);
    expect(solver.addLevel(rows(more, 3), Float64Array.of(5, -5, d[0]!), undefined, 1e-9)).toBe(1);
    expect(solver.smallestSingularValue()).toBe(0);
    expect(solver.freedom).toBe(3);
    for (let i = 0; i < 3; i++) expect(times(A, solver.x, i)).toBeCloseTo(b[i]!, 11);
    expect(times(C, solver.x, 0)).toBeCloseTo(d[0]!, 11);
  });

  it("more equations than unknowns give the least squares solution", () => {
    const [B, r] = [draw(12 * N), draw(12)];
    const solver = hierarchicalLeastSquares(N);
    solver.reset();
    expect(solver.addLevel(rows(B, 12), r, undefined, 1e-9)).toBe(N);
    for (let j = 0; j < N; j++) {
      let slope = 0;
      for (let i = 0; i < 12; i++) slope += B[i * N + j]! * (times(B, solver.x, i) - r[i]!);
      expect(slope).toBeCloseTo(0, 11);
    }
  });
});

it("the estimate of the smallest singular value of the last level is never too small", () => {
  const draw = random(9);
  for (const small of [1, 0.3, 1e-2, 1e-5, 1e-9]) {
    const A = draw(3 * N);
    for (let j = 0; j < N; j++) A[2 * N + j] = A[j]! + A[N + j]! + small * A[2 * N + j]!;
    const solver = hierarchicalLeastSquares(N);
    solver.reset();
    solver.addLevel(rows(A, 3), new Float64Array(3), undefined, 0);
    const exact = singularValues(A.slice(), N, 3).at(-1)!; // A by rows is Aᵀ by columns
    expect(solver.smallestSingularValue()).toBeGreaterThan(exact * (1 - 1e-6));
    expect(solver.smallestSingularValue()).toBeLessThan(1.1 * exact);
  }
});

describe("fixed unknowns", () => {
  const draw = random(4);
  const [A, b, scale] = [draw(3 * N), draw(3), draw(N).map((v) => Math.exp(3 * v))] as const;

  it("act like equations before the first level", () => {
    const [fixed, equations] = [hierarchicalLeastSquares(N), hierarchicalLeastSquares(N)];
    fixed.reset(scale);
    fixed.fixUnknown(5, 0.3);
    fixed.fixUnknown(2, -1.1);
    fixed.fixUnknown(5, 7); // the first value counts
    expect(fixed.freedom).toBe(N - 2);
    const unit = new Float64Array(2 * N);
    unit[5] = unit[N + 2] = 1;
    equations.reset(scale);
    equations.addLevel(rows(unit, 2), Float64Array.of(0.3, -1.1), undefined, 0);
    for (const solver of [fixed, equations]) {
      expect(solver.addLevel(rows(A, 3), b, undefined, 1e-9)).toBe(3);
      expect(solver.freedom).toBe(2);
    }
    for (let j = 0; j < N; j++) expect(fixed.x[j]).toBeCloseTo(equations.x[j]!, 11);
    for (const k of [0, 1]) expect([fixed.N[k * N + 5], fixed.N[k * N + 2]]).toEqual([0, 0]);
  });

  it("do not change the scales of the others", () => {
    const solver = hierarchicalLeastSquares(3);
    solver.reset(Float64Array.of(2, 3, 5));
    solver.fixUnknown(1, 4);
    expect(solver.N.slice(0, 6)).toEqual(Float64Array.of(2, 0, 0, 0, 0, 5));
    expect([...solver.x]).toEqual([0, 4, 0]);
  });
});

it("the quick bound is true only for regular rows, and is sharp up to a factor of the number of rows", () => {
  const draw = random(11);
  for (const small of [1, 0.3, 1e-2, 1e-5, 1e-9, 0]) {
    const A = draw(3 * N);
    for (let j = 0; j < N; j++) A[2 * N + j] = A[j]! + A[N + j]! + small * A[2 * N + j]!;
    const solver = hierarchicalLeastSquares(N);
    solver.reset();
    solver.addLevel(rows(A, 3), new Float64Array(3), undefined, 0);
    const exact = singularValues(A.slice(), N, 3).at(-1)!;
    expect(solver.smallestSingularValueExceeds(exact * (1 + 1e-6) + 1e-14)).toBe(false);
    if (small > 0) expect(solver.smallestSingularValueExceeds((exact / Math.sqrt(3)) * (1 - 1e-6))).toBe(true);
  }
});
