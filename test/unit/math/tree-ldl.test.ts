import { expect, test } from "vitest";
import {
  factorTree,
  multiplyTree,
  solveTree,
  solveTreeFirstHalf,
  solveTreeSecondHalf,
  type TreePattern,
  treeInverseRoots,
  treePattern,
} from "../../../src/math/linear/tree-ldl.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Residual relative to the sum of the magnitudes of its terms: accuracy of a factorisation of a definite matrix without pivoting. */
const BACKWARD = 1e-13;

/** A positive definite matrix with the pattern of a tree, M = Lᵀ D L, dense by rows. */
function randomTreeMatrix(pattern: TreePattern, random: () => number): Float64Array {
  const { n, parent } = pattern;
  const M = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    const row = new Float64Array(n);
    row[k] = 1;
    for (let i = parent[k]!; i >= 0; i = parent[i]!) row[i] = 2 * random() - 1;
    const d = 0.5 + random();
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) M[n * i + j]! += d * row[i]! * row[j]!;
  }
  return M;
}

function pack({ n, parent, depth, start, size }: TreePattern, M: Float64Array): Float64Array {
  const packed = new Float64Array(size);
  for (let k = 0; k < n; k++) for (let i = k; i >= 0; i = parent[i]!) packed[start[k]! + depth[i]!] = M[n * k + i]!;
  return packed;
}

const shapes: readonly [string, (n: number, random: () => number) => number[]][] = [
  ["chain", (n) => Array.from({ length: n }, (_, i) => i - 1)],
  ["star", (n) => Array.from({ length: n }, (_, i) => (i === 0 ? -1 : 0))],
  ["forest", (n, random) => Array.from({ length: n }, (_, i) => Math.floor(random() * (i + 1)) - 1)],
];

test.each(shapes)("solves M x = b on a %s", (_, parents) => {
  const random = uniform(1);
  for (const n of [1, 2, 7, 40]) {
    const pattern = treePattern(parents(n, random));
    const M = randomTreeMatrix(pattern, random);
    const b = Float64Array.from({ length: n }, random);
    const packed = pack(pattern, M);
    const x = b.slice();
    expect(factorTree(pattern, packed, new Float64Array(n))).toBe(-1);
    solveTree(pattern, packed, x);
    for (let i = 0; i < n; i++) {
      const terms = Array.from(x, (xj, j) => M[n * i + j]! * xj);
      const residual = Math.abs(b[i]! - terms.reduce((s, t) => s + t, 0));
      expect(residual).toBeLessThan(BACKWARD * terms.reduce((s, t) => s + Math.abs(t), Math.abs(b[i]!)));
    }
  }
});

test.each(shapes)("the two halves of a solution, and the product with M, on a %s", (_, parents) => {
  const random = uniform(9);
  for (const n of [1, 2, 7, 40]) {
    const pattern = treePattern(parents(n, random));
    const M = pack(pattern, randomTreeMatrix(pattern, random));
    const b = Float64Array.from({ length: n }, random);
    const [whole, halves, product, roots] = [b.slice(), b.slice(), new Float64Array(n), new Float64Array(n)];
    const factors = M.slice();
    factorTree(pattern, factors, new Float64Array(n));
    solveTree(pattern, factors, whole);
    treeInverseRoots(pattern, factors, roots);
    solveTreeFirstHalf(
      pattern,
      factors,
      roots,
      Int32Array.from({ length: n }, (_, i) => i),
      halves,
      0,
    );
    const square = halves.reduce((s, v) => s + v * v, 0); // bᵀ M⁻¹ b
    expect(square / b.reduce((s, v, i) => s + v * whole[i]!, 0)).toBeCloseTo(1, 12);
    solveTreeSecondHalf(pattern, factors, roots, halves);
    const size = Math.max(...whole.map(Math.abs));
    for (let i = 0; i < n; i++) expect(Math.abs(halves[i]! - whole[i]!)).toBeLessThan(BACKWARD * size);
    multiplyTree(pattern, M, whole, product);
    for (let i = 0; i < n; i++) expect(Math.abs(product[i]! - b[i]!)).toBeLessThan(100 * BACKWARD * size);
  }
});

test("a vector that is nonzero only on a branch is reduced only on the branch", () => {
  const random = uniform(10);
  const pattern = treePattern([-1, 0, 1, 0, 3, 4]);
  const factors = pack(pattern, randomTreeMatrix(pattern, random));
  const roots = new Float64Array(6);
  factorTree(pattern, factors, new Float64Array(6));
  treeInverseRoots(pattern, factors, roots);
  const [all, branch] = [Float64Array.of(0, 0, 0, 2, 0, 3), Float64Array.of(9, 0, 0, 0, 2, 0, 3)];
  solveTreeFirstHalf(pattern, factors, roots, Int32Array.of(0, 1, 2, 3, 4, 5), all, 0);
  solveTreeFirstHalf(pattern, factors, roots, Int32Array.of(0, 3, 4, 5), branch, 1);
  expect(branch.slice(1)).toEqual(all);
  expect(all.slice(1, 3)).toEqual(Float64Array.of(0, 0));
});

test("returns the row with a zero pivot: two rows for the same freedom", () => {
  const pattern = treePattern([-1, 0, 1]);
  const M = Float64Array.from([4, 0.3, 0.1, 0.3, 0.1, 0.1]); // rows (4), (0.3, 0.1), (0.3, 0.1, 0.1)
  expect(factorTree(pattern, M, new Float64Array(3))).toBe(1);
});

test("a pivot that is zero, negative, infinite or NaN is rejected", () => {
  for (const pivot of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(factorTree(treePattern([-1, 0]), Float64Array.from([1, 0, pivot]), new Float64Array(2))).toBe(1);
  }
});

test("a parent after its child is rejected", () => {
  expect(() => treePattern([1, -1])).toThrow(/row 0 has parent 1/);
});

test("an empty matrix is accepted", () => {
  const pattern = treePattern([]);
  expect(factorTree(pattern, new Float64Array(0), new Float64Array(0))).toBe(-1);
});
