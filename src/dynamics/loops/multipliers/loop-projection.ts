/** Projection onto the loops and assembly from farther away: see loop-closure.ts. */
import { lazy } from "../../../kernel/run/lazy.ts";
import type { Model } from "../../../model/model.ts";
import { savedEntries, takeSaved } from "../../../saved-data.ts";
import { CoordinateChange } from "./coordinate-change.ts";
import { CorrectionKernel, SMALL_CHANGE, type SpeedCorrection } from "./correction-kernel.ts";
import { HeldClosure } from "./held-closure.ts";
import type { LoopKernelOptions, LoopSystem } from "./loop-system.ts";
import { type ProjectionCode, projectionCode } from "./projection-code.ts";
import { ResidualKernel } from "./residual-kernel.ts";

/** Maximum number of Newton steps of the projection; the last ones reach rounding. */
const MAX_PROJECTION_STEPS = 12;
const CLOSED_RESIDUAL = 1e-13;
/**
 * Rates of the residuals below this, per second, are rounding. Speeds with such rates are not corrected: a correction would only add
 * rounding.
 */
const CLOSED_RATE = 1e-12;
/** Assembly may begin far from closure: it may take more steps, shortened down to this factor. */
const MAX_ASSEMBLY_STEPS = 200;
const SHORTEST_STEP_FACTOR = 1e-4;

export class LoopProjection {
  readonly #system: LoopSystem;
  readonly #nq: number;
  readonly #nu: number;
  /** Number of rows of the loops. */
  readonly #m: number;
  readonly #residuals: ResidualKernel;
  readonly #corrections: CorrectionKernel;
  readonly #coordinates: CoordinateChange;
  readonly #zeroSpeeds: Float64Array;
  readonly #heldClosure: () => HeldClosure;
  #weights: Float64Array | undefined;
  /** True if all rates of the residuals are rounding. */
  #hasClosedRates = false;
  /** Corrections at the inspected state, if the compiled order is suitable there. */
  #inspected: Float64Array | undefined;

  readonly #options: LoopKernelOptions;
  #code: ProjectionCode | undefined;

  constructor(model: Model, system: LoopSystem, options: LoopKernelOptions) {
    const { nq, nu } = model;
    this.#options = options;
    this.#system = system;
    this.#nq = nq;
    this.#nu = nu;
    this.#m = system.rows.length;
    this.#residuals = new ResidualKernel(model, options);
    this.#corrections = new CorrectionKernel(model, system, options);
    this.#coordinates = new CoordinateChange(model, options);
    this.#zeroSpeeds = new Float64Array(nu);
    this.#heldClosure = lazy(() => new HeldClosure(system, nu, (q, change) => this.advance(q, change)));
  }

