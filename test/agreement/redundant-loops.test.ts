/** Over-constrained machines: every formulation against a dense reference. The attack cases also run them. */
import { describe, expect, test } from "vitest";
import type { FormulationName } from "../../src/dynamics/formulation.ts";
import { FORMULATIONS } from "../../src/dynamics/formulations.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../src/model/description.ts";
import { totalRowCount } from "../../src/model/loop.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import redundantLoops from "../attacks/cases/redundant-loops.ts";
import { referenceMotion } from "../fixtures/models/loop-reference.ts";
import { redundantMachine } from "../fixtures/models/redundant-machines.ts";

const NAMES: readonly FormulationName[] = ["articulated", "kane", "matrix", "partition"];
const MACHINES = 98;
/** Relative to the largest acceleration, if that is above 1. The differences in the reference have 1e-11. */
const ACCELERATION_ERROR = 1e-9;

describe("accelerations of over-constrained machines", () => {
  const machines = Array.from({ length: MACHINES }, (_, seed) => {
    const machine = redundantMachine(seed);
    const model = createModel(machine.description);
    return { ...machine, model, reference: referenceMotion(model, machine.q, machine) };
  });

  test("the generator: all have dependent rows, some cannot move, loops have 1 to 6 rows", () => {
    for (const { model, reference } of machines) expect(reference.rank).toBeLessThan(totalRowCount(model.loops));
    expect(machines.filter(({ model, reference }) => reference.rank === model.nu).length).toBeGreaterThan(3);
    const counts = new Set(machines.flatMap(({ model }) => model.loops.map((loop) => totalRowCount([loop]))));
    expect([...counts].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each(NAMES)(`of ${MACHINES} machines by %s`, (name) => {
    for (const { description, family, model, q, tau, reference } of machines) {
      const udot = new Float64Array(model.nu);
      FORMULATIONS[name].derive(model).accelerations(q, reference.u, tau, new Float64Array(0), udot, 0);
      const size = Math.max(1, ...reference.udot.map(Math.abs));
      const error = Math.max(...udot.map((v, i) => Math.abs(v - reference.udot[i]!))) / size;
      expect(error, `${description.name}: ${family}`).toBeLessThan(ACCELERATION_ERROR);
    }
  });
});

/** A door on two hinges of one axis, which is not parallel to a coordinate axis: rounding leaves 1e-17 in the rows of the second hinge. */
const door: ModelDescription = {
  name: "door",
  gravity: [0, 0, -9.81],
  bodies: [
    {
      name: "leaf",
      mass: 20,
      com: [0.4, 0.1, 0],
      inertia: [1, 2, 3],
      hinge: { kind: "revolute", axis: [1, 2, 2], at: [0.1, 0.2, 0.3] },
    },
  ],
  loops: [
    {
      name: "second hinge",
      kind: "revolute",
      axis: [1, 2, 2],
      from: { body: "world", at: [0.1 + 1 / 3, 0.2 + 2 / 3, 0.3 + 2 / 3] },
      to: { body: "leaf", at: [1 / 3, 2 / 3, 2 / 3] },
    },
  ],
};

describe("a loop that constrains nothing", () => {
  test.each([...NAMES, "minimal"] as const)("a door on two hinges moves as on one, by %s", (formulation) => {
    const ends = [door, { ...door, loops: [] }].map((description) => {
      const system = createSystem(createModel(description), [], { formulation });
      const q = Float64Array.of(0.7);
      const options = { duration: 0.5, integrator: "rk4", settings: { step: 1e-3 }, channels: [] } as const;
      return simulate(system, system.start({ q, u: Float64Array.of(-0.2) }), options).y.slice(0, 2);
    });
    expect(Math.abs(ends[1]![0]! - 0.7)).toBeGreaterThan(0.05);
    for (const i of [0, 1]) expect(ends[0]![i]).toBeCloseTo(ends[1]![i]!, 11);
  });
});

describe("motion of over-constrained machines", () => {
  // A free base in the stages of a step, loops that cannot move at all, chains in closed form on a free base, loops of rounding only.
  test.each([29, 39, 70, 84, 101, 117, 179])("case %i by every formulation", async (seed) => {
    expect(await redundantLoops(seed).run()).toBe("right");
  });
});
