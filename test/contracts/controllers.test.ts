import { describe, expect, it } from "vitest";
import { forwardDynamics } from "../../src/dynamics/programs.ts";
import { ModelError } from "../../src/errors.ts";
import { compile } from "../../src/kernel/run/kernel.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { describeModel } from "../../src/model/build/describe-model.ts";
import { frameOf, homeOf, type Model } from "../../src/model/model.ts";
import { CONTROLLERS, readController } from "../../src/parts/control/controllers.ts";
import type { ControllerKind } from "../../src/parts/control/kind.ts";
import { actuator } from "../../src/parts/force/drives/actuator.ts";
import { throughKnots } from "../../src/plan/knots.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import type { Controller } from "../../src/sim/run/controller.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import type { Snapshot } from "../../src/sim/system/force-element.ts";
import { layoutOf } from "../../src/sim/system/layout.ts";
import { framesProgram } from "../../src/sim/system/motion-program.ts";
import { ARM } from "../fixtures/force-bench.ts";
import { drift, runFor } from "../fixtures/force-run.ts";
import { randomState } from "../fixtures/models/random-model.ts";

const kinds = Object.entries(CONTROLLERS) as unknown as readonly [string, ControllerKind][];

const snapshot = (model: Model, t: number, q: Float64Array, u: Float64Array): Snapshot => ({
  model,
  t,
  q,
  u,
  z: new Float64Array(0),
  frames: new Float64Array(0),
});

const commandsAt = (c: Controller, s: Snapshot): Float64Array => {
  const command = new Float64Array(c.commands.length);
  c.update(s, c.start(s.model, s), command);
  return command;
};

const MOTORS = ["shoulder", "elbow", "slider"];
const motors = (model: Model) => MOTORS.map((hinge) => actuator.create(`${hinge}-motor`, { hinge }, model));
const HOME = [1, 0, 0, 0, 0, 0, 0, 0.2, -0.4, 0.1, 1, 0, 0, 0];

describe.each(kinds)("%s", (name, kind) => {
  it("is registered under its name, with descriptions", () => {
    expect(kind.name).toBe(name);
    for (const p of Object.values(kind.parameters)) expect(p.about).toMatch(/^[A-Z].*\.$/);
    expect(JSON.parse(JSON.stringify(kind.parameters))).toEqual(kind.parameters);
  });

  it("runs with its examples, keeps its memory and gives finite commands", () => {
    for (const example of kind.examples) {
      const c = kind.create("c", example as never, ARM);
      expect(c.commands.length).toBeGreaterThan(0);
      expect(new Set(c.commands).size).toBe(c.commands.length);
      const frames = (c.frames ?? []).map((frame) => frameOf(ARM, frame));
      const kernel = frames.length > 0 ? compile(framesProgram(layoutOf(ARM, []), frames)) : undefined;
      const measured = Float64Array.from(c.measures ?? [], (_, i) => 3 - i);
      const seen = (t: number, q: Float64Array, u: Float64Array): Snapshot => {
        kernel?.x.set([...q, ...u]);
        kernel?.evaluate();
        return { ...snapshot(ARM, t, q, u), measured, frames: kernel?.y ?? new Float64Array(0) };
      };
      const memory = c.start(ARM, seen(0, homeOf(ARM), new Float64Array(ARM.nu)));
      const command = new Float64Array(c.commands.length);
      for (let seed = 0; seed < 20; seed++) {
        const { q, u } = randomState(ARM, seed);
        expect(c.update(seen(seed / 7, q, u), memory, command)).toBe(memory);
        for (const v of command) expect(v).toSatisfy(Number.isFinite);
      }
    }
  });

  it("refuses invalid parameters with their paths", () => {
    const example = kind.examples[0] as object;
    expect(problemsOf(name, example)).toEqual([]);
    expect(problemsOf(name, { ...example, period: -1 })).toEqual(["controllers.c.period"]);
    expect(problemsOf(name, { ...example, perod: 1 })).toEqual(["controllers.c.perod"]);
    expect(problemsOf(name, { ...example, hinges: [] })).toEqual(["controllers.c.hinges"]);
    expect(problemsOf(name, 3)).toEqual(["controllers.c"]);
  });
});

