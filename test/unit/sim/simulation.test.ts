/** The Simulation class: step by step with the caller's inputs, observe, reset, pause, limits, sample times. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ArgumentError } from "../../../src/errors.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { FORCES } from "../../../src/parts/force/index.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS, type IntegratorName } from "../../../src/sim/integrators/index.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";
import { VERSION } from "../../../src/version.ts";

const model = buildModel("cart and pendulum")
  .gravity([0, 0, -9.81])
  .body({ name: "cart", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
  .body({
    name: "rod",
    parent: "cart",
    mass: 0.5,
    com: [0, 0, -0.4],
    inertia: [0.02, 0.02, 0.001],
    hinge: { kind: "revolute", axis: "y" },
  })
  .build();
const system = createSystem(model, [FORCES.actuator.create("motor", { hinge: "cart" }, model)]);
const start = system.start({ q: [0, 0.4] });
const settingsOf = (name: IntegratorName) => (INTEGRATORS[name].adaptive ? {} : { step: 0.005 });

/** A law of the state, as a controller and in the caller's loop. */
const law = (q: ArrayLike<number>, u: ArrayLike<number>): number => -3 * q[0]! - 2 * u[0]! + 4 * q[1]!;
const controller: Controller = {
  name: "law",
  period: 0.02,
  commands: ["motor.force"],
  start: () => undefined,
  update(s, _, command) {
    command[0] = law(s.q, s.u);
  },
};

describe.each(Object.keys(INTEGRATORS) as IntegratorName[])("%s", (integrator) => {
  test("the caller's own loop gives the bits of a controller with the same law and period", () => {
    const settings = settingsOf(integrator);
    const run = simulate(system, start, { duration: 1, integrator, settings, controllers: [controller], sample: 0.5 });
    const own = new Simulation(system, start, { integrator, settings });
    for (let k = 0; k < 50; k++) {
      const { y } = own;
      own.step({ inputs: { "motor.force": law(y.subarray(0, 2), y.subarray(2, 4)) }, dt: (k + 1) * 0.02 - own.t });
    }
    expect(own.t).toBe(1);
    expect(own.y).toEqual(run.y);
    expect(own.audit.every(({ worst }) => worst < 1e-6)).toBe(true);
    expect(own.log.length).toBe(0); // nothing is recorded unless `sample` is given
  });
});

test("observe reads any channel at the present state, as a copy", () => {
  const run = new Simulation(system, start, { integrator: "rk4", settings: { step: 0.001 } });
  const before = run.observe(["q.rod", "energy.balance", "frame.rod.x"]);
  run.step({ dt: 0.5, inputs: { "motor.force": 1 } });
  const after = run.observe(["q.rod", "held.motor.force"]);
  expect(before[0]).toBe(0.4);
  expect(after[0]).toBe(run.y[1]);
  expect(after[1]).toBe(1);
  expect(before[0]).not.toBe(after[0]);
  expect(() => run.observe(["q.rodd"])).toThrow(/no channel matches "q.rodd"/);
});

test("reset starts again, at a state or at a saved run", () => {
  const run = new Simulation(system, start, { integrator: "dop853", sample: 0.1 });
  const go = (): Float64Array => {
    for (let k = 0; k < 10; k++) run.step({ dt: 0.1, inputs: { "motor.force": k } });
    return run.y;
  };
  const first = go();
  expect(run.log.length).toBe(11);
  run.reset(start);
  expect(run.t).toBe(0);
  expect(run.log.length).toBe(1);
  run.step({ dt: 0.1, inputs: { "motor.force": 0 } });
  const saved = structuredClone(run.save());
  run.reset(start);
  expect(go()).toEqual(first);
  run.reset(saved);
  for (let k = 1; k < 10; k++) run.step({ dt: 0.1, inputs: { "motor.force": k } });
  expect(run.y).toEqual(first);
});

test("reach pauses a loop of fixed steps at its first step beyond, and changes no bit", () => {
  const options = { duration: 2, integrator: "rk4", settings: { step: 0.001 }, sample: 0.5 } as const;
  const whole = simulate(system, start, options);
  const run = new Simulation(system, start, options);
  while (run.t < 0.73241) run.advance(0.73241);
  expect(run.t).toBeCloseTo(0.733, 12);
  const rest = new Simulation(system, run.save(), options);
  while (rest.advance() === undefined);
  expect(rest.y).toEqual(whole.y);
  expect(rest.log.column("q.rod").at(-1)).toBe(whole.log.column("q.rod").at(-1));
});

test("sample times may be a list, and the end is reached", () => {
  const { log } = simulate(system, start, { duration: 1, sample: [0, 0.25, 0.3, 0.99] });
  expect(Array.from(log.column("t"))).toEqual([0, 0.25, 0.3, 0.99]);
  expect(() => simulate(system, start, { duration: 1, sample: [0, 0.5, 0.5] })).toThrow(/options.sample\[2\]: .*increasing/);
});

test("limits on steps and wall time interrupt a run and keep its results", () => {
  const steps = simulate(system, start, {
    duration: 100,
    integrator: "rk4",
    settings: { step: 0.01 },
    sample: 0.01,
    maxSteps: 25,
  });
  expect([steps.end, steps.log.length]).toEqual(["interrupted", 26]);
  const seconds = simulate(system, start, { duration: 1e6, integrator: "dop853", sample: 1e5, maxSeconds: 0.05 });
  expect(seconds.end).toBe("interrupted");
  expect(seconds.t).toBeGreaterThan(0);
});

test("wrong order of calls is an error that says what to do", () => {
  const run = new Simulation(system, start, { duration: 0.1 });
  while (run.advance() === undefined);
  expect(() => run.advance()).toThrow(ArgumentError);
  expect(() => run.advance()).toThrow("advance: the run has ended (complete) at t = 0.1 s. Use reset(state) to start again");
  const endless = new Simulation(system, start);
  expect(() => endless.advance()).toThrow("advance: the run has no duration. Give options.duration, or use step({ dt })");
  expect(() => endless.step({ dt: -1 })).toThrow("options.dt: must be a finite number above 0, got -1");
  expect(() => endless.step({ dt: 0.1, inputs: { "motor.torque": 1 } })).toThrow(/no held input named "motor.torque"/);
});

test("a saved run of another system is refused", () => {
  const saved = new Simulation(system, start, { duration: 1 }).save();
  const other = createSystem(model, [FORCES.actuator.create("motor", { hinge: "cart", lag: 0.1 }, model)]);
  expect(() => new Simulation(other, saved, { duration: 1 })).toThrow(/state.y: must have \d+ numbers/);
  expect(() => new Simulation(system, saved, { duration: 1, controllers: [controller] })).toThrow(
    /saved with the controllers none/,
  );
});

test("the version of saved runs is that of the package", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string };
  expect(VERSION).toBe(version);
});
