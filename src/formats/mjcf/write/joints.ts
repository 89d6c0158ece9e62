/** Joints of MJCF. */
import type { Placement } from "../../../model/model.ts";
import type { Vec3 } from "../../../spatial/vec3.ts";
import { axisOnLink, type ExportJoint, type ExportLink, isAtOrigin } from "../../export/export-links.ts";
import type { FreedomEffects } from "../../export/joint-effects.ts";
import { NO_LIMIT } from "../../robot/robot-draft.ts";
import { type XmlNode, xml } from "../../xml/write-xml.ts";
import { isFreeJoint, type MjcfWriter } from "./writer.ts";

export interface JointNode {
  readonly node: XmlNode;
  readonly name: string;
  readonly type: "free" | "ball" | "hinge" | "slide";
  /** Indices of its first coordinate in q and its first speed in u of the model. */
  readonly q: number;
  readonly u: number;
  /** Coordinate of the joint per coordinate of the model: the pitch for the slide of a screw. */
  readonly factor: number;
  /** X_WF of a free joint. */
  readonly onWorld?: Placement;
}

const AXES: readonly (readonly [string, Vec3<number>])[] = [
  ["x", [1, 0, 0]],
  ["y", [0, 1, 0]],
  ["z", [0, 0, 1]],
];

/** @param frame X_LM: the hinge frame on the link */
export function jointNodes(joint: ExportJoint, { body }: ExportLink, frame: Placement, writer: MjcfWriter): readonly JointNode[] {
  const { effects, names, notes, screws } = writer;
  const { name, element, q, u } = joint;
  const own = effects[u]!;
  const pos = frame.p.some((c) => c !== 0) ? frame.p : undefined;
  const entry = (type: JointNode["type"], node: XmlNode, at = { name, q, u }): JointNode => ({ ...at, type, factor: 1, node });
  if (isFreeJoint(body)) {
    noteResistance(`free joint "${name}"`, effects.slice(u, u + 6), writer);
    const onWorld = body.hinge.onParent;
    if (!isAtOrigin(onWorld))
      notes.miss(`place of the free hinge "${name}"`, "its coordinates are those of the body in the world; states are converted");
    return [{ ...entry("free", xml("freejoint", { name })), onWorld }];
  }
  if (element.screw === undefined) {
    // A ball, with three slides before it if the hinge is free.
    const [firstTurn, firstSlide] = [effects.slice(u, u + 3), element.nu === 6 ? u + 3 : undefined];
    const damping = firstTurn[0]!.damping;
    const isEven = firstTurn.every((effect) => effect.damping === damping);
    noteResistance(`ball joint "${name}"`, isEven ? firstTurn.map((effect) => ({ ...effect, damping: 0 })) : firstTurn, writer);
    const values = { type: "ball", pos, damping: isEven ? nonZero(damping) : undefined };
    if (firstSlide === undefined) return [entry("ball", xml("joint", { name, ...values }))];
    const slides = AXES.map(([axis, direction], i) => {
      const slideName = names.joints.claim(undefined, `${name}-${axis}`);
      const attributes = { name: slideName, type: "slide", pos, axis: axisOnLink(frame, direction) };
      const node = xml("joint", { ...attributes, ...resistance(effects[firstSlide + i]!) });
      return entry("slide", node, { name: slideName, q: q + 4 + i, u: firstSlide + i });
    });
    return [...slides, entry("ball", xml("joint", { name, ...values }))];
  }
  const { axis, turn, slide } = element.screw;
  const values = { pos, axis: axisOnLink(frame, axis) };
  const armature = nonZero(element.armature ?? 0);
  if (turn === 0) return [entry("slide", xml("joint", { name, type: "slide", ...values, armature, ...resistance(own) }))];
  const hinge = entry("hinge", xml("joint", { name, type: "hinge", ...values, armature, ...resistance(own) }));
  if (slide === 0) return [hinge];
  const slideName = names.joints.claim(undefined, `${name}-slide`);
  screws.push(xml("joint", { joint1: slideName, joint2: name, polycoef: [0, slide, 0, 0, 0] }));
  notes.miss(`screw "${name}"`, "it is a turn and a slide that an equality couples, which is soft in MuJoCo");
  const node = xml("joint", { name: slideName, type: "slide", ...values });
  return [hinge, { name: slideName, type: "slide", q, u, factor: slide, node }];
}

const nonZero = (value: number): number | undefined => (value === 0 ? undefined : value);

/** What acts in a joint with one freedom, as attributes. */
function resistance({ stiffness, rest, damping, friction, lower, upper }: FreedomEffects) {
  return {
    ...(stiffness !== 0 && { stiffness, springref: nonZero(rest) }),
    damping: nonZero(damping),
    frictionloss: nonZero(friction),
    range: lower === undefined && upper === undefined ? undefined : [lower ?? -NO_LIMIT, upper ?? NO_LIMIT],
  };
}

function noteResistance(what: string, effects: readonly FreedomEffects[], { notes }: MjcfWriter): void {
  const acts = effects.some(
    (e) => e.stiffness !== 0 || e.damping !== 0 || e.friction !== 0 || e.lower !== undefined || e.upper !== undefined,
  );
  if (acts) notes.miss(`springs, damping and limits of the ${what}`, "MJCF cannot give them for single freedoms of it");
  for (const { motors } of effects)
    for (const motor of motors)
      notes.miss(`force "${motor.name}"`, `a ${what.split(" ")[0]} joint has no such actuator in the file`);
}
