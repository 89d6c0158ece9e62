/** Logs with any names and any finite numbers. */
import fc from "fast-check";
import { type Channel, Recording } from "../../src/log/log.ts";

export function logOf(channels: readonly Channel[], columns: readonly (readonly number[])[]): Recording {
  const log = new Recording(channels);
  for (let i = 0; i < columns[0]!.length; i++) log.add(columns.map((column) => column[i]!));
  return log;
}

const name = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }),
    fc.constantFrom("__proto__", 'a"b', "a,b", "=1", " x ", "q [m]"),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what no channel is named with
  .filter((text) => !/[\u0000-\u001f\u007f]/.test(text));

export const arbitraryLog = (): fc.Arbitrary<Recording> =>
  fc
    .record({
      names: fc.uniqueArray(name, { minLength: 1, maxLength: 5 }),
      unit: fc.constantFrom("", "m", "kg m^2/s", "rad/s"),
      rows: fc.integer({ min: 0, max: 6 }),
    })
    .chain(({ names, unit, rows }) =>
      fc
        .array(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: rows, maxLength: rows }), {
          minLength: names.length,
          maxLength: names.length,
        })
        .map((columns) =>
          logOf(
            names.map((n, i) => ({ name: n, unit: i === 0 ? "s" : unit, about: `what ${n} is` })),
            columns,
          ),
        ),
    );
