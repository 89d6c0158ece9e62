/** What every formulation gives for a model, however it computes it. They share no recursion: their agreement is evidence. */
import type { Target } from "../kernel/kernel.ts";
import type { Model } from "../model/model.ts";

export type FormulationName = "matrix" | "kane" | "articulated";

export interface DeriveOptions {
  /** Frames (or bodies, by name) at which external wrenches act. Each adds 6 numbers to `w`. */
  readonly wrenches?: readonly string[];
  /** How kernels are run; WebAssembly if not given. */
  readonly target?: Target;
}

/**
 * The equations of motion of one model. Arrays are the caller's, and no call allocates.
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
  /** [kinetic, potential of gravity (zero at the world origin)] */
  energy(q: Float64Array, u: Float64Array, out: Float64Array): void;
  /** [angular about the world origin (3), linear (3)], world axes. */
  momentum(q: Float64Array, u: Float64Array, out: Float64Array): void;
}

export interface Formulation {
  readonly name: FormulationName;
  derive(model: Model, options?: DeriveOptions): Equations;
}
