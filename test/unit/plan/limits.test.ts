/** Motions slowed down, or as fast as possible, so that loads keep their limits. */
import { describe, expect, it } from "vitest";
import { type PathLoads, timeOptimal } from "../../../src/plan/time-optimal.ts";
import { slowingFor } from "../../../src/plan/time-scaling.ts";

describe("slowing down", () => {
  it("from rest: k² = largest load / limit, with the load and the time that decide", () => {
    const times = [0, 3, 6];
    const loads = [
      [5, 23.6],
      [-2, 3],
      [1, -8],
    ];
    expect(slowingFor({ times, loads }, [30, 10])).toEqual({ factor: Math.sqrt(2.36), load: 1, time: 0 });
    expect(slowingFor({ times, loads }, [0.5, 100]).load).toBe(0);
  });

  it("with loads at rest: exactly at the limit after slowing down", () => {
    const given = { times: [0, 1], loads: [[9], [-7]], atRest: [[4], [-1]] };
    const { factor, time } = slowingFor(given, [6]);
    expect(time).toBe(0);
    expect((9 - 4) / factor ** 2 + 4).toBeCloseTo(6, 12);
    expect(slowingFor({ ...given, loads: [[3], [-7]] }, [6]).factor).toBeCloseTo(Math.sqrt(6 / 5), 12);
  });

  it("rejects loads that no slower motion can reduce", () => {
    const given = { times: [0], loads: [[9]], atRest: [[6]] };
    expect(() => slowingFor(given, [5])).toThrow("load 1 is 6 at rest at t = 0, beyond its limit of 5");
    expect(() => slowingFor(given, [0])).toThrow("limits of loads must be positive, got 0");
    expect(() => slowingFor(given, [1, 2])).toThrow("1 loads for 2 limits");
    expect(() => slowingFor({ times: [], loads: [] }, [1])).toThrow("loads at each time");
    expect(() => slowingFor({ times: [0], loads: [[Number.NaN]] }, [1])).toThrow("is NaN");
  });
});

/** One load with constant coefficients. */
const constant = (...values: readonly [number, number, number]): PathLoads => ({
  count: 1,
  at(_, ...arrays) {
    for (const [i, array] of arrays.entries()) array[0] = values[i]!;
  },
});

describe("time-optimal motion along a path", () => {
  it("a mass between two limits of force: bang-bang, t = 2 √(m / F)", () => {
    const mass: PathLoads = constant(2, 0, 0);
    const way = timeOptimal(mass, [0.5]);
    expect(way.duration).toBeCloseTo(2 * Math.sqrt(2 / 0.5), 9);
    const fast = timeOptimal(mass, [0.5], { speed: 0.2 });
    expect(fast.duration).toBeCloseTo(1 / 0.2 + 0.2 / 0.25, 2); // trapezoid; corners within one step of the grid
  });

  it("with a constant load the two halves differ: t = √(2 (1/a₁ + 1/a₂))", () => {
    const lifted: PathLoads = constant(1, 0, 1);
    const [up, down] = [3 - 1, 3 + 1];
    expect(timeOptimal(lifted, [3], { steps: 900 }).duration).toBeCloseTo(Math.sqrt(2 * (1 / up + 1 / down)), 5);
    expect(() => timeOptimal(lifted, [0.9])).toThrow("cannot be travelled");
  });

  it("keeps every limit at every step, reaches one, and is faster than any uniform slowing", () => {
    // A pendulum of unit length and mass that swings up by one radian, against gravity and a second limited load.
    const g = 9.81;
    const loads: PathLoads = {
      count: 2,
      at(s, a, b, c) {
        a[0] = 1;
        b[0] = 0.4 * Math.sin(5 * s);
        c[0] = 0.3 * g * Math.sin(s);
        a[1] = 0.2 + 0.5 * Math.cos(3 * s);
        b[1] = 1 - s;
        c[1] = 0.5;
      },
    };
    const limits = [5, 2];
    const way = timeOptimal(loads, limits, { steps: 400 });
    const [a, b, c, now] = [new Float64Array(2), new Float64Array(2), new Float64Array(2), new Float64Array(3)];
    let saturated = 0;
    for (let i = 0; i < 400; i++) {
      const t = (way.breaks[i]! + way.breaks[i + 1]!) / 2;
      way.at(t, now);
      loads.at((i + 0.5) / 400, a, b, c);
      // In the middle of a step in s, as the limits are set; ẋ is linear in s within it.
      const ends = [way.breaks[i]!, way.breaks[i + 1]! - 1e-12].map((at) => {
        way.at(at, now);
        return now[1]! ** 2;
      });
      const x = (ends[0]! + ends[1]!) / 2;
      const ratio = Math.max(...[0, 1].map((k) => Math.abs(a[k]! * now[2]! + b[k]! * x + c[k]!) / limits[k]!));
      expect(ratio).toBeLessThan(1 + 1e-8);
      if (ratio > 1 - 1e-6) saturated++;
    }
    expect(saturated).toBeGreaterThan(390);
    way.at(way.duration - 1e-9, now);
    expect(now[0]).toBeCloseTo(1, 6);
    expect(now[1]).toBeLessThan(1e-3);
  });

  it("rejects invalid input", () => {
    const loads: PathLoads = constant(Number.NaN, 0, 0);
    expect(() => timeOptimal(loads, [1])).toThrow("a of load 1");
    expect(() => timeOptimal(loads, [0])).toThrow("must be positive, got 0");
    expect(() => timeOptimal(loads, [1, 1])).toThrow("as many limits");
    expect(() => timeOptimal(loads, [1], { steps: 1 })).toThrow("at least 2 steps");
    expect(() => timeOptimal(loads, [1], { speed: 0 })).toThrow("largest speed");
  });
});
