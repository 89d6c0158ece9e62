/** Wrenches through every hinge, from accelerations: the force of each parent that produces the motion of all bodies outside. */
import { beginStep, type Scalar } from "../../kernel/trace/scalar.ts";
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
  tree: LinkTree,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
  /** External force on each body, in the axes and about the origin of its link. */
  external: readonly (Force | undefined)[],
): Scalar[] {
  const motions = motionOfLinks(tree, q, u, udot);
  const placements = placementsOfLinks(tree, q);
  const restRates = new LinkRates(ZERO3, ZERO3, negate(tree.gravity));
  const forces = tree.bodies.map(({ link, inertia }, b) => {
    beginStep(q);
    const force = inertialForce(inertia, link < 0 ? restRates : motions[link]!.rates);
    const externalForce = external[b];
    return externalForce ? force.minus(externalForce) : force;
  });
  for (let b = model.bodies.length - 1; b >= 0; b--) {
    const parent = model.bodies[b]!.parent;
    if (parent < 0) continue;
    beginStep(q);
    const parentLink = tree.bodies[parent]!.link;
    let moved = forces[b]!;
    for (let i = tree.bodies[b]!.link; i !== parentLink; i = tree.links[i]!.parent) {
      const X = linkPose(tree, tree.links[i]!, q);
      moved = X.outward(moved).withFrame(X.outer);
    }
    forces[parent] = forces[parent]!.plus(moved);
  }
  return model.bodies.flatMap(({ hinge }, b) => {
    beginStep(q);
    const { link, placement } = tree.bodies[b]!;
    const { torque, force } = forces[b]!;
    const M = plus(placement.p, apply(placement.R, hinge.onBody.p));
    const atM = minus(torque, cross(M, force));
    if (link < 0) return [...atM, ...force];
    const { R } = placements[link]!;
    return [...apply(R, atM), ...apply(R, force)];
  });
}
