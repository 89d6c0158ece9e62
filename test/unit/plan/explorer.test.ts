/** Rovers that learn the ground while driving: 20 seeded fields, a walled goal, a goal on a rock. */
import { describe, expect, it } from "vitest";
import { gridOf } from "../../../src/ground/heightmap.ts";
import { craters, rocks, roughness } from "../../../src/ground/procedural.ts";
import { ledge } from "../../../src/ground/shapes.ts";
import { FLAT, placeTerrain, sumOf, type Terrain } from "../../../src/ground/terrain.ts";
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
