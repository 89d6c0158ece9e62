import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createModel } from "../../src/model/create.ts";
import { describeModel } from "../../src/model/describe.ts";
import type { Model } from "../../src/model/model.ts";
import { description } from "./arbitrary-model.ts";

/** Rotations pass through a quaternion, all other numbers are kept. */
const ROUNDING = 14;

describe("describeModel", () => {
  test("gives a description of the same model", () => {
    fc.assert(
      fc.property(description, (given) => expectSame(createModel(describeModel(createModel(given))), createModel(given))),
      {
        numRuns: 150,
      },
    );
  });

  test("leaves out what is at its default", () => {
    const given = { name: "m", bodies: [{ name: "a", mass: 1, inertia: [1, 2, 2], hinge: { kind: "free" } }] } as const;
    expect(describeModel(createModel(given))).toEqual(given);
  });
});

export function expectSame(actual: Model, expected: Model): void {
  const rotations = (model: Model): number[] =>
    [...model.bodies.flatMap(({ hinge }) => [hinge.onParent, hinge.onBody]), ...model.frames.map((f) => f.placement)].flatMap(
      ({ R }) => R.flat(),
    );
  const others = (model: Model) =>
    JSON.parse(
      JSON.stringify({ ...model, warnings: [] }, (key, value) => (key === "R" ? undefined : Object.is(value, -0) ? 0 : value)),
    );
  expect(others(actual)).toEqual(others(expected));
  const expectedRotations = rotations(expected);
  for (const [i, entry] of rotations(actual).entries()) expect(entry).toBeCloseTo(expectedRotations[i]!, ROUNDING);
}
