/** The start of a scenario in mass-centre coordinates. */

import { ModelError, type Problem } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";
import { type Layout, layoutOf } from "../../sim/system/layout.ts";
import type { Coordinates } from "../../sim/system/mass-centre/free-floating.ts";
import { recentre } from "../../sim/system/mass-centre/recentre.ts";
import type { MassCentreState } from "../../sim/system/start-state.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { Scenario } from "../scenario.ts";

/** The layout of the scenario in its coordinates, or that of the world after a problem. */
export function layoutIn(coordinates: Coordinates, model: Model, forces: readonly ForceElement[], problems: Problem[]): Layout {
  try {
    return layoutOf(model, forces, coordinates);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    problems.push(...error.problems);
    return layoutOf(model, forces);
  }
}

/** The given start in the coordinates of the layout. */
export function startIn(
  layout: Layout,
  coordinates: Coordinates,
  { massCentre, ...start }: Pick<Scenario, "q" | "u" | "rest"> & { readonly massCentre: MassCentreState | undefined },
  problems: Problem[],
): Pick<Scenario, "q" | "u" | "massCentre"> {
  const { q, u } = start;
  if (massCentre !== undefined && coordinates === "world")
    problems.push({
      path: "state.massCentre",
      message: "has no effect in coordinates of the world",
      advice: "Give coordinates: mass-centre, or leave it out and give positions in q",
    });
  if (start.rest && coordinates === "mass-centre")
    problems.push({
      path: "state.rest",
      message: "a machine that falls about the Earth has no rest position",
      advice: "Leave out rest, or use coordinates: world",
    });
  const { nq, nu, origin } = layout;
  if (origin === undefined) return { q, u };
  const y = new Float64Array(layout.ny);
  y.set(q);
  y.set(u, nq);
  recentre(layout, y);
  const vector = (first: number): Vec3<number> => [y[first]!, y[first + 1]!, y[first + 2]!];
  const computed = { position: vector(origin), velocity: vector(origin + 3) };
  return {
    q: y.slice(0, nq),
    u: y.slice(nq, nq + nu),
    massCentre: { ...(massCentre ?? computed), isGiven: massCentre !== undefined },
  };
}
