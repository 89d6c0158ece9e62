/**
 * Roots and shapes of small motions with any D and K and with internal states ζ, in coordinates with unit mass matrix:
 *
 *   (λ² + λ D + K) y + B ζ = 0,   λ ζ = (E + λ F) y + A ζ
 *
 * First the common null space D y = K y = E y = F y = 0 (no forces) is split off. In the basis [N R] of it and its complement the matrix is block
 * triangular, with λ² above the rest in R. So the double roots at zero, which rounding would scatter, do not disturb the others. The rest is
 *
 *   P(λ) = λ² [1 0; 0 0] + λ P₁ + P₀,   P₁ = [D 0; -F 1],   P₀ = [K B; -E -A].
 *
 * Its roots are the eigenvalues of the first-order matrix. Each is then refined separately, with left and right vectors x and w:
 *
 *   λ := λ - xᵀ P(λ) w / xᵀ P'(λ) w
 *
 * because its first value has the rounding error of the largest root.
 */

import { DivergenceError } from "../../errors.ts";
import { realEigenvalues } from "../../math/eigen/real-eigenvalues.ts";
import { euclideanNorm, hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { identityMatrix, matrixProduct, transposedProduct, transposeMatrix } from "../../math/linear/dense-matrix.ts";
import { pivotedQR } from "../../math/linear/pivoted-qr.ts";
import type { MovingStates } from "../moving-states.ts";
import { type ComplexRoot, normalisePhase, rootRefiner } from "./root-refiner.ts";

/** A root with its shape of unit length. A root at zero of a rigid shape counts twice; otherwise its partner is another root. */
export interface EigenMode extends ComplexRoot {
  readonly y: Float64Array;
  readonly yIm: Float64Array;
}

/** Relative size of entries that are rounding. */
const NOTHING = 1e-13;
/** Relative damping below which a shape counts as undamped. */
const UNDAMPED = 1e-10;
/** Length of the motion in a unit change of motion and states below which nothing moves. */
const MOTIONLESS = 1e-9;

/** Internal states: n of them, and the matrices B (by columns of n), E, F and A. */
export type StateMatrices = Pick<MovingStates, "n" | "B" | "E" | "F" | "A">;
const NO_NUMBERS = new Float64Array(0);
const NO_STATES: StateMatrices = { n: 0, B: NO_NUMBERS, E: NO_NUMBERS, F: NO_NUMBERS, A: NO_NUMBERS };

/** Modes with zero roots first, then by |λ|; of conjugate pairs the root with im > 0. Shapes of the first `count` only. */
export function generalModes(
  D: Float64Array,
  K: Float64Array,
  n: number,
  count = Number.POSITIVE_INFINITY,
  states: StateMatrices = NO_STATES,
): readonly EigenMode[] {
  const { n: s, B, E, F, A } = balancedStates(states, n);
  const { inside: N, outside: R, k } = nullSpaceSplit(s === 0 ? [K, D] : [K, D, E, F], n);
  const m = n - k;
  const p = m + s;
  const P1 = withStates(
    congruenceOf(D, R, n, m),
    new Float64Array(m * s),
    negative(matrixProduct(F, R, s, n, m)),
    identityMatrix(s),
    m,
    s,
  );
  const P0 = withStates(
    congruenceOf(K, R, n, m),
    transposedProduct(R, B, n, m, s),
    negative(matrixProduct(E, R, s, n, m)),
    negative(A),
    m,
    s,
  );
  const [size1, size0] = s === 0 ? [largest(D), largest(K)] : [largest(P1), largest(P0)];
  const { inside: Y0, k: z } = nullSpaceSplit([P0], p, [size0]);
  const { inside: Z0 } = nullSpaceSplit([transposeMatrix(P0, p, p)], p, [size0]);
  const doubles = z - rankOf(transposedProduct(Z0, matrixProduct(P1, Y0, p, p, z), p, z, z), z, UNDAMPED * size1);
  const roots = nonzeroRoots(P1, P0, m, s, z + doubles);
  const zeroShape = new Float64Array(n);
  const column = (A: Float64Array, rows: number, columns: number, j: number): Float64Array =>
    Float64Array.from({ length: rows }, (_, i) => A[i * columns + j]!);
  const rigid: EigenMode[] = [
    ...Array.from({ length: k }, (_, j): EigenMode => ({ re: 0, im: 0, y: column(N, n, k, j), yIm: zeroShape })),
    ...Array.from(
      { length: z },
      (_, j): EigenMode => ({ re: 0, im: 0, y: matrixProduct(R, column(Y0, m, z, j), n, m, 1), yIm: zeroShape }),
    )
      // A change of states alone, such as of two integrals whose forces balance, moves nothing.
      .filter(({ y }) => s === 0 || euclideanNorm(y) > MOTIONLESS)
      .map((mode) => (s === 0 ? mode : toUnitLength(mode))),
  ];
  const refine = rootRefiner(P1, P0, m, p);
  const couplingTo = (matrix: Float64Array): Float64Array => transposedProduct(N, matrixProduct(matrix, R, n, n, m), n, k, m);
  const [ND, NK, NB] = [couplingTo(D), couplingTo(K), transposedProduct(N, B, n, k, s)];
  const others = roots.slice(0, Math.max(0, count - rigid.length)).map((root, i): EigenMode => {
    const { re, im, w, wIm } = refine(root, i);
    const y = matrixProduct(R, w, n, m, 1);
    const yIm = matrixProduct(R, wIm, n, m, 1);
    // Component in the null space N: λ² c = -(λ NᵀD R + NᵀK R) w - NᵀB ζ.
    const [a, b] = [matrixProduct(ND, w, k, m, 1), matrixProduct(ND, wIm, k, m, 1)];
    const [p, q] = [matrixProduct(NK, w, k, m, 1), matrixProduct(NK, wIm, k, m, 1)];
    const [f, g] = [matrixProduct(NB, w.subarray(m), k, s, 1), matrixProduct(NB, wIm.subarray(m), k, s, 1)];
    const [sr, si] = [re * re - im * im, 2 * re * im];
    const size = sr * sr + si * si;
    for (let j = 0; j < k; j++) {
      const [c, d] = [-(re * a[j]! - im * b[j]! + p[j]! + f[j]!), -(re * b[j]! + im * a[j]! + q[j]! + g[j]!)];
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

/** [K B; E A] from its blocks, m by m to s by s. */
function withStates(K: Float64Array, B: Float64Array, E: Float64Array, A: Float64Array, m: number, s: number): Float64Array {
  if (s === 0) return K;
  const p = m + s;
  const P = new Float64Array(p * p);
  for (let i = 0; i < m; i++) {
    P.set(K.subarray(i * m, (i + 1) * m), i * p);
    P.set(B.subarray(i * s, (i + 1) * s), i * p + m);
  }
  for (let i = 0; i < s; i++) {
    P.set(E.subarray(i * m, (i + 1) * m), (m + i) * p);
    P.set(A.subarray(i * s, (i + 1) * s), (m + i) * p + m);
  }
  return P;
}

/** The states in units in which they act on the motion as strongly as it acts on them. Otherwise ranks would depend on the choice of units. */
function balancedStates({ n: s, B, E, F, A }: StateMatrices, n: number): StateMatrices {
  const scale = Float64Array.from({ length: s }, (_, j) => {
    let [acts, follows] = [0, 0];
    for (let i = 0; i < n; i++) {
      acts = Math.max(acts, Math.abs(B[i * s + j]!));
      follows = Math.max(follows, Math.abs(E[j * n + i]!), Math.abs(F[j * n + i]!));
    }
    return acts > 0 && follows > 0 ? Math.sqrt(follows / acts) : 1;
  });
  const rowsScaled = (M: Float64Array): Float64Array => M.map((v, i) => v / scale[Math.floor(i / n)]!);
  return {
    n: s,
    B: B.map((v, i) => v * scale[i % s]!),
    E: rowsScaled(E),
    F: rowsScaled(F),
    A: A.map((v, i) => (v * scale[i % s]!) / scale[Math.floor(i / s)]!),
  };
}

const negative = (M: Float64Array): Float64Array => M.map((v) => -v);
const largest = (A: Float64Array): number => A.reduce((most, v) => Math.max(most, Math.abs(v)), 0);

/** Bᵀ A B */
const congruenceOf = (A: Float64Array, B: Float64Array, n: number, m: number): Float64Array =>
  transposedProduct(B, matrixProduct(A, B, n, n, m), n, m, m);

/** Orthonormal bases of the common null space of matrices with n columns, relative to their sizes (`inside`), and of its complement (`outside`). */
function nullSpaceSplit(matrices: readonly Float64Array[], n: number, sizes: readonly number[] = matrices.map(largest)) {
  const rows = n === 0 ? 0 : matrices.reduce((sum, matrix) => sum + matrix.length / n, 0);
  const A = new Float64Array(n * rows); // a row of a matrix is a column here
  const weights = new Float64Array(rows);
  let row = 0;
  for (const [block, matrix] of matrices.entries()) {
    A.set(matrix, row * n);
    const size = sizes[block]! || 1;
    for (let i = 0; i * n < matrix.length; i++, row++)
      weights[row] = Math.min(1, euclideanNorm(matrix.subarray(i * n, (i + 1) * n)) / size);
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
function nonzeroRoots(P1: Float64Array, P0: Float64Array, m: number, s: number, zeros: number): readonly ComplexRoot[] {
  const n = 2 * m + s;
  const p = m + s;
  const A = new Float64Array(n * n); // of y, ẏ and ζ
  for (let i = 0; i < m; i++) A[i * n + m + i] = 1;
  for (let i = 0; i < p; i++)
    for (let j = 0; j < m; j++) {
      A[(m + i) * n + j] = -P0[i * p + j]!;
      A[(m + i) * n + m + j] = -P1[i * p + j]!;
    }
  for (let i = 0; i < p; i++) for (let j = m; j < p; j++) A[(m + i) * n + m + j] = -P0[i * p + j]!;
  const { re, im } = realEigenvalues(A, n);
  if (re.some(Number.isNaN))
    throw new DivergenceError("the eigenvalues could not be found: the matrices are out of all proportion");
  return Array.from(re, (v, i): ComplexRoot => ({ re: v, im: im[i]! }))
    .sort((a, b) => hypotenuse(a.re, a.im) - hypotenuse(b.re, b.im))
    .slice(zeros)
    .filter(({ im }) => im >= 0);
}

function toUnitLength({ re, im, y, yIm }: EigenMode): EigenMode {
  normalisePhase(y, yIm);
  const scale = 1 / hypotenuse(euclideanNorm(y), euclideanNorm(yIm));
  return { re, im, y: y.map((v) => v * scale), yIm: yIm.map((v) => v * scale) };
}
