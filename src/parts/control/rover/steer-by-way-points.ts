/** A rover that an operator steers to a goal by way points. The operator knows the ground that the rover has sent, and its position then. */
import type { ParameterValues } from "../../../declare/parameters.ts";
import { FLAT } from "../../../ground/terrain.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import {
  type GroundPath,
  groundPath,
  pathLength,
  pointAtLength,
  projectOntoPath,
} from "../../../plan/ground-paths/ground-path.ts";
import { checkSavedInteger, savedEntries, takeFiniteSaved } from "../../../saved-data.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { controllerKind } from "../kind.ts";
import type { Halves, SplitController, StationLaw, VehicleLaw } from "../link/split-controller.ts";
import { withoutLink } from "../link/with-link.ts";
import { wheelCommandNames } from "./drive.ts";
import { NavigationLaw, type NavigationMemory, type NavigationOptions } from "./navigation-law.ts";
import { decodeNavigation, decodePath, encodeNavigation } from "./navigation-memory.ts";
import { NAVIGATION, NAVIGATION_EXAMPLE, navigationOptions } from "./navigation-parameters.ts";
import { PathPursuit, type PursuitMemory } from "./path-pursuit.ts";

const PARAMETERS = {
  ...NAVIGATION,
  stride: {
    type: "number",
    unit: "m",
    above: 0,
    default: 2,
    about:
      "Largest distance of a way point from the position of the rover that the operator knows; at most the radius of the sensor.",
  },
} as const;

export const steerByWayPoints = controllerKind({
  name: "operator",
  about:
    "An operator steers a rover to a goal by way points. The operator sees what the telemetry shows: the position of the rover, and the ground " +
    "within the radius of the sensor around it. The operator plans as `guide` does, and sends the farthest point of the plan within the stride " +
    "that a straight line reaches with the clearance, from the position that is known. The rover drives straight to the newest way point and " +
    "waits there. It does not see obstacles by itself; it stops if it is stuck or tilted too far. With a `link` the position is old when the " +
    "operator sees it, and older when the way point arrives. The channel `state` is that of the operator as for `guide`, the channel `rover` is " +
    "0 waiting, 1 driving, 2 stuck, 3 tilted too far.",
  parameters: PARAMETERS,
  examples: [NAVIGATION_EXAMPLE, { ...NAVIGATION_EXAMPLE, stride: 1, speed: 0.2, lookahead: 0.4 }],
  controller(name, values, note, model, { terrain = FLAT }): SplitController {
    const { wheels, period, between, body, stride, sensor, lookahead } = values;
    if (stride > sensor)
      note("stride", `is more than the radius of the sensor, ${sensor} m`, "Way points must be on ground that is seen");
    if (stride < lookahead) note("stride", `is less than the lookahead of the rover, ${lookahead} m`, "Make it longer");
    const options = navigationOptions(values, terrain, note);
    const halves: Halves<NavigationMemory, LegMemory> = {
      station: operatorLaw(name, values, options),
      vehicle: legLaw(name, options),
    };
    const facts = { name, period, between, frames: [body], commands: wheelCommandNames(wheels) };
    return { ...withoutLink(facts, halves, model), halves };
  },
});

/** Way points are tried at this distance from one to the next, as a share of a cell. */
const TRIAL_STEP = 0.5;

/** Plans as `guide` and sends x and y of the way point. */
function operatorLaw(
  name: string,
  { stride }: ParameterValues<typeof PARAMETERS>,
  options: NavigationOptions,
): StationLaw<NavigationMemory> {
  const law = new NavigationLaw(options);
  /** The farthest point of the plan that a straight line reaches; the point one lookahead ahead if none does. */
  const choose = ({ explorer, path, place }: NavigationMemory, px: number, py: number, point: Float64Array): void => {
    const least = place.arcLength + options.lookahead;
    let along = Math.min(place.arcLength + stride, pathLength(path!));
    for (; along > least; along -= TRIAL_STEP * options.exploration.cell) {
      pointAtLength(path!, along, point);
      if (explorer!.keepsClearance([px, py], [point[0]!, point[1]!])) return;
    }
    pointAtLength(path!, Math.min(least, pathLength(path!)), point);
  };
  return {
    messageSize: 2,
    channels: OPERATOR_CHANNELS,
    start: (_model, seen) => law.start(seen),
    update(seen, memory, message) {
      law.plan(seen, memory);
      const [px, py] = [seen.frames[9]!, seen.frames[10]!];
      if (memory.path === undefined)
        message.set([px, py]); // the rover stays
      else choose(memory, px, py, message);
      return memory;
    },
    finished: (memory) => law.stopReason(memory),
    intent: ({ intent }) => intent,
    report({ state, distanceToGoal, explorer }, out) {
      out[0] = state;
      out[1] = distanceToGoal;
      out[2] = explorer?.plans ?? 0;
    },
    encode: encodeNavigation,
    decode: (data) => decodeNavigation(law, data, name),
  };
}

