/** Changes of loops during a run, and the impulses that they cause. */

/** Impulse of one loop in an impact. */
export interface LoopImpulse {
  readonly loop: string;
  /** One impulse per row: N s or N m s. */
  readonly rows: readonly number[];
  /** Impulse on M's body at M's origin, in world axes: torque (3), force (3). Undefined for a loop of coordinates. */
  readonly wrench?: readonly number[];
}

/** Result of an engagement, a bump or a release. */
export interface Impulse {
  readonly loops: readonly LoopImpulse[];
  /** J */
  readonly dissipated: number;
  /** Work of prescribed motions, J. */
  readonly supplied: number;
}

/** Loops by name. A bumped loop gives an impulse with a restitution, but does not engage. */
export interface LoopChange {
  readonly engage?: readonly string[];
  readonly release?: readonly string[];
  readonly bump?: readonly { readonly loop: string; readonly restitution: number }[];
}
