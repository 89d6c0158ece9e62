/** Rovers that learn the ground while driving: 20 seeded fields, a walled goal, a goal on a rock. */
import { describe, expect, it } from "vitest";
import { gridOf } from "../../../src/ground/heightmap.ts";
import { craters, rocks, roughness } from "../../../src/ground/procedural.ts";
import { ledge, mound } from "../../../src/ground/shapes.ts";
import { FLAT, placeTerrain, plane, sumOf, type Terrain } from "../../../src/ground/terrain.ts";
import { Explorer } from "../../../src/plan/ground-paths/explorer.ts";
import { traversabilityOf } from "../../../src/plan/ground-paths/traversability.ts";

const FIELD = { x: -1.5, y: -1.5, length: 12, width: 12, cell: 0.25, sensor: 3, clearance: 0.4, limits: {} };
const TRAVEL = { speed: 0.1, slip: { angles: [0, 0.35], values: [0, 0.6] } };
const groundOf = (seed: number): Terrain => {
  const strewn = { x: 1.5, y: 1.5, length: 6, width: 6, seed };
  return sumOf([
    roughness({ amplitude: 0.08, wavelength: 6, octaves: 3, hurst: 0.8, seed }),
    craters({ ...strewn, count: 5, least: 0.4, most: 1.2 }),
    rocks({ ...strewn, count: 14, least: 0.12, most: 0.4 }),
  ]);
};

/** Drives from cell to cell along the plan. Returns the visited cells. */
function wander(explorer: Explorer, start: readonly [number, number], goal: readonly [number, number]): number[] {
  const cells: number[] = [];
  let at = start;
  for (let step = 0; step < 2000; step++) {
    cells.push(explorer.cellAt(...at));
    if (explorer.cellAt(...at) === explorer.cellAt(...goal)) return cells;
    explorer.look(...at);
    const here = explorer.way.findIndex(([x, y]) => explorer.cellAt(x, y) === explorer.cellAt(...at));
    const next = explorer.way[here + 1];
    if (next === undefined) return cells;
    at = next;
  }
  return cells;
}

/** Smallest distance of a polyline from points, sampled densely. */
function distanceOf(way: readonly (readonly [number, number])[], points: readonly (readonly [number, number])[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [k, [x, y]] of way.entries()) {
    const [px, py] = way[Math.max(0, k - 1)]!;
    for (let share = 0; share <= 1; share += 0.05)
      for (const [ox, oy] of points) least = Math.min(least, Math.hypot(px + share * (x - px) - ox, py + share * (y - py) - oy));
  }
  return least;
}

