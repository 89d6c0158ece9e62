/** Systems for trees: the motion of createSystem, without its other methods. */
import { describe, expect, it } from "vitest";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { createForce } from "../../../src/parts/force/forces.ts";
import { createSystem, createTreeSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";

const arm = buildModel("arm")
  .gravity("mars")
  .body({ name: "base", mass: 5, inertia: [1, 2, 2.5], hinge: { kind: "free" } })
  .body({ name: "link", parent: "base", mass: 1, com: [0.4, 0, 0], inertia: [0.1, 0.2, 0.2], hinge: { kind: "revolute" } })
  .build();
const spring = createForce(arm, { name: "spring", kind: "hinge-spring", hinge: "link", stiffness: 3, damping: 0.1 });
const q = [0, 0, 0, 1, 0, 0, 0, 0.7];

describe("createTreeSystem", () => {
  it.each([undefined, INTEGRATORS.radau5])("moves as createSystem does, bit for bit", (integrator) => {
    const options = { duration: 2, ...(integrator && { integrator }) };
    const [tree, full] = [createTreeSystem(arm, [spring]), createSystem(arm, [spring])].map((system) =>
      simulate(system, system.start({ q, u: [0.1, 0.2, 0.3, 0, 0, 0, 1] }), options),
    );
    expect(tree!.log.channels).toEqual(full!.log.channels);
    for (const { name } of full!.log.channels) expect(tree!.log.column(name)).toEqual(full!.log.column(name));
    expect(tree!.audit).toEqual(full!.audit);
  });

  it("refuses loops, and tells which function has them", () => {
    const closed = buildModel("fourbar")
      .body({ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } })
      .loop({ name: "pin", kind: "revolute", from: { body: "world" }, to: { body: "a" } })
      .build();
    expect(() => createTreeSystem(closed)).toThrow("a tree has no loops, but this model has pin. Use createSystem");
  });

  it("refuses what it does not contain", () => {
    const system = createTreeSystem(arm);
    expect(() => simulate(system, system.start({ q }), { duration: 1, integrator: "rkg" })).toThrow(/options.integrator.*dop853/);
    expect(() => createTreeSystem(arm, [], { formulation: "kane" } as never)).toThrow(/options.formulation/);
    const plan = [{ name: "grip", at: 0.5, actions: { engage: ["hook"] } }];
    expect(() => simulate(system, system.start({ q }), { duration: 1, plan })).toThrow(
      'no loop is named "hook". The model has no loops',
    );
    expect(() => simulate(system, system.start({ q }), { duration: 1, peaks: [{ channels: ["q.*"] }] })).toThrow(
      /options.peaks.*systems of createTreeSystem follow no peaks. Use createSystem/,
    );
  });
});
