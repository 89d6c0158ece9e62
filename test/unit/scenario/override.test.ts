import { describe, expect, it } from "vitest";
import type { Problem } from "../../../src/errors.ts";
import { applyOverrides, formatOverride, parseOverride, resolvePath } from "../../../src/scenario/override.ts";
import { load, loadWithOverrides, PENDULUM, problemsOf } from "../../fixtures/models/pendulum.ts";

const DATA = {
  duration: 2,
  forces: { spring: { kind: "hinge-spring", stiffness: [1, 2] } },
  controllers: { arm: { hinges: [{ hinge: "elbow", kp: 1 }] } },
  model: { bodies: [{ name: "base" }, { name: "hand", mass: 30 }] },
  plots: [{ title: "Angles", channels: ["q.*"] }],
};

function apply(...sets: readonly string[]): { data: typeof DATA & Record<string, unknown>; problems: Problem[] } {
  const problems: Problem[] = [];
  const data = applyOverrides(
    DATA,
    sets.map((set) => parseOverride(set)),
    problems,
  );
  return { data: JSON.parse(JSON.stringify(data)), problems };
}

describe("--set", () => {
  it("accepts numbers, text with units, lists and objects in YAML", () => {
    expect(parseOverride("a=20").value).toBe(20);
    expect(parseOverride("a=90 deg").value).toBe("90 deg");
    expect(parseOverride("a = [1, 2 mm]").value).toEqual([1, "2 mm"]);
    expect({ ...(parseOverride("a={kind: stop, upper: 1}").value as object) }).toEqual({ kind: "stop", upper: 1 });
    expect(parseOverride("a=x=y").value).toBe("x=y");
    expect(parseOverride("a=true").value).toBe(true);
    expect(parseOverride("a=''").value).toBe("");
  });

  it("removes a key with null", () => {
    expect(parseOverride("a=null").value).toBeUndefined();
    expect(apply("forces.spring.stiffness=null").data.forces.spring).toEqual({ kind: "hinge-spring" });
    expect(apply("integrator.step=null")).toMatchObject({ problems: [] });
  });

  it.each([
    ["a", 20],
    ["a", -1e-7],
    ["a", -0],
    ["a", "90 deg"],
    ["a", "1e3"],
    ["a", ""],
    ["a", "true"],
    ["a", "x: y, [z]"],
    ["a", "line\nend # not a comment"],
    ["a", true],
    ["a", undefined],
    ["a", [1, "2 mm", ["x"]]],
    ['forces["odd = name"].k', { kind: "stop", "a: b": [0.1] }],
  ])("is parsed and formatted consistently: %s %j", (path, value) => {
    const read = parseOverride(formatOverride({ path, value }));
    expect(read.path).toBe(path);
    expect(JSON.stringify(read.value)).toBe(JSON.stringify(value));
    if (typeof value === "number") expect(read.value).toBe(value);
  });

  it("is fast on text that is not an assignment", () => {
    expect(() => parseOverride('["a"]'.repeat(2000))).toThrow(/PATH=VALUE/);
  });

  it.each(["", "=3", "duration", "a=", "a=[1", "a=*x", "a=!!js x"])("refuses %j", (text) => {
    expect(() => parseOverride(text)).toThrow(/^--set /);
  });

  it("changes the value at the path, and nothing else; the original stays unchanged", () => {
    const { data, problems } = apply("duration=5", "forces.spring.stiffness=[3, 4]", "forces.spring.damping=1", "sample=0.1");
    expect(problems).toEqual([]);
    expect(data).toMatchObject({ duration: 5, sample: 0.1, forces: { spring: { stiffness: [3, 4], damping: 1 } } });
    expect(data.model).toEqual(DATA.model);
    expect(DATA.duration).toBe(2);
  });

  it("finds list items by name, hinge, title or number", () => {
    const { data } = apply(
      "model.bodies.hand.mass=35",
      "model.bodies[0].mass=7",
      "controllers.arm.hinges.elbow.kp=9",
      "plots.Angles.scale=log",
    );
    expect(data.model.bodies).toEqual([
      { name: "base", mass: 7 },
      { name: "hand", mass: 35 },
    ]);
    expect(data.controllers.arm.hinges[0]!.kp).toBe(9);
    expect(data.plots[0]).toMatchObject({ scale: "log" });
    expect(apply("forces.spring.stiffness.1=8").data.forces.spring.stiffness).toEqual([1, 8]);
    expect(resolvePath(DATA, "model.bodies.hand.mass")).toBe("model.bodies[1].mass");
    expect(resolvePath(DATA, "model.bodies.head.mass")).toBeUndefined();
  });

  it("creates optional objects of a scenario", () => {
    const { data, problems } = apply("integrator.relativeTolerance=1e-9", "audit.energy=1e-6", "state.q.elbow=1");
    expect(problems).toEqual([]);
    expect(data).toMatchObject({ integrator: { relativeTolerance: 1e-9 }, audit: { energy: 1e-6 }, state: { q: { elbow: 1 } } });
  });

  it.each([
    ["forces.sprnig.stiffness=1", "forces.sprnig", 'Did you mean "spring"?'],
    ["controller.arm.period=1", "controller", 'Did you mean "controllers"?'],
    ["model.bodies.hnad.mass=1", "model.bodies.hnad", 'Did you mean "hand"?'],
    ["model.bodies.7.mass=1", "model.bodies.7", undefined],
    ["duration.x=1", "duration.x", undefined],
  ])("%s is a problem with advice", (set, path, advice) => {
    const { problems } = apply(set);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ path, file: `--set ${set}` });
    if (advice !== undefined) expect(problems[0]!.advice).toBe(advice);
  });

  it("cannot change prototypes", () => {
    for (const path of ["__proto__.polluted", "constructor.prototype.polluted", "forces.__proto__.polluted"]) apply(`${path}=1`);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("is checked like the file, and its problems name the option", () => {
    expect(loadWithOverrides(PENDULUM, "model.bodies.rod.mass=3").model.bodies[0]!.mass).toBe(3);
    expect(loadWithOverrides(PENDULUM, "state.q.rod=90 deg").q[0]).toBe(Math.PI / 2);
    expect(loadWithOverrides(PENDULUM, "controllers.hold.period=50 ms").controllers[0]!.period).toBe(0.05);
    expect(problemsOf(PENDULUM, "forces.damper.dampnig=1")).toMatchObject([
      { path: "forces.damper.dampnig", advice: 'Did you mean "damping"?', file: "--set forces.damper.dampnig=1" },
    ]);
    expect(problemsOf(PENDULUM, "model.bodies.rod.mass=-3")).toMatchObject([
      { path: "model.bodies[0].mass", file: "--set model.bodies.rod.mass=-3" },
    ]);
    expect(load(PENDULUM).duration).toBe(2);
  });
});
