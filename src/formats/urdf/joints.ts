/** Joints of URDF. */

import { placementOf } from "../../model/build/placement.ts";
import type { HingeDescription } from "../../model/description.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import { compose } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import { axisRotation } from "../robot/axis-rotation.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { type JointTraits, NO_LIMIT } from "../robot/robot-draft.ts";
import { childOf, type XmlElement } from "../xml/xml-element.ts";
import { readOrigin } from "./placement.ts";

export const JOINT_TYPES = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"] as const;
export type UrdfJointType = (typeof JOINT_TYPES)[number];

export interface UrdfJoint {
  readonly element: XmlElement;
  readonly name: string;
  readonly type: UrdfJointType;
  readonly parent: string;
  readonly child: string;
  readonly hinge: HingeDescription;
  readonly traits: JointTraits;
  /** Largest torque or force, and largest speed; undefined if not given, zero, or so large that it stands for none. */
  readonly effort: number | undefined;
  readonly velocity: number | undefined;
  readonly mimic: { readonly joint: string; readonly multiplier: number; readonly offset: number } | undefined;
}

export function readJoint(element: XmlElement, notes: ImportNotes): UrdfJoint {
  const own = new XmlAttributes(element, "joint", notes);
  const name = own.neededText("name") ?? "";
  const path = `joint[${name}]`;
  own.neededText("type");
  const type = new XmlAttributes(element, path, notes).choice("type", JOINT_TYPES) ?? "fixed";
  const linkOf = (end: "parent" | "child"): string => {
    const child = childOf(element, end);
    if (child === undefined) notes.problem(element, path, `has no <${end}>`, { advice: `Write <${end} link="..."/>` });
    return (child && new XmlAttributes(child, `${path}.${end}`, notes).neededText("link")) ?? "";
  };
  const limit = childOf(element, "limit");
  const limits = limit && new XmlAttributes(limit, `${path}.limit`, notes);
  const positive = (key: string): number | undefined => {
    const value = limits?.number(key);
    return value !== undefined && value > 0 && value < NO_LIMIT ? value : undefined;
  };
  return {
    element,
    name,
    type,
    parent: linkOf("parent"),
    child: linkOf("child"),
    hinge: hingeOf(element, type, path, notes),
    traits: { ...rangeOf(limits, type, path, notes), ...dynamicsOf(element, type, path, notes) },
    effort: positive("effort"),
    velocity: positive("velocity"),
    mimic: mimicOf(element, type, path, notes),
  };
}

function hingeOf(element: XmlElement, type: UrdfJointType, path: string, notes: ImportNotes): HingeDescription {
  const placement = readOrigin(element, path, notes);
  if (type === "fixed") return { kind: "fixed", ...placement };
  if (type === "floating") return { kind: "free", ...placement };
  const axisElement = childOf(element, "axis");
  const attributes = axisElement && new XmlAttributes(axisElement, `${path}.axis`, notes);
  const axis: Vec3<number> = attributes?.vector("xyz") ?? [1, 0, 0];
  if (axis.every((c) => c === 0)) attributes?.problem("xyz", "an axis must not be zero");
  if (type !== "planar") return { kind: type === "prismatic" ? "prismatic" : "revolute", axis, ...placement };
  // The axis is the normal of the plane, and z of a planar hinge.
  const R = axisRotation(axis);
  const F = placementOf(placement);
  return {
    kind: "planar",
    ...(placement.at && { at: placement.at }),
    rotation: { matrix: compose(F.R, R) as Mat3<number> },
    onBody: { rotation: { matrix: R } },
  };
}

/** Lower and upper limit of a joint with a range. */
function rangeOf(limits: XmlAttributes | undefined, type: UrdfJointType, path: string, notes: ImportNotes): JointTraits {
  if (type !== "revolute" && type !== "prismatic") return {};
  if (limits === undefined) {
    notes.warn(undefined, path, `a ${type} joint needs a <limit>; it was read without one`);
    return {};
  }
  const [lower, upper] = [limits.number("lower") ?? 0, limits.number("upper") ?? 0];
  if (lower < upper) return { ...(lower > -NO_LIMIT && { lower }), ...(upper < NO_LIMIT && { upper }) };
  notes.warn(limits.element, limits.path, `the limits ${lower} to ${upper} leave no range, so the joint has no stops`, {
    advice: type === "revolute" ? 'Write lower < upper, or type="continuous"' : "Write lower < upper",
  });
  return {};
}

function dynamicsOf(element: XmlElement, type: UrdfJointType, path: string, notes: ImportNotes): JointTraits {
  const dynamics = childOf(element, "dynamics");
  if (dynamics === undefined) return {};
  const attributes = new XmlAttributes(dynamics, `${path}.dynamics`, notes);
  const [damping, friction] = ["damping", "friction"].map((key) => {
    const value = attributes.number(key) ?? 0;
    if (value < 0) attributes.problem(key, "must not be negative");
    return value;
  }) as [number, number];
  if ((type === "floating" || type === "planar") && (damping > 0 || friction > 0))
    notes.unsupported(dynamics, `dynamics of a ${type} joint`, "this joint moves without damping and friction");
  return { ...(damping > 0 && { damping }), ...(friction > 0 && { friction }) };
}

function mimicOf(element: XmlElement, type: UrdfJointType, path: string, notes: ImportNotes): UrdfJoint["mimic"] {
  const mimic = childOf(element, "mimic");
  if (mimic === undefined) return undefined;
  const attributes = new XmlAttributes(mimic, `${path}.mimic`, notes);
  const joint = attributes.neededText("joint") ?? "";
  if (type === "fixed" || type === "floating" || type === "planar") {
    notes.unsupported(mimic, `mimic of a ${type} joint`, "this joint does not follow the other one");
    return undefined;
  }
  return { joint, multiplier: attributes.number("multiplier") ?? 1, offset: attributes.number("offset") ?? 0 };
}
