/** Steppers around the integrators can be saved and restored too: step loops, singular passages, compiled stages, recorded steps. */
import { describe, expect, test } from "vitest";
import { FormatError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../../src/model/description.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { recordedSteps } from "../../../src/scenario/recorded-steps.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import type { Integrator, IntegratorOptions, Stepper } from "../../../src/sim/integrators/integrator.ts";
import { loopStepper, stepLoop } from "../../../src/sim/run/fixed-steps/step-loop.ts";
import { singularityStepper } from "../../../src/sim/singular/singularity-stepper.ts";
import type { Workspace } from "../../../src/sim/system/workspace.ts";
import { nFourBar, nFourBarStart } from "../../../src/validation/benchmarks/n-four-bar.ts";
import { randomModel, randomState } from "../../fixtures/models/random-model.ts";
import { expectRefusal, expectSameAfterRestore } from "../../fixtures/saved-steppers.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

function springs(seed: number, freedoms: number): { workspace: Workspace; y0: Float64Array } {
  const model = createModel(
    randomModel(seed, { freedoms, kinds: ["revolute", "prismatic", "universal", "spherical"], massless: "none" }),
  );
  const hinges = model.bodies.filter((b) => b.hinge.nu === 1).map((b) => b.hinge.name);
  const elements = hinges.map((hinge) =>
    FORCES["hinge-spring"].create(`${hinge} spring`, { hinge, stiffness: 3, damping: 0.2 }, model),
  );
  const system = createSystem(model, elements);
  const { q, u } = randomState(model, seed);
  return { workspace: workspaceOf(system), y0: system.start({ q, u }).y };
}

describe.each(["rk4", "rkg"] as const)("step loop of %s", (name) => {
  const settings = { step: 0.004 };
  const integrator = INTEGRATORS[name];
  const create = (): Stepper => {
    const { workspace } = springs(13, 9);
    return loopStepper(workspace, integrator, settings, stepLoop(workspace, integrator)!);
  };
  const { y0 } = springs(13, 9);

  test("continues bit-identically, on and off its grid", () => {
    const act = (stepper: Stepper, k: number): void => {
      if (k === 4) stepper.restart(stepper.t, y0);
      stepper.step(stepper.t + (k % 3 === 2 ? 0.0101 : 0.012));
    };
    expectSameAfterRestore(create, (stepper) => stepper.restart(0.5, y0), act, 6, 4);
  });

  test("refuses wrong data", () => {
    const stepper = create();
    stepper.restart(0.5, y0);
    stepper.step(0.512);
    const { workspace } = springs(13, 9);
    const loop = stepLoop(workspace, integrator)!;
    expectRefusal(() => loopStepper(workspace, integrator, settings, loop), stepper.save(), "restore only");
  });
});

describe.each(["dopri5", "dop853", "dopri5-radau5"] as const)("%s with stages inside WebAssembly", (name) => {
  test.each([
    [11, 5],
    [12, 6],
  ])("continues bit-identically (seed %i)", (seed, freedoms) => {
    const { workspace, y0 } = springs(seed, freedoms);
    expect(workspace.problem.code!()).toBeDefined();
    const create = (): Stepper =>
      INTEGRATORS[name].start(springs(seed, freedoms).workspace.problem, { relativeTolerance: 1e-9, absoluteTolerance: 1e-11 });
    const out = new Float64Array(y0.length);
    const act = (stepper: Stepper, k: number): void => {
      stepper.step(k % 3 === 1 ? stepper.t + 0.003 : 1e3);
      if (k % 2 === 1) stepper.interpolate((stepper.t + stepper.previous) / 2, out);
    };
    expectSameAfterRestore(create, (stepper) => stepper.restart(0, y0), act, 6, 6);
  });
});

describe("singular passages of N four-bars", () => {
  const model = createModel(nFourBar(2) as ModelDescription);
  const start = nFourBarStart(2);
  const values = (of: Record<string, number>): Float64Array => Float64Array.from(model.bodies, (b) => of[b.name]!);
  const y0 = createSystem(model, []).start({ q: values(start.q), u: values(start.u) }).y;

  /** A stepper that saves the choices of its loops with its own data, as a run does. */
  function create(integrator: Integrator, options: IntegratorOptions): Stepper {
    const workspace = workspaceOf(createSystem(model, []));
    const stepper = singularityStepper(workspace, integrator.start(workspace.problem, options), integrator, options);
    return {
      get t() {
        return stepper.t;
      },
      get y() {
        return stepper.y;
      },
      get previous() {
        return stepper.previous;
      },
      get onManifold() {
        return stepper.onManifold === true;
      },
      get counts() {
        return stepper.counts;
      },
      restart: (t, y) => stepper.restart(t, y),
      step: (end) => stepper.step(end),
      interpolate: (t, out) => stepper.interpolate(t, out),
      save: () => ({ loops: workspace.closed!.save(), stepper: stepper.save() }),
      restore(saved) {
        const { loops, stepper: own } = saved as { loops: unknown; stepper: unknown };
        workspace.closed!.restore(loops);
        stepper.restore(own);
      },
    };
  }

  test.each([
    ["rk4", { step: 0.02 }],
    ["gauss6", { step: 0.02 }],
    ["dop853", { relativeTolerance: 1e-6, absoluteTolerance: 1e-8 }],
    ["radau5", { relativeTolerance: 1e-5, absoluteTolerance: 1e-7 }],
  ] as const)("continues bit-identically: %s", (name, options) => {
    const integrator = INTEGRATORS[name];
    let passages = 0;
    const outputs = new Map<number, Float64Array>();
    const act = (stepper: Stepper, k: number): void => {
      if (stepper.onManifold) {
        passages++;
        const out = new Float64Array(y0.length);
        stepper.interpolate(stepper.previous + 0.3 * (stepper.t - stepper.previous), out);
        outputs.set(k, outputs.get(k) ?? out);
        expect(out).toEqual(outputs.get(k));
      }
      stepper.step(1e3);
    };
    expectSameAfterRestore(
      () => create(integrator, options),
      (stepper) => {
        stepper.restart(0, y0);
        while (stepper.t < 0.3) stepper.step(1e3);
      },
      act,
      integrator.adaptive ? 30 : 45,
      4,
    );
    expect(outputs.size).toBeGreaterThan(0);
    expect(passages).toBeGreaterThan(outputs.size);
  });

  test("refuses wrong data, and a sample of loops that are not engaged", () => {
    const integrator = INTEGRATORS.rk4;
    const options = { step: 0.02 };
    const workspace = workspaceOf(createSystem(model, []));
    const started = (): Stepper =>
      singularityStepper(workspace, integrator.start(workspace.problem, options), integrator, options);
    const stepper = started();
    stepper.restart(0, y0);
    while (!stepper.onManifold && stepper.t < 2) stepper.step(1e3);
    expect(stepper.onManifold).toBe(true);
    expectRefusal(started, stepper.save(), "restore only", ["tracker.accepted"]);
    const open = Object.create(workspace, { closed: { value: undefined } }) as Workspace;
    const without = singularityStepper(open, integrator.start(workspace.problem, options), integrator, options);
    expect(() => without.restore(stepper.save())).toThrow(FormatError);
    expect(() => without.restore(stepper.save())).toThrow(/must be null if no loop is engaged/);
  });
});

test("recorded steps continue bit-identically", () => {
  const { workspace, y0 } = springs(11, 5);
  const { recorder, follower } = recordedSteps(INTEGRATORS.dopri5);
  const options = { relativeTolerance: 1e-8, absoluteTolerance: 1e-10 };
  const start = (stepper: Stepper): void => stepper.restart(0, y0);
  const act = (stepper: Stepper, k: number): void => {
    if (k === 3) stepper.restart(stepper.t, y0);
    stepper.step(1);
  };
  const record = recorder.start(workspace.problem, options);
  start(record);
  for (let k = 0; k < 12; k++) act(record, k);
  const saved = record.save();
  expectSameAfterRestore(() => follower.start(workspace.problem, options), start, act, 5, 5);
  const again = recordedSteps(INTEGRATORS.dopri5).recorder.start(workspace.problem, options);
  again.restore(structuredClone(saved));
  expect(again.save()).toEqual(saved);
  expect(() => again.restore({ inner: null, outer: null })).toThrow(FormatError);
  expect(() => again.restore({ inner: null, outer: [[1]] })).toThrow(/^recorded steps\[0\]: must be a Float64Array/);
});
