/** Actuators of MJCF that have an equivalent: motors, and servos of position and speed. */
import type { Fields } from "../../declare/plain-data.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
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
  /** Instead of kv. */
  readonly dampingRatio?: number;
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
  inertiaOf: InertiaOf,
  notes: ImportNotes,
): readonly MjcfActuator[] {
  if (compiler.disabled.has("actuation")) {
    for (const element of childrenOf(root, "actuator").slice(0, 1))
      notes.warn(element, "option.flag.actuation", "the actuators of the file are disabled, so they are left out");
    return [];
  }
  const names = new Namer();
  const actuators = childrenOf(root, "actuator").flatMap(({ children }) => children);
  return actuators.flatMap((element, i): readonly MjcfActuator[] => {
    const attributes = defaults.attributesOf(element, `actuator.${element.name}`, undefined);
    const force = forceOf(attributes, tree, compiler, inertiaOf, notes);
    return force === undefined
      ? []
      : [{ name: names.claim(attributes.text("name"), `${force.hinge ?? force.frame}-actuator-${i + 1}`), force }];
  });
}

/** Inertia that a joint moves in the reference position. */
export type InertiaOf = (joint: PlacedJoint) => number;

function forceOf(
  attributes: XmlAttributes,
  tree: MjcfTree,
  compiler: Compiler,
  inertiaOf: InertiaOf,
  notes: ImportNotes,
): Fields | undefined {
  const { element } = attributes;
  const refuse = (reason: string): undefined => {
    notes.unsupported(element, `actuator ${element.name}${reason}`.slice(0, 100), "the force of this actuator is missing");
    return undefined;
  };
  if (attributes.has("site")) return thrusterOf(attributes, tree, compiler, notes, refuse);
  const target = ["tendon", "body", "cranksite", "slidersite"].find((key) => attributes.has(key));
  if (target !== undefined) return refuse(` on a ${target}`);
  // For turns and slides, `jointinparent` is the same.
  const wanted = attributes.text("joint") ?? attributes.text("jointinparent");
  const joint = tree.joints.find(({ name }) => name !== undefined && name === wanted);
  if (joint === undefined) {
    attributes.problem("joint", "no joint has this name");
    return undefined;
  }
  if (joint.type !== "hinge" && joint.type !== "slide") return refuse(` on a ${joint.type} joint`);
  const written = lawOf(attributes);
  if (written === undefined) return refuse(" with this law");
  const [gear = 1] = attributes.numbers("gear", 1, 6) ?? [];
  if (gear === 0) return refuse(" with the gear 0");
  const law = damped(written, () => inertiaOf(joint) / gear ** 2);
  return forceOfLaw(law, gear, joint, { attributes, compiler, notes, refuse });
}

/** A law with a damping ratio, with the damping that it gives the inertia that the actuator moves in the reference position. */
const damped = (law: Law, inertia: () => number): Law =>
  law.dampingRatio === undefined ? law : { ...law, kv: 2 * law.dampingRatio * Math.sqrt(law.kp * Math.max(0, inertia())) };

/** A motor whose force acts at a site, along its gear, is a thruster: the command is its force. */
function thrusterOf(
  attributes: XmlAttributes,
  tree: MjcfTree,
  compiler: Compiler,
  notes: ImportNotes,
  refuse: (reason: string) => undefined,
): Fields | undefined {
  const site = tree.sites.get(attributes.text("site") ?? "");
  if (site === undefined) {
    attributes.problem("site", "no site has this name");
    return undefined;
  }
  const law = lawOf(attributes);
  const [x = 1, y = 0, z = 0, ...torque] = attributes.numbers("gear", 1, 6) ?? [];
  const size = euclideanNorm([x, y, z]);
  if (site.body === "world" || attributes.has("refsite") || torque.some((t) => t !== 0) || size === 0)
    return refuse(" on a site");
  if (law === undefined || law.kp !== 0 || law.kv !== 0 || law.constant !== 0 || law.gain <= 0) return refuse(" with this law");
  const [control, force] = [rangeOf(attributes, "ctrl", compiler), rangeOf(attributes, "force", compiler)];
  if (control === undefined || control[0] < 0)
    notes.unsupported(
      attributes.element,
      "negative commands of an actuator on a site",
      "it is a thruster, which only pushes: negative commands count as zero",
    );
  const limits = [...(control ? [control[1] * law.gain * size] : []), ...(force ? [force[1] * size] : [])];
  return { kind: "thruster", frame: site.name, direction: [x / size, y / size, z / size], ...limitOf(limits) };
}

/** Numbers that a short form may have; they are part of the law that `generalAttributes` makes of them. */
const GAINS = ["kp", "kv", "dampratio", "timeconst"];

/** The law of an actuator; undefined if Castor has no equivalent. A positive third number of the bias is a damping ratio. */
function lawOf(attributes: XmlAttributes): Law | undefined {
  for (const name of GAINS) if (attributes.has(name)) attributes.number(name);
  const is = (name: string, ...allowed: readonly string[]): boolean => allowed.includes(attributes.text(name) ?? allowed[0]!);
  if (!is("dyntype", "none") || !is("gaintype", "fixed") || !is("biastype", "none", "affine")) return undefined;
  const [gain = 1] = attributes.numbers("gainprm", 1, 10) ?? [];
  const [constant = 0, position = 0, speed = 0] =
    attributes.text("biastype") === "affine" ? (attributes.numbers("biasprm", 1, 10) ?? []) : [];
  const isRatio = speed > 0 && gain === -position;
  return { gain, constant, kp: -position, kv: isRatio ? 0 : -speed, ...(isRatio && { dampingRatio: speed }) };
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

interface ActuatorContext {
  readonly attributes: XmlAttributes;
  readonly compiler: Compiler;
  readonly notes: ImportNotes;
  refuse(reason: string): undefined;
}

function forceOfLaw(
  { gain, constant, kp, kv }: Law,
  gear: number,
  joint: PlacedJoint,
  { attributes, compiler, notes, refuse }: ActuatorContext,
): Fields | undefined {
  const control = rangeOf(attributes, "ctrl", compiler) ?? inheritedRange(attributes, joint);
  const force = rangeOf(attributes, "force", compiler);
  const largest = (range: readonly [number, number]): number => {
    if (range[0] !== -range[1])
      notes.unsupported(
        attributes.element,
        "range of forces of an actuator that is not symmetric",
        "its limit is the larger one, in both directions",
      );
    return Math.max(Math.abs(range[0]), Math.abs(range[1]));
  };
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
