/** Natural frequencies, damping ratios and mode shapes of small motions: (λ² M + λ D + K) y = 0. */
import { choleskyOf } from "../math/cholesky.ts";
import { complexLU } from "../math/complex-lu.ts";
import { product, transposed, transposedProduct } from "../math/dense.ts";
import { realEigenvalues } from "../math/real-eigenvalues.ts";
import { tridiagonalEigen } from "../math/tridiagonal-eigen.ts";
import type { Linearisation } from "./linearise.ts";

export interface Mode {
  /** λ of exp(λ t), 1/s; of a conjugate pair the one with im > 0. */
  readonly eigenvalue: { readonly re: number; readonly im: number };
  /** |λ| / 2π, Hz: the natural frequency, of which the damped one is √(1 - ζ²) times as much. */
  readonly frequency: number;
  /** ζ = -Re λ / |λ|; above one there is no oscillation, and each of two real roots is a mode. */
  readonly dampingRatio: number;
  /** rigid: nothing brings it back. decay: a real root. unstable: it grows. */
  readonly kind: "vibration" | "rigid" | "decay" | "unstable";
  /** Changes in the space of speeds, real and imaginary part, with φᴴ M φ = 1. */
  readonly shape: Float64Array;
  readonly shapeIm: Float64Array;
}

export interface ModesOptions {
  /** So many of the slowest; all if not given. */
  readonly count?: number;
}

/** Parts of the largest eigenvalue, and relative differences, that are rounding. */
const NOTHING = 1e-13;
const ASYMMETRY = 1e-9;
const COUPLING = 1e-9;

/** The slowest modes first. */
export function modesOf(linear: Linearisation, { count }: ModesOptions = {}): readonly Mode[] {
  const { m, mass, damping, stiffness } = linear;
  if (m === 0) return [];
  const symmetric = isSymmetric(stiffness, m) && isSymmetric(damping, m);
  const undamped = symmetric ? undampedModes(mass, stiffness, m) : undefined;
  if (undamped === undefined) return generalModes(linear, mass, damping, stiffness, undefined, count);
  const { values, vectors } = undamped;
  const modal = transposedProduct(vectors, product(damping, vectors, m, m, m), m, m, m);
  if (isDiagonal(modal, m)) {
    const zero = new Float64Array(linear.model.nu);
    const found = Array.from(values, (value, k): Mode[] => {
      const column = Float64Array.from({ length: m }, (_, i) => vectors[i * m + k]!);
      const shape = product(linear.basis, column, linear.model.nu, m, 1);
      const rigid = Math.abs(value) <= NOTHING * Math.max(...values.map(Math.abs));
      return rootsOf(rigid ? 0 : value, modal[k * m + k]!).map((root) => modeOf(root, shape, zero, rigid));
    });
    return slowest(found.flat(), count);
  }
  // In undamped modes the matrices are nearly diagonal, and their rounding is that of the mode itself.
  const Lambda = new Float64Array(m * m);
  for (let i = 0; i < m; i++) Lambda[i * m + i] = values[i]!;
  const I = new Float64Array(m * m);
  for (let i = 0; i < m; i++) I[i * m + i] = 1;
  return generalModes(linear, I, modal, Lambda, vectors, count);
}

function isSymmetric(A: Float64Array, n: number): boolean {
  let [size, off] = [0, 0];
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      size = Math.max(size, Math.abs(A[i * n + j]!));
      off = Math.max(off, Math.abs(A[i * n + j]! - A[j * n + i]!));
    }
  return off <= ASYMMETRY * size;
}

function isDiagonal(A: Float64Array, n: number): boolean {
  const size = (i: number): number => Math.abs(A[i * n + i]!);
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, size(i));
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++)
      if (Math.abs(A[i * n + j]!) > COUPLING * Math.sqrt(size(i) * size(j)) + NOTHING * largest) return false;
  return true;
}

