import { describe, expect, test } from "vitest";
import { factorAndPower, numberText, powerOfTen, tickLabels, unitText } from "../../../src/report/numbers.ts";
import { decadeScale, ticksBetween, valueScale } from "../../../src/report/plots/axis-scale.ts";
import { endLabels, legendRows } from "../../../src/report/plots/line-labels.ts";

test("numbers in tables", () => {
  expect([0, 1.5, -2, 1 / 3, 1e-13, -1.23456789e-13, 123456, 1234567].map((x) => numberText(x))).toEqual(
    ["0", "1.5", "−2", "0.333333", "1e−13", "−1.23457e−13", "123456", "1.23457e6"], // biome-ignore format: one line is a row
  );
  expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((x) => numberText(x))).toEqual([
    "not a number",
    "∞",
    "−∞",
  ]);
  expect(numberText(75.2557335583061, 12)).toBe("75.2557335583");
});

test("numbers with powers of ten", () => {
  expect(factorAndPower(2.13e-14)).toEqual({ factor: "2.1", power: -14 });
  expect(factorAndPower(1e-9)).toEqual({ factor: "1", power: -9 });
  expect(factorAndPower(0.25)).toEqual({ factor: "0.25", power: 0 });
  expect(factorAndPower(0)).toEqual({ factor: "0", power: 0 });
  expect(powerOfTen(-13)).toBe("10⁻¹³");
});

test("units", () => {
  expect(["rad/s", "kg m^2/s", "N*m", "m/s^2", "s^-1", ""].map(unitText)).toEqual(["rad/s", "kg·m²/s", "N·m", "m/s²", "s⁻¹", ""]);
  expect(unitText("N m, m/s, rad/s")).toBe("N·m, m/s, rad/s");
});

describe("tick labels are short", () => {
  test.each([
    ["everyday", [-0.5, 0, 0.5, 1], { labels: ["−0.5", "0.0", "0.5", "1.0"], offset: "", power: 0 }],
    ["quarters", [0, 0.25, 0.5], { labels: ["0.00", "0.25", "0.50"], offset: "", power: 0 }],
    ["tiny", [-2e-13, 0, 2e-13], { labels: ["−2", "0", "2"], offset: "", power: -13 }],
    ["huge", [0, 5e6, 1e7], { labels: ["0.0", "0.5", "1.0"], offset: "", power: 7 }],
    [
      "all but equal",
      [75.2557335582, 75.2557335583, 75.2557335584],
      { labels: ["−1", "0", "1"], offset: "75.2557335583", power: -10 },
    ],
    ["none", [], { labels: [], offset: "", power: 0 }],
    ["one", [3], { labels: ["3"], offset: "", power: 0 }],
  ])("%s", (_, ticks, expected) => {
    expect(tickLabels(ticks)).toEqual(expected);
  });
});

describe("axes", () => {
  test("ticks are round numbers", () => {
    expect(ticksBetween(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticksBetween(0.13, 0.92, 5)).toEqual([0.2, 0.4, 0.6, 0.8]);
    expect(ticksBetween(-30, 30, 6)).toEqual([-30, -20, -10, 0, 10, 20, 30]);
  });
  test("contain all values and end at ticks", () => {
    expect(valueScale([Float64Array.of(-0.57, 1.13, Number.NaN)], 6).domain).toEqual([-0.6, 1.2]);
  });
  test("are wide for values that vary by rounding only, so that these are drawn flat", () => {
    const [low, high] = valueScale([Float64Array.of(75, 75 + 1e-14)], 6).domain;
    expect(high - low).toBeGreaterThan(10);
    expect(valueScale([Float64Array.of(0, 0)], 6).domain).toEqual([-1, 1]);
    expect(valueScale([Float64Array.of(Number.NaN)], 6).domain).toEqual([0, 1]);
  });
  test("decades", () => {
    expect(decadeScale([Float64Array.of(3e-15, 4e-11)], 7)).toEqual({
      domain: [1e-15, 1e-10],
      ticks: [1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10],
    });
    expect(decadeScale([Float64Array.of(1e-300, 1)], 7).domain[0]).toBe(1e-14);
  });
});

describe("names of lines", () => {
  test("are at the line ends and never overlap", () => {
    expect(endLabels([100, 50, 52], 16, 0, 200)?.map(({ line, labelY: at }) => [line, at])).toEqual([
      [1, 43],
      [2, 59],
      [0, 100],
    ]);
    expect(endLabels([0, 0], 16, 0, 200)?.map(({ labelY: at }) => at)).toEqual([0, 16]);
  });
  test("are not at the line ends if the lines end at one point", () => {
    expect(endLabels([100, 100, 100, 100, 100], 16, 0, 200)).toBeUndefined();
  });
  test("wrap in rows", () => {
    expect(legendRows([60, 60, 60], 130, 10).map(({ x, row }) => [x, row])).toEqual([
      [0, 0],
      [70, 0],
      [0, 1],
    ]);
  });
});
