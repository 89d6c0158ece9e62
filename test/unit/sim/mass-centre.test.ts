/** Mass-centre coordinates: the same motion as in coordinates of the world, and no lost digits at 6.8e6 m. */
import { describe, expect, test } from "vitest";
import type { FormulationName } from "../../../src/dynamics/formulation.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { BodyDescription, ModelDescription } from "../../../src/model/description.ts";
import type { Model } from "../../../src/model/model.ts";
import { createForce, type ForceDescription } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import { Replay } from "../../../src/sim/record/replay.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";
import type { ForceElement } from "../../../src/sim/system/force-element.ts";
import { randomModel, randomState, uniform } from "../../fixtures/models/random-model.ts";
import { gravityDifference } from "../../oracles/exact-gravity.ts";

const FIELD = { mu: 3.986004418e14, j2: 1.0826359e-3, radius: 6378136.6 };
/** A place 400 km above the Earth. */
const R: readonly [number, number, number] = [4.1e6, -3.2e6, 4.342e6];
const V: readonly [number, number, number] = [5.1e3, 5.6e3, -7e2];
const TREES: readonly FormulationName[] = ["articulated", "kane", "matrix"];

const forces = (model: Model, ...descriptions: readonly ForceDescription[]): ForceElement[] =>
  descriptions.map((description) => createForce(model, description));

/** Random trees on a free root, without uniform gravity. */
const randomTree = (seed: number, freedoms: number): Model => {
  const description = randomModel(seed, { base: "free", freedoms, massless: "none" });
  return createModel({ ...description, gravity: [0, 0, 0] });
};

const rootLinear = (model: Model): Set<number> =>
  new Set(model.bodies.filter((b) => b.parent < 0).flatMap(({ hinge: { u } }) => [u + 3, u + 4, u + 5]));

describe("the tide of gravity on a tree at rest at 6.8e6 m", () => {
  /** Hinge accelerations with exact forces, near the origin of the world. */
  function exact(model: Model, q: Float64Array): Float64Array {
    const near = createSystem(model, []);
    const probe = createSystem(model, forces(model, { kind: "point-gravity", name: "earth", ...FIELD, gradient: false }), {
      coordinates: "mass-centre",
    });
    const local = probe.start({ q, massCentre: { position: R, velocity: V } });
    // Positions of the mass centres relative to the common one, from small numbers only.
    const places = simulate(near, near.start({ q: local.y.slice(0, model.nq) }), {
      duration: 1e-9,
      sample: 1e-9,
      channels: ["frame.*"],
    }).log;
    const elements = model.bodies
      .filter((b) => b.mass > 0)
      .map((body) => {
        const at = (part: string): number => places.column(`frame.com-${body.name}.${part}`)[0]!;
        const d = [at("x"), at("y"), at("z")];
        const force = gravityDifference(FIELD, R, d).map((g) => g * body.mass);
        return createForce(model, {
          kind: "constant-wrench",
          name: `tide-${body.name}`,
          frame: `com-${body.name}`,
          force: force as [number, number, number],
        });
      });
    const system = createSystem(model, elements, { formulation: "kane" });
    return system.accelerations(system.start({ q: local.y.slice(0, model.nq) }));
  }

  /** The model with a frame at the mass centre of each body. */
  const withCentres = (seed: number, freedoms: number): Model => {
    const description = randomModel(seed, { base: "free", freedoms, massless: "none" });
    const bodies = (description.bodies as readonly BodyDescription[]).map((b) => ({
      ...b,
      frames: { ...b.frames, [`com-${b.name}`]: { at: b.com ?? [0, 0, 0] } },
    }));
    return createModel({ ...description, gravity: [0, 0, 0], bodies } as ModelDescription);
  };

  /** Error in coordinates of the world, where positions have nine digits after the metre. */
  function errorInWorld(model: Model, formulation: FormulationName, y: Float64Array, expected: Float64Array): number {
    const { q: first, onParent } = model.bodies[0]!.hinge;
    const q = y.slice(0, model.nq);
    for (const k of [0, 1, 2] as const)
      q[first + 4 + k]! += onParent.R[0][k] * R[0] + onParent.R[1][k] * R[1] + onParent.R[2][k] * R[2];
    const elements = forces(model, { kind: "point-gravity", name: "earth", ...FIELD, gradient: false });
    const system = createSystem(model, elements, { formulation });
    const isRoot = rootLinear(model);
    return Math.max(...system.accelerations(system.start({ q })).map((a, i) => (isRoot.has(i) ? 0 : Math.abs(a - expected[i]!))));
  }

  test.each([1, 2, 3, 4])("random tree %i: every formulation to 1e-12", (seed) => {
    const model = withCentres(seed, 6 + 2 * seed);
    const { q } = randomState(model, seed);
    const expected = exact(model, q);
    const isRoot = rootLinear(model);
    const size = Math.max(...expected.map((a, i) => (isRoot.has(i) ? 0 : Math.abs(a))));
    for (const formulation of TREES) {
      const system = createSystem(model, forces(model, { kind: "point-gravity", name: "earth", ...FIELD, gradient: false }), {
        formulation,
        coordinates: "mass-centre",
      });
      const state = system.start({ q, massCentre: { position: R, velocity: V } });
      const accelerations = system.accelerations(state);
      for (const [i, a] of accelerations.entries())
        if (!isRoot.has(i)) expect(Math.abs(a - expected[i]!), `${formulation} ${i}`).toBeLessThan(1e-12 * size);
      expect(errorInWorld(model, formulation, state.y, expected), formulation).toBeLessThan(1e-6 * size);
    }
  });
});

