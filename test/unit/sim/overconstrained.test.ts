/** Linkages with redundant equations in time: the rank stays constant although stages of steps are off the loops. */
import { expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { BENNETT, numbers } from "../../../src/validation/docking/data.ts";
import { bennett } from "../../../src/validation/docking/linkages.ts";
import { describeMechanism } from "../../../src/validation/docking/mechanism.ts";

test.each(["articulated", "kane", "matrix", "partition", "minimal"] as const)(
  "Bennett's linkage for 2 s by %s: energy as in the study",
  (formulation) => {
    const system = createSystem(createModel(describeMechanism(bennett())), [], { formulation });
    const y0 = system.start({ q: Float64Array.from(numbers(BENNETT.q)), u: Float64Array.from(numbers(BENNETT.u)) });
    const run = simulate(system, y0, {
      duration: 2,
      integrator: INTEGRATORS.rk4,
      settings: { step: 1e-3 },
      sample: 0.01,
      channels: ["energy.balance", "q.link1"],
    });
    const balance = run.log.column("energy.balance");
    expect(Math.max(...balance.map((b) => Math.abs(b - balance[0]!)))).toBeLessThan(3.2e-10);
    const angle = run.log.column("q.link1");
    expect(Math.max(...angle) - Math.min(...angle)).toBeCloseTo(4.4, 2); // it goes round and back
    expect(run.audit.find((row) => row.channel === "loop closure")!.worst).toBeLessThan(3e-13);
  },
);

test("Bennett's linkage through two turns: every formulation keeps its rank, on and off the loops", () => {
  const model = createModel(describeMechanism(bennett()));
  const ends = (["articulated", "kane", "matrix", "partition"] as const).map((formulation) => {
    const system = createSystem(model, [], { formulation });
    const y0 = system.start({ q: Float64Array.from(numbers(BENNETT.q)), u: Float64Array.from(numbers(BENNETT.u)) });
    const run = simulate(system, y0, { duration: 4, integrator: INTEGRATORS.rk4, settings: { step: 2e-3 } });
    expect(run.end).toBe("complete");
    expect(run.audit.find((row) => row.channel === "energy")!.worst, formulation).toBeLessThan(1e-8);
    return run.y.slice(0, 3);
  });
  for (const end of ends) for (let i = 0; i < 3; i++) expect(end[i]).toBeCloseTo(ends[0]![i]!, 6);
});
