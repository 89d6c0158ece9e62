/** Stiff motions are detected at their start. */
import { describe, expect, it } from "vitest";
import { buildElasticModel, buildModel } from "../../../src/model/build/model-builder.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { checkStiffness } from "../../../src/sim/system/stiffness-check.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

describe("stiffness", () => {
  const model = buildModel("two discs")
    .body({ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } })
    .body({ name: "b", parent: "a", mass: 1, inertia: [1e-3, 1e-3, 1e-3], hinge: { kind: "revolute" } })
    .build();
  const of = (damping: number) => {
    const system = createSystem(model, [
      readForce("hinge-spring", "s", { hinge: ["a", "b"], stiffness: [4, 10], damping: [0, damping] }, model),
    ]);
    return checkStiffness(workspaceOf(system), system.start().y, 100)!;
  };

  it("is detected: the pole of an overdamped disc compared with the frequency of the other", () => {
    const { decay, motion, stiff } = of(5);
    expect(stiff).toBe(true);
    expect(decay).toBeGreaterThan(4900); // d / I
    expect(decay).toBeLessThan(5100);
    expect(motion).toBeGreaterThan(1.5); // a swings at about √4
    expect(motion).toBeLessThan(2.5);
  });

  it("of a large system is estimated in a Krylov space, which finds the fastest pole", () => {
    const rod = buildElasticModel("rod")
      .body({
        name: "rod",
        elastic: { length: 1, massPerLength: 1, bendingStiffness: 1, joints: 40, freedoms: ["rz"], damping: 0.02 },
        hinge: { kind: "fixed" },
      })
      .build();
    const system = createSystem(rod, []);
    const [exact, estimated] = [500, 10].map((largest) => checkStiffness(workspaceOf(system), system.start().y, 2, largest)!);
    expect([exact!.estimated, estimated!.estimated]).toEqual([false, true]);
    expect(estimated!.decay / exact!.decay).toBeCloseTo(1, 4);
    expect(estimated!.motion).toBeGreaterThanOrEqual(exact!.motion * 0.99);
    expect([exact!.stiff, estimated!.stiff]).toEqual([true, true]);
  });

  it("is not reported if every mode oscillates", () => {
    const { motion, stiff } = of(0.001);
    expect(stiff).toBe(false);
    expect(motion).toBeGreaterThan(90); // √(10 / 1e-3)
  });
});
