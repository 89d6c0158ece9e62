/** Valid and invalid scenario files. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import { formatScenario } from "../../../src/scenario/format.ts";
import { describeScenario, loadScenario } from "../../../src/scenario/load.ts";
import { loadScenarioFile } from "../../../src/scenario/node-files.ts";
import { parseOverride } from "../../../src/scenario/override.ts";
import { builtIn, load, loadWithOverrides, PENDULUM, problemsOf, SCENARIOS } from "../../fixtures/models/pendulum.ts";

describe("a scenario", () => {
  it("has the values of its file, and defaults for the rest", () => {
    const scenario = load(PENDULUM);
    expect(scenario).toMatchObject({
      name: "pendulum",
      formulation: "articulated",
      integrator: { name: "rk4", step: 0.01 },
      duration: 2,
      sample: 0.01,
      tolerances: { energy: 1e-3 },
      stop: [],
    });
    expect(scenario.q[0]).toBe(Math.PI / 6);
    expect(scenario.forces.map((f) => f.name)).toEqual(["damper", "motor"]);
    expect(scenario.controllers.map((c) => c.commands)).toEqual([["motor.torque"]]);
    expect(scenario.channels.map((c) => c.name)).toEqual(expect.arrayContaining(["t", "q.rod", "u.rod", "energy.balance"]));
    expect(scenario.plots).toMatchObject([{ title: "Angle", unit: "deg", times: 180 / Math.PI }]);
    const bare = load(
      "model: { name: m, bodies: [{ name: b, mass: 1, inertia: [1, 1, 1], hinge: { kind: free } }] }\nduration: 1 min",
    );
    expect(bare).toMatchObject({ name: "m", duration: 60, integrator: { name: "dop853" }, sample: 60 / 500, plots: [] });
  });

  it.each(SCENARIOS)("%s is built in, with a README and plots", (name) => {
    const { about, plots, tolerances } = builtIn(name);
    expect(about.length).toBeGreaterThan(20);
    expect(plots.length).toBeGreaterThanOrEqual(2);
    expect(Object.keys(tolerances).length).toBeGreaterThan(0);
  });

  it("is sampled at a multiple of the step if there are many steps", () => {
    expect(loadWithOverrides(PENDULUM, "duration=1000").sample).toBe(0.5);
    expect(loadWithOverrides(PENDULUM, "duration=20").sample).toBe(0.01);
  });

  it("is saved to a file that contains its model and gives the same scenario", () => {
    for (const scenario of [
      load(PENDULUM),
      builtIn("satellite-manipulator", "model.bodies.hand.mass=35"),
      builtIn("dumbbell-in-orbit"),
    ]) {
      const again = load(formatScenario(scenario));
      expect(describeScenario(again)).toEqual(describeScenario(scenario));
      expect(describeModel(again.model)).toEqual(describeModel(scenario.model));
      expect([again.q, again.u]).toEqual([scenario.q, scenario.u]);
      expect(formatScenario(again)).toBe(formatScenario(scenario));
    }
  });

  it("has devices, whose wheels have an initial speed", () => {
    const wheel = {
      kind: "reaction-wheel",
      on: "rod",
      mass: 1,
      spinInertia: "200 g m^2",
      transverseInertia: 0.1,
      speed: "60 rpm",
    };
    const scenario = loadWithOverrides(PENDULUM, `devices=${JSON.stringify({ wheel })}`);
    expect(scenario.model.bodies.map((b) => b.name)).toEqual(["rod", "wheel"]);
    expect(scenario.forces.map((f) => f.name)).toEqual(["wheel-motor", "damper", "motor"]);
    expect(scenario.u[1]).toBe(2 * Math.PI);
    expect(scenario.model.bodies[1]!.inertia[2][2]).toBe(0.2);
    const set = (device: object): string => `devices=${JSON.stringify({ wheel: device })}`;
    expect(problemsOf(PENDULUM, set({ ...wheel, on: "rood" }))).toMatchObject([
      { path: "devices.wheel.on", advice: 'Did you mean "rod"?' },
    ]);
    expect(problemsOf(PENDULUM, set({ ...wheel, kind: "wheel" }))).toMatchObject([{ path: "devices.wheel.kind" }]);
    expect(problemsOf(PENDULUM, set({ ...wheel, mas: 1 }))).toMatchObject([
      { path: "devices.wheel.mas", advice: 'Did you mean "mass"?' },
    ]);
    expect(problemsOf(PENDULUM, `devices=${JSON.stringify({ rod: wheel })}`)[0]).toMatchObject({
      path: "devices.rod",
      message: "the name is taken",
    });
    const motor = { kind: "actuator", hinge: "rod" };
    expect(problemsOf(PENDULUM, set(wheel), `forces.wheel-motor=${JSON.stringify(motor)}`)).toMatchObject([
      { path: "forces.wheel-motor" },
    ]);
  });
});

/** A text of the file, its replacement, and the path, message and advice of the expected problem. */
const WRONG: readonly (readonly [what: string, from: string, to: string, path: string, message: RegExp, advice?: RegExp])[] = [
  ["no duration", "duration: 2\n", "", "duration", /is missing/],
  ["a duration of zero", "duration: 2", "duration: 0", "duration", /must be positive, got 0/],
  ["a negative duration", "duration: 2", "duration: -1", "duration", /must be positive/],
  ["an endless duration", "duration: 2", "duration: .inf", "duration", /must be a finite number/],
  ["a duration in kilograms", "duration: 2", "duration: 2 kg", "duration", /wrong dimension, kg instead of s/, /s, ms, min, h/],
  ["an unknown unit", "duration: 2", "duration: 2 parsec", "duration", /unknown unit "parsec"/],
  ["a step of zero", "step: 0.01", "step: 0", "integrator.step", /must be positive/],
  ["a negative step", "step: 0.01", "step: -0.01", "integrator.step", /must be positive/],
  ["a step that is no number", "step: 0.01", "step: .nan", "integrator.step", /must be a finite number/],
  ["no step", ", step: 0.01", "", "integrator.step", /is missing: rk4 has a fixed step/, /step: 0.01/],
  [
    "too many steps",
    "step: 0.01",
    "step: 1e-9",
    "integrator.step",
    /2\.0e\+9 steps in 2 s; at most 1e\+8/,
    /Use at least 2e-8 s/,
  ],
  [
    "a tolerance for a fixed step",
    "step: 0.01",
    "step: 0.01, relativeTolerance: 1e-9",
    "integrator.relativeTolerance",
    /does not apply to rk4/,
  ],
  ["an unknown integrator", "name: rk4", "name: rk5", "integrator.name", /no such integrator/, /Did you mean "rkg"|"rk4"/],
  [
    "a tolerance beyond rounding",
    "name: rk4, step: 0.01",
    "name: dop853, relativeTolerance: 1e-17",
    "integrator.relativeTolerance",
    /at least 1e-15/,
  ],
  ["a negative sample", "duration: 2", "duration: 2\nsample: -1", "sample", /must be positive/],
  ["a sample longer than the run", "duration: 2", "duration: 2\nsample: 3", "sample", /must not be longer/],
  [
    "too many samples",
    "duration: 2",
    "duration: 2\nsample: 1e-9",
    "sample",
    /needs .* numbers .*at most 1e\+8/,
    /fewer channels/,
  ],
  [
    "an unknown channel",
    "duration: 2",
    "duration: 2\nchannels: [q.rood]",
    "channels[0]",
    /there is no such channel, got "q.rood"/,
    /Did you mean "q.rod"/,
  ],
  ["a pattern that nothing fits", "duration: 2", "duration: 2\nchannels: [x.*]", "channels[0]", /there is no such channel/],
  ["an unknown channel in a plot", "[q.rod]", "[q.rod, u.rodd]", "plots[0].channels[1]", /there is no such channel/, /"u.rod"/],
  ["a plot of two units", "[q.rod]", "[q.rod, u.rod]", "plots[0].channels", /different units: rad, rad\/s/],
  ["a plot in another dimension", "unit: deg", "unit: km", "plots[0].unit", /cannot be the unit of channels in rad/],
  ["a plot without title", "title: Angle, ", "", "plots[0].title", /name is missing/],
  ["an unknown key", "duration: 2", "durration: 2", "durration", /unknown key/, /Did you mean "duration"/],
  [
    "an unknown kind of force",
    "kind: hinge-spring",
    "kind: hinge-sprnig",
    "forces.damper.kind",
    /no such kind of force/,
    /Did you mean "hinge-spring"/,
  ],
  ["a force without kind", "kind: hinge-spring, ", "", "forces.damper.kind", /is missing/, /hinge-spring/],
  ["an unknown parameter", "damping: 0.1", "dampping: 0.1", "forces.damper.dampping", /unknown key/, /"damping"/],
  ["a parameter out of range", "damping: 0.1", "damping: -0.1", "forces.damper.damping", /must not be negative/],
  ["a parameter in the wrong unit", "damping: 0.1", "damping: 1 N", "forces.damper.damping", /wrong dimension/, /N m s\/rad/],
  ["an unknown hinge", "hinge: rod, damping", "hinge: road, damping", "forces.damper.hinge", /no hinge has this name/, /"rod"/],
  ["a force with the name of channels", "damper:", "energy:", "forces.energy", /reserved for channels/],
  ["an unknown kind of controller", "kind: hinge-pd", "kind: pid", "controllers.hold.kind", /no such kind of controller/],
  [
    "a controller without actuator",
    "actuator: motor",
    "actuator: engine",
    "controllers.hold",
    /commands an input that no force has, got "engine.torque"/,
    /"motor.torque"|motor/,
  ],
  ["a period of zero", "period: 0.1", "period: 0", "controllers.hold.period", /must be positive/],
  ["too many updates", "period: 0.1", "period: 1e-12", "controllers.hold.period", /updates in 2 s/],
  ["an unknown hinge in the state", "q: { rod: 30 deg }", "q: { road: 1 }", "state.q.road", /no hinge has this name/, /"rod"/],
  ["too many numbers in the state", "rod: 30 deg", "rod: [1, 2]", "state.q.rod", /must be 1 number for a revolute hinge, has 2/],
  ["NaN in the state", "rod: 30 deg", "rod: .nan", "state.q.rod", /must be a finite number/],
  ["a length for an angle", "rod: 30 deg", "rod: 30 mm", "state.q.rod", /wrong dimension, m instead of rad/],
  ["an unknown formulation", "duration: 2", "duration: 2\nformulation: lagrange", "formulation", /no such formulation/],
  ["an unknown tolerance", "energy: 1e-3", "enregy: 1e-3", "audit.enregy", /unknown key/, /"energy"/],
  ["a tolerance of zero", "energy: 1e-3", "energy: 0", "audit.energy", /must be positive/],
  ["a condition that is none", "duration: 2", "duration: 2\nstop: q.rod", "stop", /must compare/],
  [
    "a condition on nothing",
    "duration: 2",
    'duration: 2\nstop: ["q.rodd < 0"]',
    "stop[0]",
    /uses a channel that does not exist, got "q.rodd"/,
    /"q.rod"/,
  ],
  ["a body with a mistake", "mass: 2 kg", "mass: -2 kg", "model.bodies[0].mass", /must not be negative/],
  [
    "an inertia in metres",
    "inertia: [0.5, 0.5, 0.01]",
    "inertia: [0.5 m, 0.5, 0.01]",
    "model.bodies[0].inertia[0]",
    /wrong dimension/,
  ],
  ["a model that is not there", "model:\n", "modell:\n", "model", /is missing/],
  ["a title of two lines", "name: pendulum\nmodel", 'name: "a\\nb"\nmodel', "name", /control characters/],
];

