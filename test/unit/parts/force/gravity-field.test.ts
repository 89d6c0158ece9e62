/** Differences of gravity between near places, compared with exact integer arithmetic. */
import { describe, expect, test } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { gravityNear } from "../../../../src/parts/force/environment/gravity-field.ts";
import { createForce } from "../../../../src/parts/force/forces.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import type { Vec3 } from "../../../../src/spatial/vec3.ts";
import { gravityDifference } from "../../../oracles/exact-gravity.ts";

const EARTH = { mu: 3.986004418e14, j2: 1.0826359e-3, radius: 6378136.6 };
const R = [4.1e6, -3.2e6, 4.342e6] as const;

/** Components of the tide may cancel, so that errors are relative to the gradient times the distance. */
const scaleOf = (d: readonly number[]): number => (EARTH.mu / Math.hypot(...R) ** 3) * Math.hypot(...d);

describe("gravityNear", () => {
  test.each([1e-9, 1e-3, 1, 1e3, 1e6])("has the difference over %f m to 1e-15 of the gradient", (distance) => {
    for (const direction of [
      [1, 0, 0],
      [0.3, -0.7, 0.6],
      [-0.5, 0.2, -0.9],
    ]) {
      const d = direction.map((x) => x * distance);
      const { difference } = gravityNear(EARTH, R, d as unknown as Vec3);
      const expected = gravityDifference(EARTH, R, d);
      for (const i of [0, 1, 2] as const)
        expect(Math.abs((difference[i] as number) - expected[i]!)).toBeLessThan(2e-15 * scaleOf(d));
    }
  });

  test("has the acceleration of point-gravity in coordinates of the world", () => {
    const model = createModel({ name: "ball", bodies: [{ name: "ball", mass: 3, inertia: [1, 1, 1], hinge: { kind: "free" } }] });
    const system = createSystem(model, [createForce(model, { kind: "point-gravity", name: "earth", ...EARTH, gradient: false })]);
    const accelerations = system.accelerations(system.start({ q: [1, 0, 0, 0, ...R] }));
    const { acceleration } = gravityNear(EARTH, R, [0, 0, 0]);
    for (const i of [0, 1, 2] as const)
      expect(Math.abs(accelerations[3 + i]! / (acceleration[i] as number) - 1)).toBeLessThan(1e-14);
  });
});

describe("gravity-gradient with `exact`", () => {
  const model = createModel({
    name: "ball",
    bodies: [{ name: "ball", mass: 3, inertia: [1e-9, 1e-9, 1e-9], hinge: { kind: "free" } }],
  });
  const at = (exact: boolean, d: readonly [number, number, number]): Float64Array => {
    const system = createSystem(model, [
      createForce(model, { kind: "gravity-gradient", name: "tide", semiMajorAxis: 6.8e6, exact }),
    ]);
    return system.accelerations(system.start({ q: [1, 0, 0, 0, ...d] }));
  };

  test("is the difference of gravity, and the first order differs from it by the second", () => {
    for (const size of [1, 10, 100]) {
      const d = [0.6 * size, -0.5 * size, 0.62 * size] as const;
      const expected = gravityDifference({ ...EARTH, j2: 0 }, [6.8e6, 0, 0], d);
      const gradient = (EARTH.mu / 6.8e6 ** 3) * size;
      const [exact, first] = [at(true, d), at(false, d)];
      for (const i of [0, 1, 2] as const) expect(Math.abs(exact[3 + i]! - expected[i]!)).toBeLessThan(1e-14 * gradient);
      const error = Math.hypot(...[0, 1, 2].map((i) => first[3 + i]! - expected[i]!)) / gradient;
      expect(error).toBeGreaterThan((1e-1 * size) / 6.8e6);
      expect(error).toBeLessThan((3 * size) / 6.8e6);
    }
  });
});
