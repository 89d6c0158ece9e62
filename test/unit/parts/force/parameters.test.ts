import { describe, expect, it } from "vitest";
import type { Parameters } from "../../../../src/declare/parameters.ts";
import { readParameters } from "../../../../src/declare/parse-parameters.ts";
import { readQuantity, type SiUnit } from "../../../../src/declare/units.ts";
import { ModelError, type Problem } from "../../../../src/errors.ts";
import { freedomsOf, knownNames } from "../../../../src/model/freedoms.ts";
import { FORCES, readForce } from "../../../../src/parts/force/forces.ts";
import { ARM } from "../../../fixtures/force-bench.ts";

const problemsOf = (make: () => unknown): readonly Problem[] => {
  try {
    make();
  } catch (error) {
    if (error instanceof ModelError) return error.problems;
    throw error;
  }
  return [];
};

describe("freedoms", () => {
  it("are found by the names of coordinates and speeds, with their indices in q and u", () => {
    const freedoms = freedomsOf(ARM);
    expect(freedoms.map((f) => f.name)).toEqual([
      ...["base.wx", "base.wy", "base.wz", "base.x", "base.y", "base.z"],
      ...["shoulder", "elbow", "slider", "wrist.wx", "wrist.wy", "wrist.wz"],
    ]);
    expect(freedoms.map((f) => f.u)).toEqual(Array.from({ length: ARM.nu }, (_, i) => i));
    expect(freedoms.map((f) => f.q)).toEqual([
      undefined,
      undefined,
      undefined,
      4,
      5,
      6,
      7,
      8,
      9,
      undefined,
      undefined,
      undefined,
    ]);
    expect(freedoms[4]).toMatchObject({ speedName: "base.vy", coordinateInHinge: 5, speedInHinge: 4, motion: "slide" });
    expect(freedoms[10]!.ball).toEqual({ quaternion: 0, axis: 1 });
  });
});

describe("reading parameters", () => {
  it("reports every problem at once, with path, value and advice", () => {
    const written = { hinge: "elbw", stifness: 3, damping: -1, rest: "soft", preload: Number.NaN };
    const problems = problemsOf(() => readForce("hinge-spring", "s", written, ARM, { path: "forces.s" }));
    expect(problems).toEqual([
      { path: "forces.s.stifness", message: "unknown key", value: '"stifness"', advice: 'Did you mean "stiffness"?' },
      { path: "forces.s.hinge", message: "no hinge has this name", value: '"elbw"', advice: 'Did you mean "elbow"?' },
      { path: "forces.s.damping", message: "must not be negative", value: "-1" },
      { path: "forces.s.rest", message: "must be a number", value: '"soft"' },
      { path: "forces.s.preload", message: "must be a finite number", value: "NaN" },
    ]);
  });

  it("names the kinds when one is unknown", () => {
    expect(problemsOf(() => readForce("hinge-sprung", "s", {}, ARM))[0]).toMatchObject({
      path: "s.kind",
      advice: 'Did you mean "hinge-spring"?',
    });
    expect(problemsOf(() => readForce("constructor", "s", {}, ARM))).toHaveLength(1);
    expect(problemsOf(() => readForce(undefined, "s", {}, ARM))).toHaveLength(1);
  });

  it("reads quantities in the unit of the freedom: a turn in degrees, a slide in millimetres", () => {
    const declared = {
      hinge: { type: "freedoms", about: "Hinges." },
      rest: { type: "numbers", unit: { turn: "rad", slide: "m" }, about: "Rest." },
    } as const satisfies Parameters;
    const quantity = (value: unknown, unit: string, path: string, problems: Problem[]) =>
      readQuantity(value, unit as SiUnit, path, problems);
    const problems: Problem[] = [];
    const read = (rest: unknown) =>
      readParameters(declared, { hinge: ["elbow", "slider"], rest }, knownNames(ARM), problems, { quantity });
    expect(read(["90 deg", "5 mm"])?.rest).toEqual([Math.PI / 2, 0.005]);
    expect(read(["5 mm", "90 deg"])).toBeUndefined();
    expect(problems.map((p) => p.path)).toEqual(["rest[0]", "rest[1]"]);
  });

  it("checks the length of lists, refuses duplicates, and refuses several freedoms where one is needed", () => {
    const spring = (p: object) => () => readForce("hinge-spring", "s", p, ARM);
    expect(problemsOf(spring({ hinge: ["elbow", "slider"], stiffness: [1, 2, 3] }))[0]!.message).toMatch(/each of 2 freedoms/);
    expect(problemsOf(spring({ hinge: ["elbow", "elbow"] }))[0]!.message).toMatch(/elbow is named twice/);
    expect(problemsOf(spring({ hinge: [] }))[0]!.message).toMatch(/at least one/);
    const stop = problemsOf(() => readForce("stop", "s", { hinge: "base", lower: 0, stiffness: 1 }, ARM));
    expect(stop[0]).toMatchObject({
      message: expect.stringMatching(/6 freedoms/),
      advice: "Write one of base.x, base.y, base.z",
    });
  });

  it("every declaration is plain data from which a schema can be made", () => {
    for (const kind of Object.values(FORCES)) expect(JSON.parse(JSON.stringify(kind.parameters))).toEqual(kind.parameters);
  });
});
