/** Runs a scenario. The run yields to the event loop regularly, so that the caller can show progress and abort it. */

import { checkMembers, checkOptions, checkPositive, refuseArgument } from "../arguments.ts";
import { MAX_STEPS } from "../declare/limits.ts";
import { childPath } from "../declare/plain-data.ts";
import type { FormulationName } from "../dynamics/formulation.ts";
import { AuditError, CastorError, ModelError, type Problem, SingularError, StepError, TraceError } from "../errors.ts";
import type { GrowingLog } from "../log/log.ts";
import { startProblems } from "../sim/events/element-events.ts";
import type { RunEvent } from "../sim/events/event-detector.ts";
import type { PlannedEvent } from "../sim/events/event-plan.ts";
import { INTEGRATORS, type IntegratorName } from "../sim/integrators/index.ts";
import type { Integrator } from "../sim/integrators/integrator.ts";
import { channelReader } from "../sim/record/recorder.ts";
import type { SimulationOptions } from "../sim/run/run-options.ts";
import type { SavedRun } from "../sim/run/saved-run.ts";
import { Simulation, type SimulationRun } from "../sim/run/simulation.ts";
import { describeRedundantRows } from "../sim/singular/singular-loops.ts";
import type { State } from "../sim/state.ts";
import { type Assembly, assemble } from "../sim/system/assembly.ts";
import { checkStiffness } from "../sim/system/stiffness-check.ts";
import { createSystem, inWorkspace, type System } from "../sim/system/system.ts";
import type { Condition } from "./read/condition.ts";
import { checkScenario, type Scenario, type ScenarioEvent } from "./scenario.ts";

/** A scenario with its compiled system, ready for one run. */
export interface PreparedScenario {
  /** The scenario; if it names no integrator, the chosen one is filled in. */
  readonly scenario: Scenario;
  readonly system: System;
  /** Initial state with all loops closed. */
  readonly start: State;
  /** Coordinates that were changed to close the loops. */
  readonly moved: Assembly["moved"];
  /** Redundant loop equations, as text. The motion is correct, but the reactions of these loops are not unique. */
  readonly redundant: readonly string[];
  /** Why the integrator was chosen, as text: the motion is stiff, or its stiffness could not be estimated. */
  readonly stiffnessNote?: string;
  readonly options: SimulationOptions & { readonly integrator: Integrator; readonly duration: number };
}

/**
 * Compiles the scenario and closes its loops. `formulation` replaces that of the scenario. @throws ModelError if the loops cannot be
 * closed, or if a stop condition is true at the start.
 */
export function prepareScenario(scenario: Scenario, formulation?: FormulationName): PreparedScenario {
  checkScenario(scenario);
  return prepare(scenario, formulation === undefined ? scenario.formulation : formulation);
}

function prepare(scenario: Scenario, formulation: FormulationName): PreparedScenario {
  const system = createScenarioSystem(scenario, formulation);
  const { state: start, moved } = closeLoops(scenario, system);
  const choice = chooseIntegrator(scenario, system, start);
  const integrator = choice?.name === undefined ? scenario.integrator : { ...scenario.integrator, name: choice.name };
  const { name, ...settings } = integrator;
  checkStart(scenario, system, start);
  const motion = { duration: scenario.duration, integrator: INTEGRATORS[name], settings, tolerances: scenario.tolerances };
  const hasLoops = start.discrete.loops.size > 0;
  if (hasLoops && formulation === "articulated") warmUpStep(system, start, motion);
  return {
    scenario: { ...scenario, integrator },
    ...(choice && { stiffnessNote: choice.why }),
    system,
    start,
    moved,
    redundant: inWorkspace(system, start, (workspace) => describeRedundantRows(workspace, start.y)),
    options: {
      ...motion,
      sample: scenario.sample,
      channels: scenario.channels.map((c) => c.name),
      controllers: scenario.controllers,
      plan: scenario.events.map(plannedEvent),
      ...(scenario.mode !== undefined && { mode: scenario.mode }),
      events: scenario.stop.map(stopEvent),
    },
  };
}

/**
 * Makes one step and discards it, because engines compile a function at its first call: the compilation then happens before the motion
 * begins. Only for motions that are a single kernel; other runs take so long that this does not matter.
 */
function warmUpStep(system: System, start: State, motion: SimulationOptions): void {
  try {
    new Simulation(system, start, motion).advance();
  } catch (error) {
    if (!isRunFailure(error)) throw error; // the run itself reports the failure
  }
}

function createScenarioSystem({ name, model, forces }: Scenario, formulation: FormulationName): System {
  try {
    return createSystem(model, forces, { formulation });
  } catch (error) {
    if (!(error instanceof TraceError || error instanceof SingularError)) throw error;
    // A hinge has no inertia; or masses and lengths are each valid, but their ratio is too large for double precision.
    throw new ModelError(name, [{ path: "model", message: `cannot be compiled: ${error.message}` }], { cause: error });
  }
}

