/**
 * A rover that learns the ground while it drives. Its map starts empty (level, without obstacles). The cells within the sensor radius are
 * copied from the true ground, and D* Lite keeps the cheapest path to the goal up to date.
 */

import { checkMembers, checkPositive, checkVector } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import { gridOf, type HeightGrid } from "../../ground/heightmap.ts";
import { checkTerrain, type Terrain } from "../../ground/terrain.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { square } from "../../math/elementary/power.ts";
import { checkSavedInteger, refuseSaved, savedArray, savedEntries, takeSaved } from "../../saved-data.ts";
import { DStarLite } from "./d-star-lite.ts";
import { type TravelModel, TravelTime } from "./travel-time.ts";
import { type TraversabilityLimits, type TraversabilityMap, traversabilityOf } from "./traversability.ts";

export interface Exploration {
  /** The mapped field: corner, sides and cell size, m. */
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly width: number;
  readonly cell: number;
  /** Sensor radius, m. */
  readonly sensor: number;
  /** Distance that the centre of the rover keeps from cells that it cannot cross, m. */
  readonly clearance: number;
  readonly limits: TraversabilityLimits;
  readonly travel: TravelModel;
}

const DEGREE = Math.PI / 180;
/** Height samples along the side of a cell, so that a rock smaller than a cell is not missed. */
const DETAIL = 3;

type ExplorationField = Pick<Exploration, "x" | "y" | "length" | "width" | "cell">;

/** True if a position belongs to a cell of the field. */
export function isInField({ x: x0, y: y0, length, width, cell }: ExplorationField, x: number, y: number): boolean {
  const [i, j] = [Math.round((x - x0) / cell), Math.round((y - y0) / cell)];
  return i >= 0 && j >= 0 && i <= Math.floor(length / cell) && j <= Math.floor(width / cell);
}

/** The true ground of a field: what can be crossed, and the blocked cells with the clearance around them. */
interface Survey {
  readonly truth: TraversabilityMap;
  readonly inflated: Uint8Array;
}

/** Surveys by the exploration for which they were made, so that all runs of a controller share one. */
const surveys = new WeakMap<Exploration, Survey & { readonly terrain: Terrain }>();

function surveyOf(terrain: Terrain, exploration: Exploration): Survey {
  const known = surveys.get(exploration);
  if (known?.terrain === terrain) return known;
  const { columns, rows, cell } = fieldSize(exploration);
  const { x, y, limits, clearance } = exploration;
  const [dx, dy] = [cell / DETAIL, cell / DETAIL];
  const fine = { columns: (columns - 1) * DETAIL + 1, rows: (rows - 1) * DETAIL + 1, x, y, dx, dy };
  const truth = traversabilityOf(gridOf(terrain, fine), limits, DETAIL);
  const survey = { terrain, truth, inflated: inflateObstacles(truth, clearance) };
  surveys.set(exploration, survey);
  return survey;
}

const fieldSize = ({ length, width, cell }: Exploration) => ({
  columns: Math.floor(length / cell) + 1,
  rows: Math.floor(width / cell) + 1,
  cell,
});

export class Explorer {
  /** The map as known so far. */
  readonly known: TraversabilityMap;
  readonly #truth: TraversabilityMap;
  readonly #inflated: Uint8Array;
  readonly #options: Exploration;
  readonly #goal: number;
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
    for (const key of ["length", "width", "cell", "sensor"] as const) checkPositive(`options.${key}`, options[key]);
    for (const [name, position] of Object.entries({ start, goal })) checkVector(name, position, 2, "x and y");
    const { x, y, cell, travel } = options;
    const { columns, rows } = fieldSize(options);
    const size = { columns, rows, x, y, dx: cell, dy: cell };
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
    for (let cell = 0; cell < cells; cell++) if (seen[cell] !== 0) this.#learn(cell);
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
    const { columns, x, y, dx } = this.known.grid;
    return [x + (cell % columns) * dx, y + Math.floor(cell / columns) * dx];
  }

  /**
   * Updates the map from position (x, y). Plans again if the map has changed, or if there is no plan yet. Returns true if the path may have
   * changed. The path starts at `from`, a position that the rover will certainly reach; default: its present position.
   */
  look(x: number, y: number, from: readonly [number, number] = [x, y]): boolean {
    const cell = this.cellAt(x, y);
    const changed = this.#sense(cell);
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
    const near = this.#obstacles.filter((cell) => this.#distance(cell, goal) <= this.#options.clearance);
    if (this.#truth.blocked[goal] !== 0) return `the goal is on ground that the rover cannot cross: ${this.#causes([goal])}`;
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

  #distance(a: number, b: number): number {
    const { columns, dx } = this.known.grid;
    return dx * hypotenuse((a % columns) - (b % columns), Math.floor(a / columns) - Math.floor(b / columns));
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

  /** Copies the cells within the sensor radius to the map. Returns the cells that were new. */
  #sense(centre: number): number[] {
    const { columns, rows, dx } = this.known.grid;
    const reach = Math.floor(this.#options.sensor / dx);
    const [ci, cj] = [centre % columns, Math.floor(centre / columns)];
    const changed: number[] = [];
    for (let j = Math.max(0, cj - reach); j <= Math.min(rows - 1, cj + reach); j++)
      for (let i = Math.max(0, ci - reach); i <= Math.min(columns - 1, ci + reach); i++) {
        const cell = j * columns + i;
        if (this.#seen[cell] !== 0 || square(i - ci) + square(j - cj) > reach * reach) continue;
        this.#learn(cell);
        if (this.#truth.blocked[cell] !== 0 && !isBorder(cell, this.known.grid, this.known.limits.window))
          this.#obstacles.push(cell);
        changed.push(cell);
      }
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

  /** Copies a cell of the true ground to the map. */
  #learn(cell: number): void {
    this.#seen[cell] = 1;
    this.known.grid.heights[cell] = this.#truth.grid.heights[cell]!;
    this.known.slope[cell] = this.#truth.slope[cell]!;
    this.known.residual[cell] = this.#truth.residual[cell]!;
    this.known.blocked[cell] = this.#inflated[cell]!;
  }
}

const isBorder = (cell: number, { columns, rows }: Pick<HeightGrid, "columns" | "rows">, window: number): boolean => {
  const [i, j] = [cell % columns, Math.floor(cell / columns)];
  return i < window || j < window || i >= columns - window || j >= rows - window;
};

/** Blocked cells, and all cells within the clearance around them. */
function inflateObstacles({ grid, blocked }: TraversabilityMap, clearance: number): Uint8Array {
  const { columns, rows, dx } = grid;
  const reach = Math.floor(clearance / dx);
  const out = Uint8Array.from(blocked);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      if (blocked[j * columns + i] === 0) continue;
      for (let b = Math.max(0, j - reach); b <= Math.min(rows - 1, j + reach); b++)
        for (let a = Math.max(0, i - reach); a <= Math.min(columns - 1, i + reach); a++)
          if (square(a - i) + square(b - j) <= reach * reach) out[b * columns + a] = 1;
    }
  return out;
}
