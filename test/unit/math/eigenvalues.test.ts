/** Eigenvalues of dense matrices: residuals, known spectra, agreement of the symmetric and the general method. */
import { describe, expect, it } from "vitest";
import { realEigenvalues } from "../../../src/math/eigen/real-eigenvalues.ts";
import { tridiagonalEigen } from "../../../src/math/eigen/tridiagonal-eigen.ts";
import { matrixProduct } from "../../../src/math/linear/dense-matrix.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

const symmetric = (n: number, seed: number): Float64Array => {
  const next = uniform(seed);
  const A = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) A[i * n + j] = A[j * n + i] = next() - 0.5;
  return A;
};

describe("symmetric matrices", () => {
  it.each([1, 2, 3, 10, 60])("%i rows: A V = V diag(values), V orthogonal", (n) => {
    const A = symmetric(n, n);
    const { values, vectors } = tridiagonalEigen(Float64Array.from(A), n);
    const AV = matrixProduct(A, vectors, n, n, n);
    for (let i = 0; i < n * n; i++) expect(Math.abs(AV[i]! - vectors[i]! * values[i % n]!)).toBeLessThan(1e-13 * n);
    for (let i = 1; i < n; i++) expect(values[i]!).toBeGreaterThanOrEqual(values[i - 1]!);
    const unit = matrixProduct(vectors, AV, n, n, n); // only its finiteness: orthogonality is below
    expect(unit.every(Number.isFinite)).toBe(true);
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) {
        let dot = 0;
        for (let i = 0; i < n; i++) dot += vectors[i * n + a]! * vectors[i * n + b]!;
        expect(Math.abs(dot - (a === b ? 1 : 0))).toBeLessThan(1e-13 * n);
      }
  });

  it("a chain of springs has the eigenvalues 4 sin²", () => {
    const n = 40;
    const A = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      A[i * n + i] = 2;
      if (i > 0) A[i * n + i - 1] = A[(i - 1) * n + i] = -1;
    }
    const { values } = tridiagonalEigen(A, n);
    for (let k = 0; k < n; k++)
      expect(Math.abs(values[k]! - 4 * Math.sin(((k + 1) * Math.PI) / (2 * (n + 1))) ** 2)).toBeLessThan(1e-13);
  });
});

describe("general matrices", () => {
  it("a symmetric matrix has the same eigenvalues as by the symmetric method", () => {
    const n = 50;
    const A = symmetric(n, 7);
    const { values } = tridiagonalEigen(Float64Array.from(A), n);
    const { re, im } = realEigenvalues(A, n);
    expect(Math.max(...im.map(Math.abs))).toBe(0);
    for (const [k, value] of re.sort().entries()) expect(Math.abs(value - values[k]!)).toBeLessThan(1e-12);
  });

  it("a permutation matrix has the roots of unity", () => {
    const n = 9;
    const A = new Float64Array(n * n);
    for (let i = 0; i < n; i++) A[i * n + ((i + 1) % n)] = 1;
    const { re, im } = realEigenvalues(A, n);
    for (let k = 0; k < n; k++) expect(Math.abs(Math.hypot(re[k]!, im[k]!) - 1)).toBeLessThan(1e-13);
    const angles = Array.from(re, (v, k) => Math.round((Math.atan2(im[k]!, v) * n) / (2 * Math.PI))).sort((a, b) => a - b);
    expect(angles).toEqual([-4, -3, -2, -1, 0, 1, 2, 3, 4]);
  });

  it("a companion matrix has the roots of the polynomial, also of very different sizes", () => {
    const roots = [1e-3, 1, 50, 2e4];
    let c = [1];
    for (const r of roots) c = [...c, 0].map((v, i) => v - r * (c[i - 1] ?? 0));
    const n = roots.length;
    const A = new Float64Array(n * n);
    for (let i = 0; i < n; i++) A[i] = -c[i + 1]!;
    for (let i = 1; i < n; i++) A[i * n + i - 1] = 1;
    const { re } = realEigenvalues(A, n);
    for (const [k, r] of re.sort((a, b) => a - b).entries()) expect(Math.abs(r / roots[k]! - 1)).toBeLessThan(1e-9);
  });
});
