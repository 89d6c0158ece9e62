import { describe, expect, it } from "vitest";
import { gridOf, heightmap } from "../../../src/ground/heightmap.ts";
import { craters, gridHash, rocks, roughness, scatterCraters } from "../../../src/ground/procedural.ts";
import { crater, ledge, mound, ridge } from "../../../src/ground/shapes.ts";
import { heightAt, placeTerrain, plane, sumOf, type Terrain } from "../../../src/ground/terrain.ts";

/** The reference field: 81 × 81 points, 0.25 m apart, seed 3. */
const FIELD = { count: 14, least: 0.6, most: 3, x: 0, y: 0, length: 20, width: 20, seed: 3 };
const ROUGH = { amplitude: 0.15, wavelength: 8, octaves: 4, hurst: 0.8, seed: 3 };
const REFERENCE = sumOf([roughness(ROUGH), craters(FIELD)]);

const TERRAINS: Readonly<Record<string, Terrain>> = {
  plane: plane(1, 0.2, -0.1),
  ridge: ridge(0.06, 0.6),
  "ridge on one side": ridge(0.06, 0.6, 0, 0.1),
  mound: mound(0.3, 1.1),
  ledge: ledge(0.2, 0.3),
  crater: crater(0.9),
  roughness: roughness(ROUGH),
  craters: craters(FIELD),
  rocks: rocks({ ...FIELD, count: 200, least: 0.1, most: 0.5 }),
  placed: placeTerrain(ridge(0.3, 2, 0.1, 0.5), 0.3, -0.4, 0.7),
  heightmap: heightmap(gridOf(REFERENCE, { columns: 81, rows: 81, x: -10, y: -10, dx: 0.25, dy: 0.25 })),
};

describe("terrain", () => {
  it.each(Object.keys(TERRAINS))("%s: slopes are the derivatives of the height", (name) => {
    const terrain = TERRAINS[name]!;
    const out = new Float64Array(3);
    const h = 1e-5;
    for (let k = 0; k < 300; k++) {
      const x = 1.5 * gridHash(k, 1, 5);
      const y = 1.5 * gridHash(k, 2, 5);
      terrain.sample(x, y, out);
      const [, zx, zy] = out as unknown as [number, number, number];
      const dx = (heightAt(terrain, x + h, y) - heightAt(terrain, x - h, y)) / (2 * h);
      const dy = (heightAt(terrain, x, y + h) - heightAt(terrain, x, y - h)) / (2 * h);
      expect(Math.abs(zx - dx) + Math.abs(zy - dy), `at ${x}, ${y}`).toBeLessThan(1e-7);
    }
  });

  it.each(Object.keys(TERRAINS))("%s: is nowhere steeper than it says, but not much less somewhere", (name) => {
    const terrain = TERRAINS[name]!;
    const isField = name === "craters" || name === "rocks"; // features of a field overlap without bound
    expect(terrain.steepest === undefined).toBe(isField);
    if (terrain.steepest === undefined) return;
    const out = new Float64Array(3);
    let steepest = 0;
    for (let k = 0; k < 20_000; k++) {
      terrain.sample(9 * gridHash(k, 1, 5), 9 * gridHash(k, 2, 5), out);
      steepest = Math.max(steepest, Math.sqrt(out[1]! * out[1]! + out[2]! * out[2]!));
    }
    expect(steepest).toBeLessThanOrEqual(terrain.steepest * (1 + 1e-12));
    expect(steepest).toBeGreaterThan(terrain.steepest / 12);
  });

  it("the reference field is reproduced to the last digit", () => {
    expect(gridHash(0, 0, 3)).toBe(0.5420998915895121);
    expect(gridHash(1, 2, 3)).toBe(0.0016940084755638907);
    expect(gridHash(-1, 5, 7)).toBe(0.11610773324875812);
    expect(scatterCraters(FIELD)[0]).toEqual({
      x: 5.5197174567729235,
      y: 12.421094407327473,
      radius: expect.closeTo(0.7334033803268868, 14),
    });
    const at = (i: number, j: number): number => heightAt(REFERENCE, 0.25 * i, 0.25 * j);
    expect(at(0, 0)).toBeCloseTo(0.08385905753334337, 13);
    expect(at(40, 40)).toBeCloseTo(-0.26828592289089814, 13);
    expect(at(10, 70)).toBeCloseTo(-0.03639855808497434, 13);
    expect(at(80, 80)).toBeCloseTo(0.04479409689097506, 13);
    expect(at(63, 17)).toBeCloseTo(-0.09657782776757144, 13);
  });

  it("a heightmap passes through its heights, is exact for planes up to its border, and is unknown beyond", () => {
    const grid = gridOf(plane(0.5, 0.3, -0.2), { columns: 5, rows: 4, x: 1, y: 2, dx: 0.5, dy: 0.25 });
    const map = heightmap(grid);
    const out = new Float64Array(3);
    for (const [x, y] of [
      [1, 2],
      [3, 2.75],
      [1.1, 2.7],
      [2.9, 2.01],
    ] as const) {
      map.sample(x, y, out);
      expect([...out]).toEqual([0.5 + 0.3 * x - 0.2 * y, 0.3, -0.2].map((v) => expect.closeTo(v, 12)));
    }
    expect(heightAt(map, 0.999, 2)).toBeNaN();
    expect(heightAt(map, 2, 2.751)).toBeNaN();
    grid.heights[7] = Number.NaN;
    expect(heightAt(map, 2.1, 2.3)).toBeNaN();
  });

  it("slopes of a heightmap are continuous across cells", () => {
    const map = heightmap(gridOf(REFERENCE, { columns: 41, rows: 41, x: 0, y: 0, dx: 0.25, dy: 0.25 }));
    const [before, after] = [new Float64Array(3), new Float64Array(3)];
    for (let k = 1; k < 39; k++) {
      map.sample(0.25 * k - 1e-9, 3.3, before);
      map.sample(0.25 * k + 1e-9, 3.3, after);
      for (let c = 0; c < 3; c++) expect(Math.abs(after[c]! - before[c]!)).toBeLessThan(1e-7);
    }
  });
});
