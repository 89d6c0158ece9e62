/** Steps inside WebAssembly are bit-identical to the steps of the integrator. */
import { describe, expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import { loopStepper, stepLoop } from "../../../src/sim/run/fixed-steps/step-loop.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";
import { randomModel, randomState } from "../../fixtures/models/random-model.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

function springs(seed: number, freedoms: number) {
  const model = createModel(
    randomModel(seed, { freedoms, kinds: ["revolute", "prismatic", "universal", "spherical"], massless: "none" }),
  );
  const hinges = model.bodies.filter((b) => b.hinge.nu === 1).map((b) => b.hinge.name);
  const elements = hinges.map((hinge) =>
    FORCES["hinge-spring"].create(`${hinge} spring`, { hinge, stiffness: 3, damping: 0.2 }, model),
  );
  return { model, system: createSystem(model, elements) };
}

describe.each(["rk4", "rkg"] as const)("%s", (name) => {
  const integrator = INTEGRATORS[name];

  test("is bit-identical to single steps, for even and odd sizes of y", () => {
    for (const [seed, freedoms] of [
      [11, 5],
      [12, 6],
      [13, 9],
      [14, 14],
    ] as const) {
      const { model, system } = springs(seed, freedoms);
      const { q, u } = randomState(model, seed);
      const { y: y0 } = system.start({ q, u });
      const settings = { step: 0.004 };
      const workspace = workspaceOf(system);
      const loop = stepLoop(workspace, integrator)!;
      const fast = loopStepper(workspace, integrator, settings, loop);
      const slow = integrator.start(workspace.problem, settings);
      fast.restart(0, y0);
      slow.restart(0, y0);
      for (const end of [0.04, 0.1, 0.12]) {
        fast.step(end);
        while (slow.t < end) slow.step(end);
        expect(fast.t).toBe(slow.t);
        expect(Array.from(fast.y)).toEqual(Array.from(slow.y));
      }
    }
  });

  test("blocks of samples have the bits of single samples: log, audit, final state and counts", () => {
    for (const [seed, freedoms, sample] of [
      [41, 5, 0.004],
      [42, 6, 0.012],
      [43, 9, 0.004],
    ] as const) {
      const { model, system } = springs(seed, freedoms);
      const { q, u } = randomState(model, seed);
      const others = { duration: 0.6, integrator, settings: { step: 0.004 }, sample };
      const blocks = simulate(system, system.start({ q, u }), others);
      const single = simulate(system, system.start({ q, u }), { ...others, progress: () => undefined });
      expect(blocks.log.length).toBe(Math.round(0.6 / sample) + 1);
      for (const { name } of single.log.channels) expect(blocks.log.column(name)).toEqual(single.log.column(name));
      expect([blocks.audit, blocks.y, blocks.t, blocks.counts]).toEqual([single.audit, single.y, single.t, single.counts]);
    }
  });

  test("a failed audit ends a block at the same sample as single samples", () => {
    const { model, system } = springs(44, 7);
    const { q, u } = randomState(model, 44);
    const options = { duration: 40, integrator, settings: { step: 0.02 }, sample: 0.02, tolerances: { energy: 1e-9 } };
    const ends = [Number.POSITIVE_INFINITY, 1].map((samples) => {
      const simulation = new Simulation(system, system.start({ q, u }), options);
      let message = "";
      try {
        while (simulation.advance(undefined, samples) === undefined);
      } catch (error) {
        message = (error as Error).message;
      }
      return {
        message,
        t: simulation.t,
        y: simulation.y,
        samples: simulation.log.length,
        steps: simulation.result().counts.steps,
      };
    });
    expect(ends[0]!.message).toContain("energy drifted");
    expect(ends[0]).toEqual(ends[1]);
  });

  test("the integrator steps to an end that is not on the grid", () => {
    const { model, system } = springs(21, 6);
    const { q, u } = randomState(model, 21);
    const workspace = workspaceOf(system);
    const fast = loopStepper(workspace, integrator, { step: 0.01 }, stepLoop(workspace, integrator)!);
    const slow = integrator.start(workspace.problem, { step: 0.01 });
    const { y: y0 } = system.start({ q, u });
    fast.restart(0, y0);
    slow.restart(0, y0);
    for (const end of [0.025, 0.055]) {
      fast.step(end);
      while (slow.t < end) slow.step(end);
    }
    expect(Array.from(fast.y)).toEqual(Array.from(slow.y));
  });

  test("a run uses the loop, and a step that is too large is an error with its time", () => {
    const { model, system } = springs(31, 7);
    const { q, u } = randomState(model, 31);
    const run = simulate(system, system.start({ q, u }), { duration: 0.2, integrator, settings: { step: 0.001 }, sample: 0.01 });
    expect(run.log.length).toBe(21);
    expect(run.counts.steps).toBe(200);
    expect(() =>
      simulate(system, system.start({ q, u }), { duration: 1e4, integrator, settings: { step: 50 }, sample: 100 }),
    ).toThrow(/smaller step|drifted/);
  });
});
