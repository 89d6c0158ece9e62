/** Parses the hinge of a body. The defaults of a kind declare its parameters. */

import { didYouMean, readName } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields, readNumber, readNumbers, readVec3 } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { type Axis, axisVector } from "../../spatial/axis.ts";
import { snapRotation } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { HingeElement, HingeKind } from "../hinge.ts";
import { FREEDOM_NAMES, type FreedomName, ROTATIONS, type Rotations } from "../hinges/general.ts";
import { HINGES, type HingeKindName } from "../hinges/index.ts";
import type { Hinge } from "../model.ts";
import { AT_ORIGIN, PLACEMENT_KEYS, readPlacement, readPlacementObject } from "./parse-placement.ts";

/** A hinge without its indices in q and u. */
export type HingeDraft = Omit<Hinge, "q" | "u">;

/** A shorter vector has no meaningful direction. */
const SHORTEST_AXIS = 1e-9;

export type HingeParameterReader = (value: unknown, path: string, problems: Problem[]) => unknown;

/** Every parameter of any kind of hinge. */
const PARAMETERS: Readonly<Record<string, HingeParameterReader>> = {
  axis: readAxis,
  pitch: readNumber,
  freedoms: readFreedoms,
  rotations: readRotations,
};

const KEYS = ["name", "kind", ...Object.keys(PARAMETERS), "armature", ...PLACEMENT_KEYS, "onBody"];

export function readHinge(value: unknown, path: string, bodyName: string, problems: Problem[]): HingeDraft | undefined {
  const fields = readFields(value, path, KEYS, problems);
  if (fields === undefined) return undefined;
  const name = fields.name === undefined ? bodyName : readName(fields.name, childPath(path, "name"), problems);
  const onParent = readPlacement(fields, path, problems);
  const onBody =
    fields.onBody === undefined ? AT_ORIGIN : readPlacementObject(fields.onBody, childPath(path, "onBody"), problems);
  const kind = readKind(fields.kind, childPath(path, "kind"), problems);
  if (kind === undefined) return undefined;
  refuseOtherParameters(fields, kind, path, problems);
  const parameters = readHingeParameters(fields, kind, path, problems);
  if (parameters === undefined) return undefined;
  const chain = elementsOfHinge(kind, parameters);
  const count = (which: "nq" | "nu"): number => chain.reduce((sum, e) => sum + e[which], 0);
  const common = { onParent, onBody, nq: count("nq"), nu: count("nu") };
  if (fields.armature === undefined) return { name, kind, parameters, elements: chain, ...common };
  const armature = readArmature(fields.armature, chain, childPath(path, "armature"), problems);
  if (armature === undefined) return undefined;
  const elements = chain.map((element, i): HingeElement => ({ ...element, armature: armature[i]! }));
  return { name, kind, parameters: { ...parameters, armature: fields.armature }, elements, ...common };
}

/** Inertia of the rotors: one number for a hinge of one freedom, else one for each. Every freedom must be a single turn or slide. */
function readArmature(
  value: unknown,
  chain: readonly HingeElement[],
  path: string,
  problems: Problem[],
): readonly number[] | undefined {
  if (chain.length === 0 || chain.some((e) => e.screw === undefined)) {
    const message = "only a hinge whose freedoms are single turns or slides can have an armature";
    problems.push({ path, message, value: valueText(value), advice: "Leave it out" });
    return undefined;
  }
  const list = Array.isArray(value) ? readNumbers(value, path, chain.length, problems) : undefined;
  const single = Array.isArray(value) ? undefined : readNumber(value, path, problems);
  const numbers = list ?? (single === undefined ? undefined : [single]);
  if (numbers === undefined) return undefined;
  if (numbers.length !== chain.length) {
    problems.push({ path, message: `must have a number for each of ${chain.length} freedoms`, value: valueText(value) });
    return undefined;
  }
  if (numbers.every((n) => n >= 0)) return numbers;
  problems.push({
    path,
    message: "must not be negative",
    value: valueText(value),
    advice: "Gear ratio squared × inertia of the rotor",
  });
  return undefined;
}

