import { describe, expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import type { BodyDescription, RotationDescription } from "../../../src/model/description.ts";
import type { Mat3 } from "../../../src/spatial/rotation.ts";

const link = (name: string, parent?: string): BodyDescription => ({
  name,
  ...(parent !== undefined && { parent }),
  mass: 1,
  inertia: [1, 1, 1],
  hinge: { kind: "revolute" },
});
const withRotation = (rotation: RotationDescription): Mat3<number> =>
  createModel({ name: "m", bodies: [{ ...link("a"), hinge: { kind: "fixed", rotation } }] }).bodies[0]!.hinge.onParent.R;

describe("createModel", () => {
  test("fills in defaults", () => {
    const [body] = createModel({ name: "m", bodies: [link("a")] }).bodies;
    expect(body).toMatchObject({ name: "a", index: 0, parent: -1, com: [0, 0, 0] });
    expect(body!.hinge).toMatchObject({ name: "a", kind: "revolute", parameters: {}, q: 0, u: 0, nq: 1, nu: 1 });
    expect(body!.hinge.elements[0]!.screw!.axis).toEqual([0, 0, 1]);
    expect(body!.hinge.onParent).toEqual({
      R: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      p: [0, 0, 0],
    });
  });

  test("puts parents first and keeps the order otherwise", () => {
    const names = (bodies: BodyDescription[]): string[] => createModel({ name: "m", bodies }).bodies.map((b) => b.name);
    expect(names([link("c", "b"), link("x"), link("b", "a"), link("a"), link("d", "x")])).toEqual(["a", "b", "c", "x", "d"]);
    expect(names([link("a"), link("b"), link("c", "a"), link("d", "b")])).toEqual(["a", "b", "c", "d"]);
  });

  test("numbers coordinates and speeds along the sorted bodies", () => {
    const base: BodyDescription = { ...link("base"), hinge: { kind: "free" }, frames: { mount: { at: [1, 2, 3] } } };
    const model = createModel({ name: "m", bodies: [link("arm", "base"), base] });
    expect(model.bodies.map((b) => [b.name, b.parent, b.hinge.q, b.hinge.u])).toEqual([
      ["base", -1, 0, 0],
      ["arm", 0, 7, 6],
    ]);
    expect([model.nq, model.nu]).toEqual([8, 7]);
    expect(model.frames).toMatchObject([{ name: "mount", body: 0, placement: { p: [1, 2, 3] } }]);
  });

  test("takes the world as a parent by name", () => {
    expect(createModel({ name: "m", bodies: [link("a", "world")] }).bodies[0]!.parent).toBe(-1);
  });

  test("freezes the whole model, but not the description", () => {
    const given = {
      name: "m",
      bodies: [{ ...link("a"), com: [1, 2, 3] as const, hinge: { kind: "revolute", axis: [0, 1, 0] } as const }],
    };
    const model = createModel(given);
    for (const part of [
      model,
      model.bodies,
      model.bodies[0],
      model.bodies[0]!.com,
      model.bodies[0]!.hinge.elements[0]!.partials[0]!.angular,
    ])
      expect(Object.isFrozen(part)).toBe(true);
    expect(model.bodies[0]!.hinge.parameters.axis).not.toBe(given.bodies[0]!.hinge.axis);
    expect(Object.isFrozen(given.bodies[0]!.hinge.axis)).toBe(false);
    expect(Object.isFrozen(given.bodies[0]!.com)).toBe(false);
  });

  test("parses the three forms of an inertia", () => {
    const inertiaOf = (inertia: BodyDescription["inertia"]) =>
      createModel({ name: "m", bodies: [{ ...link("a"), inertia }] }).bodies[0]!.inertia;
    expect(inertiaOf([1, 2, 3])).toEqual([
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 3],
    ]);
    expect(inertiaOf([4, 5, 6, 0.1, 0.2, 0.3])).toEqual([
      [4, 0.1, 0.2],
      [0.1, 5, 0.3],
      [0.2, 0.3, 6],
    ]);
    expect(
      inertiaOf([
        [4, 0.1, 0.2],
        [0.1, 5, 0.3],
        [0.2, 0.3, 6],
      ]),
    ).toEqual(inertiaOf([4, 5, 6, 0.1, 0.2, 0.3]));
    expect(inertiaOf("none")).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  test("an impossible inertia is a warning", () => {
    const { warnings } = createModel({ name: "m", bodies: [{ ...link("a"), inertia: [0.01, 0.01, 0.1] }] });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ path: "bodies[0].inertia", message: expect.stringContaining("0.01, 0.01, 0.1") });
  });

  test("a massless body is accepted if it carries mass or its hinge has no freedom", () => {
    const slider: BodyDescription = { name: "s", mass: 0, inertia: "none", hinge: { kind: "prismatic" } };
    expect(createModel({ name: "m", bodies: [slider, link("a", "s")] }).nu).toBe(2);
    expect(createModel({ name: "m", bodies: [link("a"), { ...slider, parent: "a", hinge: { kind: "fixed" } }] }).nu).toBe(1);
  });

  test("accepts chains of ten thousand bodies, given tip first", () => {
    const n = 10_000;
    const bodies = Array.from({ length: n }, (_, i) => link(`l${i}`, i + 1 < n ? `l${i + 1}` : undefined));
    const model = createModel({ name: "chain", bodies });
    expect(model.bodies[0]!.name).toBe("l9999");
    expect(model.bodies.every((b, i) => b.parent === i - 1)).toBe(true);
    expect(describeModel(model).bodies).toHaveLength(n);
  });
});

describe("rotations", () => {
  const quarter = Math.SQRT1_2;
  test("in all three ways are equal, with exact zeros and ones", () => {
    const aboutX = [
      [1, 0, 0],
      [0, 0, -1],
      [0, 1, 0],
    ];
    expect(withRotation({ quaternion: [quarter, quarter, 0, 0] })).toEqual(aboutX);
    expect(withRotation({ matrix: aboutX })).toEqual(aboutX);
    expect(withRotation({ rpy: [Math.PI / 2, 0, 0] })).toEqual(aboutX);
    expect(withRotation({ rpy: [0, 0, Math.PI] })).toEqual([
      [-1, 0, 0],
      [0, -1, 0],
      [0, 0, 1],
    ]);
  });

  test("roll, pitch and yaw are about fixed axes: the roll is applied first", () => {
    expect(withRotation({ rpy: [Math.PI / 2, 0, Math.PI / 2] })).toEqual([
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ]);
  });

  test("with few digits are made orthonormal", () => {
    const c = 0.8660254;
    const R = withRotation({
      matrix: [
        [c, -0.5, 0],
        [0.5, c, 0],
        [0, 0, 1],
      ],
    });
    expect(Math.hypot(...R[0]) - 1).toBeLessThan(1e-15);
    expect(R[0][0]).toBeCloseTo(Math.sqrt(3) / 2, 8);
    expect(withRotation({ quaternion: [0.7072, 0.7072, 0, 0] })).toEqual([
      [1, 0, 0],
      [0, 0, -1],
      [0, 1, 0],
    ]);
  });

  test("axes lose the rounding of file conversion", () => {
    const bodies: BodyDescription[] = [{ ...link("a"), hinge: { kind: "revolute", axis: [6e-17, 0, -2] } }];
    expect(createModel({ name: "m", bodies }).bodies[0]!.hinge.elements[0]!.screw!.axis).toEqual([0, 0, -1]);
  });
});
