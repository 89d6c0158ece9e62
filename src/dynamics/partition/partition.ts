/**
 * Sequential coordinate partitioning [Yaskevich 2018; docking study]: loops are cut, dependent speeds are eliminated loop by loop, and the
 * equations of the true freedoms remain. It shares the tree equations (composite bodies, Newton-Euler) and the closures of the
 * loops with `articulated`, but not their solution: it has no multipliers among the unknowns, and no sparse LU.
 */

import type { Model } from "../../model/model.ts";
import { checkDerivation, withCheckedLengths } from "../checked-equations.ts";
import type { DeriveOptions, Equations, Formulation } from "../formulation.ts";
import { treeQuantities } from "../tree/tree-quantities.ts";
import { partitionedLoops } from "./partitioned-loops.ts";

export const partition: Formulation = {
  name: "partition",
  derive(model: Model, options: DeriveOptions = {}): Equations {
    checkDerivation(model, options);
    const target = options.target ?? "wasm";
    const wrenches = options.wrenches ?? [];
    const { engagedParameters, switchGrowth } = options;
    const loops = partitionedLoops(model, {
      wrenches,
      target,
      ...(engagedParameters && { engagedParameters }),
      ...(switchGrowth && { switchGrowth }),
    });
    const { hingeWrenches, energy, momentum } = treeQuantities(model, options);
    const udot = new Float64Array(model.nu);
    const lambda = new Float64Array(loops.rows.length);
    return withCheckedLengths({
      formulation: "partition",
      model,
      nw: 6 * wrenches.length,
      accelerations: (q, u, tau, w, out, t = 0) => loops.accelerations(t, q, u, tau, w, out),
      reactions(q, u, tau, w, out, t = 0) {
        loops.accelerations(t, q, u, tau, w, udot);
        loops.multipliers(lambda);
        hingeWrenches(q, u, udot, w, lambda, out);
      },
      loopForces(q, u, tau, w, out, t = 0) {
        loops.accelerations(t, q, u, tau, w, udot);
        loops.multipliers(out);
      },
      loopErrors: (q, u, out, t = 0) => loops.loopErrors(t, q, u, out),
      loopRank: (q, t = 0) => loops.rankAt(t, q),
      save: () => loops.save(),
      restore: (saved) => loops.restore(saved, "equations"),
      energy,
      momentum,
    });
  },
};
