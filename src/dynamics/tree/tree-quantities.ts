/** What `articulated` and `partition` compute in the same way, by recursions along the tree: wrenches in hinges, energy, momentum. */
import { compile } from "../../kernel/run/kernel.ts";
import { lazily } from "../../kernel/run/lazy.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import type { Model } from "../../model/model.ts";
import { type DeriveOptions, type Equations, holdAt } from "../formulation.ts";
import { hingeWrenches, momentumAndEnergy } from "../programs.ts";

export interface Recursions extends Pick<Equations, "energy" | "momentum"> {
  /** Wrenches through all hinges at given accelerations and multipliers: see Equations.reactions. */
  hingeWrenches(
    q: Float64Array,
    u: Float64Array,
    udot: Float64Array,
    w: Float64Array,
    lambda: Float64Array,
    out: Float64Array,
  ): void;
}

export function recursions(model: Model, options: DeriveOptions): Recursions {
  const { target = "wasm", wrenches = [] } = options;
  const through = lazily(() => compile(hingeWrenches(model, { wrenches }), { target }));
  const totals = lazily(() => compile(momentumAndEnergy(model), { target }));
  const hold = holdAt(options.found);
  const total = (q: Float64Array, u: Float64Array): Float64Array => {
    const kernel = totals();
    kernel.x.set(q, 0);
    kernel.x.set(u, model.nq);
    kernel.evaluate();
    return kernel.y;
  };
  return {
    hingeWrenches(q, u, udot, w, lambda, out) {
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
}
