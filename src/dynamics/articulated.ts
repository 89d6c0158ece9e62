/**
 * The articulated-body formulation: O(n) recursion in link frames, compiled. For models with loops it uses the composite-body mass matrix
 * and multipliers in one sparse system instead.
 */

import type { Model } from "../model/model.ts";
import { articulatedEquations } from "./articulated-equations.ts";
import { checkDerivation } from "./checked-equations.ts";
import type { DeriveOptions, Equations, Formulation } from "./formulation.ts";
import { type ClosedLoops, closedLoops } from "./loops/multipliers/closed-loops.ts";

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
  const ownLoops =
    model.loops.length > 0 && !options.closedLoops ? closedLoops(model, options.wrenches ?? [], options) : undefined;
  return articulatedEquations(model, options, options.closedLoops ?? ownLoops, ownLoops);
}
