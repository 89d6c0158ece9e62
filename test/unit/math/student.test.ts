/** Student's t distribution compared with closed forms and with printed quantiles. */
import { expect, test } from "vitest";
import { studentQuantile, studentWithin } from "../../../src/math/statistics/student.ts";

test("one and two degrees of freedom have closed forms", () => {
  for (const t of [0.1, 1, 3, 20]) {
    expect(studentWithin(t, 1)).toBeCloseTo((2 / Math.PI) * Math.atan(t), 13);
    expect(studentWithin(t, 2)).toBeCloseTo(t / Math.sqrt(2 + t * t), 13);
  }
});

// Two-sided 95 % and 99 % quantiles as every table prints them.
test.each([
  [1, 12.706, 63.657],
  [2, 4.303, 9.925],
  [5, 2.571, 4.032],
  [10, 2.228, 3.169],
  [29, 2.045, 2.756],
  [120, 1.98, 2.617],
])("%i degrees of freedom", (freedoms, p95, p99) => {
  expect(studentQuantile(0.95, freedoms)).toBeCloseTo(p95, 3);
  expect(studentQuantile(0.99, freedoms)).toBeCloseTo(p99, 3);
});

test("many degrees of freedom give the normal distribution", () => {
  expect(studentQuantile(0.95, 100_000)).toBeCloseTo(1.959988, 5);
});