/** States of the rover, as recorded in the channel `rover`. */
const [WAITING, DRIVING, STUCK, TILTED] = [0, 1, 2, 3] as const;

interface LegMemory extends PursuitMemory {
  /** The straight leg to the way point; undefined before the first. */
  leg: GroundPath | undefined;
  state: number;
  /** Time at which the rover left its last stop, and the reason why it has stopped for good. */
  setOffAt: number;
  why: string;
}

/** Drives straight to the newest way point. */
function legLaw(name: string, options: NavigationOptions): VehicleLaw<LegMemory> {
  const { lookahead, near, begin } = options;
  const pursuit = new PathPursuit(options);
  const start = (t: number): LegMemory => ({ ...pursuit.start(t), leg: undefined, state: WAITING, setOffAt: 0, why: "" });

  const takeOrder = ([px, py]: readonly [number, number], [x, y]: Float64Array, memory: LegMemory): void => {
    const end = memory.leg?.points.subarray(-2);
    if (end && end[0] === x && end[1] === y) return;
    if (x === px && y === py) return;
    memory.leg = groundPath([
      [px, py],
      [x!, y!],
    ]);
    memory.place.arcLength = 0;
  };
  /** Distance to the way point; zero without one. */
  const distanceLeft = ([px, py]: readonly [number, number], { leg }: LegMemory): number =>
    leg ? hypotenuse(leg.points[2]! - px, leg.points[3]! - py) : 0;
  const checkHazards = (s: Snapshot, memory: LegMemory): void => {
    pursuit.observe(s, memory);
    const [tilted, stuck] = [pursuit.tiltedReason(memory), pursuit.stuckReason(s.t, memory)];
    if (tilted === undefined && stuck === undefined) return;
    memory.state = tilted === undefined ? STUCK : TILTED;
    memory.why = tilted ?? stuck!;
  };
  return {
    channels: ROVER_CHANNELS,
    start: (_model, s) => start(s.t),
    update(s, message, memory, command) {
      const position = [s.frames[9]!, s.frames[10]!] as const;
      if (memory.state === WAITING || memory.state === DRIVING) {
        if (message !== undefined) takeOrder(position, message, memory);
        const isGoing = message !== undefined && s.t >= begin && distanceLeft(position, memory) > near / 2;
        if (isGoing && memory.state === WAITING) memory.setOffAt = s.t;
        memory.state = isGoing ? DRIVING : WAITING;
        checkHazards(s, memory);
      }
      if (memory.state === DRIVING) {
        projectOntoPath(memory.leg!, ...position, memory.place.arcLength - lookahead, 4 * lookahead, memory.place);
        pursuit.pursue(s, memory, memory.leg!, memory.setOffAt, command);
      } else pursuit.stand(memory, command);
      return memory;
    },
    finished: ({ state, why }) => (state === STUCK || state === TILTED ? why : undefined),
    report(memory, out) {
      out[0] = memory.state;
      out[1] = memory.leg ? memory.leg.points[2]! : 0;
      out[2] = memory.leg ? memory.leg.points[3]! : 0;
      out[3] = memory.tilt;
      out[4] = memory.slip;
      out[5] = memory.speed;
    },
    encode: ({ leg, ...rest }) => ({ ...structuredClone(rest), leg: leg?.points.slice() ?? null }),
    decode(data) {
      const { leg: _, ...rest } = start(0);
      const { leg, ...saved } = savedEntries(data, [...(Object.keys(rest) as (keyof typeof rest)[]), "leg"] as const, name);
      takeFiniteSaved(rest, saved, name);
      checkSavedInteger(rest.state, WAITING, leg === null ? WAITING : TILTED, `${name}.state`);
      return { ...rest, leg: leg === null ? undefined : decodePath(leg, `${name}.leg`) };
    },
  };
}

const OPERATOR_CHANNELS = [
  { name: "state", unit: "" },
  { name: "left", unit: "m" },
  { name: "plans", unit: "" },
] as const;

const ROVER_CHANNELS = [
  { name: "rover", unit: "" },
  { name: "point-x", unit: "m" },
  { name: "point-y", unit: "m" },
  { name: "tilt", unit: "rad" },
  { name: "slip", unit: "" },
  { name: "speed", unit: "m/s" },
] as const;
