/** Writers of URDF and MJCF: what belongs to a model beside its tree, names as data, and what the formats do not have. */
import { describe, expect, it } from "vitest";
import { ArgumentError, ModelError } from "../../../src/errors.ts";
import { exportModel } from "../../../src/formats/export/export-model.ts";
import type { ExportedRobot, WrittenRobot } from "../../../src/formats/export/exported-robot.ts";
import { importModel } from "../../../src/formats/robot/import-model.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { BodyDescription } from "../../../src/model/description.ts";
import type { FrameLoop } from "../../../src/model/loop.ts";

const arm = (name: string, more: Partial<BodyDescription> = {}): BodyDescription => ({
  name,
  mass: 2,
  com: [0.1, 0.2, 0],
  inertia: [0.3, 0.4, 0.5, 0.01, 0.02, 0.03],
  hinge: { kind: "revolute", axis: "y", at: [0.5, 0, 0] },
  ...more,
});

const read = ({ text, companion }: WrittenRobot, format: string) =>
  importModel(text, `model.${format}`, companion ? { srdf: { text: companion.text, source: "model.srdf" } } : {});

const FORMATS = ["urdf", "mjcf"] as const;

describe.each(FORMATS)("%s", (format) => {
  it("keeps springs, dampers, friction, limits, motors and shapes", () => {
    const model = createModel({
      name: "arm",
      gravity: [0, 0, -9.81],
      bodies: [
        arm("upper", {
          shapes: [{ kind: "box", size: [1, 0.2, 0.3], at: [0.5, 0, 0], rotation: { rpy: [0.1, 0, 0] }, colour: "#ff0000" }],
        }),
        arm("lower", {
          parent: "upper",
          hinge: {
            kind: "prismatic",
            axis: [1, 2, 2],
            at: [1, 0, 0],
            onBody: { at: [0.2, 0, 0], rotation: { rpy: [0, 0.3, 0] } },
          },
        }),
      ],
    });
    const forces = {
      damper: { kind: "hinge-spring", hinge: ["upper", "lower"], damping: [0.3, "2 N s/m"] },
      rub: { kind: "friction", hinge: "upper", coulomb: 0.4, viscous: 0.1 },
      end: { kind: "stop", hinge: "lower", lower: -0.2, upper: "300 mm", stiffness: 1000 },
      motor: { kind: "actuator", hinge: "upper", limit: 3, gear: 2 },
    };
    const written = exportModel({ model, forces }, format);
    expect(written.missing.map(({ feature }) => feature)).toEqual(["stiffness and damping of stops"]);
    const found = read(written, format);
    const { "lower-stop": stop, ...others } = found.forces;
    expect(others).toEqual({
      "joint-springs": { kind: "hinge-spring", hinge: ["upper", "lower"], damping: [0.4, 2] },
      "upper-friction": { kind: "friction", hinge: "upper", coulomb: 0.4 },
      [format === "urdf" ? "upper-motor" : "motor"]: { kind: "actuator", hinge: "upper", limit: 6 },
    });
    expect(stop).toMatchObject({ lower: -0.2, upper: 0.3 });
    expect(createModel(found.model).bodies[0]!.shapes).toMatchObject([{ kind: "box", size: [1, 0.2, 0.3], colour: "#ff0000" }]);
  });

  it("keeps named states, also of free bodies", () => {
    const model = createModel({
      name: "boat",
      gravity: [0, 0, -9.81],
      bodies: [arm("hull", { hinge: { kind: "free" } }), arm("mast", { parent: "hull" })],
    });
    const states = {
      start: { q: { hull: [1, 0, 0, 0, 0, 0, 5], mast: 0.3 } },
      low: { q: { hull: [0.6, 0, 0.8, 0, 1, 2, 3], mast: -1 } },
    };
    const found = importModel(
      ...((): [string, string, object] => {
        const { text, companion } = exportModel({ model, states }, format);
        return [text, `m.${format}`, { pose: "start", ...(companion && { srdf: { text: companion.text, source: "m.srdf" } }) }];
      })(),
    );
    for (const name of ["start", "low"] as const)
      for (const hinge of ["hull", "mast"] as const)
        for (const [i, value] of [states[name].q[hinge]].flat().entries())
          expect([found.states[name]!.q[hinge]!].flat()[i], `${name} ${hinge}`).toBeCloseTo(value, 14);
  });

  it("writes names as data", () => {
    const name = `a"b<c>&d 'e' $(f) \u00e9\u4e2d`;
    const model = createModel({
      name: `m${name}`,
      gravity: [0, 0, -9.81],
      bodies: [arm(name, { frames: { [`${name}!`]: { at: [1, 0, 0] } } })],
    });
    const found = read(exportModel({ model }, format), format).model;
    const written = format === "urdf" ? name.replace("$(", "-(") : name; // $( is an expression of xacro
    expect(found.name).toBe(`m${written}`);
    expect(found.bodies[0]!.name).toBe(written);
    const surrogate = createModel({ name: "m", bodies: [arm("\ud800")] });
    expect(() => exportModel({ model: surrogate }, format)).toThrow(/a character that XML cannot contain/);
  });

  it("lists what acts but is not in the file", () => {
    const model = createModel({ name: "arm", gravity: [0, 0, -9.81], bodies: [arm("upper"), arm("lower", { parent: "upper" })] });
    const forces = {
      pull: { kind: "constant-wrench", frame: "upper", force: [1, 0, 0] },
      drive: { kind: "actuator", hinge: "lower", lag: 0.1 },
    };
    const { missing } = exportModel({ model, forces }, format);
    expect(missing.map(({ feature }) => feature)).toEqual([
      'force "pull" (constant-wrench)',
      'force "drive" (actuator): its lag',
    ]);
  });
});

