/** Colours, widths and tables. */
import { describe, expect, it } from "vitest";
import { toJson } from "../../../src/cli/text/json.ts";
import { createStyle, terminalWidth, usesColour } from "../../../src/cli/text/terminal.ts";
import { exponentialText, formatTable, numberCells } from "../../../src/cli/text/text-table.ts";
import { shortNumber } from "../../../src/report/numbers.ts";

describe("colours", () => {
  it("are used on terminals, unless NO_COLOR is set", () => {
    expect(usesColour({ isTTY: true }, {})).toBe(true);
    expect(usesColour({}, {})).toBe(false);
    expect(usesColour({ isTTY: true }, { NO_COLOR: "1" })).toBe(false);
    expect(usesColour({ isTTY: true }, { NO_COLOR: "" })).toBe(true);
    expect(usesColour({ isTTY: true }, { TERM: "dumb" })).toBe(false);
  });

  it("are switched on and off by escape codes", () => {
    expect(createStyle(true).bad("x")).toBe("\u001b[31mx\u001b[39m");
    expect(createStyle(false).bad("x")).toBe("x");
  });

  it("widths are limited", () => {
    expect([
      terminalWidth({}),
      terminalWidth({ isTTY: true, columns: 100 }),
      terminalWidth({ isTTY: true, columns: 500 }),
      terminalWidth({ isTTY: true, columns: 9 }),
    ]).toEqual([80, 100, 120, 60]);
  });
});

describe("tables", () => {
  it("numbers of a group have the same decimals, without common trailing zeros", () => {
    expect(numberCells([1.5, -20.25, 0], 5)).toEqual(["1.50", "-20.25", "0"]);
    expect(numberCells([1, 2], 7)).toEqual(["1", "2"]);
    expect(numberCells([100, 0.00123], 4)).toEqual(["100", "1.2e-3"]);
    expect(numberCells([100.5, 0.00123], 4)).toEqual(["100.5", "1.2e-3"]);
  });

  it("a rounding error next to large numbers is shown as zero, alone it is shown as it is", () => {
    expect(numberCells([44, 7e-15], 7)).toEqual(["44", "0"]);
    expect(numberCells([7.1e-15, 0], 7)).toEqual(["7.1e-15", "0"]);
  });

  it("NaN and infinity are shown", () => {
    expect(numberCells([Number.NaN, 1], 3)).toEqual(["NaN", "1"]);
    expect(numberCells([Number.POSITIVE_INFINITY, 2e20], 3)).toEqual(["Infinity", "2.0e20"]);
    expect([exponentialText(0, 2), exponentialText(1.26e-7, 2), shortNumber(0.1 + 0.2)]).toEqual(["0", "1.3e-7", "0.3"]);
  });

  it("decimal points are aligned", () => {
    const table = formatTable(
      [
        { head: "a", cells: ["x", "long"] },
        { head: "b", cells: ["-1.25", "10"], align: "point" },
      ],
      createStyle(false),
    );
    expect(table).toEqual(["  a         b", "  x     -1.25", "  long  10"]);
  });
});

describe("JSON", () => {
  it("has lists of numbers on one line, with all digits", () => {
    const value = { a: [1, -2.5e-17, 0.1], b: { text: "[\n 1 ]", list: ["x"] }, c: [], d: [[1], [2]] };
    expect(toJson(value)).toContain('"a": [1, -2.5e-17, 0.1]');
    expect(JSON.parse(toJson(value))).toEqual(value);
  });
});
