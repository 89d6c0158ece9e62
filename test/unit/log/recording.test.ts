/** Recording of samples in columns: the columns have the same bits as the samples, whichever channels are zero and for how long. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Recording, type SampleBlock } from "../../../src/log/log.ts";

const channels = ["t", "a", "b", "c"].map((name) => ({ name, unit: "" }));

/** Sequences of samples in which a channel is either zero throughout or arbitrary. */
const stretches = fc.array(
  fc.record({
    count: fc.integer({ min: 1, max: 100 }),
    shown: fc.tuple(...channels.map(() => fc.constantFrom(0, 0, -0, Number.NaN, 1.5, -2))),
  }),
  { maxLength: 8 },
);

const rowsOf = (parts: readonly { readonly count: number; readonly shown: readonly number[] }[]): number[][] =>
  parts.flatMap(({ count, shown }) => Array.from({ length: count }, () => [...shown]));

/** All columns of a block, with zeros for the channels that are not present. */
const whole = ({ count, present, values }: SampleBlock): number[][] =>
  channels.map((_, i) => {
    const c = present.indexOf(i);
    return c < 0 ? new Array<number>(count).fill(0) : [...values.subarray(c * count, (c + 1) * count)];
  });

describe("a recording", () => {
  it("has the added samples in its columns and in its blocks", () => {
    fc.assert(
      fc.property(stretches, fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 50 }), (parts, expected, every) => {
        const rows = rowsOf(parts);
        const log = new Recording(channels, expected);
        const taken = new Recording(channels, expected);
        const blocks: number[][] = channels.map(() => []);
        for (const [i, row] of rows.entries()) {
          log.add(row);
          taken.add(row);
          if (i % every === 0) for (const [c, values] of whole(taken.take()).entries()) blocks[c]!.push(...values);
        }
        for (const [c, values] of whole(taken.take()).entries()) blocks[c]!.push(...values);
        expect([log.length, taken.length]).toEqual([rows.length, rows.length]);
        const columns = channels.map((_, c) => rows.map((row) => row[c]!));
        expect(blocks).toEqual(columns); // distinguishes -0 from +0
        expect(channels.map(({ name }) => [...log.column(name)])).toEqual(columns);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it("omits channels from a block that are zero in all of it", () => {
    const log = new Recording(channels, 4);
    const add = (first: number, end: number): void => {
      for (let i = first; i < end; i++) log.add([i + 1, 0, i < 100 ? 1 : 0, i === 150 ? -0 : 0]);
    };
    add(0, 100);
    expect([...log.take().present]).toEqual([0, 2]);
    add(100, 180);
    expect([...log.take().present]).toEqual([0, 3]);
    add(180, 200);
    expect(log.take()).toMatchObject({ count: 20, present: Int32Array.of(0) });
    expect(log.take()).toMatchObject({ count: 0, values: new Float64Array(0) });
    expect(log.length).toBe(200);
    expect(() => log.column("a")).toThrow('the first 200 samples of "a" were removed by take()');
  });

  it("grows beyond the expected length and beyond its initial capacity", () => {
    for (const expected of [1, 3000, 100_000]) {
      const log = new Recording(channels, expected);
      for (let i = 0; i < 10_000; i++) log.add([i, 0, -i, i === 9999 ? 1 : 0]);
      expect(log.column("t")).toEqual(Float64Array.from({ length: 10_000 }, (_, i) => i));
      expect([log.column("a").every((v) => v === 0), log.column("b")[5000], log.column("c")[9999]]).toEqual([true, -5000, 1]);
    }
  });
});
