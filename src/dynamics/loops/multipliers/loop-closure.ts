/**
 * Projection onto the loops. The matrix of the equations of motion projects: with r = 0 and the residual in place of the bias its solution
 * is the smallest change, measured by kinetic energy, that closes the loops. Its factors, compiled in one pivot order, also give the weakest
 * equation.
 */
import type { Model } from "../../../model/model.ts";
import { LoopProjection } from "./loop-projection.ts";
import type { LoopKernelOptions, LoopSystem } from "./loop-system.ts";
import type { ProjectionCode } from "./projection-code.ts";

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
  /** As `assemble`, but only the coordinates of the free speeds change, and no speeds. The start may be singular. */
  assembleHolding(t: number, q: Float64Array, free: readonly number[]): number;
  /** Changes the free speeds in u until the loops stay closed, by the smallest kinetic energy. Returns the largest rate of a residual left. */
  speedsHolding(t: number, q: Float64Array, u: Float64Array, free: readonly number[]): number;
  /** Adds to q its change under speeds u during a time, to first order. */
  advanceCoordinates(q: Float64Array, u: Float64Array, time: number): void;
  /**
   * For a unit change w of the residuals, writes into `pull`: the smallest change of speeds that causes it, J⁺ w, and (J M⁻¹ Jᵀ)⁻¹ w, which
   * is w turned toward the weakest equation. Returns 1 / |J⁺ w| in the metric of the mass matrix: it is small near a singular position.
   */
  weakness(t: number, q: Float64Array, w: Float64Array, pull: Float64Array): number;
  /** Choices made at earlier states as plain data that structuredClone accepts, a fresh copy. */
  save(): unknown;
  /** Takes over saved choices: what follows has the same bits as what followed the save. @throws FormatError if they do not fit. */
  restore(saved: unknown, path?: string): void;
  /** Announces that `weakness` will be called for this w after the next projection. Then one factorisation serves both. */
  prepareWeakness(w: Float64Array): void;
  /** `project` inside WebAssembly, ready for calls; undefined if it is not possible at present. */
  projectionCode(): ProjectionCode | undefined;
  /** Call after calls of that code, before anything else here. Were any of its states accepted, and is its last one a state of the motion? */
  projectedInside(hasAccepted: boolean, isLastAccepted: boolean): void;
  /** Weights that `weakness` gives to the equations; undefined before its first call. */
  weaknessWeights(): Float64Array | undefined;
}

export function loopClosure(model: Model, system: LoopSystem, options: LoopKernelOptions): LoopClosure {
  const projection = new LoopProjection(model, system, options);
  return {
    residual: (t, q, u, f, rates) => projection.residual(t, q, u, f, rates),
    project: (t, q, u, closed) => projection.project(t, q, u, closed),
    assemble: (t, q, u) => projection.assemble(t, q, u),
    assembleHolding: (t, q, free) => projection.assembleHolding(t, q, free),
    speedsHolding: (t, q, u, free) => projection.speedsHolding(t, q, u, free),
    advanceCoordinates: (q, u, time) => projection.advance(q, u, time),
    weakness: (t, q, w, pull) => projection.weakness(t, q, w, pull),
    prepareWeakness: (w) => projection.prepareWeakness(w),
    projectionCode: () => projection.code(),
    projectedInside: (hasAccepted, isLastAccepted) => projection.projectedInside(hasAccepted, isLastAccepted),
    weaknessWeights: () => projection.weights,
    save: () => projection.save(),
    restore: (saved, path = "closure") => projection.restore(saved, path),
  };
}
