/**
 * State files: initial coordinates and speeds, torques and wrenches, by hinge name.
 *
 *     q: { waist: 90 deg, base: [1, 0, 0, 0, 0, 0, 0] }
 *     u: { waist: 0.1 }
 *     tau: { waist: 5 }
 *     wrenches: [{ frame: tip, force: [1, 0, 0], torque: [0, 0, 0] }]
 *
 * Hinges that are not named are at home, at rest and without torque. `axes` names the axes of the speeds of free and ball hinges.
 */

import { didYouMean } from "../declare/names.ts";
import type { Parameter, Parameters } from "../declare/parameters.ts";
import { readValue } from "../declare/parse-parameters.ts";
import { childPath, isFields, itemsOf, readArray, readFields, readRecord } from "../declare/plain-data.ts";
import { angleWarning, readQuantity, readQuantityInUnit, type SiUnit } from "../declare/units.ts";
import { type Problem, valueText } from "../errors.ts";
import { quaternionProblem, unitQuaternion } from "../model/build/placement.ts";
import { knownNames } from "../model/freedoms.ts";
import { type Hinge, homeOf, type Model } from "../model/model.ts";
import type { Wrench } from "../model/wrench.ts";
import { readDocument } from "./document.ts";
import { convertSpeedAxes, SPEED_AXES } from "./speed-axes.ts";

export interface InitialState {
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly tau: Float64Array;
  readonly wrenches: readonly Wrench[];
}

/** Numbers by the name of a hinge. */
const valuesByHinge = (what: string) =>
  ({
    type: "record",
    nouns: "hinges",
    optional: true,
    about: `${what} by hinge: a number or text with a unit; a list if the hinge has several.`,
    of: {
      type: "either",
      about: "The numbers of a hinge.",
      forms: "a number, or a list of numbers",
      of: [
        { type: "quantity", about: "One number." },
        {
          type: "items",
          noun: "number",
          nouns: "numbers",
          about: "One number for each coordinate or speed.",
          of: { type: "quantity", about: "A number." },
        },
      ],
    },
  }) as const satisfies Parameter;

/** Every section of a state file. */
export const STATE_FILE = {
  q: valuesByHinge("Coordinates"),
  u: valuesByHinge("Speeds"),
  axes: SPEED_AXES,
  tau: valuesByHinge("Forces and torques of the drives"),
  wrenches: {
    type: "items",
    noun: "wrench",
    nouns: "wrenches",
    default: [],
    about: "Forces and torques on bodies, in world axes.",
    of: {
      type: "object",
      about: "A force and a torque at the origin of a frame, in world axes.",
      of: {
        frame: { type: "frame", about: "Frame or body." },
        force: { type: "vector", unit: "N", default: [0, 0, 0], about: "Force." },
        torque: { type: "vector", unit: "N m", default: [0, 0, 0], about: "Torque." },
      },
    },
  },
} as const satisfies Parameters;

/** @throws ModelError with every problem of the text, each with its line. */
export function parseState(text: string, model: Model, source = "state"): InitialState {
  const document = readDocument(text, source);
  const problems: Problem[] = [...document.problems];
  const fields = readFields(document.data ?? {}, "", Object.keys(STATE_FILE), problems) ?? {};
  const state = {
    q: homeOf(model),
    u: new Float64Array(model.nu),
    tau: new Float64Array(model.nu),
    wrenches: readWrenches(fields.wrenches, model, problems),
  };
  const hinges = new Map(model.bodies.map(({ hinge }) => [hinge.name, hinge]));
  for (const name of ["q", "u", "tau"] as const)
    if (fields[name] !== undefined) readValuesByHinge(state[name], name, fields[name], name, hinges, problems);
  const isGiven = (name: string): boolean => isFields(fields.u) && Object.hasOwn(fields.u, name);
  convertSpeedAxes(fields.axes, "axes", model, state, isGiven, problems);
  if (problems.length > 0) throw document.error(problems);
  return state;
}

