/** Reads MJCF, the model format of MuJoCo. */
import type { Fields } from "../../declare/plain-data.ts";
import { ModelError } from "../../errors.ts";
import { MAX_BODIES } from "../../model/build/limits.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import { XmlAttributes } from "../robot/attributes.ts";
import { type NamePair, namedShapes, neighbourPairs } from "../robot/contact-pairs.ts";
import { describeRobot } from "../robot/describe-robot.ts";
import { ImportNotes } from "../robot/import-notes.ts";
import type { ImportedModel, ImportOptions } from "../robot/imported-model.ts";
import { likelyMistakes } from "../robot/likely-mistakes.ts";
import { checkMjcfAngles } from "../robot/likely-units.ts";
import { noteRenamed } from "../robot/renamed.ts";
import { safeTitle } from "../robot/safe-names.ts";
import { withStart } from "../robot/start-pose.ts";
import { childrenOf, type XmlElement } from "../xml/xml-element.ts";
import { readActuators } from "./actuators.ts";
import { readAssets } from "./assets.ts";
import { type MjcfTree, readTree } from "./bodies.ts";
import { Defaults } from "./defaults.ts";
import { readEqualities } from "./equalities.ts";
import { listUnsupported } from "./extensions.ts";
import { readKeyframes, referenceState } from "./keyframes.ts";
import { readCompiler, withIncludes } from "./mjcf-file.ts";
import { referenceInertia } from "./reference-inertia.ts";

/** @throws ModelError with the problems of the text, each with its line */
export function readMjcf(text: string, source: string, options: ImportOptions = {}): ImportedModel {
  const root = withIncludes(text, source, options);
  const notes = new ImportNotes(source);
  if (options.srdf !== undefined || options.base !== undefined)
    throw new ModelError(source, [
      { path: "", message: "an MJCF file has its own base and loops", advice: "Use --base and --srdf for URDF files only" },
    ]);
  const compiler = readCompiler(root, notes);
  const defaults = new Defaults(root, notes);
  const assets = readAssets(root, compiler, defaults, notes);
  const tree = readTree(childrenOf(root, "worldbody"), { compiler, defaults, assets, options, notes });
  if (tree.links.length === 0) notes.problem(root, "worldbody", "has no <body>", { advice: "A model has at least one body" });
  if (tree.links.length > MAX_BODIES)
    notes.problem(root, "worldbody", `has ${tree.links.length} bodies, at most ${MAX_BODIES} are read`);
  const loops = readEqualities(root, tree, defaults, compiler, notes);
  const links = scaledMasses(tree, compiler.settotalmass);
  const actuators = readActuators(root, tree, defaults, compiler, referenceInertia(links, tree.joints), notes);
  const keyframes = readKeyframes(root, tree.joints, notes);
  listUnsupported(root, notes);
  const gravity = readGravity(root, notes);
  notes.throwProblems();
  likelyMistakes(links, notes);
  checkMjcfAngles(root, compiler.angle === 1, (...warning) => notes.warn(...warning));
  const forces = { ...Object.fromEntries(actuators.map(({ name, force }) => [name, force])), ...ballDamping(tree) };
  const name = safeTitle(root.attributes.get("model"), "MuJoCo Model");
  const { start, ...robot } = describeRobot({ name, gravity, links, loops, forces }, referenceState(tree.joints), notes);
  noteRenamed([...tree.names.bodies.changed, ...tree.names.hinges.changed], root, notes);
  noteContact(tree, root, notes);
  const contactShapes = namedShapes(tree.contactShapes, tree.names.bodies);
  const noContact = noContactPairs(root, tree, contactShapes, notes);
  return {
    ...robot,
    limits: {},
    states: withStart(start, keyframes, options.pose, source),
    groups: {},
    contactShapes,
    noContact,
    unsupported: notes.unsupportedFeatures(),
    warnings: notes.warnings,
  };
}

