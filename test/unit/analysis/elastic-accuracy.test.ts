/** What a number of joints is good for: measured frequencies, tips under moments, errors of the first modes. */
import { describe, expect, it, test } from "vitest";
import { elasticAccuracy } from "../../../src/analysis/elastic-accuracy.ts";
import { linearise } from "../../../src/analysis/linearise.ts";
import { modalAnalysis, modalRemarks } from "../../../src/analysis/modes/modal-analysis.ts";
import { modesOf } from "../../../src/analysis/modes/modes.ts";
import { complianceOf } from "../../../src/analysis/statics.ts";
import { buildElasticModel } from "../../../src/model/build/model-builder.ts";
import type { ElasticDescription } from "../../../src/model/description.ts";

const cantilever = (elastic: ElasticDescription) =>
  buildElasticModel("cantilever")
    .body({ name: "rod", elastic, hinge: { kind: "fixed" }, frames: { tip: { at: [elastic.length, 0, 0] } } })
    .build();
const ROD = { length: 2, massPerLength: 0.7, bendingStiffness: 40 } as const;
const COUNTS = [1, 2, 3, 4, 5, 6, 8, 13];

describe("a measured first frequency", () => {
  test.each(COUNTS)("is that of the body with %i joints", (joints) => {
    const elastic = { length: 2, massPerLength: 0.7, measured: { frequency: 3 }, joints };
    const [first, second] = modesOf(linearise(cantilever(elastic)));
    expect(first!.frequency).toBeCloseTo(3, 11);
    expect(second!.frequency).toBeCloseTo(3, 11); // the other plane
    const [ry] = elasticAccuracy(elastic);
    expect(ry!.errors[0]).toBeCloseTo(0, 10);
  });

  test.each([1, 4, 8])("is that of a body with rotary inertia and %i joints too", (joints) => {
    const section = { kind: "box", width: 0.3, height: 0.2 } as const;
    const elastic = { length: 2, mass: 1.4, section, measured: { frequency: 3 }, joints, freedoms: ["rz"] } as const;
    expect(modesOf(linearise(cantilever(elastic)))[0]!.frequency).toBeCloseTo(3, 11);
  });
});

describe("the tip under unit loads", () => {
  const twisting = {
    ...ROD,
    torsionStiffness: 15,
    polarInertia: 0.01,
    axialStiffness: 900,
    freedoms: ["x", "rx", "ry", "rz"],
  } as const;

  test.each(COUNTS)("twists and stretches rightly with %i joints, and bends rightly under a force", (joints) => {
    const linear = linearise(cantilever({ ...twisting, joints }));
    const [twist] = complianceOf(linear, [{ frame: "tip", about: [1, 0, 0] }]);
    expect(twist![0]).toBeCloseTo(2 / 15, 12);
    const [stretch] = complianceOf(linear, [{ frame: "tip", along: [1, 0, 0] }]);
    expect(stretch![0]).toBeCloseTo(2 / 900, 13);
    const [deflection] = complianceOf(linear, [{ frame: "tip", along: [0, 1, 0] }]);
    expect(deflection![0]).toBeCloseTo(8 / (3 * 40), 12);
    const [slope] = complianceOf(linear, [{ frame: "tip", about: [0, 0, 1] }]);
    expect(slope![0]! / (2 / 40)).toBeCloseTo(joints === 1 ? 0.75 : 1, 12);
  });

  it("of one joint are warned about, because the slope under a moment is wrong", () => {
    expect(cantilever({ ...ROD, joints: 1 }).warnings).toEqual([
      {
        path: "bodies[0].elastic.joints",
        message: "one joint bends the tip rightly under a force, but 25 % too little under a moment",
        advice: "Give two joints or more, which are right for both",
      },
    ]);
    expect(cantilever({ ...ROD, joints: 2 }).warnings).toEqual([]);
    expect(cantilever({ ...twisting, freedoms: ["rx"], joints: 1 }).warnings).toEqual([]);
  });
});

describe("errors of the first frequencies", () => {
  const errorsOf = (elastic: ElasticDescription, freedom = "rz"): readonly number[] =>
    elasticAccuracy(elastic).find((a) => a.freedom === freedom)!.errors;
  /** Roots of cos β cosh β = -1. */
  const ROOTS = [1.8751040687119611, 4.694091132974175, 7.854757438237613, 10.995540734875467];

  test.each([2, 3, 4, 5, 8, 20])("of a uniform rod with %i joints are those against Euler and Bernoulli", (joints) => {
    const errors = errorsOf({ ...ROD, joints });
    const modes = modesOf(linearise(cantilever({ ...ROD, joints, freedoms: ["rz"] })));
    expect(errors.length).toBe(Math.min(4, joints));
    for (const [k, error] of errors.entries()) {
      const exact = ((ROOTS[k]! / 2) ** 2 * Math.sqrt(40 / 0.7)) / (2 * Math.PI);
      expect(error).toBeCloseTo(modes[k]!.frequency / exact - 1, 8);
    }
  });

  it("of twist are those against a quarter, three quarters, ... of a wave", () => {
    const elastic = { ...ROD, torsionStiffness: 15, polarInertia: 0.01, freedoms: ["rx"], joints: 7 } as const;
    const modes = modesOf(linearise(cantilever(elastic)));
    for (const [k, error] of errorsOf(elastic, "rx").entries()) {
      const exact = ((k + 0.5) / 2 / 2) * Math.sqrt(15 / 0.01);
      expect(error).toBeCloseTo(modes[k]!.frequency / exact - 1, 8);
    }
  });

  it("of a cone with rotary inertia vanish with many joints", () => {
    const cone = {
      length: 3,
      material: "steel",
      section: { kind: "round", diameter: 0.1 },
      tipSection: { kind: "round", diameter: 0.04 },
      freedoms: ["rz"],
    } as const;
    const [few, many] = [4, 60].map((joints) => errorsOf({ ...cone, joints }));
    expect(Math.abs(few![0]!)).toBeLessThan(0.01);
    expect(Math.max(...many!.map(Math.abs))).toBeLessThan(0.005);
    expect(Math.max(...many!.map(Math.abs))).toBeLessThan(0.1 * Math.max(...few!.map(Math.abs)));
  });

  it("are said with the modes", () => {
    const analysis = modalAnalysis(cantilever({ ...ROD, freedoms: ["rz"] }), []);
    expect(modalRemarks(analysis, { rest: "", held: "" }).join("\n")).toMatch(
      /^Errors of the first frequencies of rod alone, clamped, with 4 joints: rz exact, exact, [+-]16 %, [+-]\d+ %\.$/,
    );
  });
});
