import { describe, expect, test } from "vitest";
import { describeProblem, ModelError } from "../../../src/errors.ts";
import { loadModelFile, loadStateFile } from "../../../src/formats/node-files.ts";
import { parseState } from "../../../src/formats/state-file.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";

const solid = { mass: 1, inertia: [1, 1, 1] };
const model = buildModel("m")
  .body({ ...solid, name: "base", hinge: { kind: "free" } })
  .body({ ...solid, name: "slider", parent: "base", hinge: { kind: "cylindrical", name: "rail" } })
  .body({ ...solid, name: "arm", parent: "slider", hinge: { kind: "revolute" } })
  .frame("tip", "arm", { at: [1, 0, 0] })
  .build();

describe("parseState", () => {
  test("defaults to home, rest and no forces", () => {
    const home = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (const text of ["", "{}", "castor: 1", "q: {}"])
      expect(parseState(text, model)).toEqual({
        q: Float64Array.from(home),
        u: new Float64Array(9),
        tau: new Float64Array(9),
        wrenches: [],
      });
  });

  test("reads values by hinge name into their arrays, with units", () => {
    const text = `
q: { arm: 90 deg, rail: [120 mm, 1], base: [0.9999, 0.01, 0, 0, 1 km, 2, 3] }
u: { arm: [60 rpm], rail: [1, 2], base: [1, 2, 3, 4, 5, 6] }
tau: { arm: 5 kN m, rail: [3 kN, 4] }
wrenches: [{ frame: tip, force: [1, 2 kN, 3] }, { frame: base, torque: [4, 5, 6 N mm] }]`;
    const { q, u, tau, wrenches } = parseState(text, model);
    expect(Math.hypot(...q.slice(0, 4))).toBeCloseTo(1, 15);
    expect([...q.slice(4)]).toEqual([1000, 2, 3, 0.12, 1, Math.PI / 2]);
    expect([...u]).toEqual([1, 2, 3, 4, 5, 6, 1, 2, 2 * Math.PI]);
    expect([...tau]).toEqual([0, 0, 0, 0, 0, 0, 3000, 4, 5000]);
    expect(wrenches).toEqual([
      { frame: "tip", torque: [0, 0, 0], force: [1, 2000, 3] },
      { frame: "base", torque: [4, 5, 0.006], force: [0, 0, 0] },
    ]);
  });

  test("reads the state of TR-942", () => {
    const satellite = loadModelFile("scenarios/satellite-manipulator/model.yaml");
    const { q, u, tau } = loadStateFile("scenarios/satellite-manipulator/state.yaml", satellite);
    const { PI } = Math;
    expect([...q]).toEqual([1, 0, 0, 0, 0, 0, 0, PI / 2, -PI / 2, PI, -PI / 2]);
    expect([...u]).toEqual(new Array(10).fill(0));
    expect([...tau.slice(6)]).toEqual([-10 * (PI / 2), 10 * (PI / 2), -10 * PI, PI / 2]);
  });

  test.each<[string, string, string, number, number, RegExp]>([
    ["a list", "[]", "", 1, 1, /must be an object/],
    ["an unknown key", "qq: {}", "qq", 1, 1, /unknown key.*There are: q, u, axes, tau, wrenches/],
    ["another version", "castor: 7", "castor", 1, 9, /unknown format version/],
    ["an unknown hinge", "q:\n  rial: [0, 0]", "q.rial", 2, 3, /no hinge has this name, got "rial". Did you mean "rail"\?/],
    ["a body instead of its hinge", "q: {slider: [0, 0]}", "q.slider", 1, 5, /no hinge has this name/],
    ["a key of JavaScript's", "u: {__proto__: 1}", "u.__proto__", 1, 16, /no hinge has this name/],
    ["a wrong length", "q: {rail: [1, 2, 3]}", "q.rail", 1, 5, /must be 2 numbers for a cylindrical hinge, has 3/],
    ["a number for several", "q: {rail: 1}", "q.rail", 1, 11, /must be 2 numbers for a cylindrical hinge, got 1/],
    ["several for one", "q: {arm: [1, 2]}", "q.arm", 1, 5, /must be 1 number for a revolute hinge, has 2/],
    ["speeds like coordinates", "u: {base: [1, 0, 0, 0, 0, 0, 0]}", "u.base", 1, 5, /must be 6 numbers for a free hinge, has 7/],
    ["text", "q: {arm: up}", "q.arm", 1, 10, /must be a number, got "up"/],
    ["not a number", "u: {rail: [1, .nan]}", "u.rail[1]", 1, 15, /finite number/],
    ["a wrong unit", "u: {arm: 5 rad}", "u.arm", 1, 10, /rad is of the wrong dimension, rad instead of rad\/s. */],
    ["a unit of a quaternion", "q: {base: [1 m, 0, 0, 0, 0, 0, 0]}", "q.base[0]", 1, 12, /must be a number/],
    ["a long quaternion", "q: {base: [1, 1, 0, 0, 0, 0, 0]}", "q.base", 1, 5, /norm 1, this has 1.41421/],
    [
      "an unknown frame",
      "wrenches: [{frame: tpi}]",
      "wrenches[0].frame",
      1,
      20,
      /no frame or body has this name, got "tpi". Did you mean "tip"\?/,
    ],
    ["no frame", "wrenches: [{force: [1, 0, 0]}]", "wrenches[0].frame", 1, 12, /is missing/],
    ["a frame twice", "wrenches: [{frame: tip}, {frame: tip}]", "wrenches[1].frame", 1, 34, /has a wrench already/],
    ["a short force", "wrenches: [{frame: tip, force: [1]}]", "wrenches[0].force", 1, 25, /must have 3 numbers, has 1/],
    [
      "a torque in N",
      "wrenches: [{frame: tip, torque: [1 N, 0, 0]}]",
      "wrenches[0].torque[0]",
      1,
      34,
      /N is of the wrong dimension/,
    ],
    ["wrenches that are no list", "wrenches: {}", "wrenches", 1, 1, /must be a list of wrenches/],
    ["nothing", "q: ", "q", 1, 1, /must be an object with keys, got null/],
  ])("%s", (_, text, path, line, column, message) => {
    let error: unknown;
    try {
      parseState(text, model, "state.yaml");
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ModelError);
    const problem = (error as ModelError).problems[0]!;
    expect(describeProblem(problem)).toMatch(message);
    expect([problem.path, problem.line, problem.column]).toEqual([path, line, column]);
  });
});