/** ω² rising, and mass-normalised shapes in columns. @throws RangeError where the mass matrix is singular. */
export function undampedModes(M: Float64Array, K: Float64Array, m: number): { values: Float64Array; vectors: Float64Array } {
  const cholesky = choleskyOf(m);
  if (cholesky.factor(M) >= 0) throw new RangeError("the mass matrix is singular there: a freedom moves no mass");
  // A = L⁻¹ K L⁻ᵀ
  const half = Float64Array.from(K);
  cholesky.solveLowerAll(half, m);
  const A = transposed(half, m, m);
  cholesky.solveLowerAll(A, m);
  for (let i = 0; i < m; i++) for (let j = 0; j < i; j++) A[i * m + j] = A[j * m + i] = (A[i * m + j]! + A[j * m + i]!) / 2;
  const { vectors } = tridiagonalEigen(A, m);
  cholesky.solveUpperAll(vectors, m);
  // Rayleigh's quotient forgives the rounding of a shape: slow modes have their own digits, not those of the fastest.
  const KV = product(K, vectors, m, m, m);
  const MV = product(M, vectors, m, m, m);
  const values = Float64Array.from({ length: m }, (_, j) => {
    let [k, mm] = [0, 0];
    for (let i = 0; i < m; i++) {
      k += vectors[i * m + j]! * KV[i * m + j]!;
      mm += vectors[i * m + j]! * MV[i * m + j]!;
    }
    return k / mm;
  });
  return { values, vectors };
}

interface Root {
  readonly re: number;
  readonly im: number;
}

/** Roots of λ² + d λ + w2 = 0: one of a conjugate pair, or both real ones; one zero where nothing brings the mode back. */
function rootsOf(w2: number, d: number): Root[] {
  const half = d / 2;
  const q = half * half - w2;
  if (q < 0) return [{ re: -half, im: Math.sqrt(-q) }];
  if (w2 === 0 && d === 0) return [{ re: 0, im: 0 }];
  const far = -half - (half >= 0 ? Math.sqrt(q) : -Math.sqrt(q));
  return [
    { re: w2 / far + 0, im: 0 },
    { re: far, im: 0 },
  ];
}

function modeOf({ re: part, im }: Root, shape: Float64Array, shapeIm: Float64Array, rigid: boolean): Mode {
  const re = Math.abs(part) <= NOTHING * im ? 0 : part; // a vibration without damping
  const size = Math.hypot(re, im);
  const kind =
    rigid && size === 0
      ? "rigid"
      : re > 1e-9 * size && size > 0
        ? "unstable"
        : im > 0
          ? "vibration"
          : size === 0
            ? "rigid"
            : "decay";
  return {
    eigenvalue: { re, im },
    frequency: size / (2 * Math.PI),
    dampingRatio: size === 0 ? 0 : -re / size + 0,
    kind,
    shape,
    shapeIm,
  };
}

const slowest = (modes: readonly Mode[], count = modes.length): readonly Mode[] =>
  [...modes].sort((a, b) => a.frequency - b.frequency || b.dampingRatio - a.dampingRatio).slice(0, count);

