import { describe, expect, it } from "vitest";
import { thruster } from "../../../../src/parts/force/devices/thruster.ts";
import { actuator } from "../../../../src/parts/force/drives/actuator.ts";
import { motors } from "../../../../src/parts/force/drives/motors.ts";
import { servo } from "../../../../src/parts/force/drives/servo.ts";
import { friction } from "../../../../src/parts/force/friction/friction.ts";
import { constantWrench } from "../../../../src/parts/force/loads/constant-wrench.ts";
import { customForce } from "../../../../src/parts/force/loads/custom.ts";
import { generalisedForce } from "../../../../src/parts/force/loads/generalised-force.ts";
import { hingeStop } from "../../../../src/parts/force/springs/hinge-stop.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { dop853 } from "../../../../src/sim/integrators/dop853.ts";
import type { Controller } from "../../../../src/sim/run/controller.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import { ARM, accountOf } from "../../../fixtures/force-bench.ts";
import { drift, runFor } from "../../../fixtures/force-run.ts";
import { block, disc, hull } from "../../../fixtures/models/force-machines.ts";

const scalar = (q: number, u: number, held: readonly number[] = [], z: readonly number[] = []) => ({
  t: 0,
  q: Float64Array.of(q),
  u: Float64Array.of(u),
  z: Float64Array.from(z),
  held: Float64Array.from(held),
});

describe("friction", () => {
  it("decreases from breakaway to coulomb, halfway at the Stribeck speed", () => {
    const values = { hinge: "elbow", coulomb: 2, breakaway: 5, stribeckSpeed: 0.1, viscous: 0.7 };
    const [dry] = friction.create("f", values, ARM).friction!;
    expect(dry!.breakaway).toBe(5);
    expect(dry!.slipForce(0)).toBe(5);
    expect(dry!.slipForce(0.1)).toBeCloseTo(3.5, 14);
    expect(dry!.slipForce(1e6)).toBeCloseTo(2, 9);
    expect(() => friction.create("f", { ...values, breakaway: 1 }, ARM)).toThrow(/at least coulomb, 2, got 1/);
  });

  it("brings a disc to rest at the time of the closed form, and dissipates all its energy", () => {
    const [J, c, v, u0] = [2, 0.5, 0.3, 4];
    const model = disc(J);
    const element = friction.create("f", { hinge: "disc", coulomb: c, viscous: v }, model);
    const rest = (J / v) * Math.log(1 + (v * u0) / c);
    const end = runFor(model, [element], rest + 2, { u: [u0] });
    expect(end.u[0]).toBeCloseTo(0, 12);
    expect(end.run.events[0]!.t).toBeCloseTo(rest, 9);
    expect(end.q[0]).toBeCloseTo((J * u0) / v - (c / v) * rest, 9);
    expect(end.dissipated).toBeCloseTo(0.5 * J * u0 ** 2, 9);
  });
});

describe("stop", () => {
  const model = block(2);

  it("pushes by k d (1 + c ḋ) and never pulls", () => {
    const account = accountOf(
      model,
      hingeStop.create("s", { hinge: "block", lower: -1, upper: 1, stiffness: 100, damping: 0.5 }, model),
    );
    expect(account(scalar(0.9, 3)).tau[0]).toBeCloseTo(0, 300);
    expect(account(scalar(1.1, 0)).tau[0]).toBeCloseTo(-10, 12);
    expect(account(scalar(1.1, 2)).tau[0]).toBeCloseTo(-20, 12);
    expect(account(scalar(1.1, -3)).tau[0]).toBeCloseTo(0, 300);
    expect(account(scalar(-1.1, -2)).tau[0]).toBeCloseTo(20, 12);
    expect(account(scalar(1.1, -3)).dissipated).toBeCloseTo(30, 12);
  });

  it("without damping reverses the speed of a block after half a contact period", () => {
    const [m, k, v] = [2, 5000, 1.5];
    const element = hingeStop.create("s", { hinge: "block", upper: 0.3, stiffness: k }, model);
    const t0 = 0.3 / v;
    const contact = Math.PI * Math.sqrt(m / k);
    const end = runFor(model, [element], t0 + contact + 0.1, { u: [v] });
    expect(end.u[0]).toBeCloseTo(-v, 10);
    expect(end.q[0]).toBeCloseTo(0.3 - 0.1 * v, 10);
    const times = end.run.events.map((e) => e.t);
    expect(times[0]).toBeCloseTo(t0, 10);
    expect(times[1]).toBeCloseTo(t0 + contact, 10);
  });

  it("with damping dissipates the energy of the ledger, near the approximate restitution", () => {
    const [v, e] = [0.8, 0.9];
    const element = hingeStop.create("s", { hinge: "block", upper: 0.1, stiffness: 5000, damping: (1.5 * (1 - e)) / v }, model);
    const end = runFor(model, [element], 0.5, { u: [v] });
    expect(-end.u[0]! / v).toBeCloseTo(e, 1);
    expect(end.dissipated).toBeCloseTo(v ** 2 - end.u[0]! ** 2, 10);
  });

  it("refuses limits that are missing or crossed", () => {
    const create = (p: object) => () => hingeStop.create("s", { hinge: "elbow", stiffness: 1, ...p }, ARM);
    expect(create({})).toThrow(/at least one limit/);
    expect(create({ lower: 1, upper: 0 })).toThrow(/above lower, 1/);
    expect(create({ lower: 1, stiffness: 0 })).toThrow(/must be positive/);
  });
});

