/** Motion: a system of model, forces and formulation, run through time; its events, channels and audit. */

export type { Channel, GrowingLog, Log, SampleBlock } from "../log/log.ts";
export type { DiscreteState } from "./events/discrete-state.ts";
export { changeLoops, type Impulse, type LoopChange, type LoopImpulse } from "./events/engagement.ts";
export type { Actions, PlannedEvent, TimelineEntry } from "./events/event-plan.ts";
export { INTEGRATORS, type IntegratorName } from "./integrators/index.ts";
export type {
  DerivativeCode,
  InitialValueProblem,
  Integrator,
  IntegratorOptions,
  Stepper,
} from "./integrators/integrator.ts";
export type { AuditRow, AuditTolerances } from "./record/audit.ts";
export { drawnForces } from "./record/drawn-forces.ts";
export { carriedLoads, type Load, loopLoads } from "./record/frame-loads.ts";
export { Replay } from "./record/replay.ts";
export type { Controller, Intent } from "./run/controller.ts";
export type { TimedIntent } from "./run/controller-runner.ts";
export { type SimulationOptions, simulate } from "./run/simulate.ts";
export type { SimulationRun } from "./run/simulation.ts";
export { type Assembly, assemble } from "./system/assembly.ts";
export type { DrawnForce, ForceElement } from "./system/force-element.ts";
export type { Observation } from "./system/observer.ts";
export { createSystem, type System, type SystemOptions } from "./system/system.ts";
