/** The law of the controller `guide`: look around, plan, follow the path by pure pursuit, and stop where the rover must. */
import type { Terrain } from "../../../ground/terrain.ts";
import { arcCosine, arctangent } from "../../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import { Explorer } from "../../../plan/ground-paths/explorer.ts";
import type { GroundPath, PathProjection } from "../../../plan/ground-paths/ground-path.ts";
import {
  groundPath,
  pathLength,
  pointAtLength,
  projectOntoPath,
  spliceGroundPath,
} from "../../../plan/ground-paths/ground-path.ts";
import { isInField } from "../../../plan/ground-paths/survey.ts";
import type { Intent } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { type DrivenWheel, writeCurveCommands, writeSpotTurnCommands } from "./drive.ts";
import { headingOf, LEAST_DISTANCE, wrapAngle } from "./follow-path.ts";

/** States of the rover, as recorded in the channel `state`. */
export const NAVIGATION_STATES = ["driving", "arrived", "no way", "stuck", "tilted too far", "off its map"] as const;
const [DRIVING, ARRIVED, NO_WAY, STUCK, TILTED, OFF_MAP] = [0, 1, 2, 3, 4, 5] as const;

export interface NavigationMemory {
  /** Undefined if the rover starts off its map. */
  readonly explorer: Explorer | undefined;
  /** Position of the rover along its path. */
  readonly place: PathProjection;
  path: GroundPath | undefined;
  intent: Intent | undefined;
  state: number;
  /** Reason why the rover has stopped. */
  why: string;
  /** Time since which the rover has been slipping. */
  slippingSince: number;
  /** True if the rover is turning on the spot. */
  turning: boolean;
  /** Position at which the rover last looked around. */
  lookedAt: readonly [number, number];
  /** Number of obstacles that earlier intents contain. */
  reportedObstacles: number;
  tilt: number;
  distanceToGoal: number;
  /** Commanded steering angles. */
  readonly steering: Float64Array;
  /** Commanded speed, and the share of it that is lost. */
  speed: number;
  slip: number;
}

export interface NavigationOptions {
  readonly terrain: Terrain;
  readonly wheels: readonly DrivenWheel[];
  readonly goal: readonly [number, number];
  /** Field, sensor, limits and travel times; see plan/ground-paths/explorer.ts. */
  readonly exploration: ConstructorParameters<typeof Explorer>[1];
  readonly speed: number;
  /** Time at which the rover sets off. */
  readonly begin: number;
  readonly lookahead: number;
  readonly mostSteering: number;
  readonly mostTilt: number;
  readonly mostSlip: number;
  readonly patience: number;
  /** Distance to the goal at which the rover has arrived. */
  readonly near: number;
}

/** The rover looks around again after moving by this share of a cell. */
const LOOK_AGAIN = 0.5;
export const DEGREE = Math.PI / 180;
/** Bearings of the target at which turning on the spot begins and ends, rad, and the radius on which the wheels then run, m. */
const SPOT_TURN_START = 0.9;
const SPOT_TURN_END = 0.15;
const SPOT_TURN_RADIUS = 0.5;
/** Largest curvature, 1/m, slowdown in curves, m, and time of the speed ramp after setting off, s. */
const MOST_CURVATURE = 1.5;
const CURVE_SLOWDOWN = 0.4;
const START_RAMP = 1;

export class NavigationLaw {
  readonly #options: NavigationOptions;
  /** The path is kept up to this distance ahead of the rover when it is planned anew. */
  readonly #commitment: number;
  /** A point on the path. */
  readonly #target = new Float64Array(2);

  constructor(options: NavigationOptions) {
    this.#options = options;
    this.#commitment = Math.min(options.lookahead, options.exploration.sensor / 2);
  }

  /** An explorer that has seen nothing yet. It starts at the goal if no position is given. */
  newExplorer(position: readonly [number, number] = this.#options.goal): Explorer {
    const { terrain, exploration, goal } = this.#options;
    return new Explorer(terrain, exploration, position, goal);
  }

