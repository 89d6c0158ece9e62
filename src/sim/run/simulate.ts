/** Simulates a system: steps, controllers, schedules, events, recording, audit. */

import { ArgumentError } from "../../errors.ts";
import { frictionEvents, surfaceEvents } from "../events/element-events.ts";
import { switchEvents } from "../events/element-switches.ts";
import { EventDetector, type EventFunction } from "../events/event-detector.ts";
import { EventPlan, type PlannedEvent, setInputs } from "../events/event-plan.ts";
import type { Integrator, IntegratorOptions } from "../integrators/integrator.ts";
import { Audit, type AuditTolerances } from "../record/audit.ts";
import { Recorder, type RecorderOptions } from "../record/recorder.ts";
import { SINGULARITY_PASSED, singularityStepper } from "../singular/singularity-stepper.ts";
import type { Workspace } from "../system/workspace.ts";
import type { Controller } from "./controller.ts";
import { ControllerRunner } from "./controller-runner.ts";
import { InputSchedule } from "./input-schedule.ts";
import { RunningSimulation, type SimulationParts } from "./running-simulation.ts";
import type { Simulation, SimulationRun } from "./simulation.ts";
import { isMultipleOf, loopStepper, stepLoop } from "./step-loop.ts";

export interface SimulationOptions extends RecorderOptions {
  readonly duration: number;
  readonly integrator: Integrator;
  readonly settings?: IntegratorOptions;
  /** Time between recorded samples. Default: the step of a fixed-step integrator, else a 500th of the duration. */
  readonly sample?: number;
  readonly controllers?: readonly Controller[];
  readonly events?: readonly EventFunction[];
  /** Planned events: loops that engage, controllers that are enabled or disabled. */
  readonly plan?: readonly PlannedEvent[];
  /** Mode of the plan at the start. */
  readonly mode?: string;
  /** Held inputs at the start by name ("element.input"); default 0. Schedules, plans and controllers change them. */
  readonly inputs?: Readonly<Record<string, number>>;
  readonly tolerances?: AuditTolerances;
  /** Called after every step; "stop" ends the run cleanly with the results so far. */
  readonly progress?: (t: number) => "stop" | undefined;
}

/** Largest number of samples for which memory is reserved, and the reserve for samples at jumps. */
const MAX_EXPECTED_SAMPLES = 65_536;
const EXPECTED_JUMP_SAMPLES = 100;

/** Simulates from y0 at t = 0. @throws AuditError or StepError if the motion cannot be trusted. */
export function simulate(workspace: Workspace, y0: Float64Array, options: SimulationOptions): SimulationRun {
  const simulation = beginSimulation(workspace, y0, options);
  for (;;) {
    const end = simulation.advance();
    if (end !== undefined) return simulation.result(end);
    if (options.progress?.(simulation.t) === "stop") return simulation.result("interrupted");
  }
}

/** Starts a simulation that is advanced step by step. */
export function beginSimulation(
  workspace: Workspace,
  y0: Float64Array,
  options: Omit<SimulationOptions, "progress">,
): Simulation {
  const { duration, integrator } = options;
  const interval = sampleInterval(options);
  workspace.begin();
  setInputs(workspace, options.inputs);
  const controllers = new ControllerRunner(workspace, options.controllers ?? [], y0);
  workspace.inputLaw = controllers.inputVariation ? (t, y) => controllers.updateContinuous(t, y) : undefined;
  const plan = new EventPlan(workspace, [...switchEvents(workspace), ...(options.plan ?? [])], controllers, options.mode);
  const userEvents = options.events ?? [];
  const detector = new EventDetector(
    [
      ...frictionEvents(workspace),
      ...surfaceEvents(workspace, integrator.adaptive ? "adaptive" : "fixed"),
      ...plan.conditions,
      ...userEvents,
    ],
    workspace.layout.ny,
  );
  const expectedSamples = Math.min(MAX_EXPECTED_SAMPLES, duration / interval + EXPECTED_JUMP_SAMPLES);
  const recorder = new Recorder(workspace, options, controllers, y0, expectedSamples);
  const audit = new Audit(workspace, options.tolerances);
  const events: SimulationParts["events"] = [];
  const parts: SimulationParts = {
    workspace,
    duration,
    isAdaptive: integrator.adaptive,
    ...startStepper(workspace, options, interval, controllers, detector, events),
    controllers,
    schedule: new InputSchedule(workspace),
    plan,
    detector,
    userEvents,
    recorder,
    audit,
    interval,
    events,
  };
  return new RunningSimulation(parts, y0);
}

/** Time between samples. @throws ArgumentError if the duration or the interval is not positive and finite. */
function sampleInterval({ duration, integrator, settings = {}, sample }: Omit<SimulationOptions, "progress">): number {
  if (!(duration > 0 && Number.isFinite(duration)))
    throw new ArgumentError("options.duration", `must be a positive, finite time in s, got ${duration}`);
  const interval = sample ?? (integrator.adaptive ? duration / 500 : (settings.step ?? duration / 500));
  if (!(interval > 0 && Number.isFinite(interval)))
    throw new ArgumentError("options.sample", `must be a positive, finite time between samples in s, got ${interval}`);
  return interval;
}

/** The stepper of a run: a step loop in WebAssembly if nothing must happen between samples, else the integrator's steps. */
function startStepper(
  workspace: Workspace,
  { integrator, settings = {} }: Omit<SimulationOptions, "progress">,
  interval: number,
  controllers: ControllerRunner,
  detector: EventDetector,
  events: SimulationParts["events"],
): Pick<SimulationParts, "stepper" | "loopStep"> {
  const loop =
    detector.events.length === 0 && !workspace.inputLaw && isMultipleOf(interval, settings.step ?? 0)
      ? stepLoop(workspace, integrator)
      : undefined;
  if (loop) return { stepper: loopStepper(workspace, integrator, settings, loop), loopStep: settings.step };
  const { jacobian, ...others } = workspace.problem;
  // A numeric control law has no traced derivative.
  const problem = jacobian && controllers.inputVariation !== "with the state" ? { ...others, jacobian } : others;
  const note = (t: number): void => void events.push({ name: SINGULARITY_PASSED, t });
  const inner = integrator.start(problem, settings);
  return { stepper: singularityStepper(workspace, inner, integrator, settings, note), loopStep: undefined };
}
