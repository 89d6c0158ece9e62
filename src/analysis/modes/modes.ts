/** Natural frequencies, damping ratios and mode shapes of small motions: (λ² M + λ D + K) y + B ζ = 0, λ ζ = (E + λ F) y + A ζ. */

import { checkCount, checkOptions } from "../../arguments.ts";
import { SingularError } from "../../errors.ts";
import { tridiagonalEigen } from "../../math/eigen/tridiagonal-eigen.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { square } from "../../math/elementary/power.ts";
import { type Cholesky, choleskySolver } from "../../math/linear/cholesky.ts";
import { identityMatrix, matrixProduct, transposedProduct, transposeMatrix } from "../../math/linear/dense-matrix.ts";
import type { Model } from "../../model/model.ts";
import { checkLinearisation } from "../check-analysis.ts";
import type { Linearisation } from "../linearise.ts";
import { movingStates } from "../moving-states.ts";
import { generalModes } from "./general-modes.ts";
import { rigidShapes } from "./rigid-shapes.ts";
import type { ComplexRoot } from "./root-refiner.ts";

export interface Mode {
  /** λ of exp(λ t), 1/s; of a conjugate pair the one with im > 0. */
  readonly eigenvalue: { readonly re: number; readonly im: number };
  /** |λ| / 2π, Hz: the natural frequency. The damped frequency is √(1 - ζ²) times as large. */
  readonly frequency: number;
  /** ζ = -Re λ / |λ|. Above one there is no oscillation, and each of the two real roots is a mode. */
  readonly dampingRatio: number;
  /** rigid: no restoring force. decay: a real root. unstable: it grows. */
  readonly kind: "vibration" | "rigid" | "decay" | "unstable";
  /** Changes in the space of speeds, real and imaginary part, with φᴴ M φ = 1. */
  readonly shape: Float64Array;
  readonly shapeIm: Float64Array;
}

export interface ModesOptions {
  /** Number of modes, slowest first; all if not given. */
  readonly count?: number;
}

/** Relative sizes that count as rounding: of eigenvalues, of asymmetry, of modal coupling by damping. */
const ROUNDING = 1e-13;
const ASYMMETRY = 1e-9;
const COUPLING = 1e-9;
/** Damping ratios below which a mode counts as undamped, and negative ones beyond which it counts as unstable. */
const UNDAMPED = 1e-12;
const GROWING = 1e-9;

/** Modes of a linearisation, slowest first. */
export function modesOf(linear: Linearisation, options: ModesOptions = {}): readonly Mode[] {
  checkLinearisation(linear);
  checkOptions("options", options, ["count"]);
  if (options.count !== undefined) checkCount("options.count", options.count, 1);
  return slowestModesOf(linear, options.count);
}

function slowestModesOf(linear: Linearisation, count: number | undefined): readonly Mode[] {
  const { model, basis, m, mass, damping, stiffness } = linear;
  if (m === 0) return [];
  const states = movingStates(linear);
  const symmetric = states.n === 0 && isSymmetric(stiffness, m) && isSymmetric(damping, m);
  const { values, vectors } = symmetric ? undampedModes(mass, stiffness, m) : unitMass(mass, m);
  const inSpeeds = (v: Float64Array): Float64Array => matrixProduct(basis, matrixProduct(vectors, v, m, m, 1), model.nu, m, 1);
  const D = transposedProduct(vectors, matrixProduct(damping, vectors, m, m, m), m, m, m);
  if (values && isDiagonal(D, m)) {
    const zeroShape = new Float64Array(model.nu);
    const rounding = roundingLevels(linear, values, vectors);
    const modes = Array.from(values, (value, k): Mode[] => {
      const shape = inSpeeds(Float64Array.from({ length: m }, (_, i) => (i === k ? 1 : 0)));
      return rootsOf(Math.abs(value) <= rounding[k]! ? 0 : value, D[k * m + k]!).map((root) => modeOf(root, shape, zeroShape));
    });
    return slowestModes(separateRigidModes(model, modes.flat()), count);
  }
  const K = values
    ? cleanedDiagonal(values, roundingLevels(linear, values, vectors))
    : transposedProduct(vectors, matrixProduct(stiffness, vectors, m, m, m), m, m, m);
  if (values) makeSymmetric(D, m);
  const { n, B, E, F, A } = states;
  const inUnitMass = {
    n,
    B: transposedProduct(vectors, B, m, m, n),
    E: matrixProduct(E, vectors, n, m, m),
    F: matrixProduct(F, vectors, n, m, m),
    A,
  };
  const modes = generalModes(D, K, m, count, inUnitMass).map(({ re, im, y, yIm }) =>
    modeOf({ re, im }, inSpeeds(y), inSpeeds(yIm)),
  );
  return slowestModes(separateRigidModes(model, modes), count);
}

