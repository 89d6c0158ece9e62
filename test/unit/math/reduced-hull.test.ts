/** Hulls with fewer corners lie inside of the full ones, as far as they say. */
import { expect, it } from "vitest";
import { convexHull } from "../../../src/math/convex/convex-hull.ts";
import { volumeOf } from "../../../src/math/convex/polytope.ts";
import { fibonacciDirections, reducedHull } from "../../../src/math/convex/reduced-hull.ts";

it("of a ball", () => {
  const full = convexHull(fibonacciDirections(800));
  const { hull, inside } = reducedHull(full, 150);
  expect(hull.corners.length).toBeLessThanOrEqual(150);
  expect(hull.corners.length).toBeGreaterThan(100);
  // A face of n points on the unit sphere is about 2 π / (3 √3 n) · 2 below it.
  expect(inside).toBeGreaterThan(0.005);
  expect(inside).toBeLessThan(0.04);
  expect(volumeOf(hull).volume).toBeLessThan(volumeOf(full).volume);
  expect(volumeOf(hull).volume).toBeGreaterThan((1 - inside) ** 3 * volumeOf(full).volume);
});

it("of a box is the box", () => {
  const box = convexHull([0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, 2 * (i & 2), 3 * (i & 4)]));
  const { hull, inside } = reducedHull(box, 100);
  expect(hull.corners).toEqual(box.corners);
  expect(inside).toBeLessThan(1e-12);
});
