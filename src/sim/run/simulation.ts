/** A simulation that the caller advances, and its results. */
import type { GrowingLog } from "../../log/log.ts";
import type { DiscreteState } from "../events/discrete-state.ts";
import type { TimelineEntry } from "../events/event-plan.ts";
import type { Stepper } from "../integrators/integrator.ts";
import type { AuditRow } from "../record/audit.ts";
import type { TimedIntent } from "./controller-runner.ts";

export interface SimulationRun {
  readonly log: GrowingLog;
  readonly audit: readonly AuditRow[];
  /** Final t and y. */
  readonly t: number;
  readonly y: Float64Array;
  readonly end: "complete" | "stopped by event" | "interrupted";
  readonly events: readonly { readonly name: string; readonly t: number }[];
  /** Planned events that have happened, in order, with their impulses and energy losses. */
  readonly timeline: readonly TimelineEntry[];
  /** Planned events that have not happened. */
  readonly waiting: readonly string[];
  /** Reasons why they have not happened, where known. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Intents of controllers, each valid from its time until the next one of the same controller. */
  readonly intents: readonly TimedIntent[];
  /** Discrete states of a replayable run: engaged loops and friction modes, from sample to sample. */
  readonly phases: readonly DiscreteState[];
  readonly counts: Stepper["counts"];
}

/** A run that the caller advances step by step. */
export interface Simulation {
  readonly t: number;
  /** The samples so far; the log grows. */
  readonly log: GrowingLog;
  /** Intents of controllers so far; the list grows. */
  readonly intents: readonly TimedIntent[];
  /** Discrete states of a replayable run so far; the list grows. */
  readonly phases: readonly DiscreteState[];
  /** Advances by one step, event or update. Returns how the run ended, or undefined. @throws AuditError, StepError */
  advance(): Exclude<SimulationRun["end"], "interrupted"> | undefined;
  /** The results so far, also after an error. */
  result(end: SimulationRun["end"]): SimulationRun;
}
