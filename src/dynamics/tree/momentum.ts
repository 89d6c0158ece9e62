/** Momentum, kinetic and potential energy, mass centre. */
import { add, div, mul, neg, type Scalar, square } from "../../kernel/trace/scalar.ts";
import { Inertia } from "../../spatial/inertia.ts";
import { apply } from "../../spatial/rotation.ts";
import { cross, dot, plus, scale, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { Motion } from "../../spatial/vectors.ts";
import type { PlacedLink } from "./kinematics.ts";
import { hingeRates } from "./link-motion.ts";
import { type LinkTree, linkPose } from "./link-tree.ts";

/** Velocities of all links, each in its own axes. */
export function linkVelocities(tree: LinkTree, q: readonly Scalar[], u: readonly Scalar[]): Motion[] {
  const V: Motion[] = [];
  for (const link of tree.links) {
    const X = linkPose(tree, link, q);
    const carrier = link.parent < 0 ? Motion.zero("world") : V[link.parent]!;
    const { w, v } = hingeRates(link, q, u);
    V.push(
      X.inward(carrier)
        .withFrame(link.name)
        .plus(new Motion(link.name, w, v)),
    );
  }
  return V;
}

/** [angular about the world origin (3), linear (3)], world axes. */
export function momentum(
  tree: LinkTree,
  placements: readonly PlacedLink[],
  q: readonly Scalar[],
  u: readonly Scalar[],
): Scalar[] {
  const V = linkVelocities(tree, q, u);
  const h = tree.links.map((link, i) => link.inertia.times(V[i]!));
  let angular: Vec3 = ZERO3;
  let linear: Vec3 = ZERO3;
  for (let i = tree.links.length - 1; i >= 0; i--) {
    const link = tree.links[i]!;
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

/** ½ Σ V · I V, and ½ J u² of the rotors */
export function kineticEnergy(tree: LinkTree, q: readonly Scalar[], u: readonly Scalar[]): Scalar {
  const V = linkVelocities(tree, q, u);
  let twiceEnergy: Scalar = 0;
  for (const [i, link] of tree.links.entries()) {
    twiceEnergy = add(twiceEnergy, V[i]!.dot(link.inertia.times(V[i]!)));
    twiceEnergy = add(twiceEnergy, mul(link.element.armature ?? 0, square(u[link.u] ?? 0)));
  }
  return mul(0.5, twiceEnergy);
}

/** Total mass and first moment about the world origin, world axes, including bodies welded to the world. */
export function firstMoment(tree: LinkTree, placements: readonly PlacedLink[]): { readonly mass: Scalar; readonly moment: Vec3 } {
  let fixedBodies = Inertia.zero("world");
  for (const body of tree.bodies) if (body.link < 0) fixedBodies = fixedBodies.plus(body.inertia);
  const mass = tree.links.map((link) => link.inertia.mass);
  const moment = tree.links.map((link, i) => apply(placements[i]!.R, link.inertia.h));
  let totalMass = fixedBodies.mass;
  let totalMoment: Vec3 = fixedBodies.h;
  for (let i = tree.links.length - 1; i >= 0; i--) {
    const p = tree.links[i]!.parent;
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
