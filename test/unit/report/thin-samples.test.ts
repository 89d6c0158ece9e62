import fc from "fast-check";
import { expect, test } from "vitest";
import { thinSamples } from "../../../src/report/plots/thin-samples.ts";

const line = (n: number, f: (i: number) => number): Float64Array => Float64Array.from({ length: n }, (_, i) => f(i));

test("keeps all samples of a short log", () => {
  expect([
    ...thinSamples(
      line(5, (i) => i),
      [line(5, Math.sin)],
      5,
    ),
  ]).toEqual([0, 1, 2, 3, 4]);
});

test("keeps spikes of one sample in every column, and the ends", () => {
  const n = 100_000;
  const a = line(n, (i) => Math.sin(i / 5000) + (i === 31_415 ? 10 : 0));
  const b = line(n, (i) => Math.cos(i / 3000) - (i === 27_182 ? 10 : 0));
  const kept = thinSamples(
    line(n, (i) => i / 1000),
    [a, b],
    2000,
  );
  expect(kept.length).toBeLessThanOrEqual(2010);
  expect([...kept]).toEqual(expect.arrayContaining([0, 27_182, 31_415, n - 1]));
});

test("any log: indices are ascending, within the budget, and include the extremes of each column", () => {
  const column = (n: number) =>
    fc.array(fc.oneof(fc.double({ noDefaultInfinity: true }), fc.constant(0)), { minLength: n, maxLength: n });
  const logs = fc.integer({ min: 1, max: 300 }).chain((n) =>
    fc.record({
      steps: fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: n, maxLength: n }),
      columns: fc.array(column(n), { minLength: 1, maxLength: 3 }),
      points: fc.integer({ min: 1, max: 120 }),
    }),
  );
  fc.assert(
    fc.property(logs, ({ steps, columns, points }) => {
      let t = 0;
      const time = Float64Array.from(steps, (step) => {
        t += step;
        return t;
      });
      const values = columns.map((column) => Float64Array.from(column));
      const kept = [...thinSamples(time, values, points)];
      expect(kept.every((index, i) => i === 0 || index > kept[i - 1]!)).toBe(true);
      // The last sample may need one more span.
      expect(kept.length).toBeLessThanOrEqual(Math.max(points, 2 + 2 * columns.length) + 2 + 2 * columns.length);
      expect(kept[0]).toBe(0);
      expect(kept.at(-1)).toBe(time.length - 1);
      for (const column of values) {
        const numbers = column.filter((x) => !Number.isNaN(x));
        if (numbers.length === 0) continue;
        const shown = kept.map((i) => column[i]!).filter((x) => !Number.isNaN(x));
        expect(Math.max(...shown)).toBe(Math.max(...numbers));
        expect(Math.min(...shown)).toBe(Math.min(...numbers));
      }
    }),
    { numRuns: 300 },
  );
});

test("works with constant time, as at an event", () => {
  expect([...thinSamples(new Float64Array(1000), [line(1000, (i) => i % 7)], 10)].length).toBeLessThanOrEqual(10);
});
