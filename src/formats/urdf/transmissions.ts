/** Transmissions of URDF as actuators, and speed limits of joints. */
import type { Fields } from "../../declare/plain-data.ts";
import { valueText } from "../../errors.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { hasOneFreedom } from "../robot/robot-draft.ts";
import { Namer } from "../robot/safe-names.ts";
import { childOf, childrenOf, type XmlElement } from "../xml/xml-element.ts";
import type { RobotTree } from "./tree.ts";

/** One actuator for each joint with a transmission. The limits of a URDF are those of the joint, so the gear ratio has no effect. */
export function transmissionForces(
  root: XmlElement,
  tree: RobotTree,
  passive: ReadonlySet<string> | undefined,
  notes: ImportNotes,
): Readonly<Record<string, Fields>> {
  const names = new Namer();
  const driven = new Set<string>();
  const forces: Record<string, Fields> = {};
  for (const transmission of childrenOf(root, "transmission"))
    for (const jointName of jointNames(transmission)) {
      const hinge = tree.hingeNames.get(jointName);
      const index = tree.links.findIndex((link) => link.hinge.name === hinge);
      if (hinge === undefined || index < 0) {
        notes.warn(transmission, "transmission", "no joint has this name, so there is no actuator", {
          value: valueText(jointName),
        });
        continue;
      }
      if (!hasOneFreedom(tree.links[index]!.hinge.kind) || driven.has(hinge) || passive?.has(hinge)) continue;
      driven.add(hinge);
      noteReduction(transmission, notes);
      const { effort } = tree.joints[index]!;
      forces[names.claim(undefined, `${hinge}-motor`)] = {
        kind: "actuator",
        hinge,
        ...(effort !== undefined && { limit: effort }),
      };
    }
  return forces;
}

/** Names of the driven joints: `<joint name="..."/>`, or an attribute in old files. */
const jointNames = (transmission: XmlElement): readonly string[] =>
  childrenOf(transmission, "joint").flatMap(({ attributes, text }) => attributes.get("name") ?? (text === "" ? [] : [text]));

function noteReduction(transmission: XmlElement, notes: ImportNotes): void {
  const actuator = childOf(transmission, "actuator");
  const rotor = actuator && childOf(actuator, "motorInertia");
  if (rotor !== undefined) notes.unsupported(rotor, "motorInertia", "the inertia of the rotor is missing");
  const reduction = childOf(actuator ?? transmission, "mechanicalReduction") ?? childOf(transmission, "mechanicalReduction");
  if (reduction !== undefined && Number(reduction.text) !== 1)
    notes.unsupported(
      reduction,
      "mechanicalReduction",
      "commands and limits of the actuator are those of the joint; the inertia of the rotor is not included",
    );
}

const PLAIN_NAME = /^[^*?\s"']+$/;

/** Largest speeds as limits that a run reports. They do not change the motion. */
export function speedLimits({ links, joints }: RobotTree): Readonly<Record<string, Fields>> {
  const limits: Record<string, Fields> = {};
  for (const [i, { hinge }] of links.entries()) {
    const velocity = joints[i]?.velocity;
    if (velocity === undefined || !hasOneFreedom(hinge.kind) || !PLAIN_NAME.test(hinge.name)) continue;
    limits[`${hinge.name}-speed`] = { channels: `u.${hinge.name}`, least: -velocity, most: velocity };
  }
  return limits;
}
