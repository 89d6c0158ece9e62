/** Actuators of MJCF that have an equivalent: motors, and servos of position and speed. */
import type { Fields } from "../../declare/plain-data.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { withUnit } from "../robot/joint-forces.ts";
import { Namer } from "../robot/safe-names.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import type { MjcfTree, PlacedJoint } from "./bodies.ts";
import type { Defaults } from "./defaults.ts";
import type { Compiler } from "./mjcf-file.ts";

/** force = gain control + constant - kp q - kv u, before the gear. */
interface Law {
  readonly gain: number;
  readonly constant: number;
  readonly kp: number;
  readonly kv: number;
}

export interface MjcfActuator {
  readonly name: string;
  readonly force: Fields;
}

export function readActuators(
  root: XmlElement,
  tree: MjcfTree,
  defaults: Defaults,
  compiler: Compiler,
  notes: ImportNotes,
): readonly MjcfActuator[] {
  const names = new Namer();
  const actuators = childrenOf(root, "actuator").flatMap(({ children }) => children);
  return actuators.flatMap((element, i): readonly MjcfActuator[] => {
    const attributes = defaults.attributesOf(element, `actuator.${element.name}`, undefined);
    const force = forceOf(attributes, tree, compiler, notes);
    return force === undefined ? [] : [{ name: names.claim(attributes.text("name"), `${force.hinge}-actuator-${i + 1}`), force }];
  });
}

function forceOf(attributes: XmlAttributes, tree: MjcfTree, compiler: Compiler, notes: ImportNotes): Fields | undefined {
  const { element } = attributes;
  const refuse = (reason: string): undefined => {
    notes.unsupported(element, `actuator ${element.name}${reason}`.slice(0, 100), "the force of this actuator is missing");
    return undefined;
  };
  const target = ["tendon", "site", "body", "cranksite", "slidersite", "jointinparent"].find((key) => attributes.has(key));
  if (target !== undefined) return refuse(` on a ${target}`);
  const joint = tree.joints.find(({ name }) => name !== undefined && name === attributes.text("joint"));
  if (joint === undefined) {
    attributes.problem("joint", "no joint has this name");
    return undefined;
  }
  if (joint.type !== "hinge" && joint.type !== "slide") return refuse(` on a ${joint.type} joint`);
  const law = lawOf(attributes, notes);
  if (law === undefined) return refuse(" with this law");
  const [gear = 1] = attributes.numbers("gear", 1, 6) ?? [];
  if (gear === 0) return refuse(" with the gear 0");
  return forceOfLaw(law, gear, joint, attributes, compiler, refuse);
}

/** The law of an actuator; undefined if Castor has no equivalent. */
function lawOf(attributes: XmlAttributes, notes: ImportNotes): Law | undefined {
  const number = (name: string, fallback: number): number => attributes.number(name) ?? fallback;
  if (attributes.has("timeconst") && number("timeconst", 0) !== 0) return undefined;
  switch (attributes.element.name) {
    case "motor":
      return { gain: 1, constant: 0, kp: 0, kv: 0 };
    case "position": {
      const kp = number("kp", 1);
      if (attributes.has("dampratio"))
        notes.unsupported(attributes.element, "actuator dampratio", "the damping of this actuator is missing: give kv");
      return { gain: kp, constant: 0, kp, kv: number("kv", 0) };
    }
    case "velocity": {
      const kv = number("kv", 1);
      return { gain: kv, constant: 0, kp: 0, kv };
    }
    case "general":
      return generalLaw(attributes);
    default:
      return undefined;
  }
}

function generalLaw(attributes: XmlAttributes): Law | undefined {
  const is = (name: string, ...allowed: readonly string[]): boolean => allowed.includes(attributes.text(name) ?? allowed[0]!);
  if (!is("dyntype", "none") || !is("gaintype", "fixed") || !is("biastype", "none", "affine")) return undefined;
  const [gain = 1] = attributes.numbers("gainprm", 1, 10) ?? [];
  const [constant = 0, position = 0, speed = 0] =
    attributes.text("biastype") === "affine" ? (attributes.numbers("biasprm", 1, 10) ?? []) : [];
  return { gain, constant, kp: -position, kv: -speed };
}

/** Range that is in force: by its flag, or by autolimits. */
function rangeOf(attributes: XmlAttributes, name: "ctrl" | "force", compiler: Compiler): readonly [number, number] | undefined {
  const range = attributes.numbers(`${name}range`, 2, 2);
  const limited = attributes.text(`${name}limited`) ?? "auto";
  const isLimited = limited === "true" || (limited === "auto" && compiler.autolimits);
  return range !== undefined && isLimited ? [range[0]!, range[1]!] : undefined;
}

/** `inheritrange`: the range of the joint, scaled about its middle. */
function inheritedRange(
  attributes: XmlAttributes,
  { traits: { lower, upper } }: PlacedJoint,
): readonly [number, number] | undefined {
  const factor = attributes.number("inheritrange") ?? 0;
  if (factor <= 0 || lower === undefined || upper === undefined) return undefined;
  const [middle, half] = [(lower + upper) / 2, (factor * (upper - lower)) / 2];
  return [middle - half, middle + half];
}

function forceOfLaw(
  { gain, constant, kp, kv }: Law,
  gear: number,
  joint: PlacedJoint,
  attributes: XmlAttributes,
  compiler: Compiler,
  refuse: (reason: string) => undefined,
): Fields | undefined {
  const control = rangeOf(attributes, "ctrl", compiler) ?? inheritedRange(attributes, joint);
  const force = rangeOf(attributes, "force", compiler);
  const largest = (range: readonly [number, number]): number => Math.max(Math.abs(range[0]), Math.abs(range[1]));
  const limits = [
    ...(force ? [largest(force) * Math.abs(gear)] : []),
    ...(joint.actuatorLimit !== undefined ? [joint.actuatorLimit] : []),
  ];
  const hinge = joint.hinge;
  if (kp === 0 && kv === 0) {
    if (constant !== 0) return refuse(" with a constant force");
    if (control !== undefined) limits.push(largest(control) * Math.abs(gain * gear));
    return { kind: "actuator", hinge, ...limitOf(limits) };
  }
  if (kp < 0 || kv < 0) return refuse(" with this law");
  // Control starts at zero, inside of its range. At the joint: kp gear² (position - q) - kv gear² u.
  const start = control === undefined ? 0 : Math.min(Math.max(0, control[0]), control[1]);
  const gains = { ...(kp !== 0 && { kp: kp * gear * gear }), ...(kv !== 0 && { kd: kv * gear * gear }) };
  if (kp === 0) {
    const speed = (gain * start + constant) / (kv * gear);
    return { kind: "servo", hinge, ...gains, ...(speed !== 0 && { speed }), ...limitOf(limits) };
  }
  const position = (gain * start + constant) / (kp * gear);
  const kind = joint.type === "hinge" ? "revolute" : "prismatic";
  return { kind: "servo", hinge, ...gains, ...(position !== 0 && { position: withUnit(position, kind) }), ...limitOf(limits) };
}

const limitOf = (limits: readonly number[]): { limit?: number } => {
  const limit = Math.min(...limits);
  return limits.length > 0 && limit > 0 ? { limit } : {};
};
