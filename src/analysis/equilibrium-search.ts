/**
 * Static equilibrium near a position. Newton's method finds it if there is one so near that the first steps already contract. Otherwise the
 * search goes downhill by trust-region steps. They are judged by the work of the unbalanced forces f along the step in place of an energy,
 * because not all forces have one. So a machine comes to rest where it would if it moved slowly.
 */
import { coordinateRates } from "../dynamics/programs.ts";
import { compile, type Kernel } from "../kernel/run/kernel.ts";
import type { SymmetricEigen } from "../math/eigen/symmetric-eigen.ts";
import { tridiagonalEigen } from "../math/eigen/tridiagonal-eigen.ts";
import { hypotenuse } from "../math/elementary/hypotenuse.ts";
import { choleskySolver } from "../math/linear/cholesky.ts";
import { denseLU } from "../math/linear/dense-lu.ts";
import { matrixProduct, transposedProduct, transposeMatrix } from "../math/linear/dense-matrix.ts";
import { pivotedQR } from "../math/linear/pivoted-qr.ts";
import { type Model, quaternionStarts } from "../model/model.ts";
import type { StaticEquations, StaticState } from "./static-equations.ts";

const MOST_ITERATIONS = 500;
/** A search that goes farther in one step follows a machine that falls away, m. */
const LONGEST_STEP = 1e9;
/** Longest first step of Newton's method, and the first radius of the downhill search: rad or m. */
const NEAR = 0.3;
/** Longest change of a rotation in one step, rad. Farther away the derivatives say nothing. */
const LONGEST_ROTATION = 1;
/** Largest step at convergence, rad or m. */
const CONVERGED = 1e-12;
/** Steps that do not become smaller and are below this are rounding. */
const ROUNDING_STEP = 1e-9;
/** Newton's method must reduce its steps at least by this factor. */
const CONTRACTION = 0.5;
/** Factor between the dampings that are tried. A step that fills the radius may be this much shorter. */
const DAMPING_GROWTH = 4;
/** Maximum number of steps that close the loops. */
const MOST_CLOSING_STEPS = 50;
/** A stiffness below this fraction of the largest one, both divided by the masses that they move, is rounding. */
const STIFFNESS_ROUNDING = 1e-15;
/** Relative tolerance for dependent columns of the stiffness matrix. */
const DEPENDENT_STIFFNESS = 1e-12;

export class EquilibriumSearch {
  /** Number of steps in all. */
  iterations = 0;
  /** The last position that was accepted. */
  last!: StaticState;
  readonly #model: Model;
  readonly #statics: StaticEquations;
  readonly #t: number;
  readonly #rates: Kernel;
  readonly #quaternions: readonly number[];
  /** Speeds that are rates of rotation. */
  readonly #rotations: readonly number[];

  constructor(model: Model, statics: StaticEquations, t: number) {
    this.#model = model;
    this.#statics = statics;
    this.#t = t;
    this.#rates = compile(coordinateRates(model));
    this.#quaternions = quaternionStarts(model);
    this.#rotations = rotationSpeeds(model);
  }

  /** Newton's method. Returns undefined if it does not contract from the first steps on, or if the first step is long. */
  newton(start: Float64Array): Float64Array | undefined {
    let q: Float64Array = Float64Array.from(start);
    let lastSize = NEAR / CONTRACTION;
    for (; this.iterations < MOST_ITERATIONS; this.iterations++) {
      const state = this.#statics.at(q, this.#t);
      this.last = state;
      const change = newtonStep(state);
      if (change === undefined) return undefined;
      const step = this.#speedsOf(state, change);
      for (let i = 0; i < step.length; i++) step[i]! += state.misfit[i]!;
      const size = largest(step);
      // Steps shrink quadratically, then stay at the rounding level.
      if (size <= CONVERGED || (size < ROUNDING_STEP && size >= lastSize)) return q;
      if (!(size <= CONTRACTION * lastSize)) return undefined;
      lastSize = size;
      q = this.#moved(q, step);
    }
    return undefined;
  }

