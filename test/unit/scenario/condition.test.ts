import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCondition } from "../../../src/scenario/read/condition.ts";

const margin = (text: string, values: Readonly<Record<string, number>> = {}): number => {
  const condition = parseCondition(text);
  if (!("margin" in condition)) throw new Error(condition.message);
  return condition.margin(Float64Array.from(condition.channels, (name) => values[name]!));
};
const problem = (text: string): string => {
  const condition = parseCondition(text);
  return "margin" in condition ? "none" : condition.message;
};

describe("a condition", () => {
  it.each([
    ["x < 3", 5, 2],
    ["x <= 3", 5, 2],
    ["x > 3", 5, -2],
    ["3 < x", 5, -2],
    ["2 * x - 1 < 3 * (x + 1)", 5, -9],
    ["-x < 1", 5, -6],
    ["- (x - 2) / 4 < 0", 5, -0.75],
    ["1 - 2 - 3 < x", 5, -9],
    ["8 / 4 / 2 < x", 5, -4],
    ["1.5e1 + .5 < x", 5, 10.5],
    ["x-1 < 0", 5, Number.NaN],
  ])("%s at x = %d has the margin %d", (text, x, expected) => {
    expect(margin(text, { x })).toBe(expected);
  });

  it("reads names with hyphens and dots, and any name in quotation marks, each once", () => {
    const condition = parseCondition('q.upper-arm - q.upper-arm > "q.left arm" * u.base.wx');
    expect(condition).toMatchObject({ channels: ["q.upper-arm", "q.left arm", "u.base.wx"] });
    expect(margin('"a+b" < 1', { "a+b": 4 })).toBe(3);
  });

  it.each([
    ["", "ends too early"],
    ["q.waist", "must compare two values"],
    ["1 < 2", "must use at least one channel"],
    ["x < ", "ends too early"],
    ["x < (1 + 2", "a bracket is not closed"],
    ["x < 1)", '")" is unexpected'],
    ["x < 1 < 2", '"<" is unexpected'],
    ["x == 1", '"=" is unexpected'],
    ["x < 1; y", '";" is unexpected'],
    ["x + * 2 < 1", 'a number or a channel is missing before "*"'],
    ["x < 2 3", '"3" is unexpected'],
    [`x < ${"(".repeat(60)}1${")".repeat(60)}`, "is nested deeper"],
    [`x < ${"-".repeat(60)}1`, "is nested deeper"],
    [`x < 1${" ".repeat(600)}`, "at most 500 characters"],
  ])("refuses %j", (text, message) => {
    expect(problem(text)).toContain(message);
  });

  it("cannot run code", () => {
    for (const text of ["process.exit(1) < 1", "constructor < 1", "__proto__ < 1", "[x] < 1", "x.y() < 1", "`a` < 1"])
      expect(() => parseCondition(text)).not.toThrow();
    expect(problem("process.exit(1) < 1")).toContain('"(" is unexpected');
  });

  it("computes what JavaScript computes", () => {
    const number = fc.integer({ min: -9, max: 9 }).map((n) => (n < 0 ? `(-${-n})` : String(n)));
    const { sum } = fc.letrec<{ sum: string; term: string }>((tie) => ({
      sum: fc.tuple(tie("term"), fc.constantFrom("+", "-", "*", "/"), tie("term")).map(([a, o, b]) => `${a} ${o} ${b}`),
      term: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        number,
        tie("sum").map((s) => `(${s})`),
      ),
    }));
    fc.assert(
      fc.property(sum, (text) => {
        fc.pre(text.length < 400);
        const expected = new Function(`return ${text}`)() as number; // the oracle; the text has only digits and operators made by this test
        expect(margin(`${text} - zero < 0`, { zero: 0 })).toEqual(expected - 0);
      }),
    );
  });

  it("does not fail on any text", () => {
    const piece = fc.constantFrom(
      "q.a",
      "-",
      "+",
      "*",
      "/",
      "(",
      ")",
      "<",
      ">",
      "<=",
      "=",
      '"',
      " ",
      "1",
      "1e",
      ".",
      "\n",
      "\\",
      "é",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((p) => p.join("")),
    );
    fc.assert(
      fc.property(text, (t) => void parseCondition(t)),
      { numRuns: 500 },
    );
  });
});