describe("actuator", () => {
  it("follows the schedule, and its work is in the ledger", () => {
    const model = disc(2);
    const schedule = [
      [0, 3],
      [1, -1],
      [2, 0],
    ] as const;
    const end = runFor(model, [actuator.create("m", { hinge: "disc", schedule }, model)], 3);
    expect(end.u[0]).toBeCloseTo(1, 11);
    expect(end.q[0]).toBeCloseTo(0.75 + 1.5 - 0.25 + 1, 10);
    expect(end.supplied).toBeCloseTo(0.5 * 2 * 1, 10);
  });

  it("is a first-order lag; limits apply to the motor behind the gear", () => {
    const model = disc(1e6);
    const values = { hinge: "disc", lag: 0.2, limit: 0.5, gear: 10, schedule: [[0, 100]] } as const;
    const { z } = runFor(model, [actuator.create("m", values, model)], 0.3);
    expect(z[0]).toBeCloseTo(0.5 * (1 - Math.exp(-0.3 / 0.2)), 10);
    const account = accountOf(model, actuator.create("m", { hinge: "disc", limit: 0.5, gear: 10 }, model));
    expect(account(scalar(0, 0, [3])).tau[0]).toBeCloseTo(3, 14);
    expect(account(scalar(0, 0, [100])).channels["m.torque"]).toBe(5);
  });

  it("changes no faster than its rate", () => {
    const model = disc(1e6);
    const values = { hinge: "disc", lag: 0.01, rate: 2, schedule: [[0, 100]] } as const;
    expect(runFor(model, [actuator.create("m", values, model)], 0.3).z[0]).toBeCloseTo(0.6, 10);
    expect(() => actuator.create("m", { hinge: "disc", rate: 2 }, model)).toThrow(/rate needs a lag/);
  });

  it("does not accelerate beyond its speed limit, but can brake", () => {
    const model = disc(1);
    const account = accountOf(model, actuator.create("m", { hinge: "disc", limit: 4, speed: 10 }, model));
    expect(account(scalar(0, 5, [4])).tau[0]).toBe(4);
    expect(account(scalar(0, 9.5, [4])).tau[0]).toBeCloseTo(2, 12);
    expect(account(scalar(0, 12, [4])).tau[0]).toBeCloseTo(0, 300);
    expect(account(scalar(0, 12, [-4])).tau[0]).toBe(-4);
    expect(account(scalar(0, -12, [-4])).tau[0]).toBeCloseTo(0, 300);
  });

  it("has a force as input on a slide", () => {
    expect(actuator.create("m", { hinge: "slider" }, ARM).held).toEqual(["force"]);
    expect(actuator.create("m", { hinge: "elbow" }, ARM).held).toEqual(["torque"]);
  });
});

describe("power and energy of motors", () => {
  const [J, u0, torque, time] = [2, -3, 4, 4];
  const model = disc(J);
  const end = u0 + (torque / J) * time;
  const kinetic = (u: number): number => 0.5 * J * u ** 2;
  const push: Controller<undefined> = {
    name: "push",
    period: 0,
    commands: ["m.disc"],
    start: () => undefined,
    update(_s, _memory, command) {
      command[0] = torque;
      return undefined;
    },
  };
  /** A constant torque stops the disc and then drives it the other way. */
  const run = (regeneration: boolean, kind: "actuator" | "motors") => {
    const element =
      kind === "actuator"
        ? actuator.create("m", { hinge: "disc", regeneration, schedule: [[0, torque]] }, model)
        : motors.create("m", { hinge: ["disc"], regeneration }, model);
    const system = createSystem(model, [element]);
    return simulate(system, system.start({ u: [u0] }), {
      duration: time,
      integrator: dop853,
      channels: ["m.*", "energy.*"],
      controllers: kind === "motors" ? [push] : [],
    });
  };

  it.each(["actuator", "motors"] as const)("%s with regeneration: the change of kinetic energy, and the ledger", (kind) => {
    const { log, y } = run(true, kind);
    expect(log.column("m.energy").at(-1)).toBeCloseTo(kinetic(end) - kinetic(u0), 10);
    expect(log.column("m.power")[0]).toBeCloseTo(torque * u0, 12);
    expect(log.column("energy.supplied").at(-1)).toBe(log.column("m.energy").at(-1));
    expect(y.length).toBe(1 + 1 + 1 + 8);
  });

  it.each(["actuator", "motors"] as const)("%s without regeneration: the energy of driving, and heat of braking", (kind) => {
    const { log } = run(false, kind);
    expect(Math.abs(log.column("m.energy").at(-1)! - kinetic(end))).toBeLessThan(1e-5); // the kink is inside of a step
    expect(Math.abs(log.column("energy.dissipated").at(-1)! - kinetic(u0))).toBeLessThan(1e-5);
    expect(log.column("m.power")[0]).toBe(0);
    expect(log.column("energy.supplied").at(-1)).toBe(log.column("m.energy").at(-1));
  });

  it("has no such channels without the parameter", () => {
    const system = createSystem(model, [motors.create("m", { hinge: ["disc"] }, model)]);
    expect(() => simulate(system, system.start(), { duration: 1, channels: ["m.energy"] })).toThrow(/m\.energy/);
  });
});