function closeLoops({ name, q, u }: Scenario, system: System): Assembly {
  try {
    return assemble(system, system.start({ q, u }));
  } catch (error) {
    if (!(error instanceof SingularError)) throw error;
    throw new ModelError(name, [{ path: "state", message: `is not a valid initial state: ${error.message}` }], { cause: error });
  }
}

const STIFF_INTEGRATOR: IntegratorName = "radau5";

/** Chooses the integrator if the scenario names none and the motion is stiff at its start. Returns undefined for the default. */
function chooseIntegrator(
  { document, duration, integrator }: Scenario,
  system: System,
  start: State,
): { readonly name?: IntegratorName; readonly why: string } | undefined {
  const integratorFields = document.integrator as { readonly name?: unknown } | undefined;
  if (integratorFields?.name !== undefined || integrator.step !== undefined) return undefined;
  const stiffness = inWorkspace(system, start, (workspace) => checkStiffness(workspace, start.y, duration));
  if (stiffness === undefined)
    return { why: "used without a check for stiffness: the derivative at the start has no finite slope" };
  if (!stiffness.stiff) return undefined;
  const [decay, motion] = [stiffness.decay, stiffness.motion].map((v) => +v.toPrecision(2));
  const oscillation = stiffness.estimated
    ? `no oscillation is faster than about ${motion}`
    : `its fastest oscillation is ${motion}`;
  return {
    name: STIFF_INTEGRATOR,
    why: `chosen because the motion is stiff: its fastest decay is ${decay} 1/s, ${oscillation} 1/s`,
  };
}

/** An event that ends the run when the condition becomes true. */
function stopEvent(condition: Condition): RunEvent {
  return {
    name: condition.text,
    atJumps: true,
    channels: condition.channels,
    value: (_t, _y, channels) => condition.margin(channels),
    handle: () => "stop",
  };
}

/** An event happens when all of its conditions are true, i.e. when the largest of their margins becomes negative. */
function plannedEvent({ when, ...event }: ScenarioEvent): PlannedEvent {
  if (when.length === 0) return event;
  const values = when.map(({ channels }) => new Float64Array(channels.length));
  return {
    ...event,
    channels: when.flatMap(({ channels }) => channels),
    margin(_t, _y, channels) {
      let worst = Number.NEGATIVE_INFINITY;
      for (let i = 0, next = 0; i < when.length; i++) {
        const own = values[i]!;
        for (let k = 0; k < own.length; k++) own[k] = channels[next++]!;
        worst = Math.max(worst, when[i]!.margin(own));
      }
      return worst;
    },
  };
}

/** Refuses bodies that overlap at the start, and stop conditions that are true at the start: these would never become true. */
function checkStart(scenario: Scenario, system: System, start: State): void {
  const { t, y } = start;
  const overlaps = inWorkspace(system, start, (workspace) => startProblems(workspace, t, y));
  if (overlaps.length > 0) throw new ModelError(scenario.name, overlaps);
  const problems = scenario.stop.flatMap((condition, i): Problem[] => {
    const margin = inWorkspace(system, start, (workspace) =>
      condition.margin(channelReader(workspace, condition.channels).read(t, y)),
    );
    if (margin >= 0) return [];
    const message = Number.isNaN(margin) ? "has no value at the start" : "is true at the start: nothing would be simulated";
    const path = typeof scenario.document.stop === "string" ? "stop" : childPath("stop", i);
    return [{ path, message, value: JSON.stringify(condition.text) }];
  });
  if (problems.length > 0) throw new ModelError(scenario.name, problems);
}

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

const isRunFailure = (error: unknown): error is CastorError => error instanceof CastorError;

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
  const prepared = prepareScenario(scenario, options.formulation);
  await yieldToEventLoop(); // pending work of the compilation finishes before the motion is timed
  const startTime = performance.now();
  const { integrator = prepared.options.integrator, replayable = false } = options;
  const simulation = startSimulation(prepared, options.from ?? prepared.start, { ...prepared.options, integrator, replayable });
  const outcome = await advanceInSlices(simulation, options);
  return {
    ...prepared,
    ...outcome,
    ...(options.save && !outcome.failure && { saved: simulation.save() }),
    compileSeconds: (startTime - beforeCompiling) / 1000,
    seconds: (performance.now() - startTime) / 1000,
  };
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
  { progress, signal, until }: RunOptions,
): Promise<Pick<ScenarioRun, "run" | "failure">> {
  let slice = FIRST_SLICE_MS;
  let pause = performance.now() + slice;
  let steps = 0;
  try {
    // The run may have been aborted during the compilation.
    if (signal?.aborted) return { run: simulation.result("interrupted") };
    for (;;) {
      if (until !== undefined && simulation.t >= until) return { run: simulation.result("paused") };
      const end = simulation.advance(until);
      if (end !== undefined) return { run: simulation.result(end) };
      if (++steps > MAX_STEPS)
        throw new StepError(`more than ${MAX_STEPS} steps: the integrator needs ever smaller steps`, simulation.t);
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
