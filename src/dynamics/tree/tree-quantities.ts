/** Quantities that `articulated` and `partition` both compute by recursions along the tree: wrenches in hinges, energy, momentum. */
import { compile } from "../../kernel/run/kernel.ts";
import { lazy } from "../../kernel/run/lazy.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import type { Model } from "../../model/model.ts";
import { type DeriveOptions, type Equations, engagedParameterWriter } from "../formulation.ts";
import { hingeWrenches, momentumAndEnergy } from "../programs.ts";

export interface TreeQuantities extends Pick<Equations, "energy" | "momentum"> {
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

export function treeQuantities(model: Model, options: DeriveOptions): TreeQuantities {
  const { target = "wasm", wrenches = [] } = options;
  const hingeWrenchKernel = lazy(() => compile(hingeWrenches(model, { wrenches }), { target }));
  const integralsKernel = lazy(() => compile(momentumAndEnergy(model), { target }));
  const writeEngagedParameters = engagedParameterWriter(options.engagedParameters);
  const integralsAt = (q: Float64Array, u: Float64Array): Float64Array => {
    const kernel = integralsKernel();
    kernel.x.set(q, 0);
    kernel.x.set(u, model.nq);
    kernel.evaluate();
    return kernel.y;
  };
  return {
    hingeWrenches(q, u, udot, w, lambda, out) {
      const kernel = hingeWrenchKernel();
      const offsets = offsetsOf(kernel.inputs) as Readonly<Record<string, number>>;
      kernel.x.set(q, offsets.q);
      kernel.x.set(u, offsets.u);
      kernel.x.set(udot, offsets.udot);
      if (offsets.w !== undefined) kernel.x.set(w, offsets.w);
      if (offsets.lambda !== undefined) kernel.x.set(lambda, offsets.lambda);
      writeEngagedParameters(kernel.x);
      kernel.evaluate();
      out.set(kernel.y);
    },
    energy(q, u, out) {
      const y = integralsAt(q, u);
      out[0] = y[6]!;
      out[1] = y[7]!;
    },
    momentum(q, u, out) {
      const y = integralsAt(q, u);
      for (let i = 0; i < 6; i++) out[i] = y[i]!;
    },
  };
}
