/** Numbers that are not finite end a run with the name of the channel, controller or element that computed them. */
import { describe, expect, test } from "vitest";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { sCurve } from "../../../src/plan/index.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import type { ForceElement } from "../../../src/sim/system/force-element.ts";

const model = buildModel("cart")
  .body({ name: "cart", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
  .build();
const motor = readForce("actuator", "motor", { hinge: "cart" }, model);

const controller = (law: (t: number) => number, period: number): Controller => ({
  name: "pilot",
  period,
  commands: ["motor.force"],
  start: () => undefined,
  update: ({ t }, _memory, command) => {
    command[0] = law(t);
    return undefined;
  },
});

const run = (law: (t: number) => number, period: number) => () => {
  const system = createSystem(model, [motor]);
  return simulate(system, system.start(), { duration: 1, controllers: [controller(law, period)] });
};

describe("a number that is not finite", () => {
  test("in a command names the controller, the command and the time", () => {
    expect(run((t) => Math.sqrt(0.5 - t), 0.125)).toThrow(
      /^controller "pilot" commands NaN for motor\.force at t = 0\.625 s\. Look at its gains/,
    );
  });

  test("in a recorded channel names the channel, its element and the time", () => {
    const gauge: ForceElement = {
      name: "gauge",
      kind: "gauge",
      channels: [{ name: "load", unit: "N" }],
      apply: ({ t }, out) => {
        out.channels[0] = t > 0.5 ? 0 / 0 : 1;
      },
    };
    const system = createSystem(model, [motor, gauge]);
    const simulation = () => simulate(system, system.start(), { duration: 1, sample: 0.25, channels: ["gauge.load"] });
    expect(simulation).toThrow(
      /^channel "gauge\.load" of the force element "gauge" is NaN at t = 0\.75 s, although the state is finite/,
    );
    expect(simulate(system, system.start(), { duration: 1, sample: 0.25, channels: ["q.cart"] }).end).toBe("complete");
  });
});

test("an argument error inside a controller names the controller and the time", () => {
  const law = (t: number) => sCurve(1, { speed: 0.5 - t, acceleration: 1, jerk: 1 }).duration;
  expect(run(law, 0.125)).toThrow(
    /^limits\.speed: must be a finite number above 0, got 0 \(in controller "pilot" at t = 0\.5 s\)$/,
  );
});
