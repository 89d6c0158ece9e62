/** Whatever is passed as a description: a model or a ModelError, soon, and nothing else happens. */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { ModelError } from "../../src/errors.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { Model } from "../../src/model/model.ts";
import { description } from "../fixtures/models/arbitrary-model.ts";
import { anyValue, replaceSomewhere } from "../fixtures/models/mutations.ts";
import { processorTime } from "../fixtures/processor-time.ts";

/** Milliseconds of the processor for one case; a case takes one. */
const SOON = 2000;

/** The model or the error; anything else is thrown on. */
function attempt(value: unknown): Model | ModelError {
  const used = processorTime();
  try {
    return createModel(value as never);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    expect(error.message.length).toBeLessThan(50_000);
    return error;
  } finally {
    expect(used()).toBeLessThan(SOON);
  }
}

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const slider = { name: "s", mass: 1, inertia: [1, 1, 1], hinge: { kind: "prismatic" } };
const LOOPS = [
  { name: "l", kind: "helical", axis: "x", pitch: 1, from: { body: "world" }, to: { body: "a" } },
  { name: "l", kind: "general", freedoms: ["x"], from: { body: "world" }, to: { body: "a" } },
  { name: "l", kind: "distance", length: 1, from: { body: "world" }, to: { body: "a" } },
  { name: "l", kind: "coupling", terms: [{ hinge: "s", factor: 1 }], offset: 1 },
  { name: "l", kind: "prescribed", hinge: "s", motion: { rate: 1 } },
];

describe("createModel", () => {
  test("takes any value", () => {
    const property = fc.property(anyValue, (value) => {
      expect((attempt(value) as ModelError).cause).toBeUndefined();
    });
    fc.assert(property, { numRuns: 500 });
  });

  test("takes any value in any place of a good description", () => {
    const mutated = fc.tuple(description, fc.array(fc.tuple(fc.nat(), anyValue), { minLength: 1, maxLength: 3 }));
    const property = fc.property(mutated, ([given, mutations]) => {
      const value = mutations.reduce<unknown>((v, [place, replacement]) => replaceSomewhere(v, place, replacement), given);
      const result = attempt(value);
      if (result instanceof ModelError) expect(result.cause).toBeUndefined();
    });
    fc.assert(property, { numRuns: 500 });
  });

  const cyclic: unknown[] = [];
  cyclic.push(cyclic, cyclic);
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = {
    get name(): string {
      throw new Error("no");
    },
    bodies: [],
  };
  const endless = new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 31 : "x") });
  const polluting = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}');

  test.each([
    ["a cyclic array", cyclic],
    ["a deep array", deep],
    ["a revoked proxy", proxy],
    ["a getter that throws", throwing],
    ["an array without end", endless],
    ["keys that pollute", polluting],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a view of bytes", new DataView(new ArrayBuffer(8))],
  ])("takes %s anywhere", (_, value) => {
    const body = { name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } };
    expect(attempt(value)).toBeInstanceOf(ModelError);
    expect(attempt({ name: value, bodies: [body] })).toBeInstanceOf(ModelError);
    expect(attempt({ name: "m", bodies: value })).toBeInstanceOf(ModelError);
    expect(attempt({ name: "m", gravity: value, bodies: [body] })).toBeInstanceOf(ModelError);
    for (const key of ["name", "parent", "mass", "com", "inertia", "hinge"])
      expect(attempt({ name: "m", bodies: [{ ...body, [key]: value }] })).toBeInstanceOf(ModelError);
    expect(attempt({ name: "m", bodies: [body], loops: value })).toBeInstanceOf(ModelError);
    for (const loop of LOOPS)
      for (const key of Object.keys(loop))
        expect(attempt({ name: "m", bodies: [body, slider], loops: [{ ...loop, [key]: value }] })).toBeInstanceOf(ModelError);
    for (const key of ["body", "frame", "at", "rotation"])
      expect(attempt({ name: "m", bodies: [body], loops: [{ ...LOOPS[0], to: { [key]: value } }] })).toBeInstanceOf(ModelError);
    for (const key of ["kind", "axis", "at", "rotation", "onBody", "name"])
      expect(attempt({ name: "m", bodies: [{ ...body, hinge: { kind: "revolute", [key]: value } }] })).toBeInstanceOf(ModelError);
  });
});
