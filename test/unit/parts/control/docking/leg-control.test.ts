import { describe, expect, it } from "vitest";
import { FormatError, ModelError } from "../../../../../src/errors.ts";
import { compile } from "../../../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../../../src/model/build/create-model.ts";
import { frameOf, homeOf, type Model } from "../../../../../src/model/model.ts";
import { createController } from "../../../../../src/parts/control/controllers.ts";
import { DockingPhases, PHASES } from "../../../../../src/parts/control/docking/docking-phases.ts";
import { Platform, type PlatformLeg } from "../../../../../src/parts/control/docking/platform.ts";
import { WrenchSensor } from "../../../../../src/parts/control/docking/wrench-sensor.ts";
import { withLink } from "../../../../../src/parts/control/link/with-link.ts";
import { createForce } from "../../../../../src/parts/force/forces.ts";
import { createSystem } from "../../../../../src/sim/create-system.ts";
import type { Controller } from "../../../../../src/sim/run/controller.ts";
import { assemble } from "../../../../../src/sim/system/assembly.ts";
import type { Snapshot } from "../../../../../src/sim/system/force-element.ts";
import { layoutOf } from "../../../../../src/sim/system/layout.ts";
import { framesProgram } from "../../../../../src/sim/system/motion-program.ts";
import { runFor } from "../../../../fixtures/force-run.ts";
import { builtIn } from "../../../../fixtures/models/pendulum.ts";
import { uniform } from "../../../../fixtures/models/random-model.ts";

const DOCKING = builtIn("docking-soft-capture").model;

const leg = (model: Model, hinge: string, joint?: string): PlatformLeg => {
  const { u, q } = model.bodies.find((body) => body.hinge.name === hinge)!.hinge;
  const freedom = { name: hinge, speedName: hinge, hinge, speedInHinge: 0, u, coordinateInHinge: 0, q, motion: "slide" as const };
  return { hinge: freedom, joint };
};
const legsOf = (joints: readonly (string | undefined)[] = []): PlatformLeg[] =>
  [1, 2, 3, 4, 5, 6].map((i) => leg(DOCKING, `rod${i}`, joints[i - 1]));
const platformOf = (legs = legsOf()): Platform => new Platform("active", "ring", "face", [0.4, 0, 0], legs, DOCKING);

