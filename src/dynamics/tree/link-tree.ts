/**
 * The link tree: a model rewritten for recursion. Every element of every hinge is one link; links without a body of the model are massless.
 * Fixed bodies become part of the link that carries them. Link frames can be chosen freely, and a good choice makes kernels short:
 *
 * - each turning, sliding or screwing link has its axis along z, and its x axis along the common normal to the axis of its main
 *   child, so a hinge transform is two elementary screws [Khalil-Kleinfinger]: Rz(γ) T(a, 0, b) Rx(α) Rz(θ) Tz(d);
 * - mass on a hinge axis does not feel the hinge, so it is moved to the parent (`regroup`): a turning link keeps 7 of its 10
 *   inertial parameters. This is exact for accelerations, mass matrix and generalised forces, but not for the wrench inside the hinge.
 */
import { cachedPerOwner } from "../../kernel/run/program-cache.ts";
import { add, isNumber, mul, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import type { HingeElement } from "../../model/hinge.ts";
import type { Model, Placement } from "../../model/model.ts";
import { Inertia } from "../../spatial/inertia.ts";
import { Pose, type PoseStep, shiftStep, turnStep } from "../../spatial/pose.ts";
import {
  apply,
  compose,
  fromQuaternion,
  IDENTITY,
  type Mat3,
  type Quaternion,
  quaternionProduct,
  snapRotation,
  toQuaternion,
  transpose,
} from "../../spatial/rotation.ts";
import { symmetricMatrix } from "../../spatial/symmetric.ts";
import { minus, plus, scale, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { alignLinkFrame, type CarriedAxis, chooseLinkFrame, type LinkFrame } from "./link-frames.ts";

export interface Link {
  readonly index: number;
  readonly name: string;
  /** Index of the carrying link, smaller than the link's own index; -1 is the world. */
  readonly parent: number;
  readonly element: HingeElement;
  /** Index of the element's first coordinate in q, and of its first speed in u. */
  readonly q: number;
  readonly u: number;
  /** Constant steps from the parent's link frame to the element. */
  readonly constantSteps: readonly PoseStep[];
  /** Angle and offset of a screw's link frame at q = 0. */
  readonly zero: { readonly angle: number; readonly offset: Scalar };
  /** R_ML of a ball or free hinge, as a quaternion. */
  readonly q_ML: Quaternion<number>;
  readonly inertia: Inertia;
}

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
  cachedPerOwner(model, isNumeric(model) ? `machine ${options.regroup}` : undefined, () => buildLinkTree(model, options));

function buildLinkTree(model: Model<Scalar>, options: { readonly regroup: boolean }): LinkTree {
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
    const inertia = draft.inertia.shifted(negated(frame.placement.p)).rotated(L.R);
    const q_ML = toQuaternion(frame.placement.R);
    const { name, parent, element, q, u } = draft;
    return { index, name, parent, element, q, u, constantSteps, zero, q_ML, inertia };
  });
  return {
    name: model.name,
    gravity: model.gravity,
    links: options.regroup ? regroupInertias(links) : links,
    bodies: bodies.map(({ link, placement: inM }, b) => {
      const placement = link < 0 ? inM : composePlacements(inversePlacement(frames[link]!.placement), inM);
      const { mass, com, inertia } = model.bodies[b]!;
      const bodyInertia = Inertia.ofBody(link < 0 ? "world" : drafts[link]!.name, mass, com, inertia);
      return { link, placement, inertia: bodyInertia.rotated(placement.R).shifted(placement.p) };
    }),
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

const negated = (v: Vec3): Vec3 => minus(ZERO3, v);

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

/** Steps from the parent's link frame to the hinge motion, inclusive; then the steps along the moved axis. */
export function hingeSteps(
  link: Link,
  q: readonly Scalar[],
): { readonly toHinge: readonly PoseStep[]; readonly alongAxis: readonly PoseStep[] } {
  const x = q.slice(link.q, link.q + link.element.nq);
  const { screw } = link.element;
  if (screw) {
    const rotation = screw.turn ? [turnWithOffset(x[0]!, link.zero.angle)] : [turnStep(2, link.zero.angle)];
    return {
      toHinge: [...link.constantSteps, ...rotation],
      alongAxis: [shiftStep([0, 0, add(link.zero.offset, mul(screw.slide, x[0]!))])],
    };
  }
  const { R, p } = link.element.pose(x);
  const rotation = link.element.small ? R : rotationFL(link, q);
  return { toHinge: [...link.constantSteps, shiftStep(p), { kind: "rotate", R: rotation }], alongAxis: [] };
}

/** True if speeds of the hinge are in the link's axes. Those of a ball or free hinge are in F axes. */
export const hasSpeedsInLinkAxes = ({ element }: Link): boolean => element.screw !== undefined || element.small === true;

/** R_FL of a ball or free hinge: its quaternion, then the constant rotation from M to the link frame. */
export function rotationFL(link: Link, q: readonly Scalar[]): Mat3 {
  const first = link.q + link.element.quaternion!;
  return fromQuaternion(quaternionProduct(q.slice(first, first + 4) as unknown as Quaternion, link.q_ML));
}

/** A turn about z by q + zero. It is exact for quarter turns: cos and sin of q change places. */
function turnWithOffset(q: Scalar, zero: number): PoseStep {
  const quarters = Math.round(zero / (Math.PI / 2));
  if (Math.abs(zero - quarters * (Math.PI / 2)) > 1e-14) return turnStep(2, add(q, zero));
  const base = turnStep(2, q) as PoseStep & { kind: "turn" };
  const negateScalar = (s: Scalar): Scalar => sub(0, s);
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return { ...base, c: negateScalar(base.s), s: base.c };
    case 2:
      return { ...base, c: negateScalar(base.c), s: negateScalar(base.s) };
    case 3:
      return { ...base, c: base.s, s: negateScalar(base.c) };
    default:
      return base;
  }
}

/** X_PL of a link. */
export function linkPose(tree: LinkTree, link: Link, q: readonly Scalar[]): Pose {
  const { toHinge, alongAxis } = hingeSteps(link, q);
  return new Pose(linkFrameName(tree, link.parent), link.name, [...toHinge, ...alongAxis]);
}

export const linkFrameName = (tree: LinkTree, link: number): string => (link < 0 ? "world" : tree.links[link]!.name);

/** Moves to the parent, tip to base, the inertia X that the hinge does not feel: X S = 0, and no motion of the hinge changes X. */
function regroupInertias(links: readonly Link[]): Link[] {
  const inertia = links.map((l) => l.inertia);
  for (const link of [...links].reverse()) {
    if (link.parent < 0) continue;
    const linkInertia = inertia[link.index]!;
    const notFelt = inertiaNotFeltByHinge(link.element, linkInertia);
    if (!notFelt) continue;
    const negatedInertia = new Inertia(
      linkInertia.frame,
      mul(-1, notFelt.mass),
      negated(notFelt.h),
      notFelt.J.map(negated) as unknown as Mat3,
    );
    inertia[link.index] = link.element.screw?.turn
      ? flattenAlongZ(linkInertia.plus(negatedInertia))
      : linkInertia.plus(negatedInertia);
    const parent = links[link.parent]!;
    const home = link.element.home;
    const q = Array.from({ length: link.q + home.length }, (_, i): Scalar => home[i - link.q] ?? 0);
    const { toHinge, alongAxis } = hingeSteps(link, q);
    inertia[link.parent] = inertia[link.parent]!.plus(
      new Pose(parent.name, link.name, [...toHinge, ...alongAxis]).outward(notFelt).withFrame(parent.name),
    );
  }
  return links.map((l) => ({ ...l, inertia: inertia[l.index]! }));
}

/** Makes J_xx + J_yy = J_zz exact. After regrouping the body has no extent along z; the subtraction violates this by rounding. */
function flattenAlongZ(inertia: Inertia): Inertia {
  const { frame, mass, h, J } = inertia;
  const [xx, yy, zz] = [J[0][0], J[1][1], J[2][2]];
  if (!isNumber(xx) || !isNumber(yy) || !isNumber(zz)) return inertia;
  const halfDifference = 0.5 * (xx - yy);
  return new Inertia(
    frame,
    mass,
    h,
    symmetricMatrix(0.5 * zz + halfDifference, 0.5 * zz - halfDifference, zz, J[0][1], J[0][2], J[1][2]),
  );
}

/** The part of a link's inertia that its own hinge does not feel. */
function inertiaNotFeltByHinge({ screw, quaternion, nu }: HingeElement, { frame, mass, h, J }: Inertia): Inertia | undefined {
  const rod = (k: Scalar): Mat3 => symmetricMatrix(k, k, 0, 0, 0, 0);
  if (screw?.turn) {
    const k = mul(0.5, sub(add(J[0][0], J[1][1]), J[2][2])); // ∫ z² dm: a thin rod on the axis
    return screw.slide === 0 ? new Inertia(frame, mass, [0, 0, h[2]], rod(k)) : new Inertia(frame, 0, ZERO3, rod(k));
  }
  if (screw) return new Inertia(frame, 0, ZERO3, J); // a slide turns nothing
  return quaternion !== undefined && nu === 3 ? new Inertia(frame, mass, ZERO3, symmetricMatrix(0, 0, 0, 0, 0, 0)) : undefined;
}