describe("servo", () => {
  it("settles at its command like a spring and damper, within its limit", () => {
    const model = disc(1);
    const element = servo.create("s", { hinge: "disc", kp: 25, kd: 10, position: 0.4, limit: 100 }, model);
    const end = runFor(model, [element], 1);
    expect(end.q[0]).toBeCloseTo(0.4 * (1 - Math.exp(-5) * (1 + 5)), 10);
    expect(accountOf(model, servo.create("s", { hinge: "disc", kp: 25, limit: 2 }, model))(scalar(0, 0, [9, 0])).tau[0]).toBe(2);
    expect(() => servo.create("s", { hinge: "disc" }, model)).toThrow(/needs a gain/);
  });

  it("its integral does not wind up at the limit: z = limit (1 - exp(-t ki / kd)), and the speed hardly overshoots", () => {
    const model = disc(2);
    const values = { hinge: "disc", kd: 4, ki: 8, speed: 10, limit: 3 };
    const during = (t: number) => runFor(model, [servo.create("s", values, model)], t);
    const at5 = during(5);
    expect(at5.u[0]).toBeCloseTo((3 / 2) * 5, 9); // the full torque all the time
    expect(at5.z[0]).toBeCloseTo(3 * (1 - Math.exp(-2 * 5)), 9);
    // From the limit on: 2 ë + 4 ė + 8 e = 0 with e = 0 and ė = -3/2 at first, so the speed is 10.41 at most.
    const fastest = Math.max(...[6.8, 7, 7.2, 7.4, 7.6, 8].map((t) => during(t).u[0]!));
    expect(fastest).toBeGreaterThan(10.35);
    expect(fastest).toBeLessThan(10.42);
    expect(during(20).u[0]).toBeCloseTo(10, 4);
  });

  it("without a limit, and below it, the integral is ki ∫ (speed - u) dt", () => {
    const model = disc(2);
    // 2 ë + 4 ė + 8 e = 0 with e = 1 and ė = -2 at first: e = exp(-t) (cos wt - sin wt / w), w = √3.
    const w = Math.sqrt(3);
    const speed = 1 - Math.exp(-1.5) * (Math.cos(1.5 * w) - Math.sin(1.5 * w) / w);
    for (const limit of [{}, { limit: 100 }]) {
      const end = runFor(model, [servo.create("s", { hinge: "disc", kd: 4, ki: 8, speed: 1, ...limit }, model)], 1.5);
      expect(end.u[0]).toBeCloseTo(speed, 9);
      expect(end.z[0]).toBeCloseTo(8 * (1.5 - end.q[0]!), 9);
    }
  });

  it("a position error at the limit does not change the integral; the given rate stops it without a speed gain", () => {
    const model = disc(2);
    // The spring holds the torque at its limit, and the speed error drives it back: z = -ki q, with q = t² / 2.
    const spring = { hinge: "disc", kp: 50, ki: 4, position: 9, limit: 2 };
    const end = runFor(model, [servo.create("s", spring, model)], 1);
    expect(end.q[0]).toBeCloseTo(0.5, 9);
    expect(end.z[0]).toBeCloseTo(-4 * 0.5, 9);
    // Without kd: ż = ki e - unwind (z - 2) until it is zero, so z < 2 + ki e / unwind, and then z stays as it is.
    const slow = { hinge: "disc", kp: 1e-9, ki: 4, speed: 10, limit: 2, unwind: 5 };
    const [earlier, later] = [2, 4].map((t) => runFor(model, [servo.create("s", slow, model)], t).z[0]!);
    expect(later).toBeCloseTo(earlier!, 6);
    expect(later).toBeGreaterThan(2 + 0.8 * 8);
    expect(later).toBeLessThan(2 + 0.8 * 10);
    expect(() => servo.create("s", { hinge: "disc", kd: 4, limit: 3, unwind: 5 }, model)).toThrow(
      /unwind: has no meaning without ki and limit.*Leave it out, or give both/s,
    );
  });
});

