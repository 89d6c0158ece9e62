/** Starts of runs: from rest under the loads, and from a state file. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { coordinateNames } from "../../../src/model/model.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { parseOverride } from "../../../src/scenario/override.ts";
import { prepareScenario } from "../../../src/scenario/prepare.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { formatSavedRun, openSavedRun } from "../../../src/scenario/saved-run-file.ts";
import { builtIn, load, loadWithOverrides, problemsOf } from "../../fixtures/models/pendulum.ts";

/** A mass of 2 kg on a spring of 50 N/m, and a pendulum below it with a torsion spring. */
const HANGING = `
name: hanging
model:
  name: hanging
  gravity: [0, 0, -9.81]
  bodies:
    - { name: mass, mass: 2, inertia: [1, 1, 1], hinge: { kind: prismatic, axis: z } }
    - { name: rod, parent: mass, mass: 0.5, com: [0, 0, -0.4], inertia: [0.02, 0.02, 0.001], hinge: { kind: revolute, axis: y } }
state: { rest: true }
forces:
  spring: { kind: hinge-spring, hinge: mass, stiffness: 50 }
duration: 1
`;
const G = 9.81;

describe("rest: true", () => {
  it("starts where the loads balance, and stays there", async () => {
    const result = await runScenario(loadWithOverrides(HANGING, "state.q.rod=0.3"));
    const { start, rest } = result;
    expect(start.y[0]).toBeCloseTo((-2.5 * G) / 50, 13);
    expect(Math.abs(start.y[1]!)).toBeLessThan(1e-13);
    expect(rest!.isStable).toBe(true);
    expect(rest!.moved.map(({ name, from }) => [name, from])).toEqual([
      ["q.mass", 0],
      ["q.rod", 0.3],
    ]);
    for (const name of ["q.mass", "q.rod"]) {
      const column = result.run.log.column(name);
      for (const value of column) expect(Math.abs(value - column[0]!)).toBeLessThan(1e-12);
    }
  });

  it("says that a position is not stable: a pendulum on its head", () => {
    const text = HANGING.replace("rest: true", "q: { rod: 180 deg }, rest: true");
    const { start, rest } = prepareScenario(load(text));
    expect(start.y[1]).toBeCloseTo(Math.PI, 12);
    expect(rest!.isStable).toBe(false);
  });

  it("closes loops: a four-bar linkage hangs with the least potential energy", () => {
    const scenario = builtIn("four-bar", "state={q: {crank: -60 deg, coupler: 60 deg, rocker: -100 deg}, rest: true}");
    const { start, system } = prepareScenario(scenario);
    for (const a of system.accelerations(start)) expect(Math.abs(a)).toBeLessThan(1e-9);
    const at = (crank: number) => {
      const moved = builtIn(
        "four-bar",
        `state={q: {crank: ${crank}, coupler: ${start.y[1]}, rocker: ${start.y[2]}}, hold: crank}`,
      );
      const prepared = prepareScenario(moved);
      return prepared.system.observe(prepared.start).potential;
    };
    const least = system.observe(start).potential;
    expect(at(start.y[0]! + 0.01)).toBeGreaterThan(least);
    expect(at(start.y[0]! - 0.01)).toBeGreaterThan(least);
  });

  it("keeps the hinges in hold: the spring at 0.1 m", () => {
    const { start } = prepareScenario(loadWithOverrides(HANGING, "state.q={mass: 0.1, rod: 0.2}", "state.hold=mass"));
    expect(start.y[0]).toBe(0.1);
    expect(Math.abs(start.y[1]!)).toBeLessThan(1e-13);
  });

  it("refuses a machine that nothing holds, with the freedom; and finds it if that is in hold", () => {
    const [problem] = startProblems(HANGING.replace("  spring: { kind: hinge-spring, hinge: mass, stiffness: 50 }", "  {}"));
    expect(problem!.path).toBe("state.rest");
    expect(problem!.message).toMatch(/^no rest position: hanging /);
    expect(problem!.advice).toContain("state.hold");
    const floating = HANGING.replace("gravity: [0, 0, -9.81]", "gravity: [0, 0, 0]")
      .replace("{ kind: prismatic, axis: z }", "{ kind: free }")
      .replace("hinge: mass, stiffness", "hinge: rod, rest: 0.2, stiffness");
    expect(startProblems(floating)[0]!.message).toContain("nothing holds mass");
    const { start } = prepareScenario(loadWithOverrides(floating, "state.hold=mass"));
    expect(start.y[7]).toBeCloseTo(0.2, 13);
  });

  it("refuses speeds, and contacts that carry the machine", () => {
    expect(problemsOf(HANGING, "state.u.rod=1").map(({ path, message }) => [path, message])).toEqual([
      ["state.u", "a machine that starts at rest has no speeds"],
    ]);
    const { start } = prepareScenario(loadWithOverrides(HANGING, "state.u.mass=0", "state.u.rod=0 deg/s"));
    expect(start.y[0]).toBeCloseTo((-2.5 * G) / 50, 13);
    const rover = builtIn("rover-flat", "state.u=null", "state.rest=true");
    expect(() => prepareScenario(rover)).toThrow(/no rest position/);
  });

  it("continues as a saved run with the same bits", async () => {
    const scenario = loadWithOverrides(HANGING, "state.q.rod=0.3", "state.hold=rod", "duration=2");
    const whole = await runScenario(scenario);
    const half = await runScenario(scenario, { until: 1, save: true });
    const { scenario: continued, from } = await openSavedRun(await formatSavedRun(half), "saved.json");
    const rest = await runScenario(continued, { from });
    expect(rest.run.y).toEqual(whole.run.y);
    expect(rest.rest).toBeUndefined(); // it does not start there
  });

  it("is not searched for a branch of a saved run, which may have none", async () => {
    const saved = await formatSavedRun(await runScenario(load(HANGING), { until: 0.5, save: true }));
    const { scenario, from } = await openSavedRun(saved, "saved.json", [parseOverride("forces.spring.stiffness=0")]);
    const { run } = await runScenario(scenario, { from });
    const fallen = (-2.5 * G) / 50 - 0.5 * G * (1 - from.state.t) ** 2;
    expect(run.y[0]).toBeCloseTo(fallen, 9);
  });
});

