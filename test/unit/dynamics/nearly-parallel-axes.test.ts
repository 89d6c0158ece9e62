/** Hinge axes that are parallel up to rounding: link frames must not lose their direction. */
import { describe, expect, test } from "vitest";
import { articulated } from "../../../src/dynamics/articulated.ts";
import { kane } from "../../../src/dynamics/kane/kane.ts";
import { bodyPoses } from "../../../src/dynamics/programs.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { posesOf } from "../../fixtures/models/closure.ts";

describe("axes that are parallel up to rounding", () => {
  // Only the sum of the two turns about nearly parallel axes is well determined. Their parts must not be computed apart from each other.
  test.each([3e-16, 1.4e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2])("a tilt of %d rad: poses from elements alone", (tilt) => {
    for (const turn of [0.3, 1.1, 2.6, -1.9]) {
      const model = createModel({
        name: "nearly parallel",
        bodies: [
          { name: "base", mass: 3, com: [0.1, 0.2, 0.3], inertia: [1, 2, 2.5], hinge: { kind: "free" } },
          {
            name: "arm",
            parent: "base",
            mass: 1,
            com: [0.2, 0.1, 0.4],
            inertia: [1, 1, 1.5],
            hinge: { kind: "revolute", at: [0.3, 0.1, 0.2], rotation: { rpy: [0.4, 0.7, turn] } },
          },
          {
            name: "hand",
            parent: "arm",
            mass: 1,
            com: [0.3, 0, 0.1],
            inertia: [1, 1, 1.5],
            hinge: {
              kind: "revolute",
              at: [0.5, 0.2, 0.1],
              rotation: { rpy: [tilt * Math.cos(turn), tilt * Math.sin(turn), turn] },
            },
          },
        ],
      });
      const q = Float64Array.of(1, 0, 0, 0, 0.1, 0.2, 0.3, 0.8, -0.6);
      const kernel = compile(bodyPoses(model));
      kernel.x.set(q);
      kernel.evaluate();
      const expected = posesOf(model, q).flatMap(({ R, p }) => [...R.flat(), ...p] as number[]);
      expect(Math.max(...expected.map((v, i) => Math.abs(v - kernel.y[i]!)))).toBeLessThan(1e-13);
    }
  });

  test("a free base whose only hinge is almost on its own axis: all formulations", () => {
    const model = createModel({
      name: "hinge near the mass centre",
      bodies: [
        { name: "base", mass: 8, com: [0.1, -0.1, 0.05], inertia: [0.5, 0.6, 0.7], hinge: { kind: "free" } },
        {
          name: "arm",
          parent: "base",
          mass: 1.5,
          com: [0.1, 0.15, -0.1],
          inertia: [0.1, 0.12, 0.15],
          hinge: {
            kind: "revolute",
            at: [0.33064639917574823, 0.09236766444519162, 0.21557818353176117],
            rotation: {
              matrix: [
                [-0.21807964349577946, 0.574850648397792, -0.7886621590575976],
                [0.963096672325922, -0.003860675674815184, -0.2691280270393052],
                [-0.15775318965868423, -0.8182492451692036, -0.5527948117814954],
              ],
            },
          },
        },
      ],
    });
    const q = Float64Array.of(1, 0, 0, 0, -0.3, 0.4, -0.5, 0.87);
    const u = Float64Array.of(0.4, -0.2, 0.9, 0.7, -0.1, 0.5, 0.2);
    const [articulatedUdot, kaneUdot] = [articulated, kane].map((formulation) => {
      const udot = new Float64Array(model.nu);
      formulation.derive(model).accelerations(q, u, new Float64Array(model.nu), new Float64Array(0), udot);
      return udot;
    }) as [Float64Array, Float64Array];
    for (let i = 0; i < model.nu; i++) expect(articulatedUdot[i]).toBeCloseTo(kaneUdot[i]!, 12);
  });
});