/** By the matrix of first order; shapes by inverse iteration. `within` is the basis that the matrices are in, if it is not the model's. */
function generalModes(
  { model, basis, m, mass }: Linearisation,
  M: Float64Array,
  D: Float64Array,
  K: Float64Array,
  within: Float64Array | undefined,
  count: number | undefined,
): readonly Mode[] {
  const n = 2 * m;
  const A = new Float64Array(n * n);
  const cholesky = choleskyOf(m);
  if (cholesky.factor(M) >= 0) throw new RangeError("the mass matrix is singular there: a freedom moves no mass");
  const column = new Float64Array(m);
  for (let j = 0; j < m; j++) {
    A[j * n + m + j] = 1;
    for (const [block, from] of [K, D].entries()) {
      for (let i = 0; i < m; i++) column[i] = -from[i * m + j]!;
      cholesky.solve(column);
      for (let i = 0; i < m; i++) A[(m + i) * n + block * m + j] = column[i]!;
    }
  }
  const { re, im } = realEigenvalues(A, n);
  if (re.some(Number.isNaN)) throw new RangeError("the eigenvalues could not be found: the matrices are out of all proportion");
  const largest = Math.max(...Array.from(re, (v, i) => Math.hypot(v, im[i]!)));
  // A double root at zero is found as a pair of the size of the root of rounding.
  const roots = Array.from(
    re,
    (v, i): Root => (Math.hypot(v, im[i]!) < 1e-8 * largest ? { re: 0, im: 0 } : { re: v, im: im[i]! }),
  );
  const zeros = roots.filter((r) => r.re === 0 && r.im === 0).length;
  const pairs = roots.filter((r) => r.im >= 0 && !(r.re === 0 && r.im === 0));
  const all: Root[] = [...Array.from({ length: Math.ceil(zeros / 2) }, () => ({ re: 0, im: 0 })), ...pairs];
  const chosen = all.sort((a, b) => Math.hypot(a.re, a.im) - Math.hypot(b.re, b.im)).slice(0, count);
  const iterate = inverseIteration(M, D, K, m);
  return chosen.map((root, k) => {
    const y = iterate(root, k);
    const at = (part: Float64Array): Float64Array =>
      product(basis, within ? product(within, part, m, m, 1) : part, model.nu, m, 1);
    const [x, z] = [within ? product(within, y.re, m, m, 1) : y.re, within ? product(within, y.im, m, m, 1) : y.im];
    const quadratic = (v: Float64Array): number => product(v, product(mass, v, m, m, 1), 1, m, 1)[0]!;
    const scale = 1 / Math.sqrt(quadratic(x) + quadratic(z));
    const times = (v: Float64Array): Float64Array => v.map((c) => c * scale);
    return modeOf(root, times(at(y.re)), times(at(y.im)), root.re === 0 && root.im === 0);
  });
}

/** y of (λ² M + λ D + K) y ≈ 0 by two solutions with a slightly wrong λ, turned so that its largest component is real. */
function inverseIteration(M: Float64Array, D: Float64Array, K: Float64Array, m: number) {
  const lu = complexLU(m);
  const [Pr, Pi] = [new Float64Array(m * m), new Float64Array(m * m)];
  return ({ re, im }: Root, seed: number): { readonly re: Float64Array; readonly im: Float64Array } => {
    for (let off = 1e-11; off < 1; off *= 10) {
      const [a, b] = [re * (1 + off) + (re === 0 && im === 0 ? off : 0), im * (1 + off)];
      const [a2, b2] = [a * a - b * b, 2 * a * b];
      for (let i = 0; i < m * m; i++) {
        Pr[i] = a2 * M[i]! + a * D[i]! + K[i]!;
        Pi[i] = b2 * M[i]! + b * D[i]!;
      }
      if (lu.factor(Pr, Pi)) break;
    }
    // Different starts, so that equal roots have different shapes.
    const x = Float64Array.from({ length: m }, (_, i) => 1 + 0.5 * Math.sin((i + 1) * (seed + 1)));
    const y = new Float64Array(m);
    for (let step = 0; step < 3; step++) {
      lu.solve(x, y);
      let big = 0;
      for (let i = 1; i < m; i++) if (Math.hypot(x[i]!, y[i]!) > Math.hypot(x[big]!, y[big]!)) big = i;
      const [c, s] = [x[big]!, y[big]!];
      const squared = c * c + s * s;
      for (let i = 0; i < m; i++) {
        const real = (x[i]! * c + y[i]! * s) / squared;
        y[i] = (y[i]! * c - x[i]! * s) / squared;
        x[i] = real;
      }
    }
    return { re: Float64Array.from(x), im: Float64Array.from(y) };
  };
}
