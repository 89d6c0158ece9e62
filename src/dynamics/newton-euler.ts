/** Inverse dynamics [Featherstone 2008, ch. 5]: the generalised forces that accelerations need, at linear cost. */
import type { Scalar } from "../kernel/scalar.ts";
import type { Force } from "../spatial/vectors.ts";
import { columnsOf, toHingeAxes } from "./articulated-body.ts";
import type { Machine } from "./machine.ts";
import { inertialForce, moveLinks } from "./rates.ts";

/** tau = M u̇ + c(q, u) - gravity - external forces (per link, in link axes). With u̇ = 0 this is the bias force. */
export function inverseDynamics(
  machine: Machine,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
  external: readonly (Force | undefined)[],
): Scalar[] {
  const { links } = machine;
  const moving = moveLinks(machine, q, u, udot);
  const f = links.map((link, i) => {
    const needed = inertialForce(link.inertia, moving[i]!.rates);
    const given = external[i];
    return given ? needed.minus(given) : needed;
  });
  const tau = new Array<Scalar>(machine.nu).fill(0);
  for (let i = links.length - 1; i >= 0; i--) {
    const link = links[i]!;
    const own = columnsOf(link).map((S) => S.dot(f[i]!));
    for (const [k, value] of toHingeAxes(link, q, own).entries()) tau[link.u + k] = value;
    const { X } = moving[i]!;
    if (link.parent >= 0) f[link.parent] = f[link.parent]!.plus(X.outward(f[i]!).named(X.outer));
  }
  return tau;
}
