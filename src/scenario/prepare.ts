import { drivingPeaks } from "../analysis/driving.ts";
import { childPath } from "../declare/plain-data.ts";
import type { FormulationName } from "../dynamics/formulation.ts";
import { CastorError, ModelError, type Problem, SingularError, TraceError } from "../errors.ts";
import { createSystem } from "../sim/create-system.ts";
import { startProblems } from "../sim/events/element-events.ts";
import type { RunEvent } from "../sim/events/event-detector.ts";
import type { PlannedEvent } from "../sim/events/event-plan.ts";
import { INTEGRATORS, type IntegratorName } from "../sim/integrators/index.ts";
import type { Integrator } from "../sim/integrators/integrator.ts";
import { channelReader } from "../sim/record/recorder.ts";
import type { SimulationOptions } from "../sim/run/run-options.ts";
import { Simulation } from "../sim/run/simulation.ts";
import { describeRedundantRows } from "../sim/singular/singular-loops.ts";
import type { State } from "../sim/state.ts";
import { type Assembly, assemble } from "../sim/system/assembly.ts";
import { setMassCentre } from "../sim/system/start-state.ts";
import { checkStiffness } from "../sim/system/stiffness-check.ts";
import { inWorkspace, type System } from "../sim/system/system.ts";
import { followedPeaks } from "./limits/limit-peaks.ts";
import type { Condition } from "./read/condition.ts";
import { checkScenario, type Scenario, type ScenarioEvent } from "./scenario.ts";
import { type RestPosition, stateAtRest } from "./start/rest-position.ts";

/** A scenario with its compiled system, ready for one run. */
export interface PreparedScenario {
  /** The scenario; if it names no integrator, the chosen one is filled in. */
  readonly scenario: Scenario;
  readonly system: System;
  /** Initial state with all loops closed. */
  readonly start: State;
  /** Coordinates that were changed to close the loops. */
  readonly moved: Assembly["moved"];
  /** The rest position that was searched, if the scenario starts at rest. */
  readonly rest?: RestPosition;
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
  const assembled = closeLoops(scenario, system);
  const { state: start, rest } = scenario.rest
    ? stateAtRest(scenario, system, assembled.state)
    : { state: assembled.state, rest: undefined };
  const { moved } = assembled;
  const choice = chooseIntegrator(scenario, system, start);
  const integrator = choice?.name === undefined ? scenario.integrator : { ...scenario.integrator, name: choice.name };
  const { name, ...settings } = integrator;
  checkStart(scenario, system, start);
  const motion = { duration: scenario.duration, integrator: INTEGRATORS[name], settings, tolerances: scenario.tolerances };
  const names = scenario.channels.map((c) => c.name);
  const hasLoops = start.discrete.loops.size > 0;
  if (hasLoops && formulation === "articulated") warmUpStep(system, start, motion);
  return {
    scenario: { ...scenario, integrator },
    ...(choice && { stiffnessNote: choice.why }),
    system,
    start,
    moved,
    ...(rest && { rest }),
    redundant: inWorkspace(system, start, (workspace) => describeRedundantRows(workspace, start.y)),
    options: {
      ...motion,
      sample: scenario.sample,
      channels: names,
      controllers: scenario.controllers,
      plan: scenario.events.map(plannedEvent),
      ...(scenario.mode !== undefined && { mode: scenario.mode }),
      events: scenario.stop.map(stopEvent),
      peaks: [...followedPeaks(scenario.limits), ...drivingPeaks(system.layout.elements, names)],
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

function createScenarioSystem({ name, model, forces, coordinates }: Scenario, formulation: FormulationName): System {
  try {
    return createSystem(model, forces, { formulation, coordinates });
  } catch (error) {
    if (!(error instanceof TraceError || error instanceof SingularError)) throw error;
    // A hinge has no inertia; or masses and lengths are each valid, but their ratio is too large for double precision.
    throw new ModelError(name, [{ path: "model", message: `cannot be compiled: ${error.message}` }], { cause: error });
  }
}

function closeLoops({ name, q, u, hold, given, massCentre }: Scenario, system: System): Assembly {
  try {
    const start = massCentre ? { position: massCentre.position, velocity: massCentre.velocity } : undefined;
    const assembly = assemble(system, system.start({ q, u, ...(start && { massCentre: start }) }), { hold, keep: given });
    if (massCentre?.isGiven) setMassCentre(system.layout, assembly.state.y, massCentre);
    return assembly;
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
  const margins = new Float64Array(when.length);
  const write = (channels: Float64Array, out: Float64Array): void => {
    for (let i = 0, next = 0; i < when.length; i++) {
      const own = values[i]!;
      for (let k = 0; k < own.length; k++) own[k] = channels[next++]!;
      out[i] = when[i]!.margin(own);
    }
  };
  return {
    ...event,
    channels: when.flatMap(({ channels }) => channels),
    comparisons: { count: when.length, write: (_t, _y, channels, out) => write(channels, out) },
    margin(_t, _y, channels) {
      write(channels, margins);
      let worst = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < margins.length; i++) worst = Math.max(worst, margins[i]!);
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

/** True for an error that ends a run; any other one is a defect. */
export const isRunFailure = (error: unknown): error is CastorError => error instanceof CastorError;
