/** The algorithm for chains of passive joints against the articulated-body recursion. */
import { describe, expect, it } from "vitest";
import { articulated } from "../../src/dynamics/articulated.ts";
import { passiveChain } from "../../src/dynamics/passive-chain.ts";
import { createModel } from "../../src/model/create.ts";
import type { ModelDescription } from "../../src/model/description.ts";
import { uniform } from "../random-model.ts";

const chain = (joints: number): ModelDescription => ({
  name: "chain",
  gravity: [1, -2, 9],
  bodies: [
    {
      name: "rod",
      elastic: { length: 2, material: "aluminium", section: { kind: "box", width: 0.05, height: 0.02 }, joints },
      hinge: { kind: "fixed", at: [0.1, 0.2, 0.3], rotation: { rpy: [0.3, -0.4, 0.5] } },
    },
  ],
});

describe("a chain of passive joints", () => {
  it.each([1, 2, 4, 12])("of %i joints accelerates as by the articulated-body recursion", (joints) => {
    const model = createModel(chain(joints));
    const next = uniform(joints);
    const draw = (n: number, size: number): Float64Array => Float64Array.from({ length: n }, () => size * (2 * next() - 1));
    const equations = articulated.derive(model);
    for (let state = 0; state < 10; state++) {
      const q = draw(model.nq, 1);
      for (let k = 0; k < q.length; k += 4) {
        q[k]! += 2;
        const norm = Math.hypot(...q.subarray(k, k + 4));
        for (let i = k; i < k + 4; i++) q[i]! /= norm;
      }
      const [u, tau] = [draw(model.nu, 3), draw(model.nu, 50)];
      const [expected, found] = [new Float64Array(model.nu), new Float64Array(model.nu)];
      equations.accelerations(q, u, tau, new Float64Array(0), expected);
      passiveChain(model).accelerations(q, u, tau, found);
      const size = Math.max(...expected.map(Math.abs));
      // Inertias of neighbouring links differ by a thousand: so many digits are left of the tip's light link.
      for (const [i, value] of found.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-9 * size);
    }
  });

  it("says where it does not apply", () => {
    expect(() =>
      passiveChain(createModel({ name: "m", bodies: [{ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } }] })),
    ).toThrow(/fixed to the world/);
    const { bodies } = chain(2);
    const loose = { name: "x", parent: "rod", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } } as const;
    expect(() => passiveChain(createModel({ name: "m", bodies: [...bodies, loose] }))).toThrow(
      /revolute, not spherical|does not hang/,
    );
  });
});
