/** The parts of a scenario, each read from plain data; problems are noted with their paths. */

import { didYouMean, readTitle } from "../../declare/names.ts";
import type { ParseContext } from "../../declare/parse-parameters.ts";
import { childPath, type Fields, readFields } from "../../declare/plain-data.ts";
import type { FormulationName } from "../../dynamics/formulation.ts";
import { FORMULATIONS } from "../../dynamics/formulations.ts";
import { type Problem, valueText } from "../../errors.ts";
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

/** A model that was read, and what it was made of. */
export interface LoadedModel {
  readonly model: Model;
  readonly description: ModelDescription;
}

/** The scenario; undefined if the model or a problem stands in the way. */
export function readScenario(
  fields: Fields,
  given: LoadedModel | undefined,
  maps: ScenarioFiles["maps"],
  problems: Problem[],
): Scenario | undefined {
  const name = fields.name === undefined ? (given?.model.name ?? "") : readTitle(fields.name, "name", problems);
  const about = fields.about === undefined ? "" : readAbout(fields.about, problems);
  const formulation = readFormulation(fields.formulation, problems);
  const timing = readTiming(fields, problems);
  const tolerances = readTolerances(fields.audit, problems);
  const stop = readConditions(fields.stop, "stop", problems);
  const equipped = given && readDevices(fields.devices, given.model, given.description, problems);
  if (equipped === undefined) return undefined;
  const { model } = equipped;
  const before = problems.length;
  const terrain = readTerrain(fields.terrain, model, maps, problems);
  const isKnown = problems.length === before;
  const { q, u } = readState(fields.state, equipped, isKnown ? terrain : FLAT, problems);
  if (!isKnown) return undefined;
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
  const ofElements = readElementChannels(layout, problems);
  if (ofElements === undefined) return undefined;
  const { events, mode } = readEvents(fields, layout, parts.controllers, problems);
  checkSharedCommands(parts.controllers, events, problems);
  const conditions = [
    ...stop.map((condition, i) => ({ condition, path: typeof fields.stop === "string" ? "stop" : childPath("stop", i) })),
    ...events.flatMap(({ name, when }) => when.map((condition) => ({ condition, path: `${childPath("events", name)}.when` }))),
  ];
  const ofControllers = controllerChannels(parts.controllers);
  const known = allChannels(layout, ofElements, ofControllers);
  const limits = readLimits(fields.limits, known, problems);
  const recorded = readChannels(fields, known, limits, ofControllers, timing, conditions, problems);
  if (problems.length > 0 || recorded === undefined) return undefined;
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
    ...recorded,
    limits,
    tolerances,
    stop,
    warnings,
    document: fields,
  };
}

/** The channels of the forces. Each number of a file may be right and yet too small or large for the sums that it enters. */
function readElementChannels(layout: Layout, problems: Problem[]): readonly Channel[] | undefined {
  const channelsOf = (of: Layout): readonly Channel[] | undefined => {
    try {
      return observationProgram(of).channels;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return undefined;
    }
  };
  const channels = channelsOf(layout);
  if (channels !== undefined) return channels;
  const guilty = layout.elements.filter((element) => channelsOf(layoutOf(layout.model, [element])) === undefined);
  const paths = guilty.length > 0 ? guilty.map(({ name }) => childPath("forces", name)) : ["model"];
  const message = "its numbers lead to values that are not finite";
  problems.push(...paths.map((path) => ({ path, message, advice: "Values are in SI units and radians" })));
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

/** Keys of the file, and the channels of the audit that they are for: linearMomentum for linear momentum. */
export const TOLERANCE_KEYS: Readonly<Record<string, AuditChannel>> = Object.fromEntries(
  (Object.keys(DEFAULT_TOLERANCES) as AuditChannel[]).map((channel) => [
    channel.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
    channel,
  ]),
);

/** What each tolerance is for. */
export const TOLERANCE_ABOUT: Readonly<Record<AuditChannel, string>> = {
  energy: "Largest relative drift of energy",
  "linear momentum": "Largest relative drift of linear momentum",
  "angular momentum": "Largest relative drift of angular momentum",
  "quaternion norm": "Largest drift of quaternion norms from one",
  "loop closure": "Farthest that any equation of a loop may miss, m or rad",
  "loop speed": "Fastest that any equation of a loop may part, m/s or rad/s",
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
