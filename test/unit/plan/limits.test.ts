/** Motions slowed down, or as fast as possible, so that loads keep their limits. */
import { describe, expect, it } from "vitest";
import type { PathLoads } from "../../../src/plan/grid-step.ts";
import { timeOptimal } from "../../../src/plan/time-optimal.ts";
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
    expect(() => timeOptimal(lifted, [0.9])).toThrow(
      "the path cannot be travelled within the limits: at s = 0.0000 load 1 is 1 at rest, beyond its limit of 0.9, and no speed that the " +
        "path can have there reduces it enough",
    );
    expect(() => timeOptimal(lifted, [1])).toThrow("and its limit of 1 leaves nothing to set the path in motion");
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
    const ratioAt = (t: number): number => {
      way.at(t, now);
      loads.at(now[0]!, a, b, c);
      return Math.max(...[0, 1].map((k) => Math.abs(a[k]! * now[2]! + b[k]! * now[1]! ** 2 + c[k]!) / limits[k]!));
    };
    let saturated = 0;
    for (let i = 0; i < 400; i++) {
      const [from, to] = [way.breaks[i]!, way.breaks[i + 1]!];
      let most = 0;
      for (let share = 0; share < 1; share += 1 / 16) most = Math.max(most, ratioAt(from + share * (to - from)));
      most = Math.max(most, ratioAt(to - 1e-9 * (to - from)));
      expect(most).toBeLessThanOrEqual(1 + 1e-9);
      if (most > 1 - 1e-6) saturated++;
    }
    expect(saturated).toBeGreaterThan(390);
    way.at(way.duration - 1e-9, now);
    expect(now[0]).toBeCloseTo(1, 6);
    expect(now[1]).toBeLessThan(1e-3);
  });

  it("a path whose derivative vanishes at its ends, and between: as fast as the same way without, t = 2 √(m / F)", () => {
    // q = 10 s³ - 15 s⁴ + 6 s⁵, so q' and q'' are zero at the ends: no load limits ṡ there.
    const quintic: PathLoads = {
      count: 1,
      at(s, a, b, c) {
        a[0] = 2 * 30 * (s * (1 - s)) ** 2;
        b[0] = 2 * 60 * s * (1 - s) * (1 - 2 * s);
        c[0] = 0;
      },
    };
    const fastest = 2 * Math.sqrt(2 / 0.5);
    for (const [steps, excess] of [
      [100, 0.05],
      [500, 0.01],
      [2000, 0.002],
    ] as const) {
      const way = timeOptimal(quintic, [0.5], { steps });
      expect(way.duration).toBeGreaterThan(fastest);
      expect(way.duration).toBeLessThan(fastest * (1 + excess));
    }
    // The same way twice in a row: where the derivative vanishes, in the middle, a motion with any finite ṡ rests. So it takes twice as long.
    const twice: PathLoads = {
      count: 1,
      at(s, a, b, c) {
        quintic.at((2 * s) % 1, a, b, c);
        a[0]! *= 2;
        b[0]! *= 4;
      },
    };
    const inTwo = timeOptimal(twice, [0.5], { steps: 2000 }).duration;
    expect(inTwo).toBeGreaterThan(2 * fastest);
    expect(inTwo).toBeLessThan(2 * fastest * 1.005);
  });

  it("a load that only speed can bring below its limit is passed fast enough, or refused", () => {
    // At the middle the load is 1.5 at rest, and 1.5 - x in motion: x must be 0.5 or more there, with a limit of 1.
    const bump = (s: number): number => 1.5 * Math.exp(-(((s - 0.5) / 0.1) ** 2));
    const loads: PathLoads = {
      count: 2,
      at(s, a, b, c) {
        [a[0], b[0], c[0]] = [0, -1, bump(s)];
        [a[1], b[1], c[1]] = [1, 0, 0];
      },
    };
    const way = timeOptimal(loads, [1, 2]);
    const now = new Float64Array(3);
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k <= 4000; k++) {
      way.at((k * way.duration) / 4000, now);
      if (Math.abs(now[0]! - 0.5) < 0.01) least = Math.min(least, now[1]! ** 2);
    }
    expect(least).toBeGreaterThanOrEqual(0.48);
    // With a force of 0.4 x reaches 0.4 at most in the middle: x = 2 · 0.4 · 0.5.
    expect(() => timeOptimal(loads, [1, 0.4])).toThrow(
      "the path cannot be travelled within the limits: at s = 0.5000 load 1 is 1.5 at rest, beyond its limit of 1",
    );
  });

  it("a path on which nothing moves for a while needs a limit of its speed", () => {
    const resting: PathLoads = { count: 1, at: (s, ...arrays) => constant(s > 0.4 && s < 0.6 ? 0 : 1, 0, 0).at(s, ...arrays) };
    expect(() => timeOptimal(resting, [1])).toThrow(
      /^no load limits the speed along the path near s = 0\.4\d+, where nothing moves/,
    );
    expect(timeOptimal(resting, [1], { speed: 3 }).duration).toBeGreaterThan(1);
  });

  it("divides the grid where the loads jump", () => {
    const jumping: PathLoads = {
      count: 1,
      breaks: [1 / 3],
      at: (s, ...arrays) => constant(s < 1 / 3 ? 1 : 4, 0, 0).at(s, ...arrays),
    };
    // From 1/3 to 1 it brakes with 1/4: x = 1/3 there. Before, it accelerates to s with x = 2 s and brakes with x = 1/3 + 2 (1/3 - s).
    const turn = 1 / 4;
    const [top, jump] = [Math.sqrt(2 * turn), Math.sqrt(1 / 3)];
    const fastest = top + (top - jump) + jump / (1 / 4);
    const way = timeOptimal(jumping, [1], { steps: 301 });
    const now = new Float64Array(3);
    expect(way.duration).toBeGreaterThan(fastest - 1e-9);
    expect(way.duration).toBeLessThan(fastest * 1.001);
    for (let k = 0; k < 3000; k++) {
      way.at((k * way.duration) / 3000, now);
      expect(Math.abs(now[2]! * (now[0]! < 1 / 3 ? 1 : 4))).toBeLessThanOrEqual(1 + 1e-9);
    }
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
