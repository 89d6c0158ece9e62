/** Reads a scenario from plain data, part by part. Problems are collected with their paths. */

import type { ParseContext } from "../../declare/parse-parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import type { FormulationName } from "../../dynamics/formulation.ts";
import { ModelError, type Problem, TraceError } from "../../errors.ts";
import { FLAT } from "../../ground/terrain.ts";
import type { Channel } from "../../log/log.ts";
import type { ModelOutline } from "../../model/build/read-model.ts";
import type { ModelDescription } from "../../model/description.ts";
import type { Model } from "../../model/model.ts";
import { readTerrain } from "../../parts/terrain/terrain.ts";
import { allChannels } from "../../sim/record/recorder.ts";
import { controllerChannels } from "../../sim/run/controller-runner.ts";
import { type Layout, layoutOf } from "../../sim/system/layout.ts";
import type { Coordinates } from "../../sim/system/mass-centre/free-floating.ts";
import { observationProgram } from "../../sim/system/motion-program.ts";
import type { ScenarioFiles } from "../files.ts";
import { resolveComparisons } from "../measured/histories.ts";
import { resolveIdentification } from "../measured/unknowns.ts";
import type { Scenario } from "../scenario.ts";
import { readApproach } from "./approach.ts";
import { readTolerances } from "./audit.ts";
import { checkMeasuredChannels, resolveChannels } from "./channels.ts";
import { checkWithoutModel, checkWithoutParts } from "./check-incomplete.ts";
import { parseConditions } from "./condition.ts";
import { readDevices } from "./devices.ts";
import { checkSwitchInputs } from "./event-checks.ts";
import { eventReferences, resolveEvents } from "./events.ts";
import { checkSharedCommands, readForcesAndControllers } from "./forces-and-controllers.ts";
import { resolveLimits } from "./limits.ts";
import { layoutIn, startIn } from "./mass-centre.ts";
import { readRuts } from "./ruts.ts";
import { readSections } from "./sections.ts";
import { readState } from "./state.ts";
import { thrusterWarnings } from "./thruster-warnings.ts";
import { readTiming } from "./timing.ts";

/** The model of a scenario, or what is known of it. */
export interface LoadedModel {
  readonly model?: Model;
  /** The data from which the model is built. */
  readonly description: ModelDescription;
  readonly outline: ModelOutline;
}

/** Reads the scenario. Returns undefined after a problem; sections that need a part with a problem are checked as far as possible. */
export function readScenario(
  fields: Fields,
  { model: rawModel, description, outline }: LoadedModel,
  maps: ScenarioFiles["maps"],
  problems: Problem[],
): Scenario | undefined {
  const sections = readSections(fields, problems);
  const timing = readTiming(fields, problems);
  const tolerances = readTolerances(fields.audit, problems);
  const stop = parseConditions(sections.stop ?? [], fields.stop, "stop", problems);
  const before = problems.length;
  const terrain = readTerrain(fields.terrain, maps, problems);
  const ground = problems.length === before ? terrain : FLAT;
  const ruts = readRuts(fields.ruts, problems);
  const equipped = rawModel && readDevices(fields.devices, rawModel, description, problems);
  if (equipped === undefined) {
    checkWithoutModel(fields, sections, outline, problems);
    return undefined;
  }
  const { model } = equipped;
  const warnings: Problem[] = [...model.warnings];
  const start = readState(fields.state, equipped, ground, (w) => warnings.push(w), problems);
  const { q, u, massCentre, ...startOptions } = start;
  const coordinates = (sections.coordinates ?? "world") as Coordinates;
  const surroundings: ParseContext = {
    ...(ground && { terrain: ground }),
    ...(ruts && { ruts }),
    warn: (warning) => warnings.push(warning),
  };
  const parts = readForcesAndControllers(fields, equipped, timing.duration, surroundings, problems);
  if (parts === undefined) {
    checkWithoutParts(fields, sections, outline, problems);
    return undefined;
  }
  warnings.push(...thrusterWarnings(fields, model));
  const approach = readApproach(fields.approach, model, parts.forces, { q, u }, fields.state, (w) => warnings.push(w), problems);
  if (approach && start.rest)
    problems.push({
      path: "state.rest",
      message: "a vehicle that approaches is not at rest",
      advice: "Remove rest, or approach",
    });
  const layout = layoutIn(coordinates, model, parts.forces, problems);
  const startState = startIn(layout, coordinates, { q, u, massCentre, rest: start.rest }, problems);
  const elementChannels = readElementChannels(layout, problems);
  const references = eventReferences(layout, parts.controllers);
  const events = resolveEvents(sections.events ?? {}, sections.mode, fields.events, references, problems);
  if (elementChannels === undefined) return undefined;
  if (events.length === Object.keys(sections.events ?? {}).length) checkSwitchInputs(layout, events, parts.controllers, problems);
  checkSharedCommands(parts.controllers, events, problems);
  const conditions = [
    ...stop.map((condition, i) => ({ condition, path: typeof fields.stop === "string" ? "stop" : childPath("stop", i) })),
    ...events.flatMap(({ name, when }) => when.map((condition) => ({ condition, path: `${childPath("events", name)}.when` }))),
  ];
  const ofControllers = controllerChannels(parts.controllers);
  const known = allChannels(layout, elementChannels, ofControllers);
  const limits = resolveLimits(sections.limits ?? {}, known, problems);
  checkMeasuredChannels(parts.controllers, known, problems);
  const compare = resolveComparisons(sections.compare ?? {}, known, timing.duration, problems);
  const identify = resolveIdentification(sections.identify, fields, compare, problems);
  const required = [
    ...limits.flatMap((limit) => limit.channels),
    ...compare.flatMap(({ series }) => series.map(({ channel }) => channel)),
  ];
  const recordedChannels = resolveChannels(sections, fields, known, required, ofControllers, timing, conditions, problems);
  if (problems.length > 0 || recordedChannels === undefined) return undefined;
  const { name = model.name, about = "", mode, formulation } = sections;
  return {
    name,
    about,
    model,
    coordinates,
    ...startOptions,
    ...startState,
    ...(approach && { approach }),
    ...(terrain && { terrain }),
    ...parts,
    events,
    ...(mode !== undefined && { mode }),
    formulation: formulation as FormulationName,
    integrator: timing.integrator!,
    duration: timing.duration!,
    sample: timing.sample!,
    ...recordedChannels,
    limits,
    compare,
    ...(identify && { identify }),
    tolerances,
    stop,
    warnings,
    document: fields,
  };
}

/** Channels of the forces. Tracing fails if valid numbers of a file lead to values that are not finite, e.g. by overflow. */
function readElementChannels(layout: Layout, problems: Problem[]): readonly Channel[] | undefined {
  const refusals: Problem[] = [];
  const traceChannels = (someLayout: Layout): readonly Channel[] | undefined => {
    try {
      return observationProgram(someLayout).channels;
    } catch (error) {
      if (error instanceof ModelError) refusals.push(...error.problems);
      else if (!(error instanceof TraceError)) throw error;
      return undefined;
    }
  };
  const channels = traceChannels(layout);
  if (channels !== undefined) return channels;
  if (refusals.length > 0) {
    problems.push(...refusals);
    return undefined;
  }
  const invalidElements = layout.elements.filter((element) => traceChannels(layoutOf(layout.model, [element])) === undefined);
  const paths = invalidElements.length > 0 ? invalidElements.map(({ name }) => childPath("forces", name)) : ["model"];
  const message = "its parameters give values that are not finite";
  problems.push(...paths.map((path) => ({ path, message, advice: "Check the units: values are in SI units and radians" })));
  return undefined;
}
