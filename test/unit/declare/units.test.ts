import { describe, expect, test } from "vitest";
import { factorTo, quantityPattern, readQuantity, type SiUnit, UNITS, unitsOf } from "../../../src/declare/units.ts";
import { describeProblem, type Problem } from "../../../src/errors.ts";

function read(value: unknown, unit: SiUnit): number | string {
  const problems: Problem[] = [];
  const number = readQuantity(value, unit, "here", problems);
  return number ?? problems.map(describeProblem).join("; ");
}

describe("readQuantity", () => {
  test.each<[unknown, SiUnit, number]>([
    [5, "kg", 5],
    ["90 deg", "rad", Math.PI / 2],
    ["-180deg", "rad", -Math.PI],
    ["1001 mm", "m", 1.001],
    ["+.5e1 cm", "m", 0.05],
    ["  3.  km ", "m", 3000],
    ["2 t", "kg", 2000],
    ["5 g", "kg", 0.005],
    ["3.2 kg m^2", "kg m^2", 3.2],
    ["7   g    cm^2", "kg m^2", 7e-7],
    ["60 rpm", "rad/s", 2 * Math.PI],
    ["5 ms", "s", 0.005],
    ["2 mm/rev", "m/rad", 0.001 / Math.PI],
    ["3 kN", "N", 3000],
    ["250 N mm", "N m", 0.25],
    ["2 N s/mm", "N s/m", 2000],
    ["3 kN s/mm", "N s/m", 3e6],
    ["5 mN m s/deg", "N m s/rad", (0.005 * 180) / Math.PI],
    ["7 kN mm/deg", "N m/rad", (7 * 180) / Math.PI],
    ["4 deg/min", "rad/s", (4 * Math.PI) / 180 / 60],
    ["3 km/h", "m/s", 3 / 3.6],
    ["6 t km^2", "kg m^2", 6e9],
    ["2 g/mm^3", "kg/m^3", 2e6],
    ["8 1/mm", "1/m", 8000],
    ["5 cm^3/ms^2", "m^3/s^2", 5],
  ])("%s in %s is %s", (text, unit, value) => {
    expect(read(text, unit)).toSatisfy((x: number) => x === value || Math.abs(x / value - 1) < 4e-16);
    if (typeof text === "string") expect(text).toMatch(new RegExp(quantityPattern(unit).replaceAll(" ", "\\s+"))); // editors accept it too
  });

  test("every usual unit is read with its own factor", () => {
    for (const unit of Object.keys(UNITS) as SiUnit[])
      for (const usual of unitsOf(unit)) {
        const factor = 1 / factorTo(usual, unit)!;
        expect(read(`1 ${usual}`, unit)).toBeCloseTo(factor, 12 - Math.log10(factor));
      }
  });

  test.each<[unknown, SiUnit, RegExp]>([
    ["90 deg", "m", /the unit deg is of the wrong dimension, rad instead of m, got "90 deg". Accepted: m, cm, mm, km/],
    ["5 furlong", "m", /unknown unit "furlong".*Accepted: m, cm, mm, km/],
    ["5 M", "m", /unknown unit "M"/],
    ["5 constructor", "m", /unknown unit "constructor"/],
    ["5", "m", /must have a number and a unit; a number without unit is written without quotes/],
    ["2 N s/mm", "N/m", /the unit N s\/mm is of the wrong dimension, N s\/m instead of N\/m/],
    ["2 N/mm s", "N s/m", /unknown unit "N\/mm s"/],
    ["2 mm^2", "m", /the unit mm\^2 is of the wrong dimension, m\^2 instead of m/],
    ["5 5 m", "m", /unknown unit "5 m"/],
    ["1e999 m", "m", /finite number, got Infinity/],
    ["1e40 km", "m", /at most 1e\+30/],
    ["far", "m", /must be a number, got "far"/],
    [null, "m", /must be a number, got null/],
    [Number.NaN, "m", /finite number, got NaN/],
    [`${"9".repeat(1e6)}\n`, "m", /must have a number and a unit/],
    ["1 m", "", /must be a number/],
  ])("%s is no quantity in %s", (text, unit, message) => expect(read(text, unit)).toMatch(message));
});
