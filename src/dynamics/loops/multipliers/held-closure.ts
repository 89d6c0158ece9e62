/**
 * Closing of loops while some freedoms are held: the smallest change of the others in a metric W, by Levenberg-Marquardt steps,
 *
 *   δ = -L⁻ᵀ Aᵀ (A Aᵀ + μ)⁻¹ f,   A = J L⁻ᵀ,   W = L Lᵀ,
 *
 * with the columns of the free speeds only. Equations may depend on each other, and the start may be far from closure or singular.
 */
import { choleskySolver } from "../../../math/linear/cholesky.ts";
import type { LoopSystem } from "./loop-system.ts";

/** Residuals below this, m or rad, are rounding. */
const CLOSED_RESIDUAL = 1e-13;
const MAX_STEPS = 200;
/** Longest change of a speed's coordinate in one step, rad or m. */
const LONGEST_STEP = 0.5;
/** Damping μ relative to the mean diagonal of A Aᵀ: of the first step, the least and the most. */
const DAMPING = { first: 1e-6, least: 1e-13, most: 1e6 } as const;
/** Added to the diagonal of W, relative to the entry and to the largest one: massless freedoms may move too. */
const METRIC_FLOOR = { relative: 1e-9, absolute: 1e-12 } as const;
/** Solutions for the speeds: each one reduces the error of the damping. */
const SPEED_ROUNDS = 4;

export class HeldClosure {
  readonly #system: LoopSystem;
  readonly #nu: number;
  readonly #advance: (q: Float64Array, change: Float64Array) => void;
  readonly #M: Float64Array;
  readonly #J: Float64Array;

  /** @param advance adds a change in the space of speeds to coordinates */
  constructor(system: LoopSystem, nu: number, advance: (q: Float64Array, change: Float64Array) => void) {
    this.#system = system;
    this.#nu = nu;
    this.#advance = advance;
    this.#M = new Float64Array(nu * nu);
    this.#J = new Float64Array(system.rows.length * nu);
  }

  /** Moves the free speeds' coordinates in q until the loops are closed. Returns the largest residual left. */
  close(t: number, q: Float64Array, free: readonly number[]): number {
    const system = this.#system;
    const start = new Float64Array(q.length);
    const residuals = (): Float64Array => {
      system.evaluate(t, q);
      return system.y.slice(system.out.f, system.out.f + system.rows.length);
    };
    let f = residuals();
    let damping: number = DAMPING.first;
    for (let step = 0; step < MAX_STEPS && largest(f) > CLOSED_RESIDUAL && damping <= DAMPING.most; step++) {
      const solve = this.#solver(free);
      start.set(q);
      let next = f;
      for (; damping <= DAMPING.most; damping *= 10) {
        const change = solve(f, damping);
        if (change === undefined) continue;
        const size = largest(change);
        if (size > LONGEST_STEP) for (let i = 0; i < change.length; i++) change[i]! *= LONGEST_STEP / size;
        this.#advance(q, change);
        next = residuals();
        if (squares(next) < squares(f)) break;
        q.set(start);
      }
      if (!(squares(next) < squares(f))) break;
      f = next;
      damping = Math.max(damping / 100, DAMPING.least);
    }
    return largest(f);
  }

  /** Changes the free speeds in u until the loops stay closed. Returns the largest rate of a residual left. */
  closeSpeeds(t: number, q: Float64Array, u: Float64Array, free: readonly number[]): number {
    const system = this.#system;
    const rates = (): Float64Array => {
      system.evaluate(t, q, u);
      return system.y.slice(system.out.rates, system.out.rates + system.rows.length);
    };
    let left = rates();
    const solve = this.#solver(free);
    for (let round = 0; round < SPEED_ROUNDS && largest(left) > 0; round++) {
      const change = solve(left, DAMPING.least) ?? solve(left, DAMPING.first);
      if (change === undefined) break;
      const before = u.slice();
      for (const i of free) u[i]! += change[i]!;
      const next = rates();
      if (!(squares(next) < squares(left))) {
        u.set(before);
        break;
      }
      left = next;
    }
    return largest(left);
  }

  /** Solver at the state of the last evaluation: the change of all speeds for residuals and a relative damping. Undefined if it fails. */
  #solver(free: readonly number[]): (f: Float64Array, damping: number) => Float64Array | undefined {
    const [n, m, nu] = [free.length, this.#system.rows.length, this.#nu];
    this.#system.copyDense(this.#M, this.#J);
    const W = Float64Array.from({ length: n * n }, (_, k) => this.#M[free[Math.floor(k / n)]! * nu + free[k % n]!]!);
    const largestMass = free.reduce((most, _, i) => Math.max(most, W[i * n + i]!), 0);
    for (let i = 0; i < n; i++)
      W[i * n + i]! += METRIC_FLOOR.relative * W[i * n + i]! + METRIC_FLOOR.absolute * largestMass + Number.MIN_VALUE;
    const metric = choleskySolver(n);
    if (n === 0 || metric.factor(W) >= 0) return () => undefined;
    // Aᵀ = L⁻¹ Jᵀ, n by m, by rows.
    const At = Float64Array.from({ length: n * m }, (_, k) => this.#J[(k % m) * nu + free[Math.floor(k / m)]!]!);
    metric.solveLowerAll(At, m);
    const gram = new Float64Array(m * m);
    for (let k = 0; k < n; k++)
      for (let i = 0; i < m; i++) {
        const a = At[k * m + i]!;
        if (a !== 0) for (let j = 0; j <= i; j++) gram[i * m + j]! += a * At[k * m + j]!;
      }
    let trace = 0;
    for (let i = 0; i < m; i++) trace += gram[i * m + i]!;
    const cholesky = choleskySolver(m);
    return (f, damping) => {
      const damped = gram.slice();
      for (let i = 0; i < m; i++) damped[i * m + i]! += (damping * trace) / m;
      if (!(trace > 0) || cholesky.factor(damped) >= 0) return undefined;
      const z = f.map((v) => -v);
      cholesky.solve(z);
      const freeChange = new Float64Array(n);
      for (let k = 0; k < n; k++) for (let i = 0; i < m; i++) freeChange[k]! += At[k * m + i]! * z[i]!;
      metric.solveUpper(freeChange);
      const change = new Float64Array(nu);
      for (let k = 0; k < n; k++) change[free[k]!] = freeChange[k]!;
      return change.every(Number.isFinite) ? change : undefined;
    };
  }
}

const largest = (values: Float64Array): number => values.reduce((worst, v) => Math.max(worst, Math.abs(v)), 0);
const squares = (values: Float64Array): number => values.reduce((sum, v) => sum + v * v, 0);
