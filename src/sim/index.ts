/** Motion: a system of model, forces and formulation, run through time; its events, channels and audit. */

export type { Channel, GrowingLog, Log, SampleBlock } from "../log/log.ts";
export { createSystem, createTreeSystem } from "./create-system.ts";
export { changeLoops } from "./events/engagement.ts";
export type { Actions, TimelineEntry } from "./events/event-actions.ts";
export type { PlannedComparisons } from "./events/event-channels.ts";
export type { RunEvent } from "./events/event-detector.ts";
export type { PlannedEvent } from "./events/event-plan.ts";
export { INTEGRATORS, type IntegratorName } from "./integrators/index.ts";
export type {
  Derivative,
  DerivativeCode,
  GridSteps,
  InitialValueProblem,
  Integrator,
  IntegratorOptions,
  Stepper,
} from "./integrators/integrator.ts";
export type { AuditChannel, AuditRow, AuditTolerances } from "./record/audit.ts";
export { drawnForces } from "./record/drawn-forces.ts";
export { contactPatches } from "./record/drawn-patches.ts";
export { carriedLoads, type Load, loopLoads } from "./record/frame-loads.ts";
export type { DerivedQuantity, Peak, PeakOptions } from "./record/peaks/peak-options.ts";
export type { Phase } from "./record/phases.ts";
export type { RecorderOptions } from "./record/recorder.ts";
export { Replay } from "./record/replay.ts";
export type { Controller, Intent } from "./run/controller.ts";
export type { TimedIntent } from "./run/controller-runner.ts";
export type { RunEnd } from "./run/run-loop.ts";
export type { SimulationOptions } from "./run/run-options.ts";
export type { SavedRun } from "./run/saved-run.ts";
export { type SimulateOptions, simulate } from "./run/simulate.ts";
export { type ControlStep, Simulation, type SimulationRun } from "./run/simulation.ts";
export type { StepCompany } from "./run/step-meeting.ts";
export type * from "./state.ts";
export { type Assembly, type AssemblyOptions, assemble } from "./system/assembly.ts";
export type { DrawnForce, DrawnPatch, ForceElement, SkyView, Vec3Names } from "./system/force-element.ts";
export type { Layout } from "./system/layout.ts";
export type { Impulse, LoopChange, LoopImpulse } from "./system/loop-change.ts";
export type { Coordinates } from "./system/mass-centre/free-floating.ts";
export type { Observation } from "./system/observer.ts";
export type { MassCentreState, StartOptions } from "./system/start-state.ts";
export type { System, SystemOptions } from "./system/system.ts";