/** Reads values by hinge name into the array of all hinges. A hinge that is undefined, or a name that `isBroken`, cannot be judged. */
export function readValuesByHinge(
  into: Float64Array,
  quantity: "q" | "u" | "tau",
  value: unknown,
  parentPath: string,
  hinges: ReadonlyMap<string, Hinge | undefined>,
  problems: Problem[],
  isBroken: (name: string) => boolean = () => false,
  warn: (warning: Problem) => void = () => {},
): void {
  const record = readRecord(value, parentPath, problems);
  for (const [name, entry] of Object.entries(record ?? {})) {
    const path = childPath(parentPath, name);
    const hinge = hinges.get(name);
    if (hinge !== undefined) {
      into.set(readHingeValues(entry, hinge, quantity, path, problems), quantity === "q" ? hinge.q : hinge.u);
      for (const warning of angleWarnings(entry, hinge, quantity, path)) warn(warning);
    } else if (!hinges.has(name) && !isBroken(name))
      problems.push({ path, message: "no hinge has this name", value: valueText(name), advice: didYouMean(name, hinges.keys()) });
  }
}

/** Angles of a hinge that may be in degrees. */
function angleWarnings(value: unknown, hinge: Hinge, quantity: "q" | "u" | "tau", path: string): readonly Problem[] {
  const items = itemsOf(value);
  return hingeUnits(hinge, quantity).flatMap((unit, i) => {
    const warning = items ? angleWarning(items[i], unit, childPath(path, i)) : angleWarning(value, unit, path);
    return warning === undefined ? [] : [warning];
  });
}

/** The numbers of one hinge; empty after a problem. */
function readHingeValues(
  value: unknown,
  hinge: Hinge,
  quantity: "q" | "u" | "tau",
  path: string,
  problems: Problem[],
): readonly number[] {
  const units = hingeUnits(hinge, quantity);
  if (units.length === 1 && itemsOf(value) === undefined) {
    const number = readQuantity(value, units[0]!, path, problems);
    return number === undefined ? [] : [number];
  }
  const expectedText = `${units.length} number${units.length === 1 ? "" : "s"} for a ${hinge.kind} hinge`;
  const items = readArray(value, path, expectedText, problems);
  if (items === undefined) return [];
  if (items.length !== units.length) {
    problems.push({ path, message: `must be ${expectedText}, has ${items.length}`, value: valueText(value) });
    return [];
  }
  const before = problems.length;
  const numbers = items.map((item, i) => readQuantity(item, units[i]!, childPath(path, i), problems) ?? 0);
  if (problems.length > before) return [];
  return quantity === "q" ? withUnitQuaternions(numbers, hinge, path, problems) : numbers;
}

/** Units of the coordinates, speeds or forces of a hinge. */
function hingeUnits(hinge: Hinge, quantity: "q" | "u" | "tau"): readonly SiUnit[] {
  const units = hinge.elements.flatMap((e) => (quantity === "q" ? e.units.q : e.units.u));
  return quantity === "tau" ? units.map((unit) => (unit === "rad/s" ? "N m" : "N")) : (units as SiUnit[]);
}

function withUnitQuaternions(numbers: readonly number[], hinge: Hinge, path: string, problems: Problem[]): readonly number[] {
  const normalisedNumbers = [...numbers];
  let start = 0;
  for (const { quaternion, nq } of hinge.elements) {
    if (quaternion !== undefined) {
      const first = start + quaternion;
      const written = numbers.slice(first, first + 4);
      const refusal = quaternionProblem(written);
      if (refusal !== undefined) problems.push({ path, ...refusal, value: valueText(written) });
      else normalisedNumbers.splice(first, 4, ...unitQuaternion(written));
    }
    start += nq;
  }
  return normalisedNumbers;
}

function readWrenches(value: unknown, model: Model, problems: Problem[]): readonly Wrench[] {
  const read = readValue(STATE_FILE.wrenches, value, knownNames(model), problems, {
    path: "wrenches",
    quantity: readQuantityInUnit,
  });
  const wrenches = (read ?? []) as readonly (Partial<Wrench> | undefined)[];
  const usedFrames = new Set<string>();
  for (const [i, wrench] of wrenches.entries()) {
    if (wrench?.frame === undefined) continue;
    if (usedFrames.has(wrench.frame))
      problems.push({
        path: childPath(childPath("wrenches", i), "frame"),
        message: "the frame has a wrench already",
        value: valueText(wrench.frame),
        advice: "Add them to one wrench",
      });
    usedFrames.add(wrench.frame);
  }
  return wrenches as readonly Wrench[];
}