  /** Steering angles of zero, one for each wheel that is steered. */
  noSteering(): Float64Array {
    return new Float64Array(this.#options.wheels.filter(({ steer }) => steer !== undefined).length);
  }

  start(s: Snapshot): NavigationMemory {
    const { exploration, goal } = this.#options;
    const [px, py] = [s.frames[9]!, s.frames[10]!];
    return {
      explorer: isInField(exploration, px, py) ? this.newExplorer([px, py]) : undefined,
      place: { arcLength: 0, crossTrackError: 0, heading: 0 },
      path: undefined,
      intent: undefined,
      state: DRIVING,
      why: "",
      slippingSince: s.t,
      turning: false,
      lookedAt: [px, py],
      reportedObstacles: 0,
      tilt: 0,
      distanceToGoal: hypotenuse(goal[0] - px, goal[1] - py),
      steering: this.noSteering(),
      speed: 0,
      slip: 0,
    };
  }

  update(s: Snapshot, memory: NavigationMemory, command: Float64Array): void {
    const { wheels, begin } = this.#options;
    const { explorer } = memory;
    if (memory.state === DRIVING) {
      if (explorer?.contains(s.frames[9]!, s.frames[10]!)) {
        this.#updatePath(s, memory, explorer);
        this.#checkStop(s, memory, explorer);
      } else {
        memory.state = OFF_MAP;
        memory.why = `at x = ${s.frames[9]!.toFixed(2)}, y = ${s.frames[10]!.toFixed(2)} it is off its map`;
      }
    }
    if (memory.state !== DRIVING || memory.path === undefined || s.t < begin) {
      memory.speed = 0;
      for (let i = 0; i < wheels.length; i++) command[i] = 0; // steering angles stay
      for (let i = 0; i < memory.steering.length; i++) command[wheels.length + i] = memory.steering[i]!;
      return;
    }
    this.#pursue(s, memory, memory.path, command);
    for (let i = 0; i < memory.steering.length; i++) memory.steering[i] = command[wheels.length + i]!;
  }

  /** Reason why the run ends; undefined while the rover drives. */
  stopReason({ state, why }: NavigationMemory): string | undefined {
    return state === DRIVING ? undefined : why;
  }

  report({ state, place, distanceToGoal, tilt, slip, speed, explorer }: NavigationMemory, out: Float64Array): void {
    const time = explorer?.cost ?? 0;
    out.set([
      state,
      place.crossTrackError,
      distanceToGoal,
      tilt,
      slip,
      speed,
      explorer?.plans ?? 0,
      Number.isFinite(time) ? time : 0,
    ]);
  }

  /** Looks around, plans if something new is seen, and finds the rover's place on the path. */
  #updatePath(s: Snapshot, memory: NavigationMemory, explorer: Explorer): void {
    const { goal, lookahead, exploration } = this.#options;
    const [px, py] = [s.frames[9]!, s.frames[10]!];
    memory.distanceToGoal = hypotenuse(goal[0] - px, goal[1] - py);
    const { path, place } = memory;
    if (path) projectOntoPath(path, px, py, place.arcLength - lookahead, 4 * lookahead, place);
    const distance = hypotenuse(px - memory.lookedAt[0], py - memory.lookedAt[1]);
    if (path !== undefined && distance <= LOOK_AGAIN * exploration.cell) return;
    memory.lookedAt = [px, py];
    if (path === undefined) {
      if (!explorer.look(px, py) || explorer.way.length === 0) return;
      const points = pointsToGoal(explorer, [px, py], goal);
      if (points.length === 0) return; // it stands at its goal
      memory.path = groundPath([[px, py], ...points]);
    } else {
      const committedLength = Math.min(place.arcLength + this.#commitment, pathLength(path));
      const target = this.#target;
      pointAtLength(path, committedLength, target);
      if (!explorer.look(px, py, [target[0]!, target[1]!])) return;
      const kept = Math.max(0, place.arcLength - lookahead);
      memory.path =
        explorer.way.length > 0
          ? spliceGroundPath(path, kept, committedLength, pointsToGoal(explorer, [target[0]!, target[1]!], goal))
          : undefined;
      place.arcLength -= kept;
    }
    if (memory.path === undefined) return;
    projectOntoPath(memory.path, px, py, place.arcLength - lookahead, 4 * lookahead, place);
    const obstacles = explorer.obstaclesFrom(memory.reportedObstacles);
    memory.intent = { way: memory.path.points, obstacles, cell: exploration.cell };
    memory.reportedObstacles = explorer.obstacles;
  }

  /** Updates tilt and slip, and stops the rover where it must. */
  #checkStop(s: Snapshot, memory: NavigationMemory, explorer: Explorer): void {
    const { mostTilt, mostSlip, near, patience } = this.#options;
    memory.tilt = arcCosine(Math.max(-1, Math.min(1, s.frames[8]!)));
    // Only the velocity ahead counts: a rover that slides back down a slope makes no progress.
    const speedAhead = s.frames[15]! * s.frames[0]! + s.frames[16]! * s.frames[3]! + s.frames[17]! * s.frames[6]!;
    memory.slip = memory.speed > 0 ? 1 - speedAhead / memory.speed : 0;
    if (!(memory.slip > mostSlip)) memory.slippingSince = s.t;
    const stop = (state: number, why: string): void => {
      memory.state = state;
      memory.why = why;
    };
    const degrees = (angle: number): string => (angle / DEGREE).toFixed(1);
    if (memory.tilt > mostTilt) stop(TILTED, `tilted by ${degrees(memory.tilt)} deg, more than ${degrees(mostTilt)} deg`);
    else if (memory.distanceToGoal < near) stop(ARRIVED, "arrived");
    else if (memory.path === undefined) stop(NO_WAY, explorer.reason ?? "there is no way");
    else if (s.t - memory.slippingSince > patience)
      stop(
        STUCK,
        `stuck since t = ${memory.slippingSince.toFixed(1)} s: the wheels turn and the rover does not go, ` +
          `slip ${memory.slip.toFixed(2)} at a tilt of ${degrees(memory.tilt)} deg`,
      );
  }