const closed = (loop: object): ExportedRobot => ({
  model: createModel({
    name: "closed",
    gravity: [0, 0, -9.81],
    bodies: [arm("a"), arm("b", { parent: "a", hinge: { kind: "general", freedoms: ["x", "y", "rz"], at: [1, 0, 0] } })],
    loops: [{ name: "pin", from: { body: "world", at: [1, 0, 0] }, to: { body: "b", at: [0.5, 0, 0] }, ...loop } as never],
  }),
});

describe("loops", () => {
  it.each([
    [{ kind: "fixed" }, "fixed"],
    [{ kind: "spherical" }, "spherical"],
    [{ kind: "revolute", axis: "y" }, "general"],
    [{ kind: "point-on-plane", axis: "x" }, "general"],
    [{ kind: "general", freedoms: ["x", "ry"] }, "general"],
  ])("%j become loop_constraint of SRDF with the same equations", (loop, kind) => {
    const robot = closed(loop);
    const found = createModel(read(exportModel(robot, "urdf"), "urdf").model);
    expect(found.loops[0]).toMatchObject({ name: "pin", kind });
    expect((found.loops[0] as FrameLoop).rows).toHaveLength((robot.model.loops[0] as FrameLoop).rows.length);
  });

  it("become equality constraints of MJCF, or are listed", () => {
    const loopsOf = (loop: object) => {
      const written = exportModel(closed(loop), "mjcf");
      return [read(written, "mjcf").model.loops?.map(({ kind }) => kind), written.missing.map(({ feature }) => feature)];
    };
    expect(loopsOf({ kind: "fixed" })).toEqual([["fixed"], ["exactness of loops"]]);
    expect(loopsOf({ kind: "spherical" })).toEqual([["spherical"], ["exactness of loops"]]);
    expect(loopsOf({ kind: "revolute" })).toEqual([
      ["spherical", "spherical"],
      ['loop "pin" (revolute)', "exactness of loops"],
    ]);
    expect(loopsOf({ kind: "distance", length: 1 })).toEqual([undefined, ['loop "pin" (distance)']]);
  });

  it.each(FORMATS)("%s keeps couplings of two joints", (format) => {
    const model = createModel({
      name: "gear",
      gravity: [0, 0, -9.81],
      bodies: [arm("a"), arm("b", { parent: "a" })],
      loops: [
        {
          name: "gear",
          kind: "coupling",
          terms: [
            { hinge: "a", factor: 2 },
            { hinge: "b", factor: -1 },
          ],
          offset: 0.4,
        },
      ],
    });
    expect(read(exportModel({ model }, format), format).model.loops).toMatchObject([
      {
        kind: "coupling",
        terms: [
          { hinge: "a", factor: 1 },
          { hinge: "b", factor: -0.5 },
        ],
        offset: 0.2,
      },
    ]);
  });

  it("a screw becomes a turn and a slide that are coupled in MJCF, and is refused by URDF", () => {
    const model = createModel({ name: "jack", bodies: [arm("nut", { hinge: { kind: "helical", axis: "z", pitch: 0.01 } })] });
    const written = exportModel({ model }, "mjcf");
    expect(read(written, "mjcf").model.loops).toMatchObject([
      {
        kind: "coupling",
        terms: [
          { hinge: "nut-slide", factor: 1 },
          { hinge: "nut", factor: -0.01 },
        ],
      },
    ]);
    expect(() => exportModel({ model }, "urdf")).toThrow(ModelError);
    expect(() => exportModel({ model }, "urdf")).toThrow(/bodies\.nut\.hinge: the hinge is a screw/);
  });
});

