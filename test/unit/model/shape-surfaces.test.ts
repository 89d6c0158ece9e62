/** Surfaces of shapes: closed, facing outwards, with the volume of the solid; copies at the right places. */
import { describe, expect, test } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { shapeInstances } from "../../../src/model/body-shape.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import { shapeOf } from "../../../src/model/build/shapes.ts";
import type { BodyDescription, ShapeDescription } from "../../../src/model/description.ts";
import { shapeBounds, shapeSurface } from "../../../src/model/surface/shape-surface.ts";

const SIDES = 240;
const TURN = 2 * Math.PI;
type Point = readonly [number, number, number];

interface Corner {
  readonly p: Point;
  readonly n: Point;
}

/** Corners of all triangles. */
function trianglesOf(description: ShapeDescription): readonly (readonly Corner[])[] {
  return shapeSurface(shapeOf(description), SIDES).flatMap(({ positions, normals, triangles }) => {
    const vector = (list: readonly number[], i: number): Point => [list[3 * i]!, list[3 * i + 1]!, list[3 * i + 2]!];
    return Array.from({ length: triangles.length / 3 }, (_, k) =>
      [0, 1, 2].map((c) => ({ p: vector(positions, triangles[3 * k + c]!), n: vector(normals, triangles[3 * k + c]!) })),
    );
  });
}

const cross = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const normalOf = ([a, b, c]: readonly Corner[]): Point => cross(minus(b!.p, a!.p), minus(c!.p, a!.p));

const L_SHAPE = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 3], [0, 3]] as const; // biome-ignore format: points
const SOLIDS: readonly (readonly [string, ShapeDescription, number])[] = [
  ["a box", { kind: "box", size: [1, 2, 3] }, 6],
  ["a sphere", { kind: "sphere", radius: 1 }, (4 / 3) * Math.PI],
  ["a cylinder", { kind: "cylinder", radius: 1, length: 3 }, 3 * Math.PI],
  ["a capsule", { kind: "capsule", radius: 1, length: 3 }, (4 / 3 + 3) * Math.PI],
  ["an ellipsoid", { kind: "ellipsoid", size: [2, 1, 3] }, Math.PI],
  ["a prism with a corner inwards", { kind: "extrude", outline: L_SHAPE, length: 2 }, 8],
  ["a prism listed clockwise", { kind: "extrude", outline: [...L_SHAPE].reverse(), length: 2 }, 8],
  // Pyramids over the lids: two slices of thickness 0.1 between the areas 4 and 3.85 (outline) and its inset.
  ["a cube with chamfers", { kind: "extrude", outline: [[0, 0], [2, 0], [2, 2], [0, 2]], length: 2, rim: 0.1 }, 2 * 2 * 1.8 + 2 * (0.1 / 3) * (4 + 1.8 * 1.8 + 2 * 1.8)], // biome-ignore format: points
  ["a cone", { kind: "revolve", profile: [[1, 0], [0, 3]] }, 0], // biome-ignore format: thin, without volume
  ["a cone with its base", { kind: "revolve", profile: [[0, 0], [1, 0], [0, 3]] }, Math.PI], // biome-ignore format: points
  ["the same downwards", { kind: "revolve", profile: [[0, 3], [1, 0], [0, 0]] }, Math.PI], // biome-ignore format: points
  ["a pipe", { kind: "revolve", profile: [[1, 0], [2, 0], [2, 3], [1, 3], [1, 0]] }, 9 * Math.PI], // biome-ignore format: points
  ["half a pipe", { kind: "revolve", profile: [[1, 0], [2, 0], [2, 3], [1, 3], [1, 0]], angle: Math.PI }, 4.5 * Math.PI], // biome-ignore format: points
  ["a ring", { kind: "ring", radius: 2, inner: 1, height: 3 }, 9 * Math.PI],
  ["a sixth of a ring", { kind: "ring", radius: 2, inner: 1, height: 3, angle: TURN / 6 }, 1.5 * Math.PI],
  ["a straight bar", { kind: "tube", path: [[0, 0, 0], [0, 3, 4]], radius: 0.1 }, 0.05 * Math.PI], // biome-ignore format: points
  ["a bent bar", { kind: "tube", path: [[0, 0, 0], [0, 3, 0], [0, 3, 4]], radius: 0.1 }, 0.07 * Math.PI], // biome-ignore format: points
  ["a bar with a round bend", { kind: "tube", path: [[0, 0, 0], [0, 3, 0], [0, 3, 4]], radius: 0.1, bend: 1 }, 0.01 * Math.PI * (5 + Math.PI / 2)], // biome-ignore format: points
];

