import { describe, expect, it } from "vitest";
import { bodyPoses } from "../../../src/dynamics/programs.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import type { Model } from "../../../src/model/model.ts";
import { MATERIALS } from "../../../src/model/surface/materials.ts";
import { replayData } from "../../../src/report/replay/replay-data.ts";
import type { ReplayData, ReplayMesh } from "../../../src/report/replay/replay-format.ts";

/** The data of a machine whose first body moves along x with a speed, for one second. */
function replayOf(model: Model, speed = 0, meshes: Parameters<typeof replayData>[0]["meshOf"] = undefined): ReplayData {
  const poses = compile(bodyPoses(model));
  const posesAt = (t: number): Float64Array => {
    poses.x.fill(0);
    poses.x.set([1, 0, 0, 0, speed * t, 0, 0]);
    poses.evaluate();
    return poses.y.slice();
  };
  return replayData({ title: "test", model, from: 0, to: 1, posesAt, ...(meshes && { meshOf: meshes }) });
}

const bytes = (text: string): ArrayBuffer => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

/** Corners of the triangles of a mesh, m. */
function trianglesOf({ unit, points, triangles }: ReplayMesh): (readonly [number, number, number])[][] {
  const [own, index] = [new Int16Array(bytes(points)), new Uint16Array(bytes(triangles))];
  const corner = (i: number): readonly [number, number, number] => [
    unit * own[3 * index[i]!]!,
    unit * own[3 * index[i]! + 1]!,
    unit * own[3 * index[i]! + 2]!,
  ];
  return Array.from({ length: index.length / 3 }, (_, f) => [corner(3 * f), corner(3 * f + 1), corner(3 * f + 2)]);
}

const body = (shapes: string, more = ""): Model =>
  parseModel(`
name: test
bodies:
  - { name: base, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [${shapes}] }
${more}`);

describe("the data of the player", () => {
  it("contain all copies of a shape in the colours of the materials, to a 30,000th of the size", () => {
    const data = replayOf(
      body("{ kind: box, size: [1, 2, 3], at: [5, 0, 0], copies: 2, material: foil }, { kind: sphere, radius: 0.5 }"),
    );
    const meshes = data.bodies[0]!.meshes;
    const foil = meshes.find(({ colour }) => colour === MATERIALS.foil)!;
    expect(meshes).toHaveLength(2);
    const x = trianglesOf(foil).flatMap((corners) => corners.map((p) => p[0]));
    expect(Math.min(...x)).toBeCloseTo(-5.5, 3);
    expect(Math.max(...x)).toBeCloseTo(5.5, 3);
    expect(new Set(x.map((v) => v.toFixed(2)))).toEqual(new Set(["5.50", "4.50", "-4.50", "-5.50"]));
  });

  it("leave no holes in shapes, however many there are, and drop the smallest of far too many", () => {
    const many = (count: number): Model =>
      body(
        `{ kind: box, size: [2, 2, 2], colour: "#010203" }, { kind: sphere, radius: 0.3, at: [3, 0, 0], copies: 100, rows: ${count}, step: [0, 0, 1] }`,
      );
    for (const rows of [1, 8]) {
      const { meshes } = replayOf(many(rows)).bodies[0]!;
      const all = meshes.flatMap(trianglesOf);
      expect(all.length).toBeLessThanOrEqual(14_000);
      expect(all.length).toBeGreaterThan(rows === 1 ? 3000 : 10_000);
      const open = new Map<string, number>();
      for (const corners of all)
        for (const k of [0, 1, 2]) {
          const [a, b] = [corners[k]!.join(), corners[(k + 1) % 3]!.join()];
          open.set(`${a} ${b}`, (open.get(`${a} ${b}`) ?? 0) + 1);
          open.set(`${b} ${a}`, (open.get(`${b} ${a}`) ?? 0) - 1);
        }
      expect([...open.values()].filter((n) => n !== 0)).toEqual([]); // each edge has a triangle on both sides
      expect(trianglesOf(meshes.find(({ colour }) => colour === "#010203")!)).toHaveLength(12);
    }
  });

  it("simplify large mesh files without holes", () => {
    const n = 200; // a wave over a square
    const positions = Float64Array.from({ length: 3 * (n + 1) ** 2 }, (_, i) => {
      const [p, k] = [Math.floor(i / 3), i % 3];
      const [x, y] = [(p % (n + 1)) / n, Math.floor(p / (n + 1)) / n];
      return [x, y, 0.1 * Math.sin(6 * x)][k]!;
    });
    const triangles = Uint32Array.from(
      Array.from({ length: n * n }, (_, i) => {
        const a = (i % n) + Math.floor(i / n) * (n + 1);
        return [a, a + 1, a + n + 2, a, a + n + 2, a + n + 1];
      }).flat(),
    );
    const data = replayOf(body("{ kind: mesh, file: wave.stl }"), 0, () => ({ positions, triangles }));
    const drawn = data.bodies[0]!.meshes.flatMap(trianglesOf);
    expect(drawn.length).toBeLessThanOrEqual(14_000);
    const area = drawn.reduce(
      (sum, [a, b, c]) => sum + ((b![0] - a![0]) * (c![1] - a![1]) - (c![0] - a![0]) * (b![1] - a![1])) / 2,
      0,
    );
    expect(area).toBeGreaterThan(0.97);
    expect(area).toBeLessThan(1.001);
  });

  it("begin with all of a machine in the view, near its border", () => {
    const { view } = replayOf(body("{ kind: box, size: [4, 1, 0.5], at: [1, 0, 0] }"));
    expect(view.centre[0]).toBeCloseTo(1, 12);
    const [ca, sa, ce, se] = [Math.cos(view.azimuth), Math.sin(view.azimuth), Math.cos(view.elevation), Math.sin(view.elevation)];
    const distance = view.radius / Math.sin(0.3);
    // Without gravity z is upwards, and the player counts the azimuth from x.
    const places = [3, -1].flatMap((x) => [0.5, -0.5].flatMap((y) => [0.25, -0.25].map((z) => [x, y, z])));
    const extents = places.map((place) => {
      const [x, y, z] = place.map((value, k) => value - view.centre[k]!) as [number, number, number];
      const level = ca * x + sa * y;
      const [aside, above] = [ca * y - sa * x, ce * z - se * level];
      return Math.max(Math.abs(aside), Math.abs(above)) / (Math.tan(0.3) * (distance - ce * level - se * z));
    });
    expect(Math.max(...extents)).toBeLessThan(1);
    expect(Math.max(...extents)).toBeGreaterThan(0.9);
  });

  it("show the mechanism of a large vehicle, follow a machine that travels, and put space behind a weightless one", () => {
    const probe = `  - { name: probe, parent: base, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute, at: [0.2, 0, 0.1] }, frames: { tip: { at: [0, 0, 0.5] } }, shapes: [{ kind: box, size: [0.1, 0.1, 0.5], at: [0, 0, 0.25] }] }`;
    const docking = replayOf(body("{ kind: cylinder, radius: 2, length: 8, at: [0, 0, -4.1] }", probe));
    expect(docking.view.radius).toBeLessThan(0.8);
    expect(docking.view.centre[2]).toBeGreaterThan(0);
    expect([docking.isInSpace, docking.view.follows]).toEqual([true, false]);
    expect(replayOf(body("{ kind: sphere, radius: 1 }"), 100).view.follows).toBe(true);
  });
});
