/** Mass properties of meshes against closed forms, and surfaces that are not closed. */
import { describe, expect, it } from "vitest";
import { readMesh } from "../../../src/formats/mesh/mesh-file.ts";
import { meshMassProperties } from "../../../src/formats/mesh/mesh-mass.ts";
import { simplifyMesh } from "../../../src/formats/mesh/simplify-mesh.ts";
import { type TriangleMesh, weldCorners } from "../../../src/formats/mesh/triangle-mesh.ts";
import { objText } from "../../fixtures/mesh-bytes.ts";

const cuboid = readMesh("cuboid.obj", () => new TextEncoder().encode(objText()));

/** A surface over a grid of angles that is closed in both directions, or in the first one with poles in the second. */
function grid(n: number, m: number, point: (u: number, v: number) => readonly number[]): TriangleMesh {
  const corners: number[] = [];
  const at = (i: number, j: number): readonly number[] => point((2 * Math.PI * (i % n)) / n, (j % m) / m);
  const add = (...points: (readonly number[])[]): void => {
    for (const p of points) corners.push(...p);
  };
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++) {
      const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      add(a, b, c);
      add(a, c, d);
    }
  return weldCorners(Float64Array.from(corners), "grid");
}

const torus = (n: number, R: number, r: number): TriangleMesh =>
  grid(2 * n, n, (u, v) => {
    const w = 2 * Math.PI * v;
    return [(R + r * Math.cos(w)) * Math.cos(u) + 5, (R + r * Math.cos(w)) * Math.sin(u) - 3, r * Math.sin(w) + 2];
  });

/** A ball: an octahedron whose faces are divided n times. */
function ball(n: number, r: number): TriangleMesh {
  const corners: number[] = [];
  const point = (s: readonly number[], i: number, j: number): number[] => {
    const p = [i * s[0]!, j * s[1]!, (n - i - j) * s[2]!];
    const length = Math.hypot(...p);
    return p.map((c) => (r * c) / length);
  };
  for (const x of [1, -1])
    for (const y of [1, -1])
      for (const z of [1, -1]) {
        const s = [x, y, z];
        const add = (...points: number[][]): void => void corners.push(...(x * y * z > 0 ? points : points.reverse()).flat());
        for (let i = 0; i < n; i++)
          for (let j = 0; i + j < n; j++) {
            add(point(s, i, j), point(s, i + 1, j), point(s, i, j + 1));
            if (i + j < n - 1) add(point(s, i + 1, j), point(s, i + 1, j + 1), point(s, i, j + 1));
          }
      }
  return weldCorners(Float64Array.from(corners), "ball");
}

/** The limit of a quantity whose error falls with the square of the size of the triangles. */
const limit = (coarse: number, fine: number): number => (4 * fine - coarse) / 3;

describe("mass properties", () => {
  it("of a cuboid are exact, also scaled, mirrored and inside out", () => {
    const [x, y, z] = [0.75, 1.75, 1.875];
    const mass = 2 * x * y * z;
    const own = meshMassProperties(cuboid, 2);
    expect(own).toMatchObject({ volume: expect.closeTo(x * y * z, 14), mass: expect.closeTo(mass, 14), insideOut: false });
    expect(own.area).toBeCloseTo(2 * (x * y + y * z + x * z), 13);
    const about = (mass / 12) * 1;
    const expected = [about * (y * y + z * z), about * (x * x + z * z), about * (x * x + y * y), 0, 0, 0];
    for (const [i, value] of own.inertia.entries()) expect(value).toBeCloseTo(expected[i]!, 13);
    for (const [i, value] of own.com.entries()) expect(value).toBeCloseTo([0.125, 0.125, 1.0625][i]!, 14);
    const mirrored = meshMassProperties(cuboid, 2, [1, -1, 1]);
    expect(mirrored).toMatchObject({ mass: expect.closeTo(mass, 14), insideOut: false });
    expect(mirrored.com[1]).toBeCloseTo(-0.125, 14);
    const small = meshMassProperties(cuboid, 2, 0.1);
    expect(small.mass).toBeCloseTo(mass * 1e-3, 15);
    expect(small.inertia[0]).toBeCloseTo(expected[0]! * 1e-5, 15);
    const turned = { ...cuboid, triangles: cuboid.triangles.slice().reverse() };
    expect(meshMassProperties(turned, 2)).toMatchObject({ mass: expect.closeTo(mass, 14), insideOut: true });
  });

  it("of a ball and a torus far from the origin tend to the closed forms", () => {
    const [r, R] = [0.3, 1.1];
    const [balls, tori] = [
      [12, 24].map((n) => meshMassProperties(ball(n, r), 1)),
      [24, 48].map((n) => meshMassProperties(torus(n, R, r), 1)),
    ];
    const volume = (pair: readonly { readonly volume: number }[]): number => limit(pair[0]!.volume, pair[1]!.volume);
    const inertia = (pair: typeof balls, i: number): number => limit(pair[0]!.inertia[i]!, pair[1]!.inertia[i]!);
    const ballMass = (4 / 3) * Math.PI * r ** 3;
    expect(volume(balls) / ballMass).toBeCloseTo(1, 4);
    for (const i of [0, 1, 2]) expect(inertia(balls, i) / (0.4 * ballMass * r * r)).toBeCloseTo(1, 3);
    const torusMass = 2 * Math.PI ** 2 * R * r * r;
    expect(volume(tori) / torusMass).toBeCloseTo(1, 4);
    expect(inertia(tori, 2) / (torusMass * (R * R + 0.75 * r * r))).toBeCloseTo(1, 4);
    expect(inertia(tori, 0) / (torusMass * (0.5 * R * R + 0.625 * r * r))).toBeCloseTo(1, 4);
    for (const i of [3, 4, 5]) expect(Math.abs(tori[1]!.inertia[i]!)).toBeLessThan(1e-13 * torusMass);
    for (const [i, c] of tori[1]!.com.entries()) expect(c).toBeCloseTo([5, -3, 2][i]!, 12);
  });

  it.each<[string, Uint32Array, RegExp]>([
    ["a hole", cuboid.triangles.slice(3), /is not closed: 3 edges belong to an odd number of triangles, e\.g\. near/],
    [
      "a triangle that is turned",
      Uint32Array.from([...cuboid.triangles.slice(0, 3)].reverse().concat([...cuboid.triangles.slice(3)])),
      /turned differently: 3 edges/,
    ],
  ])("are refused for a surface with %s", (_, triangles, message) => {
    expect(() => meshMassProperties({ ...cuboid, triangles }, 1)).toThrow(message);
  });

  it("are refused for a flat surface", () => {
    const flat = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2, 0, 2, 1) };
    expect(() => meshMassProperties(flat, 1)).toThrow(/encloses no volume/);
  });
});

it("a simplified mesh has few enough triangles and almost the same volume", () => {
  const fine = ball(30, 1);
  expect(fine.triangles.length / 3).toBe(8 * 900);
  expect(simplifyMesh(fine, 30_000)).toBe(fine);
  for (const most of [3000, 800]) {
    const coarse = simplifyMesh(fine, most);
    expect(coarse.triangles.length / 3).toBeLessThanOrEqual(most);
    expect(coarse.triangles.length / 3).toBeGreaterThan(most / 8);
    expect(meshMassProperties(coarse, 1).volume).toBeCloseTo((4 / 3) * Math.PI, most === 800 ? 0 : 1);
  }
});
