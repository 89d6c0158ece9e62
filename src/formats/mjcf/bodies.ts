/** The tree of bodies of an MJCF file. A body with several joints becomes a chain of bodies, all but the last without mass. */
import type { Fields } from "../../declare/plain-data.ts";
import type { PlacementDescription, ShapeDescription } from "../../model/description.ts";
import type { Placement } from "../../model/model.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import { AT_ORIGIN, composed, describe } from "../robot/placements.ts";
import { type LinkMass, NO_MASS, type RobotLink } from "../robot/robot-draft.ts";
import { Namer } from "../robot/safe-names.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import { bodyMass, type PlacedInertial } from "./body-mass.ts";
import type { Defaults } from "./defaults.ts";
import { type ContactBits, type Geom, type GeomContext, readGeom } from "./geoms.ts";
import { hingeOf, type MjcfJoint, readJoint } from "./joints.ts";
import { readPlacement } from "./orientation.ts";
import { replicasOf } from "./replicate.ts";

/** A joint in the order of MuJoCo's coordinates. */
export interface PlacedJoint extends MjcfJoint {
  readonly hinge: string;
  /** Index of its link. */
  readonly link: number;
  /** Name in the file. */
  readonly name: string | undefined;
  /** Pose of the body in the reference position. */
  readonly pose: Placement;
}

export interface MjcfTree {
  readonly links: RobotLink[];
  readonly joints: PlacedJoint[];
  /** Bodies by their name in the file: name in the model, and pose in the reference position. */
  readonly bodies: Map<string, { readonly name: string; readonly pose: Placement }>;
  readonly sites: Map<
    string,
    { readonly name: string; readonly body: string; readonly placement: Placement; readonly pose: Placement }
  >;
  readonly contactShapes: Fields[];
  /** Bit masks of `contactShapes`. */
  readonly contactBits: ContactBits[];
  readonly names: { readonly bodies: Namer; readonly hinges: Namer };
}

export interface BodyContext extends GeomContext {
  readonly defaults: Defaults;
}

/** Elements inside of a body that are read elsewhere or have no effect on the motion. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  light: "lights of the file are not used",
  camera: "cameras of the file are not used; name a site instead",
  composite: "its bodies are missing",
  flexcomp: "its deformable body is missing",
  attach: "the attached model is missing",
  plugin: "its forces are missing",
};

/** What a body contains, with the elements inside of its <frame>s. */
interface BodyContent {
  readonly joints: MjcfJoint[];
  readonly geoms: Geom[];
  readonly sites: { readonly attributes: XmlAttributes; readonly placement: Placement }[];
  readonly children: { readonly element: XmlElement; readonly frame: Placement; readonly childclass: string | undefined }[];
  inertial: PlacedInertial | undefined;
}

export function readTree(worldbodies: readonly XmlElement[], context: BodyContext): MjcfTree {
  const bodies = new Namer();
  const tree: MjcfTree = {
    links: [],
    joints: [],
    bodies: new Map(),
    sites: new Map(),
    contactShapes: [],
    contactBits: [],
    names: { bodies, hinges: new Namer() },
  };
  for (const world of worldbodies) {
    const content = contentOf(world, AT_ORIGIN, world.attributes.get("childclass"), true, context);
    addContactShapes(content.geoms, undefined, tree);
    for (const { attributes, placement } of content.sites) {
      const name = attributes.text("name");
      context.notes.unsupported(attributes.element, "site on the world", "there is no frame for it; loops can use it");
      if (name !== undefined) tree.sites.set(name, { name, body: "world", placement, pose: placement });
    }
    for (const child of content.children) addBody(child, -1, AT_ORIGIN, tree, context);
  }
  return tree;
}

function contentOf(
  element: XmlElement,
  frame: Placement,
  childclass: string | undefined,
  isWorld: boolean,
  context: BodyContext,
): BodyContent {
  const content: BodyContent = { joints: [], geoms: [], sites: [], children: [], inertial: undefined };
  collect(element, frame, childclass, isWorld, context, content);
  return content;
}

function collect(
  element: XmlElement,
  frame: Placement,
  childclass: string | undefined,
  isWorld: boolean,
  context: BodyContext,
  content: BodyContent,
): void {
  const { defaults, compiler, notes } = context;
  for (const child of element.children) {
    const attributes = (): XmlAttributes => defaults.attributesOf(child, child.name, childclass);
    switch (child.name) {
      case "body":
        content.children.push({ element: child, frame, childclass });
        break;
      case "frame": {
        const own = defaults.attributesOf(child, "frame", undefined);
        collect(
          child,
          composed(frame, readPlacement(own, compiler)),
          own.text("childclass") ?? childclass,
          isWorld,
          context,
          content,
        );
        break;
      }
      case "replicate":
        for (const { element: copy, placement } of replicasOf(defaults.attributesOf(child, "replicate", undefined), compiler))
          collect(copy, composed(frame, placement), copy.attributes.get("childclass") ?? childclass, isWorld, context, content);
        break;
      case "inertial":
        content.inertial = { attributes: defaults.attributesOf(child, "inertial", undefined), frame };
        break;
      case "joint":
      case "freejoint":
        content.joints.push(readJoint(attributes(), frame, compiler, notes));
        break;
      case "geom":
        content.geoms.push(readGeom(attributes(), frame, isWorld, context));
        break;
      case "site": {
        const own = attributes();
        content.sites.push({ attributes: own, placement: composed(frame, readPlacement(own, compiler)) });
        break;
      }
      default:
        notes.unsupported(child, child.name.slice(0, 100), UNSUPPORTED[child.name] ?? "Castor does not know this element");
    }
  }
}

