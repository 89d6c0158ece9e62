/** Reads a scenario from plain data, part by part. Problems are collected with their paths. */

import { didYouMean, readTitle } from "../../declare/names.ts";
import type { ParseContext } from "../../declare/parse-parameters.ts";
import { childPath, type Fields, readFields } from "../../declare/plain-data.ts";
import type { FormulationName } from "../../dynamics/formulation.ts";
import { FORMULATIONS } from "../../dynamics/formulations.ts";
import { type Problem, TraceError, valueText } from "../../errors.ts";
import { readValuesByHinge } from "../../formats/state-file.ts";
import { FLAT, type Terrain } from "../../ground/terrain.ts";
import type { Channel } from "../../log/log.ts";
import type { ModelDescription } from "../../model/description.ts";
import { homeOf, type Model } from "../../model/model.ts";
import { readTerrain } from "../../parts/terrain/terrain.ts";
import { type AuditChannel, type AuditTolerances, DEFAULT_TOLERANCES } from "../../sim/record/audit.ts";
import { allChannels } from "../../sim/record/recorder.ts";
import { controllerChannels } from "../../sim/run/controller-runner.ts";
import { type Layout, layoutOf } from "../../sim/system/layout.ts";
import { observationProgram } from "../../sim/system/motion-program.ts";
import type { ScenarioFiles } from "../files.ts";
import type { Scenario } from "../scenario.ts";
import { readApproach } from "./approach.ts";
import { readChannels } from "./channels.ts";
import { readConditions } from "./condition.ts";
import { type EquippedModel, readDevices } from "./devices.ts";
import { readEvents } from "./events.ts";
import { checkSharedCommands, readForcesAndControllers } from "./forces-and-controllers.ts";
import { readLimits } from "./limits.ts";
import { readPositive } from "./read-positive.ts";
import { readRuts } from "./ruts.ts";
import { ON_GROUND, standOnGround } from "./stand-on-ground.ts";
import { readTiming } from "./timing.ts";

export const SCENARIO_KEYS = [
  "name",
  "about",
  "model",
  "state",
  "approach",
  "devices",
  "terrain",
  "ruts",
  "forces",
  "controllers",
  "mode",
  "events",
  "formulation",
  "integrator",
  "duration",
  "sample",
  "channels",
  "plots",
  "limits",
  "audit",
  "stop",
] as const;

/** A model and the description it was built from. */
export interface LoadedModel {
  readonly model: Model;
  readonly description: ModelDescription;
}

/** Reads the scenario. Returns undefined if there is no model, or after a problem. */
export function readScenario(
  fields: Fields,
  loaded: LoadedModel | undefined,
  maps: ScenarioFiles["maps"],
  problems: Problem[],
): Scenario | undefined {
  const name = fields.name === undefined ? (loaded?.model.name ?? "") : readTitle(fields.name, "name", problems);
  const about = fields.about === undefined ? "" : readAbout(fields.about, problems);
  const formulation = readFormulation(fields.formulation, problems);
  const timing = readTiming(fields, problems);
  const tolerances = readTolerances(fields.audit, problems);
  const stop = readConditions(fields.stop, "stop", problems);
  const equipped = loaded && readDevices(fields.devices, loaded.model, loaded.description, problems);
  if (equipped === undefined) return undefined;
  const { model } = equipped;
  const before = problems.length;
  const terrain = readTerrain(fields.terrain, model, maps, problems);
  const isTerrainValid = problems.length === before;
  const { q, u } = readState(fields.state, equipped, isTerrainValid ? terrain : FLAT, problems);
  if (!isTerrainValid) return undefined;
  const warnings: Problem[] = [...model.warnings];
  const ruts = readRuts(fields.ruts, model, problems);
  const surroundings: ParseContext = {
    ...(terrain && { terrain }),
    ...(ruts && { ruts }),
    warn: (warning) => warnings.push(warning),
  };
  const parts = readForcesAndControllers(fields, equipped, timing.duration, surroundings, problems);
  if (parts === undefined) return undefined;
  const approach = readApproach(fields.approach, model, parts.forces, { q, u }, fields.state, (w) => warnings.push(w), problems);
  const layout = layoutOf(model, parts.forces);
  const elementChannels = readElementChannels(layout, problems);
  if (elementChannels === undefined) return undefined;
  const { events, mode } = readEvents(fields, layout, parts.controllers, problems);
  checkSharedCommands(parts.controllers, events, problems);
  const conditions = [
    ...stop.map((condition, i) => ({ condition, path: typeof fields.stop === "string" ? "stop" : childPath("stop", i) })),
    ...events.flatMap(({ name, when }) => when.map((condition) => ({ condition, path: `${childPath("events", name)}.when` }))),
  ];
  const ofControllers = controllerChannels(parts.controllers);
  const known = allChannels(layout, elementChannels, ofControllers);
  const limits = readLimits(fields.limits, known, problems);
  const recordedChannels = readChannels(fields, known, limits, ofControllers, timing, conditions, problems);
  if (problems.length > 0 || recordedChannels === undefined) return undefined;
  return {
    name,
    about,
    model,
    q,
    u,
    ...(approach && { approach }),
    ...(terrain && { terrain }),
    ...parts,
    events,
    ...(mode !== undefined && { mode }),
    formulation,
    integrator: timing.integrator!,
    duration: timing.duration!,
    sample: timing.sample!,
    ...recordedChannels,
    limits,
    tolerances,
    stop,
    warnings,
    document: fields,
  };
}

