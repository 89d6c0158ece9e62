/** A rover to a goal over ground that it learns as it goes: plans with D* Lite, follows by pure pursuit, stops where it must. */
import { FLAT } from "../../../ground/terrain.ts";
import { arcCosine, arctangent } from "../../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import { Explorer, isInField } from "../../../plan/explorer.ts";
import {
  type GroundPath,
  groundPath,
  type PathProjection,
  pathLength,
  pointAtLength,
  projectOntoPath,
  spliceGroundPath,
} from "../../../plan/ground-path.ts";
import { DEFAULT_TRAVERSABILITY } from "../../../plan/traversability.ts";
import type { Controller, Intent } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { COMMAND_INTERPOLATION } from "../command-interpolation.ts";
import { controllerKind } from "../kind.ts";
import { DRIVEN_WHEEL, wheelCommandNames, writeWheelCommands } from "./drive.ts";
import { headingOf, wrapAngle } from "./follow-path.ts";

/** What the rover is doing, as recorded in the channel `state`. */
export const NAVIGATION_STATES = ["driving", "arrived", "no way", "stuck", "tilted too far", "off its map"] as const;
const [DRIVING, ARRIVED, NO_WAY, STUCK, TILTED, OFF_MAP] = [0, 1, 2, 3, 4, 5];

interface NavigationMemory {
  readonly explorer: Explorer | undefined;
  readonly place: PathProjection;
  readonly target: Float64Array;
  path: GroundPath | undefined;
  intent: Intent | undefined;
  state: number;
  /** Why it has stopped. */
  why: string;
  /** Since when it has been slipping, and where it last looked around. */
  slippingSince: number;
  turning: boolean;
  lookedAt: readonly [number, number];
  /** Obstacles that an intent has told of. */
  told: number;
  tilt: number;
  left: number;
  /** Commanded speed, and the part of it that is lost. */
  speed: number;
  slip: number;
}

/** The rover looks around again after so much of a cell. */
const LOOK_AGAIN = 0.5;
const DEGREE = Math.PI / 180;
/** Steady slip on Earth in lunar simulant at 0, 5, ... 20 degrees, from the equilibrium of the rocker rover. */
const ROCKER_ROVER_SLIP = { x: [0, 5, 10, 15, 20].map((a) => a * DEGREE), y: [0.002725, 0.09681, 0.210052, 0.35613, 0.56674] };

