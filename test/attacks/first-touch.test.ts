/** Contacts, latches and stops are never passed over by a step, whatever the speed, the distance and the integrator. */
import { describe, expect, it } from "vitest";
import { mound } from "../../src/ground/shapes.ts";
import { heightAt, placeTerrain, plane, sumOf } from "../../src/ground/terrain.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { readForce } from "../../src/parts/force/forces.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS, type IntegratorName } from "../../src/sim/integrators/index.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import { Simulation, type SimulationRun } from "../../src/sim/run/simulation.ts";
import { uniform } from "../fixtures/models/random-model.ts";

const ball = (name: string) => ({ name, mass: 1, inertia: [0.004, 0.004, 0.004], hinge: { kind: "free" } }) as const;
const RADIUS = 0.1;

/** Ball a at a distance along x and y from ball b, which is at rest. */
function approach(
  from: readonly [number, number],
  speed: number,
  duration: number,
  until: "touch" | "end" = "end",
  integrator: IntegratorName = "dop853",
): SimulationRun {
  const model = createModel({ name: "balls", gravity: [0, 0, 0], bodies: [ball("a"), ball("b")] });
  const contact = readForce(
    "contact",
    "balls",
    { shapes: ["a", "b"].map((on) => ({ kind: "sphere", on, radius: RADIUS })), stiffness: 1e5 },
    model,
  );
  const system = createSystem(model, [contact]);
  const q = [1, 0, 0, 0, ...from, 0, 1, 0, 0, 0, 0, 0, 0];
  const u = [0, 0, 0, -speed, 0, 0, 0, 0, 0, 0, 0, 0];
  const settings = INTEGRATORS[integrator].adaptive ? {} : { step: duration / 100 };
  const simulation = new Simulation(system, system.start({ q, u }), { duration, integrator, settings });
  const isOver = (): boolean => simulation.end !== undefined || (until === "touch" && simulation.result().events.length > 0);
  while (!isOver()) simulation.advance();
  return simulation.result();
}

describe("a ball that starts 100 m away", () => {
  it.each(["dop853", "dopri5", "radau5", "dopri5-radau5", "rk4", "rkg", "gauss6"] as const)(
    "hits another one centrally at the time of the closed form, with %s",
    (integrator) => {
      const run = approach([100, 0], 10, 12, "touch", integrator);
      expect(run.events[0]!.name).toBe("balls touch");
      expect(run.events[0]!.t).toBeCloseTo((100 - 2 * RADIUS) / 10, 9);
    },
  );

  it("passes its momentum on to the other one, at default settings", () => {
    const run = approach([100, 0], 10, 12);
    expect(run.u[3]).toBeCloseTo(0, 6);
    expect(run.u[9]).toBeCloseTo(-10, 6);
    expect(run.events).toHaveLength(2);
  });

  it("touches one that it grazes by a thousandth of its radius, and does not touch one that it misses by as much", () => {
    const [inside, outside] = [0.1999, 0.2001].map((aside) => approach([100, aside], 10, 12).events);
    expect(inside).toHaveLength(2);
    expect(inside![0]!.t).toBeCloseTo((100 - Math.sqrt(0.04 - 0.1999 * 0.1999)) / 10, 9);
    expect(outside).toEqual([]);
  });
});

it("150 random approaches of two balls touch where the closed form says so, and when", () => {
  const next = uniform(19);
  let touched = 0;
  for (let k = 0; k < 150; k++) {
    const speed = 0.01 * 1e4 ** next();
    const distance = 1 + 1e3 ** next();
    const aside = 0.3 * next();
    const exact = aside < 2 * RADIUS ? (distance - Math.sqrt(4 * RADIUS * RADIUS - aside * aside)) / speed : undefined;
    const run = approach([distance, aside], speed, (1.5 * distance) / speed, "touch");
    if (exact === undefined) expect(run.events).toEqual([]);
    else {
      touched++;
      expect(Math.abs(run.events[0]!.t - exact)).toBeLessThan(1e-9 + 1e-12 * exact);
    }
  }
  expect(touched).toBeGreaterThan(75);
});

const craft = (name: string) => ({ name, mass: 1, inertia: [0.1, 0.1, 0.1], hinge: { kind: "free" } }) as const;

