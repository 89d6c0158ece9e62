/**
 * Sequential coordinate partitioning [Yaskevich 2018; docking.md]: loops are cut, dependent speeds are eliminated loop by loop, and what
 * is left are equations of the true freedoms. It shares the tree equations (composite bodies, Newton-Euler) and the closures of the
 * loops with `articulated`, and nothing of how these are solved: no multipliers among the unknowns, no sparse LU.
 */
import { compile } from "../kernel/kernel.ts";
import { lazily } from "../kernel/lazily.ts";
import { offsetsOf } from "../kernel/program.ts";
import type { Model } from "../model/model.ts";
import { type DeriveOptions, type Equations, type Formulation, holdAt } from "./formulation.ts";
import { partitioned } from "./partition-loops.ts";
import { hingeWrenches, momentumAndEnergy } from "./programs.ts";

export const partition: Formulation = {
  name: "partition",
  derive(model: Model, options: DeriveOptions = {}): Equations {
    const target = options.target ?? "wasm";
    const wrenches = options.wrenches ?? [];
    const { nq, nu } = model;
    const loops = partitioned(model, { wrenches, target, ...(options.found && { found: options.found }) });
    const through = lazily(() => compile(hingeWrenches(model, { wrenches }), { target }));
    const totals = lazily(() => compile(momentumAndEnergy(model), { target }));
    const hold = holdAt(options.found);
    const udot = new Float64Array(nu);
    const lambda = new Float64Array(loops.rows.length);

    const accelerations: Equations["accelerations"] = (q, u, tau, w, out, t = 0) => loops.accelerations(t, q, u, tau, w, out);
    const total = (q: Float64Array, u: Float64Array): Float64Array => {
      const kernel = totals();
      kernel.x.set(q, 0);
      kernel.x.set(u, nq);
      kernel.evaluate();
      return kernel.y;
    };
    return {
      formulation: "partition",
      model,
      nw: 6 * wrenches.length,
      accelerations,
      reactions(q, u, tau, w, out, t = 0) {
        loops.accelerations(t, q, u, tau, w, udot);
        loops.multipliers(lambda);
        const kernel = through();
        const at = offsetsOf(kernel.inputs) as Readonly<Record<string, number>>;
        kernel.x.set(q, at.q);
        kernel.x.set(u, at.u);
        kernel.x.set(udot, at.udot);
        if (at.w !== undefined) kernel.x.set(w, at.w);
        if (at.lambda !== undefined) kernel.x.set(lambda, at.lambda);
        hold(kernel.x);
        kernel.evaluate();
        out.set(kernel.y);
      },
      loopForces(q, u, tau, w, out, t = 0) {
        loops.accelerations(t, q, u, tau, w, udot);
        loops.multipliers(out);
      },
      loopErrors: (q, u, out, t = 0) => loops.errors(t, q, u, out),
      loopRank: (q, t = 0) => loops.rankAt(t, q),
      energy(q, u, out) {
        const y = total(q, u);
        out[0] = y[6]!;
        out[1] = y[7]!;
      },
      momentum(q, u, out) {
        const y = total(q, u);
        for (let i = 0; i < 6; i++) out[i] = y[i]!;
      },
    };
  },
};
