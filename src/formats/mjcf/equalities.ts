/** Equality constraints of MJCF as hard loops. */
import { didYouMean } from "../../declare/names.ts";
import { valueText } from "../../errors.ts";
import type { AttachmentDescription, LoopDescription } from "../../model/description.ts";
import type { Placement } from "../../model/model.ts";
import { fromQuaternion, type Mat3, type Quaternion } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import { AT_ORIGIN, composed, describe, inverse, translation } from "../robot/placements.ts";
import { Namer } from "../robot/safe-names.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import type { MjcfTree, PlacedJoint } from "./bodies.ts";
import type { Defaults } from "./defaults.ts";
import type { Compiler } from "./mjcf-file.ts";

/** A body or a site that a constraint names: the attachment, and its pose in the reference position. */
interface End {
  readonly pose: Placement;
  /** The attachment of a frame that is placed on it. */
  attach(X: Placement): AttachmentDescription;
}

export function readEqualities(
  root: XmlElement,
  tree: MjcfTree,
  defaults: Defaults,
  { disabled }: Compiler,
  notes: ImportNotes,
): readonly LoopDescription[] {
  const names = new Namer([tree.names.bodies, tree.names.hinges]);
  const elements = childrenOf(root, "equality").flatMap(({ children }) => children);
  return elements.flatMap((element, i): readonly LoopDescription[] => {
    const attributes = defaults.attributesOf(element, `equality.${element.name}`, undefined);
    const loop = loopOf(attributes, tree, notes);
    if (loop === undefined) return [];
    if (attributes.has("solref") || attributes.has("solimp"))
      notes.unsupported(element, "softness of equality constraints (solref, solimp)", "they are exact constraints");
    const name = names.claim(attributes.text("name"), `${element.name}-${i + 1}`);
    const isOpen = attributes.flag("active") === false || disabled.has("equality");
    return [{ name, ...loop, ...(isOpen && { engaged: false }) } as LoopDescription];
  });
}

type Unnamed<T> = T extends unknown ? Omit<T, "name"> : never;

function loopOf(attributes: XmlAttributes, tree: MjcfTree, notes: ImportNotes): Unnamed<LoopDescription> | undefined {
  const { element } = attributes;
  if (element.name === "connect") return connect(attributes, tree);
  if (element.name === "weld") return weld(attributes, tree);
  if (element.name === "joint") return jointEquality(attributes, tree, notes);
  notes.unsupported(element, `equality ${element.name}`.slice(0, 100), "this constraint is missing");
  return undefined;
}

/** The ends by `body1`, `body2` (the world if not given), or by `site1`, `site2`. */
function endsOf(attributes: XmlAttributes, tree: MjcfTree): readonly [End, End] | undefined {
  const bySites = attributes.has("site1");
  const ends = [1, 2].map((i) =>
    bySites ? siteEnd(attributes, `site${i}`, tree) : bodyEnd(attributes, `body${i}`, tree, i === 2),
  );
  return ends[0] && ends[1] ? [ends[0], ends[1]] : undefined;
}

function bodyEnd(attributes: XmlAttributes, key: string, { bodies }: MjcfTree, mayBeWorld: boolean): End | undefined {
  const name = mayBeWorld ? attributes.text(key) : attributes.neededText(key);
  if ((name === undefined && mayBeWorld) || name === "world")
    return { pose: AT_ORIGIN, attach: (X) => ({ body: "world", ...describe(X) }) };
  if (name === undefined) return undefined;
  const body = bodies.get(name);
  if (body === undefined) attributes.problem(key, "no body has this name", didYouMean(name, bodies.keys()));
  return body && { pose: body.pose, attach: (X) => ({ body: body.name, ...describe(X) }) };
}

function siteEnd(attributes: XmlAttributes, key: string, { sites }: MjcfTree): End | undefined {
  const name = attributes.neededText(key);
  const site = name === undefined ? undefined : sites.get(name);
  if (name !== undefined && site === undefined) attributes.problem(key, "no site has this name", didYouMean(name, sites.keys()));
  return site && { pose: site.pose, attach: (X) => ({ body: site.body, ...describe(composed(site.placement, X)) }) };
}

/** A ball at `anchor` of the first body, where the second body is in the reference position; or at the origins of two sites. */
function connect(attributes: XmlAttributes, tree: MjcfTree): Unnamed<LoopDescription> | undefined {
  const ends = endsOf(attributes, tree);
  if (ends === undefined) return undefined;
  const [first, second] = ends;
  if (attributes.has("site1")) return { kind: "spherical", from: first.attach(AT_ORIGIN), to: second.attach(AT_ORIGIN) };
  attributes.neededText("anchor");
  const anchor = translation(attributes.vector("anchor") ?? [0, 0, 0]);
  const { p } = composed(inverse(second.pose), composed(first.pose, anchor));
  return { kind: "spherical", from: first.attach(anchor), to: second.attach(translation(p)) };
}

/** The pose of the second body on the first is `relpose`, or that of the reference position. */
function weld(attributes: XmlAttributes, tree: MjcfTree): Unnamed<LoopDescription> | undefined {
  const ends = endsOf(attributes, tree);
  if (ends === undefined) return undefined;
  const [first, second] = ends;
  if (attributes.has("site1")) return { kind: "fixed", from: first.attach(AT_ORIGIN), to: second.attach(AT_ORIGIN) };
  const relpose = attributes.numbers("relpose", 7, 7);
  const quaternion = relpose?.slice(3) ?? [0, 0, 0, 0];
  const norm = Math.hypot(...quaternion);
  const relative: Placement =
    relpose === undefined || norm === 0
      ? composed(inverse(first.pose), second.pose)
      : {
          p: relpose.slice(0, 3) as unknown as Vec3<number>,
          R: fromQuaternion(quaternion.map((c) => c / norm) as unknown as Quaternion<number>) as Mat3<number>,
        };
  return { kind: "fixed", from: first.attach(relative), to: second.attach(AT_ORIGIN) };
}

/** y - y0 = a0 + a1 (x - x0), as a coupling. */
function jointEquality(attributes: XmlAttributes, tree: MjcfTree, notes: ImportNotes): Unnamed<LoopDescription> | undefined {
  const [y, x] = [
    jointOf(attributes, "joint1", tree),
    attributes.has("joint2") ? jointOf(attributes, "joint2", tree) : undefined,
  ];
  if (y === undefined || (attributes.has("joint2") && x === undefined)) return undefined;
  const [a0 = 0, a1 = 1, ...higher] = attributes.numbers("polycoef", 1, 5) ?? [];
  if (higher.some((coefficient) => coefficient !== 0)) {
    notes.unsupported(attributes.element, "equality joint with a polynomial of higher order", "this constraint is missing");
    return undefined;
  }
  const own = { hinge: y.hinge, factor: 1 };
  const terms = x === undefined || a1 === 0 ? [own] : [own, { hinge: x.hinge, factor: -a1 }];
  const offset = a0 + y.ref - (x === undefined ? 0 : a1 * x.ref);
  return { kind: "coupling", terms, ...(offset !== 0 && { offset }) };
}

function jointOf(attributes: XmlAttributes, key: string, { joints }: MjcfTree): PlacedJoint | undefined {
  const name = attributes.neededText(key);
  if (name === undefined) return undefined;
  const joint = joints.find((candidate) => candidate.name === name);
  if (joint !== undefined && (joint.type === "hinge" || joint.type === "slide")) return joint;
  attributes.problem(key, joint === undefined ? "no joint has this name" : `a ${valueText(joint.type)} joint cannot be coupled`);
  return undefined;
}
