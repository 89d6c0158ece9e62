/** Drives of docking mechanisms and latches against their laws, and their absorbed energy. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../../src/errors.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import type { PlannedEvent } from "../../../../src/sim/events/event-plan.ts";
import { INTEGRATORS } from "../../../../src/sim/integrators/index.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import { ARM, accountOf, stateAt } from "../../../fixtures/force-bench.ts";
import { drift, TIGHT } from "../../../fixtures/force-run.ts";
import { block } from "../../../fixtures/models/force-machines.ts";

const LEG = { clutch: 450, friction: 3, frictionSpeed: 0.002, lower: -0.2, upper: 0.02, stopStiffness: 1e5, stopDamping: 1e3 };

/** The law of the docking study, `leg_law` of its scenario, as plain numbers. */
function legLaw(q: number, u: number, k: number, c: number, reference = 0, rate = 0): number {
  let f = -Math.max(-450, Math.min(450, k * (q - reference) + c * (u - rate))) - (3 * u) / Math.sqrt(u * u + 4e-6);
  if (q < -0.2) f += Math.max(0, 1e5 * (-0.2 - q) - 1e3 * u);
  if (q > 0.02) f -= Math.max(0, 1e5 * (q - 0.02) + 1e3 * u);
  return f;
}

describe("leg-actuator", () => {
  const at = (element: ReturnType<typeof readForce>, q: number, u: number, held: readonly number[], z: readonly number[]) => {
    const s = stateAt(ARM, element, 1);
    const [iq, iu] = [9, 8]; // the slider: after the free base (7, 6) and two turns
    s.q[iq] = q;
    s.u[iu] = u;
    s.held.set(held);
    s.z.set(z);
    return accountOf(ARM, element)(s);
  };

  it("equals the law of the study in every branch, for all held inputs", () => {
    const element = readForce("leg-actuator", "e", { hinge: "slider", ...LEG }, ARM);
    for (const q of [-0.21, -0.2001, -0.05, 0, 0.0199, 0.0201, 0.03])
      for (const u of [-0.4, -0.05, -0.001, 0, 0.002, 0.3])
        for (const [k, c] of [
          [300, 300],
          [3000, 2000],
        ] as const)
          expect(at(element, q, u, [k, c, 0], [0]).channels["e.slider"]).toBeCloseTo(legLaw(q, u, k, c), 9);
  });

  it("moves its reference at the ramp speed, and follows it", () => {
    const element = readForce("leg-actuator", "e", { hinge: "slider", ...LEG, ramp: 0.01 }, ARM);
    const { zdot, channels } = at(element, -0.02, 0.01, [3000, 2000, -0.13, 0.01], [-0.05, 0]);
    expect(zdot[0]).toBe(-0.01);
    expect(channels["e.slider"]).toBeCloseTo(legLaw(-0.02, 0.01, 3000, 2000, -0.05, -0.01), 9);
  });

  it("its reference settles with a time constant of 10 ms at the end of the ramp, and an opened brake lets go with one", () => {
    const model = block(100);
    const drive = { hinge: "block", stiffness: 10, ramp: 0.5, brake: 40, brakeStiffness: 1e4 };
    const system = createSystem(model, [readForce("leg-actuator", "leg", drive, model)]);
    const plan: PlannedEvent[] = [
      { name: "go", at: 0, actions: { set: { "leg.position": 0.1, "leg.brake": 1 } } },
      { name: "open", at: 0.5, actions: { set: { "leg.brake": 0 } } },
    ];
    const run = simulate(system, system.start({ q: Float64Array.of(0), u: Float64Array.of(0.01) }), {
      ...{ duration: 0.6, integrator: INTEGRATORS.dop853, settings: TIGHT, sample: 0.005, plan, channels: ["*"] },
    });
    const [t, reference, deflection] = ["t", "z.leg.1", "z.leg.3"].map((name) => run.log.column(name));
    const bent = deflection![t!.findIndex((time) => time > 0.5 - 1e-9)]!;
    expect(Math.abs(bent)).toBeGreaterThan(1e-6);
    for (const [k, time] of t!.entries()) {
      const slow = 0.1 / 0.5 - 0.01; // from there on the distance is below 0.5 m/s times 10 ms
      const wanted = time < slow ? 0.5 * time : 0.1 - 0.5 * 0.01 * Math.exp(-(time - slow) / 0.01);
      expect(reference![k]).toBeCloseTo(wanted, 8);
      if (time > 0.5) expect(deflection![k]).toBeCloseTo(bent * Math.exp(-(time - 0.5) / 0.01), 8);
    }
  });

  it("retracts from the present lengths: each reference follows its leg, then moves from there at the ramp speed", () => {
    const bodies = ["a", "b"].map((name) => ({
      ...{ name, mass: 100, inertia: [1, 1, 1] as const, hinge: { kind: "prismatic", axis: "x" } as const },
    }));
    const model = createModel({ name: "two legs", bodies });
    const drive = { hinge: ["a", "b"], stiffness: 3000, damping: 2000, ramp: 0.02, references: "each" };
    const system = createSystem(model, [readForce("leg-actuator", "legs", drive, model)]);
    const plan: PlannedEvent[] = [
      { name: "attenuate", at: 0, actions: { set: { "legs.follow": 1 } } },
      { name: "retract", at: 0.5, actions: { set: { "legs.follow": 0, "legs.position": -0.1 } } },
    ];
    const run = simulate(system, system.start({ q: Float64Array.of(0.05, -0.03), u: Float64Array.of(-0.2, 0.1) }), {
      ...{ duration: 16, integrator: INTEGRATORS.dop853, settings: TIGHT, sample: 0.05, plan, channels: ["*"] },
    });
    const t = run.log.column("t");
    const switched = t.lastIndexOf(0.5);
    for (const [leg, x0, v0] of [
      ["a", 0.05, -0.2],
      ["b", -0.03, 0.1],
    ] as const) {
      const [x, r, force] = [`q.${leg}`, `legs.reference.${leg}`, `legs.${leg}`].map((name) => run.log.column(name));
      // Only the damper acts while the reference follows: v = v0 exp(-c t / m).
      const length = x0 + v0 * (100 / 2000) * (1 - Math.exp((-2000 / 100) * 0.5));
      expect(x![switched]).toBeCloseTo(length, 10);
      expect(r![switched]).toBeCloseTo(length, 10);
      // The spring starts without force: what remains is the damper against the speed of the ramp.
      expect(force![switched]).toBeCloseTo(-2000 * (v0 * Math.exp(-10) + 0.02), 6);
      for (const [k, time] of t.entries()) {
        const reached = length - 0.02 * (time - 0.5);
        if (k > switched && reached > -0.1 + 0.02 * 0.01) expect(r![k]).toBeCloseTo(reached, 9);
      }
      expect(x!.at(-1)).toBeCloseTo(-0.1, 4);
    }
    expect(drift(run, "energy")).toBeLessThan(1e-9);
    expect(() => readForce("leg-actuator", "legs", { ...drive, ramp: undefined }, model)).toThrow("need a ramp");
  });

  it("absorbs the energy that the machine loses", () => {
    const model = block(150);
    const element = readForce("leg-actuator", "legs", { hinge: "block", stiffness: 300, damping: 900, ...LEG }, model);
    const system = createSystem(model, [element]);
    const run = simulate(system, system.start({ q: Float64Array.of(0), u: Float64Array.of(-1.5) }), {
      duration: 4,
      integrator: INTEGRATORS.rk4,
      settings: { step: 1e-4 },
      sample: 0.01,
      channels: ["*"],
    });
    const [kinetic, absorbed, q] = ["energy.kinetic", "legs.absorbed", "q.block"].map((name) => run.log.column(name));
    expect(Math.min(...q!)).toBeLessThan(-0.2); // it went against its stop
    expect(absorbed!.at(-1)! + kinetic!.at(-1)!).toBeCloseTo(168.75, 3);
    expect(drift(run, "energy")).toBeLessThan(1e-6); // no event at the stop, where the force jumps
  });

  it("holds with the closed brake up to its slip force, and not with the open brake", () => {
    const model = block(100);
    const drive = { hinge: "block", brake: 40, brakeStiffness: 1e4 };
    const push = (force: number, closed: number): number => {
      const elements = [
        readForce("leg-actuator", "leg", drive, model),
        readForce("generalised-force", "push", { hinge: "block", force }, model),
      ];
      const system = createSystem(model, elements);
      const plan: PlannedEvent[] = [{ name: "brake", at: 0, actions: { set: { "leg.brake": closed, "leg.damping": 200 } } }];
      return simulate(system, system.start(), { duration: 5, integrator: INTEGRATORS.dop853, settings: TIGHT, plan }).y[0]!;
    };
    expect(push(30, 1)).toBeLessThan(0.02); // deflection 30 / 1e4, and its overshoot creeps a little
    expect(push(60, 1)).toBeGreaterThan(0.3);
    expect(push(30, 0)).toBeGreaterThan(0.5);
  });

  it("refuses a clutch of zero, crossed stops, an unreachable reference, and mixed units", () => {
    const problems = (written: object): readonly string[] => {
      try {
        readForce("leg-actuator", "e", written, ARM);
      } catch (error) {
        if (error instanceof ModelError) return error.problems.map((p) => `${p.path}: ${p.message}`);
      }
      return [];
    };
    expect(problems({ hinge: "slider", clutch: 0 })[0]).toMatch(/^e\.clutch: must be positive/);
    expect(problems({ hinge: "slider", clutch: -450 })[0]).toMatch(/^e\.clutch: must be positive/);
    expect(problems({ hinge: "slider", lower: 0.1, upper: 0 })).toEqual(["e.upper: must be above lower, 0.1"]);
    expect(problems({ hinge: "slider", lower: -0.2, position: -0.3 })[0]).toMatch(/^e\.position: lies beyond an end stop/);
    expect(problems({ hinge: ["slider", "elbow"] })[0]).toMatch(/^e\.hinge: turns and slides/);
    expect(problems({ hinge: "wrist" })[0]).toMatch(/^e\.hinge: a rotation of a ball hinge has no coordinate/);
  });
});

