/**
 * Roots and shapes of (λ² + λ D + K) y = 0 for any D and K, in coordinates with unit mass matrix.
 *
 * First the common null space D y = K y = 0 (neither stiffness nor damping) is split off. In the basis [N R] of it and its complement the matrix
 * is block triangular, with λ² above Rᵀ(λ² + λ D + K) R. So the double roots at zero, which rounding would scatter, do not disturb the others.
 * The remaining roots are the eigenvalues of the first-order matrix. Each is then refined separately, with left and right vectors x and y:
 *
 *   λ := λ - xᵀ P(λ) y / xᵀ P'(λ) y
 *
 * because its first value has the rounding error of the largest root.
 */

import { DivergenceError } from "../../errors.ts";
import { realEigenvalues } from "../../math/eigen/real-eigenvalues.ts";
import { euclideanNorm, hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { sine } from "../../math/elementary/sincos.ts";
import { complexLU } from "../../math/linear/complex-lu.ts";
import { matrixProduct, transposedProduct, transposeMatrix } from "../../math/linear/dense-matrix.ts";
import { pivotedQR } from "../../math/linear/pivoted-qr.ts";

export interface ComplexRoot {
  readonly re: number;
  readonly im: number;
}

/** A root with its shape of unit length. A root at zero of a rigid shape counts twice; otherwise its partner is another root. */
export interface EigenMode extends ComplexRoot {
  readonly y: Float64Array;
  readonly yIm: Float64Array;
}

/** Relative size of entries that are rounding. */
const NOTHING = 1e-13;
/** Relative damping below which a shape counts as undamped. */
const UNDAMPED = 1e-10;

/** Modes with zero roots first, then by |λ|; of conjugate pairs the root with im > 0. Shapes of the first `count` only. */
export function generalModes(D: Float64Array, K: Float64Array, n: number, count = 2 * n): readonly EigenMode[] {
  const [sizeD, sizeK] = [largest(D), largest(K)];
  const { inside: N, outside: R, k } = nullSpaceSplit([K, D], [sizeK, sizeD], n);
  const m = n - k;
  const D1 = congruenceOf(D, R, n, m);
  const K1 = congruenceOf(K, R, n, m);
  const { inside: Y0, k: z } = nullSpaceSplit([K1], [sizeK], m);
  const { inside: Z0 } = nullSpaceSplit([transposeMatrix(K1, m, m)], [sizeK], m);
  const doubles = z - rankOf(transposedProduct(Z0, matrixProduct(D1, Y0, m, m, z), m, z, z), z, UNDAMPED * sizeD);
  const roots = nonzeroRoots(D1, K1, m, z + doubles);
  const zeroShape = new Float64Array(n);
  const column = (A: Float64Array, rows: number, columns: number, j: number): Float64Array =>
    Float64Array.from({ length: rows }, (_, i) => A[i * columns + j]!);
  const rigid: EigenMode[] = [
    ...Array.from({ length: k }, (_, j): EigenMode => ({ re: 0, im: 0, y: column(N, n, k, j), yIm: zeroShape })),
    ...Array.from(
      { length: z },
      (_, j): EigenMode => ({ re: 0, im: 0, y: matrixProduct(R, column(Y0, m, z, j), n, m, 1), yIm: zeroShape }),
    ),
  ];
  const refine = rootRefiner(D1, K1, m);
  const couplingTo = (A: Float64Array): Float64Array => transposedProduct(N, matrixProduct(A, R, n, n, m), n, k, m);
  const [ND, NK] = [couplingTo(D), couplingTo(K)];
  const others = roots.slice(0, Math.max(0, count - rigid.length)).map((root, i): EigenMode => {
    const { re, im, w, wIm } = refine(root, i);
    const y = matrixProduct(R, w, n, m, 1);
    const yIm = matrixProduct(R, wIm, n, m, 1);
    // Component in the null space N: λ² c = -(λ NᵀD R + NᵀK R) w.
    const [a, b] = [matrixProduct(ND, w, k, m, 1), matrixProduct(ND, wIm, k, m, 1)];
    const [p, q] = [matrixProduct(NK, w, k, m, 1), matrixProduct(NK, wIm, k, m, 1)];
    const [sr, si] = [re * re - im * im, 2 * re * im];
    const size = sr * sr + si * si;
    for (let j = 0; j < k; j++) {
      const [c, d] = [-(re * a[j]! - im * b[j]! + p[j]!), -(re * b[j]! + im * a[j]! + q[j]!)];
      const [cr, ci] = [(c * sr + d * si) / size, (d * sr - c * si) / size];
      for (let i = 0; i < n; i++) {
        y[i]! += N[i * k + j]! * cr;
        yIm[i]! += N[i * k + j]! * ci;
      }
    }
    return toUnitLength({ re, im, y, yIm });
  });
  const all = [...rigid, ...others];
  return all.sort((a, b) => hypotenuse(a.re, a.im) - hypotenuse(b.re, b.im)).slice(0, count);
}

const largest = (A: Float64Array): number => A.reduce((most, v) => Math.max(most, Math.abs(v)), 0);

/** Bᵀ A B */
const congruenceOf = (A: Float64Array, B: Float64Array, n: number, m: number): Float64Array =>
  transposedProduct(B, matrixProduct(A, B, n, n, m), n, m, m);

/** Orthonormal bases of the common null space of the matrices, relative to their sizes (`inside`), and of its complement (`outside`). */
function nullSpaceSplit(matrices: readonly Float64Array[], sizes: readonly number[], n: number) {
  const rows = matrices.length * n;
  const A = new Float64Array(n * rows); // a row of a matrix is a column here
  const weights = new Float64Array(rows);
  for (const [block, matrix] of matrices.entries()) {
    A.set(matrix, block * n * n);
    const size = sizes[block]! || 1;
    for (let i = 0; i < n; i++) weights[block * n + i] = Math.min(1, euclideanNorm(matrix.subarray(i * n, (i + 1) * n)) / size);
  }
  const qr = pivotedQR(n, rows);
  qr.factor(A, NOTHING, n, weights);
  const k = n - qr.rank;
  const [inside, outside] = [new Float64Array(n * k), new Float64Array(n * (n - k))];
  const unit = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    unit.fill(0);
    unit[j] = 1;
    qr.applyQ(unit);
    const [to, width, column] = j < qr.rank ? [outside, n - k, j] : [inside, k, j - qr.rank];
    for (let i = 0; i < n; i++) to[i * width + column] = unit[i]!;
  }
  return { inside, outside, k };
}

