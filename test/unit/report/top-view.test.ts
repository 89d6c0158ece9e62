/** The top view of a rover run: rings around regions, relief, tracks and planned path. */
import { describe, expect, it } from "vitest";
import { mound } from "../../../src/ground/shapes.ts";
import { FLAT, plane } from "../../../src/ground/terrain.ts";
import { htmlText } from "../../../src/report/page/html.ts";
import { ringsAbove } from "../../../src/report/pictures/contours.ts";
import { drawRelief } from "../../../src/report/pictures/relief.ts";
import { safePicture } from "../../../src/report/pictures/safe-picture.ts";
import { topView } from "../../../src/report/pictures/top-view.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { rover } from "../../fixtures/models/rovers.ts";

const gridOf = (columns: number, rows: number, f: (i: number, j: number) => number) => ({
  values: Float64Array.from({ length: columns * rows }, (_, k) => f(k % columns, Math.floor(k / columns))),
  columns,
  rows,
});
/** Signed area: positive if counterclockwise. */
const areaOf = (ring: readonly number[]): number => {
  let sum = 0;
  for (let k = 0; k < ring.length; k += 2) {
    const n = (k + 2) % ring.length;
    sum += ring[k]! * ring[n + 1]! - ring[n]! * ring[k + 1]!;
  }
  return sum / 2;
};

describe("rings around regions above a level", () => {
  it("a disc, a disc with a hole, a disc cut by the border", () => {
    const disc = ringsAbove(
      gridOf(61, 61, (i, j) => -Math.hypot(i - 30, j - 30)),
      -20,
    );
    expect(disc).toHaveLength(1);
    expect(areaOf(disc[0]!)).toBeCloseTo(Math.PI * 400, -0.5);
    const ring = ringsAbove(
      gridOf(61, 61, (i, j) => -Math.abs(Math.hypot(i - 30, j - 30) - 15)),
      -5,
    );
    expect(ring).toHaveLength(2);
    expect(ring.reduce((sum, r) => sum + areaOf(r), 0)).toBeCloseTo(Math.PI * (400 - 100), -1);
    const half = ringsAbove(
      gridOf(61, 61, (i, j) => -Math.hypot(i, j - 30)),
      -20,
    );
    expect(areaOf(half[0]!)).toBeCloseTo(Math.PI * 200, -0.5);
  });

  it("for a full, an empty, and a partly unknown region, and for diagonal corners", () => {
    const level = gridOf(5, 4, () => 1);
    expect(ringsAbove(level, 0).map(areaOf)).toEqual([4 * 3]);
    expect(ringsAbove(level, 2)).toEqual([]);
    const hole = ringsAbove(
      gridOf(5, 5, (i, j) => (i === 2 && j === 2 ? Number.NaN : 1)),
      0,
    );
    expect(hole.map(areaOf).reduce((a, b) => a + b)).toBeCloseTo(16 - 2, 12);
    const across = gridOf(2, 2, (i, j) => (i === j ? 1 : -1));
    expect(ringsAbove(across, 0.5)).toHaveLength(2);
    expect(ringsAbove(across, -0.5)).toHaveLength(1);
  });
});

describe("the top view", () => {
  const window = { x: -1, y: -1, length: 2, width: 2 };
  const project = (x: number, y: number): readonly [number, number] => [100 * x, -100 * y];

  it("has no contour lines on level ground, lines without shading on a slope, both on a hill", () => {
    expect(drawRelief(FLAT, window, project).heights).toBeUndefined();
    const slope = drawRelief(plane(0, 0.1, 0), window, project);
    expect(slope.heights).toEqual([expect.closeTo(-0.1, 12), expect.closeTo(0.1, 12)]);
    const paths = (svg: string): number => svg.split("<path").length - 1;
    expect(paths(slope.svg)).toBe(2 + 11);
    expect(paths(drawRelief(mound(0.3, 0.8), window, project).svg)).toBeGreaterThan(2 + 14);
    expect(drawRelief({ sample: (_x, _y, out) => void out.fill(Number.NaN) }, window, project).svg).toContain("<path");
  });

  it("shows wheel tracks and the planned path, and is kept by the sanitiser of the page", async () => {
    const scenario = rover("rover-side-slope", "duration=1", "sample=0.1");
    const { run, system } = await runScenario(scenario);
    const { model, layout } = system;
    const journey = { model, elements: layout.elements, terrain: scenario.terrain!, log: run.log, intents: run.intents };
    const picture = topView(journey)!;
    expect(picture.size).toBe("large");
    expect(picture.about).toMatch(
      /Ground height from .* one contour line every .* Dashed: planned path to the goal \(cross\)\.$/,
    );
    expect(picture.svg).not.toMatch(/NaN|Infinity|undefined/);
    const cleaned = htmlText(safePicture(picture.svg, "p-"));
    expect(cleaned).toContain("p-ground");
    expect(topView({ ...journey, elements: [] })).toBeUndefined();
  });
});
