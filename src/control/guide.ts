/** A rover to a goal over ground that it learns as it goes: plans with D* Lite, follows by pure pursuit, stops where it must. */
import { FLAT } from "../ground/terrain.ts";
import { cosine, sine } from "../math/sincos.ts";
import { Explorer } from "../plan/explorer.ts";
import { type GroundPath, groundPath, lengthOf, type PlaceOnPath, placeOn, pointOn } from "../plan/polyline.ts";
import { LIMITS } from "../plan/traversability.ts";
import type { Controller } from "../sim/controller.ts";
import type { Snapshot } from "../sim/force-element.ts";
import { commandsOf, WHEEL, wheelCommands } from "./drive.ts";
import { headingOf, within } from "./follow-path.ts";
import { controllerKind } from "./kind.ts";

/** What the rover is doing, as recorded in the channel `state`. */
export const GUIDE_STATES = [
  "driving",
  "arrived",
  "no way",
  "stuck: the wheels turn and the rover does not go",
  "tilted too far",
] as const;
const [DRIVING, ARRIVED, NO_WAY, STUCK, TILTED] = [0, 1, 2, 3, 4];

interface Memory {
  readonly explorer: Explorer;
  readonly place: PlaceOnPath;
  readonly target: Float64Array;
  path: GroundPath | undefined;
  state: number;
  /** Since when it has been slipping, and where and when it last looked around. */
  slippingSince: number;
  turning: boolean;
  lookedAt: readonly [number, number];
  tilt: number;
  left: number;
  speed: number;
}

/** The rover looks around again after so much of a cell. */
const LOOK_AGAIN = 0.5;
/** Slip above which it is getting nowhere. */
const NOWHERE = 0.8;
/** Steady slip on Earth in lunar simulant at 0, 5, ... 20 degrees, from the equilibrium of the rocker rover. */
const SLIP = {
  angles: [0, 5, 10, 15, 20].map((a) => (a * Math.PI) / 180),
  values: [0.002725, 0.09681, 0.210052, 0.35613, 0.56674],
};

