/** Inverse dynamics [Featherstone 2008, ch. 5]: the generalised forces of given accelerations, at linear cost. */
import { add, mul, type Scalar } from "../../kernel/trace/scalar.ts";
import type { Force } from "../../spatial/vectors.ts";
import { hingeColumns, toHingeAxes } from "./articulated-body.ts";
import { inertialForce, motionOfLinks } from "./link-motion.ts";
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
  const motions = motionOfLinks(tree, q, u, udot);
  const f = links.map((link, i) => {
    const inertial = inertialForce(link.inertia, motions[i]!.rates);
    const externalForce = external[i];
    return externalForce ? inertial.minus(externalForce) : inertial;
  });
  const tau = new Array<Scalar>(tree.nu).fill(0);
  for (let i = links.length - 1; i >= 0; i--) {
    const link = links[i]!;
    for (const [d, S] of hingeColumns(link).entries())
      tau[link.u + d] = add(S.dot(f[i]!), mul(link.element.armature ?? 0, udot[link.u + d]!));
    const { X } = motions[i]!;
    if (link.parent >= 0) f[link.parent] = f[link.parent]!.plus(X.outward(f[i]!).withFrame(X.outer));
  }
  return tau;
}
