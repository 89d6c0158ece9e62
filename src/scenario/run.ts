/** Runs a scenario. The run gives way now and then, so that whoever waits for it can show progress and end it. */

import { MAX_STEPS } from "../declare/limits.ts";
import { childPath } from "../declare/plain-data.ts";
import type { FormulationName } from "../dynamics/formulation.ts";
import { ModelError, type Problem, SingularError } from "../errors.ts";
import type { GrowingLog } from "../log/log.ts";
import { startProblems } from "../sim/events/element-events.ts";
import { EngagementError } from "../sim/events/engagement.ts";
import type { EventFunction } from "../sim/events/event-detector.ts";
import type { PlannedEvent } from "../sim/events/event-plan.ts";
import { INTEGRATORS, type IntegratorName } from "../sim/integrators/index.ts";
import { type Integrator, StepError } from "../sim/integrators/integrator.ts";
import { AuditError } from "../sim/record/audit.ts";
import { channelReader } from "../sim/record/recorder.ts";
import { beginSimulation, type Simulation, type SimulationOptions, type SimulationRun } from "../sim/run/simulate.ts";
import { describeRedundantRows } from "../sim/singular/singular-loops.ts";
import { type Assembly, assemble } from "../sim/system/assembly.ts";
import { checkStiffness } from "../sim/system/stiffness-check.ts";
import { createSystem, type System } from "../sim/system/system.ts";
import type { Condition } from "./read/condition.ts";
import type { Scenario, ScenarioEvent } from "./scenario.ts";

/** A scenario with its compiled system, for one run. */
export interface PreparedScenario {
  /** With the integrator that was chosen for it, if it names none. */
  readonly scenario: Scenario;
  readonly system: System;
  /** The start, with all loops closed. */
  readonly y0: Float64Array;
  /** What had to move for that. */
  readonly moved: Assembly["moved"];
  /** Equations of loops that say what others say, in words: the motion is right, reactions there are not unique. */
  readonly redundant: readonly string[];
  /** Why this integrator, in words, where it was chosen because the motion is stiff, or where that could not be found out. */
  readonly stiffnessNote?: string;
  readonly options: SimulationOptions;
}

/**
 * Compiles the scenario, by another formulation than its own if wanted, and closes its loops. @throws ModelError if these cannot be
 * closed, or if it would stop at once.
 */
export function prepareScenario(scenario: Scenario, formulation: FormulationName = scenario.formulation): PreparedScenario {
  const system = createScenarioSystem(scenario, formulation);
  const { y: y0, moved } = closeLoops(scenario, system);
  const choice = chooseIntegrator(scenario, system, y0);
  const integrator = choice?.name === undefined ? scenario.integrator : { ...scenario.integrator, name: choice.name };
  const { name, ...settings } = integrator;
  checkStart(scenario, system, y0);
  const motion = { duration: scenario.duration, integrator: INTEGRATORS[name], settings, tolerances: scenario.tolerances };
  if (system.closed && system.problem.code?.()) warmUpStep(system, y0, motion);
  return {
    scenario: { ...scenario, integrator },
    ...(choice && { stiffnessNote: choice.why }),
    system,
    y0,
    moved,
    redundant: describeRedundantRows(system, y0),
    options: {
      ...motion,
      sample: scenario.sample,
      channels: scenario.channels.map((c) => c.name),
      controllers: scenario.controllers,
      plan: scenario.events.map((event) => plannedEvent(event, system)),
      ...(scenario.mode !== undefined && { mode: scenario.mode }),
      events: scenario.stop.map((condition) => stopEvent(condition, system)),
    },
  };
}

/**
 * Engines compile a function when it is first called: one step is made and forgotten, so that this is done before the motion begins. For
 * motions that are one kernel: others are not over so soon.
 */
function warmUpStep(system: System, y0: Float64Array, motion: SimulationOptions): void {
  try {
    beginSimulation(system, y0, motion).advance();
  } catch (error) {
    if (!isRunFailure(error)) throw error; // what stops a motion is told when it is run
  } finally {
    system.begin();
  }
}

/** Loops are compiled for the numbers of the first state: before the motion begins, and not in its first steps. */
function compileLoopsAt({ problem }: System, y0: Float64Array): void {
  problem.derivative(0, y0, new Float64Array(y0.length));
  problem.project?.(y0.slice(), 0);
}

function createScenarioSystem({ name, model, forces }: Scenario, formulation: FormulationName): System {
  try {
    return createSystem(model, forces, { formulation });
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SingularError)) throw error;
    // Nothing resists a hinge; or masses and lengths of which each is right can still be too far apart for numbers of 16 digits.
    throw new ModelError(name, [{ path: "model", message: `cannot be compiled: ${error.message}` }], { cause: error });
  }
}

function closeLoops({ name, q, u }: Scenario, system: System): Assembly {
  try {
    const assembly = assemble(system, system.initial(q, u));
    if (system.closed) compileLoopsAt(system, assembly.y);
    return assembly;
  } catch (error) {
    if (!(error instanceof SingularError)) throw error;
    throw new ModelError(name, [{ path: "state", message: `cannot be started from: ${error.message}` }], { cause: error });
  }
}

const STIFF_INTEGRATOR: IntegratorName = "radau5";

