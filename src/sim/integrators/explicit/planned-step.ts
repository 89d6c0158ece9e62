/** Steps that can be computed together with those of another run, and their results: see paired-steps.ts. */
import type { DerivativeCode, InitialValueProblem } from "../integrator.ts";
import type { ErrorNorm } from "../stepping/error-norm.ts";
import type { Tolerances } from "../stepping/settings.ts";
import type { EmbeddedMethod } from "./tableau.ts";

/**
 * The step that a stepper makes next, as an explicit method computes it in compiled code. A pair of them can be computed at once; the stepper then takes the result instead of computing it.
 */
export interface PlannedStep {
  readonly method: EmbeddedMethod;
  readonly code: DerivativeCode;
  /** Start and end of the step, its size, and state and derivative at its start. */
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly y: Float64Array;
  readonly rate: Float64Array;
  /** Error norm. */
  readonly tolerances: Tolerances;
  readonly norm: ErrorNorm;
  /** True if the state inside of the step will probably be read. */
  readonly isRead: boolean;
  readonly project: InitialValueProblem["project"];
  /** Takes the result. It is used if the next step is this one. */
  take(result: PairedResult): void;
}

/** A step of one of two runs. It is valid until the next step of the pair. */
export interface PairedResult {
  readonly start: number;
  readonly end: number;
  readonly size: number;
  /** True if the state at the end is finite. */
  readonly isFinite: boolean;
  /** In units of the tolerance; NaN if the derivative at the end is not finite. */
  readonly error: number;
  /** True if the output inside of the step is prepared. */
  readonly hasOutput: boolean;
  /** Copies the state at the end. */
  readState(out: Float64Array): void;
  /** Copies the stage derivatives after the first one. */
  readStages(K: readonly Float64Array[]): void;
  /** Copies the stage derivatives and the terms of the output. */
  readOutput(K: readonly Float64Array[], F: Float64Array): void;
}

type Plan = (end: number) => PlannedStep | undefined;

/** Beside the steppers and simulations, because it is not part of their public interface. */
const PLANS = new WeakMap<object, Plan>();

/** Says how to find the next step of a stepper or of a simulation. Finding it changes nothing. */
export const setPlan = (owner: object, plan: Plan): void => void PLANS.set(owner, plan);

/** The next step, which does not pass `end`, if it can be computed together with that of another run. */
export const plannedStep = (owner: object, end = Number.POSITIVE_INFINITY): PlannedStep | undefined => PLANS.get(owner)?.(end);
