/**
 * Projection onto the loops. The matrix of the equations of motion projects: with r = 0 and the residual in place of the bias its solution
 * is the smallest change, measured by kinetic energy, that closes the loops. Its factors, compiled in one pivot order, also give the weakest
 * equation.
 */
import { compile } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { cachedPerOwner } from "../../../kernel/run/program-cache.ts";
import { offsetsOf, trace } from "../../../kernel/trace/program.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import { arraysEqual } from "../../../math/linear/array-equal.ts";
import { type Model, quaternionStarts } from "../../../model/model.ts";
import { coordinateRates } from "../../tree/kinematics.ts";
import { correctionProgram, residualProgram } from "./loop-programs.ts";
import type { LoopKernelOptions, LoopSystem } from "./loop-system.ts";
import { isOrderSuitable, pivotOrderKernel } from "./pivot-order-cache.ts";

export interface LoopClosure {
  /** Computes f and ḟ. */
  residual(t: number, q: Float64Array, u: Float64Array, f: Float64Array, rates: Float64Array): void;
  /**
   * Moves q, then u, onto the constraints, by the smallest change in the metric of the mass matrix. Stops when the residuals are below
   * `closed`, or at the level of rounding. Returns the largest residual left.
   */
  project(t: number, q: Float64Array, u: Float64Array, closed?: number): number;
  /**
   * As `project`, from farther away: steps are halved until they reduce the residual. Stiffness is added to the metric, because freedoms
   * inside elastic bodies have little mass and would move first. Returns the largest residual left.
   */
  assemble(t: number, q: Float64Array, u: Float64Array): number;
  /** Adds to q its change under speeds u during a time, to first order. */
  advanceCoordinates(q: Float64Array, u: Float64Array, time: number): void;
  /**
   * For a unit change w of the residuals, writes into `pull`: the smallest change of speeds that causes it, J⁺ w, and (J M⁻¹ Jᵀ)⁻¹ w, which
   * is w turned toward the weakest equation. Returns 1 / |J⁺ w| in the metric of the mass matrix: it is small near a singular position.
   */
  weakness(t: number, q: Float64Array, w: Float64Array, pull: Float64Array): number;
  /** Announces that `weakness` will be called for this w after the next projection. Then one factorisation serves both. */
  prepareWeakness(w: Float64Array): void;
}

/** Maximum number of Newton steps of the projection; the last ones reach rounding. */
const MAX_PROJECTION_STEPS = 12;
const CLOSED_RESIDUAL = 1e-13;
/**
 * Rates of the residuals below this, per second, are rounding. Speeds with such rates are not corrected: a correction would only add
 * rounding.
 */
const CLOSED_RATE = 1e-12;
/** After a change of coordinates this small, speeds corrected together with it are exact to rounding: their error is its square. */
const SMALL_CHANGE = 1e-7;
/** Assembly may begin far from closure: it may take more steps, shortened down to this factor. */
const MAX_ASSEMBLY_STEPS = 200;
const SHORTEST_STEP_FACTOR = 1e-4;