  /** Goes downhill until Newton's method converges. Returns undefined if there is no way, or if nothing holds the machine. */
  downhill(start: Float64Array): Float64Array | undefined {
    const closed = this.#closed(Float64Array.from(start));
    if (closed === undefined) return undefined;
    let state = this.#statics.at(closed, this.#t);
    let radius = NEAR;
    for (; this.iterations < MOST_ITERATIONS && radius > CONVERGED && radius < LONGEST_STEP; this.iterations++) {
      this.last = state;
      const downhill = this.#downhillStep(state, radius);
      if (downhill === undefined) return undefined;
      const { change, undamped } = downhill;
      const step = this.#speedsOf(state, change);
      const size = largest(step);
      if (size <= ROUNDING_STEP || (undamped && size <= 0.1 * NEAR)) {
        const found = this.newton(state.q);
        if (found || size <= ROUNDING_STEP) return found;
      }
      const trial = this.#closed(this.#moved(state.q, step));
      const next = trial && this.#statics.at(trial, this.#t);
      const gain = next === undefined ? Number.NaN : workRatio(state, next, change, step);
      if (!(gain > 0.75)) radius = gain > 0.25 ? radius : 0.25 * Math.min(radius, size);
      else if (size > radius / (2 * DAMPING_GROWTH)) radius *= 2;
      if (next && gain > 0.05) state = next;
    }
    return undefined;
  }

  /**
   * The step K⁻¹ Zᵀ f if K is positive definite and the step is within the radius. Otherwise V (|Λ| + μ)⁻¹ Vᵀ Zᵀ f with the eigenvalues Λ of the
   * symmetric part of K in the metric of the mass matrix, Vᵀ M V = 1, and μ so large that the step is within the radius. It goes down
   * along directions of negative stiffness too. Undefined if nothing is finite.
   */
  #downhillStep(state: StaticState, radius: number): { readonly change: Float64Array; readonly undamped: boolean } | undefined {
    const { m, stiffness, imbalance } = state;
    const isWithinRadius = (change: Float64Array): boolean => {
      const step = this.#speedsOf(state, change);
      return largest(step) <= radius && this.#rotations.every((i) => Math.abs(step[i]!) <= LONGEST_ROTATION);
    };
    const symmetric = symmetricPart(stiffness, m);
    const lu = denseLU(m);
    if (choleskySolver(m).factor(symmetric) < 0 && lu.factor(stiffness)) {
      const change = Float64Array.from(imbalance);
      lu.solve(change);
      if (isWithinRadius(change)) return { change, undamped: true };
    }
    const eigen = eigenInMassMetric(symmetric, state);
    if (eigen === undefined) return undefined;
    const { values, vectors } = eigen;
    const smallest = STIFFNESS_ROUNDING * Math.max(...values.map(Math.abs)) || STIFFNESS_ROUNDING;
    const modal = transposedProduct(vectors, imbalance, m, m, 1);
    for (let mu = smallest; Number.isFinite(mu); mu *= DAMPING_GROWTH) {
      const change = matrixProduct(
        vectors,
        modal.map((v, k) => v / (Math.abs(values[k]!) + mu)),
        m,
        m,
        1,
      );
      if (isWithinRadius(change)) return { change, undamped: false };
    }
    return undefined;
  }

  /** Z σ. */
  #speedsOf({ basis, m }: StaticState, change: Float64Array): Float64Array {
    return matrixProduct(basis, change, this.#model.nu, m, 1);
  }

  /** The nearest position with closed loops. Undefined if they cannot be closed. */
  #closed(start: Float64Array): Float64Array | undefined {
    let q = start;
    let lastSize = Number.POSITIVE_INFINITY;
    for (let i = 0; i < MOST_CLOSING_STEPS; i++) {
      const misfit = this.#statics.misfitAt(q, this.#t);
      const size = largest(misfit);
      if (size <= CONVERGED || (size < ROUNDING_STEP && size >= lastSize)) return q;
      if (!Number.isFinite(size)) return undefined;
      lastSize = size;
      const factor = Math.min(1, NEAR / size);
      q = this.#moved(
        q,
        misfit.map((v) => factor * v),
      );
    }
    return undefined;
  }

  /** The position after a change in the space of speeds. */
  #moved(from: Float64Array, change: Float64Array): Float64Array {
    const { x, y } = this.#rates;
    const q = Float64Array.from(from);
    x.set(q);
    x.set(change, this.#model.nq);
    this.#rates.evaluate();
    for (let i = 0; i < q.length; i++) q[i]! += y[i]!;
    for (const k of this.#quaternions) {
      const norm = hypotenuse(q[k]!, q[k + 1]!, q[k + 2]!, q[k + 3]!);
      for (let i = k; i < k + 4; i++) q[i]! /= norm;
    }
    return q;
  }
}

