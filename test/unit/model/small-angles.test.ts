/** Elastic bodies with small turns [Yoshikawa and Hosoda 1991, eq. 7]: their error, and the models that refuse them. */
import { describe, expect, it } from "vitest";
import { FORMULATIONS, formulationsFor } from "../../../src/dynamics/formulations.ts";
import { framePose, placementsOfLinks } from "../../../src/dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../../../src/dynamics/tree/link-tree.ts";
import { ModelError } from "../../../src/errors.ts";
import { formatModel, parseModel } from "../../../src/formats/model-file.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { ElasticDescription } from "../../../src/model/description.ts";
import { smallTurnsElement } from "../../../src/model/hinge.ts";
import { frameOf, type Model } from "../../../src/model/model.ts";

/** The second link of the paper with its load. */
const K = [54, 76];
const link = (rotations: "exact" | "small", more: Partial<ElasticDescription> = {}): Model =>
  createModel({
    name: "link",
    bodies: [
      {
        name: "rod",
        elastic: {
          length: 0.6,
          mass: 0.1473,
          section: { kind: "round", diameter: 0.006 },
          rotations,
          joints: [0.036, 0.33].map((at, j) => ({ at, stiffness: K[j]! })),
          ...more,
        },
        hinge: { kind: "fixed" },
        frames: { tip: { at: [0.6, 0, 0] } },
      },
      { name: "load", parent: "rod", mass: 0.55, inertia: "none", hinge: { kind: "fixed", at: [0.6, 0, 0] } },
    ],
  });

const both = <T>(of: (model: Model) => T): [T, T] => [of(link("exact")), of(link("small"))];
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number => Math.hypot(...Array.from(a, (v, i) => v - b[i]!));

describe("small angles", () => {
  // Angle of both joints; error of the tip over the length and of the accelerations from rest, both in % [independent computation].
  it.each([
    [1, 0.0211710394, 0.0050336343],
    [5, 0.5293529295, 0.1336360835],
    [10, 2.1183582661, 0.6066026193],
    [20, 8.4876674375, 2.9194708641],
  ])("of %i degrees move the tip by %f %% and change accelerations by %f %%", (degrees, tipError, error) => {
    const angle = (degrees * Math.PI) / 180;
    const q = Float64Array.of(angle, angle);
    const [exact, small] = both((model) => {
      const machine = linkTreeOf(model);
      return framePose(machine, placementsOfLinks(machine, Array.from(q)), frameOf(model, "tip")).p as readonly number[];
    });
    expect(Math.abs((100 * distance(exact, small)) / 0.6 / tipError - 1)).toBeLessThan(1e-8);
    const [u0, u1] = both((model) => {
      const udot = new Float64Array(2);
      const tau = Float64Array.from(K, (k) => -k * angle);
      FORMULATIONS.articulated.derive(model).accelerations(q, new Float64Array(2), tau, new Float64Array(0), udot);
      return udot;
    });
    // The reference uses the masses of the cut links as printed, with three digits.
    expect(Math.abs((100 * distance(u0, u1)) / Math.hypot(...u0) / error - 1)).toBeLessThan(2e-4);
  });

  it("are those of the rotation vector about any axis: R = 1 + φ̃", () => {
    const { R } = smallTurnsElement(["x", "y", "z"]).pose([0.1, 0.2, 0.3]);
    expect(R).toEqual([
      [1, -0.3, 0.2],
      [0.3, 1, -0.1],
      [-0.2, 0.1, 1],
    ]);
    expect(smallTurnsElement(["y"]).pose([0.2]).R[2][0]).toBe(-0.2);
  });

  it("survive a file", () => {
    const model = link("small", { freedoms: ["ry", "rz"], joints: [{ at: 0.1, stiffness: [50, 60] }] });
    const again = parseModel(formatModel(model));
    expect(again.bodies[1]!.hinge.parameters).toEqual({ freedoms: ["ry", "rz"], rotations: "small" });
    expect(again.nq).toBe(2);
  });

  it("are refused where they have no meaning: other formulations, loops, other words", () => {
    const model = link("small");
    expect(formulationsFor(model)).toEqual(["articulated"]);
    expect(formulationsFor(link("exact"))).toEqual(["articulated", "kane", "matrix"]);
    for (const name of ["kane", "matrix", "partition", "minimal"] as const)
      expect(() => FORMULATIONS[name].derive(model)).toThrow(/does not support rotations: small/);
    const closed = {
      name: "closed",
      bodies: [
        {
          name: "rod",
          elastic: { length: 1, massPerLength: 1, bendingStiffness: 1, rotations: "small" },
          hinge: { kind: "fixed" },
        },
      ],
      loops: [{ name: "stay", kind: "distance", length: 1, from: { body: "world" }, to: { body: "rod", at: [1, 0, 0] } }],
    } as const;
    expect(() => createModel(closed)).toThrow(/do not conserve lengths/);
    expect(() => link("tiny" as never)).toThrow(ModelError);
  });
});
