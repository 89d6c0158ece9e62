/** Writes URDF: a tree of links. Loops, states and pairs without contact go into an SRDF file beside it. */
import type { Body } from "../../model/model.ts";
import { contactSolids } from "../export/contact-solids.ts";
import { type ExportLink, exportLinks, isAtOrigin, isMassless, noteMassless, noteUnusualMass } from "../export/export-links.ts";
import { ExportNotes } from "../export/export-notes.ts";
import type { ExportedRobot, WrittenRobot } from "../export/exported-robot.ts";
import { type FreedomEffects, jointEffects } from "../export/joint-effects.ts";
import { Namer } from "../robot/safe-names.ts";
import { writeSrdf } from "../srdf/write-srdf.ts";
import { xml, xmlText } from "../xml/write-xml.ts";
import { attachments } from "./attachments.ts";
import { mimicLoops } from "./mimic-loops.ts";
import { linkNodes, transmissionNodes, type UrdfWriter } from "./write-links.ts";
import { collisionNodes } from "./write-shapes.ts";

/** Gravity of programs that read URDF. */
const GRAVITY = [0, 0, -9.81] as const;
const WORLD = "world";

/** @throws ModelError if the tree has joints that URDF does not have */
export function writeUrdf(robot: ExportedRobot, source: string): WrittenRobot {
  const { model } = robot;
  const notes = new ExportNotes(source, "URDF");
  const names = { links: new Namer(), joints: new Namer() };
  const isWhole = ({ kind }: Body["hinge"]): boolean => kind === "planar" || kind === "free";
  const links = exportLinks(model, { place: ({ hinge }) => hinge.onBody, isWhole }, names, notes);
  for (const link of links) checkJoints(link, notes);
  notes.throwProblems();
  const effects = jointEffects(robot, notes);
  noteLost(robot, links, effects, notes);
  noteUnusualMass(links, notes);
  const solids = contactSolids(robot, notes);
  const writer: UrdfWriter = { robot, links, effects, mimics: mimicLoops(model, notes), solids, names, notes };
  const attached = attachments(writer);
  const worldSolids = solids.get("") ?? [];
  const hasWorld = !hasFixedRoot(links) || worldSolids.length > 0 || attached.usesWorld;
  const world = xml(
    "link",
    { name: WORLD },
    collisionNodes(worldSolids, (X) => X, robot, notes),
  );
  const root = xml("robot", { name: model.name }, [
    hasWorld ? world : undefined,
    ...links.flatMap((link) => linkNodes(link, hasWorld, writer)),
    ...attached.nodes,
    ...transmissionNodes(links, effects),
  ]);
  const companion = writeSrdf(robot, links, attached.loops, notes);
  // $( and ${ are expressions of xacro: a program would expand the file.
  const withoutExpressions = (value: string): string => {
    const replaced = value.replace(/\$(?=[({])/g, "-");
    if (replaced !== value) notes.miss(`name ${JSON.stringify(value)}`, `it is ${JSON.stringify(replaced)} in the file`);
    return replaced;
  };
  const text = xmlText(root, source, withoutExpressions);
  return {
    text,
    ...(companion && { companion: { extension: ".srdf", text: xmlText(companion, source, withoutExpressions) } }),
    missing: notes.missing,
  };
}

/** True if the tree has one root, which is the world's at its origin: it can be the root link. */
function hasFixedRoot(links: readonly ExportLink[]): boolean {
  const roots = links.filter(({ body }) => body.parent < 0);
  const { hinge } = roots[0]!.body;
  return roots.length === 1 && hinge.elements.length === 0 && isAtOrigin(hinge.onParent) && isAtOrigin(hinge.onBody);
}

function checkJoints({ body: { name, hinge }, joints }: ExportLink, notes: ExportNotes): void {
  if (hinge.kind === "planar" || hinge.kind === "free") return;
  for (const { element } of joints) {
    const { screw } = element;
    const what = element.small
      ? "small turns"
      : screw === undefined
        ? "a ball joint"
        : screw.turn !== 0 && screw.slide !== 0
          ? "a screw"
          : "";
    if (what !== "")
      notes.problem(
        `bodies.${name}.hinge`,
        `the hinge is ${what}, which URDF does not have`,
        element.small || screw !== undefined ? "Choose another hinge" : "Write MJCF instead (.xml), or use three revolute hinges",
      );
  }
}

const hasSpring = ({ stiffness }: FreedomEffects): boolean => stiffness !== 0;

/** Says what of hinges, loops and gravity the files do not have. */
function noteLost(
  { model }: ExportedRobot,
  links: readonly ExportLink[],
  effects: readonly FreedomEffects[],
  notes: ExportNotes,
): void {
  if (model.gravity.some((g, i) => g !== GRAVITY[i]))
    notes.miss(
      `gravity [${model.gravity.join(", ")}]`,
      `URDF has no gravity: programs use [${GRAVITY.join(", ")}] unless they are told otherwise`,
    );
  for (const link of links) {
    const { hinge } = link.body;
    if (link.joints.length > 1)
      notes.miss(`several freedoms of joint "${hinge.name}"`, "they are joints of links without mass, which MuJoCo refuses");
    else if (link.joints.length > 0 && isMassless(link)) noteMassless(link.name, notes);
    const own = effects.slice(hinge.u, hinge.u + hinge.nu);
    const what = `joint "${hinge.name}"`;
    if (hinge.elements.some(({ armature = 0 }) => armature > 0))
      notes.miss(`armature of ${what}`, "the inertia of its rotor is missing");
    if (own.some(hasSpring)) notes.miss(`spring of ${what}`, "URDF joints have no springs: this stiffness is missing");
    for (const { motors } of own)
      for (const motor of motors)
        if (motor.kp !== 0 || motor.kd !== 0)
          notes.miss(`gains of the servo "${motor.name}"`, "it is a motor without a law in the file");
    const isWhole = hinge.kind === "planar" || hinge.kind === "free";
    if (isWhole && own.some((e) => e.damping !== 0 || e.friction !== 0 || e.lower !== undefined || e.upper !== undefined))
      notes.miss(`damping, friction and limits of ${what}`, `a ${hinge.kind === "free" ? "floating" : "planar"} joint has none`);
    if (own.some(({ lower, upper }) => (lower === undefined) !== (upper === undefined)))
      notes.miss(`one-sided limit of ${what}`, "the other limit is written as 1e9");
  }
  for (const { name, kind } of model.openLoops) notes.miss(`open loop "${name}" (${kind})`, "SRDF has closed loops only");
}