describe("the surface of", () => {
  test.each(SOLIDS)("%s is closed, faces outwards, and has the volume of the solid", (_, description, volume) => {
    const triangles = trianglesOf(description);
    const measured = triangles.reduce((sum, corners) => sum + dot(corners[0]!.p, cross(corners[1]!.p, corners[2]!.p)) / 6, 0);
    expect(measured).toBeCloseTo(volume, 2);
    const edges = new Map<string, number>();
    const name = ({ p }: Corner): string => p.map((x) => (Math.round(x * 1e6) || 0) / 1e6).join();
    for (const corners of triangles)
      for (const [i, corner] of corners.entries()) {
        const next = corners[(i + 1) % 3]!;
        edges.set(`${name(corner)}>${name(next)}`, (edges.get(`${name(corner)}>${name(next)}`) ?? 0) + 1);
      }
    const lonely = [...edges].filter(([edge, count]) => edges.get(edge.split(">").reverse().join(">")) !== count);
    expect(lonely).toEqual([]);
  });

  test.each(SOLIDS)("%s has unit normals on the outer side of its triangles", (_, description) => {
    const triangles = trianglesOf(description);
    expect(triangles.length).toBeGreaterThan(0);
    const lengths = triangles.flatMap((corners) => corners.map(({ n }) => Math.hypot(...n)));
    expect(lengths.filter((length) => Math.abs(length - 1) > 1e-9)).toEqual([]);
    const cosines = triangles.flatMap((corners) => {
      const face = normalOf(corners);
      const area = Math.hypot(...face);
      return area > 1e-9 ? corners.map(({ n }) => dot(n, face) / area) : [];
    });
    expect(cosines.filter((cosine) => !(cosine > 0.6))).toEqual([]);
  });

  test("a thin dish has both sides", () => {
    const triangles = trianglesOf({ kind: "revolve", profile: [[0, 0], [1, 0.2]], angle: TURN }); // biome-ignore format: points
    expect(triangles.filter((corners) => normalOf(corners)[2] > 0).length).toBe(triangles.length / 2);
  });

  test("a panel has cells of their own material in front", () => {
    const [plate, cells] = shapeSurface(shapeOf({ kind: "panel", size: [1, 2, 0.02], cells: [3, 6] }));
    expect(plate!.material).toBeUndefined();
    expect(cells).toMatchObject({ material: "solar-cells", uvs: [0, 0, 3, 0, 3, 6, 0, 6] });
    expect(Math.min(...cells!.positions.filter((__, i) => i % 3 === 2))).toBeGreaterThan(0.01);
  });

  test("a ring has the bounds of its part of a turn", () => {
    const { low, high } = shapeBounds(shapeOf({ kind: "ring", radius: 2, inner: 1, height: 3, angle: TURN / 4 }));
    for (const [k, x] of [0, 0, -1.5].entries()) expect(low[k as 0]).toBeCloseTo(x, 12);
    for (const [k, x] of [2, 2, 1.5].entries()) expect(high[k as 0]).toBeCloseTo(x, 12);
  });
});

describe("copies", () => {
  test("stand around an axis through a point, each turned with it, in rows", () => {
    const shape = shapeOf({
      kind: "sphere",
      radius: 1,
      at: [1, 1, 0],
      copies: 4,
      around: "x",
      about: [0, 0, 1],
      rows: 2,
      step: [5, 0, 0],
    });
    const places = shapeInstances(shape).map(({ placement: { p } }) => p.map((x) => Math.round(x * 1e9) / 1e9 + 0));
    expect(places).toEqual([[1, 1, 0], [6, 1, 0], [1, 1, 2], [6, 1, 2], [1, -1, 2], [6, -1, 2], [1, -1, 0], [6, -1, 0]]); // biome-ignore format: points
    const third = shapeInstances(shape)[4]!.placement.R; // half a turn about x
    for (const [i, row] of [[1, 0, 0], [0, -1, 0], [0, 0, -1]].entries()) for (const [k, x] of row.entries()) expect(third[i as 0]![k as 0]).toBeCloseTo(x, 12); // biome-ignore format: matrix
  });

  test("may have a spacing of their own", () => {
    const shape = shapeOf({ kind: "sphere", radius: 1, at: [1, 0, 0], copies: 2, spacing: Math.PI / 2 });
    const [, second] = shapeInstances(shape);
    for (const [k, x] of [0, 1, 0].entries()) expect(second!.placement.p[k as 0]).toBeCloseTo(x, 12);
  });
});

const body = { name: "arm", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } };

test("shapes of bodies and of the world survive saving", () => {
  const shapes: ShapeDescription[] = [
    ...SOLIDS.map(([, description]) => description),
    { kind: "panel", size: [1, 2, 0.02], material: "composite", colour: "#102030", copies: 3, around: "x", about: [0, 1, 0] },
    { kind: "box", size: [1, 1, 1], rim: 0.1, rows: 4, step: [0, 2, 0], material: "solar-cells" },
  ];
  const model = createModel({ name: "m", bodies: [{ ...body, shapes }], shapes } as never);
  const description = describeModel(model);
  expect((description.bodies[0] as BodyDescription).shapes).toHaveLength(shapes.length);
  expect(describeModel(createModel(description))).toEqual(description);
  expect(createModel(description).shapes).toEqual(model.shapes);
  expect(description.shapes!.at(-2)).toEqual({ ...shapes.at(-2), around: [1, 0, 0] });
});

const square = [[0, 0], [1, 0], [1, 1], [0, 1]]; // biome-ignore format: points
test.each<[string, object, RegExp]>([
  ["two corners", { kind: "extrude", outline: square.slice(0, 2), length: 1 }, /outline: needs at least 3 points/],
  ["a corner of three numbers", { kind: "extrude", outline: [[0, 0, 0], [1, 0], [1, 1]], length: 1 }, /outline\[0\]: must/], // biome-ignore format: points
  ["a bow tie", { kind: "extrude", outline: [[0, 0], [1, 1], [1, 0], [0, 1]], length: 1 }, /outline: crosses.* points 1 and 3/], // biome-ignore format: points
  ["a repeated corner", { kind: "extrude", outline: [[0, 0], [1, 0], [1, 0], [0, 1]], length: 1 }, /outline: point 3 is the same as the one before it/], // biome-ignore format: points
  ["an outline closed twice", { kind: "extrude", outline: [...square, [0, 0]], length: 1 }, /ends with its first point.*Leave/],
  ["a line", { kind: "extrude", outline: [[0, 0], [1, 0], [2, 0]], length: 1 }, /outline: (encloses no area|crosses)/], // biome-ignore format: points
  ["a chamfer that is too wide", { kind: "extrude", outline: square, length: 4, rim: 0.6 }, /rim: is too large for this outline/],
  [
    "a chamfer longer than the prism",
    { kind: "extrude", outline: square, length: 0.1, rim: 0.06 },
    /rim: must be at most half of the length, 0.05 m/,
  ],
  ["a negative radius", { kind: "revolve", profile: [[1, 0], [-1, 1]] }, /profile: point 2 has a negative radius/], // biome-ignore format: points
  ["a profile on the axis", { kind: "revolve", profile: [[0, 0], [0, 1]] }, /profile: lies on the axis/], // biome-ignore format: points
  ["more than a turn", { kind: "revolve", profile: [[1, 0], [1, 1]], angle: 7 }, /angle: must be/], // biome-ignore format: points
  [
    "a ring without a hole",
    { kind: "ring", radius: 1, inner: 1, height: 1 },
    /inner: must be smaller than the outer radius, 1 m/,
  ],
  ["a rim that does not fit", { kind: "ring", radius: 1, inner: 0.9, height: 1, rim: 0.06 }, /rim: must be at most half/],
  ["a path of one point", { kind: "tube", path: [[0, 0, 0]], radius: 1 }, /path: needs at least 2 points/],
  ["a path that stands", { kind: "tube", path: [[0, 0, 0], [0, 0, 0]], radius: 1 }, /path: point 2 is the same/], // biome-ignore format: points
  ["half a cell", { kind: "panel", size: [1, 1, 1], cells: [1.5, 1] }, /cells: must be whole numbers/],
  ["an unknown material", { kind: "sphere", radius: 1, material: "gold" }, /material: no such material.*foil/],
  ["copies that are no number of them", { kind: "sphere", radius: 1, copies: 2.5 }, /copies: must be a whole number/],
  ["an axis without copies", { kind: "sphere", radius: 1, around: "x" }, /copies: is missing: around belongs to copies/],
  ["rows without a step", { kind: "sphere", radius: 1, rows: 3 }, /step: is missing/],
  ["a step without rows", { kind: "sphere", radius: 1, step: [1, 0, 0] }, /rows: is missing/],
  ["too many copies", { kind: "sphere", radius: 1, copies: 100, rows: 100, step: [1, 0, 0] }, /rows: at most 1000 copies/],
])("finds %s", (_, shape, message) => {
  const create = (): unknown => createModel({ name: "m", bodies: [{ ...body, shapes: [shape] }] } as never);
  expect(create).toThrow(ModelError);
  expect(create).toThrow(message);
});

test("finds too many shapes with all copies", () => {
  const shapes = Array.from({ length: 5 }, () => ({ kind: "sphere", radius: 1, copies: 1000 }));
  expect(() => createModel({ name: "m", bodies: [{ ...body, shapes }] } as never)).toThrow(
    /at most 4000 shapes with all copies, these are 5000/,
  );
});