describe("a file with", () => {
  it.each(WRONG.map(([what, ...rest]) => ({ what, rest })))("$what", ({ rest: [from, to, path, message, advice] }) => {
    expect(PENDULUM).toContain(from);
    const text = PENDULUM.replace(from, to);
    const found = problemsOf(text).find((p) => p.path === path);
    expect(found, JSON.stringify(problemsOf(text))).toBeDefined();
    expect(`${found!.message}, got ${found!.value}`).toMatch(message);
    if (advice) expect(found!.advice).toMatch(advice);
    const line = text.split("\n").findIndex((l, i) => l !== PENDULUM.split("\n")[i]) + 1;
    if (!/missing/.test(found!.message)) expect([line, line + 1]).toContain(found!.line);
  });

  it("many errors reports all of them at once, in the order of the text", () => {
    const text = PENDULUM.replace("duration: 2", "duration: -2")
      .replace("damping: 0.1", "damping: -1")
      .replace("rod: 30 deg", "road: 1");
    expect(problemsOf(text).map((p) => p.path)).toEqual(["state.q.road", "forces.damper.damping", "duration"]);
  });

  it("a quaternion that is not of norm 1, or too short", () => {
    const set = (q: string): string => `state.q.racket=${q}`;
    const paths = (q: string): string[] => {
      try {
        builtIn("asymmetric-top", set(q));
      } catch (error) {
        return (error as ModelError).problems.map((p) => `${p.path}: ${p.message}`);
      }
      return [];
    };
    expect(paths("[1, 1, 0, 0, 0, 0, 0]")[0]).toMatch(/^state\.q\.racket: .*norm/);
    expect(paths("[1, 0, 0, 0]")[0]).toMatch(/must be 7 numbers for a free hinge, has 4/);
    expect(paths("[0, 0, 0, 0, 0, 0, 0]")[0]).toMatch(/norm/);
    expect(paths("[0.6, 0.8, 0, 0, 0, 0, 0]")).toEqual([]);
  });

  it("too many parts", () => {
    const forces = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, {}]));
    expect(problemsOf(PENDULUM, `forces=${JSON.stringify(forces)}`)[0]!.message).toMatch(/at most 1000/);
    const conditions = Array.from({ length: 1001 }, () => "q.rod < 0");
    expect(problemsOf(PENDULUM, `stop=${JSON.stringify(conditions)}`)[0]!.message).toMatch(/at most 1000/);
  });

  it("keys that are properties of JavaScript objects", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(problemsOf(`${PENDULUM}\n${key}: 1`)[0]!.message).toMatch(/unknown key/);
      expect(problemsOf(PENDULUM, `forces={${key}: {kind: ${key}}}`).length).toBeGreaterThan(0);
      expect(problemsOf(PENDULUM, `integrator.name=${key}`)[0]!.message).toMatch(/no such integrator/);
      expect(problemsOf(PENDULUM, `formulation=${key}`)[0]!.message).toMatch(/no such formulation/);
    }
    expect(({} as Record<string, unknown>).kind).toBeUndefined();
  });
});

