/** Hulls of points: containment, closed surfaces, volumes of known solids, and points without a hull. */
import { describe, expect, it } from "vitest";
import { convexHull, HULL_TOLERANCE, MOST_HULL_POINTS } from "../../../../src/math/convex/convex-hull.ts";
import { boxPolytope, type Point3, type Polytope, volumeOf } from "../../../../src/math/convex/polytope.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";

const dot = (a: Point3, b: Point3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const grid = (n: number): number[] => Array.from({ length: n + 1 }, (_, i) => (2 * i) / n - 1);

/** A rotation that no axis is special to. */
const turned = ([x, y, z]: Point3): Point3 => {
  const [c, s, d, t] = [Math.cos(0.7), Math.sin(0.7), Math.cos(1.9), Math.sin(1.9)];
  const [u, v] = [c * x - s * y, s * x + c * y];
  return [u, d * v - t * z, t * v + d * z];
};

/** Checks that all points are inside, that each edge belongs to two faces in both directions, and Euler's formula. */
function checkHull(points: readonly Point3[], { corners, faces, planes }: Polytope, size: number, tolerance = 1e-12): void {
  expect(planes).toHaveLength(faces.length);
  let [outside, offPlane, length] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (const [f, { normal, offset }] of planes.entries()) {
    length = Math.max(length, Math.abs(dot(normal, normal) - 1));
    for (const p of points) outside = Math.max(outside, dot(normal, p) - offset);
    for (const c of faces[f]!) offPlane = Math.max(offPlane, Math.abs(dot(normal, corners[c]!) - offset));
  }
  expect(length).toBeLessThan(1e-14);
  expect(outside).toBeLessThanOrEqual(tolerance * size);
  expect(offPlane).toBeLessThanOrEqual(tolerance * size);
  const edges = new Set(faces.flatMap((face) => face.map((c, k) => `${c} ${face[(k + 1) % face.length]}`)));
  const halfEdges = faces.reduce((sum, face) => sum + face.length, 0);
  expect(edges.size).toBe(halfEdges);
  expect([...edges].filter((edge) => !edges.has(edge.split(" ").reverse().join(" ")))).toEqual([]);
  expect(corners.length - halfEdges / 2 + faces.length).toBe(2);
  expect(new Set(faces.flat()).size).toBe(corners.length);
}

const BOX: Point3[] = boxPolytope([1, 1, 1]).corners.map((p): Point3 => [...p]);
const surfaceOfCube = (n: number): Point3[] =>
  grid(n).flatMap((x) =>
    grid(n).flatMap((y) =>
      grid(n).flatMap((z): Point3[] => (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === 1 ? [[x, y, z]] : [])),
    ),
  );
const meshedSphere = (rings: number, sectors: number): Point3[] => [
  [0, 0, 1],
  [0, 0, -1],
  ...Array.from({ length: rings - 1 }, (_, i) => (Math.PI * (i + 1)) / rings).flatMap((theta) =>
    Array.from({ length: sectors }, (_, j): Point3 => {
      const phi = (2 * Math.PI * j) / sectors;
      return [Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)];
    }),
  ),
];

