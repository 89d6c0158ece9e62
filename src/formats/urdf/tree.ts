/** The tree of a URDF robot: links in the order of the tree, with the joints that carry them. */
import { didYouMean } from "../../declare/names.ts";
import type { Fields } from "../../declare/plain-data.ts";
import { valueText } from "../../errors.ts";
import type { LoopDescription } from "../../model/description.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import type { ImportOptions } from "../robot/imported-model.ts";
import type { RobotLink } from "../robot/robot-draft.ts";
import { Namer } from "../robot/safe-names.ts";
import type { UrdfJoint } from "./joints.ts";
import type { UrdfLink } from "./links.ts";

/** A root link of this name is the inertial world. */
const WORLD = "world";

export interface RobotTree {
  readonly links: readonly RobotLink[];
  readonly loops: readonly LoopDescription[];
  readonly contactShapes: readonly Fields[];
  /** Names of bodies by those of links, and of hinges by those of joints. */
  readonly bodyNames: ReadonlyMap<string, string>;
  readonly hingeNames: ReadonlyMap<string, string>;
  /** Joints in the order of `links`; the root has none. */
  readonly joints: readonly (UrdfJoint | undefined)[];
}

export function robotTree(
  links: readonly UrdfLink[],
  joints: readonly UrdfJoint[],
  base: ImportOptions["base"],
  names: { readonly links: Namer; readonly joints: Namer },
  notes: ImportNotes,
): RobotTree {
  const linkByName = indexByName(links, "link", notes);
  indexByName(joints, "joint", notes);
  const jointsByParent = new Map<string, UrdfJoint[]>();
  const jointByChild = new Map<string, UrdfJoint>();
  for (const joint of joints) attach(joint, linkByName, jointsByParent, jointByChild, notes);
  const root = rootOf(links, jointByChild, notes);
  if (root === undefined || notes.problems.length > 0) return EMPTY;
  const bodyNames = new Map<string, string>();
  const hingeNames = new Map<string, string>();
  const drafts: RobotLink[] = [];
  const orderedJoints: (UrdfJoint | undefined)[] = [];
  const contactShapes: Fields[] = [];
  const add = (link: UrdfLink, joint: UrdfJoint | undefined, parent: number, hinge: UrdfJoint["hinge"]): number => {
    const name = names.links.claim(link.name, "link");
    bodyNames.set(link.name, name);
    const hingeName = names.joints.claim(joint?.name ?? name, name);
    if (joint) hingeNames.set(joint.name, hingeName);
    contactShapes.push(...link.contactShapes.map((shape) => ({ ...shape, on: name })));
    const { massProperties, massLine, shapes, element } = link;
    const jointLine = (joint?.element ?? element).line;
    const place = { name, parent, line: element.line, massLine, jointLine };
    const traits = hinge.kind === "fixed" || hinge.kind === "free" ? {} : (joint?.traits ?? {});
    drafts.push({ ...place, massProperties, hinge: { ...hinge, name: hingeName }, traits, shapes, frames: {} });
    orderedJoints.push(joint);
    return drafts.length - 1;
  };
  // Depth first, children in the order of the file.
  const open: { readonly joint: UrdfJoint; readonly parent: number }[] = [];
  const addChildren = (link: string, parent: number): void => {
    for (const joint of [...(jointsByParent.get(link) ?? [])].reverse()) open.push({ joint, parent });
  };
  const isWorld = root.name === WORLD;
  if (isWorld) noteWorld(root, notes);
  // Shapes of the link `world` are fixed in the world.
  if (isWorld) contactShapes.push(...root.contactShapes);
  addChildren(root.name, isWorld ? -1 : add(root, undefined, -1, { kind: base === "free" ? "free" : "fixed" }));
  while (open.length > 0) {
    const { joint, parent } = open.pop()!;
    const hinge = parent < 0 ? hingeOnWorld(joint, base) : joint.hinge;
    addChildren(joint.child, add(linkByName.get(joint.child)!, joint, parent, hinge));
  }
  reportUnreached(links, bodyNames, root, notes);
  return {
    links: drafts,
    loops: mimicLoops(joints, hingeNames, names, notes),
    contactShapes,
    bodyNames,
    hingeNames,
    joints: orderedJoints,
  };
}

const EMPTY: RobotTree = { links: [], loops: [], contactShapes: [], bodyNames: new Map(), hingeNames: new Map(), joints: [] };

function indexByName<T extends UrdfLink | UrdfJoint>(
  items: readonly T[],
  what: string,
  notes: ImportNotes,
): ReadonlyMap<string, T> {
  const byName = new Map<string, T>();
  for (const item of items) {
    const first = byName.get(item.name);
    if (first === undefined) byName.set(item.name, item);
    else
      notes.problem(item.element, `${what}[${item.name}].name`, "the name is taken", {
        value: valueText(item.name),
        advice: `It is already used in line ${first.element.line}`,
      });
  }
  return byName;
}

