/** Reads SRDF, the semantic description beside a URDF robot: groups, named poses, disabled collisions and loops. */
import { didYouMean } from "../../declare/names.ts";
import { ModelError, valueText } from "../../errors.ts";
import type { AttachmentDescription, LoopDescription } from "../../model/description.ts";
import type { FreedomName } from "../../model/hinges/general.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import type { ImportedModel, NamedState } from "../robot/imported-model.ts";
import type { RobotLink } from "../robot/robot-draft.ts";
import { Namer } from "../robot/safe-names.ts";
import { readXml } from "../xml/read-xml.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import { readGroups } from "./groups.ts";
import type { SrdfRobot } from "./srdf-robot.ts";

export interface Semantics {
  readonly groups: ImportedModel["groups"];
  readonly states: Readonly<Record<string, NamedState>>;
  readonly noContact: ImportedModel["noContact"];
  readonly loops: readonly LoopDescription[];
  /** Hinges without an actuator. */
  readonly passive: ReadonlySet<string>;
}

const EFFECTS: Readonly<Record<string, string>> = {
  virtual_joint: "choose the base with --base instead",
  end_effector: "it has no effect on the motion; every link can be used as a frame",
  link_sphere_approximation: "contact shapes are those of the URDF file",
  joint_property: "it has no effect on the motion",
  disable_default_collisions: "contact acts only if a scenario has a force contact",
  enable_collisions: "contact acts only if a scenario has a force contact",
  rotor_params: "the inertia of rotors is not included",
  gripper: "it has no effect on the motion",
  contact: "contact acts only if a scenario has a force contact",
};

const READ = new Set(["group", "group_state", "disable_collisions", "loop_constraint", "passive_joint"]);

/** @throws ModelError if the text is not an SRDF file */
export function readSrdf(text: string, robot: SrdfRobot, notes: ImportNotes): Semantics {
  const root = readXml(text, notes.source);
  if (root.name !== "robot" || childrenOf(root, "link").length > 0) {
    const message =
      root.name === "robot"
        ? "this is a URDF file, not an SRDF file"
        : `this is not an SRDF file: its root element is <${root.name}>`;
    throw new ModelError(notes.source, [
      { path: "", message, line: root.line, advice: "An SRDF file is a <robot> with groups, poses and loops" },
    ]);
  }
  const groups = readGroups(childrenOf(root, "group"), robot, notes);
  const loopNames = new Namer(robot.taken);
  const loops = childrenOf(root, "loop_constraint").flatMap((element) => readLoop(element, robot, loopNames, notes));
  for (const element of root.children)
    if (!READ.has(element.name))
      notes.unsupported(
        element,
        element.name.slice(0, 100),
        Object.hasOwn(EFFECTS, element.name) ? EFFECTS[element.name]! : "Castor does not know this element",
      );
  return {
    groups,
    states: readStates(childrenOf(root, "group_state"), robot, notes),
    noContact: childrenOf(root, "disable_collisions").flatMap((element) => readPair(element, robot)),
    loops,
    passive: new Set(
      childrenOf(root, "passive_joint").flatMap(({ attributes }) => robot.hingeNames.get(attributes.get("name") ?? "") ?? []),
    ),
  };
}

function readPair({ attributes }: XmlElement, { bodyNames }: SrdfRobot): readonly (readonly [string, string])[] {
  const [a, b] = ["link1", "link2"].map((key) => bodyNames.get(attributes.get(key) ?? ""));
  return a === undefined || b === undefined ? [] : [[a, b]];
}

/** Names of the constrained components, and the freedoms of a hinge that they block. */
const COMPONENTS: Readonly<Record<string, FreedomName>> = { x: "x", y: "y", z: "z", roll: "rx", pitch: "ry", yaw: "rz" };

/** Frame 2 coincides with frame 1 in the components of the mask: a hinge with the other freedoms. */
function readLoop(element: XmlElement, robot: SrdfRobot, names: Namer, notes: ImportNotes): readonly LoopDescription[] {
  const path = "loop_constraint";
  const attributes = new XmlAttributes(element, path, notes);
  const ends = ["frame1", "frame2"].map((key) => attachment(attributes, key, robot));
  const words = (attributes.text("mask") ?? Object.keys(COMPONENTS).join(" ")).split(/\s+/).filter((word) => word !== "");
  const unknown = words.find((word) => !Object.hasOwn(COMPONENTS, word));
  if (unknown !== undefined)
    attributes.problem("mask", `${valueText(unknown)} is not one of ${Object.keys(COMPONENTS).join(", ")}`);
  else if (words.length === 0)
    attributes.problem("mask", "constrains nothing", `Name some of ${Object.keys(COMPONENTS).join(", ")}`);
  const [from, to] = ends;
  if (unknown !== undefined || words.length === 0 || from === undefined || to === undefined) return [];
  const blocked = new Set(words.map((word) => COMPONENTS[word]!));
  const freedoms = Object.values(COMPONENTS).filter((freedom) => !blocked.has(freedom));
  const written = attributes.text("name") ?? `${attributes.text("frame1")}-${attributes.text("frame2")}`;
  const base = { name: names.claim(undefined, new Namer().claim(written, "loop")), from, to };
  if (freedoms.length === 0) return [{ ...base, kind: "fixed" }];
  if (freedoms.join() === "rx,ry,rz") return [{ ...base, kind: "spherical" }];
  return [{ ...base, kind: "general", freedoms }];
}

function attachment(attributes: XmlAttributes, key: string, { bodyNames }: SrdfRobot): AttachmentDescription | undefined {
  const name = attributes.neededText(key);
  if (name === undefined) return undefined;
  const body = bodyNames.get(name) ?? (name === "world" ? "world" : undefined);
  if (body === undefined) attributes.problem(key, "no link has this name", didYouMean(name, bodyNames.keys()));
  return body === undefined ? undefined : { body };
}

/** Number of coordinates of the hinges whose order differs between SRDF and Castor. */
function coordinatesOf(link: RobotLink, values: readonly number[]): number | readonly number[] | undefined {
  const { kind } = link.hinge;
  // Other tools write a free base as x y z qx qy qz qw.
  if (kind === "free") return values.length === 7 ? [values[6]!, ...values.slice(3, 6), ...values.slice(0, 3)] : undefined;
  if (kind === "planar") return values.length === 3 ? values : undefined;
  if (kind === "fixed") return undefined;
  return values.length === 1 ? values[0] : undefined;
}

function readStates(elements: readonly XmlElement[], robot: SrdfRobot, notes: ImportNotes): Record<string, NamedState> {
  const states: Record<string, NamedState> = {};
  const names = new Namer();
  for (const element of elements) {
    const state = names.claim(element.attributes.get("name"), "pose");
    const q: Record<string, number | readonly number[]> = {};
    for (const joint of childrenOf(element, "joint")) {
      const attributes = new XmlAttributes(joint, `group_state[${state}].joint`, notes);
      const name = attributes.neededText("name") ?? "";
      const hinge = robot.hingeNames.get(name) ?? (name === "root_joint" ? robot.links[0]?.hinge.name : undefined);
      const link = robot.links.find((candidate) => candidate.hinge.name === hinge);
      const values = attributes.numbers("value", 1, 7);
      const coordinates = link && values && coordinatesOf(link, values);
      if (coordinates === undefined)
        notes.unsupported(joint, "group_state of a joint that the robot does not have", "this value is left out");
      else q[hinge!] = coordinates;
    }
    states[state] = { q };
  }
  return states;
}
