/** Functions from plain arithmetic against those of the engine, which are accurate to an ulp but differ between engines. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arcCosine, arctangent } from "../../../src/math/elementary/arctangent.ts";
import { exponential } from "../../../src/math/elementary/exponential.ts";
import { cosine, sine, sineAndCosine, tangent } from "../../../src/math/elementary/sincos.ts";

const EPSILON = 2 ** -52;
const many = { seed: 942, numRuns: 3000 };
const real = (least: number, most: number): fc.Arbitrary<number> => fc.double({ min: least, max: most, noNaN: true });

describe("exponential", () => {
  it("agrees with the engine to 2 ulp over the whole range", () => {
    fc.assert(
      fc.property(fc.oneof(real(-1, 1), real(-708, 709.7)), (x) => {
        expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThanOrEqual(2 * EPSILON);
      }),
      many,
    );
  });

  it.each([
    [0, 1],
    [Math.LN2, 2],
    [710, Number.POSITIVE_INFINITY],
    [-746, 0],
    [Number.NEGATIVE_INFINITY, 0],
    [Number.NaN, Number.NaN],
  ])("of %d is %d", (x, expected) => {
    expect(exponential(x)).toBe(expected);
  });

  it("is gradual in the range of denormal numbers", () => {
    for (const x of [-709, -720, -740]) expect(Math.abs(exponential(x) - Math.exp(x))).toBeLessThanOrEqual(2 * Number.MIN_VALUE);
  });
});

describe("arctangent", () => {
  it("agrees with the engine to 2 ulp in all quadrants, also near the axes and diagonals", () => {
    const size = fc.oneof(real(-2, 2), real(-1e-9, 1e-9), real(-1e200, 1e200));
    fc.assert(
      fc.property(size, size, (y, x) => {
        const expected = Math.atan2(y, x);
        expect(Math.abs(arctangent(y, x) - expected)).toBeLessThanOrEqual(2 * EPSILON * Math.abs(expected));
      }),
      many,
    );
  });

  it("treats signed zeros and infinities as the engine does", () => {
    const ends = [0, -0, 1, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
    for (const y of ends) for (const x of ends) expect(arctangent(y, x), `${y}, ${x}`).toBe(Math.atan2(y, x));
  });

  it("gives arc cosines", () => {
    fc.assert(
      fc.property(real(-1, 1), (x) => {
        expect(Math.abs(arcCosine(x) - Math.acos(x))).toBeLessThanOrEqual(3 * EPSILON * Math.acos(x));
      }),
      many,
    );
    expect([arcCosine(1), arcCosine(-1), arcCosine(1.1)]).toEqual([0, Math.PI, Number.NaN]);
  });
});

describe("sine and cosine at once", () => {
  it("have the same bits as computed separately", () => {
    const pair = new Float64Array(2);
    fc.assert(
      fc.property(fc.oneof(real(-0.9, 0.9), real(-20, 20)), (x) => {
        sineAndCosine(x, pair);
        expect([...pair]).toEqual([sine(x), cosine(x)]);
      }),
      many,
    );
  });

  it("give the tangent", () => {
    for (const x of [-1.2, -0.3, 0, 1e-9, 0.7, 1.5]) expect(tangent(x)).toBeCloseTo(Math.tan(x), 13);
  });
});
