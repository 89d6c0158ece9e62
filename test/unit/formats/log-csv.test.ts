import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLog, parseCsvLog } from "../../../src/formats/log/log-csv.ts";
import { type Channel, type Log, Recording } from "../../../src/log/log.ts";
import { arbitraryLog, logOf } from "../../fixtures/log-arbitrary.ts";

const textOf = (log: Log): string => [...csvLog(log)].join("");
const channels: readonly Channel[] = [
  { name: "t", unit: "s" },
  { name: "arm.q", unit: "rad" },
];

describe("writing", () => {
  test("one header line with units, then one line of shortest numbers per sample", () => {
    const log = logOf(channels, [
      [0, 0.1, 1e-7],
      [-0, 1 / 3, 5e-324],
    ]);
    expect(textOf(log)).toBe("t [s],arm.q [rad]\n0,-0\n0.1,0.3333333333333333\n1e-7,5e-324\n");
  });

  test("pure numbers have no brackets, unless the name looks like one with a unit", () => {
    const log = logOf([channels[0]!, { name: "w", unit: "" }, { name: "odd [m]", unit: "" }], [[0], [1], [2]]);
    expect(textOf(log)).toBe("t [s],w,odd [m] []\n0,1,2\n");
    expect(parseCsvLog(textOf(log)).channels).toEqual(log.channels);
  });

  test("names that look like formulas are escaped for spreadsheets", () => {
    const log = logOf([channels[0]!, { name: "=cmd|' /C calc'!A0", unit: "m" }, { name: "'-x", unit: "" }], [[0], [1], [2]]);
    expect(textOf(log).split("\n")[0]).toBe("t [s],'=cmd|' /C calc'!A0 [m],''-x");
    expect(parseCsvLog(textOf(log)).channels).toEqual(log.channels);
  });

  test.each([
    ["not a number", Number.NaN, /channel "arm.q" is NaN at t = 0.5 s \(sample 2 of 3\)/],
    ["infinite", Number.NEGATIVE_INFINITY, /channel "arm.q" is -Infinity at t = 0.5 s/],
  ])("a value that is %s is refused with channel and time", (_, bad, message) => {
    const log = logOf(channels, [
      [0, 0.5, 1],
      [1, bad, 2],
    ]);
    expect(() => textOf(log)).toThrow(message);
  });

  test("a long log comes in pieces of about 64 KiB, the same each time", () => {
    const log = new Recording(Array.from({ length: 20 }, (_, i) => ({ name: `c${i}`, unit: "m" })));
    for (let i = 0; i < 20_000; i++) log.add(Float64Array.from({ length: 20 }, (_, c) => Math.sin(i + c)));
    const pieces = [...csvLog(log)];
    expect(pieces.length).toBeGreaterThan(50);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
    expect([...csvLog(log)].join("")).toBe(pieces.join(""));
    expect(parseCsvLog(pieces).column("c19")).toEqual(log.column("c19"));
  });
});

describe("reading", () => {
  test("a written log is read back bit-identically, however the text is split", () => {
    fc.assert(
      fc.property(arbitraryLog(), fc.integer({ min: 1, max: 40 }), (log, size) => {
        const text = textOf(log);
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        for (const back of [parseCsvLog(text), parseCsvLog(pieces)]) {
          expect(back.channels).toEqual(log.channels.map(({ name, unit }) => ({ name, unit })));
          expect(back.length).toBe(log.length);
          for (const { name } of log.channels) expect([...back.column(name)]).toEqual([...log.column(name)]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a file saved by a spreadsheet: byte order mark, CRLF, no last line end, blank lines, spaces", () => {
    const log = parseCsvLog('\ufefft [s],"a,""b"" [m]"\r\n0, 1.50\r\n\r\n1e0,+2\r\n');
    expect(log.channels).toEqual([
      { name: "t", unit: "s" },
      { name: 'a,"b"', unit: "m" },
    ]);
    expect([...log.column('a,"b"')]).toEqual([1.5, 2]);
    expect(parseCsvLog("t\n1").length).toBe(1);
  });

  test.each([
    ["", /line 1: the file is empty/],
    ["t,t\n1,2\n", /two channels are named "t"/],
    ["t,\n1,2\n", /a channel has no name/],
    ['"t\n1\n', /quotation mark/],
    ["t,x\n1,2\n3\n", /line 3: there are 2 channels, but 1 numbers/],
    ["t,x\n1,two\n", /line 2: channel "x" must be a finite number, got "two"/],
    ["t,x\n1,\n", /line 2: channel "x" must be a finite number/],
    ["t,x\n1,NaN\n", /must be a finite number/],
    ["t,x\n1,1e999\n", /must be a finite number/],
    ["t,x\n1,0x10\n", /must be a finite number/],
  ])("%j is refused with its line", (text, message) => {
    expect(() => parseCsvLog(text, "run/log.csv")).toThrow(message);
    expect(() => parseCsvLog(text, "run/log.csv")).toThrow("run/log.csv");
  });
});
