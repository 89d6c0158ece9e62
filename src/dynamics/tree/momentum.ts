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
export function linkVelocities(machine: LinkTree, q: readonly Scalar[], u: readonly Scalar[]): Motion[] {
  const V: Motion[] = [];
  for (const link of machine.links) {
    const X = linkPose(machine, link, q);
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
export function momentum(machine: LinkTree, placed: readonly PlacedLink[], q: readonly Scalar[], u: readonly Scalar[]): Scalar[] {
  const V = linkVelocities(machine, q, u);
  const h = machine.links.map((link, i) => link.inertia.times(V[i]!));
  let angular: Vec3 = ZERO3;
  let linear: Vec3 = ZERO3;
  for (let i = machine.links.length - 1; i >= 0; i--) {
    const link = machine.links[i]!;
    if (link.parent >= 0) {
      const X = linkPose(machine, link, q);
      h[link.parent] = h[link.parent]!.plus(X.outward(h[i]!).withFrame(X.outer));
      continue;
    }
    const { R, offset } = placed[i]!;
    const force = apply(R, h[i]!.force);
    angular = plus(angular, plus(apply(R, h[i]!.torque), cross(offset, force)));
    linear = plus(linear, force);
  }
  return [...angular, ...linear];
}

/** ½ Σ V · I V, and ½ J u² of the rotors */
export function kineticEnergy(machine: LinkTree, q: readonly Scalar[], u: readonly Scalar[]): Scalar {
  const V = linkVelocities(machine, q, u);
  let twice: Scalar = 0;
  for (const [i, link] of machine.links.entries()) {
    twice = add(twice, V[i]!.dot(link.inertia.times(V[i]!)));
    twice = add(twice, mul(link.element.armature ?? 0, square(u[link.u] ?? 0)));
  }
  return mul(0.5, twice);
}

/** Total mass and first moment about the world origin, world axes, including bodies welded to the world. */
export function firstMoment(machine: LinkTree, placed: readonly PlacedLink[]): { readonly mass: Scalar; readonly moment: Vec3 } {
  let ground = Inertia.zero("world");
  for (const body of machine.bodies) if (body.link < 0) ground = ground.plus(body.inertia);
  const mass = machine.links.map((link) => link.inertia.mass);
  const moment = machine.links.map((link, i) => apply(placed[i]!.R, link.inertia.h));
  let totalMass = ground.mass;
  let total: Vec3 = ground.h;
  for (let i = machine.links.length - 1; i >= 0; i--) {
    const p = machine.links[i]!.parent;
    const about = plus(moment[i]!, scale(mass[i]!, placed[i]!.offset));
    if (p < 0) {
      totalMass = add(totalMass, mass[i]!);
      total = plus(total, about);
    } else {
      mass[p] = add(mass[p]!, mass[i]!);
      moment[p] = plus(moment[p]!, about);
    }
  }
  return { mass: totalMass, moment: total };
}

/** Potential of uniform gravity, zero at the world origin: -g · Σ m p. */
export const potentialEnergy = (machine: LinkTree, placed: readonly PlacedLink[]): Scalar =>
  neg(dot(machine.gravity, firstMoment(machine, placed).moment));

export function massCentre(machine: LinkTree, placed: readonly PlacedLink[]): Vec3 {
  const { mass, moment } = firstMoment(machine, placed);
  return mass === 0 ? ZERO3 : scale(div(1, mass), moment);
}
