/** Contact in motion against closed forms: bouncing, sliding, rolling and resting. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import type { BodyDescription } from "../../../../src/model/description.ts";
import type { Model } from "../../../../src/model/model.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { rk4 } from "../../../../src/sim/integrators/rk4.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import { ringContacts } from "../../../data/docking-contacts.ts";
import { drift, runFor } from "../../../fixtures/force-run.ts";

const free = (name: string, mass: number, inertia: readonly number[]): BodyDescription => ({
  name,
  mass,
  inertia,
  hinge: { kind: "free" },
});

/** A solid ball of radius r. */
const ball = (name: string, mass: number, r: number): BodyDescription =>
  free(name, mass, [0.4 * mass * r * r, 0.4 * mass * r * r, 0.4 * mass * r * r]);

/** A solid box. */
const box = (name: string, mass: number, [x, y, z]: readonly [number, number, number]): BodyDescription =>
  free(name, mass, [(mass * (y * y + z * z)) / 12, (mass * (x * x + z * z)) / 12, (mass * (x * x + y * y)) / 12]);

const modelOf = (bodies: readonly BodyDescription[], gravity: readonly [number, number, number] = [0, 0, 0]): Model =>
  createModel({ name: "bodies", gravity, bodies });

/** Quarter turn about (1, 2, 2) / 3. */
const PORT = [
  [1 / 9, -4 / 9, 8 / 9],
  [8 / 9, 4 / 9, 1 / 9],
  [-4 / 9, 7 / 9, 4 / 9],
];

const FLOOR = { kind: "plane", axis: "z" } as const;

describe("a ball that bounces", () => {
  const r = 0.1;
  const model = modelOf([ball("ball", 2, r)]);
  const hit = (parameters: object, speed: number) => {
    const wall = readForce(
      "contact",
      "wall",
      { shapes: [{ kind: "sphere", on: "ball", radius: r }], against: [FLOOR], ...parameters },
      model,
    );
    return runFor(model, [wall], 4 / speed, { q: [1, 0, 0, 0, 0, 0, r + 1], u: [0, 0, 0, 0, 0, -speed] });
  };

  /**
   * m v dv = -k dⁿ (1 + c v) dd: what m ∫ v dv / (1 + c v) takes on the way in it gives on the way out, whatever k and n, so
   * c v - ln(1 + c v) is the same for the speeds v in and -v' out.
   */
  it.each([
    ["linear", 0.5, 1],
    ["linear", 3, 0.3],
    ["linear", 3, 0.05],
    ["hertz", 1, 0.5],
    ["hertz", 10, 0.2],
  ] as const)("by the %s law with damping %d s/m at %d m/s loses the energy of Hunt and Crossley", (law, damping, speed) => {
    const { u, run, dissipated } = hit({ law, stiffness: law === "linear" ? 1e5 : 1e7, damping }, speed);
    const out = u[5]!;
    const level = (v: number): number => damping * v - Math.log1p(damping * v);
    expect(out).toBeGreaterThan(0);
    expect(level(-out)).toBeCloseTo(level(speed), 9);
    expect(dissipated).toBeCloseTo(speed * speed - out * out, 9);
    expect(drift(run, "energy")).toBeLessThan(1e-10);
  });

  it("without damping conserves energy at any angle, and no contact is missed", () => {
    const { u, run } = hit({ stiffness: 1e6 }, 2);
    expect(u[5]).toBeCloseTo(2, 9);
    expect(run.events.map((e) => e.name)).toEqual(["wall touch", "wall touch"]);
    expect(run.events[0]!.t).toBeCloseTo(0.5, 12);
  });

  it("returns to its height repeatedly, with contacts located by events", () => {
    const falling = modelOf([ball("ball", 2, r)], [0, 0, -9.80665]);
    const floor = readForce(
      "contact",
      "floor",
      { shapes: [{ kind: "sphere", on: "ball", radius: r }], against: [FLOOR], stiffness: 1e6, law: "hertz" },
      falling,
    );
    const { run, q } = runFor(falling, [floor], 3, { q: [1, 0, 0, 0, 0, 0, r + 0.3] });
    const bounces = run.events.filter((_, i) => i % 2 === 0).map((e) => e.t);
    expect(bounces.length).toBeGreaterThan(4);
    expect(bounces[0]).toBeCloseTo(Math.sqrt((2 * 0.3) / 9.80665), 11);
    expect(q[6]).toBeGreaterThan(0);
    expect(drift(run, "energy")).toBeLessThan(1e-10);
  });
});

