/** Quantities of a free-flying robot at one state, as `evaluate` returns them. */

export type Matrix = readonly (readonly number[])[];

/** The reduced equations H* φ̈ + C* = τ of the hinge speeds φ̇, and Jacobians that include the motion of the base. */
export interface FreeFlyingEvaluation {
  /** Name of the floating base. */
  readonly base: string;
  /** Names of the hinge speeds φ̇. */
  readonly speeds: readonly string[];
  /** Generalised inertia tensor, n × n. */
  readonly Hstar: Matrix;
  readonly Cstar: readonly number[];
  /** Motion of the base that the hinges cause: u_b = J_b φ̇ + drift; 6 × n. */
  readonly baseJacobian: Matrix;
  /** Generalised Jacobian of each frame of the robot, by name: ν = J* φ̇ + drift; 6 × n, angular then linear, world axes. */
  readonly generalisedJacobians: Readonly<Record<string, Matrix>>;
  /** With engaged loops. All quantities above then include them and what they hold; frames may be on any body. */
  readonly loops?: ClosedFreeFlying;
}

/** What engaged loops do to the hinges of a robot. */
export interface ClosedFreeFlying {
  /** Names of the engaged loops. */
  readonly names: readonly string[];
  /** Rows K of K φ̇ = 0 that bind the hinges to each other; none if the robot holds on with one arm. */
  readonly binding: Matrix;
  /** Names of hinge speeds that are independent; the binding gives the others. */
  readonly independent: readonly string[];
  /** Generalised Jacobian of each frame in these speeds. */
  readonly generalisedJacobians: Readonly<Record<string, Matrix>>;
}