  residual(t: number, q: Float64Array, u: Float64Array, f: Float64Array, rates: Float64Array): void {
    const y = this.#residuals.evaluate(t, q, u);
    for (let i = 0; i < this.#m; i++) {
      f[i] = y[i]!;
      rates[i] = y[this.#m + i]!;
    }
  }

  prepareWeakness(w: Float64Array): void {
    this.#corrections.setW(w);
  }

  weakness(t: number, q: Float64Array, w: Float64Array, pull: Float64Array): number {
    const system = this.#system;
    const corrections = this.#corrections;
    const nu = this.#nu;
    const m = this.#m;
    const known = corrections.outputsFor(t, q, w);
    corrections.setW(w);
    const y = known ?? corrections.evaluate(t, q, this.#zeroSpeeds);
    if (y) {
      const first = corrections.out().pull;
      for (let i = 0; i < nu + m; i++) pull[i] = y[first + i]!;
    } else {
      system.evaluate(t, q);
      system.b.fill(0, 0, nu);
      system.b.set(w, nu);
      system.solve();
      corrections.orderRejected(system.findOrder);
      pull.set(system.x);
    }
    this.#weights ??= system.constraintWeights(t, q);
    for (let i = 0; i < m; i++) pull[nu + i]! += this.#weights[i]! * w[i]!; // of M + Jᵀ W J, if M alone is singular
    let square = 0;
    for (let i = 0; i < m; i++) square += w[i]! * pull[nu + i]!;
    return 1 / Math.sqrt(Math.max(square, 0));
  }

  project(t: number, q: Float64Array, u: Float64Array, closed = CLOSED_RESIDUAL): number {
    let before = Number.POSITIVE_INFINITY;
    this.#coordinates.normalise(q);
    for (let step = 0, worst = this.#misclosure(t, q, u); ; step++) {
      if (worst <= closed && this.#hasClosedRates) return worst;
      if (worst <= closed || !(worst < 0.5 * before) || step === MAX_PROJECTION_STEPS) {
        this.#inspect(t, q, u); // closed, or at the level of rounding
        this.#correctSpeeds(u);
        return Math.min(worst, before);
      }
      this.#inspect(t, q, u, "after");
      const size = this.#correctCoordinates(q);
      if (this.#inspected) this.#correctSpeeds(u);
      before = worst;
      worst = this.#misclosure(t, q, u);
      if (this.#inspected && size <= SMALL_CHANGE && worst <= closed) return worst;
    }
  }

  /** The projection inside WebAssembly, ready for calls; undefined if it is not possible at present. */
  code(): ProjectionCode | undefined {
    const residuals = this.#residuals.kernel;
    const corrections = this.#corrections.kernel;
    if (!corrections?.code || !residuals.code) return undefined;
    if (this.#code?.kernels.corrections !== corrections) {
      const { memory } = this.#options;
      const limits = { residual: CLOSED_RESIDUAL, rate: CLOSED_RATE, change: SMALL_CHANGE };
      this.#code = projectionCode({ memory, residuals, corrections, quaternions: this.#coordinates.quaternions, limits });
    }
    this.#options.writeEngagedParameters(residuals.x);
    this.#options.writeEngagedParameters(corrections.x);
    return this.#code;
  }

  /** See LoopClosure. */
  projectedInside(hasAccepted: boolean, isLastAccepted: boolean): void {
    this.#residuals.evaluatedOutside(isLastAccepted);
    this.#corrections.evaluatedOutside(hasAccepted, isLastAccepted);
  }

  /** Weights of the equations in `weakness`; undefined before its first call. */
  get weights(): Float64Array | undefined {
    return this.#weights;
  }

  assemble(t: number, q: Float64Array, u: Float64Array): number {
    this.#coordinates.normalise(q);
    this.#system.useStiffness(true);
    try {
      return this.#assembleWithStiffness(t, q, u);
    } finally {
      this.#system.useStiffness(false);
    }
  }

  assembleHolding(t: number, q: Float64Array, free: readonly number[]): number {
    this.#coordinates.normalise(q);
    this.#system.useStiffness(true);
    try {
      return this.#heldClosure().close(t, q, free);
    } finally {
      this.#system.useStiffness(false);
    }
  }

  speedsHolding(t: number, q: Float64Array, u: Float64Array, free: readonly number[]): number {
    return this.#heldClosure().closeSpeeds(t, q, u, free);
  }

  #assembleWithStiffness(t: number, q: Float64Array, u: Float64Array): number {
    const { x } = this.#system;
    const start = new Float64Array(this.#nq);
    let worst = this.#misclosureOfSystem(t, q, u);
    for (let step = 0; step < MAX_ASSEMBLY_STEPS && worst > CLOSED_RESIDUAL; step++) {
      start.set(q);
      this.#solve("f");
      let better = Number.POSITIVE_INFINITY;
      for (let factor = 1; factor > SHORTEST_STEP_FACTOR && !(better < worst); factor /= 2) {
        q.set(start);
        this.advance(q, x, factor);
        better = this.#misclosureOfSystem(t, q, u);
      }
      if (!(better < worst)) {
        q.set(start);
        this.#misclosureOfSystem(t, q, u);
        break;
      }
      worst = better;
    }
    this.#correctSpeeds(u);
    return worst;
  }

  /** Adds `factor` times a change in the space of speeds (by default the solution of the system) to the coordinates. */
  advance(q: Float64Array, change: Float64Array = this.#system.x, factor = 1): void {
    this.#coordinates.advance(q, change, factor);
  }

  /** Weights of the first state, the pivot order of corrections and the last evaluations, as plain data. */
  save(): unknown {
    return {
      weights: this.#weights?.slice() ?? null,
      corrections: this.#corrections.save(),
      residuals: this.#residuals.save(),
    };
  }

  restore(saved: unknown, path: string): void {
    const { weights, corrections, residuals } = savedEntries(saved, ["weights", "corrections", "residuals"], path);
    const restored = { weights: weights === null ? null : new Float64Array(this.#m) };
    takeSaved(restored, { weights }, path);
    this.#corrections.restore(corrections, `${path}.corrections`);
    this.#residuals.restore(residuals, `${path}.residuals`);
    this.#weights = restored.weights ?? undefined;
  }

  /** Returns the largest residual, and sets whether all its rates are rounding. */
  #misclosure(t: number, q: Float64Array, u: Float64Array): number {
    const worst = 2 * this.#m;
    const y = this.#residuals.evaluate(t, q, u);
    this.#hasClosedRates = y[worst + 1]! <= CLOSED_RATE;
    return y[worst]!;
  }

  /** Evaluates the system at a state. Returns the largest residual. */
  #misclosureOfSystem(t: number, q: Float64Array, u: Float64Array): number {
    this.#inspected = undefined;
    this.#system.evaluate(t, q, u);
    return this.#setRightHandSide(this.#system.out.f);
  }

  /** Evaluates the corrections at a state, or the system there if the compiled order is not suitable. */
  #inspect(t: number, q: Float64Array, u: Float64Array, speeds?: SpeedCorrection): void {
    this.#inspected = this.#corrections.evaluate(t, q, u, speeds);
    if (!this.#inspected) this.#system.evaluate(t, q, u);
  }

  /** Solves the system for the correction of coordinates ("f") or speeds ("rates") at the inspected state. */
  #solve(of: "f" | "rates"): void {
    const system = this.#system;
    this.#setRightHandSide(system.out[of]);
    system.solve();
    if (!system.hasStiffness) this.#corrections.orderRejected(system.findOrder);
  }

  /** Corrects q at the inspected state. Returns the largest change in the space of speeds. */
  #correctCoordinates(q: Float64Array): number {
    const known = this.#inspected;
    if (known) {
      const { q: first, largest: size } = this.#corrections.out();
      for (let i = 0; i < this.#nq; i++) q[i] = known[first + i]!;
      return known[size]!;
    }
    this.#solve("f");
    this.advance(q);
    return largest(this.#system.x, this.#nu);
  }

  /** Corrects u to the nearest speeds that keep the loops closed at the inspected state. */
  #correctSpeeds(u: Float64Array): void {
    const known = this.#inspected;
    if (known) {
      const first = this.#corrections.out().u;
      for (let i = 0; i < this.#nu; i++) u[i] = known[first + i]!;
      return;
    }
    this.#solve("rates");
    for (let i = 0; i < this.#nu; i++) u[i]! += this.#system.x[i]!;
  }

  /** Sets the right-hand side of the system to (0; -outputs from `first`). Returns its largest entry. */
  #setRightHandSide(first: number): number {
    const { b, y } = this.#system;
    b.fill(0, 0, this.#nu);
    let worst = 0;
    for (let i = 0; i < this.#m; i++) {
      b[this.#nu + i] = -y[first + i]!;
      worst = Math.max(worst, Math.abs(b[this.#nu + i]!));
    }
    return worst;
  }
}

/** The largest magnitude among the first n values. */
function largest(values: Float64Array, n: number): number {
  let worst = 0;
  for (let i = 0; i < n; i++) worst = Math.max(worst, Math.abs(values[i]!));
  return worst;
}
