/** Sums of pressure and damping over triangles: against fine sums of points, and the same for every division of a polygon. */
import { describe, expect, it } from "vitest";
import { DampedPressure } from "../../../../src/parts/force/contact/patches/damped-pressure.ts";
import { PatchStore } from "../../../../src/parts/force/contact/pressure/patch-store.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";

type Point = readonly [number, number, number];

/** A convex polygon in a plane, with a linear pressure that is positive on it. */
const NORMAL: Point = [2 / 7, 3 / 7, 6 / 7];
const [E, F]: readonly Point[] = [
  [6 / 7, 2 / 7, -3 / 7],
  [-3 / 7, 6 / 7, -2 / 7],
];
const inPlane = (u: number, v: number): Point =>
  [0, 1, 2].map((i) => 0.3 * NORMAL[i]! + u * E![i]! + v * F![i]!) as unknown as Point;
const POLYGON = [inPlane(-0.2, -0.1), inPlane(0.15, -0.2), inPlane(0.3, 0.05), inPlane(0.1, 0.25), inPlane(-0.15, 0.15)];
const pressureAt = ([x, y, z]: Point): number => 0.4 + 0.5 * x - 0.3 * y + 0.2 * z;

const centroid = (corners: readonly Point[]): Point =>
  [0, 1, 2].map((i) => corners.reduce((sum, c) => sum + c[i]!, 0) / corners.length) as unknown as Point;

function areaOf([a, b, c]: readonly Point[]): number {
  const [p, q] = [b!, c!].map((x) => x.map((v, i) => v - a![i]!)) as [number[], number[]];
  return 0.5 * Math.hypot(p[1]! * q[2]! - p[2]! * q[1]!, p[2]! * q[0]! - p[0]! * q[2]!, p[0]! * q[1]! - p[1]! * q[0]!);
}

/** Triangles of the polygon, beginning at one of its corners. */
const fan = (first: number): (readonly Point[])[] =>
  POLYGON.slice(2).map((_, i) => [0, i + 1, i + 2].map((k) => POLYGON[(first + k) % POLYGON.length]!));

const halved = ([a, b, c]: readonly Point[]): (readonly Point[])[] => {
  const [ab, bc, ca] = [
    [a!, b!],
    [b!, c!],
    [c!, a!],
  ].map(centroid) as [Point, Point, Point];
  return [
    [a!, ab, ca],
    [ab, b!, bc],
    [ca, bc, c!],
    [ab, bc, ca],
  ];
};

function storeOf(triangles: readonly (readonly Point[])[], form: "points" | "triangles"): PatchStore {
  const store = new PatchStore(8);
  for (const corners of triangles) {
    const pressures = corners.map(pressureAt);
    const sum = pressures.reduce((a, b) => a + b);
    if (form === "triangles")
      for (const [k, c] of corners.entries()) store.addNode(...c, (areaOf(corners) / 12) * (sum + pressures[k]!));
    else store.addNode(...centroid(corners), (areaOf(corners) * sum) / 3);
  }
  store.endFace(...NORMAL);
  return store;
}

function sums(store: PatchStore, form: "points" | "triangles", twist: Float64Array, damping: number): number[] {
  const pressure = new DampedPressure(damping);
  pressure.add(store, 0, 1, form, twist);
  return [...pressure.sum, pressure.load, pressure.staticLoad, pressure.lost];
}

describe("damped pressure on triangles", () => {
  const next = uniform(3);
  const twists = Array.from({ length: 40 }, () => Float64Array.from([4, 4, 4, 1, 1, 1], (most) => most * (next() - 0.5)));
  const DAMPING = 2;
  const stores = [0, 1, 3].map((first) => storeOf(fan(first), "triangles"));
  const fine = storeOf(
    fan(0).flatMap((t) => [t].flatMap(halved).flatMap(halved).flatMap(halved).flatMap(halved).flatMap(halved)),
    "points",
  );

  it("is the limit of sums over many points, and the same for every division into triangles", () => {
    let cut = 0;
    for (const twist of twists) {
      const ours = sums(stores[0]!, "triangles", twist, DAMPING);
      const size = ours[7]!;
      for (const store of stores.slice(1))
        for (const [i, value] of sums(store, "triangles", twist, DAMPING).entries())
          expect(Math.abs(value - ours[i]!)).toBeLessThan(1e-14 * (1 + size));
      // Points of triangles with 1/32 of the size: their error is of second order.
      for (const [i, value] of sums(fine, "points", twist, DAMPING).entries())
        expect(Math.abs(value - ours[i]!)).toBeLessThan(2e-3 * size);
      expect(ours[8]).toBeGreaterThanOrEqual(0);
      const factors = POLYGON.map((p) => 1 + DAMPING * approachAt(p, twist));
      if (Math.min(...factors) < 0 && Math.max(...factors) > 0) cut++;
    }
    expect(cut).toBeGreaterThan(10);
  });

  it("is the pressure alone without damping, and nothing where all points leave fast", () => {
    const still = sums(stores[0]!, "triangles", twists[0]!, 0);
    expect(still[6]).toBeCloseTo(still[7]!, 15);
    expect(still[8]).toBeCloseTo(0, 16);
    const leaving = sums(stores[0]!, "triangles", Float64Array.from([0, 0, 0, ...NORMAL.map((n) => 3 * n)]), DAMPING);
    expect(leaving[6]).toBe(0);
    expect(leaving[8]).toBeCloseTo(3 * leaving[7]!, 14); // the power with which the pressure alone would push
  });
});

/** -v·n at a point. */
const approachAt = ([x, y, z]: Point, V: Float64Array): number =>
  -(
    (V[3]! + V[1]! * z - V[2]! * y) * NORMAL[0] +
    (V[4]! + V[2]! * x - V[0]! * z) * NORMAL[1] +
    (V[5]! + V[0]! * y - V[1]! * x) * NORMAL[2]
  );
