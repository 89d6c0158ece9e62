/** Contract of planners over ground: after any sequence of calls, in any order, the cost is that of Dijkstra's search and the path has that cost. */
import { describe, expect, it } from "vitest";
import { rocks } from "../../src/ground/procedural.ts";
import { aStar, type PlannedPath } from "../../src/plan/ground-paths/a-star.ts";
import { DStarLite } from "../../src/plan/ground-paths/d-star-lite.ts";
import { Explorer } from "../../src/plan/ground-paths/explorer.ts";
import { type CostGrid, TravelTime } from "../../src/plan/ground-paths/travel-time.ts";
import { uniform } from "../fixtures/models/random-model.ts";

/** Costs are sums of the same steps in another order. */
const ROUNDING = 1e-12;

/** Costs from every cell to the goal by Dijkstra's search over an unsorted list: no bounds, no queue, no memory. */
function dijkstra(grid: CostGrid, goal: number): Float64Array {
  const { columns, rows, blocked } = grid;
  const costs = new Float64Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  if (blocked[goal] === 0) costs[goal] = 0;
  const open = new Set(costs.keys());
  for (;;) {
    let nearest = -1;
    for (const cell of open) if (costs[cell]! < (nearest < 0 ? Number.POSITIVE_INFINITY : costs[nearest]!)) nearest = cell;
    if (nearest < 0) return costs;
    open.delete(nearest);
    for (const [di, dj] of STEPS) {
      const [i, j] = [(nearest % columns) - di, Math.floor(nearest / columns) - dj];
      if (i < 0 || j < 0 || i >= columns || j >= rows) continue;
      const from = j * columns + i;
      const cost = grid.cost(from, di, dj) + costs[nearest]!;
      if (cost < costs[from]!) costs[from] = cost;
    }
  }
}

const STEPS = [-1, 0, 1].flatMap((di) => [-1, 0, 1].map((dj) => [di, dj] as const)).filter(([di, dj]) => di !== 0 || dj !== 0);

/** Cost of a path, step by step; infinite if it jumps. */
function costOf(grid: CostGrid, cells: readonly number[]): number {
  let sum = 0;
  for (const [k, cell] of cells.entries()) {
    if (k === 0) continue;
    const before = cells[k - 1]!;
    const di = (cell % grid.columns) - (before % grid.columns);
    const dj = Math.floor(cell / grid.columns) - Math.floor(before / grid.columns);
    if (Math.max(Math.abs(di), Math.abs(dj)) !== 1) return Number.POSITIVE_INFINITY;
    sum += grid.cost(before, di, dj);
  }
  return sum;
}

/** Compares a plan with the true costs to the goal. */
function checkPlan(grid: CostGrid, start: number, goal: number, plan: Pick<PlannedPath, "cells" | "cost">, where: string): void {
  const wanted = dijkstra(grid, goal)[start]!;
  const isEqual = plan.cost === wanted || Math.abs(plan.cost - wanted) <= ROUNDING * wanted;
  expect(isEqual, `${where}: cost ${plan.cost} instead of ${wanted}`).toBe(true);
  if (wanted === Number.POSITIVE_INFINITY) {
    expect(plan.cells, where).toEqual([]);
    return;
  }
  expect([plan.cells[0], plan.cells.at(-1)], where).toEqual([start, goal]);
  expect(Math.abs(costOf(grid, plan.cells) - wanted), where).toBeLessThanOrEqual(ROUNDING * wanted);
}