describe("the same motion as in coordinates of the world", () => {
  const LOADS = (frame: string): readonly ForceDescription[] => [
    { kind: "constant-wrench", name: "push", frame, force: [3, -2, 5], torque: [0.3, 0.2, -0.4] },
    { kind: "thruster", name: "jet", frame, direction: [1, 0.5, 0.2], thrust: 4, schedule: [[0, 1]] } as never,
  ];
  const NAMES = ["x", "y", "z"] as const;

  /** Runs in both coordinates and compares positions, velocities, accelerations and accelerometers of a frame. */
  function compare(
    model: Model,
    elements: readonly ForceElement[],
    formulation: FormulationName,
    q: Float64Array,
    u: Float64Array,
  ): void {
    const settings = { relativeTolerance: 1e-12, absoluteTolerance: 1e-13 };
    const options = { duration: 0.5, sample: 0.25, integrator: INTEGRATORS.dop853, settings, channels: ["*"] };
    const [world, local] = (["world", "mass-centre"] as const).map((coordinates) => {
      const system = createSystem(model, elements, { formulation, coordinates });
      const { state } = assemble(system, system.start({ q, u }));
      return simulate(system, state, options).log;
    }) as [ReturnType<typeof simulate>["log"], ReturnType<typeof simulate>["log"]];
    const isClose = (a: number, b: number, what: string): void =>
      expect(Math.abs(a - b), what).toBeLessThan(1e-8 * Math.max(1, Math.abs(a)));
    for (const name of world.channels.map((c) => c.name)) {
      const [a, b] = [world.column(name), local.column(name)];
      const axis = name.split(".").at(-1)!;
      const isOfFrame = /^frame\.|^centre\./.test(name) && /^v?[xyz]$/.test(axis);
      const isComparable = /^(acceleration|accelerometer|reaction|effort|q|u)\./.test(name) && !rootTranslation(model, name);
      for (let k = 0; k < a.length; k++)
        if (isOfFrame) isClose(a[k]!, b[k]! + local.column(`mass-centre.${axis}`)[k]!, `${name} ${k}`);
        else if (isComparable) isClose(a[k]!, b[k]!, `${name} ${k}`);
    }
    for (const axis of NAMES) for (const value of local.column(`centre.${axis}`)) expect(Math.abs(value)).toBeLessThan(1e-11);
    for (const axis of NAMES)
      for (const value of local.column(`momentum.linear.${axis}`)) expect(Math.abs(value)).toBeLessThan(1e-9);
  }

  const rootTranslation = (model: Model, name: string): boolean =>
    model.bodies.some((b) => b.parent < 0 && new RegExp(`^[qu]\\.${b.hinge.name}\\.v?[xyz]$`).test(name));

  test.each([11, 12, 13])("random tree %i with a push and uniform gravity", (seed) => {
    const model = createModel({
      ...randomModel(seed, { base: "free", freedoms: 8 + (seed % 3), massless: "none" }),
      gravity: [0.3, -1, 2],
    });
    const { q, u } = randomState(model, seed);
    const elements = forces(model, LOADS(model.bodies.at(-1)!.name)[0]!);
    for (const formulation of TREES) compare(model, elements, formulation, q, u);
  });

  test("two roots with rotated hinge frames and a spring between them", () => {
    const body = (name: string, x: number) => ({
      name,
      mass: 3 + x,
      com: [0.1, 0.2, -0.1],
      inertia: [1, 2, 2.5],
      hinge: { kind: "free", at: [x, 0.3, -x], rotation: { rpy: [0.3 * x, 0.2, -0.5] } },
    });
    const model = createModel({ name: "pair", bodies: [body("a", 0.5), body("b", 2)] } as never);
    const random = uniform(5);
    const q = Float64Array.from([1, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0, -1, 1, 2]);
    const u = Float64Array.from({ length: 12 }, () => random() - 0.5);
    const elements = forces(
      model,
      { kind: "frame-spring", name: "tether", from: "a", to: "b", stiffness: 20, damping: 1 },
      LOADS("b")[0]!,
    );
    for (const formulation of TREES) compare(model, elements, formulation, q, u);
  });

  test("a closed loop, every formulation", () => {
    const bar = (name: string, parent: string, at: number[]) => ({
      name,
      parent,
      mass: 2,
      com: [0.5, 0, 0],
      inertia: [0.05, 0.2, 0.2],
      hinge: { kind: "revolute", axis: "z", at },
      frames: { [`${name}-end`]: { at: [1, 0, 0] } },
    });
    const model = createModel({
      name: "frame",
      bodies: [
        { name: "hub", mass: 20, inertia: [3, 4, 5], hinge: { kind: "free" } },
        bar("left", "hub", [0, 0, 0]),
        bar("right", "hub", [1, 0, 0]),
        bar("top", "left", [1, 0, 0]),
      ],
      loops: [
        { name: "pin", kind: "revolute", axis: "z", from: { body: "top", at: [1, 0, 0] }, to: { body: "right", at: [1, 0, 0] } },
      ],
    } as never);
    const q = Float64Array.from([1, 0, 0, 0, 5, 6, 7, 1.4, 1.4, -1.4]);
    const u = Float64Array.from([0.1, 0.2, -0.3, 1, -2, 0.5, 0.4, 0.4, -0.4]);
    const elements = forces(
      model,
      { kind: "hinge-spring", name: "spring", hinge: "left", stiffness: 5, damping: 1 },
      LOADS("top")[0]!,
    );
    for (const formulation of [...TREES, "partition"] as const) compare(model, elements, formulation, q, u);
  });

  test("stiff and fixed-step integrators", () => {
    const model = randomTree(21, 9);
    const { q, u } = randomState(model, 21);
    const system = createSystem(model, forces(model, LOADS(model.bodies[0]!.name)[0]!), { coordinates: "mass-centre" });
    const end = (["dop853", "radau5", "rk4", "gauss6"] as const).map((name) => {
      const settings =
        name === "dop853" || name === "radau5" ? { relativeTolerance: 1e-10, absoluteTolerance: 1e-11 } : { step: 1e-3 };
      const { log } = simulate(system, system.start({ q, u }), {
        duration: 0.2,
        sample: 0.2,
        integrator: INTEGRATORS[name],
        settings,
        channels: ["q.*", "mass-centre.*"],
      });
      return log.channels.map((c) => log.column(c.name).at(-1)!);
    });
    for (const other of end.slice(1))
      for (const [i, value] of other.entries()) expect(Math.abs(value - end[0]![i]!)).toBeLessThan(1e-7);
  });
});

