/** The equations of the articulated-body formulation. The compiled loops are a value, so that a page without loops does not contain their code. */

import { compile } from "../kernel/run/kernel.ts";
import type { Model } from "../model/model.ts";
import { refuseSaved, savedEntries } from "../saved-data.ts";
import { withCheckedLengths } from "./checked-equations.ts";
import type { DeriveOptions, Equations } from "./formulation.ts";
import type { ClosedLoops } from "./loops/multipliers/closed-loops.ts";
import { forwardDynamics } from "./programs.ts";
import { treeQuantities } from "./tree/tree-quantities.ts";

/** @param loops the compiled loops, if the model has any @param ownLoops the same, if nobody else saves them */
export function articulatedEquations(
  model: Model,
  options: DeriveOptions,
  loops: ClosedLoops | undefined,
  ownLoops: ClosedLoops | undefined,
): Equations {
  const target = options.target ?? "wasm";
  const wrenches = options.wrenches ?? [];
  const { nq, nu } = model;
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
