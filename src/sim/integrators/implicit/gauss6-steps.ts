/**
 * Steps of Gauss-Legendre collocation with three stages. Over very many steps round-off remains, and it must not be systematic [Hairer,
 * McLachlan, Razakarivony 2008]. So the coefficients are not rounded one by one. With Delta = h (5 k1 + 8 k2 + 5 k3) / 18 and
 * r = h sqrt(15) / 120 the stages are
 *
 *   Z1 = Delta/2 - 4 r (2 k2 + k3),   Z2 = Delta/2 + 5 r (k1 - k3),   Z3 = Delta/2 + 4 r (k1 + 2 k2)              (1)
 *
 * which is symplectic for any rounded r. The sum of the Deltas is compensated. The fixed-point iteration continues until its error is below the
 * rounding of y.
 */

import { StepError } from "../../../errors.ts";
import { checkSavedFinite, savedEntries, takeSaved } from "../../../saved-data.ts";
import type { InitialValueProblem, IntegratorOptions } from "../integrator.ts";
import { isFiniteVector, notFiniteError, requiredStep } from "../stepping/settings.ts";
import type { StepMethod, StepperState } from "../stepping/stepper.ts";
import { type TimeGrid, timeGrid } from "../stepping/time-grid.ts";
import { type StageHistory, stageHistory } from "./stage-history.ts";

const NAME = "gauss6";
/** Distance of the outer nodes from the middle. */
const D = Math.sqrt(15) / 10;
export const NODES: Float64Array = Float64Array.of(0.5 - D, 0.5, 0.5 + D);

/** Relative error of y at which the iteration ends: so far below the rounding of y that it causes no drift. */
const CONVERGED = Number.EPSILON / 100;
/** Changes below this that no longer shrink are round-off, not a failure. */
const STALLED = 1e-10;
const MAX_ITERATIONS = 60;
/** Decay of the stored amplitudes per step. */
const AMPLITUDE_DECAY = 0.99;
/** Components below this part of the largest one are scaled by that, so that their round-off does not count. */
const SCALE_FLOOR = 1e-10;