describe("distances", () => {
  const BLOCK = placeTerrain(mound(0.3, 0.25), 3, 3, 0);
  const obstaclesOf = (explorer: Explorer): (readonly [number, number])[] => {
    const flat = explorer.obstaclesFrom(0);
    return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!] as const);
  };

  it("every way keeps the clearance from all obstacles that were seen, for any cell and clearance", () => {
    for (const [cell, clearance] of [
      [0.2, 0.6],
      [0.2, 0.5],
      [0.25, 0.4],
      [0.1, 0.3],
      [0.3, 0.1],
      [0.7, 2.1],
      [0.15, 0.55],
    ] as const) {
      const options = { x: -1, y: -1, length: 9, width: 9, cell, sensor: 1.7, clearance, limits: {}, travel: TRAVEL };
      const explorer = new Explorer(BLOCK, options, [1.9, 1.9], [6, 6]);
      let closest = Number.POSITIVE_INFINITY;
      for (const [x, y] of [
        [1.5, 1.5],
        [2, 1.7],
        [4, 1.5],
        [5.1, 4.9],
      ] as const) {
        explorer.look(x, y);
        if (explorer.way.length > 0) closest = Math.min(closest, distanceOf(explorer.way.slice(1), obstaclesOf(explorer)));
      }
      expect(obstaclesOf(explorer).length, `cell ${cell}`).toBeGreaterThan(0);
      expect(closest, `cell ${cell}, clearance ${clearance}`).toBeGreaterThanOrEqual(clearance * (1 - 1e-9));
      expect(closest, `cell ${cell}, clearance ${clearance}`).toBeLessThan(clearance + 2 * cell); // not more than needed
    }
  });

  it("blocks exactly the cells within the clearance, also where the quotient of lengths rounds down (0.6 / 0.2)", () => {
    const options = { x: 0, y: 0, length: 6, width: 6, cell: 0.2, sensor: 20, clearance: 0.6, limits: {}, travel: TRAVEL };
    const explorer = new Explorer(BLOCK, options, [1, 1], [5, 5]);
    expect(explorer.known.grid.columns).toBe(31);
    explorer.look(1, 1);
    const obstacles = obstaclesOf(explorer);
    for (let cell = 0; cell < explorer.known.blocked.length; cell++) {
      const [x, y] = explorer.positionOf(cell);
      if (Math.min(x, y, 6 - x, 6 - y) < 1.01) continue; // the border keeps its clearance too
      const distance = Math.min(...obstacles.map(([ox, oy]) => Math.hypot(x - ox, y - oy)));
      expect(explorer.known.blocked[cell], `(${x}, ${y})`).toBe(distance < 0.6 + 1e-9 ? 1 : 0);
    }
  });

  it("the sensor sees the cells within its radius of the rover, not of the centre of its cell", () => {
    const options = { x: 0, y: 0, length: 6, width: 6, cell: 0.25, sensor: 1.1, clearance: 0, limits: {}, travel: TRAVEL };
    const slope = plane(0, 0.1, 0.05);
    for (const [x, y] of [
      [3, 3],
      [3.1, 2.93],
      [2.4, 3.37],
    ] as const) {
      const explorer = new Explorer(slope, options, [3, 3], [5, 5]);
      explorer.look(x, y);
      for (let cell = 0; cell < explorer.known.slope.length; cell++) {
        const [cx, cy] = explorer.positionOf(cell);
        const isSeen = explorer.known.slope[cell] !== 0;
        expect(isSeen, `(${cx}, ${cy}) from (${x}, ${y})`).toBe(Math.hypot(cx - x, cy - y) <= 1.1 + 1e-9);
      }
    }
  });

  it("a goal nearer to an obstacle than the clearance is refused, although the centre of its cell is far enough", () => {
    const options = { x: -2, y: -2, length: 10, width: 10, cell: 0.5, sensor: 20, clearance: 0.9, limits: {}, travel: TRAVEL };
    const explorer = new Explorer(BLOCK, options, [1, 1], [4.3, 3]);
    explorer.look(1.5, 1.5);
    const edge = Math.max(...obstaclesOf(explorer).map(([x]) => x));
    const centre = edge + 1; // of the nearest free cell to the right
    for (const [goal, isFree] of [
      [centre, true],
      [centre - 0.2, false],
      [centre + 0.2, true],
    ] as const) {
      const other = new Explorer(BLOCK, { ...options }, [1, 1], [goal, 3]);
      other.look(1.5, 1.5);
      expect(other.way.length > 0, `goal ${goal}`).toBe(isFree);
      if (!isFree) expect(other.reason).toMatch(/^the goal is nearer than 0\.9 m to ground that the rover cannot cross: too/);
    }
  });

  it("refuses a clearance that is not a number", () => {
    const options = { ...FIELD, travel: TRAVEL, clearance: Number.NaN };
    expect(() => new Explorer(FLAT, options, [0, 0], [1, 1])).toThrow(
      "options.clearance: must be a number of at least 0, got NaN",
    );
  });
});

describe("an explorer", () => {
  it("reaches its goal on 20 fields and never enters a blocked cell", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const terrain = groundOf(seed);
      const explorer = new Explorer(terrain, { ...FIELD, travel: TRAVEL }, [0, 0], [8.8, 8.8]);
      const cells = wander(explorer, [0, 0], [8.8, 8.8]);
      expect(cells.at(-1), `seed ${seed}`).toBe(explorer.cellAt(8.8, 8.8));
      const { grid } = explorer.known;
      const truth = traversabilityOf(gridOf(terrain, grid));
      for (const cell of cells) expect(truth.blocked[cell], `seed ${seed}`).toBe(0);
      expect(explorer.plans).toBeGreaterThan(10);
    }
  });

  it("reports that a wall leaves no path, without touching it", () => {
    const explorer = new Explorer(placeTerrain(ledge(0.5, 0.2), 4, 0, 0), { ...FIELD, travel: TRAVEL }, [0, 0], [8.8, 8.8]);
    const cells = wander(explorer, [0, 0], [8.8, 8.8]);
    expect(explorer.reason).toMatch(
      /^all paths to the goal are blocked by observed obstacles: too steep \(\d+ deg, at most 20\), too rough \(0\.\d+ m, at most 0\.05\)$/,
    );
    for (const cell of cells) expect(explorer.positionOf(cell)[0]).toBeLessThan(4);
  });

  it("reports a blocked goal, and positions outside of its map", () => {
    const rock = rocks({ count: 1, least: 0.8, most: 0.80001, x: 8, y: 8, length: 1e-9, width: 1e-9, seed: 1 });
    const explorer = new Explorer(rock, { ...FIELD, travel: TRAVEL }, [0, 0], [8, 8.5]);
    wander(explorer, [0, 0], [8, 8.5]);
    expect(explorer.reason).toMatch(/^the goal is on ground that the rover cannot cross: too/);
    expect(() => new Explorer(FLAT, { ...FIELD, travel: TRAVEL }, [0, 0], [80, 0])).toThrow(/\(80, 0\) is outside/);
  });
});
