/** Bodies of MJCF. A hinge is one joint for each of its elements; bodies without mass become further joints of the body that they carry. */
import type { Body, Placement } from "../../../model/model.ts";
import { drawnShapes } from "../../export/drawn-shapes.ts";
import { type ExportJoint, type ExportLink, isMassless, linkInHinge, noteMassless, onLink } from "../../export/export-links.ts";
import { AT_ORIGIN, composed, inverse } from "../../robot/placements.ts";
import { type XmlNode, xml } from "../../xml/write-xml.ts";
import { type JointNode, jointNodes } from "./joints.ts";
import { placementValues, shapeNodes, solidNodes } from "./shapes.ts";
import { isFreeJoint, type MjcfWriter } from "./writer.ts";

/** X_BL. The coordinates of balls and free joints are in axes of the link, so these are the axes of M. */
export function linkPlacement({ hinge, parent }: Body): Placement {
  const last = hinge.elements.at(-1);
  if (last?.quaternion === undefined) return AT_ORIGIN;
  return isFreeJoint({ hinge, parent }) ? hinge.onBody : { ...AT_ORIGIN, R: hinge.onBody.R };
}

export interface BodyTree {
  readonly nodes: readonly XmlNode[];
  /** Joints in the order of MuJoCo's coordinates. */
  readonly joints: readonly JointNode[];
}

/** A joint of a massless body: its hinge frame on the link that is written. */
interface PendingJoint {
  readonly link: ExportLink;
  readonly joint: ExportJoint;
  /** X_LM */
  readonly frame: Placement;
}

/** Most freedoms of one body in MuJoCo. */
const MOST_FREEDOMS = 6;

export function bodyTree(writer: MjcfWriter): BodyTree {
  const { links } = writer;
  const children = links.map(({ body }) => links.filter((other) => other.body.parent === body.index));
  const joints: JointNode[] = [];
  const carries = (link: ExportLink, pending: readonly PendingJoint[]): boolean => {
    const [child] = children[link.body.index]!;
    if (child === undefined || children[link.body.index]!.length > 1 || !isMassless(link) || link.joints.length === 0)
      return false;
    if (link.body.shapes.length > 0 || writer.solids.has(link.body.name) || writer.sites.has(link.body.index)) return false;
    const freedoms = [...pending.map(({ joint }) => joint), ...child.joints].reduce((sum, { element }) => sum + element.nu, 0);
    return link.joints.every(({ element }) => element.screw !== undefined) && freedoms <= MOST_FREEDOMS;
  };
  /** @param X placement of the link on the body that carries it. @param carried joints before its own, in its axes */
  const write = (link: ExportLink, X: Placement, carried: readonly PendingJoint[]): XmlNode => {
    const frame = inverse(linkInHinge(link));
    const pending = [...carried, ...link.joints.map((joint) => ({ link, joint, frame }))];
    if (carries(link, pending)) {
      const [child] = children[link.body.index]!;
      const onThis = placementOnParent(child!, link);
      const moved = pending.map((joint) => ({ ...joint, frame: composed(inverse(onThis), joint.frame) }));
      return write(child!, composed(X, onThis), moved);
    }
    const own = pending.flatMap((entry) => jointNodes(entry.joint, entry.link, entry.frame, writer));
    joints.push(...own);
    const hasMass =
      !isMassless(link) || children[link.body.index]!.some((child) => child.joints.length === 0 && !isMassless(child));
    if (own.length > 0 && !hasMass) noteMassless(link.name, writer.notes);
    const place = (Y: Placement): Placement => onLink(link, Y);
    return xml("body", { name: link.name, ...placementValues(X) }, [
      inertialNode(link),
      ...own.map(({ node }) => node),
      ...shapeNodes(drawnShapes(link.body.shapes, writer.notes), place, writer.meshes),
      ...solidNodes(writer.solids.get(link.body.name) ?? [], place, writer.meshes),
      ...(writer.sites.get(link.body.index) ?? []),
      ...children[link.body.index]!.map((child) => write(child, placementOnParent(child, link), [])),
    ]);
  };
  const roots = links.filter(({ body }) => body.parent < 0);
  const nodes = [
    ...solidNodes(writer.solids.get("") ?? [], (X) => X, writer.meshes),
    ...(writer.sites.get(-1) ?? []),
    ...roots.map((root) => write(root, placementOnParent(root, undefined), [])),
  ];
  return { nodes, joints };
}

/** X_LpL at home. */
const placementOnParent = (link: ExportLink, parent: ExportLink | undefined): Placement =>
  composed(onLink(parent, link.body.hinge.onParent), linkInHinge(link));

function inertialNode(link: ExportLink): XmlNode | undefined {
  if (isMassless(link)) return undefined;
  const { mass, com, inertia } = link.mass;
  const [[xx, xy, xz], [, yy, yz], [, , zz]] = inertia;
  const isDiagonal = xy === 0 && xz === 0 && yz === 0;
  return xml("inertial", {
    pos: com,
    mass,
    ...(isDiagonal ? { diaginertia: [xx, yy, zz] } : { fullinertia: [xx, yy, zz, xy, xz, yz] }),
  });
}
