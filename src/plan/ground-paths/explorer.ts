/**
 * A rover that learns the ground while it drives. Its map starts empty (level, without obstacles). The cells within the sensor radius are
 * copied from the true ground, and D* Lite keeps the cheapest path to the goal up to date.
 */

import { checkLeast, checkMembers, checkNumber, checkPositive, checkVector } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import { checkTerrain, type Terrain } from "../../ground/terrain.ts";
import { square } from "../../math/elementary/power.ts";
import { checkSavedInteger, refuseSaved, savedArray, savedEntries, takeSaved } from "../../saved-data.ts";
import { DStarLite } from "./d-star-lite.ts";
import {
  cellsAlong,
  centreOf,
  type Exploration,
  forCellsWithin,
  isBorder,
  isInField,
  isWithin,
  squaredDistanceFromLine,
  surveyOf,
} from "./survey.ts";
import { TravelTime } from "./travel-time.ts";
import type { TraversabilityMap } from "./traversability.ts";

const DEGREE = Math.PI / 180;
export class Explorer {
  /** The map as known so far. */
  readonly known: TraversabilityMap;
  readonly #truth: TraversabilityMap;
  readonly #inflated: Uint8Array;
  readonly #options: Exploration;
  readonly #goal: number;
  readonly #goalPosition: readonly [number, number];
  /** 1 if the goal cell is blocked, or if the goal itself is not as far from obstacles as the clearance. */
  readonly #goalBlocked: number;
  readonly #planner: DStarLite;
  readonly #seen: Uint8Array;
  /** Cells that cannot be crossed, in the order in which they were seen. */
  readonly #obstacles: number[] = [];
  /** Way points from the rover to its goal, [x, y] each; empty if there is no path. */
  way: readonly (readonly [number, number])[] = [];
  cost = Number.POSITIVE_INFINITY;
  plans = 0;

  /** @throws ArgumentError if start or goal is outside of the field. */
  constructor(terrain: Terrain, options: Exploration, start: readonly [number, number], goal: readonly [number, number]) {
    checkTerrain(terrain);
    checkMembers(
      "options",
      options,
      ["limits", "travel"],
      "an object with the field, cell, sensor, clearance, limits and travel",
    );
    for (const key of ["x", "y"] as const) checkNumber(`options.${key}`, options[key]);
    for (const key of ["length", "width", "cell", "sensor"] as const) checkPositive(`options.${key}`, options[key]);
    checkLeast("options.clearance", options.clearance, 0);
    for (const [name, position] of Object.entries({ start, goal })) checkVector(name, position, 2, "x and y");
    const { x, y, length, width, cell, travel } = options;
    const size = { columns: cellsAlong(length, cell) + 1, rows: cellsAlong(width, cell) + 1, x, y, dx: cell, dy: cell };
    this.#options = options;
    const { truth, inflated } = surveyOf(terrain, options);
    this.#truth = truth;
    this.#inflated = inflated;
    const cells = size.columns * size.rows;
    this.known = {
      grid: { ...size, heights: new Float64Array(cells) },
      slope: new Float64Array(cells),
      residual: new Float64Array(cells),
      blocked: new Uint8Array(cells),
      limits: this.#truth.limits,
    };
    this.#seen = new Uint8Array(cells);
    this.#forget();
    this.#goal = this.cellAt(...goal);
    this.#goalPosition = [goal[0], goal[1]];
    this.#goalBlocked = this.#obstaclesNearGoal().length > 0 ? 1 : 0;
    this.#planner = new DStarLite(new TravelTime(this.known, travel), this.cellAt(...start), this.#goal);
  }

