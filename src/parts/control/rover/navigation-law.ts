/** The law of the controller `guide`: look around, plan, follow the path by pure pursuit, and stop where the rover must. */
import type { Terrain } from "../../../ground/terrain.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import { Explorer } from "../../../plan/ground-paths/explorer.ts";
import type { GroundPath } from "../../../plan/ground-paths/ground-path.ts";
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
import { PathPursuit, type PursuitMemory, type PursuitOptions } from "./path-pursuit.ts";

/** States of the rover, as recorded in the channel `state`. */
export const NAVIGATION_STATES = ["driving", "arrived", "no way", "stuck", "tilted too far", "off its map"] as const;
const [DRIVING, ARRIVED, NO_WAY, STUCK, TILTED, OFF_MAP] = [0, 1, 2, 3, 4, 5] as const;

export interface NavigationMemory extends PursuitMemory {
  /** Undefined if the rover starts off its map. */
  readonly explorer: Explorer | undefined;
  path: GroundPath | undefined;
  intent: Intent | undefined;
  state: number;
  /** Reason why the rover has stopped. */
  why: string;
  /** Position at which the rover last looked around. */
  lookedAt: readonly [number, number];
  /** Number of obstacles that earlier intents contain. */
  reportedObstacles: number;
  distanceToGoal: number;
}

export interface NavigationOptions extends PursuitOptions {
  readonly terrain: Terrain;
  readonly goal: readonly [number, number];
  /** Field, sensor, limits and travel times; see plan/ground-paths/explorer.ts. */
  readonly exploration: ConstructorParameters<typeof Explorer>[1];
  /** Time at which the rover sets off. */
  readonly begin: number;
  /** Distance to the goal at which the rover has arrived. */
  readonly near: number;
}

/** The rover looks around again after moving by this share of a cell. */
const LOOK_AGAIN = 0.5;

export class NavigationLaw {
  readonly #options: NavigationOptions;
  readonly #pursuit: PathPursuit;
  /** The path is kept up to this distance ahead of the rover when it is planned anew. */
  readonly #commitment: number;
  /** A point on the path. */
  readonly #target = new Float64Array(2);

  constructor(options: NavigationOptions) {
    this.#options = options;
    this.#pursuit = new PathPursuit(options);
    this.#commitment = Math.min(options.lookahead, options.exploration.sensor / 2);
  }

  /** An explorer that has seen nothing yet. It starts at the goal if no position is given. */
  newExplorer(position: readonly [number, number] = this.#options.goal): Explorer {
    const { terrain, exploration, goal } = this.#options;
    return new Explorer(terrain, exploration, position, goal);
  }

  /** The part of the memory that follows a path, of a rover that stands at time t. */
  startPursuit(t: number): PursuitMemory {
    return this.#pursuit.start(t);
  }

  start(s: Snapshot): NavigationMemory {
    const { exploration, goal } = this.#options;
    const [px, py] = [s.frames[9]!, s.frames[10]!];
    return {
      ...this.#pursuit.start(s.t),
      explorer: isInField(exploration, px, py) ? this.newExplorer([px, py]) : undefined,
      path: undefined,
      intent: undefined,
      state: DRIVING,
      why: "",
      lookedAt: [px, py],
      reportedObstacles: 0,
      distanceToGoal: hypotenuse(goal[0] - px, goal[1] - py),
    };
  }

  /** Writes the commands. The rover stands until the time `orderedAt` and until it is to begin. */
  update(s: Snapshot, memory: NavigationMemory, command: Float64Array, orderedAt = 0): void {
    const setOffAt = Math.max(this.#options.begin, orderedAt);
    if (memory.state === DRIVING && this.#updatePath(s, memory)) {
      this.#pursuit.observe(s, memory);
      const [tilted, stuck] = [this.#pursuit.tiltedReason(memory), this.#pursuit.stuckReason(s.t, memory)];
      if (tilted !== undefined) stop(memory, TILTED, tilted);
      else this.#checkGoal(memory);
      if (memory.state === DRIVING && stuck !== undefined) stop(memory, STUCK, stuck);
    }
    if (memory.state !== DRIVING || memory.path === undefined || s.t < setOffAt) this.#pursuit.stand(memory, command);
    else this.#pursuit.pursue(s, memory, memory.path, setOffAt, command);
  }

  /** Looks around from the position of the rover and plans, for a rover that is driven by another law. */
  plan(s: Snapshot, memory: NavigationMemory): void {
    if (memory.state === DRIVING && this.#updatePath(s, memory)) this.#checkGoal(memory);
  }

  /** Stops the wheels, without looking or planning. */
  stand(memory: NavigationMemory, command: Float64Array): void {
    this.#pursuit.stand(memory, command);
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

  /** Looks around, plans if something new is seen, and finds the rover's place on the path. Returns false, and stops the rover, off the map. */
  #updatePath(s: Snapshot, memory: NavigationMemory): boolean {
    const [px, py] = [s.frames[9]!, s.frames[10]!];
    const { explorer } = memory;
    const isOnMap = explorer?.contains(px, py) === true;
    if (isOnMap) this.#look(px, py, memory, explorer);
    else stop(memory, OFF_MAP, `at x = ${px.toFixed(2)}, y = ${py.toFixed(2)} it is off its map`);
    return isOnMap;
  }

  #look(px: number, py: number, memory: NavigationMemory, explorer: Explorer): void {
    const { goal, lookahead, exploration } = this.#options;
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

  #checkGoal(memory: NavigationMemory): void {
    if (memory.distanceToGoal < this.#options.near) stop(memory, ARRIVED, "arrived");
    else if (memory.path === undefined) stop(memory, NO_WAY, memory.explorer?.reason ?? "there is no way");
  }
}

function stop(memory: NavigationMemory, state: number, why: string): void {
  memory.state = state;
  memory.why = why;
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