describe("convexHull", () => {
  it("boxPolytope has the volume, centre and planes of a box", () => {
    const box = boxPolytope([0.5, 1, 2]);
    checkHull(box.corners, box, 4);
    expect(volumeOf(box).volume).toBeCloseTo(8, 14);
    expect(box.planes.map(({ offset }) => offset)).toEqual([0.5, 0.5, 1, 1, 2, 2]);
  });

  it("contains random points and is closed, whatever their distribution", () => {
    const next = uniform(11);
    for (let k = 0; k < 60; k++) {
      const n = 4 + Math.floor(120 * next());
      const flatness = [1, 1e-3, 1e-5][k % 3]!;
      const offset = [0, 1e6][k % 2]!;
      const points = Array.from({ length: n }, (): Point3 => turned([next() + offset, next(), flatness * next()]));
      const hull = convexHull(points);
      checkHull(points, hull, 1, offset === 0 ? 2 * HULL_TOLERANCE : 3 * HULL_TOLERANCE);
      const rounded = points.map((p): Point3 => [Math.fround(p[0]), Math.fround(p[1]), Math.fround(p[2])]);
      if (offset === 0) checkHull(rounded, convexHull(rounded), 1, 2 * HULL_TOLERANCE);
    }
  });

  it("is the simplex of four points, with its volume and centre", () => {
    const points: Point3[] = [
      [0, 0, 0],
      [3, 0, 0],
      [0, 2, 0],
      [0, 0, 5],
    ];
    const hull = convexHull(points);
    checkHull(points, hull, 5);
    expect(hull.faces).toHaveLength(4);
    const { volume, centre } = volumeOf(hull);
    expect(volume).toBeCloseTo(5, 13);
    for (const [i, c] of [0.75, 0.5, 1.25].entries()) expect(centre[i]).toBeCloseTo(c, 13);
  });

  it.each([
    ["as it is", (p: Point3) => p],
    ["turned", turned],
    ["turned, far from the origin", (p: Point3) => turned(p).map((x, i) => x + [1e5, -2e5, 3e5][i]!) as unknown as Point3],
    ["turned, in single precision", (p: Point3) => turned(p).map(Math.fround) as unknown as Point3],
    ["very small", (p: Point3) => turned(p).map((x) => 1e-9 * x) as unknown as Point3],
    ["very large", (p: Point3) => turned(p).map((x) => 1e12 * x) as unknown as Point3],
  ])("joins the triangles of a subdivided cube to six squares (%s)", (_, place) => {
    for (const n of [1, 2, 3, 7, 10]) {
      const points = surfaceOfCube(n).map(place);
      const hull = convexHull([...points, ...points.slice(0, 9)]);
      const size = Math.abs(place([1, 0, 0])[0] - place([-1, 0, 0])[0]);
      checkHull(points, hull, size, 1e-6);
      expect(hull.corners).toHaveLength(8);
      expect(hull.faces.map((face) => face.length)).toEqual([4, 4, 4, 4, 4, 4]);
    }
  });

  it("leaves points inside out", () => {
    const hull = convexHull([[0, 0, 0], [0.3, 0.2, -0.9], ...BOX]);
    expect(hull.corners).toHaveLength(8);
    expect(volumeOf(hull).volume).toBeCloseTo(8, 13);
  });

  it("has the faces of a meshed sphere: triangles at the poles, quadrilaterals between", () => {
    for (const place of [(p: Point3) => p, turned, (p: Point3) => turned(p).map(Math.fround) as unknown as Point3]) {
      const points = meshedSphere(24, 40).map(place);
      const hull = convexHull(points);
      checkHull(points, hull, 1, 1e-6);
      expect(hull.corners).toHaveLength(points.length);
      expect(hull.faces.filter((face) => face.length === 3)).toHaveLength(80);
      expect(hull.faces.filter((face) => face.length === 4)).toHaveLength(40 * 22);
    }
  });

  it("has the volume of a prism, a cylinder mesh, an octahedron and an icosahedron", () => {
    const n = 17;
    const prism = [-1, 1].flatMap((z) =>
      Array.from({ length: n }, (_, i): Point3 => turned([Math.cos((2 * Math.PI * i) / n), Math.sin((2 * Math.PI * i) / n), z])),
    );
    const hull = convexHull(prism);
    expect(hull.faces.map((face) => face.length).sort((a, b) => a - b)).toEqual([...new Array(n).fill(4), n, n]);
    expect(volumeOf(hull).volume).toBeCloseTo(n * Math.sin((2 * Math.PI) / n), 12);
    const octahedron = [0, 1, 2].flatMap((i) =>
      [-1, 1].map((s): Point3 => turned([0, 1, 2].map((j) => (i === j ? s : 0)) as unknown as Point3)),
    );
    expect(volumeOf(convexHull(octahedron)).volume).toBeCloseTo(4 / 3, 13);
    const golden = (1 + Math.sqrt(5)) / 2;
    const icosahedron = [-1, 1].flatMap((a) =>
      [-golden, golden].flatMap((b): Point3[] => [
        [0, a, b],
        [a, b, 0],
        [b, 0, a],
      ]),
    );
    const solid = convexHull(icosahedron.map(turned));
    expect(solid.faces).toHaveLength(20);
    expect(volumeOf(solid).volume).toBeCloseTo((10 * (3 + Math.sqrt(5))) / 3, 11);
  });

  it("approximates a shallow lens within the tolerance, with convex faces", () => {
    const sag = 3e-6;
    const points = grid(20).flatMap((x) =>
      grid(20).flatMap((y): Point3[] =>
        x * x + y * y <= 1
          ? [
              [x, y, sag * (1 - x * x - y * y)],
              [x, y, -0.1],
            ]
          : [],
      ),
    );
    const hull = convexHull(points.map(turned));
    checkHull(points.map(turned), hull, 2, 2 * HULL_TOLERANCE);
  });

  it("takes thousands of points: a subdivided cube, a random sphere", () => {
    const cube = convexHull(surfaceOfCube(40).map(turned));
    const next = uniform(3);
    const ball = Array.from({ length: 2000 }, (): Point3 => {
      const [z, phi] = [2 * next() - 1, 2 * Math.PI * next()];
      const r = Math.sqrt(1 - z * z);
      return [r * Math.cos(phi), r * Math.sin(phi), z];
    });
    const sphere = convexHull(ball);
    expect(cube.faces).toHaveLength(6);
    checkHull(ball, sphere, 1, 2 * HULL_TOLERANCE);
    // Mean volume of the hull of n random points on a sphere [Kingman 1969].
    const n = ball.length;
    const mean = ((n - 1) * (n - 2) * (n - 3)) / ((n + 1) * (n + 2) * (n + 3));
    expect(volumeOf(sphere).volume / ((4 / 3) * Math.PI)).toBeCloseTo(mean, 3);
  });

  it.each<[string, readonly Point3[], RegExp]>([
    ["three points", BOX.slice(0, 3), /at least 4 points, these are 3/],
    ["equal points", new Array(5).fill([1, 2, 3]), /all points are at \[1, 2, 3\]/],
    ["points on a line", grid(6).map((x): Point3 => turned([x, 2 * x, 0])), /all points are on one line/],
    ["points in a plane", surfaceOfCube(3).map(([x, y]): Point3 => turned([x, y, 0])), /all points are in one plane/],
    ["NaN", [...BOX, [0, Number.NaN, 0]], /point 9 is \[0, NaN, 0\]/],
    ["infinity", [[Number.POSITIVE_INFINITY, 0, 0], ...BOX], /point 1 is \[Infinity, 0, 0\]/],
    ["too many points", new Array(MOST_HULL_POINTS + 1).fill([0, 0, 0]), /at most 100000 points, these are 100001/],
  ])("refuses %s", (_, points, message) => {
    expect(() => convexHull(points)).toThrow(message);
  });
});
