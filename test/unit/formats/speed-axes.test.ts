/** Axes of speeds in state files. */
import { expect, it } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { parseState } from "../../../src/formats/state-file.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { loadScenario } from "../../../src/scenario/load.ts";

const H = Math.SQRT1_2;
/** Turns of +90° about z: R maps x to y, and y to -x. */
const TURN = { quaternion: [H, 0, 0, H] };
const description = {
  name: "m",
  bodies: [
    { name: "base", mass: 1, inertia: [1, 2, 3], hinge: { kind: "free" } },
    {
      name: "wrist",
      parent: "base",
      mass: 1,
      inertia: [1, 2, 3],
      hinge: { kind: "spherical", at: [1, 0, 0], rotation: { quaternion: [H, H, 0, 0] }, onBody: { rotation: TURN } },
    },
  ],
} as const;
const model = createModel(description);
const Q = `q: { base: [${H}, 0, 0, ${H}, 1, 2, 3], wrist: [1, 0, 0, 0] }`;
const speeds = (axes: string, u: string): number[] =>
  Array.from(parseState(`${Q}\nu: ${u}\n${axes}`, model).u, (value) => Math.round(value * 1e12) / 1e12 + 0);

it.each([
  ["", [1, 2, 3, 4, 5, 6]],
  ["axes: hinge", [1, 2, 3, 4, 5, 6]],
  ["axes: world", [1, 2, 3, 4, 5, 6]],
  ["axes: parent", [1, 2, 3, 4, 5, 6]],
  ["axes: body", [-2, 1, 3, -5, 4, 6]],
  ["axes: { angular: body }", [-2, 1, 3, 4, 5, 6]],
  ["axes: { angular: world, linear: body }", [1, 2, 3, -5, 4, 6]],
])("a free body turned about z, %s", (axes, expected) => {
  expect(speeds(axes, "{ base: [1, 2, 3, 4, 5, 6] }").slice(0, 6)).toEqual(expected);
});

// F of the wrist is turned about x: F's y is the carrier's z, F's z the carrier's -y. B is M turned by -90° about z.
it.each([
  ["axes: hinge", [1, 2, 3]],
  ["axes: parent", [1, 3, -2]],
  ["axes: body", [2, -1, 3]],
  // The world's x is the carrier's -y, the world's y its x.
  ["axes: world", [2, 3, 1]],
])("a ball on it, %s", (axes, expected) => {
  expect(speeds(axes, "{ wrist: [1, 2, 3] }").slice(6)).toEqual(expected);
});

it("a scenario has the same section", () => {
  const text = JSON.stringify({
    model: description,
    duration: 1,
    state: { q: { base: [H, 0, 0, H, 1, 2, 3] }, u: { base: [1, 2, 3, 4, 5, 6] }, axes: { angular: "body", linear: "world" } },
  });
  expect(Array.from(loadScenario(text).u.subarray(0, 6), (value) => +value.toFixed(12))).toEqual([-2, 1, 3, 4, 5, 6]);
});

it("other words are refused with their place", () => {
  expect(() => parseState("axes: inertial", model)).toThrow(ModelError);
  expect(() => parseState("axes: { angular: inertial }", model)).toThrow(/axes\.angular.*must be hinge, body, parent, world/);
});
