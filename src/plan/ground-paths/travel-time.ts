/**
 * Expected travel time between neighbouring cells, s: distance over ground at the commanded speed less slip, increased on slopes as a penalty
 * for risk: d / (v (1 - s(α))) (1 + 2 (slope / steepest)²), with α the climb angle (downhill counts as level) and `slope` that of the
 * steeper cell.
 */
import { checkMembers, checkNumbers } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import type { HeightGrid } from "../../ground/heightmap.ts";
import { arctangent } from "../../math/elementary/arctangent.ts";
import type { TraversabilityMap } from "./traversability.ts";

/** Directed costs between neighbours of a grid. Blocked cells may change; the caller reports them to the planner. */
export interface CostGrid {
  readonly columns: number;
  readonly rows: number;
  readonly blocked: Uint8Array;
  /** Cost of the step to the neighbour (di, dj), each -1, 0 or 1; infinite if either cell, or a cell that a diagonal touches, is blocked. */
  cost(cell: number, di: number, dj: number): number;
  /** Lower bound of the cost from one cell to another, whatever lies between: bound(a, c) ≤ bound(a, b) + bound(b, c). */
  bound(from: number, to: number): number;
}

export interface TravelModel {
  /** Commanded speed, m/s. */
  readonly speed: number;
  /** Steady slip over climb angles (rad, from 0, increasing); linear between them, constant beyond. */
  readonly slip: { readonly angles: readonly number[]; readonly values: readonly number[] };
}

const RISK = 2;

export class TravelTime implements CostGrid {
  readonly columns: number;
  readonly rows: number;
  readonly blocked: Uint8Array;
  readonly #grid: HeightGrid;
  readonly #slope: Float64Array;
  readonly #steepest: number;
  readonly #model: TravelModel;
  readonly #least: number;

  constructor(map: TraversabilityMap, model: TravelModel) {
    checkMembers("map", map, ["grid", "slope", "blocked", "limits"], "a map, as traversabilityOf returns it");
    checkMembers("model", model, ["speed", "slip"], "an object with speed and slip");
    checkMembers("model.slip", model.slip, ["angles", "values"], "an object with angles and values");
    const { angles, values } = model.slip;
    checkNumbers("model.slip.angles", angles);
    checkNumbers("model.slip.values", values);
    if (!(model.speed > 0)) throw new ArgumentError("model.speed", `must be positive, got ${model.speed}`);
    if (angles.length === 0 || angles.length !== values.length || angles.some((a, i) => i > 0 && !(a > angles[i - 1]!)))
      throw new ArgumentError(
        "model.slip.angles",
        `needs as many increasing angles as values, at least one, got ${angles.length} and ${values.length}`,
      );
    if (!values.every((s) => s < 1 && s > -1))
      throw new ArgumentError("model.slip.values", `each value must be between -1 and 1, got [${values.join(", ")}]`);
    this.#grid = map.grid;
    this.columns = map.grid.columns;
    this.rows = map.grid.rows;
    this.blocked = map.blocked;
    this.#slope = map.slope;
    this.#steepest = map.limits.slope;
    this.#model = model;
    this.#least = 1 / (model.speed * (1 - Math.min(...values)));
  }

  cost(cell: number, di: number, dj: number): number {
    const { blocked, columns } = this;
    const to = cell + dj * columns + di;
    if (blocked[cell] !== 0 || blocked[to] !== 0) return Number.POSITIVE_INFINITY;
    // Diagonal steps may not cut corners, because the rover has a width.
    if (di !== 0 && dj !== 0 && (blocked[cell + di] !== 0 || blocked[cell + dj * columns] !== 0)) return Number.POSITIVE_INFINITY;
    const { heights, dx, dy } = this.#grid;
    const rise = heights[to]! - heights[cell]!;
    const level = Math.sqrt(di * di * dx * dx + dj * dj * dy * dy);
    const distance = Math.sqrt(level * level + rise * rise);
    const slope = Math.max(this.#slope[cell]!, this.#slope[to]!) / this.#steepest;
    const slip = rise > 0 ? this.#slip(arctangent(rise, level)) : this.#model.slip.values[0]!;
    return (distance / (this.#model.speed * (1 - slip))) * (1 + RISK * slope * slope);
  }

  bound(from: number, to: number): number {
    const { dx, dy } = this.#grid;
    const i = (to % this.columns) - (from % this.columns);
    const j = Math.floor(to / this.columns) - Math.floor(from / this.columns);
    return this.#least * Math.sqrt(i * i * dx * dx + j * j * dy * dy);
  }

  #slip(angle: number): number {
    const { angles, values } = this.#model.slip;
    const last = angles.length - 1;
    if (angle <= angles[0]!) return values[0]!;
    for (let k = 1; k <= last; k++)
      if (angle <= angles[k]!) {
        const f = (angle - angles[k - 1]!) / (angles[k]! - angles[k - 1]!);
        return values[k - 1]! + f * (values[k]! - values[k - 1]!);
      }
    return values[last]!;
  }
}