it("differentials are -Bᵀ φ(B q, B u), one row of B each", () => {
  const B = [
    [1, -1],
    [0.5, 0.5],
  ];
  const laws = [
    { stiffness: 40, damping: 5, clutch: 30 },
    { stiffness: 200, damping: 20, friction: 0.4 },
  ];
  const expected = [0, 0];
  const got = [0, 0];
  for (const [row, factors] of B.entries()) {
    const element = readForce("differential", "d", { hinge: ["shoulder", "elbow"], factors, ...laws[row] }, ARM);
    const s = stateAt(ARM, element, 5);
    s.held.set([laws[row]!.stiffness, laws[row]!.damping, 0]);
    const [x, v] = [s.q, s.u].map((of, k) => factors[0]! * of[7 - k]! + factors[1]! * of[8 - k]!) as [number, number];
    const { clutch = 1e9, friction = 0, stiffness, damping } = laws[row]! as (typeof laws)[0] & { friction?: number };
    const phi = Math.max(-clutch, Math.min(clutch, stiffness * x + damping * v)) + (friction * v) / Math.sqrt(v * v + 0.002 ** 2);
    for (const k of [0, 1]) {
      expected[k]! -= factors[k]! * phi;
      got[k]! += accountOf(ARM, element)(s).tau[6 + k]!;
    }
  }
  for (const k of [0, 1]) expect(got[k]).toBeCloseTo(expected[k]!, 10);
});