function addBody(
  { element, frame, childclass: outer }: BodyContent["children"][number],
  parent: number,
  parentPose: Placement,
  tree: MjcfTree,
  context: BodyContext,
): void {
  const { defaults, compiler, notes } = context;
  const written = element.attributes.get("name");
  const attributes = defaults.attributesOf(
    { ...element, attributes: withoutClass(element.attributes) },
    `body[${written ?? ""}]`,
    undefined,
  );
  const childclass = element.attributes.get("childclass") ?? outer;
  if (attributes.text("mocap") === "true") notes.unsupported(element, "mocap body", "it is fixed to the world");
  if ((attributes.number("gravcomp") ?? 0) !== 0) notes.unsupported(element, "body gravcomp", "gravity acts on the body in full");
  const X = composed(frame, readPlacement(attributes, compiler));
  const pose = composed(parentPose, X);
  const content = contentOf(element, AT_ORIGIN, childclass, false, context);
  const name = tree.names.bodies.claim(written, `body-${tree.bodies.size + 1}`);
  const frames: Record<string, PlacementDescription> = {};
  for (const [i, site] of content.sites.entries()) {
    const siteName = site.attributes.text("name");
    const frameName = tree.names.bodies.claim(siteName, `${name}-site-${i + 1}`);
    frames[frameName] = describe(site.placement);
    if (siteName !== undefined)
      tree.sites.set(siteName, { name: frameName, body: name, placement: site.placement, pose: composed(pose, site.placement) });
  }
  const shapes = content.geoms.flatMap((geom) => geom.shapes).slice(0, MOST_SHAPES);
  const massProperties = bodyMass(content, context);
  const link = addLinks(
    { name, element, massLine: (content.inertial?.attributes.element ?? element).line, massProperties, shapes, frames },
    content.joints,
    parent,
    X,
    pose,
    tree,
  );
  addContactShapes(content.geoms, name, tree);
  tree.bodies.set(written ?? `\0${tree.bodies.size}`, { name, pose });
  for (const child of content.children) addBody(child, link, pose, tree, context);
}

function addContactShapes(geoms: readonly Geom[], on: string | undefined, { contactShapes, contactBits }: MjcfTree): void {
  for (const geom of geoms)
    for (const shape of geom.contactShapes) {
      contactShapes.push({ ...shape, ...(on !== undefined && { on }) });
      contactBits.push(geom.contactBits);
    }
}

const MOST_SHAPES = 100;
const withoutClass = (attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...attributes].filter(([name]) => name !== "class" && name !== "childclass"));

interface BodyParts {
  readonly name: string;
  readonly element: XmlElement;
  readonly massLine: number;
  readonly massProperties: LinkMass;
  readonly shapes: readonly ShapeDescription[];
  readonly frames: Readonly<Record<string, PlacementDescription>>;
}

/** One link for each joint; the last is the body. Returns its index. */
function addLinks(
  parts: BodyParts,
  joints: readonly MjcfJoint[],
  parent: number,
  X: Placement,
  pose: Placement,
  tree: MjcfTree,
): number {
  const { name, element, massLine, massProperties, shapes, frames } = parts;
  const { links, names } = tree;
  if (joints.length === 0) {
    const hinge = { kind: "fixed" as const, ...describe(X), name: names.hinges.claim(name, name) };
    links.push({
      name,
      parent,
      line: element.line,
      massLine,
      jointLine: element.line,
      massProperties,
      hinge,
      traits: {},
      shapes,
      frames,
    });
    return links.length - 1;
  }
  let carrier = parent;
  for (const [i, joint] of joints.entries()) {
    const isLast = i === joints.length - 1;
    const writtenName = joint.attributes.text("name");
    const hingeName = names.hinges.claim(writtenName, joints.length === 1 ? name : `${name}-joint-${i + 1}`);
    const linkName = isLast ? name : names.bodies.claim(undefined, `${name}-${i + 1}`);
    const place = { name: linkName, parent: carrier, line: element.line, massLine, jointLine: joint.attributes.element.line };
    const content = isLast
      ? { massProperties, shapes, frames }
      : { massProperties: NO_MASS, shapes: [], frames: {}, isJointPart: true };
    const hinge = { ...hingeOf(joint, i === 0 ? X : AT_ORIGIN), name: hingeName };
    links.push({ ...place, ...content, hinge, traits: joint.traits });
    carrier = links.length - 1;
    tree.joints.push({ ...joint, hinge: hingeName, link: carrier, name: writtenName, pose });
  }
  return carrier;
}
