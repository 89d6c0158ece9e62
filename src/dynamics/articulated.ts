/**
 * The articulated-body formulation: O(n) recursion in link frames, compiled. For models with loops it uses the composite-body mass matrix
 * and multipliers in one sparse system instead.
 */

import { compile } from "../kernel/run/kernel.ts";
import type { Model } from "../model/model.ts";
import { refuseSaved, savedEntries } from "../saved-data.ts";
import { checkDerivation, withCheckedLengths } from "./checked-equations.ts";
import type { DeriveOptions, Equations, Formulation } from "./formulation.ts";
import { type ClosedLoops, closedLoops } from "./loops/multipliers/closed-loops.ts";
import { forwardDynamics } from "./programs.ts";
import { treeQuantities } from "./tree/tree-quantities.ts";

export interface ArticulatedOptions extends DeriveOptions {
  /** The compiled loops of the model, if the caller has them already. */
  readonly closedLoops?: ClosedLoops;
}

export const articulated: Formulation = {
  name: "articulated",
  derive: (model, options = {}) => {
    checkDerivation(model, options);
    return deriveArticulated(model, options);
  },
};

/** The equations, for callers that may have the compiled loops already. */
export function deriveArticulated(model: Model, options: ArticulatedOptions): Equations {
  const target = options.target ?? "wasm";
  const wrenches = options.wrenches ?? [];
  const { nq, nu } = model;
  const loops = model.loops.length > 0 ? (options.closedLoops ?? closedLoops(model, wrenches, options)) : undefined;
  const ownLoops = options.closedLoops ? undefined : loops;
  const lambda = new Float64Array(loops?.rows ?? 0);
  const tree = loops ? undefined : compile(forwardDynamics(model, { wrenches }), { target });
  const { hingeWrenches, energy, momentum } = treeQuantities(model, options);
  const udot = new Float64Array(nu);

  const accelerations: Equations["accelerations"] = (q, u, tau, w, out, t = 0) => {
    if (loops) loops.accelerations(t, q, u, tau, w, out, lambda);
    if (!tree) return;
    const { x } = tree;
    x.set(q, 0);
    x.set(u, nq);
    x.set(tau, nq + nu);
    x.set(w, nq + 2 * nu);
    tree.evaluate();
    out.set(tree.y);
  };
  return withCheckedLengths({
    formulation: "articulated",
    model,
    nw: 6 * wrenches.length,
    accelerations,
    reactions(q, u, tau, w, out, t = 0) {
      accelerations(q, u, tau, w, udot, t);
      hingeWrenches(q, u, udot, w, lambda, out);
    },
    loopForces(q, u, tau, w, out, t = 0) {
      accelerations(q, u, tau, w, udot, t);
      out.set(lambda);
    },
    loopErrors(q, u, out, t = 0) {
      loops?.residual(t, q, u, out.subarray(0, loops.rows), out.subarray(loops.rows));
    },
    save: () => ({ loops: ownLoops?.save() ?? null }),
    restore(saved) {
      const { loops: savedLoops } = savedEntries(saved, ["loops"], "equations");
      if (ownLoops) ownLoops.restore(savedLoops, "equations.loops");
      else if (savedLoops !== null) refuseSaved("equations.loops", "must be null", savedLoops);
    },
    energy,
    momentum,
  });
}
