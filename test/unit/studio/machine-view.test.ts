import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import * as programs from "../../../src/dynamics/programs.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import type { Model } from "../../../src/model/model.ts";
import { FIELD_OF_VIEW, fitCamera } from "../../../studio/src/view/camera.ts";
import { machineExtent } from "../../../studio/src/view/geometry/machine-extent.ts";
import { rayHitsShape } from "../../../studio/src/view/geometry/shape-extent.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("the view", () => {
  const vehicle = (extra: string): Model =>
    parseModel(`
name: docking
bodies:
  - name: vehicle
    mass: 1000
    inertia: [1000, 1000, 1000]
    hinge: { kind: free }
    shapes: [{ kind: cylinder, radius: 2, length: 8, at: [0, 0, -4.1] }]
  - { name: probe, parent: vehicle, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute, at: [0.2, 0, ${extra}] }, frames: { tip: { at: [0, 0, 0.5] } }, shapes: [{ kind: box, size: [0.1, 0.1, 0.5], at: [0, 0, 0.25] }] }
`);
  const extent = (model: Model): ReturnType<typeof machineExtent> => {
    const poses = compile(programs.bodyPoses(model));
    poses.x.set([1, 0, 0, 0, 0, 0, 0, 0]);
    poses.evaluate();
    return machineExtent(
      model,
      poses.y,
      model.bodies.map(({ shapes }) => shapes),
    );
  };

  it("shows the mechanism and not an oversized body, unless that contains the mechanism", () => {
    const [outside, inside] = [extent(vehicle("0.1")), extent(vehicle("-4"))];
    expect([outside.oversized.size, inside.oversized.size]).toEqual([1, 0]);
    expect(outside.radius).toBeLessThan(0.5);
    expect(inside.radius).toBeGreaterThan(4);
    expect([outside.enclosing.size, inside.enclosing.size]).toEqual([0, 1]);
  });

  it("is chosen so that joints are visible", () => {
    const plate = (x: number, radius: number): string =>
      `{ kind: cylinder, radius: ${radius}, length: 0.05, at: [${x}, 0, 0], rotation: { rpy: [0, 90 deg, 0] } }`;
    const between = (radius: number): readonly number[] =>
      extent(
        parseModel(`
name: plates
bodies:
  - { name: plates, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [${plate(-0.3, radius)}, ${plate(0.3, radius)}], frames: { a: { at: [0, 0.5, 0] }, b: { at: [0, -0.5, 0.3] } } }
  - { name: arm, parent: plates, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute } }
`),
      ).eye;
    const [open, hidden] = [between(0.01), between(1)];
    const alongAxis = (eye: readonly number[]): number => Math.abs(eye[0]!) / Math.hypot(...eye);
    expect(alongAxis(open)).toBeGreaterThan(0.6);
    expect(alongAxis(hidden)).toBeLessThan(0.3);
  });

  it("makes shapes translucent that hide a joint on most sides or contain a body, and no others", () => {
    const box = (size: string, at: string): string => `{ kind: box, size: [${size}], at: [${at}] }`;
    const walls = [
      box("2, 0.1, 2", "0, 1, 0"),
      box("2, 0.1, 2", "0, -1, 0"),
      box("0.1, 2, 2", "1, 0, 0"),
      box("0.1, 2, 2", "-1, 0, 0"),
    ];
    const seenThrough = (shapes: readonly string[], arm: string): string[] => {
      const model = parseModel(`
name: housing
bodies:
  - { name: housing, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [${shapes.join(", ")}] }
  - { name: arm, parent: housing, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute, at: [0, 0, 0] }, shapes: [${arm}] }
`);
      const { occluding: surrounding } = extent(model);
      return model.bodies.flatMap(({ name, shapes: own }) => own.filter((shape) => surrounding.has(shape)).map(() => name));
    };
    const long = "{ kind: capsule, radius: 0.05, length: 4 }";
    expect(seenThrough(walls, long)).toEqual(new Array(4).fill("housing"));
    expect(seenThrough(walls.slice(0, 2), long)).toEqual([]);
    // The joint is inside the hub, and the walls hide it on one side only.
    expect(seenThrough([box("1, 1, 1", "0, 0, 0"), ...walls.slice(0, 1)], long)).toEqual([]);
    expect(seenThrough([box("1, 1, 1", "0, 0, 0")], box("0.9, 0.9, 0.9", "0, 0, 0"))).toEqual(["housing"]);
    expect(seenThrough([box("1, 1, 1", "0, 0, 0")], box("1.1, 0.9, 0.9", "0, 0, 0"))).toEqual([]);
  });

  it("is hidden by a shape that a ray hits", () => {
    const [body] = parseModel(`
name: shapes
bodies:
  - { name: a, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [{ kind: box, size: [2, 4, 6] }, { kind: sphere, radius: 2 }, { kind: cylinder, radius: 1, length: 4 }, { kind: capsule, radius: 1, length: 2 }] }
`).bodies;
    const hits = (o: readonly [number, number, number], d: readonly [number, number, number]): boolean[] =>
      body!.shapes.map((shape) => rayHitsShape(shape, o, d));
    expect(hits([5, 0, 0], [-1, 0, 0])).toEqual([true, true, true, true]);
    expect(hits([5, 0, 0], [1, 0, 0])).toEqual([false, false, false, false]);
    expect(hits([5, 1.5, 0], [-1, 0, 0])).toEqual([true, true, false, false]);
    expect(hits([5, 0, 1.9], [-1, 0, 0])).toEqual([true, true, true, true]);
    expect(hits([5, 0.9, 1.9], [-1, 0, 0])).toEqual([true, false, true, false]);
    expect(hits([0.9, 0.9, 9], [0, 0, -1])).toEqual([true, true, false, false]);
    expect(hits([0, 0, 0], [0, 0, 1])).toEqual([true, true, true, true]);
  });

  it("sees through a ring and into a dish, which are hollow", () => {
    const [body] = parseModel(`
name: shapes
bodies:
  - { name: a, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [{ kind: ring, radius: 2, inner: 1, height: 0.5 }, { kind: revolve, profile: [[0, 0], [1, 0.3], [2, 1]] }, { kind: tube, path: [[0, 0, -3], [0, 0, 3]], radius: 0.5 }] }
`).bodies;
    const hits = (o: readonly [number, number, number], d: readonly [number, number, number]): boolean[] =>
      body!.shapes.map((shape) => rayHitsShape(shape, o, d));
    expect(hits([0, 0.02, 9], [0, 0, -1])).toEqual([false, true, true]);
    expect(hits([1.4, 0.6, 9], [0, 0, -1])).toEqual([true, true, false]);
    expect(hits([1.4, 0.6, 9], [0, 0, 1])).toEqual([false, false, false]);
    expect(hits([9, 0.1, 2], [-1, 0, 0])).toEqual([false, false, true]);
    expect(hits([0, 0.02, 0.5], [0, 0, -1])).toEqual([false, true, true]); // from inside the ring and the tube
  });

  it("contains everything, and fills the picture between two opposite edges", () => {
    const balls = [1, 0, 0, 0.3, -2, 4, 1, 0, 0, 1, -3, 0.5, 5, 5, 5, 0.1];
    const room = { sides: 0.92, top: 0.7, bottom: 0.84 };
    for (const aspect of [2.5, 1, 0.5]) {
      const camera = new PerspectiveCamera(FIELD_OF_VIEW, aspect);
      fitCamera(camera, { ...extent(vehicle("0.1")), radius: 0.1, eye: [1, -2, 0.7] }, { spheres: balls, travels: false }, room);
      camera.updateMatrixWorld();
      // Extent of the spheres in the picture, by sampling their surfaces.
      const reach = [0, 0, 0, 0];
      for (let i = 0; i < balls.length; i += 4)
        for (const a of range(40))
          for (const b of range(20)) {
            const [u, v] = [(a * Math.PI) / 20, (b * Math.PI) / 19];
            const [r, sine] = [balls[i + 3]!, Math.sin(v)];
            const p = new Vector3(
              balls[i]! + r * sine * Math.cos(u),
              balls[i + 1]! + r * sine * Math.sin(u),
              balls[i + 2]! + r * Math.cos(v),
            );
            p.project(camera);
            for (const [k, x] of [p.x, -p.x, p.y, -p.y].entries()) reach[k] = Math.max(reach[k]!, x);
          }
      const [right, left, top, bottom] = reach as [number, number, number, number];
      expect(Math.max(right, left)).toBeLessThan(0.9201);
      expect(top).toBeLessThan(0.7001);
      expect(bottom).toBeLessThan(0.8401);
      const fills = Math.min(right, left) > 0.91 || (top > 0.69 && bottom > 0.83);
      expect(fills).toBe(true);
    }
  });
});
