/** Stages inside WebAssembly are bit-identical to those in JavaScript. */
import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { createModel } from "../../src/model/build/create-model.ts";
import { FORCES } from "../../src/parts/force/forces.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { diskFiles } from "../../src/scenario/node-files.ts";
import { type PreparedScenario, prepareScenario } from "../../src/scenario/prepare.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import type { DerivativeCode, InitialValueProblem, Stepper } from "../../src/sim/integrators/integrator.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import { assemble } from "../../src/sim/system/assembly.ts";
import type { ForceElement } from "../../src/sim/system/force-element.ts";
import type { System } from "../../src/sim/system/system.ts";
import { randomModel, randomState } from "../fixtures/models/random-model.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

/** The same problem without its kernel. */
function plain({ code: _, ...others }: InitialValueProblem): InitialValueProblem {
  return others;
}

/** Both steppers make the same steps, and their outputs between steps agree. */
function expectSameBits(inside: Stepper, outside: Stepper, y0: Float64Array, ends: readonly number[]): void {
  const [a, b] = [new Float64Array(y0.length), new Float64Array(y0.length)];
  inside.restart(0, y0);
  outside.restart(0, y0);
  for (const end of ends) {
    while (inside.t < end) {
      inside.step(end);
      outside.step(end);
      expect(inside.t).toBe(outside.t);
      expect(Array.from(inside.y)).toEqual(Array.from(outside.y));
      for (const part of [0, 0.3, 0.8]) {
        const t = inside.previous + part * (inside.t - inside.previous);
        inside.interpolate(t, a);
        outside.interpolate(t, b);
        expect(Array.from(a)).toEqual(Array.from(b));
      }
    }
  }
  expect(inside.counts).toEqual(outside.counts);
}

function prepared(name: string): PreparedScenario {
  const files = diskFiles(`scenarios/${name}`, { names: [], path: String });
  return prepareScenario(loadScenario(readFileSync(`scenarios/${name}/scenario.yaml`, "utf8"), name, { files }));
}

const evenly = (end: number): number[] => [0.37 * end, end];

/** The equations of a built-in scenario, with the kernel of the loops for its start. */
function compiledAtStart(name: string) {
  const { system, start } = prepared(name);
  const workspace = workspaceOf(system, start);
  workspace.compileLoopsAt(start.t, start.y);
  return { workspace, problem: workspace.problem, y0: start.y };
}

