/** Joints of MJCF. */

import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { HingeDescription } from "../../model/description.ts";
import type { Placement } from "../../model/model.ts";
import { apply, type Mat3, rotationAboutAxis } from "../../spatial/rotation.ts";
import { plus, scale, type Vec3 } from "../../spatial/vec3.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { composed, describe, translation } from "../robot/placements.ts";
import { type JointTraits, NO_LIMIT } from "../robot/robot-draft.ts";
import type { Compiler } from "./mjcf-file.ts";

const TYPES = ["free", "ball", "slide", "hinge"] as const;
export type MjcfJointType = (typeof TYPES)[number];

export interface MjcfJoint {
  readonly attributes: XmlAttributes;
  readonly type: MjcfJointType;
  readonly axis: Vec3<number>;
  readonly pos: Vec3<number>;
  /** Coordinate in the reference position of the file. */
  readonly ref: number;
  readonly traits: JointTraits;
  readonly armature: number;
  /** Largest force of all actuators of the joint. */
  readonly actuatorLimit: number | undefined;
}

/** Attributes that are read, or have no effect on the motion. */
const READ = new Set([
  "name",
  "class",
  "type",
  "pos",
  "axis",
  "limited",
  "range",
  "ref",
  "springref",
  "stiffness",
  "damping",
  "frictionloss",
  "armature",
  "group",
  "user",
  "align",
  "actuatorfrcrange",
  "actuatorfrclimited",
]);
const SOFT = new Set(["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"]);

/** @param frame placement of the <frame> elements around the joint on its body */
export function readJoint(attributes: XmlAttributes, frame: Placement, compiler: Compiler, notes: ImportNotes): MjcfJoint {
  const { element } = attributes;
  const isFree = element.name === "freejoint";
  const type = isFree ? "free" : (attributes.choice("type", TYPES) ?? "hinge");
  const axis = attributes.vector("axis") ?? [0, 0, 1];
  const norm = euclideanNorm(axis);
  if (norm === 0) attributes.problem("axis", "an axis must not be zero");
  for (const name of isFree ? [] : allNames(attributes))
    if (SOFT.has(name))
      notes.unsupported(
        element,
        "soft limits and soft friction of joints (solref, solimp, margin)",
        "limits are stops with the stiffness that Castor chooses, and friction sticks",
      );
    else if (!READ.has(name))
      notes.unsupported(element, `joint ${name}`.slice(0, 100), EFFECTS[name] ?? "Castor does not know this attribute");
  return {
    attributes,
    type,
    axis: apply(frame.R, axis.map((c) => c / (norm || 1)) as unknown as Vec3<number>) as Vec3<number>,
    pos: type === "free" ? [0, 0, 0] : (plus(frame.p, apply(frame.R, attributes.vector("pos") ?? [0, 0, 0])) as Vec3<number>),
    ref: isFree ? 0 : (attributes.number("ref") ?? 0) * unitOf(type, compiler),
    traits: isFree ? {} : readTraits(attributes, type, compiler, notes),
    armature: isFree ? 0 : readArmature(attributes, type, notes),
    actuatorLimit: largestForce(attributes),
  };
}

const EFFECTS: Readonly<Record<string, string>> = {
  springdamper: "the spring and damper that MuJoCo derives from time constants are missing",
  actuatorgravcomp: "gravity compensation is missing",
};

const allNames = (attributes: XmlAttributes): readonly string[] => [...attributes.names()];

const unitOf = (type: MjcfJointType, { angle }: Compiler): number => (type === "hinge" || type === "ball" ? angle : 1);

/** Inertia of the rotor; Castor has it for single turns and slides. */
function readArmature(attributes: XmlAttributes, type: MjcfJointType, notes: ImportNotes): number {
  const armature = attributes.number("armature") ?? 0;
  if (armature === 0 || type === "hinge" || type === "slide") return armature;
  notes.unsupported(attributes.element, `armature of a ${type} joint`, "this inertia of the rotor is missing");
  return 0;
}

function largestForce(attributes: XmlAttributes): number | undefined {
  const range = attributes.numbers("actuatorfrcrange", 2, 2);
  return range && attributes.text("actuatorfrclimited") !== "false"
    ? Math.max(Math.abs(range[0]!), Math.abs(range[1]!))
    : undefined;
}

/** Numbers of a polynomial, of which only the constant is used. */
function constantOf(attributes: XmlAttributes, name: string, notes: ImportNotes): number {
  const [value = 0, ...higher] = attributes.numbers(name, 1, 5) ?? [];
  if (higher.some((coefficient) => coefficient !== 0))
    notes.unsupported(attributes.element, `polynomial ${name} of joints`, "only the linear law acts");
  return value;
}

function readTraits(attributes: XmlAttributes, type: MjcfJointType, compiler: Compiler, notes: ImportNotes): JointTraits {
  const { element } = attributes;
  const unit = unitOf(type, compiler);
  const range = attributes.numbers("range", 2, 2);
  const limited = attributes.text("limited") ?? "auto";
  const isLimited =
    !compiler.disabled.has("limit") && (limited === "true" || (limited === "auto" && compiler.autolimits && range !== undefined));
  const { disabled } = compiler;
  const [stiffness, damping, friction] = [
    disabled.has("spring") ? 0 : constantOf(attributes, "stiffness", notes),
    disabled.has("damper") ? 0 : constantOf(attributes, "damping", notes),
    disabled.has("frictionloss") ? 0 : (attributes.number("frictionloss") ?? 0),
  ];
  const rest = (attributes.number("springref") ?? 0) * unit;
  if (type === "free" || type === "ball") {
    if (isLimited) notes.unsupported(element, `limit of a ${type} joint`, "the joint has no limit");
    if (stiffness !== 0) notes.unsupported(element, `stiffness of a ${type} joint`, "the spring of the joint is missing");
    if (friction !== 0) notes.unsupported(element, `frictionloss of a ${type} joint`, "the dry friction of the joint is missing");
    if (damping !== 0 && type === "free")
      notes.unsupported(element, "damping of a free joint", "the damping of the joint is missing");
    return damping !== 0 && type === "ball" ? { damping } : {};
  }
  return {
    ...(isLimited && range !== undefined && range[0]! < range[1]! && limitsOf(range, unit)),
    ...(damping !== 0 && { damping }),
    ...(friction !== 0 && { friction }),
    ...(stiffness !== 0 && { stiffness, rest }),
  };
}

const limitsOf = ([lower, upper]: readonly number[], unit: number): JointTraits => ({
  ...(lower! > -NO_LIMIT && { lower: lower! * unit }),
  ...(upper! < NO_LIMIT && { upper: upper! * unit }),
});

/** The hinge of a joint on a body that is placed on its carrier by X. Its coordinate is that of the file: `ref` in the reference position. */
export function hingeOf({ type, axis, pos, ref, armature }: MjcfJoint, X: Placement): HingeDescription {
  if (type === "free") return { kind: "free" };
  const onBody = pos.some((c) => c !== 0) ? { onBody: { at: pos } } : {};
  const anchored = composed(X, translation(pos));
  if (type === "ball") return { kind: "spherical", ...describe(anchored), ...onBody };
  const back: Placement =
    type === "hinge"
      ? { R: rotationAboutAxis(axis, -ref) as Mat3<number>, p: [0, 0, 0] }
      : translation(scale(-ref, axis) as Vec3<number>);
  const kind = type === "hinge" ? "revolute" : "prismatic";
  return {
    kind,
    axis,
    ...describe(ref === 0 ? anchored : composed(anchored, back)),
    ...onBody,
    ...(armature > 0 && { armature }),
  };
}
