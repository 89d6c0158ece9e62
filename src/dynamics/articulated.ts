/** The articulated-body formulation: O(n) recursion in link frames, compiled. */
import { compile } from "../kernel/kernel.ts";
import type { Model } from "../model/model.ts";
import type { DeriveOptions, Equations, Formulation } from "./formulation.ts";
import { forwardDynamics, hingeWrenches, momentumAndEnergy } from "./programs.ts";

export const articulated: Formulation = {
  name: "articulated",
  derive(model: Model, options: DeriveOptions = {}): Equations {
    const target = options.target ?? "wasm";
    const wrenches = options.wrenches ?? [];
    const forward = compile(forwardDynamics(model, { wrenches }), { target });
    const through = lazily(() => compile(hingeWrenches(model, { wrenches }), { target }));
    const totals = lazily(() => compile(momentumAndEnergy(model), { target }));
    const { nq, nu } = model;
    const nw = 6 * wrenches.length;
    const udot = new Float64Array(nu);

    const accelerations: Equations["accelerations"] = (q, u, tau, w, out) => {
      const { x } = forward;
      x.set(q, 0);
      x.set(u, nq);
      x.set(tau, nq + nu);
      x.set(w, nq + 2 * nu);
      forward.evaluate();
      out.set(forward.y);
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
      reactions(q, u, tau, w, out) {
        accelerations(q, u, tau, w, udot);
        const kernel = through();
        kernel.x.set(q, 0);
        kernel.x.set(u, nq);
        kernel.x.set(udot, nq + nu);
        kernel.x.set(w, nq + 2 * nu);
        kernel.evaluate();
        out.set(kernel.y);
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

/** Computed when first asked for: most users of accelerations never want reactions. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