/** Replaces the rigid shapes, which are arbitrary mixtures, by separate motions. Other modes are unchanged. */
function separateRigidModes(model: Model, modes: readonly Mode[]): readonly Mode[] {
  const rigid = modes.filter(({ kind }) => kind === "rigid");
  const shapes = rigidShapes(
    model,
    rigid.map(({ shape }) => shape),
  );
  return [...rigid.map((mode, i) => ({ ...mode, shape: shapes[i]! })), ...modes.filter(({ kind }) => kind !== "rigid")];
}

/** Rounding error of each ω²: from the largest one, and from unbalanced forces that change with the position. */
function roundingLevels({ imbalance, m }: Linearisation, values: Float64Array, vectors: Float64Array): Float64Array {
  const largest = Math.max(...values.map(Math.abs));
  const force = Math.max(0, ...imbalance.map(Math.abs));
  return values.map((_, k) => {
    let size = 0;
    for (let i = 0; i < m; i++) size += square(vectors[i * m + k]!);
    return ROUNDING * Math.max(largest, size * force);
  });
}

function cleanedDiagonal(values: Float64Array, nothing: Float64Array): Float64Array {
  const n = values.length;
  const A = new Float64Array(n * n);
  for (let i = 0; i < n; i++) A[i * n + i] = Math.abs(values[i]!) <= nothing[i]! ? 0 : values[i]!;
  return A;
}

function makeSymmetric(A: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) A[i * n + j] = A[j * n + i] = (A[i * n + j]! + A[j * n + i]!) / 2;
}

/** Coordinates with unit mass matrix: the columns of L⁻ᵀ. */
function unitMass(M: Float64Array, m: number): { values: undefined; vectors: Float64Array } {
  const cholesky = factorMass(M, m);
  const vectors = identityMatrix(m);
  cholesky.solveUpperAll(vectors, m);
  return { values: undefined, vectors };
}

function factorMass(M: Float64Array, m: number): Cholesky {
  const cholesky = choleskySolver(m);
  if (cholesky.factor(M) >= 0) throw new SingularError("the mass matrix is singular there: a freedom moves no mass");
  return cholesky;
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
      if (Math.abs(A[i * n + j]!) > COUPLING * Math.sqrt(size(i) * size(j)) + ROUNDING * largest) return false;
  return true;
}

/** ω² in increasing order, and mass-normalised shapes in columns. @throws SingularError if the mass matrix is singular. */
export function undampedModes(M: Float64Array, K: Float64Array, m: number): { values: Float64Array; vectors: Float64Array } {
  const cholesky = factorMass(M, m);
  // A = L⁻¹ K L⁻ᵀ
  const half = Float64Array.from(K);
  cholesky.solveLowerAll(half, m);
  const A = transposeMatrix(half, m, m);
  cholesky.solveLowerAll(A, m);
  makeSymmetric(A, m);
  const { vectors } = tridiagonalEigen(A, m);
  cholesky.solveUpperAll(vectors, m);
  // Rayleigh's quotient is insensitive to rounding of the shape: slow modes keep their own digits, not those of the fastest.
  const KV = matrixProduct(K, vectors, m, m, m);
  const MV = matrixProduct(M, vectors, m, m, m);
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

/** Roots of λ² + d λ + w2 = 0: one of a conjugate pair, or both real roots; a single zero without restoring force and damping. */
function rootsOf(w2: number, d: number): ComplexRoot[] {
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

function modeOf({ re: part, im }: ComplexRoot, shape: Float64Array, shapeIm: Float64Array): Mode {
  const re = Math.abs(part) <= UNDAMPED * im ? 0 : part;
  const size = hypotenuse(re, im);
  const kind = size === 0 ? "rigid" : re > GROWING * size ? "unstable" : im > 0 ? "vibration" : "decay";
  return {
    eigenvalue: { re, im },
    frequency: size / (2 * Math.PI),
    dampingRatio: size === 0 ? 0 : -re / size + 0,
    kind,
    shape,
    shapeIm,
  };
}

const slowestModes = (modes: readonly Mode[], count = modes.length): readonly Mode[] =>
  [...modes].sort((a, b) => a.frequency - b.frequency || b.dampingRatio - a.dampingRatio).slice(0, count);
