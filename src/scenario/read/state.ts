/** The initial state of a scenario. */

import type { Parameter } from "../../declare/parameters.ts";
import { childPath, readFields } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import { readValuesByHinge, STATE_FILE } from "../../formats/state-file.ts";
import type { Terrain } from "../../ground/terrain.ts";
import { type Hinge, homeOf } from "../../model/model.ts";
import type { Scenario } from "../scenario.ts";
import type { EquippedModel } from "./devices.ts";
import { standOnGround } from "./stand-on-ground.ts";

export const STATE = {
  type: "object",
  optional: true,
  about: "Initial state. A hinge that is not named is at home and at rest.",
  of: {
    q: { ...STATE_FILE.q, about: `Initial ${STATE_FILE.q.about.replace("Coordinates", "coordinates")}` },
    u: { ...STATE_FILE.u, about: `Initial ${STATE_FILE.u.about.replace("Speeds", "speeds")}` },
    onGround: {
      type: "references",
      to: "free hinge",
      optional: true,
      about:
        "Free hinges that start on the ground. Their coordinates are relative to the ground at their x and y, with z along its normal.",
    },
  },
} as const satisfies Parameter;

/** Coordinates and speeds at the start. */
export function readState(
  value: unknown,
  { model, speeds }: EquippedModel,
  terrain: Terrain | undefined,
  problems: Problem[],
): Pick<Scenario, "q" | "u"> {
  const state = { q: homeOf(model), u: new Float64Array(model.nu) };
  for (const { hinge } of model.bodies) if (speeds[hinge.name] !== undefined) state.u[hinge.u] = speeds[hinge.name]!;
  const hinges = new Map(model.bodies.map(({ hinge }) => [hinge.name, hinge]));
  const onGround = readByHinge(value, state, hinges, () => false, problems);
  if (onGround !== undefined) standOnGround(onGround, state.q, model, terrain, problems);
  return state;
}

/** Reads coordinates and speeds of known hinges into the state. Returns the value of `onGround`. */
export function readByHinge(
  value: unknown,
  state: Pick<Scenario, "q" | "u">,
  hinges: ReadonlyMap<string, Hinge | undefined>,
  isBroken: (name: string) => boolean,
  problems: Problem[],
): unknown {
  const fields = value === undefined ? {} : (readFields(value, "state", Object.keys(STATE.of), problems) ?? {});
  for (const part of ["q", "u"] as const)
    if (fields[part] !== undefined)
      readValuesByHinge(state[part], part, fields[part], childPath("state", part), hinges, problems, isBroken);
  return fields.onGround;
}
