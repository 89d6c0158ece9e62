import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Parameter, Parameters } from "../../../src/declare/parameters.ts";
import { isSiUnit } from "../../../src/declare/units.ts";
import { CONTROLLERS } from "../../../src/parts/control/controllers.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { DEVICES } from "../../../src/scenario/read/devices.ts";
import { scenarioJsonSchema } from "../../../src/scenario/schema.ts";
import { schemaProblems } from "../../fixtures/json-schema.ts";
import { anyValue, replaceSomewhere } from "../../fixtures/models/mutations.ts";
import { PENDULUM, SCENARIOS } from "../../fixtures/models/pendulum.ts";

const DATA = parse(PENDULUM) as Record<string, unknown>;
const SCHEMA = scenarioJsonSchema();
const problemsOf = (file: unknown): readonly string[] => schemaProblems(SCHEMA, file);

const accepts = (file: unknown): boolean => {
  try {
    loadScenario(JSON.stringify(file));
    return true;
  } catch {
    return false;
  }
};

describe("the schema of scenarios", () => {
  test("in the repository is up to date (vitest -u writes it)", async () => {
    await expect(scenarioJsonSchema()).toMatchFileSnapshot("../../../schema/scenario.schema.json");
  });

  test("accepts the built-in scenarios, and examples of every kind of part", () => {
    const files = SCENARIOS.map((name) => parse(readFileSync(`scenarios/${name}/scenario.yaml`, "utf8")));
    const forces = Object.values(FORCES).flatMap((kind) => kind.examples.map((e) => ({ kind: kind.name, ...e })));
    const controllers = Object.values(CONTROLLERS).flatMap((kind) => kind.examples.map((e) => ({ kind: kind.name, ...e })));
    const all = [
      ...files,
      ...forces.map((f) => ({ ...DATA, forces: { f } })),
      ...controllers.map((c) => ({ ...DATA, controllers: { c } })),
    ];
    for (const file of all) expect(problemsOf(file)).toEqual([]);
  });

  test("accepts every file that loadScenario accepts", () => {
    const property = fc.property(fc.nat(), anyValue, (place, replacement) => {
      const changed = replaceSomewhere(DATA, place, replacement);
      const file = JSON.parse(JSON.stringify(changed, (_, v) => (typeof v === "bigint" ? 1 : v)) ?? "null");
      if (accepts(file)) expect(problemsOf(file)).toEqual([]);
    });
    fc.assert(property, { numRuns: 200 });
  });

  test.each([
    "",
    "model.bodies.0.",
    "state.",
    "forces.damper.",
    "controllers.hold.hinges.0.",
    "integrator.",
    "plots.0.",
    "audit.",
  ])("refuses an unknown key at %s, like loadScenario", (at) => {
    const file = structuredClone(DATA);
    let place = file;
    for (const key of at.split(".").slice(0, -1)) place = place[key] as Record<string, unknown>;
    expect([accepts(file), problemsOf(file).length === 0]).toEqual([true, true]);
    place.mystery = 1;
    expect([accepts(file), problemsOf(file).length === 0]).toEqual([false, false]);
  });

  test("every unit of a parameter declaration can be written in a file", () => {
    const unitsIn = (p: Parameter): readonly unknown[] =>
      p.type === "list" ? unitsOfAll(p.of) : "unit" in p ? [p.unit] : p.type === "table" ? [p.units.x, p.units.y] : [];
    const unitsOfAll = (declared: Parameters): readonly unknown[] => Object.values(declared).flatMap(unitsIn);
    const kinds = [...Object.values(FORCES), ...Object.values(CONTROLLERS), ...Object.values(DEVICES)];
    const units = kinds.flatMap(({ parameters }) => unitsOfAll(parameters));
    const names = units.flatMap((u) => (typeof u === "string" ? [u] : Object.values(u as Record<string, string>)));
    expect([...new Set(names)].filter((name) => !isSiUnit(name))).toEqual([]);
  });

  test("no parameter has the name kind, which is the key of the kind itself", () => {
    for (const { parameters } of [...Object.values(FORCES), ...Object.values(CONTROLLERS), ...Object.values(DEVICES)])
      expect(Object.keys(parameters)).not.toContain("kind");
  });
});
