/** The interface of every integrator. A contract suite runs each of them through the same tests. */

import type { Kernel } from "../../kernel/run/kernel.ts";

/** ẏ = f(t, y). Writes `ydot`, keeps no reference to its arguments. */
export type Derivative = (t: number, y: Float64Array, ydot: Float64Array) => void;

/** The derivative as a kernel of WebAssembly. */
export interface DerivativeCode {
  /** Of t, y and others, which its own `x` has: first of its outputs is ẏ. It has `code`. */
  readonly kernel: Kernel;
  /** Where t and y begin in `x`. */
  readonly t: number;
  readonly y: number;
  /** The output behind ẏ is below this where ẏ is right; elsewhere only `derivative` knows it. */
  readonly below?: number;
  /** To be told when it was. */
  markAccepted(): void;
}

export interface InitialValueProblem {
  readonly size: number;
  readonly derivative: Derivative;
  /** `derivative` as a kernel, while there is one: explicit methods then run inside WebAssembly from stage to stage. */
  readonly code?: () => DerivativeCode | undefined;
  /** ∂f/∂y by rows, where it is known; else finite differences serve. */
  readonly jacobian?: (t: number, y: Float64Array, J: Float64Array) => void;
  /** Brings y at t back to the manifold after a step (unit quaternions, closed loops). Not called by integrators that stay on it. */
  readonly project?: (y: Float64Array, t: number) => void;
  /**
   * So many components come first that are coordinates, whose rates follow from few others, q̇ = N u: implicit integrators eliminate them
   * first, at next to no cost.
   */
  readonly coordinates?: number;
  /** So many components come last that are integrals: no rate depends on them. */
  readonly integrals?: number;
  /** Weight of each component in the error norm, 1 if not given; 0 takes it out of the error control. */
  readonly weights?: Float64Array;
}

/** What the user chooses. Fixed-step integrators need `step`; adaptive ones take tolerances and use `step` as the largest. */
export interface IntegratorOptions {
  readonly step?: number;
  readonly relativeTolerance?: number;
  readonly absoluteTolerance?: number;
}

/** Steps one problem. Owns its arrays; after the first step nothing is allocated. */
export interface Stepper {
  readonly t: number;
  /** y at t. Valid until the next call. */
  readonly y: Float64Array;
  /** Start of the last accepted step. */
  readonly previous: number;
  /** Begins anew at (t, y), after a jump of the state or of the right-hand side. */
  restart(t: number, y: Float64Array): void;
  /** One accepted step that does not pass `end`; a step that would leave a sliver before `end` is stretched or split. */
  step(end: number): void;
  /** y at a time within the last accepted step, by dense output of at least order 3 (or as stated by the integrator). */
  interpolate(t: number, out: Float64Array): void;
  /** What `interpolate` gives lies on the manifold as it is: projecting would only magnify rounding there. */
  readonly onManifold?: boolean;
  readonly counts: { readonly steps: number; readonly rejected: number; readonly evaluations: number };
}

export interface Integrator {
  readonly name: string;
  readonly about: string;
  readonly order: number;
  readonly adaptive: boolean;
  start(problem: InitialValueProblem, options: IntegratorOptions): Stepper;
}

/** A step could not be made: when, how small it had become, and what to try. */
export class StepError extends Error {
  override readonly name = "StepError";
  /** Time from which the step could not be made. */
  readonly t: number;

  constructor(message: string, t: number) {
    super(message);
    this.t = t;
  }
}
