/** Plain data survives JSON in every bit, and damaged data is refused. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatError } from "../../../src/errors.ts";
import { decodePlainData, encodePlainData } from "../../../src/formats/plain-data-json.ts";

const throughText = (value: unknown): unknown => decodePlainData(JSON.parse(JSON.stringify(encodePlainData(value))));

describe("plain data as JSON", () => {
  it("survives, whatever it is", () => {
    const leaf = fc.oneof(
      fc.double(),
      fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, undefined, null, true, false, "$f64", "__proto", ""),
      fc.string(),
      fc.float64Array(),
      fc.int32Array(),
      fc.int8Array(),
      fc.uint8Array(),
    );
    const { data } = fc.letrec((tie) => ({
      data: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("data"), { maxLength: 4 }),
        fc.dictionary(
          fc.string().filter((key) => key !== "__proto__"),
          tie("data"),
          { maxKeys: 4, noNullPrototype: true },
        ),
        fc.array(fc.tuple(fc.string(), tie("data")), { maxLength: 3 }).map((entries) => new Map(entries)),
        fc.uniqueArray(fc.string(), { maxLength: 3 }).map((items) => new Set(items)),
      ),
    }));
    fc.assert(
      fc.property(data, (value) => {
        expect(throughText(value)).toStrictEqual(value);
      }),
    );
  });

  it.each([
    ["a function", () => 1],
    ["an instance", new Date(0)],
    [
      "a circle",
      (() => {
        const circle: unknown[] = [];
        circle.push(circle);
        return circle;
      })(),
    ],
  ])("refuses to save %s", (_, value) => {
    expect(() => encodePlainData({ a: [value] })).toThrow(FormatError);
  });

  it.each([
    { $f64: "AAA" },
    { $f64: "AAAA" },
    { $f64: 3 },
    { $i32: "????" },
    { $map: [[1]] },
    { $set: 1 },
    { $number: "1e5" },
    { $code: "x" },
    { $f64: "", other: 1 },
    JSON.parse('{"__proto__": {"polluted": 1}}'),
    Array.from({ length: 100 }).reduce((inner) => [inner], 0),
  ])("refuses %j", (value) => {
    expect(() => decodePlainData({ a: value })).toThrow(FormatError);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
