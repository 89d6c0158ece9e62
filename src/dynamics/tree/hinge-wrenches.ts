/** Wrenches through every hinge, from accelerations: the force of each parent that produces the motion of all bodies outside. */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Model } from "../../model/model.ts";
import { apply } from "../../spatial/rotation.ts";
import { cross, minus, negate, plus, ZERO3 } from "../../spatial/vec3.ts";
import type { Force } from "../../spatial/vectors.ts";
import { placementsOfLinks } from "./kinematics.ts";
import { inertialForce, LinkRates, motionOfLinks } from "./link-motion.ts";
import { type LinkTree, linkPose } from "./link-tree.ts";

/** For each body torque (3) at M's origin, then force (3), by the parent on the body, world axes. The link tree must not be regrouped. */
export function hingeWrenches(
  model: Model<Scalar>,
  machine: LinkTree,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
  /** External force on each body, in the axes and about the origin of its link. */
  external: readonly (Force | undefined)[],
): Scalar[] {
  const moving = motionOfLinks(machine, q, u, udot);
  const placed = placementsOfLinks(machine, q);
  const resting = new LinkRates(ZERO3, ZERO3, negate(machine.gravity));
  const needed = machine.bodies.map(({ link, inertia }, b) => {
    const force = inertialForce(inertia, link < 0 ? resting : moving[link]!.rates);
    const given = external[b];
    return given ? force.minus(given) : force;
  });
  for (let b = model.bodies.length - 1; b >= 0; b--) {
    const parent = model.bodies[b]!.parent;
    if (parent < 0) continue;
    const target = machine.bodies[parent]!.link;
    let carried = needed[b]!;
    for (let i = machine.bodies[b]!.link; i !== target; i = machine.links[i]!.parent) {
      const X = linkPose(machine, machine.links[i]!, q);
      carried = X.outward(carried).withFrame(X.outer);
    }
    needed[parent] = needed[parent]!.plus(carried);
  }
  return model.bodies.flatMap(({ hinge }, b) => {
    const { link, placement } = machine.bodies[b]!;
    const { torque, force } = needed[b]!;
    const M = plus(placement.p, apply(placement.R, hinge.onBody.p));
    const atM = minus(torque, cross(M, force));
    if (link < 0) return [...atM, ...force];
    const { R } = placed[link]!;
    return [...apply(R, atM), ...apply(R, force)];
  });
}
