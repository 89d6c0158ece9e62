/** The interface of every integrator. A contract suite runs each of them through the same tests. */

import type { Kernel } from "../../kernel/run/kernel.ts";
import type { jacobian } from "../../kernel/trace/differentiate.ts";

/** ẏ = f(t, y). Writes `ydot`, keeps no reference to its arguments. */
export type Derivative = (t: number, y: Float64Array, ydot: Float64Array) => void;

/** The derivative as a WebAssembly kernel. */
export interface DerivativeCode {
  /** Its inputs `x` contain t, y and others; ẏ is its first output. It has `code`. */
  readonly kernel: Kernel;
  /** Indices of t and of the first component of y in `x`. */
  readonly t: number;
  readonly y: number;
  /** If given: ẏ is valid where the output after ẏ is below this; elsewhere use `derivative`. */
  readonly validBelow?: number;
  /** Call after each evaluation whose result was accepted. */
  markAccepted(): void;
}

export interface InitialValueProblem {
  readonly size: number;
  readonly derivative: Derivative;
  /** `derivative` as a kernel, while there is one. Explicit methods then run from stage to stage inside WebAssembly. */
  readonly code?: () => DerivativeCode | undefined;
  /** Lets other runs compute steps together with this one. Systems set it (see explicit/pairable-steps.ts). */
  readonly pairs?: unknown;
  /**
   * ∂f/∂y by rows. Without it implicit methods use finite differences. They pass the function that differentiates programs, so that pages
   * without such methods do not contain it.
   */
  readonly jacobian?: (t: number, y: Float64Array, J: Float64Array, differentiate: typeof jacobian) => void;
  /** Projects y at t back to the manifold after a step (unit quaternions, closed loops). Integrators that stay on it do not call it. */
  readonly project?: (y: Float64Array, t: number) => void;
  /**
   * Number of coordinates. They are the first components, and their rates depend on few others, q̇ = N u. Implicit integrators eliminate
   * them first, at almost no cost.
   */
  readonly coordinates?: number;
  /** Number of integrals. They are the last components, and no rate depends on them. */
  readonly integrals?: number;
  /** Weight of each component in the error norm, default 1. A component with weight 0 is not controlled. */
  readonly weights?: Float64Array;
}

/** Settings of the user. Fixed-step integrators need `step`. Adaptive ones use tolerances, and `step` is their largest step. */
export interface IntegratorOptions {
  readonly step?: number;
  readonly relativeTolerance?: number;
  readonly absoluteTolerance?: number;
}

/** Steps of equal size that other code makes in place of a stepper. */
export interface GridSteps {
  /** Size of a step, start of the grid, number of the last step in it, and end of the last planned step. */
  readonly h: number;
  readonly start: number;
  readonly k: number;
  readonly last: number;
  /** Plans steps toward `end`, at most `most`. Returns their number; zero if the next step must be made by the stepper. */
  plan(end: number, most: number): number;
  /** The first `steps` of the planned steps were made: the time and state after them, and time, state and derivative before the last one. */
  take(steps: number, t: number, y: Float64Array, previous: number, before: Float64Array, derivative: Float64Array): void;
}

/** Integrates one problem step by step. It owns its arrays. After the first step nothing is allocated. */
export interface Stepper {
  readonly t: number;
  /** y at t. Valid until the next call. */
  readonly y: Float64Array;
  /** Start of the last accepted step. */
  readonly previous: number;
  /** Restarts at (t, y), after a jump of the state or of the right-hand side. */
  restart(t: number, y: Float64Array): void;
  /** Makes one accepted step that does not pass `end`. A step that would leave a very short rest before `end` is stretched or split. */
  step(end: number): void;
  /** y at a time within the last accepted step, by dense output of at least order 3 (or as stated by the integrator). */
  interpolate(t: number, out: Float64Array): void;
  /**
   * Writes the largest magnitude of the rate of each component at the stages of the last step. Missing if a method has too few stages to bound
   * the motion between the ends of a step.
   */
  largestRates?(out: Float64Array): void;
  /** Missing if other code cannot make the steps. */
  readonly gridSteps?: GridSteps;
  /** True if `interpolate` returns states on the manifold: projecting them would only amplify rounding. */
  readonly onManifold?: boolean;
  readonly counts: { readonly steps: number; readonly rejected: number; readonly evaluations: number };
  /**
   * Everything that the next step needs from the last ones, as plain data (structuredClone accepts it). A fresh copy: the stepper goes on
   * without changing it.
   */
  save(): unknown;
  /**
   * Continues from saved data: the steps that follow are bit-identical to those that would have followed the save. The problem and the
   * options must be those of the saved stepper. @throws FormatError if the data does not fit; call `restart` or `restore` before the next
   * step then.
   */
  restore(saved: unknown): void;
}

export interface Integrator {
  readonly name: string;
  readonly about: string;
  readonly order: number;
  readonly adaptive: boolean;
  start(problem: InitialValueProblem, options: IntegratorOptions): Stepper;
}
