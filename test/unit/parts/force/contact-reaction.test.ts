/** Every pair of solids with patches: action equals reaction, in force and in torque. REACTION_POSES sets the number of random poses. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";
import { applyElement } from "../../../fixtures/numeric-loads.ts";

const POSES = Number(process.env.REACTION_POSES ?? 30);

/** Solids of about the same size; the last two are rigid only. */
const CONVEX: Readonly<Record<string, object>> = {
  sphere: { kind: "sphere", radius: 0.3 },
  capsule: { kind: "capsule", at: [-0.3, 0, 0], to: [0.3, 0, 0], radius: 0.15 },
  cylinder: { kind: "cylinder", radius: 0.25, length: 0.6 },
  disc: { kind: "disc", radius: 0.4, thickness: 0.2 },
  cone: { kind: "cone", radius: 0.3, tip: 0.1, length: 0.5 },
  box: { kind: "box", size: [0.5, 0.4, 0.3] },
  hull: {
    kind: "hull",
    points: [
      [0.3, 0, -0.2],
      [-0.3, 0.1, -0.2],
      [0, 0.4, -0.2],
      [0, -0.3, -0.1],
      [0.1, 0, 0.4],
    ],
  },
};
const RIGID: Readonly<Record<string, object>> = {
  ring: { kind: "disc", radius: 0.5, inner: 0.25, thickness: 0.2 },
  funnel: { kind: "cone", radius: 0.4, tip: 0.2, length: 0.4, thickness: 0.1 },
  plane: { kind: "plane" },
};
const names = Object.keys(CONVEX);
const PAIRS = [
  ...names.flatMap((a, i) => names.slice(i).map((b) => [a, b] as const)),
  ...names.flatMap((a) => Object.keys(RIGID).map((b) => [a, b] as const)),
];

const model = createModel({
  name: "two",
  bodies: ["a", "b"].map((name) => ({ name, mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } })),
});

/** A rotation by rows: columns from two vectors by Gram and Schmidt. */
function rotation([a, b]: readonly (readonly number[])[]): number[] {
  const unit = (v: readonly number[]): number[] => v.map((x) => x / Math.hypot(...v));
  const e = unit(a!);
  const along = e[0]! * b![0]! + e[1]! * b![1]! + e[2]! * b![2]!;
  const f = unit(b!.map((x, i) => x - along * e[i]!));
  const g = [e[1]! * f[2]! - e[2]! * f[1]!, e[2]! * f[0]! - e[0]! * f[2]!, e[0]! * f[1]! - e[1]! * f[0]!];
  return [0, 1, 2].flatMap((i) => [e[i]!, f[i]!, g[i]!]);
}

describe("action equals reaction", () => {
  it.each(PAIRS)("%s and %s", (first, second) => {
    const shapes = [{ ...CONVEX[first], name: "a", on: "a" }];
    const against = [{ ...(CONVEX[second] ?? RIGID[second]), name: "b", on: "b" }];
    const element = readForce(
      "contact",
      "contact",
      { shapes, against, law: "pressure", modulus: 1e6, damping: 0.5, friction: 0.4 },
      model,
    );
    const next = uniform(3);
    const draw = (size: number): number[] => [0, 1, 2].map(() => size * (2 * next() - 1));
    let touching = 0;
    for (let n = 0; n < 50 * POSES && touching < POSES; n++) {
      const frames = [0.6, 0].flatMap((apart) => [...rotation([draw(1), draw(1)]), ...draw(apart), ...draw(2), ...draw(1)]);
      const { wrenches: W, channels } = applyElement(element, model, frames);
      if (channels.count === 0) continue;
      touching++;
      // The force on b is that on a, and the torques about the origin of b, where the frame of b is, cancel.
      const [x, y, z] = frames.slice(9, 12) as [number, number, number];
      const [fx, fy, fz] = [W[3]!, W[4]!, W[5]!];
      const size = Math.hypot(fx, fy, fz) + Math.hypot(W[0]!, W[1]!, W[2]!);
      const moments = [W[0]! + y * fz - z * fy, W[1]! + z * fx - x * fz, W[2]! + x * fy - y * fx];
      for (let i = 0; i < 3; i++) {
        expect(Math.abs(W[3 + i]! + W[9 + i]!)).toBeLessThanOrEqual(1e-12 * size);
        expect(Math.abs(moments[i]! + W[6 + i]!)).toBeLessThanOrEqual(1e-12 * size);
      }
    }
    expect(touching).toBe(POSES);
  });
});