/** A grid with cells of random cost, some of them blocked. Diagonal steps do not cut corners. */
function randomGrid(next: () => number): CostGrid & { readonly weights: Float64Array } {
  const [columns, rows] = [1 + Math.floor(9 * next()), 1 + Math.floor(9 * next())];
  const isLevel = next() < 0.3;
  const weights = Float64Array.from({ length: columns * rows }, () => (isLevel ? 1 : 1 + 4 * next()));
  const blocked = Uint8Array.from(weights, () => (next() < 0.25 ? 1 : 0));
  return {
    ...{ columns, rows, blocked, weights },
    cost(cell, di, dj) {
      const to = cell + dj * columns + di;
      const touched = [cell, to, ...(di !== 0 && dj !== 0 ? [cell + di, cell + dj * columns] : [])];
      if (touched.some((other) => blocked[other] !== 0)) return Number.POSITIVE_INFINITY;
      return Math.hypot(di, dj) * weights[to]!; // differs from the way back
    },
    bound: (from, to) => Math.hypot((to % columns) - (from % columns), Math.floor(to / columns) - Math.floor(from / columns)),
  };
}

describe("planners after random sequences of calls", () => {
  it("A* and D* Lite cost what Dijkstra's search costs: moves, changes, plans, saving and restoring, in any order", () => {
    const seen = { plans: 0, unreachable: 0, movedOnly: 0 };
    for (let seed = 1; seed <= 1500; seed++) {
      const next = uniform(seed);
      const grid = randomGrid(next);
      const count = grid.columns * grid.rows;
      const cell = (): number => Math.floor(count * next());
      const [first, goal] = [cell(), cell()];
      let start = first;
      let planner = new DStarLite(grid, start, goal);
      let last = "";
      for (let call = 0; call < 12; call++) {
        const choice = next();
        const where = `sequence ${seed}, call ${call}`;
        if (choice < 0.35) {
          start = cell();
          planner.moveTo(start);
          last = "move";
        } else if (choice < 0.55) {
          const cells = Array.from({ length: Math.floor(4 * next()) }, cell);
          for (const changed of cells) {
            if (next() < 0.5) grid.blocked[changed] = next() < 0.5 ? 1 : 0;
            else grid.weights[changed] = 1 + 4 * next();
          }
          if (next() < 0.3) {
            start = cell();
            planner.moveTo(start); // between the change and its report
          }
          planner.changed(cells);
          last = "change";
        } else if (choice < 0.65) {
          const saved = structuredClone(planner.encode());
          planner = new DStarLite(grid, first, goal);
          planner.decode(saved);
        } else {
          const plan = planner.plan();
          checkPlan(grid, start, goal, plan, where);
          checkPlan(grid, start, goal, aStar(grid, start, goal), `${where}, A*`);
          seen.plans++;
          if (plan.cost === Number.POSITIVE_INFINITY) seen.unreachable++;
          if (last === "move") seen.movedOnly++;
          last = "plan";
        }
      }
    }
    expect(seen.plans).toBeGreaterThan(5000);
    expect(seen.unreachable).toBeGreaterThan(500);
    expect(seen.movedOnly).toBeGreaterThan(1000);
  });

  it("an explorer costs what Dijkstra's search on its map costs, wherever it looks and sets off", () => {
    const travel = { speed: 0.1, slip: { angles: [0, 0.35], values: [0, 0.6] } };
    for (let seed = 1; seed <= 12; seed++) {
      const next = uniform(seed);
      const ground = rocks({ x: 0, y: 0, length: 5, width: 4, seed, count: 5, least: 0.1, most: 0.5 });
      const options = { x: 0, y: 0, length: 5, width: 4, cell: 0.25, sensor: 1.1, clearance: 0.3, limits: {}, travel };
      const position = (): readonly [number, number] => [5 * next(), 4 * next()];
      const goal = position();
      const explorer = new Explorer(ground, options, position(), goal);
      for (let call = 0; call < 10; call++) {
        const from = position();
        if (!explorer.look(...position(), from)) continue;
        const { known, cost, way } = explorer;
        const cells = way.map(([x, y]) => explorer.cellAt(x, y));
        const cellFrom = explorer.cellAt(...from);
        if (known.blocked[cellFrom] === 0)
          checkPlan(new TravelTime(known, travel), cellFrom, explorer.cellAt(...goal), { cost, cells }, `field ${seed}`);
      }
    }
  });
});
