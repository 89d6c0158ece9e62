/**
 * State files: initial coordinates and speeds, torques and wrenches, by hinge name.
 *
 *     q: { waist: 90 deg, base: [1, 0, 0, 0, 0, 0, 0] }
 *     u: { waist: 0.1 }
 *     tau: { waist: 5 }
 *     wrenches: [{ frame: tip, force: [1, 0, 0], torque: [0, 0, 0] }]
 *
 * Hinges that are not named are at home, at rest and without torque.
 */

import { didYouMean } from "../declare/names.ts";
import { childPath, readArray, readFields, readRecord } from "../declare/plain-data.ts";
import { readQuantity, type SiUnit } from "../declare/units.ts";
import { type Problem, valueText } from "../errors.ts";
import { readUnitQuaternion } from "../model/build/parse-placement.ts";
import { type Hinge, homeOf, type Model } from "../model/model.ts";
import type { Wrench } from "../model/wrench.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import { ZERO3 } from "../spatial/vec3.ts";
import { readDocument } from "./document.ts";

export interface InitialState {
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly tau: Float64Array;
  readonly wrenches: readonly Wrench[];
}

/** @throws ModelError with every problem of the text, each with its line. */
export function parseState(text: string, model: Model, source = "state"): InitialState {
  const document = readDocument(text, source);
  const problems: Problem[] = [...document.problems];
  const fields = readFields(document.data ?? {}, "", ["q", "u", "tau", "wrenches"], problems) ?? {};
  const state = {
    q: homeOf(model),
    u: new Float64Array(model.nu),
    tau: new Float64Array(model.nu),
    wrenches: fields.wrenches === undefined ? [] : readWrenches(fields.wrenches, model, problems),
  };
  for (const name of ["q", "u", "tau"] as const)
    if (fields[name] !== undefined) readValuesByHinge(state[name], name, fields[name], name, model, problems);
  if (problems.length > 0) throw document.error(problems);
  return state;
}

/** Reads values by hinge name into the array of all hinges. */
export function readValuesByHinge(
  into: Float64Array,
  quantity: "q" | "u" | "tau",
  value: unknown,
  parentPath: string,
  model: Model,
  problems: Problem[],
): void {
  const record = readRecord(value, parentPath, problems);
  const hinges = new Map(model.bodies.map(({ hinge }) => [hinge.name, hinge]));
  for (const [name, entry] of Object.entries(record ?? {})) {
    const path = childPath(parentPath, name);
    const hinge = hinges.get(name);
    if (hinge === undefined)
      problems.push({ path, message: "no hinge has this name", value: valueText(name), advice: didYouMean(name, hinges.keys()) });
    else into.set(readHingeValues(entry, hinge, quantity, path, problems), quantity === "q" ? hinge.q : hinge.u);
  }
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
  if (units.length === 1 && !Array.isArray(value)) {
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
      const unit = readUnitQuaternion(numbers.slice(first, first + 4), path, problems);
      normalisedNumbers.splice(first, 4, ...(unit ?? [1, 0, 0, 0]));
    }
    start += nq;
  }
  return normalisedNumbers;
}

function readWrenches(value: unknown, model: Model, problems: Problem[]): readonly Wrench[] {
  const names = new Set([...model.frames.map((f) => f.name), ...model.bodies.map((b) => b.name)]);
  const usedFrames = new Set<unknown>();
  return (readArray(value, "wrenches", "a list of wrenches", problems) ?? []).map((item, i) => {
    const path = childPath("wrenches", i);
    const fields = readFields(item, path, ["frame", "force", "torque"], problems) ?? { frame: "" };
    const frame = typeof fields.frame === "string" ? fields.frame : "";
    const note = (message: string, advice?: string): void => {
      problems.push({
        path: childPath(path, "frame"),
        message,
        value: valueText(fields.frame),
        ...(advice !== undefined && { advice }),
      });
    };
    if (!names.has(frame)) note("no frame or body has this name", didYouMean(fields.frame, names));
    else if (usedFrames.has(frame)) note("the frame has a wrench already", "Add them to one wrench");
    usedFrames.add(frame);
    const vector = (key: "force" | "torque", unit: SiUnit): Vec3<number> =>
      fields[key] === undefined ? ZERO3 : readQuantityVector(fields[key], unit, childPath(path, key), problems);
    return { frame, torque: vector("torque", "N m"), force: vector("force", "N") };
  });
}

function readQuantityVector(value: unknown, unit: SiUnit, path: string, problems: Problem[]): Vec3<number> {
  const items = readArray(value, path, "3 numbers", problems);
  if (items === undefined) return ZERO3;
  if (items.length !== 3) problems.push({ path, message: `must have 3 numbers, has ${items.length}`, value: valueText(value) });
  return items
    .slice(0, 3)
    .map((item, i) => readQuantity(item, unit, childPath(path, i), problems) ?? 0) as unknown as Vec3<number>;
}
