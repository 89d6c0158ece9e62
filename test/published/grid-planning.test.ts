/** Maps and planners: the reference terrain and its plan; D* Lite compared with A* under random changes; infeasible plans. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { gridOf } from "../../src/ground/heightmap.ts";
import { craters, randomSequence, roughness } from "../../src/ground/procedural.ts";
import { plane, sumOf } from "../../src/ground/terrain.ts";
import { aStar } from "../../src/plan/ground-paths/a-star.ts";
import { CellQueue } from "../../src/plan/ground-paths/cell-queue.ts";
import { DStarLite } from "../../src/plan/ground-paths/d-star-lite.ts";
import { TravelTime } from "../../src/plan/ground-paths/travel-time.ts";
import { traversabilityOf } from "../../src/plan/ground-paths/traversability.ts";

const { data } = JSON.parse(readFileSync(new URL("../data/rover-terrain-and-plan.json", import.meta.url), "utf8"));
const DEGREE = Math.PI / 180;
/** Steady slip on slopes of 0, 5, ... 20 degrees on Earth, six digits. */
const SLIP = {
  angles: [0, 5, 10, 15, 20].map((a) => a * DEGREE),
  values: [0.002724583711502602, 0.09681, 0.21005171428479535, 0.35613015524475305, 0.56674],
};

const fieldOf = (seed: number, n = 81, dx = 0.25) =>
  gridOf(
    sumOf([
      roughness({ amplitude: 0.15, wavelength: 8, octaves: 4, hurst: 0.8, seed }),
      craters({
        count: Math.round(14 * ((n * dx) / 20) ** 2),
        least: 0.6,
        most: 3,
        x: 0,
        y: 0,
        length: n * dx - dx,
        width: n * dx - dx,
        seed,
      }),
    ]),
    { columns: n, rows: n, x: 0, y: 0, dx, dy: dx },
  );
const timesOf = (seed: number, n?: number) => new TravelTime(traversabilityOf(fieldOf(seed, n)), { speed: 0.05, slip: SLIP });
/** The reference counts rows along x. */
const cellOf = ([i, j]: readonly [number, number], columns = 81): number => j * columns + i;

describe("the reference map", () => {
  const map = traversabilityOf(fieldOf(3));

  it("slopes, residuals and obstacles", () => {
    const at = cellOf([40, 40]);
    expect(map.slope[at]! / DEGREE).toBeCloseTo(data.map.slope_deg_40_40, 11);
    expect(map.residual[at]).toBeCloseTo(data.map.res_40_40, 13);
    expect(map.blocked.reduce((a, b) => a + b, 0)).toBe(data.map.obstacle_cells);
  });

  it("A* and D* Lite find its path, its cost and the cost around a new obstacle", () => {
    const times = new TravelTime(map, { speed: 0.05, slip: SLIP });
    const [start, goal] = [cellOf(data.plan.start), cellOf(data.plan.goal)];
    // The slip at 5 and 20 degrees is known to six digits only: 1e-7 of the cost.
    const close = (cost: number, wanted: number): void => expect(Math.abs(cost / wanted - 1)).toBeLessThan(1e-7);
    const found = aStar(times, start, goal);
    close(found.cost, data.plan.cost_s);
    expect(found.cells).toEqual(data.plan.path.map((cell: readonly [number, number]) => cellOf(cell)));
    const planner = new DStarLite(times, start, goal);
    const first = planner.plan();
    expect(Math.abs(first.cost / found.cost - 1)).toBeLessThan(1e-12);
    const [ci, cj] = data.plan.block_center;
    const wall: number[] = [];
    for (let i = ci - 2; i <= ci + 2; i++) for (let j = cj - 2; j <= cj + 2; j++) wall.push(cellOf([i, j]));
    for (const cell of wall) times.blocked[cell] = 1;
    planner.changed(wall);
    const again = planner.plan();
    close(again.cost, data.plan.replan_cost_s);
    const fresh = aStar(times, start, goal);
    expect(Math.abs(again.cost / fresh.cost - 1)).toBeLessThan(1e-12);
    expect(again.expanded).toBeLessThan(fresh.expanded);
  });
});

describe("replanning", () => {
  it("D* Lite costs what A* costs after each of 50 changes on 10 maps, while the rover moves", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const n = 60;
      const times = timesOf(seed, n);
      const next = randomSequence(1000 + seed);
      const free = (): number => {
        for (;;) {
          const cell = Math.floor(next() * n * n);
          if (times.blocked[cell] === 0) return cell;
        }
      };
      const goal = free();
      let start = free();
      const planner = new DStarLite(times, start, goal);
      for (let change = 0; change < 50; change++) {
        const cells = Array.from({ length: 1 + Math.floor(next() * 30) }, () => Math.floor(next() * n * n)).filter(
          (c) => c !== start,
        );
        // Border cells have no slope and stay blocked.
        for (const cell of cells) times.blocked[cell] = next() < 0.6 || borders(cell, n) ? 1 : 0;
        planner.changed(cells);
        const found = planner.plan();
        const wanted = aStar(times, start, goal);
        if (wanted.cost === Number.POSITIVE_INFINITY) expect(found).toMatchObject({ cost: Number.POSITIVE_INFINITY, cells: [] });
        else {
          expect(
            Math.abs(found.cost / Math.max(wanted.cost, 1e-300) - 1) < 1e-9 || found.cost === wanted.cost,
            `map ${seed}, change ${change}`,
          ).toBe(true);
          const ahead = found.cells[Math.min(3, found.cells.length - 1)]!;
          if (ahead !== goal) {
            start = ahead;
            planner.moveTo(start);
          }
        }
      }
    }
  });
});

