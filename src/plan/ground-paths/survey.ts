/** The field of an exploration: its cells, the true ground, and the cells that are nearer to an obstacle than the clearance. */
import { gridOf, type HeightGrid } from "../../ground/heightmap.ts";
import type { Terrain } from "../../ground/terrain.ts";
import { square } from "../../math/elementary/power.ts";
import type { TravelModel } from "./travel-time.ts";
import { type TraversabilityLimits, type TraversabilityMap, traversabilityOf } from "./traversability.ts";

export interface Exploration {
  /** The mapped field: corner, sides and cell size, m. */
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly width: number;
  readonly cell: number;
  /** Sensor radius, m: the rover sees the cells whose centre is within this distance of its own position. */
  readonly sensor: number;
  /** Distance that the centre of the rover keeps from the centres of cells that it cannot cross, m. */
  readonly clearance: number;
  readonly limits: TraversabilityLimits;
  readonly travel: TravelModel;
}

/** Height samples along the side of a cell, so that a rock smaller than a cell is not missed. */
const DETAIL = 3;
/** Lengths are equal within this share: 0.6 m is three cells of 0.2 m, although 0.6 / 0.2 is less than 3 in floating point. */
const SAME_LENGTH = 1e-9;

/** Number of whole cells along a side of a field. */
export const cellsAlong = (side: number, cell: number): number => Math.floor((side / cell) * (1 + SAME_LENGTH));

export const isWithin = (squaredDistance: number, radius: number): boolean =>
  squaredDistance <= square(radius * (1 + SAME_LENGTH));

/** True if a position belongs to a cell of the field. */
export function isInField(
  { x: x0, y: y0, length, width, cell }: Pick<Exploration, "x" | "y" | "length" | "width" | "cell">,
  x: number,
  y: number,
): boolean {
  const [i, j] = [Math.round((x - x0) / cell), Math.round((y - y0) / cell)];
  return i >= 0 && j >= 0 && i <= cellsAlong(length, cell) && j <= cellsAlong(width, cell);
}

/** The true ground of a field: what can be crossed, and the blocked cells with the clearance around them. */
interface Survey {
  readonly truth: TraversabilityMap;
  readonly inflated: Uint8Array;
}

/** Surveys by the exploration for which they were made, so that all runs of a controller share one. */
const surveys = new WeakMap<Exploration, Survey & { readonly terrain: Terrain }>();

export function surveyOf(terrain: Terrain, exploration: Exploration): Survey {
  const known = surveys.get(exploration);
  if (known?.terrain === terrain) return known;
  const { x, y, length, width, cell, limits, clearance } = exploration;
  const [dx, dy] = [cell / DETAIL, cell / DETAIL];
  const fine = { columns: cellsAlong(length, cell) * DETAIL + 1, rows: cellsAlong(width, cell) * DETAIL + 1, x, y, dx, dy };
  const truth = traversabilityOf(gridOf(terrain, fine), limits, DETAIL);
  const survey = { terrain, truth, inflated: inflateObstacles(truth, clearance) };
  surveys.set(exploration, survey);
  return survey;
}

/** Blocked cells, and all cells whose centre is within the clearance of the centre of one. */
function inflateObstacles({ grid, blocked }: TraversabilityMap, clearance: number): Uint8Array {
  const out = Uint8Array.from(blocked);
  for (let cell = 0; cell < blocked.length; cell++)
    if (blocked[cell] !== 0)
      forCellsWithin(grid, ...centreOf(grid, cell), clearance, (near) => {
        out[near] = 1;
      });
  return out;
}

type CellGrid = Pick<HeightGrid, "columns" | "rows" | "x" | "y" | "dx">;

export const centreOf = ({ columns, x, y, dx }: CellGrid, cell: number): readonly [number, number] => [
  x + (cell % columns) * dx,
  y + Math.floor(cell / columns) * dx,
];

/** Visits all cells whose centre is within the radius of (x, y). */
export function forCellsWithin(
  { columns, rows, x: x0, y: y0, dx }: CellGrid,
  x: number,
  y: number,
  radius: number,
  visit: (cell: number) => void,
): void {
  const [u, v, reach] = [(x - x0) / dx, (y - y0) / dx, radius / dx];
  const far = Math.ceil(reach) + 1;
  for (let j = Math.max(0, Math.floor(v) - far); j <= Math.min(rows - 1, Math.ceil(v) + far); j++)
    for (let i = Math.max(0, Math.floor(u) - far); i <= Math.min(columns - 1, Math.ceil(u) + far); i++)
      if (isWithin(square(i - u) + square(j - v), reach)) visit(j * columns + i);
}

/** Cells at the border have no complete window of heights. */
export const isBorder = (cell: number, { columns, rows }: Pick<HeightGrid, "columns" | "rows">, window: number): boolean => {
  const [i, j] = [cell % columns, Math.floor(cell / columns)];
  return i < window || j < window || i >= columns - window || j >= rows - window;
};

/** Square of the distance of a point from the line between two points. */
export function squaredDistanceFromLine(
  [x, y]: readonly [number, number],
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): number {
  const [dx, dy] = [bx - ax, by - ay];
  const squaredLength = dx * dx + dy * dy;
  const share = squaredLength > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / squaredLength)) : 0;
  return square(ax + share * dx - x) + square(ay + share * dy - y);
}
