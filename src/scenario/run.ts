/** Runs a scenario. The run yields to the event loop regularly, so that the caller can show progress and abort it. */

import { checkMembers, checkOptions, checkPositive, refuseArgument } from "../arguments.ts";
import { MAX_STEPS } from "../declare/limits.ts";
import type { FormulationName } from "../dynamics/formulation.ts";
import { AuditError, type CastorError, ModelError } from "../errors.ts";
import type { GrowingLog } from "../log/log.ts";
import type { Integrator } from "../sim/integrators/integrator.ts";
import type { PeakOptions } from "../sim/record/peaks/peak-options.ts";
import type { SimulationOptions } from "../sim/run/run-options.ts";
import type { SavedRun } from "../sim/run/saved-run.ts";
import { tooManySteps } from "../sim/run/simulate.ts";
import { Simulation, type SimulationRun } from "../sim/run/simulation.ts";
import type { StepCompany } from "../sim/run/step-meeting.ts";
import type { State } from "../sim/state.ts";
import { isRunFailure, type PreparedScenario, prepareScenario } from "./prepare.ts";
import { checkScenario, type Scenario } from "./scenario.ts";

export interface RunOptions {
  /** Replaces the formulation of the scenario. */
  readonly formulation?: FormulationName;
  readonly integrator?: Integrator;
  /** See `SimulationOptions.replayable`. */
  readonly replayable?: boolean;
  /** Called about twenty times per second with the simulated time, the log so far, and the intents and phases so far. */
  readonly progress?: (t: number, log: GrowingLog, soFar: Pick<SimulationRun, "intents" | "phases">) => void;
  /** Aborts the run; the result is what was simulated until then. */
  readonly signal?: AbortSignal;
  /** Pauses the run after the first accepted step that reaches this time, s. It does not change the steps. */
  readonly until?: number;
  /** Saves the end of the run, so that it can be continued: see `ScenarioRun.saved`. */
  readonly save?: boolean;
  /** Continues this saved run instead of starting at the initial state. */
  readonly from?: SavedRun;
  /** Quantities to follow on the continuous motion, in addition to those of the limits: see `SimulationRun.peaks`. */
  readonly peaks?: readonly PeakOptions[];
  /** Another run with which this one makes its steps: see `StepMeeting`. */
  readonly company?: StepCompany;
}

/** A record, so that the compiler finds an option that is missing here. */
const RUN_OPTIONS: Readonly<Record<keyof RunOptions, true>> = {
  formulation: true,
  integrator: true,
  replayable: true,
  progress: true,
  signal: true,
  until: true,
  save: true,
  from: true,
  peaks: true,
  company: true,
};

export interface ScenarioRun extends PreparedScenario {
  readonly run: SimulationRun;
  /** The end of the run, from which it can be continued, if that was asked for. */
  readonly saved?: SavedRun;
  /** Error that ended the run; `run` is what was simulated until then. */
  readonly failure?: CastorError;
  /** Wall time of the simulation, and of the compilation before it, s. */
  readonly seconds: number;
  readonly compileSeconds: number;
}

/** Time between two yields to the event loop, ms. The first is short, so that progress is visible immediately. */
const SLICE_MS = 50;
const FIRST_SLICE_MS = 8;

/** Yields to the event loop without delay. A timer would wait at least 1 ms, and 4 ms if nested in browsers. */
const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === "function") return setImmediate(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

/** Checks the options of runs that a caller watches. @throws ArgumentError */
export function checkCallbacks({ progress, signal }: { readonly progress?: unknown; readonly signal?: unknown }): void {
  if (progress !== undefined && typeof progress !== "function") refuseArgument("options.progress", "a function", progress);
  if (signal !== undefined) checkMembers("options.signal", signal, ["aborted"], "the signal of an AbortController");
}

/** Runs a scenario. @throws ModelError if it cannot start; failures during the motion are in the result. */
export async function runScenario(scenario: Scenario, options: RunOptions = {}): Promise<ScenarioRun> {
  checkScenario(scenario);
  checkOptions("options", options, Object.keys(RUN_OPTIONS));
  checkCallbacks(options);
  if (options.until !== undefined) checkPositive("options.until", options.until);
  const beforeCompiling = performance.now();
  const prepared = options.from
    ? prepareContinued(scenario, options.formulation)
    : prepareScenario(scenario, options.formulation);
  await yieldToEventLoop(); // pending work of the compilation finishes before the motion is timed
  const startTime = performance.now();
  const { integrator = prepared.options.integrator, replayable = false } = options;
  const peaks = [...(prepared.options.peaks ?? []), ...(options.peaks ?? [])];
  const simulation = startSimulation(prepared, options.from ?? prepared.start, {
    ...prepared.options,
    integrator,
    replayable,
    peaks,
  });
  const outcome = await advanceInSlices(simulation, options);
  return {
    ...prepared,
    ...outcome,
    ...(options.save && !outcome.failure && { saved: simulation.save() }),
    compileSeconds: (startTime - beforeCompiling) / 1000,
    seconds: (performance.now() - startTime) / 1000,
  };
}

/** A continued run does not begin at the initial state: its rest position is neither searched nor reported, nor are moved coordinates. */
function prepareContinued(scenario: Scenario, formulation: FormulationName | undefined): PreparedScenario {
  const prepared = prepareScenario({ ...scenario, rest: false }, formulation);
  return { ...prepared, scenario: { ...prepared.scenario, rest: scenario.rest }, moved: [] };
}

/** @throws ModelError if the initial state already violates the audit. */
function startSimulation({ scenario, system }: PreparedScenario, from: State | SavedRun, options: SimulationOptions): Simulation {
  try {
    return new Simulation(system, from, options);
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    throw new ModelError(scenario.name, [{ path: "state", message: `is not a valid initial state: ${error.message}` }], {
      cause: error,
    });
  }
}

async function advanceInSlices(
  simulation: Simulation,
  { progress, signal, until, company }: RunOptions,
): Promise<Pick<ScenarioRun, "run" | "failure">> {
  let slice = FIRST_SLICE_MS;
  let pause = performance.now() + slice;
  let steps = 0;
  try {
    // The run may have been aborted during the compilation.
    if (signal?.aborted) return { run: simulation.result("interrupted") };
    for (;;) {
      if (until !== undefined && simulation.t >= until) return { run: simulation.result("paused") };
      const turn = company?.arrive(simulation);
      if (turn !== undefined) await turn;
      const end = simulation.advance(until);
      if (end !== undefined) return { run: simulation.result(end) };
      if (++steps > MAX_STEPS) throw tooManySteps(simulation.t);
      if (performance.now() < pause) continue;
      progress?.(simulation.t, simulation.log, simulation);
      await yieldToEventLoop();
      if (signal?.aborted) return { run: simulation.result("interrupted") };
      slice = Math.min(SLICE_MS, 2 * slice);
      pause = performance.now() + slice;
    }
  } catch (error) {
    if (!isRunFailure(error)) throw error;
    return { run: simulation.result("interrupted"), failure: error };
  }
}
