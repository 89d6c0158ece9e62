/** The interface of every formulation. The formulations share no recursion, so their agreement is evidence. */
import type { Target } from "../kernel/run/kernel.ts";
import type { Program } from "../kernel/trace/program.ts";
import type { Model } from "../model/model.ts";

export type FormulationName = "matrix" | "kane" | "articulated" | "partition" | "minimal";

export interface DeriveOptions {
  /** Frames (or bodies) at which external wrenches act, by name. Each adds 6 numbers to `w`. */
  readonly wrenches?: readonly string[];
  /** Target of the compiled kernels; WebAssembly if not given. */
  readonly target?: Target;
  /**
   * Parameters of loops that were engaged as found (see model/loops/engaged-loop-parameters.ts). They are read at every call, so they may
   * change between calls.
   */
  readonly engagedParameters?: Float64Array;
  /**
   * `partition` and `minimal`: the dependents are chosen again where the independents move them more than this many times their own motion,
   * measured by kinetic energy. 8 and 2 if not given; Infinity disables it.
   */
  readonly switchGrowth?: number;
}

/** Returns a function that copies the parameters of engaged loops into the inputs of a kernel, where they are the last. */
export const engagedParameterWriter =
  (found: Float64Array = new Float64Array(0)) =>
  (x: Float64Array): void => {
    if (found.length > 0) x.set(found, x.length - found.length);
  };

/** Rank of the rows of all loops. */
export interface LoopRank {
  /** Number of independent rows. */
  readonly rank: number;
  /**
   * Combinations of multipliers, one number for each row, that do not change the motion. They are orthonormal; there are none if all rows
   * are independent. The multipliers of rows that appear in a combination are not unique.
   */
  readonly dependencies: readonly Float64Array[];
  /** Singular values, one for each row, largest first. The rows are unit vectors in the metric of the mass matrix. */
  readonly singularValues?: Float64Array;
}

/**
 * The equations of motion of one model. The caller owns all arrays. No call allocates, except where rows of loops depend on each other.
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
  /**
   * The accelerations as a program q, u, tau, w, t → u̇ and a number that is zero where they are valid; elsewhere only `accelerations` knows
   * more. It has the operations of `accelerations`, so the results have the same bits. Missing or undefined where they are not one program.
   */
  program?(): Program | undefined;
  /**
   * For each body the torque (3), then the force (3) that the parent exerts on it through the hinge, tau included. World axes, at M's
   * origin.
   */
  reactions(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, out: Float64Array, t?: number): void;
  /**
   * The multiplier λ of every row of every loop, in their order. λ times the row's wrench (see model/loop.ts) acts on M's body, and its
   * opposite on F's body; a loop of coordinates exerts λ times its factor along each coordinate. If multipliers are not unique, these are
   * the smallest.
   */
  loopForces(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, out: Float64Array, t?: number): void;
  /** f of every row of every loop, then ḟ. Both are zero while the loops stay closed. */
  loopErrors(q: Float64Array, u: Float64Array, out: Float64Array, t?: number): void;
  /** Rank of the rows of the loops at a position. Allocates. */
  loopRank?(q: Float64Array, t?: number): LoopRank;
  /** Present if dependent coordinates and speeds follow from the independent ones. Then they close the loops, and no projection is needed. */
  readonly dependents?: Dependents;
  /**
   * Choices made at earlier states (pivot orders, ranks, dependents) as plain data that structuredClone accepts, a fresh copy. Equations of
   * `articulated` with shared `closedLoops` save only what is their own: whoever shares the loops saves them.
   */
  save(): unknown;
  /**
   * Takes over saved choices: what follows has the same bits as what followed the save. The data must come from equations of the same
   * formulation and model with the same options. @throws FormatError if the data does not fit; then some choices may have been taken over.
   */
  restore(saved: unknown): void;
  /** [kinetic, potential of gravity (zero at the world origin)] */
  energy(q: Float64Array, u: Float64Array, out: Float64Array): void;
  /** [angular about the world origin (3), linear (3)], world axes. */
  momentum(q: Float64Array, u: Float64Array, out: Float64Array): void;
}

export interface Dependents {
  /** Computes the dependent coordinates and speeds from the independent ones, in place. */
  complete(q: Float64Array, u: Float64Array, t: number): void;
  /**
   * Chooses other dependents if the present ones have become ill conditioned. Call it between steps, at a state that `complete` has
   * returned.
   */
  rechoose(q: Float64Array, t: number): void;
}

export interface Formulation {
  readonly name: FormulationName;
  derive(model: Model, options?: DeriveOptions): Equations;
}