function readKind(value: unknown, path: string, problems: Problem[]): HingeKindName | undefined {
  if (typeof value === "string" && Object.hasOwn(HINGES, value)) return value as HingeKindName;
  const advice = didYouMean(value, Object.keys(HINGES));
  if (value === undefined) problems.push({ path, message: "is missing", advice });
  else problems.push({ path, message: "no such kind of hinge", value: valueText(value), advice });
  return undefined;
}

/** Reports parameters that belong to another kind. */
function refuseOtherParameters(fields: Fields, kind: HingeKindName, path: string, problems: Problem[]): void {
  for (const name of Object.keys(PARAMETERS)) {
    if (fields[name] === undefined || Object.hasOwn(HINGES[kind].defaults, name)) continue;
    const takers = Object.values(HINGES).filter((k) => Object.hasOwn(k.defaults, name));
    const advice = `Leave it out; it belongs to ${takers.map((k) => k.name).join(", ")}`;
    problems.push({
      path: childPath(path, name),
      message: `a ${kind} hinge has no ${name}`,
      value: valueText(fields[name]),
      advice,
    });
  }
}

/** The given parameters of the kind, or undefined after a problem. */
export function readHingeParameters(
  fields: Fields,
  kind: HingeKindName,
  path: string,
  problems: Problem[],
): Readonly<Record<string, unknown>> | undefined {
  const before = problems.length;
  const givenParameters: Record<string, unknown> = {};
  for (const name of Object.keys(HINGES[kind].defaults))
    if (fields[name] !== undefined) givenParameters[name] = PARAMETERS[name]!(fields[name], childPath(path, name), problems);
  return problems.length === before ? givenParameters : undefined;
}

/** The elements of a kind with the given parameters. */
export function elementsOfHinge(
  kind: HingeKindName,
  givenParameters: Readonly<Record<string, unknown>>,
): readonly HingeElement[] {
  const { defaults, elements } = HINGES[kind] as HingeKind;
  const axis = givenParameters.axis as Axis | undefined;
  return elements({ ...defaults, ...givenParameters, ...(axis !== undefined && { axis: snappedAxis(axis) }) });
}

/** The unit vector of an axis. Components near zero (1e-17 in converted files) become exact zeros, so that they fold in kernels. */
export function snappedAxis(axis: Axis): Vec3<number> {
  const unit = axisVector(axis);
  return snapRotation([unit, unit, unit])[0];
}

export function readAxis(value: unknown, path: string, problems: Problem[]): Axis | undefined {
  if (value === "x" || value === "y" || value === "z") return value;
  if (!Array.isArray(value)) {
    problems.push({ path, message: "an axis must be x, y, z or three numbers", value: valueText(value) });
    return undefined;
  }
  const axis = readVec3(value, path, problems);
  if (axis === undefined) return undefined;
  if (euclideanNorm(axis) > SHORTEST_AXIS) return axis;
  problems.push({
    path,
    message: "an axis must not be zero",
    value: valueText(value),
    advice: "Give its direction; the length does not matter",
  });
  return undefined;
}

export function readRotations(value: unknown, path: string, problems: Problem[]): Rotations | undefined {
  const rotations = ROTATIONS.find((r) => r === value);
  if (rotations === undefined)
    problems.push({ path, message: "must be exact or small", value: valueText(value), advice: didYouMean(value, ROTATIONS) });
  return rotations;
}

function readFreedoms(value: unknown, path: string, problems: Problem[]): readonly FreedomName[] | undefined {
  const items = readArray(value, path, `a list of ${FREEDOM_NAMES.join(", ")}`, problems);
  if (items === undefined) return undefined;
  const before = problems.length;
  const freedoms: FreedomName[] = [];
  for (const [i, item] of items.slice(0, 2 * FREEDOM_NAMES.length).entries()) {
    const itemPath = childPath(path, i);
    const freedom = FREEDOM_NAMES.find((f) => f === item);
    if (freedom === undefined)
      problems.push({
        path: itemPath,
        message: "no such freedom",
        value: valueText(item),
        advice: didYouMean(item, FREEDOM_NAMES),
      });
    else if (freedoms.includes(freedom))
      problems.push({ path: itemPath, message: "the freedom is listed twice", value: valueText(item) });
    else freedoms.push(freedom);
  }
  return problems.length === before ? freedoms : undefined;
}