describe("the model that a scenario names", () => {
  const MODEL = "name: m\nbodies: [{ name: b, mass: 1, inertia: [1, 1, 1], hinge: { kind: free } }]\n";
  const folder = mkdtempSync(join(tmpdir(), "castor-"));
  mkdirSync(join(folder, "scenarios/sub"), { recursive: true });
  writeFileSync(join(folder, "outside.yaml"), MODEL);
  writeFileSync(join(folder, "scenarios/model.yaml"), MODEL);
  writeFileSync(join(folder, "scenarios/sub/model.yaml"), MODEL.replace("mass: 1", "mass: -1"));
  writeFileSync(join(folder, "scenarios/broken.yaml"), "name: [\n");
  symlinkSync("../outside.yaml", join(folder, "scenarios/link.yaml"));
  const builtIns = { names: ["machine"], path: () => join(folder, "scenarios/model.yaml") };
  const fromFile = (model: string, ...sets: readonly string[]) => {
    const path = join(folder, "scenarios/test.yaml");
    writeFileSync(path, `model: ${model}\nduration: 1\n`);
    return loadScenarioFile(
      path,
      builtIns,
      sets.map((set) => parseOverride(set)),
    );
  };
  const refusal = (model: string, ...sets: readonly string[]): ModelError => {
    try {
      fromFile(model, ...sets);
    } catch (error) {
      if (error instanceof ModelError) return error;
      throw error;
    }
    throw new Error("it was accepted");
  };

  it("is a file in its folder or below, or a built-in model", () => {
    expect(fromFile("model.yaml").model.name).toBe("m");
    expect(fromFile("./sub/../model.yaml").model.name).toBe("m");
    expect(fromFile("machine").model.name).toBe("m");
  });

  it("has problems with the lines of its own file", () => {
    const { problems } = refusal("sub/model.yaml");
    expect(problems).toMatchObject([{ path: "bodies[0].mass", line: 2, file: expect.stringContaining("sub/model.yaml") }]);
    expect(refusal("broken.yaml").problems[0]).toMatchObject({
      file: expect.stringContaining("broken.yaml"),
      line: expect.any(Number),
    });
  });

  it.each([
    ["../outside.yaml", /must not lead out/],
    ["sub/../../outside.yaml", /must not lead out/],
    ["/etc/passwd.yaml", /must be a path relative/],
    ["C:/secret.yaml", /must be a path relative/],
    ["file:///etc/passwd.yaml", /must be a path relative/],
    ["'\\\\server\\x.yaml'", /must be a path relative/],
    ["'sub\\..\\..\\outside.yaml'", /written with \//],
    ["link.yaml", /link that leads out/],
    ["missing.yaml", /there is no such file/],
    ["sub", /neither a file .* nor a built-in/],
    ["machin", /neither a file/],
    ["''", /neither a file/],
  ])("must not be %s", (model, message) => {
    const [problem] = refusal(model).problems;
    expect(problem!.message).toMatch(message);
    expect(problem).toMatchObject({ path: "model", line: 1 });
  });

  it("may be anywhere if it is given on the command line", () => {
    expect(fromFile("missing.yaml", `model=${join(folder, "outside.yaml")}`).model.name).toBe("m");
    expect(refusal("model.yaml", `model=${join(folder, "nowhere.yaml")}`).problems[0]).toMatchObject({
      path: "model",
      message: "there is no such file",
      file: expect.stringContaining("--set model="),
    });
  });

  it("cannot be read without access to files", () => {
    expect(() => loadScenario("model: model.yaml\nduration: 1")).toThrow(ModelError);
  });
});