/** Rank of a small matrix; rows shorter than `nothing` count as zero. */
function rankOf(A: Float64Array, n: number, nothing: number): number {
  if (n === 0 || largest(A) <= nothing) return 0;
  const qr = pivotedQR(n, n);
  const weights = Float64Array.from({ length: n }, (_, j) => {
    const length = euclideanNorm(A.subarray(j * n, (j + 1) * n));
    return length <= nothing ? 0 : 1;
  });
  qr.factor(A, UNDAMPED, n, weights);
  return qr.rank;
}

/** The nonzero roots, slowest first. `zeros` is the known number of zero roots. */
function nonzeroRoots(D: Float64Array, K: Float64Array, m: number, zeros: number): readonly ComplexRoot[] {
  const n = 2 * m;
  const A = new Float64Array(n * n);
  for (let i = 0; i < m; i++) {
    A[i * n + m + i] = 1;
    for (let j = 0; j < m; j++) {
      A[(m + i) * n + j] = -K[i * m + j]!;
      A[(m + i) * n + m + j] = -D[i * m + j]!;
    }
  }
  const { re, im } = realEigenvalues(A, n);
  if (re.some(Number.isNaN))
    throw new DivergenceError("the eigenvalues could not be found: the matrices are out of all proportion");
  return Array.from(re, (v, i): ComplexRoot => ({ re: v, im: im[i]! }))
    .sort((a, b) => hypotenuse(a.re, a.im) - hypotenuse(b.re, b.im))
    .slice(zeros)
    .filter(({ im }) => im >= 0);
}

