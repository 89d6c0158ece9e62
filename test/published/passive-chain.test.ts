/** The algorithm for chains of passive joints against the articulated-body recursion, and against an independent computation. */
import { describe, expect, it } from "vitest";
import { articulated } from "../../src/dynamics/articulated.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { BodyDescription, ModelDescription } from "../../src/model/description.ts";
import { type Model, quaternionStarts } from "../../src/model/model.ts";
import { passiveChain } from "../../src/validation/flexible/passive-chain/passive-chain.ts";
import { uniform } from "../fixtures/models/random-model.ts";

const chain = (joints: number, rotations: "exact" | "small" = "exact"): ModelDescription => ({
  name: "chain",
  gravity: [1, -2, 9],
  bodies: [
    {
      name: "rod",
      elastic: { length: 2, material: "aluminium", section: { kind: "box", width: 0.05, height: 0.02 }, joints, rotations },
      hinge: { kind: "fixed", at: [0.1, 0.2, 0.3], rotation: { rpy: [0.3, -0.4, 0.5] } },
      frames: { tip: { at: [2, 0.1, 0] } },
    },
  ],
});

/** Links on hinges of many kinds, one a body that is welded on, one with a motor of its own, one slide. */
const mixed: ModelDescription = {
  name: "mixed",
  gravity: [0.5, 1, -9],
  bodies: [
    {
      name: "a",
      mass: 2,
      com: [0.2, 0.1, 0],
      inertia: [0.3, 0.2, 0.25, 0.01, 0.02, -0.03],
      hinge: { kind: "universal", at: [1, 0, 0] },
    },
    { name: "ballast", parent: "a", mass: 0.7, inertia: "none", hinge: { kind: "fixed", at: [0, 0.3, 0.1] } },
    {
      name: "b",
      parent: "a",
      mass: 1,
      com: [0, 0.1, 0.2],
      inertia: [0.1, 0.2, 0.15],
      hinge: {
        kind: "cylindrical",
        axis: [1, 2, 3],
        at: [0.5, 0, 0.2],
        onBody: { at: [0.1, 0, 0], rotation: { rpy: [0.1, 0.2, 0.3] } },
      },
    },
    {
      name: "rotor",
      parent: "b",
      mass: 0,
      inertia: "none",
      hinge: { kind: "revolute", axis: "y", at: [0, 0, 0.4], armature: 0.05 },
    },
    {
      name: "c",
      parent: "rotor",
      mass: 3,
      com: [0, 0, 0.3],
      inertia: [0.2, 0.2, 0.1],
      hinge: { name: "drive", kind: "revolute", axis: "y" },
    },
    {
      name: "d",
      parent: "c",
      mass: 0.5,
      com: [0.1, 0, 0],
      inertia: [0.01, 0.02, 0.02],
      hinge: { kind: "revolute", axis: "x", at: [0, 0, 0.6], armature: 0.2 },
    },
    {
      name: "e",
      parent: "d",
      mass: 0.8,
      com: [0, 0.2, 0],
      inertia: [0.02, 0.01, 0.03],
      hinge: { kind: "spherical", at: [0.3, 0, 0] },
      frames: { hand: { at: [0, 0.4, 0.1] } },
    },
  ],
};

/** The largest difference to the articulated-body recursion at random states, over the largest acceleration. */
function difference(model: Model, wrenches: readonly string[], size: number, seed: number): number {
  const next = uniform(seed);
  const draw = (n: number, by: number): Float64Array => Float64Array.from({ length: n }, () => by * (2 * next() - 1));
  const equations = articulated.derive(model, { wrenches });
  const own = passiveChain(model, { wrenches });
  let worst = 0;
  for (let state = 0; state < 10; state++) {
    const q = draw(model.nq, size);
    for (const k of quaternionStarts(model)) {
      q[k]! += 2 * size;
      const norm = Math.hypot(...q.subarray(k, k + 4));
      for (let i = k; i < k + 4; i++) q[i]! /= norm;
    }
    const [u, tau, w] = [draw(model.nu, 3), draw(model.nu, 50), draw(6 * wrenches.length, 20)];
    const [expected, found] = [new Float64Array(model.nu), new Float64Array(model.nu)];
    equations.accelerations(q, u, tau, w, expected);
    own.accelerations(q, u, tau, found, w);
    const largest = Math.max(...expected.map(Math.abs));
    for (const [i, value] of found.entries()) worst = Math.max(worst, Math.abs(value - expected[i]!) / largest);
  }
  return worst;
}

