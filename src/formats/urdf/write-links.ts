/** Links, joints and transmissions of URDF. */

import type { Placement } from "../../spatial/placement.ts";
import type { ContactSolid } from "../export/contact-solids.ts";
import { drawnShapes } from "../export/drawn-shapes.ts";
import { axisOnLink, type ExportJoint, type ExportLink, isMassless, onLink } from "../export/export-links.ts";
import type { ExportNotes } from "../export/export-notes.ts";
import type { ExportedRobot } from "../export/exported-robot.ts";
import type { FreedomEffects } from "../export/joint-effects.ts";
import { AT_ORIGIN, composed, inverse } from "../robot/placements.ts";
import { NO_LIMIT } from "../robot/robot-draft.ts";
import type { Namer } from "../robot/safe-names.ts";
import { type XmlNode, xml, xmlWithText } from "../xml/write-xml.ts";
import type { Mimic } from "./mimic-loops.ts";
import { collisionNodes, originNode, visualNodes } from "./write-shapes.ts";

export interface UrdfWriter {
  readonly robot: ExportedRobot;
  readonly links: readonly ExportLink[];
  readonly effects: readonly FreedomEffects[];
  readonly mimics: ReadonlyMap<number, Mimic>;
  readonly solids: ReadonlyMap<string, readonly ContactSolid[]>;
  readonly names: { readonly links: Namer; readonly joints: Namer };
  readonly notes: ExportNotes;
}

/** A body: one link for each of its joints, of which only the last has mass and shapes, and the joints. */
export function linkNodes(link: ExportLink, hasWorld: boolean, writer: UrdfWriter): readonly XmlNode[] {
  const { links, robot, solids, names, notes } = writer;
  const { body, joints, name } = link;
  const { hinge } = body;
  const place = (X: Placement): Placement => onLink(link, X);
  const nodes: XmlNode[] = [];
  const parentLink = links[body.parent];
  let parent = parentLink?.name ?? "world";
  // X_LpF: the hinge frame on the parent link; a fixed link is placed by its own frame.
  let origin = onLink(parentLink, hinge.onParent);
  if (joints.length === 0) {
    origin = composed(origin, inverse(hinge.onBody));
    if (body.parent >= 0 || hasWorld) nodes.push(jointNode(jointName(link, names.joints), "fixed", parent, name, origin, []));
  }
  for (const [i, joint] of joints.entries()) {
    const isLast = i === joints.length - 1;
    const child = isLast ? name : names.links.claim(undefined, `${name}-${joint.name.slice(hinge.name.length + 1)}`);
    if (!isLast) nodes.push(xml("link", { name: child }));
    nodes.push(movingJoint(joint, link, parent, child, origin, writer));
    [parent, origin] = [child, AT_ORIGIN];
  }
  nodes.push(
    xml("link", { name }, [
      inertialNode(link),
      ...visualNodes(drawnShapes(body.shapes, notes), place, robot, notes),
      ...collisionNodes(solids.get(body.name) ?? [], place, robot, notes),
    ]),
  );
  return nodes;
}

/** A fixed hinge has no joint of its own in `link.joints`, but its name is claimed. */
const jointName = ({ body }: ExportLink, names: Namer): string =>
  names.changed.find(([from]) => from === body.hinge.name)?.[1] ?? body.hinge.name;

const jointNode = (
  name: string,
  type: string,
  parent: string,
  child: string,
  origin: Placement,
  rest: readonly (XmlNode | undefined)[],
): XmlNode =>
  xml("joint", { name, type }, [originNode(origin), xml("parent", { link: parent }), xml("child", { link: child }), ...rest]);

function movingJoint(
  { name, element, u }: ExportJoint,
  { body: { hinge } }: ExportLink,
  parent: string,
  child: string,
  origin: Placement,
  { effects, mimics, links }: UrdfWriter,
): XmlNode {
  if (hinge.kind === "free") return jointNode(name, "floating", parent, child, origin, []);
  if (hinge.kind === "planar") return jointNode(name, "planar", parent, child, origin, [xml("axis", { xyz: [0, 0, 1] })]);
  const { axis, turn } = element.screw!;
  const own = effects[u]!;
  const isLimited = own.lower !== undefined || own.upper !== undefined;
  const type = turn === 0 ? "prismatic" : isLimited ? "revolute" : "continuous";
  const limits = own.motors.flatMap(({ limit }) => limit ?? []);
  const effort = limits.length > 0 && limits.length === own.motors.length ? Math.max(...limits) : NO_LIMIT;
  const range = type === "continuous" ? {} : { lower: own.lower ?? -NO_LIMIT, upper: own.upper ?? NO_LIMIT };
  const hasLimit = type !== "continuous" || effort !== NO_LIMIT || own.speed !== undefined;
  const { damping, friction } = own;
  const mimic = mimics.get(u);
  const leader = links.flatMap(({ joints }) => joints).find((joint) => joint.u === mimic?.leader);
  return jointNode(name, type, parent, child, origin, [
    xml("axis", { xyz: axisOnLink(AT_ORIGIN, axis) }),
    hasLimit ? xml("limit", { ...range, effort, velocity: own.speed ?? NO_LIMIT }) : undefined,
    damping !== 0 || friction !== 0 ? xml("dynamics", { damping, friction }) : undefined,
    mimic && leader && xml("mimic", { joint: leader.name, multiplier: mimic.multiplier, offset: mimic.offset }),
  ]);
}

function inertialNode(link: ExportLink): XmlNode | undefined {
  if (isMassless(link)) return undefined;
  const { mass, com, inertia } = link.mass;
  const [[ixx, ixy, ixz], [, iyy, iyz], [, , izz]] = inertia;
  return xml("inertial", {}, [
    originNode({ ...AT_ORIGIN, p: com }),
    xml("mass", { value: mass }),
    xml("inertia", { ixx, ixy, ixz, iyy, iyz, izz }),
  ]);
}

/** One transmission for each joint with a motor. */
export const transmissionNodes = (links: readonly ExportLink[], effects: readonly FreedomEffects[]): readonly XmlNode[] =>
  links.flatMap(({ body: { hinge }, joints }) =>
    hinge.kind === "free" || hinge.kind === "planar"
      ? []
      : joints.flatMap(({ name, u }) => {
          const [motor] = effects[u]?.motors ?? [];
          if (motor === undefined) return [];
          return [
            xml("transmission", { name: motor.name }, [
              xmlWithText("type", "transmission_interface/SimpleTransmission"),
              xml("joint", { name }, [xmlWithText("hardwareInterface", "hardware_interface/EffortJointInterface")]),
              xml("actuator", { name: motor.name }, [xmlWithText("mechanicalReduction", "1")]),
            ]),
          ];
        }),
  );