describe("latch", () => {
  const model = createModel({
    name: "carts",
    bodies: (["chaser", "target"] as const).map((name, i) => ({
      name,
      mass: [100, 300][i]!,
      inertia: [1, 1, 1],
      hinge: { kind: "prismatic" as const, axis: "x" as const, at: [0, 0, 0.004 * i] as const },
    })),
  });
  const LATCH = { latch: "chaser", striker: "target", reach: 0.01, depth: 0.03, lateral: 0.015, stiffness: 2e4, damping: 3 };
  const meet = (speed: number, parameters: object = {}, plan: readonly PlannedEvent[] = []) => {
    const system = createSystem(model, [readForce("latch", "hook", { ...LATCH, ...parameters }, model)]);
    const y = system.start({ q: Float64Array.of(-0.05, 0), u: Float64Array.of(speed, 0) });
    return simulate(system, y, {
      duration: 3,
      integrator: INTEGRATORS.dop853,
      settings: TIGHT,
      sample: 0.01,
      plan,
      channels: ["*"],
    });
  };

  it("engages when the striker enters its reach, never pushes, and conserves momentum and energy", () => {
    const run = meet(0.04);
    const engaged = run.timeline.find((h) => h.name === "hook.engage")!;
    expect(engaged.t).toBeCloseTo(1, 9); // 40 mm at 0.04 m/s
    const [x, pull] = ["hook.x", "hook.pull"].map((name) => run.log.column(name));
    for (const [i, e] of x!.entries())
      expect(pull![i]! > 0).toBe(e > 0.01 && run.log.column("hook.engaged")[i] === 1 && pull![i]! > 0);
    expect(drift(run, "energy")).toBeLessThan(1e-9);
  });

  it("that starts engaged has engaged then: events after it happen, and it can be released and engage again", () => {
    const plan: PlannedEvent[] = [
      { name: "retract", after: ["hook.engage"], delay: 0.25, actions: { set: { "hook.armed": 0 } } },
      { name: "rearm", after: ["hook.release"], delay: 0.25, actions: { set: { "hook.armed": 1 } } },
    ];
    const run = meet(0.04, { engaged: true, stiffness: 1e-9 }, plan);
    const times = run.timeline.map(({ name, t }) => [name, Math.round(1e6 * t) / 1e6]);
    expect(times).toEqual([
      ["retract", 0.25],
      ["hook.release", 0.25],
      ["rearm", 0.5],
      ["hook.engage", 1],
    ]);
    expect(run.waiting).toEqual([]);
    // A latch that is not engaged still waits for its striker.
    expect(meet(0.01, {}, plan).waiting).toEqual(["hook.engage", "retract", "rearm"]);
  });

  it("holds a separating striker, releases it, and accounts for the stored energy", () => {
    const start = { engaged: true };
    const plan: PlannedEvent[] = [{ name: "undock", at: 0.005, actions: { set: { "hook.armed": 0 } } }];
    const held = meet(-0.2, start);
    const released = meet(-0.2, start, plan);
    expect(Math.max(...held.log.column("hook.x"))).toBeLessThan(0.08);
    expect(released.log.column("hook.x").at(-1)).toBeGreaterThan(0.1);
    expect(released.timeline.map((h) => h.name)).toEqual(["undock", "hook.release"]);
    for (const run of [held, released]) expect(drift(run, "energy")).toBeLessThan(1e-9);
  });

  it("reports which condition prevented engagement", () => {
    expect(meet(0.01).reasons["hook.engage"]).toMatch(/closest at t = 3 s: its striker is farther along the axis than its reach/);
    expect(meet(0.04, { lateral: 0.003 }).reasons["hook.engage"]).toMatch(/farther from the axis than 0.003 m/);
    expect(meet(0.04, { armed: false }).reasons["hook.engage"]).toMatch(/is not armed/);
  });

  it("refuses an empty capture volume, and a striker on its own body", () => {
    const create = (parameters: object) => () => readForce("latch", "hook", { ...LATCH, ...parameters }, model);
    expect(create({ reach: -0.05 })).toThrow(/can never engage: e_x would have to be above -0.03 m and at most -0.05 m/);
    expect(create({ striker: "chaser" })).toThrow(/can never engage: its striker does not move relative to it/);
    expect(create({ lateral: 0 })).toThrow(/lateral/);
  });
});
