/** Static equilibrium of a model under forces. */
import { DivergenceError, SingularError } from "../errors.ts";
import { coordinateNames, homeOf, type Model } from "../model/model.ts";
import type { ForceElement } from "../sim/system/force-element.ts";
import { checkAnalysis } from "./check-analysis.ts";
import { dependentChanges, EquilibriumSearch } from "./equilibrium-search.ts";
import { type Linearisation, type LineariseOptions, lineariser } from "./linearise.ts";
import type { StaticState } from "./static-equations.ts";

export interface Equilibrium {
  readonly q: Float64Array;
  readonly iterations: number;
  /** Linearisation about the equilibrium. */
  readonly linear: Linearisation;
}

/**
 * Equilibrium near a position under the forces of the model and its elements, with exact derivatives.
 * @throws DivergenceError if there is none nearby, SingularError if the machine is free to move away.
 */
export function equilibriumOf(
  model: Model,
  forces: readonly ForceElement[] = [],
  options: Omit<LineariseOptions, "u"> = {},
): Equilibrium {
  checkAnalysis(model, forces, options, ["q", "t", "locked"]);
  return equilibriumNear(model, forces, options);
}

/** The same without checks of arguments. */
export function equilibriumNear(
  model: Model,
  forces: readonly ForceElement[],
  { q: start = homeOf(model), t = 0, locked = [] }: Omit<LineariseOptions, "u">,
): Equilibrium {
  const { statics, at } = lineariser(model, forces, locked);
  const search = new EquilibriumSearch(model, statics, t);
  const found = search.newton(start) ?? search.downhill(start);
  const linear = at(found ?? search.last.q, new Float64Array(model.nu), t);
  if (found) return { q: linear.q, iterations: search.iterations, linear };
  const unheld = unheldFreedoms(model, search.last);
  const leftOut = linear.leftOut.length > 0 ? `. Left out, because their laws are numeric: ${linear.leftOut.join(", ")}` : "";
  if (unheld.length > 0)
    throw new SingularError(`${model.name} is free to move away: nothing holds ${listed(unheld)}${leftOut}. Lock these freedoms`);
  throw new DivergenceError(
    `${model.name} has no equilibrium near this position${leftOut}. Start nearer to one, or lock freedoms that nothing holds`,
  );
}

const listed = (names: readonly string[]): string =>
  names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more freedoms` : names.join(", ");

/** Names of freedoms that nothing holds: for each dependent change the one that moves most. */
function unheldFreedoms(model: Model, state: StaticState): readonly string[] {
  const names = coordinateNames(model).u;
  const moving = dependentChanges(state).map((j) => {
    const column = Array.from({ length: model.nu }, (_, i) => Math.abs(state.basis[i * state.m + j]!));
    return column.indexOf(Math.max(...column));
  });
  return [...new Set(moving)].sort((a, b) => a - b).map((i) => names[i]!);
}