/** Paths of the problems of parameters. */
function problemsOf(kind: string, parameters: unknown): string[] {
  try {
    readController(kind, "c", parameters, ARM, { path: "controllers.c" });
  } catch (error) {
    if (error instanceof ModelError) return error.problems.map((p) => p.path);
    throw error;
  }
  return [];
}

describe.each(["hinge-pd", "computed-torque"] as const)("%s", (name) => {
  it("commands one actuator for each hinge, and refuses hinges that cannot be driven", () => {
    const example = CONTROLLERS[name].examples[0] as unknown as { hinges: readonly object[] };
    expect(readController(name, "c", example, ARM).commands).toEqual(["shoulder-motor.torque", "elbow-motor.torque"]);
    const withHinge = (more: object) => ({ ...example, hinges: [{ ...example.hinges[0], ...more }] });
    expect(problemsOf(name, { ...example, period: 0 })).toEqual(["controllers.c.period"]);
    expect(problemsOf(name, { ...example, hinges: [example.hinges[0], example.hinges[0]] })).toEqual([
      "controllers.c.hinges",
      "controllers.c.hinges",
    ]);
    expect(problemsOf(name, withHinge({ hinge: "knee" }))).toEqual(["controllers.c.hinges[0].hinge"]);
    expect(problemsOf(name, withHinge({ hinge: "wrist" }))).toEqual(["controllers.c.hinges[0].hinge"]);
    expect(problemsOf(name, withHinge({ kp: -1, kq: 2 }))).toEqual(["controllers.c.hinges[0].kq", "controllers.c.hinges[0].kp"]);
    const backward = { reference: [[1, 0], [0, 1]] }; // biome-ignore format: rows
    expect(problemsOf(name, withHinge(backward))).toEqual(["controllers.c.hinges[0].reference[1][0]"]);
  });
});

describe("hinge-pd", () => {
  it("follows its law", () => {
    const values = { hinges: [{ hinge: "slider", actuator: "m", kp: 30, kd: 4, reference: 0.2 }] };
    const { q, u } = randomState(ARM, 3);
    const c = CONTROLLERS["hinge-pd"].create("c", values, ARM);
    expect(c.commands).toEqual(["m.force"]);
    expect(commandsAt(c, snapshot(ARM, 0, q, u))[0]).toBeCloseTo(30 * (0.2 - q[9]!) - 4 * u[8]!, 13);
  });

  it("with gravity compensation holds an arm under gravity", () => {
    const { bodies, ...rest } = describeModel(ARM);
    const [hull, ...arm] = bodies;
    const { frames: _frames, ...base } = hull!;
    const grounded = createModel({
      ...rest,
      gravity: [0, 0, -9.81],
      bodies: [{ ...base, hinge: { kind: "fixed" } }, ...arm.slice(0, 3)],
    });
    const q = [0.3, -0.7, 0.1];
    const hinges = MOTORS.map((hinge, i) => ({ hinge, actuator: `${hinge}-motor`, kp: 100, kd: 20, reference: q[i]! }));
    const c = CONTROLLERS["hinge-pd"].create("c", { gravityCompensation: true, hinges }, grounded);
    const end = runFor(grounded, motors(grounded), 0.5, { q }, [c]);
    for (const [i, v] of end.q.entries()) expect(v).toBeCloseTo(q[i]!, 10);
  });
});