function readGravity(root: XmlElement, notes: ImportNotes): Vec3<number> {
  let gravity: Vec3<number> = [0, 0, -9.81];
  for (const option of childrenOf(root, "option")) {
    gravity = new XmlAttributes(option, "option", notes).vector("gravity") ?? gravity;
    if (childrenOf(option, "flag").some(({ attributes }) => attributes.get("gravity") === "disable")) return [0, 0, 0];
  }
  return gravity;
}

/** All masses and inertias, scaled to a total mass if it is positive. */
function scaledMasses({ links }: MjcfTree, total: number): MjcfTree["links"] {
  const sum = links.reduce((mass, link) => mass + link.massProperties.mass, 0);
  if (total <= 0 || sum <= 0) return links;
  const factor = total / sum;
  return links.map((link) => {
    const { mass, com, inertia } = link.massProperties;
    const scaled = inertia.map((row) => row.map((value) => value * factor)) as unknown as typeof inertia;
    return { ...link, massProperties: { mass: mass * factor, com, inertia: scaled } };
  });
}

/** Damping of ball joints, as a force for each. */
const ballDamping = ({ joints }: MjcfTree): Record<string, { kind: string; hinge: string; damping: number }> =>
  Object.fromEntries(
    joints.flatMap(({ type, traits, hinge }) =>
      type === "ball" && traits.damping !== undefined
        ? [[`${hinge}-damping`, { kind: "hinge-spring", hinge, damping: traits.damping }]]
        : [],
    ),
  );

/** Pairs that MuJoCo leaves out: <exclude>, bodies that a joint joins, and geoms whose bit masks have nothing in common. */
function noContactPairs(root: XmlElement, tree: MjcfTree, shapes: readonly Fields[], notes: ImportNotes): readonly NamePair[] {
  const excluded = childrenOf(root, "contact")
    .flatMap((contact) => childrenOf(contact, "exclude"))
    .flatMap(({ attributes }): NamePair[] => {
      const [a, b] = ["body1", "body2"].map((key) => tree.bodies.get(attributes.get(key) ?? "")?.name);
      return a === undefined || b === undefined ? [] : [[a, b]];
    });
  const keepsNeighbours = childrenOf(root, "option").some((option) =>
    childrenOf(option, "flag").some(({ attributes }) => attributes.get("filterparent") === "disable"),
  );
  const neighbours = keepsNeighbours ? [] : neighbourPairs(tree.links, shapes, false);
  return [...excluded, ...neighbours, ...maskedPairs(tree, shapes, notes)];
}

/** Most geoms whose bit masks are compared in pairs. */
const MOST_MASKED_GEOMS = 600;

function maskedPairs({ contactBits }: MjcfTree, shapes: readonly Fields[], notes: ImportNotes): readonly NamePair[] {
  const haveCommonBit = contactBits.reduce((common, { contype, conaffinity }) => common & contype & conaffinity, -1) !== 0;
  if (haveCommonBit) return [];
  if (shapes.length > MOST_MASKED_GEOMS) {
    notes.unsupported({ line: 1 }, "geom contype", `of ${shapes.length} geoms each can touch each other one`);
    return [];
  }
  return shapes.flatMap((shape, i) =>
    shapes.slice(i + 1).flatMap((other, k): NamePair[] => {
      const [a, b] = [contactBits[i]!, contactBits[i + 1 + k]!];
      const touch = (a.contype & b.conaffinity) !== 0 || (b.contype & a.conaffinity) !== 0;
      return touch || shape.on === other.on ? [] : [[shape.name as string, other.name as string]];
    }),
  );
}

function noteContact({ contactShapes }: MjcfTree, root: XmlElement, notes: ImportNotes): void {
  if (contactShapes.length > 0)
    notes.warn(
      root,
      "contact",
      `${contactShapes.length === 1 ? "1 shape" : `${contactShapes.length} shapes`} of the file can touch. A run has contact only if its scenario has a force { kind: contact, shapes: [{ kind: collisions }] }`,
    );
}
