/** Turning a base by loops of its arms: checked by an independent integration, at another speed, in world axes. */
import { describe, expect, it } from "vitest";
import { freeFlyer } from "../../../src/dynamics/free-flying/free-flyer.ts";
import { quaternionFromRotationVector, rotationVectorBetween } from "../../../src/math/elementary/rotation-vector.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { homeOf, type Model } from "../../../src/model/model.ts";
import { type Reorientation, type ReorientOptions, reorient } from "../../../src/plan/reorient.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** A base with an arm of three hinges with seeded axes and lengths. */
function robot(seed: number): Model {
  const next = uniform(seed);
  const link = (name: string, parent: string) => ({
    name,
    parent,
    mass: 5 + 10 * next(),
    com: [0.3 * next(), 0, 0.4] as const,
    inertia: [0.5, 0.4, 0.3] as const,
    hinge: {
      kind: "revolute" as const,
      axis: [next() - 0.5, next() - 0.5, next() - 0.5] as const,
      at: [0.1, 0.2 * next(), 0.8] as const,
    },
  });
  return createModel({
    name: `robot ${seed}`,
    bodies: [
      { name: "base", mass: 80, inertia: [15, 20, 18], hinge: { kind: "free" } },
      link("a", "base"),
      link("b", "a"),
      link("c", "b"),
    ],
  });
}

/** Rotation of the base by q̇ = ½ ω q, rk4 in world axes, along the trajectory in time. */
function turnOf(model: Model, { trajectory, hinges, cycles }: Reorientation, q0: Float64Array): Float64Array {
  const flyer = freeFlyer(model, { outputs: ["Jb"] });
  const n = hinges.length;
  const sample = new Float64Array(3 * n);
  const q = q0.slice();
  const rate = (t: number, attitude: readonly number[]): number[] => {
    trajectory.at(t, sample);
    for (const [i, hinge] of hinges.entries()) q[hinge.q!] = sample[i]!;
    q.set(attitude, 0);
    flyer.evaluate(q, new Float64Array(model.nu));
    const [x, y, z] = [0, 1, 2].map((r) =>
      hinges.reduce((sum, h, i) => sum + flyer.values.Jb[r * flyer.n + h.u - 6]! * sample[n + i]!, 0),
    ) as [number, number, number];
    const [a, b, c, d] = attitude as [number, number, number, number];
    return [-x * b - y * c - z * d, x * a + y * d - z * c, y * a + z * b - x * d, z * a + x * c - y * b].map((v) => v / 2);
  };
  const steps = 600 * cycles;
  const h = trajectory.duration / steps;
  let attitude = [...q0.subarray(0, 4)];
  const plus = (k: readonly number[], f: number): number[] => attitude.map((a, i) => a + f * k[i]!);
  for (let i = 0; i < steps; i++) {
    const t = i * h;
    const k1 = rate(t, attitude);
    const k2 = rate(t + h / 2, plus(k1, h / 2));
    const k3 = rate(t + h / 2, plus(k2, h / 2));
    const k4 = rate(t + h, plus(k3, h));
    attitude = attitude.map((a, j) => a + (h / 6) * (k1[j]! + 2 * k2[j]! + 2 * k3[j]! + k4[j]!));
    const norm = Math.hypot(...attitude);
    attitude = attitude.map((a) => a / norm);
  }
  return Float64Array.from(attitude);
}

describe("loops that turn the base", () => {
  it("by any small rotation, on robots with random axes, with hinges within reach and back at their start", () => {
    for (let seed = 1; seed < 4; seed++) {
      const model = robot(seed);
      const next = uniform(seed + 40);
      const q0 = Float64Array.from(homeOf(model), (x, i) => (i < 7 ? x : next() - 0.5));
      const rotation = [0.2 * (next() - 0.5), 0.2 * (next() - 0.5), 0.2 * (next() - 0.5)] as const;
      const plan = reorient(model, { hinges: ["a", "b", "c"], q0, rotation, reach: [1, 1.2, 0.9], duration: 20 });
      const turned = turnOf(model, plan, q0);
      const [wanted, miss] = [new Float64Array(4), new Float64Array(3)];
      quaternionFromRotationVector(rotation, wanted);
      expect(rotationVectorBetween(turned, wanted, miss)).toBeLessThan(1e-7); // of rk4, 600 steps a loop
      const sample = new Float64Array(9);
      for (let k = 0; k <= 400; k++) {
        plan.trajectory.at((k * 20) / 400, sample);
        for (const [i, reach] of [1, 1.2, 0.9].entries()) expect(Math.abs(sample[i]! - q0[7 + i]!)).toBeLessThan(reach);
      }
      for (const t of [0, 20]) {
        plan.trajectory.at(t, sample);
        for (let i = 0; i < 3; i++) expect(sample[i]).toBeCloseTo(q0[7 + i]!, 12);
        for (let i = 3; i < 9; i++) expect(sample[i]).toBeCloseTo(0, 12);
      }
    }
  });

  it("needs more cycles for a larger rotation", () => {
    const model = robot(1);
    const q0 = Float64Array.from(homeOf(model));
    const cyclesFor = (angle: number): number =>
      reorient(model, { hinges: ["a", "b", "c"], q0, rotation: [0, 0, angle], reach: 0.5, duration: 20 }).cycles;
    expect(cyclesFor(0.8)).toBeGreaterThan(cyclesFor(0.05));
  });

  it("reports invalid options and infeasible rotations", () => {
    const model = robot(0);
    const q0 = Float64Array.from(homeOf(model));
    const good: ReorientOptions = { hinges: ["a", "b"], q0, rotation: [0.1, 0, 0], reach: 1, duration: 10 };
    const wrong = (change: Partial<ReorientOptions>) => () => reorient(model, { ...good, ...change });
    expect(wrong({ hinges: ["a"] })).toThrow("two hinges or more");
    expect(wrong({ hinges: ["a", "a"] })).toThrow("names a hinge twice");
    expect(wrong({ hinges: ["a", "elbow"] })).toThrow("hinges[1]: is not a hinge with one freedom, got elbow");
    expect(wrong({ hinges: ["a", "base.x"] })).toThrow('hinges[1]: is not carried by the base "base", got base.x');
    expect(wrong({ reach: [1, 0] })).toThrow("reach[1]: must be positive, got 0");
    expect(wrong({ rotation: [0, 0, 0] })).toThrow("rotation: must be an angle above 0");
    expect(wrong({ rotation: [0, 4, 0] })).toThrow("at most π");
    expect(wrong({ duration: 0 })).toThrow("duration: must be positive");
    expect(wrong({ cycles: 0.5 })).toThrow("cycles: must be a whole number");
    expect(wrong({ cycles: 1, reach: 0.01 })).toThrow(
      "no loop of a, b within reach turns the base by [0.1, 0, 0] rad in 1 rounds",
    );
  });
});