  /** Everything that the rover has learned, and its plan, as plain data: a copy. */
  encode(): unknown {
    return {
      seen: Int8Array.from(this.#seen),
      obstacles: Int32Array.from(this.#obstacles),
      way: Float64Array.from(this.way.flat()),
      cost: this.cost,
      plans: this.plans,
      search: this.#planner.encode(),
    };
  }

  /** Replaces all of this by encoded data, for the same ground and goal. @throws FormatError if the data do not fit */
  decode(data: unknown, path = "exploration"): void {
    const saved = savedEntries(data, ["seen", "obstacles", "way", "cost", "plans", "search"], path);
    const cells = this.#seen.length;
    const seen = savedArray(saved.seen, Int8Array, `${path}.seen`, cells);
    const obstacles = savedArray(saved.obstacles, Int32Array, `${path}.obstacles`);
    for (const [i, cell] of obstacles.entries()) checkSavedInteger(cell, 0, cells - 1, `${path}.obstacles[${i}]`);
    const way = savedArray(saved.way, Float64Array, `${path}.way`);
    if (way.length % 2 !== 0) refuseSaved(`${path}.way`, "must have x and y of every point", saved.way);
    const plan = { cost: 0, plans: 0 };
    takeSaved(plan, { cost: saved.cost, plans: saved.plans }, path);
    checkSavedInteger(plan.plans, 0, Number.MAX_SAFE_INTEGER, `${path}.plans`);
    this.#forget();
    for (let cell = 0; cell < cells; cell++) if (seen[cell] !== 0) this.#learn(cell, []);
    for (const cell of obstacles) this.#obstacles.push(cell);
    this.way = Array.from({ length: way.length / 2 }, (_, i) => [way[2 * i]!, way[2 * i + 1]!] as const);
    this.cost = plan.cost;
    this.plans = plan.plans;
    this.#planner.decode(saved.search, `${path}.search`);
  }

  /** @throws ArgumentError outside of the field. */
  cellAt(x: number, y: number): number {
    const { columns, x: x0, y: y0, dx } = this.known.grid;
    if (!this.contains(x, y))
      throw new ArgumentError("position", `(${x}, ${y}) is outside of the field that the rover has a map of`);
    return Math.round((y - y0) / dx) * columns + Math.round((x - x0) / dx);
  }

  contains(x: number, y: number): boolean {
    return isInField(this.#options, x, y);
  }

  positionOf(cell: number): readonly [number, number] {
    return centreOf(this.known.grid, cell);
  }

  /**
   * Updates the map from position (x, y). Plans again if the map has changed, or if there is no plan yet. Returns true if the path may have
   * changed. The path starts at `from`, a position that the rover will certainly reach; default: its present position.
   */
  look(x: number, y: number, from: readonly [number, number] = [x, y]): boolean {
    this.cellAt(x, y); // a position outside of the field is refused
    const changed = this.#sense(x, y);
    if (changed.length === 0 && this.plans > 0) return false;
    this.#planner.moveTo(this.#nearestFree(this.cellAt(...from)));
    if (changed.length > 0) this.#planner.changed(changed);
    const { cells, cost } = this.#planner.plan();
    this.plans++;
    this.cost = cost;
    this.way = cells.map((cell) => this.positionOf(cell));
    return true;
  }

  /** Number of seen cells that cannot be crossed. `obstaclesFrom` lists their positions from the k-th on, x and y in turn. */
  get obstacles(): number {
    return this.#obstacles.length;
  }

  obstaclesFrom(k: number): Float64Array {
    return Float64Array.from(this.#obstacles.slice(k).flatMap((cell) => this.positionOf(cell)));
  }

  /** Why there is no path; undefined if there is one. */
  get reason(): string | undefined {
    if (this.way.length > 0 || this.plans === 0) return undefined;
    const goal = this.#goal;
    if (this.known.blocked[goal] === 0)
      return `all paths to the goal are blocked by observed obstacles: ${this.#causes(this.#obstacles)}`;
    if (this.#truth.blocked[goal] !== 0) return `the goal is on ground that the rover cannot cross: ${this.#causes([goal])}`;
    const { grid, limits } = this.known;
    const near = this.#obstaclesNearGoal().filter((cell) => !isBorder(cell, grid, limits.window));
    return `the goal is nearer than ${this.#options.clearance} m to ground that the rover cannot cross: ${this.#causes(near)}`;
  }

  /** Why these cells cannot be crossed, with the largest values. */
  #causes(cells: readonly number[]): string {
    const { slope, residual, limits } = this.#truth;
    const worst = (of: Float64Array, limit: number): number =>
      cells.reduce((most, cell) => (of[cell]! > limit ? Math.max(most, of[cell]!) : most), 0);
    const [steepest, roughest] = [worst(slope, limits.slope), worst(residual, limits.step)];
    const unknown = cells.some((cell) => Number.isNaN(slope[cell]!) || Number.isNaN(residual[cell]!));
    const causes = [
      ...(steepest > 0
        ? [`too steep (${(steepest / DEGREE).toFixed(0)} deg, at most ${(limits.slope / DEGREE).toFixed(0)})`]
        : []),
      ...(roughest > 0 ? [`too rough (${roughest.toFixed(2)} m, at most ${limits.step.toFixed(2)})`] : []),
      ...(unknown ? ["not known (a hole in the map)"] : []),
    ];
    return causes.length > 0 ? causes.join(", ") : "the border of its map";
  }

  /** True if the line between two positions keeps the clearance from all obstacles that were seen. */
  keepsClearance(from: readonly [number, number], to: readonly [number, number]): boolean {
    for (const [name, position] of Object.entries({ from, to })) checkVector(name, position, 2, "x and y");
    return !this.#obstacles.some((cell) => this.#isNearLine(cell, from, to));
  }

  /** Cells that cannot be crossed, within the clearance of the goal or of the line from there to the centre of its cell. */
  #obstaclesNearGoal(): number[] {
    const { grid, blocked } = this.#truth;
    const goal = this.#goalPosition;
    const near: number[] = [];
    forCellsWithin(grid, ...goal, this.#options.clearance + grid.dx, (cell) => {
      if (blocked[cell] !== 0 && this.#isNearLine(cell, this.positionOf(this.#goal), goal)) near.push(cell);
    });
    return near;
  }

  #isNearLine(cell: number, from: readonly [number, number], to: readonly [number, number]): boolean {
    return isWithin(squaredDistanceFromLine(this.positionOf(cell), from, to), this.#options.clearance);
  }

  /** The cell itself, or the nearest one that is not blocked: a rover too close to an obstacle must be able to leave. */
  #nearestFree(cell: number): number {
    const { blocked, grid } = this.known;
    if (blocked[cell] === 0) return cell;
    const reach = Math.ceil((2 * this.#options.clearance) / grid.dx) + 1;
    const [ci, cj] = [cell % grid.columns, Math.floor(cell / grid.columns)];
    let [best, distance] = [cell, Number.POSITIVE_INFINITY];
    for (let j = Math.max(0, cj - reach); j <= Math.min(grid.rows - 1, cj + reach); j++)
      for (let i = Math.max(0, ci - reach); i <= Math.min(grid.columns - 1, ci + reach); i++) {
        const other = j * grid.columns + i;
        const far = square(i - ci) + square(j - cj);
        if (blocked[other] === 0 && far < distance) [best, distance] = [other, far];
      }
    return best;
  }

  /** Copies the cells within the sensor radius to the map. Returns the cells that changed. */
  #sense(x: number, y: number): number[] {
    const { grid, limits } = this.known;
    const changed: number[] = [];
    forCellsWithin(grid, x, y, this.#options.sensor, (cell) => {
      if (this.#seen[cell] !== 0) return;
      this.#learn(cell, changed);
      if (this.#truth.blocked[cell] !== 0 && !isBorder(cell, grid, limits.window)) this.#obstacles.push(cell);
    });
    return changed;
  }

  /** Empties the map: level ground, without obstacles except the border. */
  #forget(): void {
    const { grid, slope, residual, blocked, limits } = this.known;
    for (const values of [grid.heights, slope, residual, this.#seen]) values.fill(0);
    for (let cell = 0; cell < blocked.length; cell++)
      blocked[cell] = Number.isNaN(this.#truth.slope[cell]!) && isBorder(cell, grid, limits.window) ? 1 : 0;
    this.#obstacles.length = 0;
  }

  /** Copies a cell of the true ground to the map. An obstacle also blocks the cells within the clearance that are not seen yet. */
  #learn(cell: number, changed: number[]): void {
    const { grid, slope, residual, blocked } = this.known;
    const truth = this.#truth;
    this.#seen[cell] = 1;
    grid.heights[cell] = truth.grid.heights[cell]!;
    slope[cell] = truth.slope[cell]!;
    residual[cell] = truth.residual[cell]!;
    blocked[cell] = cell === this.#goal ? this.#goalBlocked : this.#inflated[cell]!;
    changed.push(cell);
    if (truth.blocked[cell] === 0) return;
    forCellsWithin(grid, ...centreOf(grid, cell), this.#options.clearance, (near) => {
      if (blocked[near] !== 0) return;
      blocked[near] = 1;
      changed.push(near);
    });
  }
}
