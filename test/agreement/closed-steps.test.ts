/** Whole steps of machines with loops inside WebAssembly have the bits of the steps of the integrator, and leave the same saved data. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createModel } from "../../src/model/build/create-model.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { diskFiles } from "../../src/scenario/node-files.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import { closedStepper } from "../../src/sim/run/fixed-steps/closed-stepper.ts";
import { SingularityStepper, singularityStepper } from "../../src/sim/singular/singularity-stepper.ts";
import type { State } from "../../src/sim/state.ts";
import { assemble } from "../../src/sim/system/assembly.ts";
import type { System } from "../../src/sim/system/system.ts";
import { randomClosedModel, randomState } from "../fixtures/models/random-model.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

afterEach(() => vi.restoreAllMocks());

function builtIn(name: string): { readonly system: System; readonly start: State } {
  const files = diskFiles(`scenarios/${name}`, { names: [], path: String });
  return prepareScenario(loadScenario(readFileSync(`scenarios/${name}/scenario.yaml`, "utf8"), name, { files }));
}

/** A random closed machine that moves slowly, so that its loops stay closed in fixed steps. */
function randomMachine(seed: number): { readonly system: System; readonly start: State } {
  const { description, q } = randomClosedModel(seed);
  const model = createModel(description);
  const system = createSystem(model);
  const { u } = randomState(model, seed);
  return { system, start: assemble(system, system.start({ q, u: u.map((v) => 0.2 * v) })).state };
}

type FixedName = "rk4" | "rkg";

/** The two steppers in workspaces of their own, and the passages that they note. */
function steppers(system: System, start: State, name: FixedName, step: number) {
  const integrator = INTEGRATORS[name];
  const passages: { readonly outside: number[]; readonly inside: number[] } = { outside: [], inside: [] };
  const create = (kind: "outside" | "inside") => {
    const workspace = workspaceOf(system, start);
    workspace.compileLoopsAt(start.t, start.y);
    const inner = integrator.start(workspace.problem, { step });
    return { workspace, led: singularityStepper(workspace, inner, integrator, { step }, (t) => passages[kind].push(t)) };
  };
  const { workspace, led } = create("inside");
  return {
    outside: create("outside"),
    inside: { workspace, stepper: closedStepper(workspace, led, integrator, { step })! },
    passages,
  };
}

/** Advances both to each of `stops`, and compares states, counts, passages and everything that is saved. Returns the part of steps inside. */
function compareSteps(system: System, start: State, name: FixedName, step: number, stops: readonly number[]): number {
  const { outside, inside, passages } = steppers(system, start, name, step);
  const { stepper } = inside;
  outside.led.restart(start.t, start.y);
  stepper.restart(start.t, start.y);
  const last = stops.at(-1)!;
  let single = 0;
  const original = SingularityStepper.prototype.step;
  const spy = vi.spyOn(SingularityStepper.prototype, "step").mockImplementation(function (this: SingularityStepper, end) {
    if (this !== outside.led) single++;
    original.call(this, end);
  });
  for (const stop of stops) {
    while (stepper.t < stop - step / 2) stepper.stepMany(last, stop);
    while (outside.led.t < stepper.t) outside.led.step(last);
    expect(stepper.t).toBe(outside.led.t);
    expect(stepper.y).toEqual(outside.led.y);
    expect(stepper.save()).toEqual(outside.led.save());
    expect(inside.workspace.saveEquations()).toEqual(outside.workspace.saveEquations());
    const t = stepper.previous + 0.4 * (stepper.t - stepper.previous);
    const [a, b] = [new Float64Array(start.y.length), new Float64Array(start.y.length)];
    stepper.interpolate(t, a);
    outside.led.interpolate(t, b);
    expect(a).toEqual(b);
  }
  expect(passages.inside).toEqual(passages.outside);
  spy.mockRestore();
  return 1 - single / stepper.counts.steps;
}

const evenly = (end: number, parts: number): number[] => Array.from({ length: parts }, (_, i) => ((i + 1) * end) / parts);

describe.each(["rk4", "rkg"] as const)("%s", (name) => {
  test.each([
    ["stewart-platform", 0.001, 0.2, 0.9],
    ["andrews-squeezer", 1e-5, 0.01, 0.8],
    ["satellite-pantograph", 0.005, 1, 0.8],
    ["jansen-leg", 0.001, 0.3, 0], // dependent equations have no pivot order
    ["bricard", 0.002, 0.6, 0],
    ["multi-arm-foothold", 0.01, 0.5, 0],
  ] as const)("%s", (scenario, step, end, least) => {
    const { system, start } = builtIn(scenario);
    expect(compareSteps(system, start, name, step, evenly(end, 10))).toBeGreaterThanOrEqual(least);
  });

  test("over singular configurations, which the integrator passes", () => {
    const { system, start } = builtIn("n-four-bar");
    expect(compareSteps(system, start, name, 0.002, evenly(2, 20))).toBeGreaterThan(0.5);
  });
});

test("random machines", () => {
  const parts = Array.from({ length: 12 }, (_, i) => {
    const { system, start } = randomMachine(i + 1);
    return compareSteps(system, start, "rk4", 1e-4, evenly(5e-3, 5));
  });
  expect(parts.filter((part) => part > 0.8).length).toBeGreaterThanOrEqual(6);
});
