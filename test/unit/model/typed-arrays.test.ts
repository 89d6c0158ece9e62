/** Typed arrays are accepted wherever a description in code accepts an array. */
import { expect, it } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import type { ModelDescription } from "../../../src/model/description.ts";
import { constantWrench } from "../../../src/parts/force/loads/constant-wrench.ts";
import { hingeSpring } from "../../../src/parts/force/springs/hinge-spring.ts";

const DESCRIPTION: ModelDescription = {
  name: "m",
  gravity: [0, 0, -9.5],
  bodies: [
    {
      name: "arm",
      mass: 2,
      com: [0.5, 0, 0],
      inertia: [1, 2, 3, 0.5, 0, 0],
      hinge: { kind: "cylindrical", axis: [0, 3, 4], armature: [0.5, 0.25], at: [1, 2, 3], rotation: { rpy: [0.5, 0, 0] } },
      frames: { tip: { at: [1, 0, 0], rotation: { quaternion: [1, 0, 0, 0] } } },
      shapes: [{ kind: "box", size: [1, 2, 3] }],
    },
  ],
  loops: [{ name: "pin", kind: "point-on-line", axis: [0, 0, 2], from: { frame: "tip" }, to: { body: "world", at: [2, 2, 3] } }],
};

/** The same with every list of numbers as a typed array. */
function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.every((v) => typeof v === "number") ? Float64Array.from(value) : value.map(typed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, typed(member)]));
}

it("a model", () => {
  expect(describeModel(createModel(typed(DESCRIPTION) as ModelDescription))).toEqual(describeModel(createModel(DESCRIPTION)));
  expect(() => createModel({ ...DESCRIPTION, gravity: new Float64Array(2) })).toThrow(
    "gravity: must have 3 numbers, has 2, got [0, 0]",
  );
});

it("parts", () => {
  const model = createModel(DESCRIPTION);
  const spring = { hinge: "arm", stiffness: Float64Array.of(1, 2) };
  expect(JSON.stringify(hingeSpring.create("s", spring, model))).toBe(
    JSON.stringify(hingeSpring.create("s", { ...spring, stiffness: [1, 2] }, model)),
  );
  expect(() => constantWrench.create("w", { frame: "tip", force: Float64Array.of(1, 0, 0) }, model)).not.toThrow();
});
