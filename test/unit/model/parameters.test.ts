import { describe, expect, test } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { Expr, Graph } from "../../../src/kernel/trace/graph.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { parametersOf, parameterValue, setParameters, withParameters } from "../../../src/model/parameters.ts";

const model = buildModel("arm")
  .gravity([0, 0, -9.81])
  .body({ name: "base", mass: 5, inertia: [2, 2, 3, 0.1, 0.2, 0.3], hinge: { kind: "free" } })
  .body({
    name: "link",
    parent: "base",
    mass: 2,
    com: [0.1, 0.2, 0.3],
    inertia: [1, 1, 1],
    hinge: { kind: "revolute", at: [1, 2, 3], rotation: { rpy: [0.1, 0.2, 0.3] }, onBody: { at: [4, 5, 6] } },
  })
  .frame("hand", "link", { at: [7, 8, 9] })
  .build();

describe("parameterValue", () => {
  test.each([
    ["link.mass", 2],
    ["link.com.y", 0.2],
    ["base.inertia.xx", 2],
    ["base.inertia.xy", 0.1],
    ["base.inertia.xz", 0.2],
    ["base.inertia.yz", 0.3],
    ["link.hinge.x", 1],
    ["link.onBody.z", 6],
    ["hand.y", 8],
    ["gravity.z", -9.81],
  ])("%s", (path, value) => expect(parameterValue(model, path)).toBe(value));

  test.each([
    ["link.mas", /link.mas: no such parameter. Did you mean "link.mass"\?/],
    ["link.hinge.w", /Did you mean "link.hinge.x"\?/],
    ["lnik.mass", /no such body, frame or loop. Did you mean "link"\?/],
    ["hand.mass", /no such parameter. There are: hand.x, hand.y, hand.z/],
    ["nonsense", /no such body, frame or loop. There are: gravity, base, link, hand/],
    ["__proto__.x", /no such body, frame or loop/],
    ["", /no such body, frame or loop/],
  ])("%s is unknown", (path, message) => {
    expect(() => parameterValue(model, path)).toThrow(ModelError);
    expect(() => parameterValue(model, path)).toThrow(message);
  });

  test("there are 16 for each body and 3 for each frame and for gravity", () => {
    expect(parametersOf(model).size).toBe(2 * 16 + 3 + 3);
  });
});

describe("withParameters", () => {
  test("replaces numbers by kernel inputs and leaves the rest unchanged", () => {
    const graph = new Graph();
    const [mass, xy, x] = [graph.input(), graph.input(), graph.input()];
    const traced = withParameters(model, { "link.mass": mass, "link.inertia.xy": xy, "hand.x": x });
    const link = traced.bodies[1]!;
    expect(link.mass).toBe(mass);
    expect(link.inertia[0][1]).toBe(xy);
    expect(link.inertia[1][0]).toBe(xy);
    expect(traced.frames[0]!.placement.p).toEqual([x, 8, 9]);
    const places = [...link.inertia.flat(), ...link.com, ...link.hinge.onParent.p, ...link.hinge.onBody.p];
    expect(places.filter((v) => v instanceof Expr)).toHaveLength(2);
    expect(traced.bodies[0]!.inertia).toEqual(model.bodies[0]!.inertia);
    expect(link.hinge.elements).toBe(model.bodies[1]!.hinge.elements);
  });

  test("reports every unknown path and every invalid value", () => {
    const values = { "link.mass": Number.NaN, "link.weight": 1, "arm.mass": 1 };
    expect(() => withParameters(model, values)).toThrow(
      /3 problems.*link.mass: must be a finite number, got NaN.*link.weight.*arm.mass/s,
    );
    expect(() => withParameters(model, { "link.mass": "2" as never })).toThrow(/finite number, got "2"/);
  });
});

describe("setParameters", () => {
  test("gives a checked model", () => {
    const changed = setParameters(model, { "link.mass": 3, "gravity.z": 0 });
    expect(changed.bodies[1]!.mass).toBe(3);
    expect(changed.gravity).toEqual([0, 0, 0]);
    expect(Object.isFrozen(changed.bodies[1]!.com)).toBe(true);
    expect(changed.bodies[1]!.hinge.onParent.R).toEqual(model.bodies[1]!.hinge.onParent.R);
    expect(() => setParameters(model, { "link.mass": -1 })).toThrow(/bodies\[1\].mass: must not be negative/);
    expect(() => setParameters(model, { "link.inertia.xy": 5 })).toThrow(/not positive definite/);
  });

  test("warns like a new model", () => {
    expect(setParameters(model, { "link.inertia.zz": 10 }).warnings).toHaveLength(1);
  });
});
