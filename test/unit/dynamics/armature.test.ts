/** Rotors of drives (armature): in closed form, in every formulation, and the hinges that cannot have one. */
import { describe, expect, it } from "vitest";
import { FORMULATIONS } from "../../../src/dynamics/formulations.ts";
import { massMatrix } from "../../../src/dynamics/programs.ts";
import { ModelError } from "../../../src/errors.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import type { BodyDescription, HingeDescription } from "../../../src/model/description.ts";

const link = (hinge: HingeDescription, rest: Partial<BodyDescription> = {}) =>
  createModel({
    name: "driven",
    bodies: [{ name: "link", mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3], hinge, ...rest }],
  });

const problemsOf = (hinge: object): readonly string[] => {
  try {
    link(hinge as HingeDescription);
  } catch (error) {
    if (error instanceof ModelError) return error.problems.map((p) => `${p.path} ${p.message}`);
    throw error;
  }
  return [];
};

describe("armature", () => {
  it.each(Object.keys(FORMULATIONS) as (keyof typeof FORMULATIONS)[])("adds to the inertia of its hinge: %s", (name) => {
    const turning = FORMULATIONS[name].derive(link({ kind: "revolute", axis: "z", armature: 0.7 }));
    const udot = new Float64Array(1);
    const energy = new Float64Array(2);
    const none = new Float64Array(0);
    turning.accelerations(Float64Array.of(0.4), Float64Array.of(3), Float64Array.of(2), none, udot);
    expect(udot[0]).toBeCloseTo(2 / (0.3 + 2 * 0.25 + 0.7), 14);
    turning.energy(Float64Array.of(0.4), Float64Array.of(3), energy);
    expect(energy[0]).toBeCloseTo(0.5 * 1.5 * 9, 13);
    const sliding = FORMULATIONS[name].derive(link({ kind: "cylindrical", axis: "x", armature: [0.2, 5] }));
    const both = new Float64Array(2);
    sliding.accelerations(Float64Array.of(1, 1), Float64Array.of(0, 0), Float64Array.of(3, 14), none, both);
    expect([...both]).toEqual([3 / (2 + 0.2), 14 / (0.1 + 5)].map((v) => expect.closeTo(v, 12))); // a slide, then a turn
  });

  it("is only on the diagonal of the mass matrix, in any unit of length", () => {
    const arm = (armature: readonly [number, number, number]) => ({
      name: "arm",
      bodies: ["a", "b", "c"].map((name, i) => ({
        name,
        ...(i > 0 && { parent: ["a", "b"][i - 1]! }),
        mass: 1,
        com: [0.3, 0, 0] as const,
        inertia: [0.1, 0.1, 0.1],
        hinge: {
          kind: i === 1 ? ("prismatic" as const) : ("revolute" as const),
          axis: "z" as const,
          at: [0.7, 0, 0] as const,
          armature: armature[i]!,
        },
      })),
    });
    const at = (armature: readonly [number, number, number]): number[] => {
      const kernel = compile(massMatrix(createModel(arm(armature))));
      kernel.x.set([0.3, 0.4, 0.5]);
      kernel.evaluate();
      return [...kernel.y];
    };
    const [without, driven] = [at([0, 0, 0]), at([2, 3, 5])];
    expect(driven.map((v, i) => v - without[i]!)).toEqual([2, 0, 0, 0, 3, 0, 0, 0, 5].map((v) => expect.closeTo(v, 13)));
  });

  it("is saved with the model", () => {
    const model = link({ kind: "revolute", armature: 0.7 });
    expect(describeModel(model).bodies[0]!.hinge).toMatchObject({ kind: "revolute", armature: 0.7 });
    expect(describeModel(createModel(describeModel(model)))).toEqual(describeModel(model));
  });

  it("reports hinges that cannot have one, and invalid numbers", () => {
    expect(problemsOf({ kind: "spherical", armature: 1 })).toEqual([expect.stringContaining("bodies[0].hinge.armature")]);
    expect(problemsOf({ kind: "free", armature: 1 })).toHaveLength(1);
    expect(problemsOf({ kind: "revolute", armature: -1 })[0]).toMatch(/negative/);
    expect(problemsOf({ kind: "universal", armature: 1 })[0]).toMatch(/each of 2/);
    expect(problemsOf({ kind: "revolute", armature: "x" })).toHaveLength(1);
    expect(problemsOf({ kind: "revolute", armature: Number.NaN })).toHaveLength(1);
  });
});
