/** Inverse dynamics [Featherstone 2008, ch. 5]: the generalised forces of given accelerations, at linear cost. */
import { add, beginStep, mul, type Scalar } from "../../kernel/trace/scalar.ts";
import type { Force } from "../../spatial/vectors.ts";
import { hingeColumns, toHingeAxes } from "./articulated-body.ts";
import { inertialForce, type MovingLink, motionOfLink } from "./link-motion.ts";
import { depthFirstOrder } from "./link-order.ts";
import type { LinkTree } from "./link-tree.ts";

/** tau = M u̇ + c(q, u) - gravity - external forces (per link, in link axes). With u̇ = 0 this is the bias force. */
export function inverseDynamics(
  tree: LinkTree,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
  external: readonly (Force | undefined)[],
): Scalar[] {
  const tau = inverseDynamicsInLinkAxes(tree, q, u, udot, external);
  for (const link of tree.links) {
    const linkForces = tau.slice(link.u, link.u + link.element.nu);
    for (const [k, value] of toHingeAxes(link, q, linkForces).entries()) tau[link.u + k] = value;
  }
  return tau;
}

/** The same with the forces of ball and free hinges in the axes of their links. */
export function inverseDynamicsInLinkAxes(
  tree: LinkTree,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
  external: readonly (Force | undefined)[],
): Scalar[] {
  const { links } = tree;
  const motions: MovingLink[] = [];
  const f: Force[] = [];
  const tau = new Array<Scalar>(tree.nu).fill(0);
  const down = (i: number): void => {
    motions[i] = motionOfLink(tree, links[i]!, motions, q, u, udot);
    const inertial = inertialForce(links[i]!.inertia, motions[i]!.rates);
    const externalForce = external[i];
    f[i] = externalForce ? inertial.minus(externalForce) : inertial;
  };
  const up = (i: number): void => {
    const link = links[i]!;
    beginStep(q);
    for (const [d, S] of hingeColumns(link).entries())
      tau[link.u + d] = add(S.dot(f[i]!), mul(link.element.armature ?? 0, udot[link.u + d]!));
    const { X } = motions[i]!;
    if (link.parent >= 0) f[link.parent] = f[link.parent]!.plus(X.outward(f[i]!).withFrame(X.outer));
  };
  for (const { link, direction } of depthFirstOrder(links, "last")) (direction === "down" ? down : up)(link);
  return tau;
}
