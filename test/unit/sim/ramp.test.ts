/** Ramped commands: closed form with every integrator, disabling and enabling, and rejected options. */
import { describe, expect, it } from "vitest";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { actuator } from "../../../src/parts/force/drives/actuator.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import type { PlannedEvent } from "../../../src/sim/events/event-plan.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";

const model = buildModel("slide")
  .body({ name: "slider", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
  .build();

/** Commands the forces 2, 6, -4, -4 N, ... from 0, 0.5, 1, 1.5 s on. */
const FORCES = [2, 6, -4, -4, -4, -4];
const stairs: Controller = {
  name: "stairs",
  period: 0.5,
  between: "ramp",
  commands: ["motor.force"],
  start: () => undefined,
  update(s, memory, command) {
    command[0] = FORCES[Math.round(s.t / 0.5)]!;
    return memory;
  },
};

const run = (name: keyof typeof INTEGRATORS, controller: Controller = stairs, plan: readonly PlannedEvent[] = []) => {
  const system = createSystem(model, [actuator.create("motor", { hinge: "slider", limit: 100 }, model)]);
  const integrator = INTEGRATORS[name];
  return simulate(system, system.start(), {
    duration: 2,
    integrator,
    settings: integrator.adaptive ? { relativeTolerance: 1e-10, absoluteTolerance: 1e-12 } : { step: 0.01 },
    sample: 0.1,
    channels: ["q.*", "u.*", "held.*"],
    controllers: [controller],
    plan,
  });
};

/** Force, speed and position: straight lines from 0 through (0.5, 2), (1, 6), (1.5, -4), (2, -4). */
function closedForm(t: number): { force: number; u: number; q: number } {
  let [q, u, force] = [0, 0, 0];
  for (let k = 0; k * 0.5 < t; k++) {
    const dt = Math.min(0.5, t - 0.5 * k);
    const slope = (FORCES[k]! - force) / 0.5;
    q += u * dt + (force * dt * dt) / 4 + (slope * dt * dt * dt) / 12;
    u += (force * dt) / 2 + (slope * dt * dt) / 4;
    force += slope * dt;
  }
  return { force, u, q };
}

describe.each(Object.keys(INTEGRATORS) as (keyof typeof INTEGRATORS)[])("%s", (name) => {
  it("follows ramps, and records the ramped inputs", () => {
    const { log } = run(name);
    const [t, q, u, held] = ["t", "q.slider", "u.slider", "held.motor.force"].map((channel) => log.column(channel));
    expect(log.length).toBe(21); // nothing jumps: no time is recorded twice
    for (let i = 0; i < log.length; i++) {
      const exact = closedForm(t![i]!);
      expect(held![i]).toBeCloseTo(exact.force, 12);
      expect(u![i]).toBeCloseTo(exact.u, 10);
      expect(q![i]).toBeCloseTo(exact.q, 10);
    }
  });
});

it("starts at the present input when enabled, and is zero while disabled", () => {
  const { log } = run("dopri5", stairs, [
    { name: "off", at: 0.7, actions: { disable: ["stairs"] } },
    { name: "on", at: 1.2, actions: { enable: ["stairs"] } },
  ]);
  const [t, held] = [log.column("t"), log.column("held.motor.force")];
  const value = (time: number, side: "before" | "after" = "after"): number => {
    const found = [...t.keys()].filter((i) => Math.abs(t[i]! - time) < 1e-9);
    return held[side === "before" ? found[0]! : found.at(-1)!]!;
  };
  expect(value(0.7, "before")).toBeCloseTo(2 + 0.4 * 4, 12);
  expect(value(0.7)).toBe(0);
  expect(value(1.2)).toBe(0);
  expect(value(1.4)).toBe(0);
  expect(value(1.6)).toBeCloseTo(0.2 * -4, 12);
  expect(value(2)).toBeCloseTo(-4, 12);
});

it("costs fewer evaluations than jumps on a stiff machine", () => {
  const stiff = (between: "hold" | "ramp"): number => {
    const system = createSystem(model, [actuator.create("motor", { hinge: "slider", lag: 1e-3, limit: 100 }, model)]);
    const wave: Controller = {
      ...stairs,
      period: 0.05,
      between,
      update(s, memory, command) {
        command[0] = 5 + Math.sin(2 * s.t);
        return memory;
      },
    };
    const settings = { relativeTolerance: 1e-6, absoluteTolerance: 1e-6 };
    const { counts } = simulate(system, system.start(), {
      duration: 4,
      integrator: INTEGRATORS.radau5,
      settings,
      sample: 0.5,
      controllers: [wave],
    });
    return counts.evaluations;
  };
  expect(stiff("ramp")).toBeLessThan(stiff("hold") / 2);
});

it.each(["hold", "ramp"] as const)("steps continue without a restart if no input jumps: %s", (between) => {
  const steady: Controller = {
    ...stairs,
    period: 0.02,
    between,
    update(_s, memory, command) {
      command[0] = 0;
      return memory;
    },
  };
  const { steps, rejected, evaluations } = run("dopri5", steady).counts;
  expect(steps).toBeGreaterThanOrEqual(100);
  expect(evaluations).toBeLessThanOrEqual(6 * (steps + rejected) + 5); // what ends a step begins the next
});

it("rejects ramps of a continuous law", () => {
  expect(() => run("rk4", { ...stairs, period: 0 })).toThrow(/controllers\.stairs\.between: a continuous law has no updates/);
});