describe("a ball on a rotor that turns 10,000 rad in a few steps", () => {
  /** A ball on a rotor at 100 rad/s, and one at rest beside it, `y` from the axle. */
  const spin = (y: number): SimulationRun => {
    const rotor = { name: "rotor", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", axis: "z" } } as const;
    const model = createModel({ name: "rotor", gravity: [0, 0, 0], bodies: [rotor, ball("ball")] });
    const parameters = {
      shapes: [{ kind: "sphere", on: "rotor", at: [1, 0, 0], radius: RADIUS }],
      against: [{ kind: "sphere", on: "ball", radius: RADIUS }],
      stiffness: 1e6,
    };
    const system = createSystem(model, [readForce("contact", "blade", parameters, model)]);
    const simulation = new Simulation(system, system.start({ q: [0, 1, 0, 0, 0, 0, y, 0], u: [100, 0, 0, 0, 0, 0, 0] }), {
      duration: 100,
    });
    while (simulation.end === undefined && simulation.result().events.length === 0) simulation.advance();
    return simulation.result();
  };

  it("touches a ball in its way", () => {
    const y = 1.1999;
    // |(cos φ, sin φ) - (0, y)| = 0.2 at the angle φ.
    const angle = Math.asin((1 + y * y - 0.04) / (2 * y));
    expect(spin(y).events[0]!.t).toBeCloseTo(angle / 100, 9);
  });

  it("never touches a ball that is 1 mm out of its way", () => {
    const { events, counts } = spin(1.201);
    expect(events).toEqual([]);
    expect(counts.steps).toBeLessThan(100);
  });
});

it.each(["rk4", "rkg", "gauss6"] as const)("%s returns to its grid of steps after an event", (name) => {
  const problem = { size: 1, derivative: (_t: number, _y: Float64Array, ydot: Float64Array) => void ydot.fill(1) };
  const stepper = INTEGRATORS[name].start(problem, { step: 0.1 });
  stepper.restart(0, Float64Array.of(0));
  stepper.step(1);
  stepper.step(1);
  stepper.restart(0.13, Float64Array.of(0.13));
  for (const t of [0.2, 0.1 * 3]) {
    stepper.step(1);
    expect(stepper.t).toBe(t);
    expect(stepper.y[0]).toBeCloseTo(t, 14);
  }
});

describe("a latch", () => {
  /** A striker that flies past a latch at 50 m/s from 100 m away, `aside` from its axis. */
  const pass = (aside: number, integrator: IntegratorName = "dop853"): SimulationRun => {
    const model = createModel({ name: "craft", gravity: [0, 0, 0], bodies: [craft("port"), craft("probe")] });
    const parameters = { latch: "port", striker: "probe", reach: 0.01, depth: 0.03, lateral: 0.02, stiffness: 100 };
    const system = createSystem(model, [readForce("latch", "catch", parameters, model)]);
    const q = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 100, aside, 0];
    const u = [0, 0, 0, 0, 0, 0, 0, 0, 0, -50, 0, 0];
    const settings = INTEGRATORS[integrator].adaptive ? {} : { step: 0.7 };
    return simulate(system, system.start({ q, u }), { duration: 3, integrator, settings });
  };

  it.each(["dop853", "dopri5", "radau5", "rk4", "gauss6"] as const)(
    "catches a striker that is in it for 0.8 ms, with %s",
    (name) => {
      const [engaged] = pass(0.0199, name).timeline;
      expect(engaged!.name).toBe("catch.engage");
      expect(engaged!.t).toBeCloseTo((100 - 0.01) / 50, 9);
    },
  );

  it.each([
    [0.0201, "by 0.0001 m"],
    [0.5, "by 0.48 m"],
  ])("says truly why it did not catch one that passes %d m from its axis", (aside, by) => {
    const run = pass(aside);
    expect(run.timeline).toEqual([]);
    expect(run.reasons["catch.engage"]).toContain(`its striker is farther from the axis than 0.02 m, ${by}`);
    const [, t] = /t = ([\d.]+) s/.exec(run.reasons["catch.engage"]!)!;
    expect(Math.abs(Number(t) - 2)).toBeLessThan(0.02); // 1 m of its flight
  });

  it("says truly which way one fell short that turns back before it", () => {
    const model = createModel({ name: "craft", gravity: [0, 0, 0], bodies: [craft("probe"), craft("port")] });
    const parameters = { latch: "port", striker: "probe", reach: 0.01, depth: 0.03, lateral: 0.02, stiffness: 100 };
    const brake = readForce("constant-wrench", "brake", { frame: "probe", force: [1, 0, 0] }, model);
    const system = createSystem(model, [readForce("latch", "catch", parameters, model), brake]);
    // x = 5 - 3 t + t² / 2: closest at 3 s, 0.5 m away.
    const q = [1, 0, 0, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    const run = simulate(system, system.start({ q, u: [0, 0, 0, -3, 0, 0, 0, 0, 0, 0, 0, 0] }), { duration: 7 });
    expect(run.reasons["catch.engage"]).toBe(
      "closest at t = 3 s: its striker is farther along the axis than its reach, 0.01 m, by 0.49 m",
    );
  });
});

it("a hinge stop is met where the coordinate reaches it, also after a step of many turns", () => {
  const model = createModel({
    name: "rotor",
    gravity: [0, 0, 0],
    bodies: [{ name: "rotor", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", axis: "z" } }],
  });
  const system = createSystem(model, [readForce("stop", "stop", { hinge: "rotor", upper: 500, stiffness: 1e4 }, model)]);
  const run = simulate(system, system.start({ q: [0], u: [100] }), { duration: 6 });
  expect(run.events.map(({ name }) => name)).toEqual(["stop upper", "stop upper"]);
  expect(run.events[0]!.t).toBeCloseTo(5, 12);
  expect(run.events[1]!.t).toBeCloseTo(5 + Math.PI / 100, 8); // half a period of √(k / I)
  expect(run.u[0]).toBeCloseTo(-100, 5);
});

describe("ground", () => {
  const hills = sumOf([plane(0, 0.1, 0), placeTerrain(mound(2, 20), 300, 0, 0)]);
  /** Time at which a straight flight meets the surface, by ever smaller steps. */
  const firstBelow = (x0: number, z0: number, vx: number, vz: number): number => {
    let t = 0;
    for (const dt of [1e-2, 1e-5, 1e-8, 1e-11])
      for (t = Math.max(0, t - 1000 * dt); z0 + vz * t > heightAt(hills, x0 + vx * t, 0); t += dt);
    return t;
  };

  it.each(["dop853", "radau5", "rk4"] as const)(
    "is found under a point that comes down from 80 m at 100 m/s, with %s",
    (integrator) => {
      const model = createModel({ name: "lander", gravity: [0, 0, 0], bodies: [craft("lander")] });
      const parameters = {
        shapes: [{ kind: "point", on: "lander" }],
        against: [{ kind: "ground" }],
        stiffness: 1e6,
        damping: 0.1,
      };
      const contact = readForce("contact", "feet", parameters, model, { terrain: hills });
      const system = createSystem(model, [contact]);
      const settings = INTEGRATORS[integrator].adaptive ? {} : { step: 0.5 };
      const start = system.start({ q: [1, 0, 0, 0, 0, 0, 80], u: [0, 0, 0, 98, 0, -16] });
      const simulation = new Simulation(system, start, { duration: 10, integrator, settings });
      while (simulation.result().events.length === 0) simulation.advance();
      expect(simulation.result().events[0]!.t).toBeCloseTo(firstBelow(0, 80, 98, -16), 8);
    },
  );

  it.each(["point", "rim"] as const)("is found under a wheel (contact: %s) that falls on it in one step", (where) => {
    const model = createModel({ name: "rover", gravity: [0, 0, 0], bodies: [craft("wheel")] });
    const parameters = { wheel: "wheel", axle: "y", radius: 0.2, contact: where, stiffness: 1e6 };
    const system = createSystem(model, [readForce("wheel-on-ground", "tread", parameters, model)]);
    const run = simulate(system, system.start({ q: [1, 0, 0, 0, 0, 0, 50], u: [0, 0, 0, 0, 0, -10] }), { duration: 6 });
    expect(run.events[0]!.name).toBe("tread touch");
    expect(run.events[0]!.t).toBeCloseTo((50 - 0.2) / 10, 9);
    expect(run.u[5]).toBeGreaterThan(0);
  });
});
