/**
 * Angular velocities and reference accelerations, base to tip, each in its link's axes. The reference acceleration of a link is
 * its acceleration for u̇ = 0. Linear velocities cancel, so only angular ones appear.
 */
import { add, beginStep, mul, neg, type Scalar, square, sub } from "../../kernel/trace/scalar.ts";
import type { Inertia } from "../../spatial/inertia.ts";
import { type AxisIndex, Pose, type PoseTransformable } from "../../spatial/pose.ts";
import { apply, type Mat3, transpose } from "../../spatial/rotation.ts";
import { cross, negate, plus, scale, sumVectors, turnVector, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { Force } from "../../spatial/vectors.ts";
import { hingeSteps, type Link, rotationFL } from "./link.ts";
import { type LinkTree, linkFrameName } from "./link-tree.ts";

/** ω, α and classical acceleration of the origin. A shift adds the centripetal acceleration of the new origin. */
export class LinkRates implements PoseTransformable<LinkRates> {
  constructor(
    readonly omega: Vec3,
    readonly alpha: Vec3,
    readonly acceleration: Vec3,
  ) {}

  /** Ψ = α̃ + ω̃ ω̃: a point at r accelerates by Ψ r more than the origin. */
  get psi(): Mat3 {
    const [x, y, z] = this.omega;
    const [a, b, c] = this.alpha;
    const xy = mul(x, y);
    const xz = mul(x, z);
    const yz = mul(y, z);
    const [xx, yy, zz] = [square(x), square(y), square(z)];
    return [
      [neg(add(yy, zz)), sub(xy, c), add(xz, b)],
      [add(xy, c), neg(add(xx, zz)), sub(yz, a)],
      [sub(xz, b), add(yz, a), neg(add(xx, yy))],
    ];
  }

  turned(axis: AxisIndex, c: Scalar, s: Scalar): LinkRates {
    const t = (v: Vec3): Vec3 => turnVector(v, axis, c, s);
    return new LinkRates(t(this.omega), t(this.alpha), t(this.acceleration));
  }

  rotated(R: Mat3): LinkRates {
    return new LinkRates(apply(R, this.omega), apply(R, this.alpha), apply(R, this.acceleration));
  }

  /** Steps run inward here: -p leads from the outer to the inner origin. */
  shifted(p: Vec3): LinkRates {
    return new LinkRates(this.omega, this.alpha, plus(this.acceleration, apply(this.psi, negate(p))));
  }

  /** Rates behind a hinge that moves relative to this frame at rates (w, v) and accelerations (a, b); adds Coriolis terms. */
  withHinge({ w, v }: HingeRates, { w: a, v: b }: HingeRates): LinkRates {
    return new LinkRates(
      plus(this.omega, w),
      plus(plus(this.alpha, cross(this.omega, w)), a),
      plus(plus(this.acceleration, scale(2, cross(this.omega, v))), b),
    );
  }
}

/** Angular and linear rate of a hinge, in link axes. */
export interface HingeRates {
  readonly w: Vec3;
  readonly v: Vec3;
}

const ZERO_RATES: HingeRates = { w: ZERO3, v: ZERO3 };

/** Speeds of a link's own hinge in link axes. For a ball or free hinge u is in F axes and is rotated here. */
export function hingeRates(link: Link, q: readonly Scalar[], u: readonly Scalar[]): HingeRates {
  const x = u.slice(link.u, link.u + link.element.nu);
  const { screw } = link.element;
  if (screw) return { w: [0, 0, mul(screw.turn, x[0]!)], v: [0, 0, mul(screw.slide, x[0]!)] };
  if (link.element.small)
    return { w: sumVectors(link.element.partials.map(({ angular }, k) => scale(x[k]!, angular))), v: ZERO3 };
  const inward = transpose(rotationFL(link, q));
  return {
    w: apply(inward, x.slice(0, 3) as unknown as Vec3),
    v: x.length > 3 ? apply(inward, x.slice(3) as unknown as Vec3) : ZERO3,
  };
}

/** A link on a free hinge to the world falls freely: gravity is added only at the end, to its acceleration. */
export const fallsFreely = (link: Link): boolean => link.parent < 0 && link.element.nu === 6;

export interface MovingLink {
  readonly X: Pose;
  readonly rates: LinkRates;
}

/**
 * Poses and rates of all links; without `udot` the reference accelerations. Links on a free root hinge are described in a frame that
 * falls with gravity.
 */
export function motionOfLinks(
  tree: LinkTree,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot?: readonly Scalar[],
): MovingLink[] {
  const motions: MovingLink[] = [];
  for (const link of tree.links) motions.push(motionOfLink(tree, link, motions, q, u, udot));
  return motions;
}

/** Pose and rates of one link; those of its carrier must be in `moving`. */
export function motionOfLink(
  tree: LinkTree,
  link: Link,
  motions: readonly MovingLink[],
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot?: readonly Scalar[],
): MovingLink {
  beginStep(q);
  const steps = hingeSteps(link, q);
  const outer = linkFrameName(tree, link.parent);
  const toHinge = new Pose(outer, link.name, steps.toHinge);
  const alongAxis = new Pose(link.name, link.name, steps.alongAxis);
  const originAcceleration = fallsFreely(link) && !udot ? ZERO3 : negate(tree.gravity);
  const carrier = link.parent < 0 ? new LinkRates(ZERO3, ZERO3, originAcceleration) : motions[link.parent]!.rates;
  const rates = alongAxis.inward(
    toHinge.inward(carrier).withHinge(hingeRates(link, q, u), udot ? hingeRates(link, q, udot) : ZERO_RATES),
  );
  return { X: toHinge.times(alongAxis), rates };
}

/**
 * Force that a rigid body needs for its rates: f = m a + Ψ h, n = J α + ω × J ω + h × a. With P = ½ tr(J) 1 - J the first two
 * terms of n are n_x = P_xy Ψ_zx - P_xz Ψ_yx + P_yy Ψ_zy - P_zz Ψ_yz + P_yz (Ψ_zz - Ψ_yy), and cyclic.
 */
export function inertialForce(inertia: Inertia, rates: LinkRates): Force {
  const { J, h, mass } = inertia;
  const psi = rates.psi;
  const halfTrace = mul(0.5, add(add(J[0][0], J[1][1]), J[2][2]));
  const P = (i: AxisIndex): Scalar => sub(halfTrace, J[i][i]);
  const squares = rates.omega.map(square) as unknown as Vec3;
  const component = (i: AxisIndex): Scalar => {
    const j = ((i + 1) % 3) as AxisIndex;
    const k = ((i + 2) % 3) as AxisIndex;
    const offDiagonal = sub(mul(J[i][k], psi[j][i]), mul(J[i][j], psi[k][i])); // P_ij = -J_ij
    const diagonal = sub(mul(P(j), psi[k][j]), mul(P(k), psi[j][k]));
    return add(add(offDiagonal, diagonal), mul(J[j][k], sub(squares[j], squares[k]))); // Ψ_kk - Ψ_jj = ω_k² - ω_j²
  };
  const n: Vec3 = [component(0), component(1), component(2)];
  return new Force(inertia.frame, plus(n, cross(h, rates.acceleration)), plus(scale(mass, rates.acceleration), apply(psi, h)));
}
