/** A* search: the cheapest path over a grid with eight neighbours per cell. */
import { checkMembers } from "../../arguments.ts";
import { ArgumentError, valueText } from "../../errors.ts";
import { CellQueue } from "./cell-queue.ts";
import type { CostGrid } from "./travel-time.ts";

export interface PlannedPath {
  /** Cells from start to goal; empty if there is no path. */
  readonly cells: readonly number[];
  /** Infinite if there is no path. */
  readonly cost: number;
  /** Number of expanded cells. */
  readonly expanded: number;
}

export function checkCell(grid: CostGrid, cell: number, what: string): void {
  checkMembers("grid", grid, ["columns", "rows", "blocked", "cost", "bound"], "a grid of costs, e.g. a TravelTime");
  const count = grid.columns * grid.rows;
  if (!(Number.isInteger(cell) && cell >= 0 && cell < count))
    throw new ArgumentError(what, `must be a cell between 0 and ${count - 1}, got ${valueText(cell)}`);
}

export function aStar(grid: CostGrid, start: number, goal: number): PlannedPath {
  checkCell(grid, start, "start");
  checkCell(grid, goal, "goal");
  const { columns, rows } = grid;
  const g = new Float64Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(columns * rows).fill(-1);
  const queue = new CellQueue(columns * rows);
  let expanded = 0;
  if (grid.blocked[start] === 0) {
    g[start] = 0;
    queue.put(start, grid.bound(start, goal), 0);
  }
  while (queue.size > 0) {
    const cell = queue.top();
    if (cell === goal) break;
    queue.remove(cell);
    expanded++;
    const i = cell % columns;
    const j = (cell - i) / columns;
    for (let dj = j > 0 ? -1 : 0; dj <= (j < rows - 1 ? 1 : 0); dj++)
      for (let di = i > 0 ? -1 : 0; di <= (i < columns - 1 ? 1 : 0); di++) {
        if (di === 0 && dj === 0) continue;
        const to = cell + dj * columns + di;
        const cost = g[cell]! + grid.cost(cell, di, dj);
        if (!(cost < g[to]!)) continue;
        g[to] = cost;
        from[to] = cell;
        queue.put(to, cost + grid.bound(to, goal), cost);
      }
  }
  const cells: number[] = [];
  if (g[goal]! < Number.POSITIVE_INFINITY) for (let cell = goal; cell >= 0; cell = from[cell]!) cells.push(cell);
  return { cells: cells.reverse(), cost: g[goal]!, expanded };
}
