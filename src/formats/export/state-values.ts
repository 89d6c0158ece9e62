/** Named states as arrays of coordinates and speeds. */
import { homeOf, type Model } from "../../model/model.ts";
import type { NamedState } from "../robot/imported-model.ts";
import type { ExportedRobot } from "./exported-robot.ts";

export interface StateValues {
  readonly q: Float64Array;
  readonly u: Float64Array;
}

/** States by name; hinges that are not named are at home and at rest. A start at home and at rest is left out. */
export function stateValues({ model, states = {} }: ExportedRobot): ReadonlyMap<string, StateValues> {
  const home = homeOf(model);
  const values = Object.entries(states).map(([name, state]) => [name, valuesOf(state, model)] as const);
  return new Map(
    values.filter(([name, { q, u }]) => name !== "start" || q.some((value, i) => value !== home[i]) || u.some((v) => v !== 0)),
  );
}

function valuesOf(state: NamedState, model: Model): StateValues {
  const values = { q: homeOf(model), u: new Float64Array(model.nu) };
  for (const { hinge } of model.bodies)
    for (const key of ["q", "u"] as const) {
      const given = state[key]?.[hinge.name];
      if (given !== undefined) values[key].set([given].flat().slice(0, key === "q" ? hinge.nq : hinge.nu), hinge[key]);
    }
  return values;
}