describe("computed-torque", () => {
  const hinges = MOTORS.map((hinge, i) => ({
    hinge,
    actuator: `${hinge}-motor`,
    kp: 64,
    kd: 20,
    reference: [
      [0, HOME[7 + i]!],
      [1.5, [0.9, -1.2, 0.4][i]!],
    ] as const,
  }));

  it("the actuated hinges accelerate exactly as demanded, with a floating base and a passive wrist", () => {
    const c = CONTROLLERS["computed-torque"].create("c", { hinges }, ARM);
    const forward = compile(forwardDynamics(ARM));
    const path = new Float64Array(3);
    for (let seed = 0; seed < 10; seed++) {
      const { q, u } = randomState(ARM, seed);
      const command = commandsAt(c, snapshot(ARM, 0.6, q, u));
      forward.x.fill(0);
      forward.x.set([...q, ...u]);
      for (const i of [0, 1, 2]) forward.x[ARM.nq + ARM.nu + 6 + i] = command[i]!;
      forward.evaluate();
      for (const [i, { reference }] of hinges.entries()) {
        throughKnots(
          reference.map((r) => r[0]),
          reference.map((r) => [r[1]]),
        ).at(0.6, path);
        const wanted = path[2]! + 20 * (path[1]! - u[6 + i]!) + 64 * (path[0]! - q[7 + i]!);
        expect(Math.abs(forward.y[6 + i]! - wanted)).toBeLessThan(1e-9 * (1 + Math.abs(wanted)));
      }
    }
  });

  it("a floating arm follows its references, and momentum stays zero", () => {
    const errors = [0.02, 0.01].map((period) => {
      const c = CONTROLLERS["computed-torque"].create("c", { period, hinges }, ARM);
      const end = runFor(ARM, motors(ARM), 1.5, { q: HOME }, [c]);
      expect(drift(end.run, "energy")).toBeLessThan(1e-8);
      expect(Math.hypot(...end.q.slice(4, 7))).toBeGreaterThan(0.005);
      return Math.max(...hinges.map(({ reference }, i) => Math.abs(end.q[7 + i]! - reference[1]![1])));
    });
    // Held commands lag by half a period: the error is proportional to it.
    expect(errors[1]!).toBeLessThan(5e-3);
    expect(errors[1]! / errors[0]!).toBeLessThan(0.65);
  });

  it("an initial error decays according to the gains", () => {
    const errorAt = (period: number): number => {
      const values = { period, hinges: [{ hinge: "elbow", actuator: "elbow-motor", kp: 100, reference: -0.3 }] };
      const c = CONTROLLERS["computed-torque"].create("c", values, ARM);
      return runFor(ARM, motors(ARM), 0.3, { q: HOME }, [c]).q[8]! + 0.3;
    };
    // Held commands cause an error of first order in the period: extrapolation to continuous control removes it.
    const [coarse, fine] = [errorAt(0.001), errorAt(0.0005)];
    const critical = -0.1 * Math.exp(-3) * (1 + 3);
    expect(Math.abs(coarse - critical)).toBeLessThan(3e-4);
    expect(2 * fine - coarse).toBeCloseTo(critical, 6);
  });
});

describe("channels of controllers", () => {
  it("are recorded at updates, and available to scenarios by the controller's name", () => {
    const watched: Controller<{ updates: number }> = {
      name: "watched",
      period: 0.1,
      commands: [],
      channels: [
        { name: "updates", unit: "", about: "how often it was asked" },
        { name: "twice", unit: "s" },
      ],
      start: () => ({ updates: 0 }),
      update: (_s, memory) => ({ updates: memory.updates + 1 }),
      report({ updates }, out) {
        out[0] = updates;
        out[1] = 2 * updates;
      },
    };
    const system = createSystem(ARM, []);
    const { log } = simulate(system, system.start({ q: Float64Array.from(HOME) }), {
      ...{ duration: 0.35, integrator: INTEGRATORS.rk4, settings: { step: 0.05 }, sample: 0.05 },
      ...{ controllers: [watched], channels: ["watched.*"] },
    });
    expect(log.channels.map((c) => c.name)).toEqual(["t", "watched.updates", "watched.twice"]);
    expect([...log.column("watched.updates")]).toEqual([1, 1, 1, 2, 2, 3, 3, 4]); // a sample at an update has the values before it
    expect(log.column("watched.twice").at(-1)).toBe(8);
  });
});