/** Channels of the forces. Tracing fails if valid numbers of a file lead to values that are not finite, e.g. by overflow. */
function readElementChannels(layout: Layout, problems: Problem[]): readonly Channel[] | undefined {
  const traceChannels = (someLayout: Layout): readonly Channel[] | undefined => {
    try {
      return observationProgram(someLayout).channels;
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      return undefined;
    }
  };
  const channels = traceChannels(layout);
  if (channels !== undefined) return channels;
  const invalidElements = layout.elements.filter((element) => traceChannels(layoutOf(layout.model, [element])) === undefined);
  const paths = invalidElements.length > 0 ? invalidElements.map(({ name }) => childPath("forces", name)) : ["model"];
  const message = "its parameters give values that are not finite";
  problems.push(...paths.map((path) => ({ path, message, advice: "Check the units: values are in SI units and radians" })));
  return undefined;
}

const LONGEST_ABOUT = 1000;

function readAbout(value: unknown, problems: Problem[]): string {
  if (typeof value === "string" && value.length <= LONGEST_ABOUT) return value;
  problems.push({ path: "about", message: `must be text of at most ${LONGEST_ABOUT} characters`, value: valueText(value) });
  return "";
}

function readFormulation(value: unknown, problems: Problem[]): FormulationName {
  if (value === undefined) return "articulated";
  if (typeof value === "string" && Object.hasOwn(FORMULATIONS, value)) return value as FormulationName;
  const advice = didYouMean(value, Object.keys(FORMULATIONS));
  problems.push({ path: "formulation", message: "no such formulation", value: valueText(value), advice });
  return "articulated";
}

function readState(
  value: unknown,
  { model, speeds }: EquippedModel,
  terrain: Terrain | undefined,
  problems: Problem[],
): Pick<Scenario, "q" | "u"> {
  const state = { q: homeOf(model), u: new Float64Array(model.nu) };
  for (const { hinge } of model.bodies) if (speeds[hinge.name] !== undefined) state.u[hinge.u] = speeds[hinge.name]!;
  const fields = value === undefined ? {} : (readFields(value, "state", ["q", "u", ON_GROUND], problems) ?? {});
  for (const part of ["q", "u"] as const)
    if (fields[part] !== undefined) readValuesByHinge(state[part], part, fields[part], childPath("state", part), model, problems);
  if (fields[ON_GROUND] !== undefined) standOnGround(fields[ON_GROUND], state.q, model, terrain, problems);
  return state;
}

/** Audit channel of each key of the file, e.g. linearMomentum: "linear momentum". */
export const TOLERANCE_KEYS: Readonly<Record<string, AuditChannel>> = Object.fromEntries(
  (Object.keys(DEFAULT_TOLERANCES) as AuditChannel[]).map((channel) => [
    channel.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
    channel,
  ]),
);

/** Meaning of each tolerance. */
export const TOLERANCE_ABOUT: Readonly<Record<AuditChannel, string>> = {
  energy: "Largest relative drift of energy",
  "linear momentum": "Largest relative drift of linear momentum",
  "angular momentum": "Largest relative drift of angular momentum",
  "quaternion norm": "Largest deviation of quaternion norms from 1",
  "loop closure": "Largest residual of a loop equation, m or rad",
  "loop speed": "Largest residual rate of a loop equation, m/s or rad/s",
};

function readTolerances(value: unknown, problems: Problem[]): AuditTolerances {
  if (value === undefined) return {};
  const fields = readFields(value, "audit", Object.keys(TOLERANCE_KEYS), problems) ?? {};
  const read = Object.entries(TOLERANCE_KEYS).flatMap(([key, channel]) => {
    const given = fields[key];
    const tolerance = given === undefined ? undefined : readPositive(given, "", childPath("audit", key), problems);
    return tolerance === undefined ? [] : [[channel, tolerance] as const];
  });
  return Object.fromEntries(read);
}