it("on level ground, where most paths have equal cost, D* Lite finds one of the cheapest after every change", () => {
  const n = 40;
  const level = gridOf(plane(0, 0, 0), { columns: n, rows: n, x: 0, y: 0, dx: 0.25, dy: 0.25 });
  for (let seed = 1; seed <= 20; seed++) {
    const times = new TravelTime(traversabilityOf(level), { speed: 0.1, slip: { angles: [0], values: [0] } });
    const next = randomSequence(seed);
    const [goal, corner] = [cellOf([34, 35], n), cellOf([4, 3], n)];
    let start = corner;
    const planner = new DStarLite(times, start, goal);
    for (let change = 0; change < 30; change++) {
      const [ci, cj] = [2 + Math.floor(next() * 30), 2 + Math.floor(next() * 30)];
      const wall: number[] = [];
      for (let i = ci; i < ci + 5; i++) for (let j = cj; j < cj + 5; j++) wall.push(cellOf([i, j], n));
      const cells = wall.filter((c) => c !== start && c !== goal);
      for (const cell of cells) times.blocked[cell] = next() < 0.7 ? 1 : 0;
      planner.changed(cells);
      const [found, wanted] = [planner.plan(), aStar(times, start, goal)];
      expect(
        found.cost === wanted.cost || Math.abs(found.cost / wanted.cost - 1) < 1e-12,
        `field ${seed}, change ${change}`,
      ).toBe(true);
      expect(found.cells.length > 0).toBe(wanted.cells.length > 0);
      if (found.cells.length > 4) {
        start = found.cells[2]!;
        planner.moveTo(start);
      }
    }
  }
});

const borders = (cell: number, n: number): boolean => {
  const [i, j] = [cell % n, Math.floor(cell / n)];
  return i < 2 || j < 2 || i >= n - 2 || j >= n - 2;
};

describe("infeasible plans", () => {
  it("a walled goal has no path, and none is returned", () => {
    const times = new TravelTime(traversabilityOf(gridOf(plane(0, 0, 0), { columns: 20, rows: 20, x: 0, y: 0, dx: 1, dy: 1 })), {
      speed: 1,
      slip: { angles: [0], values: [0] },
    });
    for (let j = 0; j < 20; j++) times.blocked[j * 20 + 10] = 1;
    expect(aStar(times, cellOf([4, 4], 20), cellOf([15, 15], 20))).toMatchObject({ cost: Number.POSITIVE_INFINITY, cells: [] });
    expect(new DStarLite(times, cellOf([4, 4], 20), cellOf([15, 15], 20)).plan()).toMatchObject({
      cost: Number.POSITIVE_INFINITY,
      cells: [],
    });
    expect(() => aStar(times, -1, 3)).toThrow(/start.*-1/);
    expect(() => new DStarLite(times, 0, 400)).toThrow(/goal.*400/);
  });

  it("unknown heights block the cells around them", () => {
    const grid = gridOf(plane(0, 0.1, 0), { columns: 20, rows: 20, x: 0, y: 0, dx: 1, dy: 1 });
    grid.heights[10 * 20 + 10] = Number.NaN;
    const map = traversabilityOf(grid);
    expect(map.blocked[10 * 20 + 12]).toBe(1);
    expect(map.blocked[10 * 20 + 13]).toBe(0);
    expect(map.slope[10 * 20 + 13]).toBeCloseTo(Math.atan(0.1), 12);
  });
});

it("the queue returns cells in order, after any inserts, moves and removals", () => {
  const next = randomSequence(7);
  const queue = new CellQueue(200);
  const keys = new Map<number, readonly [number, number]>();
  for (let k = 0; k < 5000; k++) {
    const cell = Math.floor(next() * 200);
    if (next() < 0.3) {
      queue.remove(cell);
      keys.delete(cell);
    } else {
      const key = [Math.floor(next() * 20), next()] as const;
      queue.put(cell, ...key);
      keys.set(cell, key);
    }
    expect(queue.size).toBe(keys.size);
    if (keys.size === 0) continue;
    const least = [...keys.values()].reduce((a, b) => (b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a));
    expect([queue.firstKey(queue.top()), queue.secondKey(queue.top())]).toEqual(least);
  }
});
