/** The initial state of a scenario. */

import { didYouMean } from "../../declare/names.ts";
import type { Parameter } from "../../declare/parameters.ts";
import { childPath, readArray, readFields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
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
    hold: {
      type: "references",
      to: "hinge",
      optional: true,
      about:
        "Hinges whose coordinates stay as given when loops are closed at the start. Without it, coordinates in `q` stay if the loops can be closed by the others.",
    },
    onGround: {
      type: "references",
      to: "free hinge",
      optional: true,
      about:
        "Free hinges that start on the ground. Their coordinates are relative to the ground at their x and y, with z along its normal.",
    },
  },
} as const satisfies Parameter;

/** Coordinates and speeds at the start, and the hinges that keep theirs when loops are closed. */
export function readState(
  value: unknown,
  { model, speeds }: EquippedModel,
  terrain: Terrain | undefined,
  warn: (warning: Problem) => void,
  problems: Problem[],
): Pick<Scenario, "q" | "u" | "hold" | "given"> {
  const state = { q: homeOf(model), u: new Float64Array(model.nu) };
  for (const { hinge } of model.bodies) if (speeds[hinge.name] !== undefined) state.u[hinge.u] = speeds[hinge.name]!;
  const hinges = new Map(model.bodies.map(({ hinge }) => [hinge.name, hinge]));
  const { onGround, hold, given } = readByHinge(value, state, hinges, () => false, problems, warn);
  if (onGround !== undefined) standOnGround(onGround, state.q, model, terrain, problems);
  return { ...state, hold, given: { q: given.q, u: [...new Set([...given.u, ...Object.keys(speeds)])] } };
}

/** Reads coordinates and speeds of known hinges into the state. Returns the value of `onGround`, and the hinges to keep. */
export function readByHinge(
  value: unknown,
  state: Pick<Scenario, "q" | "u">,
  hinges: ReadonlyMap<string, Hinge | undefined>,
  isBroken: (name: string) => boolean,
  problems: Problem[],
  warn: (warning: Problem) => void = () => {},
): { readonly onGround: unknown; readonly hold: readonly string[]; readonly given: Scenario["given"] } {
  const fields = value === undefined ? {} : (readFields(value, "state", Object.keys(STATE.of), problems) ?? {});
  const given: Record<"q" | "u", readonly string[]> = { q: [], u: [] };
  for (const part of ["q", "u"] as const) {
    if (fields[part] === undefined) continue;
    readValuesByHinge(state[part], part, fields[part], childPath("state", part), hinges, problems, isBroken, warn);
    given[part] = Object.keys(fieldsOf(fields[part])).filter((name) => hinges.has(name));
  }
  return { onGround: fields.onGround, hold: readHold(fields.hold, hinges, isBroken, problems), given };
}

const fieldsOf = (value: unknown): object => (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {});

/** Names of known hinges. */
function readHold(
  value: unknown,
  hinges: ReadonlyMap<string, Hinge | undefined>,
  isBroken: (name: string) => boolean,
  problems: Problem[],
): readonly string[] {
  const path = "state.hold";
  if (value === undefined) return [];
  const names = typeof value === "string" ? [value] : readArray(value, path, "the name of a hinge or a list of names", problems);
  return (names ?? []).flatMap((name, i) => {
    if (typeof name === "string" && (hinges.has(name) || isBroken(name))) return [name];
    const at = typeof value === "string" ? path : childPath(path, i);
    problems.push({
      path: at,
      message: "no hinge has this name",
      value: valueText(name),
      advice: didYouMean(name, hinges.keys()),
    });
    return [];
  });
}