/** The closed mechanism with random pose and twist of the ring, in a vehicle that moves. */
function randomMotion(seed: number, { frames }: Platform): Snapshot {
  const next = uniform(seed);
  const random = (size: number): number => size * (2 * next() - 1);
  const hingeOf = (name: string) => DOCKING.bodies.find((body) => body.name === name)!.hinge;
  const q = homeOf(DOCKING);
  const u = new Float64Array(DOCKING.nu);
  for (const [name, turn, shift] of [
    ["active", 0.5, 1],
    ["ring", 0.05, 0.03],
  ] as const) {
    const hinge = hingeOf(name);
    const quaternion = [1, random(turn), random(turn), random(turn)];
    for (let k = 0; k < 4; k++) q[hinge.q + k] = quaternion[k]! / Math.hypot(...quaternion);
    for (let k = 0; k < 3; k++) q[hinge.q + 4 + k] = random(shift);
    for (let k = 0; k < 6; k++) u[hinge.u + k] = random(0.1);
  }
  q[hingeOf("ring").q + 4]! -= 0.05;
  const system = createSystem(DOCKING, []);
  const { state } = assemble(system, system.start({ q, u }), { hold: ["active", "ring"] });
  const closed = { q: state.y.slice(0, DOCKING.nq), u: state.y.slice(DOCKING.nq, DOCKING.nq + DOCKING.nu) };
  const kernel = compile(
    framesProgram(
      layoutOf(DOCKING, []),
      frames.map((name) => frameOf(DOCKING, name)),
    ),
  );
  kernel.x.set([...closed.q, ...closed.u]);
  kernel.evaluate();
  return { model: DOCKING, t: 0, ...closed, z: new Float64Array(0), frames: kernel.y.slice() };
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((sum, x, i) => sum + x * b[i]!, 0);

describe("a platform on legs", () => {
  it("has the pose of the ring's hinge, and its forces have the power of the wrench in the closed mechanism", () => {
    const platform = platformOf();
    for (let seed = 1; seed <= 8; seed++) {
      const s = randomMotion(seed, platform);
      platform.take(s); // also compares the rates of the legs with the twist
      const ring = DOCKING.bodies.find((body) => body.name === "ring")!.hinge;
      for (let k = 0; k < 3; k++) expect(platform.pose[3 + k]).toBeCloseTo(s.q[ring.q + 4 + k]!, 12);
      for (let k = 0; k < 6; k++) expect(platform.twist[k]).toBeCloseTo(s.u[ring.u + k]!, 12);
      const half = Math.hypot(...platform.pose.slice(0, 3)) / 2;
      expect(Math.cos(half)).toBeCloseTo(s.q[ring.q]!, 12);
      const wrench = Float64Array.from({ length: 6 }, (_, k) => 100 * Math.sin(3 * k + seed));
      const forces = new Float64Array(6);
      platform.forces(wrench, forces);
      const rates = legsOf().map(({ hinge }) => s.u[hinge.u]!);
      expect(Math.max(...rates.map(Math.abs))).toBeGreaterThan(0.01);
      expect(dot(forces, rates)).toBeCloseTo(dot(wrench, platform.twist), 8);
    }
  });

  it("a wrench at the sensor has the same power at the ring's origin", () => {
    const platform = platformOf();
    const s = randomMotion(3, platform);
    platform.take(s);
    const atRing = new Float64Array(6);
    const atSensor = [3, -5, 2, 40, 20, -30];
    platform.fromSensor(s, Float64Array.from(atSensor), atRing);
    // Power of the sensor's wrench, relative to the base: in world axes, from the frames of base and sensor.
    const [B, S] = [0, 36];
    const f = s.frames;
    const world = (v: readonly number[]): number[] => [0, 1, 2].map((r) => dot(f.slice(S + 3 * r, S + 3 * r + 3), v));
    const [torque, force] = [world(atSensor.slice(0, 3)), world(atSensor.slice(3))];
    const w = [0, 1, 2].map((k) => f[S + 12 + k]! - f[B + 12 + k]!);
    const d = [0, 1, 2].map((k) => f[S + 9 + k]! - f[B + 9 + k]!);
    const turn = [0, 1, 2].map(
      (k) => f[B + 12 + ((k + 1) % 3)]! * d[(k + 2) % 3]! - f[B + 12 + ((k + 2) % 3)]! * d[(k + 1) % 3]!,
    );
    const v = [0, 1, 2].map((k) => f[S + 15 + k]! - f[B + 15 + k]! - turn[k]!);
    expect(dot(atRing, platform.twist)).toBeCloseTo(dot(torque, w) + dot(force, v), 12);
  });

  it("refuses legs whose joints are elsewhere, and legs on one line", () => {
    const wrong = platformOf(legsOf([undefined, "face"]));
    const s = randomMotion(2, wrong);
    expect(() => wrong.take(s)).toThrow(/legs\[1\].*rod2 slides at .* but the motion of the ring gives/s);
    const twice = platformOf([...legsOf().slice(0, 5), leg(DOCKING, "rod1")]);
    expect(() => twice.take(randomMotion(2, twice))).toThrow(/singular/);
  });
});

describe("a six-axis sensor", () => {
  const shown = (options: object, truth: (k: number) => number, count: number): number[] => {
    const sensor = new WrenchSensor({ period: 0.001, noise: [0, 0], filter: 0, delay: 0, seed: 0, ...options });
    const memory = sensor.start();
    const out = new Float64Array(6);
    return Array.from({ length: count }, (_, k) => {
      sensor.read(new Float64Array(6).fill(truth(k)), memory, out);
      return out[5]!;
    });
  };

  it("delays by whole updates, and filters with its time constant", () => {
    expect(shown({}, (k) => k, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(shown({ delay: 0.0021 }, (k) => k + 1, 5)).toEqual([0, 0, 1, 2, 3]);
    const step = shown({ filter: 0.02 }, () => 1, 40);
    for (const [k, value] of step.entries()) expect(value).toBeCloseTo(1 - Math.exp(-(k + 1) / 20), 13);
  });

  it("its noise has the standard deviation that is given, and depends on the seed only", () => {
    const noise = shown({ noise: [0, 2], seed: 4 }, () => 0, 20_000);
    const mean = noise.reduce((a, b) => a + b, 0) / noise.length;
    const deviation = Math.sqrt(noise.reduce((a, b) => a + (b - mean) ** 2, 0) / noise.length);
    expect(Math.abs(mean)).toBeLessThan((3 * 2) / Math.sqrt(noise.length)); // three standard errors
    expect(Math.abs(deviation / 2 - 1)).toBeLessThan(0.02);
    expect(Math.max(...noise.map(Math.abs))).toBeLessThanOrEqual(6);
    expect(shown({ noise: [0, 2], seed: 4 }, () => 0, 9)).toEqual(noise.slice(0, 9));
    expect(shown({ noise: [0, 2], seed: 5 }, () => 0, 9)).not.toEqual(noise.slice(0, 9));
  });
});

describe("the phases of a docking", () => {
  const conditions = {
    ...{ contact: 20, rest: [0.01, 0.01], within: [0.02, 0.02], dwell: 0.5, retracted: -0.2 },
    ...{ timeouts: [undefined, 5, 9, 9, 9, undefined], latches: ["a", "b"] },
  };
  const at = (t: number, { force = 0, engaged = [0, 0], pose = [0, 0, 0, 0, 0, 0], twist = [0, 0, 0, 0, 0, 0] } = {}) => ({
    ...{ t, force, engaged: Float64Array.from(engaged) },
    ...{ pose: Float64Array.from(pose), twist: Float64Array.from(twist) },
  });

  it("follow each other by contact, latches, rest, alignment and retraction", () => {
    const phases = new DockingPhases(conditions);
    const memory = phases.start(0);
    const follow = (...inputs: readonly ReturnType<typeof at>[]): string => {
      for (const now of inputs) phases.update(memory, now);
      return PHASES[memory.phase]!;
    };
    const engaged = [1, 1];
    expect(follow(at(0.1, { force: 19 }))).toBe("ready");
    expect(follow(at(0.2, { force: 21 }))).toBe("lunge");
    expect(follow(at(0.3, { engaged: [1, 0] }))).toBe("lunge");
    expect(follow(at(1, { engaged }))).toBe("attenuate");
    const moving = { engaged, twist: [0, 0, 0, 0.02, 0, 0] };
    expect(follow(at(2, moving), at(2.4, { engaged }), at(2.6, moving), at(3, { engaged }))).toBe("attenuate"); // calm too short
    const off = { engaged, pose: [0, 0, 0, -0.1, 0.03, 0] };
    expect(follow(at(3.2, off))).toBe("align");
    expect(memory.axial).toBe(-0.1);
    expect(follow(at(5, off))).toBe("align");
    const aligned = { engaged, pose: [0.01, 0, 0, -0.1, 0.01, 0] };
    expect(follow(at(5.1, aligned), at(5.7, aligned))).toBe("retract");
    expect(memory.axial).toBe(-0.1);
    expect(follow(at(7, aligned), at(8, aligned))).toBe("retract");
    const retracted = { engaged, pose: [0.01, 0, 0, -0.19, 0.01, 0] };
    expect(follow(at(9, retracted), at(9.5, retracted))).toBe("hold");
  });

  it("say what they wait for when they last too long", () => {
    const phases = new DockingPhases(conditions);
    const memory = phases.start(0);
    expect(phases.timedOut(memory, at(100))).toBe(undefined);
    phases.update(memory, at(1, { force: 50 }));
    expect(phases.timedOut(memory, at(5.9))).toBe(undefined);
    expect(phases.timedOut(memory, at(6, { engaged: [0, 1] }))).toBe("lunge has lasted 5 s, and a not engaged");
    phases.update(memory, at(6, { engaged: [1, 1] }));
    const late = at(15, { twist: [0, 0, 0, 0.03, 0, 0] });
    expect(phases.timedOut(memory, late)).toMatch(
      /^attenuate has lasted 9 s, and the ring turns at .* moves at 0.0300 m\/s \(rest: 0.01\)/,
    );
  });
});

/** A ring of 10 kg on one leg, pushed by 12 N, and a latch that is far away. */
const ONE_LEG = createModel({
  name: "one leg",
  bodies: [
    { name: "base", mass: 1, inertia: [1, 1, 1], hinge: { kind: "fixed" }, frames: { far: { at: [9, 0, 0] } } },
    {
      name: "ring",
      parent: "base",
      mass: 10,
      inertia: [1, 1, 1],
      hinge: { kind: "prismatic", name: "leg", axis: "x", at: [0.4, 0, 0] },
    },
  ],
});
const FORCES = [
  createForce(ONE_LEG, { kind: "motors", name: "motors", hinge: "leg" }),
  createForce(ONE_LEG, { kind: "constant-wrench", name: "push", frame: "ring", force: [12, 0, 0] }),
  createForce(ONE_LEG, {
    kind: "latch",
    name: "latch",
    latch: "ring",
    striker: "far",
    reach: 0.1,
    depth: 0.1,
    lateral: 1,
    stiffness: 1,
  }),
];
const control = (lunge: object, sensor: object = {}): Controller =>
  createController(ONE_LEG, {
    ...{ kind: "leg-control", name: "control", period: 0.01, motors: "motors", base: "base", ring: "ring", home: [0.4, 0, 0] },
    ...{ legs: [{ hinge: "leg" }], latches: ["latch"], sensor: { frame: "ring", ...sensor }, contact: 1e3, lunge },
    ...{ attenuate: {}, align: {}, retract: { speed: 1, position: 0 } },
  });
const displacement = (lunge: object, sensor?: object, duration = 0.5): number =>
  runFor(ONE_LEG, FORCES, duration, {}, [control(lunge, sensor)]).q[0]!;

describe("leg-control", () => {
  it("with a gain, the ring answers a load as if it had 1 / (1 + gain) of its inertia, from the delay of the sensor on", () => {
    expect(displacement({})).toBeCloseTo((0.5 * 12 * 0.25) / 10, 12);
    expect(displacement({ gain: 2 })).toBeCloseTo((3 * 0.5 * 12 * 0.25) / 10, 12);
    expect(displacement({ gain: 2 }, { delay: 0.1 })).toBeCloseTo((0.5 * 12 * (0.25 + 2 * 0.16)) / 10, 12);
  });

  it("with stiffness and damping, the ring comes to rest where the spring carries the load; `most` limits both", () => {
    const law = { stiffness: [0, 0, 0, 200, 0, 0], damping: [0, 0, 0, 100, 0, 0] };
    expect(displacement(law, {}, 10)).toBeCloseTo(12 / 200, 8);
    // The limit of 2 N is reached in the first updates: then the ring is accelerated by 10 N.
    const limited = displacement({ ...law, most: [1, 1, 1, 2, 1, 1] });
    expect(limited).toBeGreaterThan((0.5 * 10 * 0.25) / 10);
    expect(limited).toBeLessThan((0.5 * 10 * 0.25) / 10 + 0.005);
  });

  it("refuses legs that do not slide, and memories of other runs", () => {
    const wrong = () =>
      createController(DOCKING, {
        ...{ kind: "leg-control", name: "control", motors: "motors", base: "active", ring: "ring", home: [0.4, 0, 0] },
        ...{ legs: [{ hinge: "cylinder1.rx" }], latches: [], sensor: { frame: "ring" }, lunge: {} },
        ...{ attenuate: {}, align: {}, retract: { speed: 1, position: 0 } },
      });
    expect(wrong).toThrow(ModelError);
    const controller = control({});
    const memory = controller.start(ONE_LEG, { t: 0 } as Snapshot) as { phases: { phase: number } };
    expect(() => controller.decode!({ ...memory, phases: { ...memory.phases, phase: 7 } }, ONE_LEG)).toThrow(FormatError);
  });
});

describe("measured channels", () => {
  const measuring = (period: number, measures: readonly string[]): Controller<number[]> => ({
    ...{
      name: "reader",
      period,
      commands: ["motors.leg"],
      measures,
      channels: measures.map((_, i) => ({ name: `c${i}`, unit: "" })),
    },
    start: () => [],
    update(s, _memory, command) {
      command[0] = s.t + 1;
      return [...s.measured!];
    },
    report: (memory, out) => out.set(memory),
  });

  it("have the values at the update, with the commands before it", () => {
    const { run } = runFor(ONE_LEG, FORCES, 0.25, {}, [measuring(0.1, ["q.leg", "load.ring.fx", "held.motors.leg"])]);
    const last = run.state.discrete.run!.controllers[0]!.values;
    // The load of 12 N and commands of 1 N, then 1.1 N, for 0.1 s each.
    const [first, second] = [13 / 10, 13.1 / 10];
    expect(last[0]).toBeCloseTo(0.5 * first * 0.01 + first * 0.01 + 0.5 * second * 0.01, 13);
    expect(last[1]).toBe(12);
    expect(last[2]).toBeCloseTo(1.1, 15);
  });

  it("reach a law behind a link with the telemetry", () => {
    const settings = { commandDelay: 0, telemetryDelay: 0.1, loss: 0, seed: 0, period: undefined, timeout: undefined };
    const note = (): never => expect.fail("valid settings");
    const linked = withLink(measuring(0.1, ["q.leg", "load.ring.fx"]), settings, ONE_LEG, note);
    const { run } = runFor(ONE_LEG, FORCES, 0.25, {}, [linked]);
    const last = run.state.discrete.run!.controllers[0]!.values;
    // At 0.2 s the law sees 0.1 s. Until then the first command was not there: only the load of 12 N acts.
    expect(last[0]).toBeCloseTo(0.5 * 1.2 * 0.01, 13);
    expect(last[1]).toBe(12);
  });

  it("must exist, and a continuous law has none", () => {
    expect(() => runFor(ONE_LEG, FORCES, 0.1, {}, [measuring(0.1, ["q.log"])])).toThrow(/no channel matches "q.log"/);
    expect(() => runFor(ONE_LEG, FORCES, 0.1, {}, [measuring(0, ["q.leg"])])).toThrow(/a continuous law cannot measure channels/);
  });
});
