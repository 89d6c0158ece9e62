/** Motions that diverge end with what grew, since when, and what to try; motions that only grow do not. Limits of runs in code. */
import { describe, expect, test } from "vitest";
import { DivergenceError } from "../../../src/errors.ts";
import { add, mul, square } from "../../../src/kernel/trace/scalar.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";
import type { ForceElement } from "../../../src/sim/system/force-element.ts";

const pendulum = buildModel("pendulum")
  .gravity([0, 0, -10])
  .body({ name: "rod", mass: 2, com: [0, 0, -1], inertia: [0.5, 0.5, 0.01], hinge: { kind: "revolute", axis: "y" } })
  .build();
const swing = createSystem(pendulum, [readForce("actuator", "motor", { hinge: "rod" }, pendulum)]);

const pd = (kp: number, kd: number, period: number): Controller => ({
  name: "hold",
  period,
  commands: ["motor.torque"],
  start: () => undefined,
  update: ({ q, u }, _memory, command) => {
    command[0] = -kp * q[0]! - kd * u[0]!;
    return undefined;
  },
});

const hold =
  (controller: Controller, integrator: "dop853" | "radau5" | "rk4" = "dop853") =>
  () =>
    simulate(swing, swing.start({ q: Float64Array.of(0.5) }), {
      duration: 10,
      integrator,
      settings: integrator === "rk4" ? { step: 0.005 } : {},
      controllers: [controller],
    });

/** A torque a u + b u² on the rod. */
const supply = (a: number, b: number): ForceElement => ({
  name: "wind",
  kind: "test",
  trace(s, out) {
    const u = s.hinge("rod").u[0]!;
    const torque = add(mul(a, u), mul(b, square(u)));
    out.hinge("rod", 0, torque);
    out.supplied(mul(torque, u));
  },
});

describe("a motion that diverges", () => {
  test.each(["dop853", "radau5", "rk4"] as const)("gains that are unstable at their period (%s)", (integrator) => {
    const run = hold(pd(100, 1200, 0.01), integrator);
    expect(run).toThrow(DivergenceError);
    expect(run).toThrow(
      /^the motion diverges: the speed u\.rod has grown from [\d.]+e[-+]\d at t = [\d.]+ s to [\d.]+e\+\d at t = 0\.\d+ s, and tenfold in the last [\d.]+e-2 s\. The commands of the controller "hold" \(motor\.torque\) change their sign at every update: its gains are unstable at its period of 0\.01 s\. Try a smaller period or lower gains$/,
    );
    expect(hold(pd(100, 40, 0.01), integrator)().end).toBe("complete");
  });

  test("slow growth of an oscillation, and a wrong sign of a continuous law", () => {
    expect(hold(pd(2000, 0, 0.01))).toThrow(
      /^the motion diverges: .* Its cause may be a controller \(hold\): try lower gains, a smaller period, and check the sign of the feedback$/,
    );
    expect(hold(pd(0, -40, 0))).toThrow(/^the motion diverges: .* try lower gains, and check the sign of the feedback/);
  });

  test("negative damping; a motion that reaches infinity in finite time", () => {
    const run = (a: number, b: number) => () => {
      const system = createSystem(pendulum, [supply(a, b)]);
      return simulate(system, system.start({ u: Float64Array.of(1) }), { duration: 100 });
    };
    expect(run(20, 0)).toThrow(/^the motion diverges: the speed u\.rod .* look for negative damping or stiffness/);
    expect(run(0, 20)).toThrow(/^the motion diverges: the speed u\.rod /);
  });

  test("a continued run notices it at the same time", () => {
    const options = { duration: 10, controllers: [pd(100, 1200, 0.01)] };
    const failureOf = (simulation: Simulation): string => {
      try {
        for (;;) simulation.advance();
      } catch (error) {
        return (error as Error).message;
      }
    };
    const whole = new Simulation(swing, swing.start({ q: Float64Array.of(0.5) }), options);
    while (whole.t < 0.1) whole.advance();
    const continued = new Simulation(swing, structuredClone(whole.save()), options);
    expect(failureOf(continued)).toBe(failureOf(whole));
  });
});

describe("a motion that grows, but does not diverge", () => {
  test("a fall from an unstable position: exponential growth over ten decades", () => {
    const { end, log } = simulate(swing, swing.start({ q: Float64Array.of(Math.PI - 1e-10) }), { duration: 30 });
    expect(end).toBe("complete");
    expect(Math.max(...log.column("u.rod").map(Math.abs))).toBeGreaterThan(3);
  });

  test("a spin-up from rest over ten decades", () => {
    const wheel = buildModel("wheel")
      .body({ name: "wheel", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", axis: "z" } })
      .build();
    const system = createSystem(wheel, [readForce("actuator", "motor", { hinge: "wheel" }, wheel)]);
    const start = system.start({ inputs: { "motor.torque": 1e3 } });
    expect(simulate(system, start, { duration: 1e4 }).u[0]! / 1e7).toBeCloseTo(1, 9);
  });
});

describe("limits of a run in code", () => {
  test("steps and wall time", () => {
    const start = swing.start({ q: Float64Array.of(0.5) });
    expect(simulate(swing, start, { duration: 1e9, maxSteps: 10 }).counts.steps).toBe(10);
    expect(simulate(swing, start, { duration: 1e9, maxSeconds: 0.05 }).end).toBe("interrupted");
  });

  test("more fixed steps or samples than can be computed are refused", () => {
    const run = (options: object) => () => simulate(swing, swing.start(), { duration: 1e3, ...options });
    expect(run({ integrator: "rk4", settings: { step: 1e-9 } })).toThrow(
      "options.settings.step: must be at least 0.00001 s: it gives 1.0e+12 steps in 1000 s, more than 1e+8, got 1e-9",
    );
    expect(run({ sample: 1e-300 })).toThrow(/^options\.sample: must be at least 0\.00001 s: it gives /);
  });
});
