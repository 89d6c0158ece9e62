/** Shapes of bodies: mistakes are reported, and the solid for an inertia has that inertia. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import type { BodyShape } from "../../../src/model/body-shape.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import { equivalentShape } from "../../../src/model/equivalent-shape.ts";
import { compose, fromQuaternion, type Mat3, transpose } from "../../../src/spatial/rotation.ts";

const body = { name: "arm", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } };
const withShapes = (shapes: unknown): unknown => ({ name: "m", bodies: [{ ...body, shapes }] });

function problemsOf(shapes: unknown): string[] {
  try {
    createModel(withShapes(shapes) as never);
    return [];
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    expect(error.cause).toBeUndefined(); // an error of the engine that was caught
    return error.message.split("\n").slice(1);
  }
}

describe("parsing", () => {
  test("keeps given values and fills in defaults", () => {
    const text = `
name: m
bodies:
  - name: arm
    mass: 1
    inertia: [1, 1, 1]
    hinge: { kind: revolute }
    shapes:
      - { kind: box, size: [10 mm, 2 cm, 3], at: [1 cm, 0, 0], colour: "#a0b0c0" }
      - { kind: mesh, file: parts/hand.STL }
`;
    const [box, mesh] = parseModel(text).bodies[0]!.shapes;
    expect(box).toMatchObject({ kind: "box", size: [0.01, 0.02, 3], colour: "#a0b0c0", placement: { p: [0.01, 0, 0] } });
    expect(mesh).toMatchObject({ kind: "mesh", file: "parts/hand.STL", scale: [1, 1, 1] });
  });

  test("are written again as they were read: ellipsoids, and meshes with uneven and mirrored scales", () => {
    const shapes = [
      { kind: "ellipsoid", size: [1, 2, 3], colour: "#010203" },
      { kind: "mesh", file: "a.obj", scale: [0.001, -0.001, 0.002] },
      { kind: "mesh", file: "b.glb", scale: [-1, -1, -1] },
      { kind: "mesh", file: "c.stl", scale: 0.5 },
      { kind: "mesh", file: "d.stl" },
    ] as const;
    const described = describeModel(
      createModel({ name: "m", bodies: [{ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" }, shapes }] }),
    );
    expect(described.bodies[0]).toMatchObject({ shapes });
  });

  test.each<[string, unknown, RegExp]>([
    ["no list", { kind: "box" }, /shapes: must be a list of shapes/],
    ["no object", ["box"], /shapes\[0\]: must be an object/],
    ["no kind", [{ size: [1, 1, 1] }], /shapes\[0\]\.kind: is missing/],
    ["an unknown kind", [{ kind: "bax" }], /no such kind of shape, got "bax".*Did you mean "box"/],
    ["a kind of JavaScript's", [{ kind: "toString" }], /no such kind of shape/],
    ["no size", [{ kind: "box" }], /shapes\[0\]\.size: is missing/],
    ["an edge of zero", [{ kind: "box", size: [1, 0, 1] }], /size\[1\]: must be positive, got 0/],
    ["a negative radius", [{ kind: "sphere", radius: -1 }], /radius: must be positive, got -1/],
    [
      "a key of another kind",
      [{ kind: "sphere", radius: 1, length: 2 }],
      /length: a sphere shape has no length.*belongs to cylinder, capsule/,
    ],
    ["a colour by name", [{ kind: "sphere", radius: 1, colour: "red" }], /colour: must be a colour as #rrggbb, got "red"/],
    ["a mesh of no file", [{ kind: "mesh" }], /file: is missing/],
    ["a mesh of another format", [{ kind: "mesh", file: "a.dae" }], /must be an \.stl, \.obj, \.glb or \.gltf file/],
    ["a flat mesh", [{ kind: "mesh", file: "a.stl", scale: [1, 0, 1] }], /scale: must not have zeros/],
    ["a scale that is not positive", [{ kind: "mesh", file: "a.stl", scale: -1 }], /scale: must be positive, got -1/],
    ["a mesh elsewhere", [{ kind: "mesh", file: "../a.stl" }], /plain path below the model's folder/],
    ["a mesh of the root", [{ kind: "mesh", file: "/a.stl" }], /plain path/],
    ["a mesh of the network", [{ kind: "mesh", file: "https://x/a.stl" }], /plain path/],
    ["a mesh with backslashes", [{ kind: "mesh", file: "..\\a.stl" }], /plain path/],
    ["too many", Array.from({ length: 101 }, () => ({ kind: "sphere", radius: 1 })), /at most 100 shapes/],
  ])("finds %s", (_, shapes, message) => {
    expect(problemsOf(shapes).join("\n")).toMatch(message);
  });
});

const diagonal = (x: number, y: number, z: number): Mat3<number> => [
  [x, 0, 0],
  [0, y, 0],
  [0, 0, z],
];

/** I of a solid of mass 1 in the axes of the body. */
function inertiaOf(shape: BodyShape): Mat3<number> {
  const { R } = shape.placement;
  const turned = (I: Mat3<number>): Mat3<number> => compose(compose(R, I), transpose(R)) as Mat3<number>;
  if (shape.kind === "cylinder") {
    const across = (3 * shape.radius ** 2 + shape.length ** 2) / 12;
    return turned(diagonal(across, across, shape.radius ** 2 / 2));
  }
  if (shape.kind !== "box") throw new Error(`no inertia of a ${shape.kind}`);
  const [a, b, c] = shape.size;
  return turned(diagonal((b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12));
}

const length = fc.double({ min: 0.4, max: 1, noNaN: true });
const quaternion = fc
  .tuple(length, length, length, length)
  .map((q) => q.map((x, i) => (i % 2 ? x : -x) / Math.hypot(...q)) as unknown as readonly [number, number, number, number]);

describe("the solid for an inertia", () => {
  test("has this inertia: boxes in any axes", () => {
    const property = fc.property(fc.tuple(length, length, length), quaternion, (size, q) => {
      const R = fromQuaternion(q) as Mat3<number>;
      const inertia = inertiaOf({ kind: "box", size, placement: { R, p: [0, 0, 0] } });
      const found = inertiaOf(equivalentShape({ mass: 1, com: [1, 2, 3], inertia }, 1)!);
      for (const [i, x] of found.flat().entries()) expect(Math.abs(x - inertia.flat()[i]!)).toBeLessThan(1e-14);
    });
    fc.assert(property, { numRuns: 100 });
  });

  test("is a cylinder for a slender round body, with its radius and length", () => {
    const [radius, l] = [0.1, 2];
    const inertia = inertiaOf({ kind: "cylinder", radius, length: l, placement: { R: diagonal(1, 1, 1), p: [0, 0, 0] } });
    const shape = equivalentShape({ mass: 3, com: [0, 0, 1], inertia: inertia.map((r) => r.map((x) => 3 * x)) as never }, 1);
    expect(shape).toMatchObject({ kind: "cylinder", placement: { p: [0, 0, 1] } });
    expect((shape as { radius: number }).radius).toBeCloseTo(radius, 14);
    expect((shape as { length: number }).length).toBeCloseTo(l, 14);
  });

  test("has right-handed axes", () => {
    const property = fc.property(fc.tuple(length, length, length), quaternion, (size, q) => {
      const inertia = inertiaOf({ kind: "box", size, placement: { R: fromQuaternion(q) as Mat3<number>, p: [0, 0, 0] } });
      const [[a, b, c], [d, e, f], [g, h, i]] = equivalentShape({ mass: 1, com: [0, 0, 0], inertia }, 1)!.placement.R;
      expect(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)).toBeCloseTo(1, 12);
    });
    fc.assert(property, { numRuns: 50 });
  });

  test("keeps thin and impossible bodies visible", () => {
    const rod = equivalentShape({ mass: 1, com: [0, 0, 0], inertia: diagonal(1, 1, 1e-12) }, 1);
    expect((rod as { radius: number }).radius).toBeGreaterThan(0.05);
    const waist = equivalentShape({ mass: 10, com: [0, 0, 0], inertia: diagonal(0.01, 0.01, 0.1) }, 1); // no real body: 0.01 + 0.01 < 0.1
    expect(waist).toMatchObject({ kind: "box" });
    for (const edge of (waist as { size: readonly number[] }).size) expect(edge).toBeGreaterThan(0.01);
  });

  test("is a ball for a point mass, and undefined without mass", () => {
    const point = { com: [0, 0, 0] as const, inertia: diagonal(0, 0, 0) };
    expect(equivalentShape({ mass: 2, ...point }, 0.3)).toMatchObject({ kind: "sphere", radius: 0.3 });
    expect(equivalentShape({ mass: 0, ...point }, 0.3)).toBeUndefined();
  });
});
