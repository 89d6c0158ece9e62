/** The initial state of a scenario. */

import { didYouMean } from "../../declare/names.ts";
import type { Parameter, Parameters } from "../../declare/parameters.ts";
import { NO_NAMES, readValue } from "../../declare/parse-parameters.ts";
import { childPath, readArray, readFields } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import { convertSpeedAxes } from "../../formats/speed-axes.ts";
import { readValuesByHinge, STATE_FILE } from "../../formats/state-file.ts";
import type { Terrain } from "../../ground/terrain.ts";
import { type Hinge, homeOf } from "../../model/model.ts";
import type { MassCentreState } from "../../sim/system/start-state.ts";
import type { Scenario } from "../scenario.ts";
import type { EquippedModel } from "./devices.ts";
import { standOnGround } from "./stand-on-ground.ts";

const STATE_FIELDS = {
  q: { ...STATE_FILE.q, about: `Initial ${STATE_FILE.q.about.replace("Coordinates", "coordinates")}` },
  u: { ...STATE_FILE.u, about: `Initial ${STATE_FILE.u.about.replace("Speeds", "speeds")}` },
  axes: STATE_FILE.axes,
  hold: {
    type: "references",
    to: "hinge",
    optional: true,
    about:
      "Hinges whose coordinates stay as given when loops are closed at the start, and when `rest` is searched. Without it, coordinates in `q` stay if the loops can be closed by the others.",
  },
  onGround: {
    type: "references",
    to: "free hinge",
    optional: true,
    about:
      "Free hinges that start on the ground. Their coordinates are relative to the ground at their x and y, with z along its normal.",
  },
  rest: {
    type: "boolean",
    default: false,
    about:
      "true: the run starts at rest under its loads, in the position near `q` in which they balance. Hinges in `hold` stay as given.",
  },
  massCentre: {
    type: "object",
    optional: true,
    about:
      "With `coordinates: mass-centre`: the common mass centre of all bodies. Then `q` and `u` place the bodies relative to each other only. " +
      "Without it they are positions and velocities in the world.",
    of: {
      position: { type: "vector", unit: "m", about: "Position of the mass centre in the world." },
      velocity: { type: "vector", unit: "m/s", default: [0, 0, 0], about: "Velocity of the mass centre in the world." },
    },
  },
} as const satisfies Parameters;

export const STATE = {
  type: "either",
  optional: true,
  about: "Initial state, or a state file in the scenario's folder or below. A hinge that is not named is at home and at rest.",
  forms: "the name of a state file, or the state itself",
  of: [
    { type: "text", about: "A state file (.yaml, .yml, .json)." },
    { type: "object", about: "The initial state.", of: STATE_FIELDS },
  ],
} as const satisfies Parameter;

/** Coordinates and speeds at the start, and the hinges that keep theirs when loops are closed. */
export function readState(
  value: unknown,
  { model, speeds }: EquippedModel,
  terrain: Terrain | undefined,
  warn: (warning: Problem) => void,
  problems: Problem[],
): Pick<Scenario, "q" | "u" | "hold" | "given" | "rest"> & { readonly massCentre: MassCentreState | undefined } {
  const state = { q: homeOf(model), u: new Float64Array(model.nu) };
  for (const { hinge } of model.bodies) if (speeds[hinge.name] !== undefined) state.u[hinge.u] = speeds[hinge.name]!;
  const hinges = new Map(model.bodies.map(({ hinge }) => [hinge.name, hinge]));
  const { onGround, axes, hold, given, rest, massCentre } = readByHinge(value, state, hinges, () => false, problems, warn);
  if (onGround !== undefined) standOnGround(onGround, state.q, model, terrain, problems);
  convertSpeedAxes(axes, "state.axes", model, state, (name) => given.u.includes(name), problems);
  return { ...state, hold, rest, massCentre, given: { q: given.q, u: [...new Set([...given.u, ...Object.keys(speeds)])] } };
}

/** Reads coordinates and speeds of known hinges into the state. Returns the values of `onGround` and `axes`, and the hinges to keep. */
export function readByHinge(
  value: unknown,
  state: Pick<Scenario, "q" | "u">,
  hinges: ReadonlyMap<string, Hinge | undefined>,
  isBroken: (name: string) => boolean,
  problems: Problem[],
  warn: (warning: Problem) => void = () => {},
): {
  readonly onGround: unknown;
  readonly axes: unknown;
  readonly hold: readonly string[];
  readonly given: Scenario["given"];
  readonly rest: boolean;
  readonly massCentre: MassCentreState | undefined;
} {
  // A text is the name of a file that could not be read: reported already.
  const isWritten = value !== undefined && typeof value !== "string";
  const fields = isWritten ? (readFields(value, "state", Object.keys(STATE_FIELDS), problems) ?? {}) : {};
  const given: Record<"q" | "u", readonly string[]> = { q: [], u: [] };
  for (const part of ["q", "u"] as const) {
    if (fields[part] === undefined) continue;
    readValuesByHinge(state[part], part, fields[part], childPath("state", part), hinges, problems, isBroken, warn);
    given[part] = Object.keys(fieldsOf(fields[part])).filter((name) => hinges.has(name));
  }
  const hold = readHold(fields.hold, hinges, isBroken, problems);
  const massCentre = readValue(STATE_FIELDS.massCentre, fields.massCentre, NO_NAMES, problems, {
    path: "state.massCentre",
    quantity: readQuantityInUnit,
  }) as MassCentreState | undefined;
  const rest = readValue(STATE_FIELDS.rest, fields.rest, NO_NAMES, problems, { path: "state.rest" }) === true;
  if (rest) {
    const isMoving = ({ u, nu }: Hinge): boolean => state.u.subarray(u, u + nu).some((speed) => speed !== 0);
    if (given.u.some((name) => hinges.get(name) && isMoving(hinges.get(name)!)))
      problems.push({ path: "state.u", message: "a machine that starts at rest has no speeds", advice: "Remove u, or rest" });
    given.u = []; // speeds of zero say nothing: their hinges take part in the search
  }
  return { onGround: fields.onGround, axes: fields.axes, hold, given, rest, massCentre };
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
