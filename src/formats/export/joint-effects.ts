/** What acts in the freedoms of a model, from its force elements, as robot files write it: springs, dampers, friction, limits and motors. */
import type { Freedom } from "../../declare/freedom.ts";
import { FREEDOM_UNITS } from "../../declare/parameters.ts";
import { type Fields, itemsOf } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { freedomsOf } from "../../model/freedoms.ts";
import type { ExportNotes } from "./export-notes.ts";
import type { ExportedRobot } from "./exported-robot.ts";

/** A drive: force = constant - kp q - kd u + its command, within ±limit. */
export interface Motor {
  readonly name: string;
  readonly kp: number;
  readonly kd: number;
  readonly constant: number;
  readonly limit: number | undefined;
}

export interface FreedomEffects {
  stiffness: number;
  /** Coordinate of the relaxed spring. */
  rest: number;
  damping: number;
  friction: number;
  lower?: number;
  upper?: number;
  /** Largest speed. */
  speed?: number;
  readonly motors: Motor[];
}

type FreedomUnit = (typeof FREEDOM_UNITS)[keyof typeof FREEDOM_UNITS];

/** Effects by the index of the speed in u. Everything else that acts is noted as missing. */
export function jointEffects(robot: ExportedRobot, notes: ExportNotes): readonly FreedomEffects[] {
  const freedoms = freedomsOf(robot.model);
  const effects = freedoms.map((): FreedomEffects => ({ stiffness: 0, rest: 0, damping: 0, friction: 0, motors: [] }));
  const byName = (name: unknown): readonly Freedom[] =>
    freedoms.filter((freedom) => freedom.name === name || freedom.speedName === name || freedom.hinge === name);
  for (const [name, force] of Object.entries(robot.forces ?? {})) {
    const names = itemsOf(force.hinge) ?? [force.hinge];
    const matches = names.flatMap(byName);
    const refused = matches.length === 0 ? "" : addForce(force, name, matches, effects, notes);
    if (refused === undefined) continue;
    notes.miss(`force "${name}" (${String(force.kind)})${refused === "" ? "" : `: ${refused}`}`, "it does not act in the file");
  }
  addElasticSprings(robot, freedoms, effects, notes);
  for (const { channels, most } of Object.values(robot.limits ?? {})) {
    const freedom = freedoms.find(({ speedName }) => `u.${speedName}` === channels);
    if (freedom !== undefined && typeof most === "number") effects[freedom.u]!.speed = most;
  }
  return effects;
}

/** Adds a force to the freedoms that it names. Returns what of it cannot be written: "" for all of it. */
function addForce(
  force: Fields,
  name: string,
  freedoms: readonly Freedom[],
  effects: readonly FreedomEffects[],
  notes: ExportNotes,
): string | undefined {
  switch (force.kind) {
    case "hinge-spring":
      return addSpring(force, freedoms, effects);
    case "friction":
      return addFriction(force, freedoms[0]!, effects);
    case "stop":
      return addStop(force, freedoms[0]!, effects, notes);
    case "actuator":
    case "servo":
      return addMotor(force, name, freedoms[0]!, effects);
    default:
      return "";
  }
}

/** A number that may be text with a unit. */
function numberOf(value: unknown, unit: FreedomUnit, { motion }: Freedom): number | undefined {
  return value === undefined ? undefined : readQuantityInUnit(value, unit[motion], "", []);
}

/** The number of freedom i of a list, or the number of all. */
const itemOf = (value: unknown, i: number): unknown => itemsOf(value)?.[i] ?? (itemsOf(value) === undefined ? value : undefined);

function addSpring(force: Fields, freedoms: readonly Freedom[], effects: readonly FreedomEffects[]): string | undefined {
  let refused: string | undefined;
  for (const [i, freedom] of freedoms.entries()) {
    const own = effects[freedom.u]!;
    const read = (key: "stiffness" | "damping" | "rest" | "preload", unit: FreedomUnit): number =>
      numberOf(itemOf(force[key], i), unit, freedom) ?? 0;
    const [stiffness, rest] = [read("stiffness", FREEDOM_UNITS.stiffness), read("rest", FREEDOM_UNITS.coordinate)];
    const preload = read("preload", FREEDOM_UNITS.force);
    own.damping += read("damping", FREEDOM_UNITS.damping);
    if (freedom.ball !== undefined) refused = stiffness === 0 ? refused : "its stiffness";
    else if (stiffness === 0) refused = preload === 0 ? refused : "its preload";
    else {
      // k (q - rest) - preload of this spring and those before as one spring.
      const total = own.stiffness + stiffness;
      own.rest = (own.stiffness * own.rest + stiffness * rest + preload) / total;
      own.stiffness = total;
    }
  }
  return refused;
}

