/** The steps of two runs at once have the bits of the steps of each run by itself. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../src/model/description.ts";
import { FORCES } from "../../src/parts/force/forces.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { StepPair } from "../../src/sim/integrators/explicit/paired-steps.ts";
import { plannedStep } from "../../src/sim/integrators/explicit/planned-step.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import type { Stepper } from "../../src/sim/integrators/integrator.ts";
import { randomModel, randomState } from "../fixtures/models/random-model.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

const FORMULATIONS = ["articulated", "kane"] as const;
const SETTINGS = { relativeTolerance: 1e-9, absoluteTolerance: 1e-11 };

/** A stepper for a random tree whose masses are multiplied by a factor. */
function stepper(
  integrator: "dopri5" | "dop853",
  formulation: (typeof FORMULATIONS)[number],
  {
    seed,
    freedoms,
    factor,
    start,
    relativeTolerance = 1e-9,
  }: {
    readonly seed: number;
    readonly freedoms: number;
    readonly factor: number;
    readonly start: number;
    readonly relativeTolerance?: number;
  },
): Stepper {
  const drawn = randomModel(seed, { freedoms, kinds: ["revolute", "prismatic", "spherical"], massless: "none" });
  const bodies = drawn.bodies.map((body) => ({ ...body, mass: ("mass" in body ? Number(body.mass) : 1) * factor }));
  const model = createModel({ ...drawn, bodies } as ModelDescription);
  const elements = model.bodies
    .filter((body) => body.hinge.nu === 1)
    .map(({ hinge }) =>
      FORCES["hinge-spring"].create(hinge.name, { hinge: hinge.name, stiffness: 3 * factor, damping: 0.2 }, model),
    );
  const system = createSystem(model, elements, { formulation });
  const { q, u } = randomState(model, seed + start);
  const state = system.start({ q, u });
  const result = INTEGRATORS[integrator].start(workspaceOf(system, state).problem, { ...SETTINGS, relativeTolerance });
  result.restart(start, state.y);
  return result;
}

const record = (s: Stepper, reads: readonly number[]): number[] => {
  const inside = new Float64Array(s.y.length);
  const values = [s.t, ...s.y];
  for (const part of reads) {
    s.interpolate(s.previous + part * (s.t - s.previous), inside);
    values.push(...inside);
  }
  const rates = new Float64Array(s.y.length);
  s.largestRates!(rates);
  return [...values, ...rates, ...Object.values(s.counts)];
};

describe.each(["dopri5", "dop853"] as const)("%s", (integrator) => {
  describe.each(FORMULATIONS)("%s", (formulation) => {
    it.each([
      [3, 5],
      [4, 8],
    ])("two runs with other masses, times, tolerances and step sizes (seed %i, %i freedoms)", (seed, freedoms) => {
      // A factor of two between the masses: the same constants remain equal, so the kernels have one form.
      const cases = [
        { seed, freedoms, factor: 1.17, start: 0 },
        { seed, freedoms, factor: 2.34, start: 2, relativeTolerance: 1e-8 },
      ] as const;
      const apart = cases.map((each) => stepper(integrator, formulation, each));
      const together = cases.map((each) => stepper(integrator, formulation, each));
      const pair = new StepPair();
      let paired = 0;
      for (let k = 0; k < 60; k++) {
        const end = (i: number): number => apart[i]!.t + (k % 7 === 0 ? 0.01 : 10); // some steps are cut, others are rejected first
        const plans = [0, 1].map((i) => plannedStep(together[i]!, end(i)));
        if (plans[0] && plans[1] && pair.make([plans[0], plans[1]])) paired++;
        for (const i of [0, 1]) {
          const stop = end(i);
          apart[i]!.step(stop);
          together[i]!.step(stop);
          const reads = k % 3 === 0 ? [] : [0, 0.3, 0.8];
          expect(record(together[i]!, reads)).toEqual(record(apart[i]!, reads));
        }
      }
      expect(paired).toBe(59); // the first step is not known before it begins
      expect(together[0]!.counts.steps).toBe(60);
    });
  });
});

it("a result that is not taken changes nothing", () => {
  const each = { seed: 3, freedoms: 6, factor: 1, start: 0 };
  const [a, b, c] = [
    stepper("dop853", "kane", each),
    stepper("dop853", "kane", { ...each, factor: 2 }),
    stepper("dop853", "kane", each),
  ];
  for (const s of [a, b, c]) s.step(10);
  expect(new StepPair().make([plannedStep(a, 10)!, plannedStep(b, 10)!])).toBe(true);
  const saved = structuredClone(a.save());
  expect(saved).toEqual(structuredClone(c.save()));
  a.step(a.t + 1e-3); // another step than the planned one
  c.step(c.t + 1e-3);
  expect(record(a, [0.5])).toEqual(record(c, [0.5]));
});

it("machines of other forms make their own steps", () => {
  const a = stepper("dop853", "kane", { seed: 3, freedoms: 6, factor: 1, start: 0 });
  const b = stepper("dop853", "kane", { seed: 5, freedoms: 6, factor: 1, start: 0 });
  for (const s of [a, b]) s.step(10);
  expect(new StepPair().make([plannedStep(a, 10)!, plannedStep(b, 10)!])).toBe(false);
});