export const guide = controllerKind({
  name: "guide",
  about:
    "Brings a rover to a goal. Its map begins empty; what is within the sensor's radius it sees as it is. Cells that are too steep or " +
    "too rough are kept away from by the clearance; the way of least expected time around them is planned by D* Lite and planned " +
    "anew whenever something new is seen, and followed by pure pursuit, slower in curves and on slopes; what is far to the side is " +
    "turned to on the spot. It stops at the goal, where " +
    "there is no way, when it is stuck, and when it is tilted too far; the channel `state` says which: 0 driving, 1 arrived, 2 no " +
    "way, 3 stuck, 4 tilted too far.",
  parameters: {
    period: { type: "number", unit: "s", above: 0, default: 0.02, about: "Time between updates." },
    body: { type: "frame", about: "Frame of the rover's body: x ahead, z up." },
    wheels: { type: "list", about: "The wheels.", of: WHEEL },
    goalX: { type: "number", unit: "m", about: "Where it shall go." },
    goalY: { type: "number", unit: "m", about: "Where it shall go." },
    speed: { type: "number", unit: "m/s", above: 0, about: "Speed on level ground, straight on." },
    begin: { type: "number", unit: "s", least: 0, default: 0.5, about: "When it sets off; it stands until then." },
    x: { type: "number", unit: "m", default: 0, about: "Corner of the field that it has a map of." },
    y: { type: "number", unit: "m", default: 0, about: "Corner of the field." },
    length: { type: "number", unit: "m", above: 0, most: 1e4, about: "Side of the field along x." },
    width: { type: "number", unit: "m", above: 0, most: 1e4, about: "Side of the field along y." },
    cell: { type: "number", unit: "m", above: 0.01, default: 0.25, about: "Side of a cell of the map." },
    sensor: { type: "number", unit: "m", above: 0, default: 3, about: "How far it sees." },
    clearance: { type: "number", unit: "m", least: 0, default: 0.5, about: "Distance that its middle keeps from obstacles." },
    slope: { type: "number", unit: "rad", above: 0, most: 1, default: LIMITS.slope, about: "Steepest slope that it crosses." },
    step: { type: "number", unit: "m", above: 0, default: LIMITS.step, about: "Largest roughness that it crosses." },
    lookahead: {
      type: "number",
      unit: "m",
      above: 0,
      default: 0.6,
      about: "Distance to the point of the path that it heads for.",
    },
    mostSteering: { type: "number", unit: "rad", above: 0, most: 1.6, default: 1.1, about: "Largest steering angle." },
    mostTilt: { type: "number", unit: "rad", above: 0, most: 1.5, default: 0.5, about: "Tilt at which it stops." },
    patience: {
      type: "number",
      unit: "s",
      above: 0,
      default: 10,
      about: "How long it slips by more than 80 % before it is stuck.",
    },
    near: { type: "number", unit: "m", above: 0, default: 0.2, about: "Distance to the goal at which it has arrived." },
  },
  examples: [
    {
      body: "hull",
      wheels: [{ drive: "shoulder-servo", steer: "elbow-servo", x: 0.3, y: 0.2, radius: 0.1 }],
      goalX: 8,
      goalY: 8,
      speed: 0.05,
      x: -2,
      y: -2,
      length: 12,
      width: 12,
    },
  ],
  controller(name, values, note, _model, { terrain = FLAT }): Controller<Memory> {
    const { wheels, speed, begin, lookahead, mostSteering, mostTilt, patience, near, period, cell } = values;
    if (wheels.length === 0) note("wheels", "a rover needs a wheel");
    const { x, y, length, width, goalX, goalY, sensor, clearance } = values;
    if (!(goalX >= x && goalX <= x + length && goalY >= y && goalY <= y + width))
      note("goalX", "the goal is outside of the field", `The field is x ${x} to ${x + length}, y ${y} to ${y + width}`);
    if ((length / cell) * (width / cell) > MOST_CELLS)
      note("cell", `the map would have more than ${MOST_CELLS} cells`, "Make them larger");
    const travel = { speed, slip: SLIP };
    const exploration = {
      x,
      y,
      length,
      width,
      cell,
      sensor,
      clearance,
      limits: { slope: values.slope, step: values.step },
      travel,
    };

    /** Sees, plans, and finds its place on the way. */
    const orient = (s: Snapshot, memory: Memory): void => {
      const [px, py] = [s.frames[9]!, s.frames[10]!];
      const { explorer } = memory;
      const since = Math.hypot(px - memory.lookedAt[0], py - memory.lookedAt[1]);
      if (memory.path === undefined || since > LOOK_AGAIN * cell) {
        memory.lookedAt = [px, py];
        if (explorer.look(px, py)) {
          // The way begins where the rover is, not in the middle of its cell.
          const points = [[px, py] as const, ...explorer.way.slice(1, -1), [goalX, goalY] as const];
          memory.path =
            explorer.way.length > 0 ? groundPath(points.filter((p, i) => i === 0 || apart(p, points[i - 1]!))) : undefined;
          memory.place.along = 0;
        }
      }
      if (memory.path) placeOn(memory.path, px, py, memory.place.along - lookahead, 4 * lookahead, memory.place);
      memory.left = Math.hypot(goalX - px, goalY - py);
    };
    const judge = (s: Snapshot, memory: Memory): void => {
      memory.tilt = Math.acos(Math.max(-1, Math.min(1, s.frames[8]!)));
      const going = Math.hypot(s.frames[15]!, s.frames[16]!, s.frames[17]!);
      if (!(memory.speed > 0 && going < (1 - NOWHERE) * memory.speed)) memory.slippingSince = s.t;
      if (memory.tilt > mostTilt) memory.state = TILTED;
      else if (memory.left < near) memory.state = ARRIVED;
      else if (memory.path === undefined) memory.state = NO_WAY;
      else if (s.t - memory.slippingSince > patience) memory.state = STUCK;
    };

    return {
      name,
      period,
      frames: [values.body],
      commands: commandsOf(wheels),
      channels: [
        { name: "state", unit: "" },
        { name: "beside", unit: "m" },
        { name: "left", unit: "m" },
        { name: "tilt", unit: "rad" },
        { name: "plans", unit: "" },
        { name: "time", unit: "s" },
      ],
      start: (_m, s) => ({
        explorer: new Explorer(terrain, exploration, [s.frames[9]!, s.frames[10]!], [goalX, goalY]),
        place: { along: 0, beside: 0, heading: 0 },
        target: new Float64Array(2),
        path: undefined,
        state: DRIVING!,
        slippingSince: 0,
        turning: false,
        lookedAt: [s.frames[9]!, s.frames[10]!],
        tilt: 0,
        left: 0,
        speed: 0,
      }),
      update(s, memory, command) {
        if (memory.state === DRIVING) {
          orient(s, memory);
          judge(s, memory);
        }
        const { path, place, target } = memory;
        if (memory.state !== DRIVING || path === undefined || s.t < begin) {
          memory.speed = 0;
          for (let i = 0; i < wheels.length; i++) command[i] = 0; // the angles of the wheels stay
          return memory;
        }
        pointOn(path, Math.min(place.along + lookahead, lengthOf(path)), target);
        const [dx, dy] = [target[0]! - s.frames[9]!, target[1]! - s.frames[10]!];
        const distance = Math.max(Math.hypot(dx, dy), 1e-6);
        const bearing = within(Math.atan2(dy, dx) - headingOf(s));
        // What is far to the side is not to be had by a curve: the rover turns on the spot until it heads for it.
        if (Math.abs(bearing) > (memory.turning ? ALIGNED : FAR_OFF)) {
          memory.turning = true;
          memory.speed = 0;
          wheelCommands(wheels, 0, 0, (Math.sign(bearing) * speed) / SPOT, command);
          return memory;
        }
        memory.turning = false;
        const curvature = Math.max(-TIGHTEST, Math.min(TIGHTEST, (2 * sine(bearing)) / distance));
        const ramp = Math.min(1, (s.t - begin) / RAMP);
        memory.speed = (speed * ramp * cosine(memory.tilt)) / (1 + Math.abs(curvature) * CAREFUL);
        wheelCommands(wheels, memory.speed, 0, memory.speed * curvature, command);
        for (let i = wheels.length; i < command.length; i++)
          command[i] = Math.max(-mostSteering, Math.min(mostSteering, command[i]!));
        return memory;
      },
      finished({ state, explorer }) {
        if (state === DRIVING) return undefined;
        return state === NO_WAY ? (explorer.reason ?? "there is no way") : GUIDE_STATES[state];
      },
      report({ state, place, left, tilt, explorer }, out) {
        out[0] = state;
        out[1] = place.beside;
        out[2] = left;
        out[3] = tilt;
        out[4] = explorer.plans;
        out[5] = Number.isFinite(explorer.cost) ? explorer.cost : 0;
      },
    };
  },
});

const MOST_CELLS = 4e6;
/** Bearing at which it begins to turn on the spot, and at which it is done, rad; and the radius on which its wheels do it, m. */
const FAR_OFF = 0.9;
const ALIGNED = 0.15;
const SPOT = 0.5;
/** Curvature of the tightest curve, 1/m, how much slower curves are driven, m, and the time of setting off, s. */
const TIGHTEST = 1.5;
const CAREFUL = 0.4;
const RAMP = 1;

const apart = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  Math.hypot(a[0] - b[0], a[1] - b[1]) > 1e-9;