export function loopClosure(
  model: Model,
  system: LoopSystem,
  { target, writeEngagedParameters: hold }: LoopKernelOptions,
): LoopClosure {
  const { pattern, b, x, out } = system;
  const { nq, nu } = model;
  const m = system.rows.length;
  const n = nu + m;
  const still = new Float64Array(nu);
  const quaternions = quaternionStarts(model);
  const rates = compile(
    cachedPerOwner(model, "coordinate rates", () =>
      trace(`${model.name} coordinate rates`, { q: nq, u: nu }, ({ q, u }) => ({ qdot: coordinateRates(model, q, u) })),
    ),
    { target },
  );
  const residuals = lazy(() => compile(residualProgram(model), { target }));
  const changes = pivotOrderKernel((order) => compile(correctionProgram(model, { pattern, order }), { target }));
  const watched = new Float64Array(m);
  /** State at which the correction kernel was evaluated last; small changes since then are ignored. */
  const looked = { t: Number.NaN, q: new Float64Array(nq) };
  let weights: Float64Array | undefined;

  /** Normalises the quaternions. Their norm deviates by rounding of the step, which is no loop error. */
  const normalise = (q: Float64Array): void => {
    for (const k of quaternions) {
      const size = 1 / hypotenuse(q[k]!, q[k + 1]!, q[k + 2]!, q[k + 3]!);
      for (let i = k; i < k + 4; i++) q[i]! *= size;
    }
  };

  /** Adds `factor` times a change in the space of speeds to the coordinates. */
  const advance = (q: Float64Array, change: Float64Array = x, factor = 1): void => {
    const { x: given, y } = rates;
    given.set(q);
    for (let i = 0; i < nu; i++) given[nq + i] = factor * change[i]!;
    rates.evaluate();
    for (let i = 0; i < nq; i++) q[i]! += y[i]!;
    normalise(q);
  };

  /** Sets the right-hand side (0; -outputs from `first`). Returns its largest entry. */
  const misfit = (first: number): number => {
    b.fill(0, 0, nu);
    let worst = 0;
    for (let i = 0; i < m; i++) {
      b[nu + i] = -system.y[first + i]!;
      worst = Math.max(worst, Math.abs(b[nu + i]!));
    }
    return worst;
  };

  /**
   * f, ḟ and the corrections that make them zero, in the compiled order; undefined if the order is not suitable. The correction of speeds is
   * for the present coordinates, or for the corrected ones.
   */
  const look = (t: number, q: Float64Array, u: Float64Array, speeds: "here" | "after" = "here"): Float64Array | undefined => {
    looked.t = Number.NaN;
    const kernel = system.redundant === 0 && !system.isHeld ? changes.kernel : undefined;
    if (!kernel) return undefined;
    const { x: given, y } = kernel;
    given[0] = t;
    given.set(q, 1);
    given.set(u, 1 + nq);
    given.set(watched, 1 + nq + nu);
    given[1 + nq + nu + m] = speeds === "here" ? 0 : 1;
    hold(given);
    kernel.evaluate();
    if (!isOrderSuitable(y, ofChanges().order)) return undefined;
    changes.suited();
    looked.t = t;
    looked.q.set(q);
    return y;
  };
  const ofChanges = lazy(() => offsetsOf(changes.kernel!.outputs) as Record<"step" | "pull" | "du" | "order", number>);
  /** True if the outputs of the correction kernel are valid for w at a position. */
  const isLooked = (t: number, q: Float64Array, w: Float64Array): boolean => {
    if (looked.t !== t) return false;
    for (let i = 0; i < m; i++) if (watched[i] !== w[i]) return false;
    for (let i = 0; i < nq; i++) if (!(Math.abs(looked.q[i]! - q[i]!) <= SMALL_CHANGE)) return false;
    return true;
  };

  /** Inputs of the last evaluation. The audit evaluates where the last projection ended, and finds the result here. */
  let asked: Float64Array | undefined;
  /** f, then ḟ. */
  const residualsAt = (t: number, q: Float64Array, u: Float64Array): Float64Array => {
    const kernel = residuals();
    const { x: given, y } = kernel;
    given[0] = t;
    given.set(q, 1);
    given.set(u, 1 + nq);
    hold(given);
    if (asked && arraysEqual(asked, given)) return y;
    asked ??= new Float64Array(given.length);
    asked.set(given);
    kernel.evaluate();
    return y;
  };
  /** Returns the largest residual, and sets whether all its rates are rounding. */
  let kept = false;
  const misclosure = (t: number, q: Float64Array, u: Float64Array): number => {
    const y = residualsAt(t, q, u);
    kept = true;
    for (let i = m; i < 2 * m; i++) if (!(Math.abs(y[i]!) <= CLOSED_RATE)) kept = false;
    return largest(y, m);
  };

  /** Evaluates a state and returns the largest residual. `closing` then gives the corrections. */
  let seen: Float64Array | undefined;
  const inspect = (t: number, q: Float64Array, u: Float64Array, speeds?: "here" | "after"): number => {
    seen = look(t, q, u, speeds);
    if (!seen) {
      system.evaluate(t, q, u);
      return misfit(out.f);
    }
    return largest(seen, m);
  };
  /** Writes the correction of coordinates ("f") or speeds ("rates") at the inspected state into x. */
  const closing = (what: "f" | "rates"): void => {
    if (seen) {
      const first = what === "f" ? ofChanges().step : ofChanges().du;
      for (let i = 0; i < nu; i++) x[i] = seen[first + i]!;
      return;
    }
    misfit(out[what]);
    system.solve();
    if (!system.isHeld) changes.missed(system.order);
  };
  /** Corrects u to the nearest speeds that keep the loops closed at the inspected state. */
  const correctSpeeds = (u: Float64Array): void => {
    closing("rates");
    for (let i = 0; i < nu; i++) u[i]! += x[i]!;
  };

  return {
    residual(t, q, u, f, fdot) {
      const y = residualsAt(t, q, u);
      for (let i = 0; i < m; i++) {
        f[i] = y[i]!;
        fdot[i] = y[m + i]!;
      }
    },
    advanceCoordinates: advance,
    prepareWeakness(w) {
      watched.set(w);
    },
    weakness(t, q, w, pull) {
      const isKnown = isLooked(t, q, w);
      watched.set(w);
      const y = isKnown ? changes.kernel!.y : look(t, q, still);
      if (y) {
        const first = ofChanges().pull;
        for (let i = 0; i < n; i++) pull[i] = y[first + i]!;
      } else {
        system.evaluate(t, q);
        b.fill(0, 0, nu);
        b.set(w, nu);
        system.solve();
        changes.missed(system.order);
        pull.set(x);
      }
      weights ??= system.weights(t, q);
      for (let i = 0; i < m; i++) pull[nu + i]! += weights[i]! * w[i]!; // of M + Jᵀ W J, if M alone is singular
      let square = 0;
      for (let i = 0; i < m; i++) square += w[i]! * pull[nu + i]!;
      return 1 / Math.sqrt(Math.max(square, 0));
    },
    project(t, q, u, closed = CLOSED_RESIDUAL) {
      let before = Number.POSITIVE_INFINITY;
      normalise(q);
      for (let step = 0, worst = misclosure(t, q, u); ; step++) {
        if (worst <= closed && kept) return worst;
        if (worst <= closed || !(worst < 0.5 * before) || step === MAX_PROJECTION_STEPS) {
          inspect(t, q, u); // closed, or at the level of rounding
          correctSpeeds(u);
          return Math.min(worst, before);
        }
        inspect(t, q, u, "after");
        if (seen) correctSpeeds(u);
        closing("f");
        const size = largest(x, nu);
        advance(q);
        before = worst;
        worst = misclosure(t, q, u);
        if (seen && size <= SMALL_CHANGE && worst <= closed) return worst;
      }
    },
    assemble(t, q, u) {
      const start = new Float64Array(nq);
      normalise(q);
      system.holdBySprings(true);
      let worst = inspect(t, q, u);
      for (let step = 0; step < MAX_ASSEMBLY_STEPS && worst > CLOSED_RESIDUAL; step++) {
        start.set(q);
        closing("f");
        let better = Number.POSITIVE_INFINITY;
        for (let factor = 1; factor > SHORTEST_STEP_FACTOR && !(better < worst); factor /= 2) {
          q.set(start);
          advance(q, x, factor);
          better = inspect(t, q, u);
        }
        if (!(better < worst)) {
          q.set(start);
          inspect(t, q, u);
          break;
        }
        worst = better;
      }
      correctSpeeds(u);
      system.holdBySprings(false);
      return worst;
    },
  };
}

/** The largest magnitude among the first n values. */
function largest(values: Float64Array, n: number): number {
  let worst = 0;
  for (let i = 0; i < n; i++) worst = Math.max(worst, Math.abs(values[i]!));
  return worst;
}
