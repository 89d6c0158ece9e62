import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { formatModel, parseModel } from "../../src/formats/model-file.ts";
import { modelFileSchema, modelJsonSchema } from "../../src/formats/schema.ts";
import { createModel } from "../../src/model/create.ts";
import { description } from "../model/arbitrary-model.ts";
import { anyValue, replaceSomewhere } from "../model/mutations.ts";

const SATELLITE = parse(readFileSync("scenarios/satellite-manipulator/model.yaml", "utf8")) as Record<string, unknown>;

const accepts = (file: unknown): boolean => {
  try {
    parseModel(JSON.stringify(file));
    return true;
  } catch {
    return false;
  }
};

describe("the schema", () => {
  test("as committed is up to date (vitest -u writes it)", async () => {
    await expect(modelJsonSchema()).toMatchFileSnapshot("../../schema/model.schema.json");
  });

  test("explains every field", () => {
    const { definitions, properties } = JSON.parse(modelJsonSchema()) as Record<string, Record<string, Described>>;
    for (const fields of [properties!, ...Object.values(definitions!).map((d) => d.properties ?? {})])
      for (const [name, field] of Object.entries(fields)) {
        const reference = field.$ref ?? field.allOf?.[0]?.$ref;
        const description = field.description ?? definitions![reference?.split("/").at(-1) ?? ""]?.description;
        expect(description, name).toMatch(/\.$/);
      }
  });

  test("takes files that parseModel writes, and quantities with units", () => {
    const property = fc.property(description, (given) => {
      expect(modelFileSchema.safeParse(parse(formatModel(createModel(given)))).error?.issues).toBeUndefined();
    });
    fc.assert(property, { numRuns: 30 });
    expect(modelFileSchema.safeParse(SATELLITE).error?.issues).toBeUndefined();
  });

  test("takes whatever parseModel takes", () => {
    const property = fc.property(fc.nat(), anyValue, (place, replacement) => {
      const file = JSON.parse(
        JSON.stringify(replaceSomewhere(SATELLITE, place, replacement), (_, v) => (typeof v === "bigint" ? 1 : v)) ?? "null",
      );
      if (accepts(file)) expect(modelFileSchema.safeParse(file).error?.issues).toBeUndefined();
    });
    fc.assert(property, { numRuns: 200 });
  });

  test.each(["", "bodies.0.", "bodies.0.hinge.", "bodies.2.hinge.rotation.", "bodies.4.frames.tip."])(
    "refuses an unknown key at %s, like parseModel",
    (at) => {
      const file = structuredClone(SATELLITE);
      let place = file;
      for (const key of at.split(".").slice(0, -1)) place = place[key] as Record<string, unknown>;
      expect([accepts(file), modelFileSchema.safeParse(file).success]).toEqual([true, true]);
      place.mystery = 1;
      expect([accepts(file), modelFileSchema.safeParse(file).success]).toEqual([false, false]);
    },
  );
});

interface Described {
  readonly description?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Described[];
  readonly properties?: Record<string, Described>;
}