describe("a run in mass-centre coordinates", () => {
  const model = randomTree(31, 10);
  const { q, u } = randomState(model, 31);
  const frame = model.bodies.at(-1)!.name;
  const elements = forces(model, { kind: "point-gravity", name: "earth", ...FIELD });
  const system = createSystem(model, elements, { coordinates: "mass-centre" });
  const start = system.start({ q, u, massCentre: { position: R, velocity: V } });

  test("starts from positions in the world, or from the mass centre, with the same relative state", () => {
    const { nq, nu, origin } = system.layout;
    const { hinge } = model.bodies[0]!;
    const [qWorld, uWorld] = [q.slice(), u.slice()];
    for (const k of [0, 1, 2] as const) {
      qWorld[hinge.q + 4 + k]! += 1e6 * (k + 1);
      uWorld[hinge.u + 3 + k]! += 1e3 * (k + 1);
    }
    const near = system.start({ q, u });
    const far = system.start({ q: qWorld, u: uWorld });
    for (let i = 0; i < nq + nu; i++) expect(far.y[i]).toBeCloseTo(near.y[i]!, 13);
    const { R: axes } = hinge.onParent;
    for (const i of [0, 1, 2] as const) {
      const moved = [0, 1, 2].reduce((sum, k) => sum + axes[i][k as 0]! * 1e6 * (k + 1), 0);
      expect(far.y[origin! + i]! - near.y[origin! + i]!).toBeCloseTo(moved, 7);
    }
    expect(start.y.subarray(0, nq + nu)).toEqual(near.y.subarray(0, nq + nu));
    expect([...start.y.subarray(origin, origin! + 6)]).toEqual([...R, ...V]);
  });

  test("an impulse moves the mass centre and keeps it at the origin; energy and momentum are booked", () => {
    const impulse = { frame, force: [30, -20, 10], torque: [1, 2, 3] } as const;
    const plan = [{ name: "kick", at: 0.1, actions: { impulse } }] as never;
    const settings = { relativeTolerance: 1e-12, absoluteTolerance: 1e-13 };
    const options = {
      duration: 0.3,
      sample: 0.1,
      settings,
      channels: ["*"],
      plan,
      tolerances: { energy: 1e-9, "linear momentum": 1e-9, "angular momentum": 1e-9 },
    };
    const free = createSystem(model, [], { coordinates: "mass-centre" });
    const inWorld = createSystem(model, []);
    const local = simulate(free, free.start({ q, u }), options).log;
    const world = simulate(inWorld, inWorld.start({ q, u }), options).log;
    const last = local.length - 1;
    for (const axis of ["x", "y", "z"]) {
      expect(Math.abs(local.column(`momentum.linear.${axis}`)[last]!)).toBeLessThan(1e-10);
      expect(local.column(`frame.${frame}.${axis}`)[last]! + local.column(`mass-centre.${axis}`)[last]!).toBeCloseTo(
        world.column(`frame.${frame}.${axis}`)[last]!,
        8,
      );
    }
  });

  test("is saved and continued bit for bit, and replayed", () => {
    const options = { duration: 0.4, sample: 0.1, channels: ["*"], replayable: true };
    const whole = simulate(system, start, options);
    const first = new Simulation(system, start, { ...options, duration: 0.4 });
    while (first.t < 0.2) first.advance();
    const continued = new Simulation(system, first.save(), options);
    while (continued.t < 0.4) continued.advance();
    const [a, b] = [whole.log.column("mass-centre.x").at(-1), continued.state.y[system.layout.origin!]];
    expect(b).toBe(a);
    const replay = new Replay(system);
    replay.add(whole.phases!);
    const values = replay.values(["earth.radius", `acceleration.${frame}.x`], whole.log, 0);
    expect([...values]).toEqual([...whole.log.column("earth.radius"), ...whole.log.column(`acceleration.${frame}.x`)]);
  });

  test("gravity, drag, light and magnetic field are those of coordinates of the world", () => {
    const environment: readonly ForceDescription[] = [
      { kind: "drag", name: "air", density: 1e-9, scaleHeight: 6e4, referenceAltitude: 4e5, areas: [{ on: frame, area: 2 }] },
      { kind: "solar-pressure", name: "light", shadow: true, plates: [{ on: frame, area: 3, twoSided: true }] },
      { kind: "magnetic-torque", name: "field", frame, moment: [1, 2, 3] },
      { kind: "point-gravity", name: "earth", ...FIELD },
    ];
    const parts = forces(model, ...environment);
    const far = createSystem(model, parts, { coordinates: "mass-centre" });
    const state = far.start({ q, u, massCentre: { position: R, velocity: V } });
    const { nq, nu, origin } = far.layout;
    const [qWorld, uWorld] = [state.y.slice(0, nq), state.y.slice(nq, nq + nu)];
    const { hinge } = model.bodies[0]!;
    for (const k of [0, 1, 2] as const) {
      const inHinge = (first: number): number =>
        [0, 1, 2].reduce((sum, i) => sum + hinge.onParent.R[i as 0][k]! * state.y[first + i]!, 0);
      qWorld[hinge.q + 4 + k]! += inHinge(origin!);
      uWorld[hinge.u + 3 + k]! += inHinge(origin! + 3);
    }
    const world = createSystem(model, parts);
    const inWorld = world.observe(world.start({ q: qWorld, u: uWorld }));
    const local = far.observe(state);
    for (const [i, { name }] of far.channels.entries()) {
      if (name.endsWith(".power")) continue; // relative to the origin
      const [a, b] = [inWorld.channels[i]!, local.channels[i]!];
      expect(Math.abs(a - b), name).toBeLessThanOrEqual(1e-9 * Math.abs(a));
    }
  });
});