  /** Pure pursuit: curvature 2 sin(bearing) / distance toward the target. A target far to the side is approached by turning on the spot. */
  #pursue(s: Snapshot, memory: NavigationMemory, path: GroundPath, command: Float64Array): void {
    const { wheels, speed, begin, lookahead, mostSteering } = this.#options;
    const { place } = memory;
    const target = this.#target;
    pointAtLength(path, Math.min(place.arcLength + lookahead, pathLength(path)), target);
    const [dx, dy] = [target[0]! - s.frames[9]!, target[1]! - s.frames[10]!];
    const distance = Math.max(hypotenuse(dx, dy), LEAST_DISTANCE);
    const bearing = wrapAngle(arctangent(dy, dx) - headingOf(s));
    if (Math.abs(bearing) > (memory.turning ? SPOT_TURN_END : SPOT_TURN_START)) {
      memory.turning = true;
      memory.speed = 0;
      writeSpotTurnCommands(wheels, (Math.sign(bearing) * speed) / SPOT_TURN_RADIUS, command);
      return;
    }
    memory.turning = false;
    const curvature = Math.max(-MOST_CURVATURE, Math.min(MOST_CURVATURE, (2 * sine(bearing)) / distance));
    const ramp = Math.min(1, (s.t - begin) / START_RAMP);
    memory.speed = (speed * ramp * cosine(memory.tilt)) / (1 + Math.abs(curvature) * CURVE_SLOWDOWN);
    writeCurveCommands(wheels, memory.speed, 0, curvature, command);
    for (let i = wheels.length; i < command.length; i++)
      command[i] = Math.max(-mostSteering, Math.min(mostSteering, command[i]!));
  }
}

/**
 * Points of the planned way, which is not empty, from a position to the goal. The centres of the first and the last cell are left out, if the straight line beside
 * them keeps the clearance.
 */
function pointsToGoal(explorer: Explorer, from: readonly [number, number], goal: readonly [number, number]) {
  const { way } = explorer;
  const first = explorer.keepsClearance(from, way[1] ?? goal) ? 1 : 0;
  const ahead = [from, ...way.slice(first, -1)];
  if (!explorer.keepsClearance(ahead.at(-1)!, goal)) ahead.push(way.at(-1)!);
  return [...ahead, goal].filter((point, k) => k > 0 && areApart(point, ahead[k - 1]!));
}

const areApart = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  hypotenuse(a[0] - b[0], a[1] - b[1]) > 1e-9;
