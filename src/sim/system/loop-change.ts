/** Changes of loops during a run, and impulses. */

/** Impulse of one loop in an impact. */
export interface LoopImpulse {
  readonly loop: string;
  /** One impulse per row: N s or N m s. */
  readonly rows: readonly number[];
  /** Impulse on M's body at M's origin, in world axes: torque (3), force (3). Undefined for a loop of coordinates. */
  readonly wrench?: readonly number[];
}

/** Result of an engagement, a bump, a release, or an impulse from outside. */
export interface Impulse {
  /** Impulses of the engaged and bumped loops. */
  readonly loops: readonly LoopImpulse[];
  /** Impulse from outside at the origin of its frame, in world axes: torque (3), force (3). */
  readonly applied?: { readonly frame: string; readonly wrench: readonly number[] };
  /** J */
  readonly dissipated: number;
  /** Work of prescribed motions and of impulses from outside, J. */
  readonly supplied: number;
}

/** Loops by name. A bumped loop gives an impulse with a restitution, but does not engage. */
export interface LoopChange {
  readonly engage?: readonly string[];
  readonly release?: readonly string[];
  readonly bump?: readonly { readonly loop: string; readonly restitution: number }[];
}