describe("two free bodies", () => {
  it("that collide off-centre with friction conserve momentum, and the energy balances", () => {
    const model = modelOf([box("a", 3, [0.4, 0.3, 0.2]), ball("b", 1, 0.1)]);
    const contact = readForce(
      "contact",
      "contact",
      {
        shapes: [{ kind: "sphere", on: "b", radius: 0.1 }],
        against: [{ kind: "box", on: "a", size: [0.4, 0.3, 0.2] }],
        stiffness: 1e4,
        damping: 1,
        friction: 0.4,
        bristleBend: 1e-3,
        bristleTime: 0.01,
      },
      model,
    );
    const start = { q: [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.1, 0.05], u: [0.2, -0.1, 0.3, 0, 0, 0, 1, 2, 3, -1, 0.1, 0] };
    const { run, dissipated, z } = runFor(model, [contact], 1, start);
    expect(run.events.length).toBe(2);
    expect(dissipated).toBeGreaterThan(0.01);
    expect(z[0]).toBeCloseTo(dissipated, 9); // no elastic energy remains
    expect(drift(run, "linear momentum")).toBeLessThan(1e-13);
    expect(drift(run, "angular momentum")).toBeLessThan(1e-13);
    expect(drift(run, "energy")).toBeLessThan(1e-9);
  });

  it("docking rings that push each other away return the stored energy, up to the curvature of rims", () => {
    const model = modelOf([free("ring", 40, [14.4, 7.6, 7.6]), free("passive", 400, [90, 60, 60])]);
    const elastic = ringContacts(model, { damping: 0, friction: 0 });
    const system = createSystem(model, elastic);
    // 30 mm aside and turned a little: petals slide on rims and turn the ring away.
    const q = [0.99987, 0.01, 0.008, -0.01, -0.1, 0.03, 0.02, 1, 0, 0, 0, 0, 0, 0];
    const norm = Math.hypot(...q.slice(0, 4));
    const y0 = system.start({
      q: Float64Array.from(q, (v, i) => (i < 4 ? v / norm : v)),
      u: Float64Array.from([0, 0, 0, 0.05, 0.02, 0, 0, 0, 0, 0, 0, 0]),
    });
    const channels = ["active.*", "passive.*", "sides.*", "face.*", "energy.*", "momentum.*"];
    const run = simulate(system, y0, { duration: 4, integrator: rk4, settings: { step: 5e-4 }, sample: 0.005, channels });
    const of = (name: string): Float64Array | number[] => run.log.column(name);
    const sum = (name: string): number[] =>
      Array.from(of(`active.${name}`), (_, i) =>
        ["active", "passive", "sides", "face"].reduce((total, element) => total + of(`${element}.${name}`)[i]!, 0),
      );
    const stored = Math.max(...sum("absorbed"));
    expect(Math.max(...sum("count"))).toBeGreaterThan(0);
    expect(sum("count").at(-1)).toBe(0);
    // The specification's own bound: 1.2e-4 J of 0.13 J. All of it comes from edges in rims, see contact/points/edge-rim.ts.
    expect(Math.abs(sum("absorbed").at(-1)!)).toBeLessThan(1e-3 * stored);
    expect(drift(run, "linear momentum")).toBeLessThan(1e-12);
    expect(drift(run, "angular momentum")).toBeLessThan(1e-12);
  });
});

describe("friction", () => {
  const G = 9.80665;

  it.each([
    ["regularised", { creep: 5e-3 }],
    ["with bristles", { bristleBend: 1e-4, bristleTime: 1e-3 }],
  ])("%s brings a sliding ball to rolling at 5/7 of its speed", (_, how) => {
    const r = 0.1;
    const model = modelOf([ball("ball", 2, r)], [0, 0, -G]);
    const sunk = (2 * G) / 1e5;
    const floor = readForce(
      "contact",
      "floor",
      { shapes: [{ kind: "sphere", on: "ball", radius: r }], against: [FLOOR], stiffness: 1e5, friction: 0.3, ...how },
      model,
    );
    const { u, run } = runFor(model, [floor], 1.5, { q: [1, 0, 0, 0, 0, 0, r - sunk], u: [0, 0, 0, 1.4, 0, 0] });
    expect(u[3]).toBeCloseTo(1, 6);
    expect(u[1]).toBeCloseTo(1 / r, 5);
    expect(drift(run, "energy")).toBeLessThan(1e-8);
  });

  /** Boxes on a slope of angle a, one on the other; x points down the slope. */
  const slope = (angle: number, friction: number, count: number) => {
    const size = [0.4, 0.4, 0.1] as const;
    const names = Array.from({ length: count }, (_, i) => `box${i}`);
    const model = modelOf(
      names.map((name) => box(name, 1, size)),
      [G * Math.sin(angle), 0, -G * Math.cos(angle)],
    );
    const stiffness = 2e4;
    const common = { stiffness, damping: 2, friction, bristleBend: 1e-4, bristleTime: 0.02 };
    const crate = (on: string) => ({ kind: "box", on, size });
    const elements = names.map((name, i) =>
      readForce(
        "contact",
        `under${i}`,
        { shapes: [crate(name)], against: [i === 0 ? FLOOR : { ...crate(`box${i - 1}`), size: [0.6, 0.6, 0.1] }], ...common },
        model,
      ),
    );
    // Each box sinks under its load, shared by four corners.
    let height = -0.05;
    const q = names.flatMap((_, i) => {
      height += 0.1 - ((count - i) * G * Math.cos(angle)) / (4 * stiffness);
      return [1, 0, 0, 0, 0, 0, height];
    });
    return { model, elements, q };
  };

  it("with bristles holds stacked boxes on a slope below the friction angle", () => {
    const { model, elements, q } = slope(Math.atan(0.45), 0.5, 2);
    const { run, q: end, u } = runFor(model, elements, 2, { q });
    for (const [i, v] of u.entries()) expect(Math.abs(v), `u${i}`).toBeLessThan(1e-8);
    for (const i of [4, 11]) expect(Math.abs(end[i]!)).toBeLessThan(1e-3);
    // No creep: no motion between two late samples.
    const x = run.log.column("q.box1.x");
    expect(Math.abs(x[x.length - 1]! - x[x.length - 100]!)).toBeLessThan(1e-9);
  });

  it("lets them slide above it, with g (sin a - μ cos a)", () => {
    const angle = Math.atan(0.6);
    const { model, elements, q } = slope(angle, 0.5, 1);
    const { run, u } = runFor(model, elements, 1.5, { q });
    const speeds = run.log.column("u.box0.vx");
    const times = run.log.column("t");
    const i = Array.from(times).findIndex((t) => t >= 1);
    const expected = G * (Math.sin(angle) - 0.5 * Math.cos(angle));
    expect((u[3]! - speeds[i]!) / (times[times.length - 1]! - times[i]!)).toBeCloseTo(expected, 5);
    expect(drift(run, "energy")).toBeLessThan(1e-6);
  });
});

