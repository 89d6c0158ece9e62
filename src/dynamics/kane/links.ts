/**
 * The tree as Kane's method sees it: links, each hung on its inner link by one element of a hinge. A hinge of several elements is a
 * chain of links of which only the last carries the body: "hinges of several freedoms are expressed by combining bodies"
 * [TR-942 2.3.1]. The hinge point h of a link is the origin of its element's frame M, and every vector of a link starts there.
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { HingeElement } from "../../model/hinge.ts";
import type { Body, Frame, Hinge, Model } from "../../model/model.ts";
import { IDENTITY, type Mat3, transpose } from "../../spatial/rotation.ts";
import { minus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";

/** What is asked of an element. */
type KaneJoint = Pick<HingeElement, "nq" | "nu" | "partials" | "pose" | "armature">;

export interface KaneLink {
  /** Index of the inner link, -1 for the inertial space. */
  readonly inner: number;
  readonly joint: KaneJoint;
  /** Where the joint's coordinates and speeds begin in q and u. */
  readonly q: number;
  readonly u: number;
  /** Frame F of the joint on the inner link: its axes, and its origin from the inner hinge point, in axes of the inner link. */
  readonly R_innerF: Mat3<number>;
  readonly p_innerF: Vec3;
  /** Axes of the link in those of the joint's frame M: body axes where the link carries a body. */
  readonly R_MB: Mat3<number>;
  /** The body that the link carries, if it is the last of its hinge. */
  readonly body?: Body<Scalar>;
}

/** A rigid hinge is a link without freedom. */
const WELD: KaneJoint = { nq: 0, nu: 0, partials: [], pose: () => ({ R: IDENTITY, p: ZERO3 }) };

/** The links of a model, inner before outer. */
export function kaneLinksOf(model: Model<Scalar>): readonly KaneLink[] {
  const links: KaneLink[] = [];
  const carrier: number[] = [];
  for (const body of model.bodies) {
    const { hinge } = body;
    const joints: readonly KaneJoint[] = hinge.elements.length > 0 ? hinge.elements : [WELD];
    let { q, u } = hinge;
    for (const [i, joint] of joints.entries()) {
      const isFirst = i === 0;
      const isLast = i === joints.length - 1;
      links.push({
        inner: isFirst ? (carrier[body.parent] ?? -1) : links.length - 1,
        joint,
        q,
        u,
        R_innerF: isFirst ? hinge.onParent.R : IDENTITY,
        p_innerF: isFirst ? fromHinge(model.bodies[body.parent], hinge.onParent.p) : ZERO3,
        R_MB: isLast ? transpose(hinge.onBody.R) : IDENTITY,
        ...(isLast && { body }),
      });
      q += joint.nq;
      u += joint.nu;
    }
    carrier[body.index] = links.length - 1;
  }
  return links;
}

/** A point of a body (or of the inertial space) from the body's hinge point, in body axes. */
const fromHinge = (body: { readonly hinge: Hinge<Scalar> } | undefined, p: Vec3): Vec3 =>
  body ? minus(p, body.hinge.onBody.p) : p;

/** r_k: the mass centre of a body from its hinge point, in body axes. */
export const massCentre = (body: Body<Scalar>): Vec3 => fromHinge(body, body.com);

/** The origin of a frame from the hinge point of its body, in body axes. */
export const frameOrigin = (model: Model<Scalar>, frame: Pick<Frame<Scalar>, "body" | "placement">): Vec3 =>
  fromHinge(model.bodies[frame.body], frame.placement.p);

/** For each speed the next one towards the base on which it rides, -1 if there is none: M has an entry only where one rides on another. */
export function innerSpeeds(links: readonly KaneLink[]): readonly number[] {
  const parents: number[] = [];
  const outermost: number[] = [];
  for (const { inner, joint, u } of links) {
    let parent = inner < 0 ? -1 : outermost[inner]!;
    for (let i = u; i < u + joint.nu; i++) {
      parents[i] = parent;
      parent = i;
    }
    outermost.push(parent);
  }
  return parents;
}
