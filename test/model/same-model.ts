import { expect } from "vitest";
import type { Model } from "../../src/model/model.ts";

/** Rotations pass through a quaternion, all other numbers are kept. */
const DIGITS = 14;

/** Two models are the same: rotations up to rounding, everything else exactly; warnings are not compared. */
export function expectSame(actual: Model, expected: Model): void {
  expect(withoutRotations(actual)).toEqual(withoutRotations(expected));
  const entries = rotationEntries(expected);
  for (const [i, entry] of rotationEntries(actual).entries()) expect(entry).toBeCloseTo(entries[i]!, DIGITS);
}

const withoutRotations = (model: Model): unknown =>
  JSON.parse(JSON.stringify({ ...model, warnings: [] }, (key, value) => (key === "R" ? undefined : value)));

const rotationEntries = (model: Model): number[] =>
  [...model.bodies.flatMap(({ hinge }) => [hinge.onParent, hinge.onBody]), ...model.frames.map((f) => f.placement)].flatMap(
    ({ R }) => R.flat(),
  );
