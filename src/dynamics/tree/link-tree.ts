/**
 * The link tree: a model rewritten for recursion. Every element of every hinge is one link; links without a body of the model are massless.
 * Fixed bodies become part of the link that carries them. Link frames can be chosen freely, and a good choice makes kernels short:
 *
 * - each turning, sliding or screwing link has its axis along z, and its x axis along the common normal to the axis of its main
 *   child, so a hinge transform is two elementary screws [Khalil-Kleinfinger]: Rz(γ) T(a, 0, b) Rx(α) Rz(θ) Tz(d);
 * - mass on a hinge axis does not feel the hinge, so it is moved to the parent (`regroup`): a turning link keeps 7 of its 10
 *   inertial parameters. This is exact for accelerations, mass matrix and generalised forces, but not for the wrench inside the hinge.
 */
import { lazy } from "../../kernel/run/lazy.ts";
import { cachedPerOwner } from "../../kernel/run/program-cache.ts";
import { isNumber, type Scalar } from "../../kernel/trace/scalar.ts";
import type { HingeElement } from "../../model/hinge.ts";
import type { Model, Placement } from "../../model/model.ts";
import { Inertia } from "../../spatial/inertia.ts";
import { Pose } from "../../spatial/pose.ts";
import {
  apply,
  compose,
  IDENTITY,
  type Mat3,
  type Quaternion,
  snapRotation,
  toQuaternion,
  transpose,
} from "../../spatial/rotation.ts";
import { minus, plus, scale, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { hingeSteps, type Link } from "./link.ts";
import { alignLinkFrame, type CarriedAxis, chooseLinkFrame, type LinkFrame } from "./link-frames.ts";
import { regroupInertias } from "./regroup-inertias.ts";

/** A body of the model: its link (-1: the world), its placement in the link frame, its inertia there. */
export interface LinkTreeBody {
  readonly link: number;
  readonly placement: Placement<Scalar>;
  readonly inertia: Inertia;
}

export interface LinkTree {
  readonly name: string;
  readonly gravity: Vec3;
  readonly links: readonly Link[];
  readonly bodies: readonly LinkTreeBody[];
  readonly nq: number;
  readonly nu: number;
}

/** A link before its frame is chosen. Constants are in axes of the element's own M frame. */
interface LinkDraft {
  readonly name: string;
  readonly parent: number;
  readonly element: HingeElement;
  readonly q: number;
  readonly u: number;
  /** F in M of the parent's element (or in the world). */
  readonly F: Placement<Scalar>;
  readonly children: number[];
  inertia: Inertia;
}

const NO_TURN: Quaternion<number> = [1, 0, 0, 0];
const IDENTITY_PLACEMENT: Placement<number> = { R: IDENTITY, p: ZERO3 };

const composePlacements = (A: Placement<Scalar>, B: Placement<Scalar>): Placement<Scalar> => ({
  R: snapRotation(compose(A.R, B.R) as Mat3<number>),
  p: plus(A.p, apply(A.R, B.p)),
});

const inversePlacement = (A: Placement<Scalar>): Placement<Scalar> => {
  const R = transpose(A.R);
  const p = apply(R, A.p);
  return { R, p: minus(ZERO3, p) };
};

/** The link tree of a model, cached. Use `regroup: false` for wrenches inside hinges. */
export const linkTreeOf = (model: Model<Scalar>, options: { readonly regroup: boolean } = { regroup: true }): LinkTree =>
  cachedPerOwner(model, isNumeric(model) ? `link tree ${options.regroup}` : undefined, () =>
    options.regroup ? regroupedTree(linkTreeOf(model, { regroup: false })) : buildLinkTree(model),
  );

const regroupedTree = (tree: LinkTree): LinkTree => ({
  name: tree.name,
  gravity: tree.gravity,
  links: regroupInertias(tree.links),
  get bodies() {
    return tree.bodies;
  },
  nq: tree.nq,
  nu: tree.nu,
});

function buildLinkTree(model: Model<Scalar>): LinkTree {
  const drafts: LinkDraft[] = [];
  const bodies: { link: number; placement: Placement<Scalar> }[] = [];
  for (const body of model.bodies) {
    const carrier = body.parent < 0 ? { link: -1, placement: IDENTITY_PLACEMENT } : bodies[body.parent]!;
    let link = carrier.link;
    let F = composePlacements(carrier.placement, body.hinge.onParent);
    let { q, u } = body.hinge;
    for (const [k, element] of body.hinge.elements.entries()) {
      const name = k + 1 < body.hinge.elements.length ? `${body.name}'${k + 1}` : body.name;
      drafts[link]?.children.push(drafts.length);
      drafts.push({ name, parent: link, element, q, u, F, children: [], inertia: Inertia.zero(name) });
      link = drafts.length - 1;
      F = IDENTITY_PLACEMENT;
      q += element.nq;
      u += element.nu;
    }
    const placement = composePlacements(F, inversePlacement(body.hinge.onBody));
    bodies.push({ link, placement });
    const draft = drafts[link];
    if (draft) {
      const bodyInertia = Inertia.ofBody(draft.name, body.mass, body.com, body.inertia);
      draft.inertia = draft.inertia.plus(bodyInertia.rotated(placement.R).shifted(placement.p));
    }
  }

  const frames = chooseLinkFrames(drafts);
  const links = drafts.map((draft, index): Link => {
    const frame = frames[index]!;
    const parentFrame = draft.parent < 0 ? IDENTITY_PLACEMENT : frames[draft.parent]!.placement;
    const F = composePlacements(inversePlacement(parentFrame), draft.F);
    const { constantSteps, zero } = alignLinkFrame(draft.element, F, frame);
    const L = inversePlacement(frame.placement);
    const inertia = draft.inertia.shifted(minus(ZERO3, frame.placement.p)).rotated(L.R);
    const q_ML = draft.element.screw ? NO_TURN : toQuaternion(frame.placement.R);
    const { name, parent, element, q, u } = draft;
    return { index, name, parent, element, q, u, constantSteps, zero, q_ML, inertia };
  });
  const bodiesOnLinks = lazy(() =>
    bodies.map(({ link, placement: inM }, b): LinkTreeBody => {
      const placement = link < 0 ? inM : composePlacements(inversePlacement(frames[link]!.placement), inM);
      const { mass, com, inertia } = model.bodies[b]!;
      const bodyInertia = Inertia.ofBody(link < 0 ? "world" : drafts[link]!.name, mass, com, inertia);
      return { link, placement, inertia: bodyInertia.rotated(placement.R).shifted(placement.p) };
    }),
  );
  return {
    name: model.name,
    gravity: model.gravity,
    links,
    get bodies() {
      return bodiesOnLinks(); // forward dynamics without external wrenches needs none
    },
    nq: model.nq,
    nu: model.nu,
  };
}

/** True if no parameter of the model is a kernel input. Then all quantities that follow from it, such as a unit of length, are numbers. */
export const isNumeric = (model: Model<Scalar>): model is Model =>
  model.gravity.every(isNumber) &&
  model.bodies.every(
    (b) =>
      isNumber(b.mass) &&
      b.com.every(isNumber) &&
      b.inertia.every((row) => row.every(isNumber)) &&
      b.hinge.onParent.p.every(isNumber) &&
      b.hinge.onBody.p.every(isNumber),
  ) &&
  model.frames.every((f) => f.placement.p.every(isNumber));

/** The frame of each link. It suits the main child: the one with the most links on it. */
function chooseLinkFrames(drafts: readonly LinkDraft[]): LinkFrame[] {
  const linkCounts = drafts.map(() => 1);
  for (let i = drafts.length - 1; i >= 0; i--) {
    const p = drafts[i]!.parent;
    if (p >= 0) linkCounts[p]! += linkCounts[i]!;
  }
  const frames: LinkFrame[] = [];
  for (const draft of drafts) {
    const screws = draft.children
      .filter((c) => drafts[c]!.element.screw !== undefined)
      .sort((a, b) => linkCounts[b]! - linkCounts[a]!);
    const [child, second] = screws.map((c) => hingeAxisOnCarrier(drafts[c]!));
    const frame = chooseLinkFrame(draft.element, child, second, draft.inertia);
    const carrier = draft.parent < 0 ? IDENTITY_PLACEMENT : frames[draft.parent]!.placement;
    frames.push(child ? frame : moveToCommonNormal(draft.element, composePlacements(inversePlacement(carrier), draft.F), frame));
  }
  return frames;
}

/** The axis of a link in the frame of its carrier's element. */
const hingeAxisOnCarrier = ({ F, element }: LinkDraft): CarriedAxis => ({
  direction: apply(F.R, element.screw!.axis) as Vec3<number>,
  point: F.p,
});

/** The frame of a link that carries no axis, moved along its own axis to the foot of the common normal with its carrier's axis. */
function moveToCommonNormal(element: HingeElement, F: Placement<Scalar>, frame: LinkFrame): LinkFrame {
  if (!element.screw) return frame;
  const { offset } = alignLinkFrame(element, F, frame).zero;
  return { placement: { ...frame.placement, p: minus(frame.placement.p, scale(offset, element.screw.axis)) } };
}

/** X_PL of a link. */
export function linkPose(tree: LinkTree, link: Link, q: readonly Scalar[]): Pose {
  const { toHinge, alongAxis } = hingeSteps(link, q);
  return new Pose(linkFrameName(tree, link.parent), link.name, [...toHinge, ...alongAxis]);
}

export const linkFrameName = (tree: LinkTree, link: number): string => (link < 0 ? "world" : tree.links[link]!.name);
