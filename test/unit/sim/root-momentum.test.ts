/** Momentum from outside by forces in the root hinge: a free hinge, and a general hinge with six freedoms, which is another order of the same. */
import { expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { createForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";

const SIX = ["x", "y", "z", "rx", "ry", "rz"] as const;
const PLACEMENT = { at: [1, -2, 0.5], rotation: { rpy: [0.4, -0.3, 0.8] } };
const TORQUE = [0.3, -0.2, 0.5];
const FORCE = [2, 1, -3];

const machine = (hinge: object): Model =>
  createModel({
    name: "hull with an arm",
    bodies: [
      { name: "hull", mass: 5, com: [0.1, 0.2, -0.1], inertia: [1, 2, 2.5], hinge: { ...hinge, ...PLACEMENT } },
      {
        name: "arm",
        parent: "hull",
        mass: 2,
        com: [0.4, 0, 0],
        inertia: [0.1, 0.3, 0.3],
        hinge: { kind: "revolute", axis: "y", at: [0.5, 0, 0] },
      },
    ],
  } as never);

/** Forces and a spring in the root hinge. `forces` and `u` are in the order of its speeds. */
function pushed(model: Model, forces: readonly number[], q: readonly number[], u: readonly number[]) {
  const system = createSystem(model, [
    createForce(model, { kind: "generalised-force", name: "push", hinge: "hull", force: forces } as never),
    createForce(model, { kind: "hinge-spring", name: "spring", hinge: "hull.z", stiffness: 4, damping: 0.5 } as never),
  ]);
  return simulate(system, system.start({ q, u }), {
    duration: 2,
    sample: 0.5,
    settings: { relativeTolerance: 1e-12, absoluteTolerance: 1e-13 },
    channels: ["*"],
    tolerances: { energy: 1e-9, "linear momentum": 1e-9, "angular momentum": 1e-9 },
  });
}

test("a general hinge with six freedoms is audited, and moves as a free one", () => {
  const quaternion = [0.5, 0.5, -0.5, 0.5];
  const [position, velocity, spin] = [
    [0.3, 0.2, -0.1],
    [0.1, -0.2, 0.3],
    [0.4, 0.1, -0.2],
  ] as const;
  const free = pushed(
    machine({ kind: "free" }),
    [...TORQUE, ...FORCE],
    [...quaternion, ...position, 0.3],
    [...spin, ...velocity, 0.5],
  );
  const general = pushed(
    machine({ kind: "general", freedoms: SIX }),
    [...FORCE, ...TORQUE],
    [...position, ...quaternion, 0.3],
    [...velocity, ...spin, 0.5],
  );
  for (const { audit } of [free, general]) expect(audit.map((row) => row.channel)).toContain("angular momentum");
  for (const name of ["q.arm", "frame.arm.x", "frame.arm.vz", "momentum.angular.x", "momentum.linear.y"]) {
    const [a, b] = [free.log.column(name), general.log.column(name)];
    for (const [i, value] of a.entries()) expect(Math.abs(value - b[i]!), name).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
  }
});

test("a root with fewer freedoms has no audit of momentum", () => {
  const model = createModel({
    name: "slider",
    bodies: [{ name: "hull", mass: 5, inertia: [1, 2, 2.5], hinge: { kind: "general", freedoms: ["x", "y", "z", "rx", "ry"] } }],
  } as never);
  const system = createSystem(model, []);
  const { audit } = simulate(system, system.start(), { duration: 0.1, sample: 0.1 });
  expect(audit.map((row) => row.channel)).toEqual(["energy"]);
});
