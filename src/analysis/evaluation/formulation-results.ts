/** Results of one formulation at one state. */
import type { FormulationName } from "../../dynamics/formulation.ts";
import { FORMULATIONS } from "../../dynamics/formulations.ts";
import { totalRowCount } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";

export interface FormulationResults {
  readonly accelerations: Float64Array;
  /** Hinge reaction per body: torque (3), force (3). */
  readonly reactions: Float64Array;
  /** Kinetic, potential of gravity. */
  readonly energy: Float64Array;
  /** Angular about the world origin (3), linear (3). */
  readonly momentum: Float64Array;
  /** Lagrange multiplier of each equation of each loop. */
  readonly loopForces: Float64Array;
}

export function formulationResults(
  name: FormulationName,
  model: Model,
  q: Float64Array,
  u: Float64Array,
  tau: Float64Array,
  wrenches: readonly string[],
  w: Float64Array,
): FormulationResults {
  const equations = FORMULATIONS[name].derive(model, { wrenches });
  const results = {
    accelerations: new Float64Array(model.nu),
    reactions: new Float64Array(6 * model.bodies.length),
    energy: new Float64Array(2),
    momentum: new Float64Array(6),
    loopForces: new Float64Array(totalRowCount(model.loops)),
  };
  equations.accelerations(q, u, tau, w, results.accelerations);
  equations.reactions(q, u, tau, w, results.reactions);
  equations.loopForces(q, u, tau, w, results.loopForces);
  equations.energy(q, u, results.energy);
  equations.momentum(q, u, results.momentum);
  return results;
}