/** Problems that a scenario has when it starts. */
function startProblems(text: string): readonly ModelError["problems"][number][] {
  try {
    prepareScenario(load(text));
  } catch (error) {
    if (error instanceof ModelError) return error.problems;
    throw error;
  }
  return [];
}

describe("a state file", () => {
  const FILES: Readonly<Record<string, string>> = {
    "swung.yaml": "q: { mass: -0.2, rod: 30 deg }\nu: { rod: 1.5 }\n",
    "loaded.yaml": "q: { rod: 0.1 }\ntau: { rod: 3 }\n",
    "wrong.yaml": "q:\n  mass: 0.1\n  rood: 0.2\n",
    "broken.yaml": "q: [1, 2\n",
  };
  const files = {
    ...NO_FILES,
    readBeside: (path: string) => {
      const text = FILES[path];
      if (text === undefined) throw new ModelError(path, [{ path: "", message: "does not exist" }]);
      return { text, source: path };
    },
  };
  const open = (state: string, ...sets: readonly string[]) =>
    loadScenario(HANGING.replace("state: { rest: true }", `state: ${state}`), "test.yaml", {
      files,
      overrides: sets.map((set) => parseOverride(set)),
    });
  const problemsWith = (state: string) => {
    try {
      open(state);
    } catch (error) {
      if (error instanceof ModelError) return error.problems;
      throw error;
    }
    return [];
  };

  it("gives the initial state, as if it were written in the scenario", () => {
    const scenario = open("swung.yaml");
    const inline = load(HANGING.replace("state: { rest: true }", "state: { q: { mass: -0.2, rod: 30 deg }, u: { rod: 1.5 } }"));
    expect(scenario.q).toEqual(inline.q);
    expect(scenario.u).toEqual(inline.u);
    expect(scenario.document).toEqual(inline.document); // saved scenarios and runs contain it
    expect(scenario.warnings).toEqual([]);
  });

  it("can be changed by options, and chosen by one", () => {
    expect([...open("swung.yaml", "state.q.mass=0.5").q]).toEqual([0.5, Math.PI / 6]);
    const chosen = loadScenario(HANGING, "test.yaml", {
      files: { ...files, readChosen: files.readBeside },
      overrides: [parseOverride("state=swung.yaml")],
    });
    expect([...chosen.u]).toEqual([0, 1.5]);
  });

  it("warns about loads, which a run does not use", () => {
    expect(open("loaded.yaml").warnings.map(({ path, message, file, line }) => [path, message, file, line])).toEqual([
      ["tau", "is not used: the loads of a run are its forces", "loaded.yaml", 2],
    ]);
  });

  it.each([
    ["wrong.yaml", "q.rood", "no hinge has this name", "wrong.yaml", 3],
    ["missing.yaml", "state", "does not exist", undefined, 9],
    ["../other.yaml", "state", "must not lead out of the scenario's folder", undefined, 9],
    ["swung", "state", "is not a state file (.yaml, .yml, .json)", undefined, 9],
  ])("%s is refused with its place", (state, path, message, file, line) => {
    expect(problemsWith(state).map((p) => [p.path, p.message, p.file, p.line])).toEqual([[path, message, file, line]]);
  });

  it("broken.yaml is refused with its line", () => {
    expect(problemsWith("broken.yaml")[0]!.file).toBe("broken.yaml");
  });

  it("starts boom-drops-load pulled down: the boom as given, the load at its tip", () => {
    const { start, rest, moved, system } = prepareScenario(
      builtIn("boom-drops-load", "state=scenarios/boom-drops-load/pulled-down.yaml"),
    );
    expect(rest).toBeUndefined();
    const joints = coordinateNames(system.model).q.flatMap((name, i) => (name.startsWith("boom-") ? [start.y[i]!] : []));
    for (const [i, given] of [0.045, 0.057, 0.027, 0.003].entries()) expect(joints[i]).toBeCloseTo(given, 12);
    for (const { name, from, to } of moved) {
      expect(name).toMatch(/^q\.load\./);
      expect(Math.abs(to - from)).toBeLessThan(1e-3);
    }
  });
});
