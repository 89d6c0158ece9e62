/** What every formulation gives for a model, however it computes it. They share no recursion: their agreement is evidence. */
import type { Target } from "../kernel/run/kernel.ts";
import type { Model } from "../model/model.ts";

export type FormulationName = "matrix" | "kane" | "articulated" | "partition" | "minimal";

export interface DeriveOptions {
  /** Frames (or bodies, by name) at which external wrenches act. Each adds 6 numbers to `w`. */
  readonly wrenches?: readonly string[];
  /** How kernels are run; WebAssembly if not given. */
  readonly target?: Target;
  /** The numbers at which loops hold as found (see model/loops/engaged-loop-parameters.ts): read at every call, so that they may change between calls. */
  readonly engagedParameters?: Float64Array;
  /**
   * `partition` and `minimal`: other dependents are chosen where the independents move them more than so many times their own motion, in
   * kinetic energy. 8 and 2 if not given; Infinity: never.
   */
  readonly switchGrowth?: number;
}

/** Copies the numbers at which loops hold to their place among the inputs of a kernel: the last. */
export const engagedParameterWriter =
  (found: Float64Array = new Float64Array(0)) =>
  (x: Float64Array): void => {
    if (found.length > 0) x.set(found, x.length - found.length);
  };

/** How far the rows of all loops are independent of each other. */
export interface LoopRank {
  /** Number of independent rows. */
  readonly rank: number;
  /**
   * Combinations of multipliers, one number for each row, that do nothing to the motion: orthonormal, none where all rows are
   * independent. Reactions of rows that take part in one are not unique.
   */
  readonly dependencies: readonly Float64Array[];
  /** One for each row, largest first: of the rows as directions in the metric of the mass matrix, each of unit length. */
  readonly singularValues?: Float64Array;
}

/**
 * The equations of motion of one model. Arrays are the caller's, and no call allocates but where rows of loops depend on each other.
 *
 * - `tau`: generalised forces, one per speed, dual to u: torque about a turn, force along a slide; for spherical and free
 *   hinges in F axes. They act on the body, and their opposite on the parent.
 * - `w`: for each frame of `wrenches` torque (3), then force (3), in world axes, at the frame's origin.
 */
export interface Equations {
  readonly formulation: FormulationName;
  readonly model: Model;
  /** Length of w. */
  readonly nw: number;
  /** u̇ */
  accelerations(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, udot: Float64Array, t?: number): void;
  /** For each body torque (3), then force (3) that the parent exerts on it through the hinge, tau included: world axes, at M's origin. */
  reactions(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, out: Float64Array, t?: number): void;
  /**
   * The multiplier of every row of every loop, in their order: the row's wrench (see model/loop.ts) times it acts on M's body, its
   * opposite on F's; a loop of coordinates exerts factor times it along each. Of multipliers that are not unique the smallest.
   */
  loopForces(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, out: Float64Array, t?: number): void;
  /** f of every row of every loop, then ḟ: zero where the loops are closed and stay so. */
  loopErrors(q: Float64Array, u: Float64Array, out: Float64Array, t?: number): void;
  /** Which rows of the loops depend on each other at a position. Allocates. */
  loopRank?(q: Float64Array, t?: number): LoopRank;
  /** Where coordinates and speeds of dependents follow from the others: loops are closed by this, and not by projection. */
  readonly dependents?: Dependents;
  /** [kinetic, potential of gravity (zero at the world origin)] */
  energy(q: Float64Array, u: Float64Array, out: Float64Array): void;
  /** [angular about the world origin (3), linear (3)], world axes. */
  momentum(q: Float64Array, u: Float64Array, out: Float64Array): void;
}

export interface Dependents {
  /** Puts dependent coordinates and speeds, in place, to where the independent ones say. */
  complete(q: Float64Array, u: Float64Array, t: number): void;
  /** Chooses others where they have become bad; between steps, at a state that is complete. */
  rechoose(q: Float64Array, t: number): void;
}

export interface Formulation {
  readonly name: FormulationName;
  derive(model: Model, options?: DeriveOptions): Equations;
}