const largest = (values: Float64Array): number =>
  values.reduce((most, v) => (Number.isNaN(v) ? Number.NaN : Math.max(most, Math.abs(v))), 0);

/** K⁻¹ Zᵀ f, or undefined if K is singular. */
function newtonStep(state: StaticState): Float64Array | undefined {
  const { m, stiffness, imbalance } = state;
  const lu = denseLU(m);
  if (!stiffness.every(Number.isFinite) || dependentChanges(state).length > 0 || !lu.factor(stiffness)) return undefined;
  const change = Float64Array.from(imbalance);
  lu.solve(change);
  return change;
}

/** Work of the unbalanced forces along a step, by the trapezoidal rule, as a fraction of the work that the stiffness predicts. */
function workRatio({ m, force, imbalance, stiffness }: StaticState, next: StaticState, change: Float64Array, step: Float64Array) {
  let [work, predicted] = [0, 0];
  for (let i = 0; i < step.length; i++) work += 0.5 * (force[i]! + next.force[i]!) * step[i]!;
  for (let i = 0; i < m; i++) {
    let resistance = 0;
    for (let j = 0; j < m; j++) resistance += stiffness[i * m + j]! * change[j]!;
    predicted += (imbalance[i]! - 0.5 * resistance) * change[i]!;
  }
  return work / predicted;
}

const symmetricPart = (A: Float64Array, n: number): Float64Array =>
  A.map((v, k) => 0.5 * (v + A[(k % n) * n + Math.floor(k / n)]!));

/** Eigenvalues and eigenvectors, by columns, of K v = λ M v with a symmetric K. Undefined if they are not finite. */
function eigenInMassMetric(K: Float64Array, { m, mass }: StaticState): SymmetricEigen | undefined {
  const cholesky = choleskySolver(m);
  if (!K.every(Number.isFinite) || cholesky.factor(mass) >= 0) return undefined;
  const scaled = Float64Array.from(K);
  cholesky.solveLowerAll(scaled, m);
  const transposed = transposeMatrix(scaled, m, m);
  cholesky.solveLowerAll(transposed, m);
  const { values, vectors } = tridiagonalEigen(transposed, m);
  const basis = Float64Array.from(vectors);
  cholesky.solveUpperAll(basis, m);
  return { values, vectors: basis };
}

/** Largest ratio of stiffness and mass on the diagonals, 1/s². */
function largestRatio({ m, mass, stiffness }: StaticState): number {
  let most = 0;
  for (let i = 0; i < m; i++) if (mass[i * m + i]! > 0) most = Math.max(most, Math.abs(stiffness[i * m + i]! / mass[i * m + i]!));
  return most;
}

/** Columns of Z whose stiffness depends on that of the others, or is rounding. */
export function dependentChanges(state: StaticState): readonly number[] {
  const { m, mass, stiffness } = state;
  const rounding = STIFFNESS_ROUNDING * largestRatio(state);
  const columns = new Float64Array(m * m);
  for (let j = 0; j < m; j++) {
    let size = 0;
    for (let i = 0; i < m; i++) size = hypotenuse(size, stiffness[i * m + j]!);
    if (size > rounding * mass[j * m + j]!) for (let i = 0; i < m; i++) columns[j * m + i] = stiffness[i * m + j]!;
  }
  const qr = pivotedQR(m, m);
  qr.factor(columns, DEPENDENT_STIFFNESS);
  return Array.from(qr.order.subarray(qr.rank, m));
}

/** Indices of the speeds that are rates of rotation. */
const rotationSpeeds = (model: Model): readonly number[] =>
  model.bodies.flatMap(({ hinge }) =>
    hinge.elements
      .flatMap(({ partials }) => partials)
      .flatMap(({ angular }, i) => (angular.some((v) => v !== 0) ? [hinge.u + i] : [])),
  );
