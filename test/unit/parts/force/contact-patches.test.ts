/** Drawn contact patches: their area and the integral of their pressure are those of the channels, for random poses of solids. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { createForce } from "../../../../src/parts/force/forces.ts";
import { contactPatches } from "../../../../src/sim/record/drawn-patches.ts";
import { loadsOf } from "../../../fixtures/element-loads.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";

const MODEL = createModel({
  name: "solids",
  bodies: ["a", "b"].map((name) => ({ name, mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } })),
});
const HULL = [
  [-0.3, -0.2, -0.2],
  [0.3, -0.2, -0.2],
  [0, 0.3, -0.2],
  [0.05, 0, 0.3],
];
const SHAPES = {
  box: { kind: "box", size: [0.5, 0.4, 0.3] },
  cylinder: { kind: "cylinder", radius: 0.2, length: 0.5, axis: [0.2, 0, 1] },
  sphere: { kind: "sphere", radius: 0.25 },
  capsule: { kind: "capsule", at: [-0.2, 0, 0], to: [0.2, 0.1, 0], radius: 0.15 },
  hull: { kind: "hull", points: HULL },
  plane: { kind: "plane", axis: [0.1, 0.2, 1] },
} as const;
/** The mesh of a patch cuts off parts of curved outlines: for one patch, and for the mean of all. It interpolates the pressure, which is concave. */
const [ONE, MEAN, BETWEEN] = [0.03, 0.01, 0.08];
/** Deeper overlaps, m, have pressures with many kinks. */
const DEEPEST = 0.06;

function rotation([w, x, y, z]: readonly number[]): number[] {
  return [
    ...[1 - 2 * (y! * y! + z! * z!), 2 * (x! * y! - w! * z!), 2 * (x! * z! + w! * y!)],
    ...[2 * (x! * y! + w! * z!), 1 - 2 * (x! * x! + z! * z!), 2 * (y! * z! - w! * x!)],
    ...[2 * (x! * z! - w! * y!), 2 * (y! * z! + w! * x!), 1 - 2 * (x! * x! + y! * y!)],
  ];
}

/** Area of the triangles, and the integral of the pressure over them. */
function sums(points: Float64Array, pressures: Float64Array, triangles: Uint32Array): readonly [area: number, load: number] {
  const at = (k: number): number[] => [...points.subarray(3 * k, 3 * k + 3)];
  let [area, load] = [0, 0];
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = triangles.subarray(i, i + 3);
    const [p, q, r] = [at(corners[0]!), at(corners[1]!), at(corners[2]!)];
    const [u, v] = [q, r].map((c) => c.map((x, k) => x - p[k]!)) as [number[], number[]];
    const size = Math.hypot(u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!) / 2;
    area += size;
    load += (size * (pressures[corners[0]!]! + pressures[corners[1]!]! + pressures[corners[2]!]!)) / 3;
  }
  return [area, load];
}

describe.each([
  ["box", "plane"],
  ["box", "box"],
  ["hull", "box"],
  ["box", "cylinder"],
  ["cylinder", "plane"],
  ["cylinder", "hull"],
  ["sphere", "box"],
  ["sphere", "plane"],
  ["capsule", "box"],
  ["sphere", "capsule"],
] as const)("%s and %s", (first, second) => {
  it("has the area and the load of the channels", () => {
    const element = createForce(MODEL, {
      ...{ kind: "contact", name: "c", law: "pressure", modulus: 1e5, startDepth: 1 },
      shapes: [{ ...SHAPES[first], name: "a", on: "a" }],
      against: [{ ...SHAPES[second], name: "b", on: "b" }],
    } as never);
    const loadsAt = loadsOf(MODEL, element);
    const patchesAt = contactPatches(MODEL, [element])!;
    const next = uniform(first.length * 31 + second.length);
    let [touched, areas, loads] = [0, 0, 0];
    for (let k = 0; k < 80; k++) {
      const poses = ["a", "b"].map((name) => {
        const quaternion = [1, 0, 0, 0].map(() => next() - 0.5);
        const length = Math.hypot(...quaternion);
        const p = [0, 0, 0].map(() => (name === "a" ? 0.7 : 0) * (next() - 0.5) * (second === "plane" ? 0.8 : 1));
        return { quaternion: quaternion.map((x) => x / length), p };
      });
      const q = Float64Array.from(poses.flatMap(({ quaternion, p }) => [...quaternion, ...p]));
      const state = { t: 0, q, u: new Float64Array(MODEL.nu), z: Float64Array.from(element.z0 ?? []), held: new Float64Array(0) };
      const { channels } = loadsAt(state);
      const patches = patchesAt(Float64Array.from(poses.flatMap(({ quaternion, p }) => [...rotation(quaternion), ...p])));
      expect(patches.length).toBe(channels.count!);
      if (patches.length === 0 || channels.depth! > DEEPEST) continue;
      expect(patches[0]!.name).toBe("c.a-b");
      const [area, load] = sums(patches[0]!.points, patches[0]!.pressures, patches[0]!.triangles);
      touched++;
      const part = area / channels["a-b.area"]!;
      expect(Math.abs(part - 1), `pose ${k}`).toBeLessThan(ONE);
      areas += part;
      // The force is a sum over faces with different normals, so its length is at most the integral of the pressure.
      if (first === "sphere" && second === "capsule") continue;
      expect(load).toBeGreaterThan((1 - BETWEEN) * channels["a-b.load"]!);
      if (second === "plane") loads += load / channels["a-b.load"]!;
    }
    expect(touched).toBeGreaterThan(3);
    expect(Math.abs(areas / touched - 1)).toBeLessThan(MEAN);
    if (second === "plane") expect(Math.abs(loads / touched - 1)).toBeLessThan(3 * MEAN);
  });
});