it("MJCF keeps armature, springs, servos, and slides of a free body on another", () => {
  const model = createModel({
    name: "m",
    bodies: [
      arm("a", { hinge: { kind: "revolute", axis: "y", armature: 0.2 } }),
      arm("b", { parent: "a", hinge: { kind: "free" } }),
    ],
  });
  const forces = {
    spring: { kind: "hinge-spring", hinge: "a", stiffness: 5, rest: 0.3, preload: 0.5 },
    hold: { kind: "servo", hinge: "a", kp: 20, kd: 3, position: 0.4, limit: 7 },
  };
  const written = exportModel({ model, forces }, "mjcf");
  expect(written.missing).toEqual([]);
  const found = read(written, "mjcf");
  expect(found.model.bodies.map((body) => [body.hinge.name, body.hinge.kind])).toEqual([
    [undefined, "revolute"],
    ["b-x", "prismatic"],
    ["b-y", "prismatic"],
    ["b-z", "prismatic"],
    [undefined, "spherical"],
  ]);
  expect(found.model.bodies[0]!.hinge.armature).toBe(0.2);
  expect(found.forces).toEqual({
    "joint-springs": { kind: "hinge-spring", hinge: ["a"], stiffness: [5], rest: [0.4] },
    hold: { kind: "servo", hinge: "a", kp: 20, kd: 3, position: 0.4, limit: 7 },
  });
});

it("an angle near a right pitch is written with all digits", () => {
  for (const pitch of [Math.PI / 2, Math.PI / 2 - 1e-9, -Math.PI / 2 + 1e-8, 1.5]) {
    const rotation = { rpy: [0.7, pitch, -0.4] };
    const model = createModel({ name: "m", bodies: [arm("a", { hinge: { kind: "revolute", rotation } })] });
    const found = createModel(read(exportModel({ model }, "urdf"), "urdf").model);
    const [R, expected] = [found, model].map(({ bodies }) => bodies[0]!.hinge.onParent.R.flat()) as [number[], number[]];
    for (const [i, value] of R.entries()) expect(value).toBeCloseTo(expected[i]!, 14);
  }
});

it("refuses formats that it cannot write", () => {
  const model = createModel({ name: "m", bodies: [arm("a")] });
  expect(() => exportModel({ model }, "step")).toThrow(ArgumentError);
  expect(() => exportModel({} as never, "urdf")).toThrow(ArgumentError);
});