describe("thruster, wrench, generalised force", () => {
  it("a thruster off-centre gives the impulse of its schedule and its moment", () => {
    const model = hull(4, [1, 1, 2]);
    const schedule = [
      [0, 0],
      [0.2, 3],
      [0.7, 0],
    ] as const;
    const element = thruster.create("t", { frame: "mount", direction: "z", schedule }, model);
    const end = runFor(model, [element], 1);
    expect(end.u[0]).toBeCloseTo((0.5 * 3 * 0.5) / 1, 9); // lever 0.5 along y, force along z: about x, whose inertia is 1
    expect(end.supplied).toBeCloseTo(end.run.audit.length > 0 ? kinetic(end.u, 4, [1, 1, 2]) : 0, 9);
    expect(drift(end.run, "angular momentum")).toBeLessThan(1e-10);
    expect(() => thruster.create("t", { frame: "mount", schedule: [[0, -1]] }, model)).toThrow(/cannot pull/);
  });

  it("a wrench in world axes keeps its direction, one in body axes turns with the body", () => {
    const model = hull(2, [1, 1, 1]);
    const spin = { u: [0, 0, 3, 0, 0, 0] };
    const world = runFor(model, [constantWrench.create("w", { frame: "hull", force: [4, 0, 0] }, model)], 2, spin);
    expect(world.u.slice(3)).toEqual([expect.closeTo(4, 10), expect.closeTo(0, 10), expect.closeTo(0, 10)]);
    const body = runFor(model, [constantWrench.create("w", { frame: "hull", force: [4, 0, 0], axes: "body" }, model)], 2, spin);
    expect(body.u[3]).toBeCloseTo((2 * Math.sin(6)) / 3, 10);
    expect(body.u[4]).toBeCloseTo((2 * (1 - Math.cos(6))) / 3, 10);
  });

  it("a generalised force accelerates its freedom", () => {
    const model = disc(4);
    const end = runFor(model, [generalisedForce.create("g", { hinge: "disc", force: 2 }, model)], 3);
    expect(end.q[0]).toBeCloseTo(0.5 * 0.5 * 9, 11);
    expect(end.supplied).toBeCloseTo(2 * end.q[0]!, 10);
  });
});

describe("a custom element", () => {
  it("computes numerically, and its energy is audited", () => {
    const model = block(2);
    const pull = customForce(
      {
        name: "cubic",
        apply(s, out) {
          const x = s.q[0]!;
          out.tau[0]! -= 5 * x ** 3;
          out.potential += 1.25 * x ** 4;
        },
      },
      model,
    );
    expect(pull.kind).toBe("custom");
    expect(drift(runFor(model, [pull], 5, { q: [1] }).run, "energy")).toBeLessThan(1e-10);
    expect(() => customForce({ name: "idle" }, model)).toThrow(/does nothing/);
    expect(() => customForce({ name: "lost", frames: ["nowhere"], apply: () => {} }, model)).toThrow(/nowhere/);
  });
});

it("numeric and traced elements record their own values, each under its name", () => {
  const model = block(2);
  const watching = (name: string, factor: number) =>
    customForce(
      {
        name,
        channels: [
          { name: "here", unit: "m" },
          { name: "speed", unit: "m/s" },
        ],
        apply(s, out) {
          out.channels[0] = factor * s.q[0]!;
          out.channels[1] = factor * s.u[0]!;
        },
      },
      model,
    );
  const motor = actuator.create("motor", { hinge: "block" }, model);
  const system = createSystem(model, [watching("one", 1), motor, watching("ten", 10)]);
  const y0 = system.start({ q: Float64Array.of(3), u: Float64Array.of(-2) });
  const { log } = simulate(system, y0, { duration: 1, sample: 0.5, integrator: dop853, channels: ["one.*", "ten.*", "motor.*"] });
  expect(log.column("one.here")[1]).toBeCloseTo(2, 12);
  expect(log.column("one.speed")[2]).toBeCloseTo(-2, 12);
  expect(log.column("ten.here")[1]).toBeCloseTo(20, 11);
  expect(log.column("ten.speed")[2]).toBeCloseTo(-20, 11);
});

const kinetic = (u: readonly number[], m: number, I: readonly number[]): number =>
  0.5 * (I.reduce((s, i, k) => s + i * u[k]! ** 2, 0) + m * (u[3]! ** 2 + u[4]! ** 2 + u[5]! ** 2));