export class Gauss6Steps implements StepMethod {
  readonly #now: StepperState;
  readonly #grid: TimeGrid;
  readonly #history: StageHistory;
  readonly #Z: readonly [Float64Array, Float64Array, Float64Array];
  readonly #stage: Float64Array;
  readonly #perScale: Float64Array;
  readonly #memory: {
    readonly amplitude: Float64Array;
    /** Rounding errors of y that the next step adds. */
    readonly carry: Float64Array;
    /** Contraction of the iteration. It decreases slowly, because with complex eigenvalues single changes may be small by chance. */
    rate: number;
  };

  constructor(problem: InitialValueProblem, options: IntegratorOptions, now: StepperState) {
    const n = problem.size;
    this.#grid = timeGrid(NAME, requiredStep(NAME, options));
    this.#now = now;
    this.#history = stageHistory(NODES, n);
    this.#Z = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
    this.#stage = new Float64Array(n);
    this.#perScale = new Float64Array(n);
    this.#memory = { amplitude: new Float64Array(n), carry: new Float64Array(n), rate: 0.5 };
  }

  restart(time: number): void {
    this.#memory.carry.fill(0);
    this.#memory.amplitude.fill(0);
    this.#memory.rate = 0.5;
    this.#grid.restart(time);
    this.#history.forget();
  }

  step(end: number): number {
    this.#grid.plan(this.#now.t, end);
    const h = this.#grid.size;
    this.#predict(h);
    this.#setScale(h);
    this.#updateStages(h);
    this.#iterate(h);
    this.#advance(h);
    this.#history.keep(h);
    return this.#grid.next;
  }

  interpolate(time: number, out: Float64Array): void {
    const { t, previous, other } = this.#now;
    const [k1, k2, k3] = this.#history.kept;
    const h = t - previous;
    const x = (time - previous) / h - 0.5;
    const cubic = (x * x * x + 0.125) / 3;
    const square = (D * (x * x - 0.25)) / 2;
    const b1 = (h * (cubic - square)) / (2 * D * D);
    const b2 = h * (x + 0.5 - cubic / (D * D));
    const b3 = (h * (cubic + square)) / (2 * D * D);
    for (let i = 0; i < other.length; i++) out[i] = other[i]! + (b1 * k1![i]! + b2 * k2![i]! + b3 * k3![i]!);
  }

  save(): unknown {
    return { iteration: structuredClone(this.#memory), grid: this.#grid.save(), history: this.#history.save() };
  }

  restore(saved: unknown): void {
    const { iteration, grid, history } = savedEntries(saved, ["iteration", "grid", "history"], NAME);
    takeSaved(this.#memory, iteration, `${NAME}.iteration`);
    checkSavedFinite(this.#memory.amplitude, `${NAME}.iteration.amplitude`);
    checkSavedFinite(this.#memory.carry, `${NAME}.iteration.carry`);
    checkSavedFinite(this.#memory.rate, `${NAME}.iteration.rate`);
    this.#grid.restore(grid);
    this.#history.restore(history);
  }

  /** Start of the iteration: stage derivatives extrapolated from the past, or constant. */
  #predict(h: number): void {
    if (this.#history.predict(h)) return;
    const { t, y, f } = this.#now;
    const [k1, k2, k3] = this.#history.stages;
    f(t, y, k1!);
    if (!isFiniteVector(k1!)) throw notFiniteError(NAME, k1!, t);
    k2!.set(k1!);
    k3!.set(k1!);
  }

  /** Scales each component by its recent amplitude, so that a component that passes zero has a scale too. */
  #setScale(h: number): void {
    const { y } = this.#now;
    const { amplitude } = this.#memory;
    const perScale = this.#perScale;
    const k2 = this.#history.stages[1]!;
    let largest = 0;
    for (let i = 0; i < y.length; i++) {
      const size = Math.max(Math.abs(y[i]!) + Math.abs(h * k2[i]!), AMPLITUDE_DECAY * amplitude[i]!);
      amplitude[i] = size;
      if (size > largest) largest = size;
    }
    const floor = SCALE_FLOOR * largest + Number.MIN_VALUE / Number.EPSILON;
    for (let i = 0; i < y.length; i++) perScale[i] = 1 / (amplitude[i]! + floor);
  }

  /** Computes the stages by (1). Returns their largest change in units of the scale; NaN if a derivative is not finite. */
  #updateStages(h: number): number {
    const { stages } = this.#history;
    const k1 = stages[0]!;
    const k2 = stages[1]!;
    const k3 = stages[2]!;
    const [z1, z2, z3] = this.#Z;
    const perScale = this.#perScale;
    const b = h / 36;
    const r = (h * Math.sqrt(15)) / 120;
    let change = 0;
    for (let i = 0; i < z1.length; i++) {
      const half = b * (5 * (k1[i]! + k3[i]!) + 8 * k2[i]!);
      const a = half - 4 * r * (2 * k2[i]! + k3[i]!);
      const m = half + 5 * r * (k1[i]! - k3[i]!);
      const c = half + 4 * r * (k1[i]! + 2 * k2[i]!);
      const difference = Math.max(Math.abs(a - z1[i]!), Math.abs(m - z2[i]!), Math.abs(c - z3[i]!)) * perScale[i]!;
      if (!(difference <= change)) change = difference;
      z1[i] = a;
      z2[i] = m;
      z3[i] = c;
    }
    return change;
  }

  #evaluateStages(h: number): void {
    const { t, y, f } = this.#now;
    const { stages } = this.#history;
    const stage = this.#stage;
    for (let s = 0; s < 3; s++) {
      const z = this.#Z[s]!;
      for (let i = 0; i < stage.length; i++) stage[i] = y[i]! + z[i]!;
      f(t + NODES[s]! * h, stage, stages[s]!);
    }
  }

  #iterate(h: number): void {
    const memory = this.#memory;
    let before = Number.POSITIVE_INFINITY;
    let least = Number.POSITIVE_INFINITY;
    let stalls = 0;
    for (let k = 0; k < MAX_ITERATIONS; k++) {
      this.#evaluateStages(h);
      const change = this.#updateStages(h);
      if (Number.isNaN(change)) throw this.#notFinite();
      if (k > 0 && change > CONVERGED) memory.rate = Math.min(Math.max(change / before, memory.rate / 2), 1);
      if (change * memory.rate <= CONVERGED) return;
      stalls = change < least ? 0 : stalls + 1;
      if (stalls === 2 && change < STALLED) return;
      least = Math.min(least, change);
      before = change;
    }
    memory.rate = 0.5;
    const { t } = this.#now;
    throw new StepError(`${NAME}: the iteration for the step ${h} at t = ${t} does not contract; reduce the step`, t);
  }

  #notFinite(): StepError {
    return notFiniteError(NAME, this.#history.stages.find((K) => !isFiniteVector(K)) ?? this.#stage, this.#now.t);
  }

  /** other = y + Delta, by compensated summation: the rounding error is carried to the next step. */
  #advance(h: number): void {
    const { y, other } = this.#now;
    const { stages } = this.#history;
    const k1 = stages[0]!;
    const k2 = stages[1]!;
    const k3 = stages[2]!;
    const { carry } = this.#memory;
    const b = h / 18;
    for (let i = 0; i < y.length; i++) {
      const a = b * (5 * (k1[i]! + k3[i]!) + 8 * k2[i]!) + carry[i]!;
      const sum = y[i]! + a;
      const added = sum - y[i]!;
      carry[i] = y[i]! - (sum - added) + (a - added);
      other[i] = sum;
    }
  }
}
