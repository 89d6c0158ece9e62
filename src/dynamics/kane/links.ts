/**
 * The tree in Kane's method: links, each joined to its inner link by one element of a hinge. A hinge of several elements is a
 * chain of links of which only the last carries the body: "hinges of several freedoms are expressed by combining bodies"
 * [TR-942 2.3.1]. The hinge point h of a link is the origin of its element's frame M. Every vector of a link starts there.
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { HingeElement } from "../../model/hinge.ts";
import type { Body, Frame, Hinge, Model } from "../../model/model.ts";
import { IDENTITY, type Mat3, transpose } from "../../spatial/rotation.ts";
import { minus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";

/** The properties of a hinge element that Kane's method uses. */
type KaneJoint = Pick<HingeElement, "nq" | "nu" | "partials" | "pose" | "armature">;

export interface KaneLink {
  /** Index of the inner link, -1 for the inertial space. */
  readonly inner: number;
  readonly joint: KaneJoint;
  /** Index of the joint's first coordinate in q, and of its first speed in u. */
  readonly q: number;
  readonly u: number;
  /** Frame F of the joint on the inner link: its rotation, and its origin from the inner hinge point, in axes of the inner link. */
  readonly R_innerF: Mat3<number>;
  readonly p_innerF: Vec3;
  /** Rotation of the link's axes in the joint's frame M. They are body axes if the link carries a body. */
  readonly R_MB: Mat3<number>;
  /** The body that the link carries, if it is the last of its hinge. */
  readonly body?: Body<Scalar>;
}

/** A fixed hinge is a link without freedom. */
const WELD: KaneJoint = { nq: 0, nu: 0, partials: [], pose: () => ({ R: IDENTITY, p: ZERO3 }) };

/** The links of a model; inner links come before outer ones. */
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

/** Vector from the hinge point of a body (or from the inertial origin) to a point of it, in body axes. */
const fromHinge = (body: { readonly hinge: Hinge<Scalar> } | undefined, p: Vec3): Vec3 =>
  body ? minus(p, body.hinge.onBody.p) : p;

/** r_k: vector from the hinge point of a body to its mass centre, in body axes. */
export const massCentre = (body: Body<Scalar>): Vec3 => fromHinge(body, body.com);

/** Vector from the hinge point of a body to the origin of a frame on it, in body axes. */
export const frameOrigin = (model: Model<Scalar>, frame: Pick<Frame<Scalar>, "body" | "placement">): Vec3 =>
  fromHinge(model.bodies[frame.body], frame.placement.p);

/** For each speed the next speed towards the base, or -1. M has an entry only for two speeds of which one carries the other. */
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
