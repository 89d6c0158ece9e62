import fc from "fast-check";
import { expect, it } from "vitest";
import { hypotenuse } from "../../../src/math/elementary/hypotenuse.ts";

const number = fc.double({ noNaN: true, noDefaultInfinity: true });

it("the length of a vector of any magnitude is accurate to the last digits", () => {
  fc.assert(
    fc.property(number, number, number, number, (x, y, z, w) => {
      const exact = Math.hypot(x, y, z, w);
      // A length above the largest number is infinite; a denormal length has few digits.
      if (exact === Number.POSITIVE_INFINITY) expect(hypotenuse(x, y, z, w)).toBe(exact);
      else
        expect(Math.abs(hypotenuse(x, y, z, w) - exact)).toBeLessThanOrEqual(4 * Number.EPSILON * exact + 4 * Number.MIN_VALUE);
    }),
    { numRuns: 2000 },
  );
});

it("it is exact for integer triangles, and propagates NaN and infinities", () => {
  expect(hypotenuse(3, 4)).toBe(5);
  expect(hypotenuse(3 * 2 ** 700, -4 * 2 ** 700)).toBe(5 * 2 ** 700);
  expect(hypotenuse(0, 0, 0)).toBe(0);
  expect(hypotenuse(1, Number.NaN)).toBeNaN();
  expect(hypotenuse(Number.NEGATIVE_INFINITY, 1)).toBe(Number.POSITIVE_INFINITY);
});
