/** Writes MJCF, the model format of MuJoCo. */
import { contactSolids } from "../../export/contact-solids.ts";
import { exportLinks, noteUnusualMass } from "../../export/export-links.ts";
import { ExportNotes } from "../../export/export-notes.ts";
import type { ExportedRobot, WrittenRobot } from "../../export/exported-robot.ts";
import { jointEffects } from "../../export/joint-effects.ts";
import { Namer } from "../../robot/safe-names.ts";
import { type XmlNode, xml, xmlText } from "../../xml/write-xml.ts";
import { actuatorNodes } from "./actuators.ts";
import { bodyTree, linkPlacement } from "./bodies.ts";
import { equalityNodes } from "./equalities.ts";
import { keyframeNodes } from "./keyframes.ts";

/** @throws ModelError if the tree has hinges that MJCF cannot express */
export function writeMjcf(robot: ExportedRobot, source: string): WrittenRobot {
  const { model } = robot;
  const notes = new ExportNotes(source, "MJCF");
  const names = { links: new Namer(), joints: new Namer(), sites: new Namer() };
  const links = exportLinks(model, { place: linkPlacement, isWhole: () => false }, names, notes);
  for (const { body } of links)
    if (body.hinge.elements.some(({ small }) => small))
      notes.problem(`bodies.${body.name}.hinge`, "the hinge has small turns, which MJCF does not have", "Use exact rotations");
  notes.throwProblems();
  noteUnusualMass(links, notes);
  const effects = jointEffects(robot, notes);
  const sites = new Map<number, XmlNode[]>();
  const solids = contactSolids(robot, notes);
  const writer = { robot, links, effects, solids, names, notes, meshes: new Map(), sites, screws: [] as XmlNode[] };
  const equalities = equalityNodes(writer, sites);
  const tree = bodyTree(writer);
  const section = (name: string, children: readonly XmlNode[]): XmlNode | undefined =>
    children.length === 0 ? undefined : xml(name, {}, children);
  const root = xml("mujoco", { model: model.name }, [
    xml("compiler", { angle: "radian", autolimits: true, inertiafromgeom: false }),
    xml("option", { gravity: model.gravity }),
    section("asset", assetNodes(writer)),
    xml("worldbody", {}, tree.nodes),
    section("contact", exclusions(writer)),
    section("equality", [...equalities, ...writer.screws]),
    section("actuator", actuatorNodes(tree.joints, effects)),
    section("keyframe", keyframeNodes(robot, tree.joints)),
  ]);
  return { text: xmlText(root, source), missing: notes.missing };
}

type SectionParts = Pick<Parameters<typeof bodyTree>[0], "robot" | "links" | "meshes">;

const assetNodes = ({ robot, meshes }: SectionParts): readonly XmlNode[] =>
  Array.from(meshes, ([key, { name, scale }]) => {
    const [file = ""] = key.split("\n");
    return xml("mesh", {
      name,
      file: robot.meshPath?.(file) ?? file,
      scale: scale.every((factor) => factor === 1) ? undefined : scale,
    });
  });

/** Pairs of bodies that never touch. */
function exclusions({ robot, links }: SectionParts): readonly XmlNode[] {
  const linkNames = new Map(links.map(({ body, name }) => [body.name, name]));
  return (robot.noContact ?? []).flatMap(([a, b]) => {
    const [body1, body2] = [linkNames.get(a), linkNames.get(b)];
    return body1 === undefined || body2 === undefined ? [] : [xml("exclude", { body1, body2 })];
  });
}