function attach(
  joint: UrdfJoint,
  links: ReadonlyMap<string, UrdfLink>,
  byParent: Map<string, UrdfJoint[]>,
  byChild: Map<string, UrdfJoint>,
  notes: ImportNotes,
): void {
  const path = `joint[${joint.name}]`;
  for (const end of ["parent", "child"] as const)
    if (!links.has(joint[end])) {
      const advice = notes.problems.length < 20 ? { advice: didYouMean(joint[end], links.keys()) } : {};
      notes.problem(joint.element, `${path}.${end}`, "no link has this name", { value: valueText(joint[end]), ...advice });
    }
  const other = byChild.get(joint.child);
  if (other !== undefined)
    notes.problem(joint.element, `${path}.child`, `the link already has a parent, by the joint in line ${other.element.line}`, {
      value: valueText(joint.child),
      advice: "URDF is a tree. Close loops by <loop_constraint> in an SRDF file",
    });
  byChild.set(joint.child, joint);
  byParent.set(joint.parent, [...(byParent.get(joint.parent) ?? []), joint]);
}

function rootOf(links: readonly UrdfLink[], byChild: ReadonlyMap<string, UrdfJoint>, notes: ImportNotes): UrdfLink | undefined {
  const roots = links.filter(({ name }) => !byChild.has(name));
  if (roots.length === 0 && links.length > 0)
    notes.problem(links[0]!.element, "robot", "the joints form a cycle: every link has a parent", {
      advice: "Remove one joint, and close the loop by <loop_constraint> in an SRDF file",
    });
  for (const root of roots.slice(1))
    notes.problem(root.element, `link[${root.name}]`, `no joint joins this link to ${valueText(roots[0]!.name)}`, {
      advice: "A robot is one tree: add a joint with this link as its child, or remove the link",
    });
  return roots.length === 1 ? roots[0] : undefined;
}

/** Links in cycles are not reached from the root. */
function reportUnreached(
  links: readonly UrdfLink[],
  reached: ReadonlyMap<string, string>,
  root: UrdfLink,
  notes: ImportNotes,
): void {
  for (const link of links)
    if (!reached.has(link.name) && link !== root)
      notes.problem(link.element, `link[${link.name}]`, "the joints of this link form a cycle", {
        advice: "Remove one joint, and close the loop by <loop_constraint> in an SRDF file",
      });
}

function noteWorld(root: UrdfLink, notes: ImportNotes): void {
  if (root.massProperties.mass > 0)
    notes.warn(root.element, `link[${WORLD}]`, "the root link is the inertial world, so its mass has no effect");
  if (root.shapes.length > 0) notes.unsupported(root.element, "shapes of the link world", "they are not drawn");
}

/** The option `base` replaces fixed and floating joints that join the robot to the world. */
function hingeOnWorld({ hinge, type }: UrdfJoint, base: ImportOptions["base"]): UrdfJoint["hinge"] {
  if (base === undefined || (type !== "fixed" && type !== "floating")) return hinge;
  return { ...hinge, kind: base };
}

/** q = multiplier × q of the other joint + offset, as a coupling. */
function mimicLoops(
  joints: readonly UrdfJoint[],
  hingeNames: ReadonlyMap<string, string>,
  names: { readonly links: Namer; readonly joints: Namer },
  notes: ImportNotes,
): readonly LoopDescription[] {
  const loopNames = new Namer([names.links, names.joints]);
  const typeOf = new Map(joints.map(({ name, type }) => [name, type]));
  return joints.flatMap(({ name, mimic, element }): LoopDescription[] => {
    if (mimic === undefined) return [];
    const [follower, leader] = [hingeNames.get(name), hingeNames.get(mimic.joint)];
    const path = `joint[${name}].mimic.joint`;
    const value = valueText(mimic.joint);
    if (leader === undefined || mimic.joint === name) {
      const message = mimic.joint === name ? "a joint cannot mimic itself" : "no joint has this name";
      notes.problem(element, path, message, { value, advice: didYouMean(mimic.joint, hingeNames.keys()) });
      return [];
    }
    if (!["revolute", "continuous", "prismatic"].includes(typeOf.get(mimic.joint)!)) {
      notes.problem(element, path, "a joint with one freedom is needed", { value });
      return [];
    }
    const ownTerm = { hinge: follower!, factor: 1 };
    const terms = mimic.multiplier === 0 ? [ownTerm] : [ownTerm, { hinge: leader, factor: -mimic.multiplier }];
    const offset = mimic.offset === 0 ? {} : { offset: mimic.offset };
    return [{ name: loopNames.claim(undefined, `${follower}-mimic`), kind: "coupling", terms, ...offset }];
  });
}