describe.each(["dopri5", "dop853"] as const)("%s", (name) => {
  const integrator = INTEGRATORS[name];
  const settings = { relativeTolerance: 1e-9, absoluteTolerance: 1e-11 };
  const compare = (a: InitialValueProblem, b: InitialValueProblem, y0: Float64Array, duration: number): void =>
    expectSameBits(integrator.start(a, settings), integrator.start(plain(b), settings), y0, evenly(duration));

  test.each([
    [11, 5],
    [12, 6],
    [13, 9],
  ])("trees, for even and odd sizes of y (seed %i)", (seed, freedoms) => {
    const model = createModel(
      randomModel(seed, { freedoms, kinds: ["revolute", "prismatic", "universal", "spherical"], massless: "none" }),
    );
    const elements = model.bodies
      .filter((b) => b.hinge.nu === 1)
      .map(({ hinge }) => FORCES["hinge-spring"].create(hinge.name, { hinge: hinge.name, stiffness: 3, damping: 0.2 }, model));
    const { q, u } = randomState(model, seed);
    const start = createSystem(model, elements).start({ q, u });
    const { problem } = workspaceOf(createSystem(model, elements), start);
    expect(problem.code!()).toBeDefined();
    compare(problem, problem, start.y, 0.3);
  });

  test.each([
    ["andrews-squeezer", 0.003],
    ["stewart-platform", 0.02],
    ["n-four-bar", 0.3],
  ])("%s, whose loops are in the kernel", (machine, duration) => {
    const [a, b] = [compiledAtStart(machine), compiledAtStart(machine)];
    expect(a.problem.code!()?.validBelow).toBeDefined();
    compare(a.problem, b.problem, a.y0, duration);
  });

  test("a derivative that is called, because numeric code runs in it", () => {
    const [a, b] = [compiledAtStart("four-bar"), compiledAtStart("four-bar")];
    compare({ ...a.problem, code: () => undefined }, b.problem, a.y0, 1);
  });

  test("a page that must not compile code", () => {
    const oscillator: InitialValueProblem = {
      size: 2,
      derivative(_t, y, ydot) {
        ydot[0] = y[1]!;
        ydot[1] = -y[0]!;
      },
      code: () => undefined,
    };
    const refuse = vi.spyOn(WebAssembly, "Memory").mockImplementation(
      class {
        constructor() {
          throw new WebAssembly.CompileError("refused");
        }
      } as unknown as typeof WebAssembly.Memory,
    );
    try {
      compare(oscillator, oscillator, Float64Array.of(1, 0), 2);
      expect(refuse).toHaveBeenCalledTimes(1);
    } finally {
      refuse.mockRestore();
    }
  });

  test("a kernel that is invalid at some stages, is exchanged, or is missing at times", () => {
    const [a, b] = [compiledAtStart("four-bar"), compiledAtStart("four-bar")];
    const { problem } = a;
    let calls = 0;
    let inside = 0;
    const kernels = [compiledAtStart("four-bar"), a].map((other) => other.problem.code!()!.kernel);
    // Growth of each evaluation. The limit is chosen so that about half of them exceed it.
    const seen: number[] = [];
    const { kernel } = problem.code!()!;
    for (let i = 0; i < 40; i++) {
      problem.derivative(
        0,
        a.y0.map((v, k) => v + 0.3 * Math.sin(i + k)),
        new Float64Array(a.y0.length),
      );
      seen.push(kernel.y[a.y0.length]!);
    }
    const validBelow = seen.sort((x, y) => x - y)[20]!;
    const code = (): DerivativeCode | undefined => {
      calls++;
      if (calls % 7 === 0) return undefined;
      const given = problem.code!()!;
      const kernel = kernels[calls % 2]!;
      kernel.x.set(given.kernel.x);
      return { ...given, kernel, ...(calls % 3 === 0 && { validBelow }), markAccepted: () => inside++ };
    };
    compare({ ...problem, code }, b.problem, a.y0, 1);
    expect(inside).toBeGreaterThan(calls / 5);
    expect(inside).toBeLessThan((6 / 7) * calls);
  });
});

test("the derivative is no kernel if numeric code runs in it", () => {
  const { workspace } = compiledAtStart("four-bar");
  expect(workspace.problem.code!()).toBeDefined();
  workspace.inputLaw = () => {};
  expect(workspace.problem.code!()).toBeUndefined();
  const { scenario } = prepared("andrews-squeezer");
  for (const formulation of ["kane", "minimal"] as const)
    expect(workspaceOf(createSystem(scenario.model, scenario.forces, { formulation })).problem.code!()).toBeUndefined();
  expect(workspaceOf(createSystem(scenario.model, scenario.forces, { target: "js" })).problem.code!()).toBeUndefined();
});

test.each(["four-bar", "andrews-squeezer"])("the trial step before a run of %s has no effect on it", (name) => {
  const { scenario, system, start, options } = prepared(name);
  const duration = scenario.duration / 20;
  const untried = createSystem(scenario.model, scenario.forces);
  expect(assemble(untried, untried.start({ q: scenario.q, u: scenario.u }), { keep: scenario.given }).state.y).toEqual(start.y);
  const run = (of: System) => simulate(of, start, { ...options, duration });
  const [tried, fresh] = [run(system), run(untried)];
  expect(Array.from(tried.y)).toEqual(Array.from(fresh.y));
  expect(tried.counts).toEqual(fresh.counts);
  expect(tried.log.length).toBe(fresh.log.length);
});

test("held inputs are zero at the start, whatever the trial step did", () => {
  const { scenario } = prepared("four-bar");
  const hinge = scenario.model.bodies[0]!.hinge.name;
  const motor: ForceElement = {
    name: "motor",
    kind: "test",
    held: ["torque"],
    schedule: [{ t: 0, held: [0.1] }],
    trace: ({ held }, loads) => loads.hinge(hinge, 0, held[0]!),
  };
  const { start } = prepareScenario({ ...scenario, forces: [...scenario.forces, motor] });
  expect(Array.from(start.inputs)).toEqual([0]);
});