function addFriction(force: Fields, freedom: Freedom, effects: readonly FreedomEffects[]): string | undefined {
  const read = (key: string, unit: FreedomUnit): number | undefined => numberOf(force[key], unit, freedom);
  const coulomb = read("coulomb", FREEDOM_UNITS.force) ?? 0;
  const own = effects[freedom.u]!;
  own.friction += coulomb;
  own.damping += read("viscous", FREEDOM_UNITS.damping) ?? 0;
  return (read("breakaway", FREEDOM_UNITS.force) ?? coulomb) === coulomb ? undefined : "its breakaway";
}

function addStop(force: Fields, freedom: Freedom, effects: readonly FreedomEffects[], notes: ExportNotes): string | undefined {
  const own = effects[freedom.u]!;
  const [lower, upper] = [force.lower, force.upper].map((value) => numberOf(value, FREEDOM_UNITS.coordinate, freedom));
  if (lower !== undefined) own.lower = Math.max(lower, own.lower ?? lower);
  if (upper !== undefined) own.upper = Math.min(upper, own.upper ?? upper);
  notes.miss(
    "stiffness and damping of stops",
    "the limits are written; how hard they are is chosen by the program that reads the file",
  );
  return undefined;
}

/** Keys of drives that a robot file does not have. */
const OWN_KEYS = ["lag", "rate", "speed", "schedule", "regeneration", "ki", "unwind"] as const;

function addMotor(force: Fields, name: string, freedom: Freedom, effects: readonly FreedomEffects[]): string | undefined {
  const isServo = force.kind === "servo";
  const read = (key: string, unit: FreedomUnit): number | undefined => numberOf(force[key], unit, freedom);
  const [kp, kd] = [read("kp", FREEDOM_UNITS.stiffness) ?? 0, read("kd", FREEDOM_UNITS.damping) ?? 0];
  const [position, speed] = [read("position", FREEDOM_UNITS.coordinate) ?? 0, read("speed", FREEDOM_UNITS.speed) ?? 0];
  const gear = typeof force.gear === "number" ? force.gear : 1;
  const limit = read("limit", FREEDOM_UNITS.force);
  effects[freedom.u]!.motors.push({
    name,
    ...(isServo ? { kp, kd, constant: kp * position + kd * speed } : { kp: 0, kd: 0, constant: 0 }),
    limit: limit === undefined ? undefined : limit * gear,
  });
  const lost = OWN_KEYS.filter((key) => force[key] !== undefined && force[key] !== false && !(isServo && key === "speed"));
  return lost.length === 0 ? undefined : `its ${lost.join(", ")}`;
}

/** Springs inside elastic bodies. */
function addElasticSprings(
  { model }: ExportedRobot,
  freedoms: readonly Freedom[],
  effects: readonly FreedomEffects[],
  notes: ExportNotes,
): void {
  for (const { name, joints, coupling } of model.springs) {
    if (coupling !== undefined) notes.miss(`damping between the joints of the elastic body "${name}"`, "this damping is missing");
    for (const joint of joints)
      for (const freedom of freedoms.filter(({ hinge }) => hinge === joint.hinge)) {
        const own = effects[freedom.u]!;
        const stiffness = joint.stiffness[freedom.speedInHinge] ?? 0;
        own.damping += joint.damping[freedom.speedInHinge] ?? 0;
        if (freedom.ball !== undefined && stiffness !== 0)
          notes.miss(`stiffness of the elastic body "${name}"`, "this stiffness is missing");
        else {
          own.rest = stiffness === 0 ? own.rest : (own.stiffness * own.rest) / (own.stiffness + stiffness);
          own.stiffness += stiffness;
        }
      }
  }
}
