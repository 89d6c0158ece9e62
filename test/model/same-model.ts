import { expect } from "vitest";
import type { Model } from "../../src/model/model.ts";

/**
 * Rotations pass through a quaternion, and entries within 1e-14 of 0 and ±1 are made exact, in the first model and in the second; all
 * other numbers are kept.
 */
const ROTATION = 3e-14;

/** Two models are the same: rotations up to rounding, everything else exactly; warnings are not compared. */
export function expectSame(actual: Model, expected: Model): void {
  expect(withoutRotations(actual)).toEqual(withoutRotations(expected));
  const entries = rotationEntries(expected);
  for (const [i, entry] of rotationEntries(actual).entries()) expect(Math.abs(entry - entries[i]!)).toBeLessThan(ROTATION);
}

const withoutRotations = (model: Model): unknown =>
  JSON.parse(JSON.stringify({ ...model, warnings: [] }, (key, value) => (key === "R" ? undefined : value)));

const rotationEntries = (model: Model): number[] =>
  [
    ...model.bodies.flatMap(({ hinge, shapes }) => [hinge.onParent, hinge.onBody, ...shapes.map((s) => s.placement)]),
    ...model.frames.map((f) => f.placement),
    ...model.loops.flatMap((loop) => (loop.type === "frames" ? [loop.from.placement, loop.to.placement] : [])),
  ].flatMap(({ R }) => R.flat());