export const guide = controllerKind({
  name: "guide",
  about:
    "Brings a rover to a goal. Its map begins empty; what is within the sensor's radius it sees as it is. Cells that are too steep or " +
    "too rough are kept away from by the clearance; the way of least expected time around them is planned by D* Lite and planned " +
    "anew whenever something new is seen, from a lookahead before the rover, so that the way under its wheels never jumps. It is " +
    "followed by pure pursuit, slower in curves and on slopes; what is far to the side is turned to on the spot. It stops at the " +
    "goal, where there is no way, when it is stuck, when it is tilted too far, and off its map; the channel `state` says which: " +
    "0 driving, 1 arrived, 2 no way, 3 stuck, 4 tilted too far, 5 off its map.",
  parameters: {
    period: { type: "number", unit: "s", above: 0, default: 0.02, about: "Time between updates." },
    between: COMMAND_INTERPOLATION,
    body: { type: "frame", about: "Frame of the rover's body: x ahead, z up." },
    wheels: { type: "list", about: "The wheels.", of: DRIVEN_WHEEL },
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
    slope: {
      type: "number",
      unit: "rad",
      above: 0,
      most: 1,
      default: DEFAULT_TRAVERSABILITY.slope,
      about: "Steepest slope that it crosses.",
    },
    step: {
      type: "number",
      unit: "m",
      above: 0,
      default: DEFAULT_TRAVERSABILITY.step,
      about: "Largest roughness that it crosses.",
    },
    slip: {
      type: "table",
      columns: ["slope", "slip"],
      units: { x: "rad", y: "" },
      rows: 1,
      optional: true,
      about: "Slip to expect when climbing, for the time that ways take; the rocker rover on lunar simulant if not given.",
    },
    lookahead: {
      type: "number",
      unit: "m",
      above: 0,
      default: 0.6,
      about: "Distance to the point of the path that it heads for.",
    },
    mostSteering: { type: "number", unit: "rad", above: 0, most: 1.6, default: 1.1, about: "Largest steering angle." },
    mostTilt: { type: "number", unit: "rad", above: 0, most: 1.5, default: 0.5, about: "Tilt at which it stops." },
    mostSlip: { type: "number", unit: "", above: 0, most: 1, default: 0.8, about: "Slip at which it is getting nowhere." },
    patience: { type: "number", unit: "s", above: 0, default: 10, about: "How long it gets nowhere before it is stuck." },
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
  controller(name, values, note, _model, { terrain = FLAT }): Controller<NavigationMemory> {
    const { wheels, speed, begin, lookahead, mostSteering, mostTilt, mostSlip, patience, near, period, between, cell } = values;
    if (wheels.length === 0) note("wheels", "a rover needs a wheel");
    const { x, y, length, width, goalX, goalY, sensor, clearance, slip = ROCKER_ROVER_SLIP } = values;
    // A cell is judged by its neighbours: those of the border have too few.
    const edge = DEFAULT_TRAVERSABILITY.window * cell;
    const known = (side: number): number => Math.floor(side / cell) * cell;
    for (const [key, goal, low, side] of [
      ["goalX", goalX, x, known(length)],
      ["goalY", goalY, y, known(width)],
    ] as const)
      if (!(goal >= low + edge && goal <= low + side - edge))
        note(
          key,
          goal >= low && goal <= low + side ? "the goal is at the border of the field" : "the goal is outside of the field",
          `The rover knows ${key === "goalX" ? "x" : "y"} from ${low + edge} to ${low + side - edge}`,
        );
    if ((length / cell) * (width / cell) > MOST_CELLS)
      note("cell", `the map would have more than ${MOST_CELLS} cells`, "Make them larger");
    if (!slip.y.every((s) => s < 1 && s > -1)) note("slip", "slip must be between -1 and 1");
    const exploration = {
      ...{ x, y, length, width, cell, sensor, clearance },
      limits: { slope: values.slope, step: values.step },
      travel: { speed, slip: { angles: slip.x, values: slip.y } },
    };
    const commitment = Math.min(lookahead, sensor / 2);

    /** Sees, plans, and finds its place on the way. */
    const orient = (s: Snapshot, memory: NavigationMemory, explorer: Explorer): void => {
      const [px, py] = [s.frames[9]!, s.frames[10]!];
      memory.left = hypotenuse(goalX - px, goalY - py);
      const { path, place } = memory;
      if (path) projectOntoPath(path, px, py, place.arcLength - lookahead, 4 * lookahead, place);
      const moved = hypotenuse(px - memory.lookedAt[0], py - memory.lookedAt[1]);
      if (path !== undefined && moved <= LOOK_AGAIN * cell) return;
      memory.lookedAt = [px, py];
      if (path === undefined) {
        if (!explorer.look(px, py) || explorer.way.length === 0) return;
        const ways = [...explorer.way.slice(1, -1), [goalX, goalY] as const].filter((p) => areApart(p, [px, py]));
        memory.path = groundPath([[px, py], ...ways]);
      } else {
        const sure = Math.min(place.arcLength + commitment, pathLength(path));
        pointAtLength(path, sure, memory.target);
        if (!explorer.look(px, py, [memory.target[0]!, memory.target[1]!])) return;
        const kept = Math.max(0, place.arcLength - lookahead);
        const ahead = [...explorer.way.slice(1, -1), [goalX, goalY] as const];
        memory.path = explorer.way.length > 0 ? spliceGroundPath(path, kept, sure, ahead) : undefined;
        place.arcLength -= kept;
      }
      if (memory.path === undefined) return;
      projectOntoPath(memory.path, px, py, place.arcLength - lookahead, 4 * lookahead, place);
      memory.intent = { way: memory.path.points, obstacles: explorer.obstaclesFrom(memory.told), cell };
      memory.told = explorer.obstacles;
    };
    const judge = (s: Snapshot, memory: NavigationMemory, explorer: Explorer): void => {
      memory.tilt = arcCosine(Math.max(-1, Math.min(1, s.frames[8]!)));
      // Ahead, not anywhere: a rover that slides back down a slope is not getting on.
      const going = s.frames[15]! * s.frames[0]! + s.frames[16]! * s.frames[3]! + s.frames[17]! * s.frames[6]!;
      memory.slip = memory.speed > 0 ? 1 - going / memory.speed : 0;
      if (!(memory.slip > mostSlip)) memory.slippingSince = s.t;
      const stop = (state: number | undefined, why: string): void => {
        memory.state = state!;
        memory.why = why;
      };
      const degrees = (angle: number): string => (angle / DEGREE).toFixed(1);
      if (memory.tilt > mostTilt) stop(TILTED, `tilted by ${degrees(memory.tilt)} deg, more than ${degrees(mostTilt)} deg`);
      else if (memory.left < near) stop(ARRIVED, "arrived");
      else if (memory.path === undefined) stop(NO_WAY, explorer.reason ?? "there is no way");
      else if (s.t - memory.slippingSince > patience)
        stop(
          STUCK,
          `stuck since t = ${memory.slippingSince.toFixed(1)} s: the wheels turn and the rover does not go, ` +
            `slip ${memory.slip.toFixed(2)} at a tilt of ${degrees(memory.tilt)} deg`,
        );
    };

    return {
      name,
      period,
      between,
      frames: [values.body],
      commands: wheelCommandNames(wheels),
      channels: [
        { name: "state", unit: "" },
        { name: "beside", unit: "m" },
        { name: "left", unit: "m" },
        { name: "tilt", unit: "rad" },
        { name: "slip", unit: "" },
        { name: "speed", unit: "m/s" },
        { name: "plans", unit: "" },
        { name: "time", unit: "s" },
      ],
      start(_m, s) {
        const [px, py] = [s.frames[9]!, s.frames[10]!];
        return {
          explorer: isInField(exploration, px, py) ? new Explorer(terrain, exploration, [px, py], [goalX, goalY]) : undefined,
          place: { arcLength: 0, crossTrackError: 0, heading: 0 },
          target: new Float64Array(2),
          path: undefined,
          intent: undefined,
          state: DRIVING!,
          why: "",
          slippingSince: s.t,
          turning: false,
          lookedAt: [px, py],
          told: 0,
          tilt: 0,
          left: hypotenuse(goalX - px, goalY - py),
          speed: 0,
          slip: 0,
        };
      },
      update(s, memory, command) {
        const { explorer } = memory;
        if (memory.state === DRIVING) {
          if (explorer?.contains(s.frames[9]!, s.frames[10]!)) {
            orient(s, memory, explorer);
            judge(s, memory, explorer);
          } else {
            memory.state = OFF_MAP!;
            memory.why = `at x = ${s.frames[9]!.toFixed(2)}, y = ${s.frames[10]!.toFixed(2)} it is off its map`;
          }
        }
        const { path, place, target } = memory;
        if (memory.state !== DRIVING || path === undefined || s.t < begin) {
          memory.speed = 0;
          for (let i = 0; i < wheels.length; i++) command[i] = 0; // the angles of the wheels stay
          return memory;
        }
        pointAtLength(path, Math.min(place.arcLength + lookahead, pathLength(path)), target);
        const [dx, dy] = [target[0]! - s.frames[9]!, target[1]! - s.frames[10]!];
        const distance = Math.max(hypotenuse(dx, dy), 1e-6);
        const bearing = wrapAngle(arctangent(dy, dx) - headingOf(s));
        // What is far to the side is not to be had by a curve: the rover turns on the spot until it heads for it.
        if (Math.abs(bearing) > (memory.turning ? SPOT_TURN_END : SPOT_TURN_START)) {
          memory.turning = true;
          memory.speed = 0;
          writeWheelCommands(wheels, 0, 0, (Math.sign(bearing) * speed) / SPOT_TURN_RADIUS, command);
          return memory;
        }
        memory.turning = false;
        const curvature = Math.max(-MOST_CURVATURE, Math.min(MOST_CURVATURE, (2 * sine(bearing)) / distance));
        const ramp = Math.min(1, (s.t - begin) / START_RAMP);
        memory.speed = (speed * ramp * cosine(memory.tilt)) / (1 + Math.abs(curvature) * CURVE_SLOWDOWN);
        writeWheelCommands(wheels, memory.speed, 0, memory.speed * curvature, command);
        for (let i = wheels.length; i < command.length; i++)
          command[i] = Math.max(-mostSteering, Math.min(mostSteering, command[i]!));
        return memory;
      },
      finished: ({ state, why }) => (state === DRIVING ? undefined : why),
      intent: ({ intent }) => intent,
      report({ state, place, left, tilt, slip, speed, explorer }, out) {
        const time = explorer?.cost ?? 0;
        out.set([state, place.crossTrackError, left, tilt, slip, speed, explorer?.plans ?? 0, Number.isFinite(time) ? time : 0]);
      },
    };
  },
});

const MOST_CELLS = 4e6;
/** Bearing at which it begins to turn on the spot, and at which it is done, rad; and the radius on which its wheels do it, m. */
const SPOT_TURN_START = 0.9;
const SPOT_TURN_END = 0.15;
const SPOT_TURN_RADIUS = 0.5;
/** Curvature of the tightest curve, 1/m, how much slower curves are driven, m, and the time of setting off, s. */
const MOST_CURVATURE = 1.5;
const CURVE_SLOWDOWN = 0.4;
const START_RAMP = 1;

const areApart = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  hypotenuse(a[0] - b[0], a[1] - b[1]) > 1e-9;
