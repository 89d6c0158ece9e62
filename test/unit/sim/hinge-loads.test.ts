/** Channels `effort.*` and `carried.*`: joint torques by inverse dynamics and the loads that bodies carry. */
import { describe, expect, test } from "vitest";
import type { FormulationName } from "../../../src/dynamics/formulation.ts";
import { FORMULATIONS } from "../../../src/dynamics/formulations.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { coordinateNames } from "../../../src/model/model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { prepareScenario } from "../../../src/scenario/prepare.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { carriedLoads } from "../../../src/sim/record/frame-loads.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";
import { builtIn } from "../../fixtures/models/pendulum.ts";
import { randomModel, randomState } from "../../fixtures/models/random-model.ts";

describe("random trees under a force in every hinge", () => {
  test.each([1, 2, 3, 4, 5, 6])("seed %i: inverse dynamics returns the forces", (seed) => {
    const model = createModel(randomModel(seed, { freedoms: 8 + 2 * seed, massless: "none" }));
    const { q, u, tau } = randomState(model, seed);
    const names = coordinateNames(model).u;
    const forces = names.map((hinge, i) => readForce("generalised-force", `f${i}`, { hinge, force: tau[i]! }, model));
    const system = createSystem(model, forces);
    const efforts = new Simulation(system, system.start({ q, u })).observe(names.map((name) => `effort.${name}`));
    const scale = Math.max(...tau.map(Math.abs), 1);
    for (let i = 0; i < model.nu; i++) expect(Math.abs(efforts[i]! - tau[i]!)).toBeLessThan(1e-9 * scale);
  });
});

describe("a driven four-bar linkage", () => {
  const { model } = builtIn("four-bar");

  test.each(Object.keys(FORMULATIONS) as FormulationName[])("%s: the drive torque, and none in the other pins", (formulation) => {
    const scenario = builtIn(
      "four-bar",
      "forces={drive: {kind: generalised-force, hinge: crank, force: 7.5}}",
      `formulation=${formulation}`,
    );
    const { system, start } = prepareScenario(scenario);
    const names = ["effort.crank", "effort.coupler", "effort.rocker"];
    const [crank, coupler, rocker] = new Simulation(system, start).observe(names);
    expect(crank).toBeCloseTo(7.5, 9);
    expect(coupler).toBeCloseTo(0, 9);
    expect(rocker).toBeCloseTo(0, 9);
  });

  test("the ground carries the weight and what accelerates the mass centre", () => {
    const system = createSystem(model, []);
    const { start } = prepareScenario(builtIn("four-bar"));
    const simulation = new Simulation(system, start);
    const parts = ["tx", "ty", "tz", "fx", "fy", "fz"];
    const channels = ["world", "crank", "coupler", "rocker"].flatMap((body) => parts.map((part) => `carried.${body}.${part}`));
    const values = simulation.observe(channels);
    const reactions = simulation.observe(
      ["crank", "coupler", "rocker"].flatMap((hinge) => parts.map((part) => `reaction.${hinge}.${part}`)),
    );
    const lambda = simulation.observe(parts.map((part) => `loop.pin.${part}`));
    // The same sums in numbers, with the loop as a wrench on the rocker.
    const expected = carriedLoads({ ...model, loops: [] }, start.y.slice(0, 3), reactions, new Float64Array(0));
    for (const [k, part] of (["torque", "force"] as const).entries())
      for (let i = 0; i < 3; i++) expect(values[3 * k + i]).toBeCloseTo(expected.get("world")![part][i]!, 9);
    expect(values[6 * 2 + 3]).toBeCloseTo(-lambda[3]!, 9); // the coupler carries the opposite of the loop's force on the rocker
    expect(values[6 * 3 + 3]).toBeCloseTo(lambda[3]!, 9);
    expect(values[6 * 3 + 4]).toBeCloseTo(lambda[4]!, 9);
  });
});

test("a rover: the efforts of wheels and joints are the torques of their motors, and the joints that nothing drives have none", () => {
  const { system, start } = prepareScenario(builtIn("rover-flat"));
  const names = coordinateNames(system.model).u.filter((name) => !name.startsWith("base"));
  const simulation = new Simulation(system, start, { duration: 0.2 });
  while (simulation.end === undefined) simulation.advance();
  const efforts = simulation.observe(names.map((name) => `effort.${name}`));
  const tau = simulation.observe(names.map((name) => `tau.${name}`));
  const scale = Math.max(...tau.map(Math.abs), 1);
  for (let i = 0; i < names.length; i++) expect(Math.abs(efforts[i]! - tau[i]!)).toBeLessThan(1e-8 * scale);
});
