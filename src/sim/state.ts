/**
 * State: everything that a run is at an instant, as plain data that `structuredClone` accepts. The structure is in the System, the scratch
 * memory is in the Simulation.
 */

export interface State {
  /** s */
  readonly t: number;
  /** Coordinates, speeds, internal states of force elements, and the ledger of the audit: see system/layout.ts. */
  readonly y: Float64Array;
  /** Inputs that are held between updates, in the order of `System.inputs`. */
  readonly inputs: Float64Array;
  readonly discrete: DiscreteState;
  /** What the next step needs from the last ones. Without it the run continues as after a restart. */
  readonly method?: MethodState;
}

export interface DiscreteState {
  /** The engaged loops, with the parameters that they took when they engaged. */
  readonly loops: HeldLoops;
  /** Mode of each friction contact. */
  readonly friction: readonly FrictionMode[];
  /** Memory of force elements, such as tracks in the ground: one entry per memory. */
  readonly memories: readonly unknown[];
  /** What controllers and events keep. Without it they start at this state. */
  readonly run?: RunState;
}

export interface RunState {
  readonly controllers: readonly ControllerState[];
  readonly plan: PlanState;
  /** For each element with a schedule, the number of its next entry. */
  readonly schedule: readonly number[];
  /** Sign of each event function at this state. */
  readonly signs: Float64Array;
}

export interface MethodState {
  /** Name of the integrator. */
  readonly integrator: string;
  /** What the integrator keeps: step size, stages, Jacobian. */
  readonly stepper: unknown;
  /** What the formulation keeps for each set of loops: pivot orders, ranks, dependent coordinates. */
  readonly equations: readonly SavedLoopSet[];
}

/** Slipping backward, sticking, slipping forward. */
export type FrictionMode = -1 | 0 | 1;

/** How each engaged loop was engaged: as the model declares it, or with parameters measured at the engagement. */
export type HeldLoops = ReadonlyMap<string, "declared" | readonly number[]>;

/** How each loop of a set is engaged. */
export type EngagedKinds = ReadonlyMap<string, "declared" | "found">;

/** Memory of the equations of a set of loops: pivot orders, ranks, dependent coordinates. Plain data. */
export interface SavedLoopSet {
  readonly loops: EngagedKinds;
  readonly closed?: unknown;
  readonly equations?: unknown;
}

/** Memory of a plan between events. Plain data. */
export interface PlanState {
  /** "" if the plan has no modes. */
  readonly mode: string;
  readonly events: readonly {
    readonly name: string;
    /** Time of the last occurrence, s; NaN if there was none. */
    readonly last: number;
    /** The condition was true at its last check. */
    readonly wasTrue: boolean;
    readonly memory: Float64Array;
  }[];
}

/** Memory of a controller between updates. Plain data. */
export interface ControllerState {
  readonly name: string;
  readonly isOn: boolean;
  /** Number of the next sample, or of the next break of a continuous law. */
  readonly next: number;
  /** Its memory, encoded: see Controller.encode. */
  readonly memory: unknown;
  /** Values of its channels. */
  readonly values: Float64Array;
  /** Null if its commands do not ramp. */
  readonly ramp: unknown;
}
