/** The caller's own control loop: `step` and `observe` give the motion of a sampled controller, bit for bit. */
import { describe, expect, it, test } from "vitest";
import { ArgumentError, ModelError } from "../../../src/errors.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { customForce } from "../../../src/parts/force/loads/custom.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import type { IntegratorName } from "../../../src/sim/integrators/index.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";

const link = { mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2] } as const;
const arm = buildModel("two-link arm")
  .gravity([0, 0, -9.81])
  .body({ name: "upper", ...link, hinge: { kind: "revolute", axis: "y" } })
  .body({ name: "lower", parent: "upper", ...link, hinge: { kind: "revolute", axis: "y", at: [1, 0, 0] } })
  .build();
const system = createSystem(arm, [FORCES.motors.create("motors", { hinge: ["upper", "lower"] }, arm)]);
const state = system.start({ q: [0.3, -0.4] });
const PERIOD = 0.01;
const law = (q: number, u: number): number => -20 * q - 3 * u;

test.each<[IntegratorName, object]>([
  ["rk4", { step: PERIOD }],
  ["dop853", {}],
  ["radau5", {}],
])("%s: a loop of steps is the run with a sampled controller", (integrator, settings) => {
  const controller: Controller = {
    name: "pd",
    period: PERIOD,
    commands: system.inputs,
    start: () => undefined,
    update(s, memory, command) {
      for (let i = 0; i < 2; i++) command[i] = law(s.q[i]!, s.u[i]!);
      return memory;
    },
  };
  const whole = simulate(system, state, { duration: 1, integrator, settings, controllers: [controller] });
  const run = new Simulation(system, state, { integrator, settings });
  for (let k = 1; k <= 100; k++) {
    const [q1, q2, u1, u2] = run.observe(["q.*", "u.*"]) as unknown as [number, number, number, number];
    run.step({ inputs: { "motors.upper": law(q1, u1), "motors.lower": law(q2, u2) }, dt: k * PERIOD - run.t });
  }
  expect(run.t).toBe(whole.t);
  expect(run.y).toEqual(whole.y);
});

it("accepts inputs by name and in their order; q and u are parts of y", () => {
  const [named, listed] = [new Simulation(system, state), new Simulation(system, state)];
  named.step({ inputs: { "motors.lower": 2, "motors.upper": 1 }, dt: 0.1 });
  listed.step({ inputs: [1, 2], dt: 0.1 });
  expect(listed.y).toEqual(named.y);
  expect([...named.q, ...named.u]).toEqual([...named.y.slice(0, 4)]);
  expect(named.result().q).toEqual(named.q);
});

it("gives held inputs to numeric elements, and books the energy that a change of them stores", () => {
  const spring = customForce(
    {
      name: "spring",
      held: ["rest"],
      apply(s, out) {
        const stretch = s.q[0]! - s.held![0]!;
        out.tau[0]! -= 50 * stretch;
        out.potential = 25 * stretch * stretch;
      },
    },
    arm,
  );
  const numeric = createSystem(arm, [spring]);
  const run = new Simulation(numeric, numeric.start({ inputs: { "spring.rest": 0.1 } }), { tolerances: { energy: 1e-8 } });
  for (let k = 0; k < 10; k++) run.step({ inputs: [0.1 * Math.sin(k)], dt: 0.05 });
  const builtIn = createSystem(arm, [
    FORCES["hinge-spring"].create("spring", { hinge: "upper", stiffness: 50, rest: 0.1 * Math.sin(9) }, arm),
  ]);
  const state = builtIn.start({ q: run.q, u: run.u });
  expect([...numeric.accelerations(run.state)]).toEqual([...builtIn.accelerations(state)].map((a) => expect.closeTo(a, 10)));
});

describe("observe", () => {
  const run = new Simulation(system, state);

  it("gives channels in the order of their names, and all that match a pattern", () => {
    expect([...run.observe(["q.lower", "t", "q.upper"])]).toEqual([-0.4, 0, 0.3]);
    expect([...run.observe(["u.*", "q.*", "q.upper"])]).toEqual([0, 0, 0.3, -0.4, 0.3]);
    expect(run.observe(["energy.kinetic", "q.upper"])).toHaveLength(2);
  });

  it("returns arrays of their own", () => {
    const before = run.observe(["q.upper"]);
    run.step({ dt: 0.1 });
    expect(before[0]).toBe(0.3);
    expect(run.observe(["q.upper"])[0]).not.toBe(0.3);
  });

  it("refuses what is not a list of names", () => {
    expect(() => run.observe("q.upper" as never)).toThrow(ArgumentError);
    expect(() => run.observe([1] as never)).toThrow(ArgumentError);
    expect(() => run.observe(["q.uper"])).toThrow(ModelError);
  });
});

test.each([
  [{}, "options.dt"],
  [{ dt: 0 }, "options.dt"],
  [{ dt: 0.1, input: {} }, "options.input"],
  [{ dt: 0.1, inputs: { "motors.uper": 1 } }, 'options.inputs["motors.uper"]'],
  [{ dt: 0.1, inputs: { "motors.upper": Number.NaN } }, 'options.inputs["motors.upper"]'],
  [{ dt: 0.1, inputs: [1] }, "options.inputs"],
  [{ dt: 0.1, inputs: [1, Number.NaN] }, "options.inputs[1]"],
  [undefined, "options"],
  [[], "options"],
])("step(%o) names %s", (options, argument) => {
  const run = new Simulation(system, state);
  expect(() => run.step(options as never)).toThrow(expect.objectContaining({ argument }));
});
