/** Momentum, kinetic and potential energy, mass centre. */
import { add, beginStep, div, mul, neg, type Scalar, square } from "../../kernel/trace/scalar.ts";
import { Inertia } from "../../spatial/inertia.ts";
import { apply } from "../../spatial/rotation.ts";
import { cross, dot, plus, scale, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { type Force, Motion } from "../../spatial/vectors.ts";
import type { PlacedLink } from "./kinematics.ts";
import type { Link } from "./link.ts";
import { hingeRates } from "./link-motion.ts";
import { type LinkTree, linkPose } from "./link-tree.ts";

/** Velocities of all links, each in its own axes. */
export function linkVelocities(tree: LinkTree, q: readonly Scalar[], u: readonly Scalar[]): Motion[] {
  const V: Motion[] = [];
  for (const link of tree.links) V.push(linkVelocity(tree, link, V, q, u));
  return V;
}

/** Velocity of one link; that of its carrier must be in V. */
function linkVelocity(tree: LinkTree, link: Link, V: readonly Motion[], q: readonly Scalar[], u: readonly Scalar[]): Motion {
  beginStep(q);
  const X = linkPose(tree, link, q);
  const carrier = link.parent < 0 ? Motion.zero("world") : V[link.parent]!;
  const { w, v } = hingeRates(link, q, u);
  return X.inward(carrier)
    .withFrame(link.name)
    .plus(new Motion(link.name, w, v));
}

/** Momentum of each link in its own axes, and kinetic energy of all. */
export interface LinkMomenta {
  readonly h: readonly Force[];
  readonly kineticEnergy: Scalar;
}

/** h = I V of each link, and ½ Σ V · h and ½ J u² of the rotors. Both use a velocity as soon as it is computed, which saves registers. */
export function momentaOfLinks(tree: LinkTree, q: readonly Scalar[], u: readonly Scalar[]): LinkMomenta {
  const V: Motion[] = [];
  const h: Force[] = [];
  let twiceEnergy: Scalar = 0;
  for (const link of tree.links) {
    const velocity = linkVelocity(tree, link, V, q, u);
    const linkMomentum = link.inertia.times(velocity);
    V.push(velocity);
    h.push(linkMomentum);
    twiceEnergy = add(twiceEnergy, velocity.dot(linkMomentum));
    twiceEnergy = add(twiceEnergy, mul(link.element.armature ?? 0, square(u[link.u] ?? 0)));
  }
  return { h, kineticEnergy: mul(0.5, twiceEnergy) };
}

/** [angular about the world origin (3), linear (3)], world axes. */
export function momentum(
  tree: LinkTree,
  placements: readonly PlacedLink[],
  momenta: LinkMomenta,
  q: readonly Scalar[],
): Scalar[] {
  const h = [...momenta.h];
  let angular: Vec3 = ZERO3;
  let linear: Vec3 = ZERO3;
  for (let i = tree.links.length - 1; i >= 0; i--) {
    const link = tree.links[i]!;
    beginStep(q);
    if (link.parent >= 0) {
      const X = linkPose(tree, link, q);
      h[link.parent] = h[link.parent]!.plus(X.outward(h[i]!).withFrame(X.outer));
      continue;
    }
    const { R, offset } = placements[i]!;
    const force = apply(R, h[i]!.force);
    angular = plus(angular, plus(apply(R, h[i]!.torque), cross(offset, force)));
    linear = plus(linear, force);
  }
  return [...angular, ...linear];
}

/** Total mass and first moment about the world origin, world axes, including bodies welded to the world. */
export function firstMoment(tree: LinkTree, placements: readonly PlacedLink[]): { readonly mass: Scalar; readonly moment: Vec3 } {
  let fixedBodies = Inertia.zero("world");
  for (const body of tree.bodies) if (body.link < 0) fixedBodies = fixedBodies.plus(body.inertia);
  const mass = tree.links.map((link) => link.inertia.mass);
  const moment = tree.links.map((link, i) => {
    beginStep(placements[i]!.R[0]);
    return apply(placements[i]!.R, link.inertia.h);
  });
  let totalMass = fixedBodies.mass;
  let totalMoment: Vec3 = fixedBodies.h;
  for (let i = tree.links.length - 1; i >= 0; i--) {
    const p = tree.links[i]!.parent;
    beginStep(placements[i]!.R[0]);
    const momentAboutParent = plus(moment[i]!, scale(mass[i]!, placements[i]!.offset));
    if (p < 0) {
      totalMass = add(totalMass, mass[i]!);
      totalMoment = plus(totalMoment, momentAboutParent);
    } else {
      mass[p] = add(mass[p]!, mass[i]!);
      moment[p] = plus(moment[p]!, momentAboutParent);
    }
  }
  return { mass: totalMass, moment: totalMoment };
}

/** Potential of uniform gravity, zero at the world origin: -g · Σ m p. */
export const potentialEnergy = (tree: LinkTree, placements: readonly PlacedLink[]): Scalar =>
  neg(dot(tree.gravity, firstMoment(tree, placements).moment));

export function massCentre(tree: LinkTree, placements: readonly PlacedLink[]): Vec3 {
  const { mass, moment } = firstMoment(tree, placements);
  return mass === 0 ? ZERO3 : scale(div(1, mass), moment);
}
