/** Every argument of the public functions, replaced by values of wrong types: only errors of Castor, never silent. */
import { ArgumentError, CastorError } from "castor";
import { describe, expect, it } from "vitest";
import { PUBLIC_CALLS } from "../fixtures/public-calls.ts";

const WRONG_VALUES: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  "3": 3,
  "-1": -1,
  NaN: Number.NaN,
  text: "nonsense",
  true: true,
  "{}": {},
  "[]": [],
  symbol: Symbol("wrong"),
  bigint: 7n,
};

/** Result of a call: the error that it throws, or "silent". */
async function outcome(call: (...values: never[]) => unknown, values: readonly unknown[]): Promise<unknown> {
  try {
    await call(...(values as never[]));
    return "silent";
  } catch (error) {
    return error;
  }
}

/** What is wrong with the outcome of a wrong call; undefined if it is good. */
function complaint(error: unknown, names: readonly string[]): string | undefined {
  if (error === "silent") return "silent";
  if (!(error instanceof CastorError)) return String(error);
  if (!(error instanceof ArgumentError)) return undefined;
  const parts = error.argument.split(/[.[(]/);
  return [parts[0], parts.at(-1)].some((part) => names.includes(part!)) ? undefined : `names no argument: ${error.message}`;
}

describe.each(PUBLIC_CALLS.map((entry) => [entry.name, entry] as const))("%s", (_, { valid, call, accepts = {} }) => {
  const names = Object.keys(valid);
  const values = Object.values(valid);

  it("works with valid arguments", async () => {
    expect(await outcome(call, values)).toBe("silent");
  });

  it("refuses wrong values", async () => {
    const cases = names.flatMap((name, i) =>
      Object.entries(WRONG_VALUES)
        .filter(([what]) => !accepts[name]?.includes(what))
        .map(([what, value]) => ({ what: `${name} = ${what}`, values: [...values.slice(0, i), value, ...values.slice(i + 1)] })),
    );
    const isOptional = names.every((name) => accepts[name]?.includes("undefined"));
    const complaints: string[] = [];
    for (const { what, values: wrongValues } of [...cases, ...(isOptional ? [] : [{ what: "no arguments", values: [] }])]) {
      const problem = complaint(await outcome(call, wrongValues), names);
      if (problem !== undefined) complaints.push(`${what}: ${problem}`);
    }
    expect(complaints).toEqual([]);
  });
});
