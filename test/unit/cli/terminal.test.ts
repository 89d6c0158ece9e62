/** Colours, widths and columns. */
import { describe, expect, it } from "vitest";
import { cells, columns, exponential } from "../../../src/cli/text/columns.ts";
import { toJson } from "../../../src/cli/text/json.ts";
import { styleOf, wantsColour, widthOf } from "../../../src/cli/text/terminal.ts";
import { short } from "../../../src/report/numbers.ts";

describe("colours", () => {
  it("are for terminals, and not where NO_COLOR is set", () => {
    expect(wantsColour({ isTTY: true }, {})).toBe(true);
    expect(wantsColour({}, {})).toBe(false);
    expect(wantsColour({ isTTY: true }, { NO_COLOR: "1" })).toBe(false);
    expect(wantsColour({ isTTY: true }, { NO_COLOR: "" })).toBe(true);
    expect(wantsColour({ isTTY: true }, { TERM: "dumb" })).toBe(false);
  });

  it("begin and end", () => {
    expect(styleOf(true).bad("x")).toBe("\u001b[31mx\u001b[39m");
    expect(styleOf(false).bad("x")).toBe("x");
  });

  it("widths stay readable", () => {
    expect([
      widthOf({}),
      widthOf({ isTTY: true, columns: 100 }),
      widthOf({ isTTY: true, columns: 500 }),
      widthOf({ isTTY: true, columns: 9 }),
    ]).toEqual([80, 100, 120, 60]);
  });
});

describe("columns", () => {
  it("numbers of a group share their decimals, without zeros that say nothing", () => {
    expect(cells([1.5, -20.25, 0], 5)).toEqual(["1.50", "-20.25", "0"]);
    expect(cells([1, 2], 7)).toEqual(["1", "2"]);
    expect(cells([100, 0.00123], 4)).toEqual(["100", "1.2e-3"]);
    expect(cells([100.5, 0.00123], 4)).toEqual(["100.5", "1.2e-3"]);
  });

  it("rounding beside large numbers is zero, by itself it is shown", () => {
    expect(cells([44, 7e-15], 7)).toEqual(["44", "0"]);
    expect(cells([7.1e-15, 0], 7)).toEqual(["7.1e-15", "0"]);
  });

  it("what is not a number is seen", () => {
    expect(cells([Number.NaN, 1], 3)).toEqual(["NaN", "1"]);
    expect(cells([Number.POSITIVE_INFINITY, 2e20], 3)).toEqual(["Infinity", "2.0e20"]);
    expect([exponential(0, 2), exponential(1.26e-7, 2), short(0.1 + 0.2)]).toEqual(["0", "1.3e-7", "0.3"]);
  });

  it("decimal points stand under each other", () => {
    const table = columns(
      [
        { head: "a", cells: ["x", "long"] },
        { head: "b", cells: ["-1.25", "10"], align: "point" },
      ],
      styleOf(false),
    );
    expect(table).toEqual(["  a         b", "  x     -1.25", "  long  10"]);
  });
});

describe("JSON", () => {
  it("keeps lists of numbers on one line and all digits", () => {
    const value = { a: [1, -2.5e-17, 0.1], b: { text: "[\n 1 ]", list: ["x"] }, c: [], d: [[1], [2]] };
    expect(toJson(value)).toContain('"a": [1, -2.5e-17, 0.1]');
    expect(JSON.parse(toJson(value))).toEqual(value);
  });
});