/** Refines an approximate root: inverse iteration for its vectors, then the root from these. */
function rootRefiner(D: Float64Array, K: Float64Array, m: number) {
  const [lu, Pr, Pi] = [complexLU(m), new Float64Array(m * m), new Float64Array(m * m)];
  const [Dt, Kt] = [transposeMatrix(D, m, m), transposeMatrix(K, m, m)];
  const symmetric = largest(D.map((v, i) => v - Dt[i]!)) + largest(K.map((v, i) => v - Kt[i]!)) === 0;

  const set = ({ re, im }: ComplexRoot, d: Float64Array, k: Float64Array): void => {
    const [a2, b2] = [re * re - im * im, 2 * re * im];
    for (let i = 0; i < m * m; i++) {
      Pr[i] = re * d[i]! + k[i]!;
      Pi[i] = im * d[i]!;
    }
    for (let i = 0; i < m; i++) {
      Pr[i * m + i]! += a2;
      Pi[i * m + i]! += b2;
    }
  };
  const vector = (
    { re, im }: ComplexRoot,
    d: Float64Array,
    k: Float64Array,
    seed: number,
  ): readonly [Float64Array, Float64Array] => {
    for (let off = 1e-11; off < 1; off *= 10) {
      set({ re: re * (1 + off), im: im * (1 + off) }, d, k);
      if (lu.factor(Pr, Pi)) break;
    }
    // Different start vectors, so that equal roots get different shapes.
    const x = Float64Array.from({ length: m }, (_, i) => 1 + 0.5 * sine((i + 1) * (seed + 1)));
    const y = new Float64Array(m);
    for (let step = 0; step < 3; step++) {
      lu.solve(x, y);
      normalisePhase(x, y);
    }
    return [x, y];
  };

  return (root: ComplexRoot, seed: number): ComplexRoot & { readonly w: Float64Array; readonly wIm: Float64Array } => {
    const [w, wIm] = vector(root, D, K, seed);
    const [x, xIm] = symmetric ? [w, wIm] : vector(root, Dt, Kt, seed);
    // xᵀ P y and xᵀ P' y, P' = 2 λ + D
    set(root, D, K);
    const P = bilinearForm(x, xIm, Pr, Pi, w, wIm, m);
    const slope = bilinearForm(x, xIm, D, undefined, w, wIm, m);
    let [overlapRe, overlapIm] = [0, 0];
    for (let i = 0; i < m; i++) {
      overlapRe += x[i]! * w[i]! - xIm[i]! * wIm[i]!;
      overlapIm += x[i]! * wIm[i]! + xIm[i]! * w[i]!;
    }
    const sr = slope.re + 2 * (root.re * overlapRe - root.im * overlapIm);
    const si = slope.im + 2 * (root.re * overlapIm + root.im * overlapRe);
    const size = sr * sr + si * si;
    const step = { re: (P.re * sr + P.im * si) / size, im: (P.im * sr - P.re * si) / size };
    // At a multiple root the step is meaningless.
    if (!(hypotenuse(step.re, step.im) < 1e-3 * hypotenuse(root.re, root.im))) return { ...root, w, wIm };
    return { re: root.re - step.re, im: root.im === 0 ? 0 : root.im - step.im, w, wIm };
  };
}

/** aᵀ P b of complex vectors. */
function bilinearForm(
  a: Float64Array,
  aIm: Float64Array,
  P: Float64Array,
  PIm: Float64Array | undefined,
  b: Float64Array,
  bIm: Float64Array,
  m: number,
): ComplexRoot {
  let [re, im] = [0, 0];
  for (let i = 0; i < m; i++) {
    let [x, y] = [0, 0];
    for (let j = 0; j < m; j++) {
      const [p, q] = [P[i * m + j]!, PIm ? PIm[i * m + j]! : 0];
      x += p * b[j]! - q * bIm[j]!;
      y += p * bIm[j]! + q * b[j]!;
    }
    re += a[i]! * x - aIm[i]! * y;
    im += a[i]! * y + aIm[i]! * x;
  }
  return { re, im };
}

/** Multiplies a complex vector by a number so that its largest component is 1. */
function normalisePhase(x: Float64Array, y: Float64Array): void {
  let pivot = 0;
  for (let i = 1; i < x.length; i++) if (hypotenuse(x[i]!, y[i]!) > hypotenuse(x[pivot]!, y[pivot]!)) pivot = i;
  const [c, s] = [x[pivot]!, y[pivot]!];
  const normSquared = c * c + s * s;
  for (let i = 0; i < x.length; i++) {
    const real = (x[i]! * c + y[i]! * s) / normSquared;
    y[i] = (y[i]! * c - x[i]! * s) / normSquared;
    x[i] = real;
  }
}

function toUnitLength({ re, im, y, yIm }: EigenMode): EigenMode {
  normalisePhase(y, yIm);
  const scale = 1 / hypotenuse(euclideanNorm(y), euclideanNorm(yIm));
  return { re, im, y: y.map((v) => v * scale), yIm: yIm.map((v) => v * scale) };
}
