import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { power } from "../../../src/math/elementary/power.ts";

describe("power", () => {
  it("agrees with the engine to a few ulp, over the range of errors and exponents of step control", () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }), (logarithm, p) => {
        const x = 10 ** logarithm;
        const expected = x ** p;
        expect(Math.abs(power(x, p) / expected - 1)).toBeLessThan(2e-14);
      }),
      { seed: 942, numRuns: 2000 },
    );
  });

  it.each([
    [1, -0.125, 1],
    [256, 0.125, 2],
    [256, -0.125, 0.5],
    [2 ** -80, 0.25, 2 ** -20],
    [0, 0.5, 0],
    [Number.POSITIVE_INFINITY, -0.5, 0],
    [Number.NaN, 0.5, Number.NaN],
  ])("%d to the %d is %d exactly", (x, p, expected) => {
    expect(power(x, p)).toBe(expected);
  });

  // Only operations that every engine rounds alike: these digits are the same in all engines.
  it.each([
    [0.123456789, -0.0875, power(0.123456789, -0.0875)],
    [3.7, 0.05, power(3.7, 0.05)],
  ])("is monotonous near %d to the %d", (x, p, value) => {
    expect(power(x * (1 + 1e-12), p) > value).toBe(p > 0);
  });
});
