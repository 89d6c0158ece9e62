/** Runs compared with closed forms: sticking friction, sampled control, events in order, long coasting, conservation. */
import { describe, expect, test } from "vitest";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import type { RunEvent } from "../../../src/sim/events/event-detector.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { freeFloatingArm, tumblingState } from "../../fixtures/models/tumbling-arm.ts";

const { dop853, rk4 } = INTEGRATORS;
const G = 9.81;

/** A 2 kg block on a slope of angle a: the hinge slides down it. */
function block(slope: number, coulomb: number, breakaway = coulomb, stribeckSpeed = 1e-4) {
  const model = buildModel("block on a slope")
    .gravity([G * Math.sin(slope), 0, -G * Math.cos(slope)])
    .body({ name: "block", mass: 2, inertia: [0.1, 0.1, 0.1], hinge: { kind: "prismatic", axis: "x" } })
    .build();
  return createSystem(model, [FORCES.friction.create("rub", { hinge: "block", coulomb, breakaway, stribeckSpeed }, model)]);
}

describe("a block on a slope", () => {
  const slope = 0.3;
  const weight = 2 * G * Math.sin(slope); // along the slope

  test.each(["dop853", "dopri5", "rk4"] as const)("does not creep at 0.99 of the friction angle (%s)", (name) => {
    const system = block(slope, weight / 0.99);
    const run = simulate(system, system.start(), { duration: 100, integrator: INTEGRATORS[name], settings: { step: 0.05 } });
    expect(Math.max(...run.log.column("q.block").map(Math.abs))).toBeLessThan(1e-9);
    expect(run.events).toEqual([]);
  });

  test("follows the closed form at 1.01", () => {
    const system = block(slope, weight / 1.01);
    const run = simulate(system, system.start(), { duration: 10, integrator: dop853 });
    const a = (weight - weight / 1.01) / 2;
    expect(Math.abs(run.y[0]! - 0.5 * a * 100)).toBeLessThan(1e-9);
    expect(run.audit.find((r) => r.channel === "energy")!.worst).toBeLessThan(1e-9);
  });

  test("thrown uphill it stops at the computed position, then stays or slides back depending on the friction", () => {
    for (const ratio of [0.5, 1.3]) {
      const F = ratio * weight;
      const system = block(slope, F);
      const y0 = system.start({ u: Float64Array.of(-3) });
      const run = simulate(system, y0, { duration: 5, integrator: dop853 });
      const up = (weight + F) / 2;
      const stop = 3 / up;
      const top = -4.5 / up;
      expect(run.events.map((e) => e.name)).toEqual(["friction rub.block"]);
      expect(Math.abs(run.events[0]!.t - stop)).toBeLessThan(1e-9);
      const back = ratio > 1 ? 0 : 0.5 * ((weight - F) / 2) * (5 - stop) ** 2;
      expect(Math.abs(run.y[0]! - (top + back))).toBeLessThan(1e-8);
    }
  });

  test("a higher breakaway force holds a block that slipping friction would not hold", () => {
    const held = block(slope, 0.8 * weight, 1.1 * weight);
    expect(simulate(held, held.start(), { duration: 5, integrator: dop853 }).y[0]).toBe(0);
    const pushed = held.start({ u: Float64Array.of(1e-3) });
    expect(simulate(held, pushed, { duration: 5, integrator: dop853 }).y[0]).toBeGreaterThan(1);
  });
});