describe("a chain of passive joints", () => {
  // Inertias of neighbouring links differ by a thousand: so many digits are left of the tip's light link.
  it.each([1, 2, 4, 12])("of %i balls accelerates as by the articulated-body recursion, under loads too", (joints) => {
    expect(difference(createModel(chain(joints)), ["tip", "rod-2"], 1, joints)).toBeLessThan(1e-9);
  });

  it.each([1, 3])("of %i balls with small angles means the same as there", (joints) => {
    expect(difference(createModel(chain(joints, "small")), ["tip"], 0.3, joints)).toBeLessThan(1e-9);
  });

  it("of hinges of many kinds, motors with and without drive springs, and bodies welded on", () => {
    expect(difference(createModel(mixed), ["hand", "ballast"], 1, 7)).toBeLessThan(1e-11);
  });

  it("on a base that floats", () => {
    const [first, ...others] = mixed.bodies as BodyDescription[];
    const model = createModel({ ...mixed, bodies: [{ ...first!, hinge: { kind: "free" } }, ...others] });
    expect(difference(model, ["hand"], 1, 8)).toBeLessThan(1e-11);
  });

  it("is the paper's arm: accelerations of the independent Lagrangian, motors and all", () => {
    // Table 2 as printed (I(1,1) corrected), Table 3, at a state of the reference; Coulomb friction off.
    const rods = [
      {
        p: [0.0061, 0.2806, 0.3233],
        s: [0.0031, 0.1403, 0.1617],
        m: [0.0048, 0.2211, 0.2548],
        I: [4.495e-8, 1.452e-3, 2.221e-3],
        rotor: 0.4643,
        load: 2.1,
      },
      {
        p: [0.036, 0.294, 0.27],
        s: [0.018, 0.147, 0.135],
        m: [0.0088, 0.0722, 0.0663],
        I: [9.744e-7, 5.201e-4, 4.028e-4],
        rotor: 0.151,
        load: 0.55,
      },
    ];
    const bodies = rods.flatMap(({ p, s, m, I, rotor, load }, i): BodyDescription[] => [
      {
        name: `motor-${i}`,
        ...(i > 0 && { parent: "load-0" }),
        mass: 0,
        inertia: "none",
        hinge: { kind: "revolute", armature: rotor },
      },
      ...[0, 1, 2].map(
        (k): BodyDescription => ({
          name: `link-${i}-${k}`,
          parent: k === 0 ? `motor-${i}` : `link-${i}-${k - 1}`,
          mass: m[k]!,
          com: [s[k]!, 0, 0],
          inertia: [I[k]!, I[k]!, I[k]!],
          hinge: { kind: "revolute", ...(k > 0 && { at: [p[k - 1]!, 0, 0] as const }) },
        }),
      ),
      { name: `load-${i}`, parent: `link-${i}-2`, mass: load, inertia: "none", hinge: { kind: "fixed", at: [p[2]!, 0, 0] } },
    ]);
    const model = createModel({ name: "arm", gravity: [0, -9.81, 0], bodies });
    const q = [0.3, 0.01, 0.02, -0.015, 0.5, -0.01, 0.03, 0.02];
    const u = [0.4, 0.1, -0.2, 0.3, -0.5, 0.2, 0.1, -0.3];
    const [k, d] = [
      [0, 2800, 1800, 1100, 0, 1400, 54, 76],
      [3.18, 0, 0.5, 1, 3.55, 0, 0.1, 0.2],
    ];
    const tau = Float64Array.from(q, (v, i) => [12, 0, 0, 0, -3, 0, 0, 0][i]! - k[i]! * v - d[i]! * u[i]!);
    const found = new Float64Array(8);
    passiveChain(model).accelerations(Float64Array.from(q), Float64Array.from(u), tau, found);
    const expected = [
      83.41158733595654, 3602305.153303612, -3702551.9291259865, 118519.14116337601, -100.82781456952846, 482064.95622845186,
      -576117.6251493058, 93597.5004518402,
    ];
    for (const [i, value] of expected.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(2e-9 * 3.7e6);
  });

  it("says where it does not apply", () => {
    const { bodies } = chain(2);
    const free = { name: "x", parent: "rod", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } } as const;
    expect(() => passiveChain(createModel({ name: "m", bodies: [...bodies, free] }))).toThrow(/does not hang on its last link/);
    expect(() =>
      passiveChain(createModel({ name: "m", bodies: [{ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "fixed" } }] })),
    ).toThrow(/there is no joint/);
    const thin = { name: "a", mass: 1, inertia: "none", hinge: { kind: "spherical" }, com: [1, 0, 0] } as const;
    expect(() => passiveChain(createModel({ name: "m", bodies: [thin] }))).toThrow(/no mass or inertia/);
    expect(() =>
      passiveChain(createModel(chain(2)), { wrenches: ["tip"] }).accelerations(
        new Float64Array(8),
        new Float64Array(6),
        new Float64Array(6),
        new Float64Array(6),
      ),
    ).toThrow(/6 each/);
  });
});
