/** A system has no memory of earlier runs: a second run from the same start is bit-identical to the first. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BUILT_IN_MODELS } from "../../src/cli/files/scenario-argument.ts";
import { buildModel } from "../../src/model/build/model-builder.ts";
import { FORCES } from "../../src/parts/force/forces.ts";
import { loadScenarioFile } from "../../src/scenario/node-files.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { dop853 } from "../../src/sim/integrators/dop853.ts";
import type { Controller } from "../../src/sim/run/controller.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import type { SimulationRun } from "../../src/sim/run/simulation.ts";
import { NAMES, SCENARIOS } from "../fixtures/built-in.ts";

function expectSame(a: SimulationRun, b: SimulationRun): void {
  expect([b.log.length, b.end, b.counts, b.timeline]).toEqual([a.log.length, a.end, a.counts, a.timeline]);
  const differing = a.log.channels.filter(({ name }) => {
    const other = b.log.column(name);
    return a.log.column(name).some((value, i) => !Object.is(value, other[i]));
  });
  expect(differing).toEqual([]);
}

test.each(NAMES)("%s", { timeout: 60_000 }, (name) => {
  const scenario = loadScenarioFile(join(SCENARIOS, name, "scenario.yaml"), BUILT_IN_MODELS);
  const { system, start, options } = prepareScenario(scenario);
  const short = { ...options, duration: options.duration / 50 };
  expectSame(simulate(system, start, short), simulate(system, start, short));
});

/** Formulations whose pivots, ranks and choices change during a run. */
const CHANGING = ["four-bar", "n-four-bar", "slider-crank", "flyball-governor"];
test.each(CHANGING.flatMap((name) => (["kane", "matrix", "partition"] as const).map((by) => [name, by] as const)))(
  "%s by %s",
  (name, by) => {
    const { system, start, options } = prepareScenario(
      loadScenarioFile(join(SCENARIOS, name, "scenario.yaml"), BUILT_IN_MODELS),
      by,
    );
    const short = { ...options, duration: options.duration / 5 };
    expectSame(simulate(system, start, short), simulate(system, start, short));
  },
);

describe("effects of a run on the next one", () => {
  const model = buildModel("two carts")
    .body({ name: "left", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
    .body({ name: "right", mass: 3, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
    .build();
  const system = createSystem(model, [
    FORCES.actuator.create("motor", { hinge: "left", lag: 0.05 }, model),
    FORCES.servo.create("servo", { hinge: "right", kp: 40, kd: 5 }, model),
    FORCES.friction.create("rub", { hinge: "right", coulomb: 0.3 }, model),
  ]);
  const y0 = system.start();
  const common = { duration: 2, integrator: dop853, channels: ["q.*", "motor.force", "held.motor.force"] } as const;
  /** Its ramp starts at the present input. */
  const pushing: Controller<number> = {
    name: "pushing",
    period: 0.5,
    between: "ramp",
    commands: ["motor.force"],
    start: () => 0,
    update(_, n, command) {
      command[0] = 1 + n;
      return n + 1;
    },
  };

  test.each([
    ["inputs that were set", { plan: [{ name: "go", at: 0.7, actions: { set: { "motor.force": 0.4 } } }] }],
    ["a ramp on its way", { controllers: [pushing] }],
    ["a continuous law", { controllers: [{ ...pushing, period: 0, between: "hold" as const, update: () => 0 }] }],
  ])("%s", (_, options) => {
    expectSame(simulate(system, y0, { ...common, ...options }), simulate(system, y0, { ...common, ...options }));
  });

  test("a run with other options is not affected", () => {
    const still = { ...common, plan: [] };
    simulate(system, y0, {
      ...common,
      controllers: [pushing],
      plan: [{ name: "go", at: 1, actions: { set: { "motor.force": 0.4 } } }],
    });
    expect(Array.from(simulate(system, y0, still).y)).toEqual(Array.from(y0.y));
  });

  test("nonzero inputs at the start are part of the state", () => {
    const { log } = simulate(system, system.start({ inputs: { "motor.force": 0.4 } }), common);
    expect(log.column("held.motor.force")[0]).toBe(0.4);
    expect(() => system.start({ inputs: { "motor.torque": 1 } })).toThrow(
      'options.inputs["motor.torque"]: there is no held input named "motor.torque". Did you mean "motor.force"?',
    );
  });
});