test("a spring-driven block sticks and slips through many reversals and ends at rest within the dead zone", () => {
  const model = buildModel("oscillator")
    .body({ name: "block", mass: 1, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
    .build();
  const system = createSystem(model, [
    FORCES["hinge-spring"].create("spring", { hinge: "block", stiffness: 100, damping: 0 }, model),
    FORCES.friction.create("rub", { hinge: "block", coulomb: 2.1 }, model),
  ]);
  const run = simulate(system, system.start({ q: Float64Array.of(0.5) }), { duration: 20, integrator: dop853 });
  // Each half swing loses 2 F / k = 0.042 m: 0.5, -0.458, ..., -0.038, -0.004, where the spring can no longer move it.
  const reversals = run.events.map((e) => e.t);
  expect(reversals.length).toBe(12);
  for (const [i, t] of reversals.entries()) expect(Math.abs(t - ((i + 1) * Math.PI) / 10)).toBeLessThan(1e-9);
  expect(Math.abs(run.y[0]! + 0.004)).toBeLessThan(1e-9);
  expect(run.y[1]).toBe(0);
  expect(run.audit[0]!.worst).toBeLessThan(1e-10);
});

test("free-floating 3R arm tumbling for 60 s, default settings: momentum to 1e-10, energy to 1e-9", () => {
  const system = createSystem(freeFloatingArm(3), []);
  const run = simulate(system, tumblingState(system), { duration: 60, integrator: dop853 });
  const worst = Object.fromEntries(run.audit.map((r) => [r.channel, r.worst]));
  expect(worst["angular momentum"]).toBeLessThan(1e-10);
  expect(worst["linear momentum"]).toBeLessThan(1e-10);
  expect(worst.energy).toBeLessThan(1e-9);
});

test("sampled control is exact at its period: a double integrator under bang-bang commands", () => {
  const model = buildModel("cart")
    .body({ name: "cart", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
    .build();
  const motor = FORCES.actuator.create("motor", { hinge: "cart" }, model);
  const times: number[] = [];
  const controller: Controller<number> = {
    name: "square wave",
    period: 0.3,
    commands: ["motor.force"],
    start: () => 0,
    update(s, n, command) {
      times.push(s.t);
      command[0] = n % 2 === 0 ? 1 : -1;
      return n + 1;
    },
  };
  const system = createSystem(model, [motor]);
  for (const [integrator, settings] of [
    [dop853, {}],
    [rk4, { step: 0.07 }],
  ] as const) {
    times.length = 0;
    const run = simulate(system, system.start(), { duration: 3, integrator, settings, sample: 0.1, controllers: [controller] });
    expect(times).toEqual(Array.from({ length: times.length }, (_, k) => k * 0.3));
    expect(times.length).toBeGreaterThanOrEqual(10);
    // a = ±1/2, piecewise: after each pair of periods the speed is back to zero and x has grown by a T²
    expect(Math.abs(run.y[0]! - 5 * 0.5 * 0.09)).toBeLessThan(1e-12);
    expect(Math.abs(run.y[1]!)).toBeLessThan(1e-12);
  }
});

test("events are located in order, and there are no others", () => {
  const model = buildModel("pendulum")
    .gravity([0, -G, 0])
    .body({ name: "rod", mass: 1, com: [1, 0, 0], inertia: "none", hinge: { kind: "revolute" } })
    .build();
  const system = createSystem(model, []);
  const seen: [string, number][] = [];
  const crossing = (name: string, level: number): RunEvent => ({
    name,
    direction: "both",
    value: (_, y) => y[0]! - level,
    handle: (t) => {
      seen.push([name, t]);
      return "go on";
    },
  });
  const run = simulate(system, system.start(), {
    duration: 2.3,
    integrator: dop853,
    events: [crossing("b", -1), crossing("a", -0.5), crossing("c", -2)],
  });
  expect(seen.map(([name]) => name)).toEqual(["a", "b", "c", "c", "b", "a"]);
  for (let i = 1; i < seen.length; i++) expect(seen[i]![1]).toBeGreaterThan(seen[i - 1]![1]);
  // symmetric about the turning point: the period of a pendulum released from the horizontal is 4 K(1/√2) / √g
  const turn = 7.416298709205487 / Math.sqrt(G);
  for (const [i, j] of [
    [0, 5],
    [1, 4],
    [2, 3],
  ] as const)
    expect(Math.abs(seen[i]![1] + seen[j]![1] - turn)).toBeLessThan(1e-9);
  expect(run.end).toBe("complete");
});

test("a ball bounces on a stiff stop, and events bracket every contact", () => {
  const model = buildModel("drop")
    .gravity([0, 0, -G])
    .body({ name: "ball", mass: 1, inertia: "none", hinge: { kind: "prismatic" } })
    .build();
  const stop = FORCES.stop.create("floor", { hinge: "ball", lower: 0, stiffness: 1e6, damping: 0 }, model);
  const system = createSystem(model, [stop]);
  const run = simulate(system, system.start({ q: Float64Array.of(1) }), { duration: 2, integrator: dop853 });
  const contacts = run.events.map((e) => e.t);
  expect(Math.abs(contacts[0]! - Math.sqrt(2 / G))).toBeLessThan(1e-9);
  expect(contacts.length % 2).toBe(0);
  expect(run.audit[0]!.worst).toBeLessThan(1e-8);
});

test("a run that exceeds an audit tolerance stops with channel, time and advice", () => {
  const system = createSystem(freeFloatingArm(3), []);
  const run = () =>
    simulate(system, tumblingState(system), {
      duration: 60,
      integrator: rk4,
      settings: { step: 0.5 },
      tolerances: { energy: 1e-6 },
    });
  expect(run).toThrow(/energy drifted by .* at t = .* s, more than the tolerance 0.000001\. Try a smaller step/);
});

test("two runs with the same inputs are bit-identical, and a stopped run keeps its results", () => {
  const once = (stopAt = Infinity) => {
    const system = createSystem(freeFloatingArm(3), []);
    return simulate(system, tumblingState(system), {
      duration: 5,
      integrator: dop853,
      progress: (t) => (t >= stopAt ? "stop" : undefined),
    });
  };
  const [a, b] = [once(), once()];
  for (const { name } of a.log.channels) expect(Array.from(a.log.column(name))).toEqual(Array.from(b.log.column(name)));
  const stopped = once(2);
  expect(stopped.end).toBe("interrupted");
  expect(stopped.log.length).toBeGreaterThan(100);
  expect(stopped.log.length).toBeLessThan(a.log.length);
});