describe("channels of contact", () => {
  const model = createModel({
    name: "pair",
    bodies: [
      { ...free("a", 2, [1, 1, 1]), frames: { port: { at: [0.1, 0.2, 0.3], rotation: { matrix: PORT } } } },
      free("b", 1, [1, 1, 1]),
    ],
  });
  const parameters = {
    shapes: [{ kind: "sphere", name: "knob", on: "a", at: [0.5, 0, 0], radius: 0.2, copies: 4, around: "z" }],
    against: [{ kind: "sphere", on: "b", radius: 0.6 }],
    stiffness: 1e4,
    friction: 0.3,
  };
  const start = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.4, 0.2];
  const speeds = [0.1, 0.2, -0.3, 0.1, 0, 0, 0, 0.5, 0, -0.2, 0.1, 0];

  /** The channels of an element at the start. */
  const told = (seenFrom?: string): Map<string, number> => {
    const element = readForce("contact", "c", { ...parameters, ...(seenFrom !== undefined && { seenFrom }) }, model);
    const system = createSystem(model, [element]);
    const { channels } = system.observe(system.start({ q: start, u: speeds }));
    return new Map(system.channels.map(({ name }, i) => [name, channels[i]!]));
  };
  const vector = (channels: Map<string, number>, name: string): number[] =>
    ["x", "y", "z"].map((axis) => channels.get(`${name}${axis}`)!);
  const cross = (a: readonly number[], b: readonly number[]): number[] =>
    [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!);

  it("are the sum of the pairs, about the world's origin", () => {
    const channels = told();
    const force = [0, 0, 0];
    const torque = [0, 0, 0];
    let [load, count] = [0, 0];
    for (const k of [1, 2, 3, 4]) {
      const [f, p] = [vector(channels, `c.knob${k}-1.f`), vector(channels, `c.knob${k}-1.p`)];
      for (let i = 0; i < 3; i++) {
        force[i]! += f[i]!;
        torque[i]! += cross(p, f)[i]!;
      }
      load += channels.get(`c.knob${k}-1.load`)!;
      count += channels.get(`c.knob${k}-1.depth`)! > 0 ? 1 : 0;
    }
    expect(count).toBe(2);
    expect(channels.get("c.count")).toBe(2);
    expect(channels.get("c.load")).toBeCloseTo(load, 9);
    for (let i = 0; i < 3; i++) {
      expect(vector(channels, "c.f")[i]).toBeCloseTo(force[i]!, 9);
      expect(vector(channels, "c.t")[i]).toBeCloseTo(torque[i]!, 9);
    }
  });

  it("are the same about a frame, in its axes", () => {
    const [world, port] = [told(), told("port")];
    const [f, t] = [vector(world, "c.f"), vector(world, "c.t")];
    const about = cross([0.1, 0.2, 0.3], f).map((x, i) => t[i]! - x);
    for (let i = 0; i < 3; i++) {
      expect(vector(port, "c.f")[i]).toBeCloseTo(
        f.reduce((sum, x, k) => sum + PORT[k]![i]! * x, 0),
        9,
      );
      expect(vector(port, "c.t")[i]).toBeCloseTo(
        about.reduce((sum, x, k) => sum + PORT[k]![i]! * x, 0),
        9,
      );
    }
  });

  it("are bit-identical for all kernel targets", () => {
    const end = (target: "wasm" | "js"): number[] => {
      const system = createSystem(model, [readForce("contact", "c", { ...parameters, bristleBend: 1e-3 }, model)], { target });
      const y0 = system.start({ q: Float64Array.from(start), u: Float64Array.from(speeds) });
      return [...simulate(system, y0, { duration: 0.02, integrator: rk4, settings: { step: 1e-4 } }).y];
    };
    expect(end("js")).toEqual(end("wasm"));
  });
});