describe("refused in mass-centre coordinates", () => {
  const hull = { name: "hull", mass: 5, inertia: [1, 1, 1], hinge: { kind: "free" } } as const;
  const free = createModel({ name: "free", bodies: [hull] });
  const create = (model: Model, ...descriptions: readonly ForceDescription[]) =>
    createSystem(model, forces(model, ...descriptions), { coordinates: "mass-centre" });

  test.each<[string, ForceDescription, RegExp]>([
    ["prescribed orbit", { kind: "gravity-gradient", name: "tide", semiMajorAxis: 7e6 }, /forces\.tide: .*point-gravity/],
    [
      "orbit of drag",
      { kind: "drag", name: "air", density: 1e-12, orbit: { semiMajorAxis: 7e6 }, areas: [{ on: "hull", area: 1 }] },
      /forces\.air: .*Leave it out/,
    ],
    ["spring to the world", { kind: "frame-spring", name: "rope", from: "hull", point: [0, 0, 0], stiffness: 1 }, /forces\.rope/],
    [
      "spring on the translation",
      { kind: "hinge-spring", name: "tie", hinge: "hull.x", stiffness: 1 } as never,
      /forces\.tie: .*translation of hull/,
    ],
    ["motor on the translation", { kind: "motors", name: "motor", hinge: "hull.vx" } as never, /forces\.motor/],
    ["wheel", { kind: "wheel-on-ground", name: "wheel", wheel: "hull", radius: 0.2 }, /forces\.wheel: .*ground/],
    [
      "contact with the ground",
      {
        kind: "contact",
        name: "touch",
        shapes: [{ kind: "sphere", on: "hull", radius: 0.1 }],
        against: [{ kind: "ground" }],
        stiffness: 1e4,
      } as never,
      /forces\.touch/,
    ],
  ])("%s", (_, description, message) => {
    expect(() => create(free, description)).toThrow(message);
  });

  test("a machine on the world", () => {
    const fixed = createModel({ name: "arm", bodies: [{ ...hull, hinge: { kind: "revolute", axis: "z" } }] });
    expect(() => create(fixed)).toThrow(/coordinates: .*hull is on the world by a revolute hinge/);
    const held = createModel({
      name: "held",
      bodies: [hull],
      loops: [{ name: "pin", kind: "spherical", from: { body: "world" }, to: { body: "hull" } }],
    } as never);
    expect(() => create(held)).toThrow(/the loop pin/);
  });

  test("a mass centre in coordinates of the world", () => {
    const system = createSystem(free, []);
    expect(() => system.start({ massCentre: { position: R, velocity: V } })).toThrow(/coordinates: mass-centre/);
    expect(() => createSystem(free, [], { coordinates: "orbit" as never })).toThrow(/options\.coordinates/);
  });
});
