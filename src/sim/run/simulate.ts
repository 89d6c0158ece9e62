/** Simulates a system from a state to the end of the run: steps, controllers, schedules, events, recording, audit. */
import { checkMembers, checkPositive, refuseArgument } from "../../arguments.ts";
import { MAX_STEPS } from "../../declare/limits.ts";
import { ArgumentError, StepError } from "../../errors.ts";
import type { State } from "../state.ts";
import type { System } from "../system/system.ts";
import type { SimulationOptions } from "./run-options.ts";
import type { SavedRun } from "./saved-run.ts";
import { Simulation, type SimulationRun } from "./simulation.ts";

export interface SimulateOptions extends SimulationOptions {
  /** Time at which the run ends, s. */
  readonly duration: number;
  /** Called after every step; "stop" ends the run cleanly with the results so far. */
  readonly progress?: (t: number) => "stop" | undefined;
  /** Largest number of steps, events and updates. Beyond it the run is interrupted. Default: 1e8, which is an error. */
  readonly maxSteps?: number;
  /** Longest wall time, s. Beyond it the run is interrupted. */
  readonly maxSeconds?: number;
}

/** The error of a run that needs more steps than a user can wait for. */
export const tooManySteps = (t: number): StepError =>
  new StepError(`more than ${MAX_STEPS} steps: the integrator needs ever smaller steps`, t);

/** Simulates from a state, or from a saved run. @throws AuditError, StepError or SingularError if the motion cannot be trusted. */
export function simulate(system: System, from: State | SavedRun, options: SimulateOptions): SimulationRun {
  checkMembers("options", options, [], "an object with options, e.g. { duration: 10 }");
  const { progress, maxSteps = Number.POSITIVE_INFINITY, maxSeconds, ...others } = options;
  if (others.duration === undefined)
    throw new ArgumentError("options.duration", "is missing. Give the time at which the run ends, s");
  if (options.maxSteps !== undefined) checkPositive("options.maxSteps", maxSteps);
  if (maxSeconds !== undefined) checkPositive("options.maxSeconds", maxSeconds);
  if (progress !== undefined && typeof progress !== "function") refuseArgument("options.progress", "a function", progress);
  const latest = maxSeconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * maxSeconds;
  const simulation = new Simulation(system, from, others);
  const samples = progress === undefined && options.maxSteps === undefined ? Number.POSITIVE_INFINITY : 1;
  for (let step = 1; ; step++) {
    if (simulation.advance(undefined, samples) !== undefined) return simulation.result();
    if (progress?.(simulation.t) === "stop" || step >= maxSteps) return simulation.result();
    if (maxSeconds !== undefined && performance.now() > latest) return simulation.result();
    if (step > MAX_STEPS && options.maxSteps === undefined) throw tooManySteps(simulation.t);
  }
}
