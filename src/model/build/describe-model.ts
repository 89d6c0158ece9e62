/** The description of a model, for saving and for changes. */
import type { Mat3 } from "../../spatial/rotation.ts";
import type {
  AttachmentDescription,
  BodyDescription,
  HingeDescription,
  LoopDescription,
  ModelDescription,
  PlacementDescription,
  SpringsDescription,
} from "../description.ts";
import type { Springs } from "../elastic/springs.ts";
import type { Attachment, Loop } from "../loop.ts";
import { namesByCoordinate } from "../loops/loop-solution.ts";
import { type Body, checkModel, type Hinge, type Model } from "../model.ts";
import { isZeroInertia } from "./inertia.ts";
import { DEFAULT_ENGAGEMENT_TOLERANCE, ENGAGEMENT_MODES } from "./loops.ts";
import { describePlacement } from "./placement.ts";
import { describeShape } from "./shapes.ts";

/** The description from which `createModel` creates this model again; values equal to their default are left out. */
export function describeModel(model: Model): ModelDescription {
  checkModel(model);
  const frames = model.bodies.map((): [string, PlacementDescription][] => []);
  for (const frame of model.frames) frames[frame.body]!.push([frame.name, describePlacement(frame.placement)]);
  return {
    name: model.name,
    ...(model.gravity.some((g) => g !== 0) && { gravity: model.gravity }),
    bodies: model.bodies.map((body) => describeBody(body, model, frames[body.index]!)),
    ...(model.loops.length + model.openLoops.length > 0 && {
      loops: [
        ...model.loops.map((loop) => describeLoop(loop, model)),
        ...model.openLoops.map((loop) => ({ ...describeLoop(loop, model), engaged: false })),
      ],
    }),
    ...(model.springs.length > 0 && { springs: model.springs.map(describeSprings) }),
    ...(model.shapes.length > 0 && { shapes: model.shapes.map(describeShape) }),
  };
}

const describeSprings = ({ name, joints, coupling }: Springs): SpringsDescription => ({
  name,
  joints: joints.map(({ hinge, stiffness, damping }) => ({ hinge, stiffness, ...(damping.some((d) => d !== 0) && { damping }) })),
  ...(coupling && { coupling }),
});

function describeBody(body: Body, model: Model, frames: readonly (readonly [string, PlacementDescription])[]): BodyDescription {
  const parent = model.bodies[body.parent];
  return {
    name: body.name,
    ...(parent && { parent: parent.name }),
    mass: body.mass,
    ...(body.com.some((c) => c !== 0) && { com: body.com }),
    inertia: describeInertia(body.inertia),
    hinge: describeHinge(body.hinge, body.name),
    ...(frames.length > 0 && { frames: Object.fromEntries(frames) }),
    ...(body.shapes.length > 0 && { shapes: body.shapes.map(describeShape) }),
  };
}

function describeInertia(I: Mat3<number>): BodyDescription["inertia"] {
  if (isZeroInertia(I)) return "none";
  const [[xx, xy, xz], [, yy, yz], [, , zz]] = I;
  return xy === 0 && xz === 0 && yz === 0 ? [xx, yy, zz] : [xx, yy, zz, xy, xz, yz];
}

function describeHinge(hinge: Hinge, bodyName: string): HingeDescription {
  const onBody = describePlacement(hinge.onBody);
  return {
    ...(hinge.name !== bodyName && { name: hinge.name }),
    kind: hinge.kind as HingeDescription["kind"],
    ...hinge.parameters,
    ...describePlacement(hinge.onParent),
    ...(Object.keys(onBody).length > 0 && { onBody }),
  };
}

function describeLoop(loop: Loop, model: Model): LoopDescription {
  const { name, kind, parameters, engages, tolerance } = loop;
  const ends = loop.type === "frames" && { from: describeAttachment(loop.from, model), to: describeAttachment(loop.to, model) };
  return {
    name,
    kind,
    ...parameters,
    ...ends,
    ...(engages !== ENGAGEMENT_MODES[0] && { engages }),
    ...(tolerance !== DEFAULT_ENGAGEMENT_TOLERANCE && { tolerance }),
    ...(loop.type === "frames" && loop.chain !== undefined && { chain: loop.chain }),
    ...(loop.dependent && { dependent: loop.dependent.map(({ q }) => namesByCoordinate(model).get(q)!) }),
  } as LoopDescription;
}

const describeAttachment = ({ frame, body, placement }: Attachment, model: Model): AttachmentDescription =>
  frame !== undefined ? { frame } : { body: model.bodies[body]?.name ?? "world", ...describePlacement(placement) };
