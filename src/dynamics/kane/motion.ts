/** Motion of the links from the base outwards [TR-942 2.3.48-2.3.57], in inertial axes, about hinge points. */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { apply, compose, IDENTITY, type Mat3 } from "../../spatial/rotation.ts";
import { cross, plus, scale, sumVectors, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import type { KaneLink } from "./links.ts";

/** Partial velocities of one speed for every link outside of it: angular velocity w, and velocity v of the joint's own hinge point. */
export interface PartialMotion {
  readonly speed: number;
  readonly w: Vec3;
  readonly v: Vec3;
}

export interface LinkMotion {
  /** Rotation of the link. */
  readonly R: Mat3;
  /** Vector from the inner hinge point to that of the link, including the slide. */
  readonly d: Vec3;
  /** Vector from the inertial origin to the hinge point. Only potential energy and angular momentum use it. */
  readonly P: Vec3;
  readonly w: Vec3;
  readonly v: Vec3;
  /** ω̇ and v̇ for the given u̇; with u̇ = 0 the remainders α_k and a_k of [TR-942 2.3.9]. */
  readonly wdot: Vec3;
  readonly vdot: Vec3;
  readonly partials: readonly PartialMotion[];
}

/** Zero motion: of the inertial space, or of the common link of a loop. */
export const AT_REST: LinkMotion = {
  R: IDENTITY,
  d: ZERO3,
  P: ZERO3,
  w: ZERO3,
  v: ZERO3,
  wdot: ZERO3,
  vdot: ZERO3,
  partials: [],
};

/** Motion of every link. Velocities and accelerations depend only on differences d, not on the position of the base. */
export function motionOf(
  links: readonly KaneLink[],
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
): LinkMotion[] {
  const motions: LinkMotion[] = [];
  for (const link of links) motions.push(linkMotion(link, motions[link.inner] ?? AT_REST, q, u, udot));
  return motions;
}

/** Motion of one link. The report's two cases, sliding and turning, are partial velocities with w = 0 and with v = 0. */
export function linkMotion(
  { joint, q: firstCoordinate, u: firstSpeed, R_innerF, p_innerF, R_MB }: KaneLink,
  inner: LinkMotion,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
): LinkMotion {
  const R_F = compose(inner.R, R_innerF);
  const { R, p } = joint.pose(q.slice(firstCoordinate, firstCoordinate + joint.nq));
  const d = plus(apply(inner.R, p_innerF), apply(R_F, p));
  const partials = joint.partials.map(({ angular, linear }, i) => ({
    speed: firstSpeed + i,
    w: apply(R_F, angular),
    v: apply(R_F, linear),
  }));
  const hingeAngularVelocity = sumVectors(partials.map(({ speed, w }) => scale(u[speed]!, w)));
  const hingeVelocity = sumVectors(partials.map(({ speed, v }) => scale(u[speed]!, v)));
  return {
    R: compose(R_F, compose(R, R_MB)),
    d,
    P: plus(inner.P, d),
    w: plus(inner.w, hingeAngularVelocity), // [2.3.50, 2.3.54]
    v: sumVectors([inner.v, cross(inner.w, d), hingeVelocity]), // [2.3.48, 2.3.52]
    wdot: sumVectors([
      inner.wdot,
      cross(inner.w, hingeAngularVelocity),
      ...partials.map(({ speed, w }) => scale(udot[speed]!, w)),
    ]), // [2.3.51, 2.3.55]
    vdot: sumVectors([
      inner.vdot,
      cross(inner.wdot, d),
      cross(inner.w, plus(cross(inner.w, d), scale(2, hingeVelocity))),
      ...partials.map(({ speed, v }) => scale(udot[speed]!, v)),
    ]), // [2.3.49, 2.3.53]
    partials,
  };
}
