import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { formatModel, parseModel } from "../../../src/formats/model-file.ts";
import { modelJsonSchema } from "../../../src/formats/model-schema.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { HINGES } from "../../../src/model/hinges/index.ts";
import { loopKinds } from "../../../src/model/loops/index.ts";
import { schemaProblems } from "../../fixtures/json-schema.ts";
import { description } from "../../fixtures/models/arbitrary-model.ts";
import { anyValue, replaceSomewhere } from "../../fixtures/models/mutations.ts";

const SATELLITE = parse(readFileSync("scenarios/satellite-manipulator/model.yaml", "utf8")) as Record<string, unknown>;

const PLACE = { body: "waist", at: [0, "1 mm", 0], rotation: { rpy: [0, 0, "90 deg"] } };
const SHAPES = [
  { kind: "box", size: [1, "2 mm", 3], ...PLACE, body: undefined },
  { kind: "sphere", radius: "1 cm", colour: "#aa00FF" },
  { kind: "cylinder", radius: 1, length: "1 m" },
  { kind: "capsule", radius: 1, length: 1 },
  { kind: "mesh", file: "parts/hand.stl", scale: 0.001 },
].map((shape) => JSON.parse(JSON.stringify(shape)) as object);
/** The satellite with a loop and a shape of every kind. */
const LOOPED = {
  ...SATELLITE,
  bodies: (SATELLITE.bodies as readonly object[]).map((body, i) => (i === 1 ? { ...body, shapes: SHAPES } : body)),
  loops: [
    { name: "revolute", kind: "revolute", axis: "y", from: PLACE, to: { frame: "tip" } },
    { name: "fixed", kind: "fixed", from: { body: "world" }, to: PLACE },
    { name: "screw", kind: "helical", axis: [1, 0, 0], pitch: "1 mm/rev", from: { body: "world" }, to: PLACE },
    { name: "general", kind: "general", freedoms: ["x", "rz"], from: { body: "world" }, to: PLACE },
    { name: "rod", kind: "distance", length: "50 cm", from: { body: "world" }, to: PLACE },
    { name: "line", kind: "point-on-line", axis: "x", from: PLACE, to: { body: "world" } },
    { name: "plane", kind: "point-on-plane", from: PLACE, to: { body: "world" } },
    {
      name: "gear",
      kind: "coupling",
      terms: [
        { hinge: "waist", factor: 1 },
        { hinge: "upper-arm", factor: -2 },
      ],
      offset: 1,
    },
    {
      name: "drive",
      kind: "prescribed",
      hinge: "waist",
      motion: { offset: "1 deg", rate: "6 rpm", amplitude: 1, phase: "9 deg" },
    },
  ],
};

const problemsOf = (file: unknown): readonly string[] => schemaProblems(modelJsonSchema(), file);

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
    await expect(modelJsonSchema()).toMatchFileSnapshot("../../../schema/model.schema.json");
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

  test("accepts files that formatModel writes, and quantities with units", () => {
    const property = fc.property(description, (given) => {
      expect(problemsOf(parse(formatModel(createModel(given))))).toEqual([]);
    });
    fc.assert(property, { numRuns: 30 });
    for (const file of [SATELLITE, LOOPED]) {
      expect(accepts(file)).toBe(true);
      expect(problemsOf(file)).toEqual([]);
    }
  });

  test("accepts everything that parseModel accepts", () => {
    const property = fc.property(fc.nat(), anyValue, (place, replacement) => {
      const file = JSON.parse(
        JSON.stringify(replaceSomewhere(LOOPED, place, replacement), (_, v) => (typeof v === "bigint" ? 1 : v)) ?? "null",
      );
      if (accepts(file)) expect(problemsOf(file)).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  const LOOP_PLACES = ["loops.0.", "loops.1.to.", "loops.4.", "loops.7.", "loops.7.terms.1.", "loops.8.", "loops.8.motion."];
  test.each([
    "",
    "bodies.0.",
    "bodies.0.hinge.",
    "bodies.2.hinge.rotation.",
    "bodies.4.frames.tip.",
    "bodies.1.shapes.0.",
    ...LOOP_PLACES,
  ])("refuses an unknown key at %s, like parseModel", (at) => {
    const file = structuredClone(LOOPED);
    let place: Record<string, unknown> = file;
    for (const key of at.split(".").slice(0, -1)) place = place[key] as Record<string, unknown>;
    expect([accepts(file), problemsOf(file).length === 0]).toEqual([true, true]);
    place.mystery = 1;
    expect([accepts(file), problemsOf(file).length === 0]).toEqual([false, false]);
  });
});

test("model-format.md describes every kind of loop", () => {
  const page = readFileSync("docs/model-format.md", "utf8").replace(/ +\|/g, " |");
  const others = Object.values(loopKinds()).filter(({ name }) => !Object.hasOwn(HINGES, name));
  expect(others.filter(({ name, about }) => !page.includes(`| \`${name}\` | ${about} |`))).toEqual([]);
});

interface Described {
  readonly description?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Described[];
  readonly properties?: Record<string, Described>;
}