/** The integrator for a motion that is stiff at its start, where the scenario leaves it open, and what to say of it. */
function chooseIntegrator(
  { document, duration, integrator }: Scenario,
  system: System,
  y0: Float64Array,
): { readonly name?: IntegratorName; readonly why: string } | undefined {
  const written = document.integrator as { readonly name?: unknown } | undefined;
  if (written?.name !== undefined || integrator.step !== undefined) return undefined;
  const found = checkStiffness(system, y0, duration);
  if (found === undefined)
    return { why: "taken without knowing whether the motion is stiff: its derivative at the start has no finite slope" };
  if (!found.stiff) return undefined;
  const [decay, motion] = [found.decay, found.motion].map((v) => +v.toPrecision(2));
  const swing = found.estimated ? `no swing is faster than about ${motion}` : `the fastest swing is ${motion}`;
  return {
    name: STIFF_INTEGRATOR,
    why: `chosen because the motion is stiff: a part of it dies away at ${decay} 1/s, ${swing} 1/s`,
  };
}

/** Ends the run where the condition comes true. */
function stopEvent(condition: Condition, system: System): EventFunction {
  const read = channelReader(system, condition.channels);
  return {
    name: condition.text,
    direction: "falling",
    atJumps: true,
    value: (t, y) => condition.margin(read(t, y)),
    handle: () => "stop",
  };
}

/** An event happens when all of its conditions are true: when the last of their margins has become negative. */
function plannedEvent({ when, ...event }: ScenarioEvent, system: System): PlannedEvent {
  if (when.length === 0) return event;
  const margins = when.map((condition) => {
    const read = channelReader(system, condition.channels);
    return (t: number, y: Float64Array): number => condition.margin(read(t, y));
  });
  return {
    ...event,
    margin: (t, y) => margins.reduce((worst, margin) => Math.max(worst, margin(t, y)), Number.NEGATIVE_INFINITY),
  };
}

/** Nothing is in something else; and a condition that is true from the start never comes true. */
function checkStart(scenario: Scenario, system: System, y0: Float64Array): void {
  const inEachOther = startProblems(system, 0, y0);
  if (inEachOther.length > 0) throw new ModelError(scenario.name, inEachOther);
  const problems = scenario.stop.flatMap((condition, i): Problem[] => {
    const margin = stopEvent(condition, system).value(0, y0);
    if (margin >= 0) return [];
    const message = Number.isNaN(margin) ? "has no value at the start" : "is true at the start: nothing would be simulated";
    const path = typeof scenario.document.stop === "string" ? "stop" : childPath("stop", i);
    return [{ path, message, value: JSON.stringify(condition.text) }];
  });
  if (problems.length > 0) throw new ModelError(scenario.name, problems);
}

export interface RunOptions {
  /** Instead of those of the scenario. */
  readonly formulation?: FormulationName;
  readonly integrator?: Integrator;
  /** See SimulationOptions. */
  readonly replayable?: boolean;
  /** Called about twenty times a second with the time reached and what there is so far. */
  readonly progress?: (t: number, log: GrowingLog, so: Pick<SimulationRun, "intents" | "phases">) => void;
  /** Ends the run with what was simulated. */
  readonly signal?: AbortSignal;
}

export interface ScenarioRun extends PreparedScenario {
  readonly run: SimulationRun;
  /** Why the motion could not be trusted any further; the run is what was simulated until then. */
  readonly failure?: AuditError | EngagementError | StepError | SingularError;
  /** Seconds that the motion took to compute, and to compile before that. */
  readonly seconds: number;
  readonly compileSeconds: number;
}

const isRunFailure = (error: unknown): error is NonNullable<ScenarioRun["failure"]> =>
  error instanceof AuditError || error instanceof EngagementError || error instanceof StepError || error instanceof SingularError;

/** Time between two looks at the rest of the world, ms. The first comes early: whoever waits sees at once that it moves. */
const SLICE_MS = 50;
const FIRST_SLICE_MS = 8;

/** Lets all others go on, and is back at once: a timer waits a millisecond at least, and in browsers, again and again, four. */
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

/** @throws ModelError if the scenario cannot be run; what happens in the motion is in the result. */
export async function runScenario(scenario: Scenario, options: RunOptions = {}): Promise<ScenarioRun> {
  const beforeCompiling = performance.now();
  const prepared = prepareScenario(scenario, options.formulation);
  await yieldToEventLoop(); // what compiling has left to be done is done before the motion begins
  const started = performance.now();
  const { integrator = prepared.options.integrator, replayable = false } = options;
  const simulation = startSimulation(prepared, { ...prepared.options, integrator, replayable });
  const outcome = await advanceInSlices(simulation, options);
  return {
    ...prepared,
    ...outcome,
    compileSeconds: (started - beforeCompiling) / 1000,
    seconds: (performance.now() - started) / 1000,
  };
}

/** @throws ModelError where the audit is broken at the start already: there is no run then. */
function startSimulation({ scenario, system, y0 }: PreparedScenario, options: SimulationOptions): Simulation {
  try {
    return beginSimulation(system, y0, options);
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    throw new ModelError(scenario.name, [{ path: "state", message: `cannot be started from: ${error.message}` }], {
      cause: error,
    });
  }
}

async function advanceInSlices(
  simulation: Simulation,
  { progress, signal }: RunOptions,
): Promise<Pick<ScenarioRun, "run" | "failure">> {
  let slice = FIRST_SLICE_MS;
  let pause = performance.now() + slice;
  let steps = 0;
  try {
    // It may have been ended while it was compiled.
    if (signal?.aborted) return { run: simulation.result("interrupted") };
    for (;;) {
      const end = simulation.advance();
      if (end !== undefined) return { run: simulation.result(end) };
      if (++steps > MAX_STEPS)
        throw new StepError(`more than ${MAX_STEPS} steps: the motion asks for ever smaller ones`, simulation.t);
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
