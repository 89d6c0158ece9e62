/**
 * The articulated-body formulation: O(n) recursion in link frames, compiled. Machines with loops take the composite-body mass matrix and
 * multipliers in one sparse system instead.
 */
import { compile } from "../kernel/kernel.ts";
import { lazily } from "../kernel/lazily.ts";
import { offsetsOf } from "../kernel/program.ts";
import type { Model } from "../model/model.ts";
import { closedLoops } from "./closed-loops.ts";
import { type DeriveOptions, type Equations, type Formulation, holdAt } from "./formulation.ts";
import { forwardDynamics, hingeWrenches, momentumAndEnergy } from "./programs.ts";

export const articulated: Formulation = {
  name: "articulated",
  derive(model: Model, options: DeriveOptions = {}): Equations {
    const target = options.target ?? "wasm";
    const wrenches = options.wrenches ?? [];
    const { nq, nu } = model;
    const nw = 6 * wrenches.length;
    const closed = model.loops.length > 0 ? closedLoops(model, wrenches, options) : undefined;
    const lambda = new Float64Array(closed?.rows ?? 0);
    const tree = closed ? undefined : compile(forwardDynamics(model, { wrenches }), { target });
    const through = lazily(() => compile(hingeWrenches(model, { wrenches }), { target }));
    const totals = lazily(() => compile(momentumAndEnergy(model), { target }));
    const hold = holdAt(options.found);
    const udot = new Float64Array(nu);

    const accelerations: Equations["accelerations"] = (q, u, tau, w, out, t = 0) => {
      if (closed) closed.accelerations(t, q, u, tau, w, out, lambda);
      if (!tree) return;
      const { x } = tree;
      x.set(q, 0);
      x.set(u, nq);
      x.set(tau, nq + nu);
      x.set(w, nq + 2 * nu);
      tree.evaluate();
      out.set(tree.y);
    };
    const total = (q: Float64Array, u: Float64Array): Float64Array => {
      const kernel = totals();
      kernel.x.set(q, 0);
      kernel.x.set(u, nq);
      kernel.evaluate();
      return kernel.y;
    };
    return {
      formulation: "articulated",
      model,
      nw,
      accelerations,
      reactions(q, u, tau, w, out, t = 0) {
        accelerations(q, u, tau, w, udot, t);
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
        accelerations(q, u, tau, w, udot, t);
        out.set(lambda);
      },
      loopErrors(q, u, out, t = 0) {
        closed?.residual(t, q, u, out.subarray(0, closed.rows), out.subarray(closed.rows));
      },
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
