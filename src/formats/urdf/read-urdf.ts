/** Reads URDF, the robot description of ROS: links joined by joints to a tree. */
import { ModelError } from "../../errors.ts";
import { MAX_BODIES } from "../../model/build/limits.ts";
import { namedShapes, neighbourPairs } from "../robot/contact-pairs.ts";
import { describeRobot } from "../robot/describe-robot.ts";
import { featureWarning, ImportNotes } from "../robot/import-notes.ts";
import type { ImportedModel, ImportOptions } from "../robot/imported-model.ts";
import { likelyMistakes } from "../robot/likely-mistakes.ts";
import { checkJointLimits } from "../robot/likely-units.ts";
import { noteRenamed } from "../robot/renamed.ts";
import { Namer, safeTitle } from "../robot/safe-names.ts";
import { withStart } from "../robot/start-pose.ts";
import { readSrdf, type Semantics } from "../srdf/read-srdf.ts";
import { readXml } from "../xml/read-xml.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import { listUnsupported } from "./extensions.ts";
import { materialsOf } from "./geometry.ts";
import { readJoint } from "./joints.ts";
import { readLink } from "./links.ts";
import { speedLimits, transmissionForces } from "./transmissions.ts";
import { type RobotTree, robotTree } from "./tree.ts";
import { checkExpanded } from "./xacro.ts";

/** Gravity of robots on Earth: URDF has none, and other programs assume it. */
const GRAVITY = [0, 0, -9.81] as const;

/** @throws ModelError with the problems of the text, each with its line */
export function readUrdf(text: string, source: string, options: ImportOptions = {}): ImportedModel {
  const root = readXml(text, source);
  const notes = new ImportNotes(source);
  checkExpanded(root, source);
  if (isSrdf(root))
    throw new ModelError(source, [
      {
        path: "robot",
        message: "this is an SRDF file: it has groups, poses or loops of a robot, but no links",
        line: root.line,
        advice: "Name the URDF file, and add this one with --srdf",
      },
    ]);
  const materials = materialsOf(childrenOf(root, "material"), notes);
  const links = childrenOf(root, "link").map((element) => readLink(element, materials, options, notes));
  const joints = childrenOf(root, "joint").map((element) => readJoint(element, notes));
  if (links.length === 0) notes.problem(root, "robot", "has no <link>", { advice: "A robot has at least one link" });
  if (links.length > MAX_BODIES) notes.problem(root, "robot", `has ${links.length} links, at most ${MAX_BODIES} are read`);
  notes.throwProblems();
  const names = { links: new Namer(), joints: new Namer() };
  const tree = robotTree(links, joints, options.base, names, notes);
  notes.throwProblems();
  listUnsupported(root, notes);
  const name = safeTitle(root.attributes.get("name"), "robot");
  const semantics = options.srdf && readSemantics(options.srdf, tree, names, notes);
  const loops = [...tree.loops, ...(semantics?.loops ?? [])];
  const forces = transmissionForces(root, tree, semantics?.passive, notes);
  const draft = { name, gravity: GRAVITY, links: tree.links, loops, forces };
  likelyMistakes(draft.links, notes);
  checkJointLimits(childrenOf(root, "joint"), (...warning) => notes.warn(...warning));
  const { start, ...robot } = describeRobot(draft, {}, notes);
  noteRenamed([...names.links.changed, ...names.joints.changed], root, notes);
  return {
    ...robot,
    limits: speedLimits(tree),
    states: withStart(start, semantics?.states ?? {}, options.pose, source),
    groups: semantics?.groups ?? {},
    contactShapes: namedShapes(tree.contactShapes, names.links),
    noContact: [...neighbourPairs(tree.links, tree.contactShapes, true), ...(semantics?.noContact ?? [])],
    unsupported: notes.unsupportedFeatures(),
    warnings: notes.warnings,
  };
}

const SEMANTIC = new Set(["group", "group_state", "disable_collisions", "end_effector", "virtual_joint", "loop_constraint"]);

const isSrdf = ({ children }: XmlElement): boolean =>
  !children.some(({ name }) => name === "link" || name === "joint") && children.some(({ name }) => SEMANTIC.has(name));

/** Groups, poses and loops of the SRDF file. Its problems and warnings name that file. */
function readSemantics(
  { text, source }: NonNullable<ImportOptions["srdf"]>,
  tree: RobotTree,
  names: { readonly links: Namer; readonly joints: Namer },
  notes: ImportNotes,
): Semantics {
  const own = new ImportNotes(source);
  const semantics = readSrdf(text, { ...tree, taken: [names.links, names.joints] }, own);
  own.throwProblems();
  notes.warnings.push(
    ...[...own.warnings, ...own.unsupportedFeatures().map(featureWarning)].map((warning) => ({ ...warning, file: source })),
  );
  return semantics;
}
