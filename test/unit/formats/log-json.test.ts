import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonLog, parseJsonLog } from "../../../src/formats/log/log-json.ts";
import type { Log } from "../../../src/log/log.ts";
import { arbitraryLog, logOf } from "../../fixtures/log-arbitrary.ts";

const textOf = (log: Log): string => [...jsonLog(log)].join("");

test("in columns, with the descriptions of channels", () => {
  const log = logOf(
    [
      { name: "t", unit: "s", about: "time" },
      { name: "q", unit: "rad" },
    ],
    [
      [0, 0.5],
      [-0, 1e21],
    ],
  );
  expect(textOf(log)).toBe(
    '{\n"channels": [\n{"name":"t","unit":"s","about":"time"},\n{"name":"q","unit":"rad"}\n],\n"columns": {\n"t": [0,0.5],\n"q": [-0,1e+21]\n}\n}\n',
  );
});

test("a written log is read back bit-identically, and any JSON reader accepts it", () => {
  fc.assert(
    fc.property(arbitraryLog(), (log) => {
      const text = textOf(log);
      const back = parseJsonLog(text);
      expect(back.channels).toEqual(log.channels);
      expect(back.length).toBe(log.length);
      for (const { name } of log.channels) {
        expect([...back.column(name)]).toEqual([...log.column(name)]);
        expect(Object.entries(JSON.parse(text).columns).find(([key]) => key === name)?.[1]).toEqual([...log.column(name)]);
      }
    }),
    { numRuns: 200 },
  );
});

test("a value that is not finite is refused with channel and time", () => {
  const log = logOf(
    [
      { name: "t", unit: "s" },
      { name: "q", unit: "rad" },
    ],
    [
      [0, 0.25],
      [1, Number.POSITIVE_INFINITY],
    ],
  );
  expect(() => textOf(log)).toThrow(/channel "q" is Infinity at t = 0.25 s \(sample 2 of 2\)/);
});

describe("reading", () => {
  const file = (change: object): string =>
    JSON.stringify({ channels: [{ name: "t", unit: "s" }], columns: { t: [0, 1] }, ...change });

  test.each([
    ["{", /is not JSON/],
    ["[]", /must be an object with a list "channels"/],
    [file({ channels: [] }), /channels: must name one channel/],
    [file({ channels: [3] }), /channels\[0\]: must be an object/],
    [file({ channels: [{ name: "t" }] }), /channels\[0\].unit: must be text/],
    [file({ channels: [{ name: "", unit: "" }] }), /channels\[0\].name: must be text/],
    [file({ channels: [{ name: "t", unit: "s", about: 1 }] }), /about: must be text/],
    [file({ channels: [{ name: "toString", unit: "s" }] }), /columns.toString: must be a list/],
    [file({ channels: [0, 0].map(() => ({ name: "t", unit: "s" })) }), /two channels are named "t"/],
    [file({ columns: { t: [0, null] } }), /columns.t\[1\]: must be a finite number/],
    [file({ columns: { t: [0, "1"] } }), /columns.t\[1\]: must be a finite number/],
    ['{"channels":[{"name":"t","unit":""},{"name":"x","unit":""}],"columns":{"t":[1],"x":[]}}', /columns.x: has 0 numbers/],
  ])("%s is refused with its path", (text, message) => {
    expect(() => parseJsonLog(text)).toThrow(message);
  });
});
