/** Times of runs: the final state, steps longer than the run, very short and very long runs, updates a rounding error apart. */
import { describe, expect, test } from "vitest";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS, type IntegratorName } from "../../../src/sim/integrators/index.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import type { SimulateOptions } from "../../../src/sim/run/simulate.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { loadWithOverrides, PENDULUM, problemsOf } from "../../fixtures/models/pendulum.ts";

const model = buildModel("cart")
  .body({ name: "cart", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
  .build();
const motor = readForce("actuator", "motor", { hinge: "cart" }, model);
const cart = createSystem(model, [motor]);

const pulse = (name: string, period: number, force: (t: number) => number): Controller => ({
  name,
  period,
  commands: ["motor.force"],
  start: () => undefined,
  update: ({ t }, _memory, command) => {
    command[0] = force(t);
    return undefined;
  },
});

const pendulum = (sampled: object): ReturnType<typeof simulate> => {
  const swing = createSystem(
    buildModel("pendulum")
      .gravity([0, 0, -10])
      .body({ name: "rod", mass: 2, com: [0, 0, -1], inertia: [0.5, 0.5, 0.01], hinge: { kind: "revolute", axis: "y" } })
      .build(),
    [],
  );
  return simulate(swing, swing.start({ q: Float64Array.of(2) }), { duration: 2, ...sampled });
};

describe("the final state", () => {
  test.each([0.3, 2, 7])("is recorded with a sample time of %d s", (sample) => {
    const { log, t, q } = pendulum({ sample });
    expect(log.column("t").at(-1)).toBe(t);
    expect(log.column("q.rod").at(-1)).toBe(q[0]);
  });

  test("is audited although no sample is there: a coarse step is noticed", () => {
    const coarse = { integrator: "rk4", settings: { step: 1.9 } } as const;
    for (const sample of [5, [0]]) expect(() => pendulum({ ...coarse, sample })).toThrow(/^energy drifted by .* at t = 2 s/);
  });

  test("a large potential energy does not hide the error of a small motion", () => {
    const high = createSystem(
      buildModel("pendulum on a mountain")
        .gravity([0, 0, -10])
        .body({
          name: "rod",
          mass: 2,
          com: [0, 0, -1],
          inertia: [0.5, 0.5, 0.01],
          hinge: { kind: "revolute", axis: "y", at: [0, 0, 1e4] },
        })
        .build(),
      [],
    );
    const run = (step: number) => () =>
      simulate(high, high.start({ q: Float64Array.of(0.5) }), { duration: 20, integrator: "rk4", settings: { step } });
    expect(run(0.01)().audit[0]!.worst).toBeLessThan(1e-6);
    expect(run(0.3)).toThrow(/^energy drifted by /); // by 1 J of 5 J, at a potential energy of 2e5 J
  });

  test("a fixed step longer than the run is refused, in code and in files", () => {
    expect(() => pendulum({ integrator: "rk4", settings: { step: 5 } })).toThrow(
      "options.settings.step: must not be longer than the run, which takes 2 s, got 5",
    );
    const [problem] = problemsOf(PENDULUM.replace("step: 0.01", "step: 5"));
    expect(problem).toMatchObject({ path: "integrator.step", message: "must not be longer than the duration of 2 s" });
    expect(pendulum({ settings: { step: 5 } }).end).toBe("complete"); // the largest step of an adaptive integrator
  });
});

describe("the length of a run", () => {
  const integrators = Object.keys(INTEGRATORS) as IntegratorName[];
  test.each(integrators)("from 1e-12 s to 1e9 s with updates, samples and events by %s", (integrator) => {
    for (const duration of [1e-12, 1e-3, 1e3, 1e9]) {
      const half = duration / 2;
      const force = 4 / duration ** 2; // x = 1 at the end of a constant force
      const options: SimulateOptions = {
        duration,
        integrator,
        settings: { ...(!INTEGRATORS[integrator].adaptive && { step: duration / 40 }) },
        sample: duration / 10,
        controllers: [pulse("pilot", half, (t) => (t < half ? force : -force))],
        events: [{ name: "quarter", value: (_t, y) => 0.125 - y[0]! }],
      };
      const { log, q, events, end } = simulate(cart, cart.start(), options);
      expect(end).toBe("complete");
      expect(log.length).toBe(11);
      expect(Math.abs(q[0]! - 0.5)).toBeLessThan(1e-9);
      expect(events.map((e) => e.name)).toEqual(["quarter"]);
      expect(Math.abs(events[0]!.t / duration - Math.sqrt(1 / 8))).toBeLessThan(1e-9);
    }
  });

  test("a run in which weight and rounding exchange almost nothing passes its audit", () => {
    const { audit, end } = pendulum({ duration: 1e-12 });
    expect([end, audit[0]!.worst]).toEqual(["complete", 0]);
    const level = createSystem(
      buildModel("level")
        .gravity([0, 0, -10])
        .body({ name: "rod", mass: 2, com: [0, 0, -1], inertia: [0.5, 0.5, 0.01], hinge: { kind: "revolute", axis: "y" } })
        .build(),
      [],
    );
    // The potential energy is the rounding of 0 at this angle.
    expect(simulate(level, level.start({ q: Float64Array.of(Math.PI / 2) }), { duration: 1e-12, sample: 3e-13 }).end).toBe(
      "complete",
    );
  });

  test("too short to be computed is refused", () => {
    expect(() => simulate(cart, cart.start(), { duration: 1e-300 })).toThrow(
      "options.duration: must be at least 1e-30 s: shorter times are lost in rounding, got 1e-300",
    );
    expect(() => loadWithOverrides(PENDULUM, "duration=1e-300")).toThrow(/duration.*1e-30/s);
  });
});

describe("updates a rounding error apart", () => {
  test.each(["dop853", "dopri5", "radau5", "dopri5-radau5"] as const)(
    "two controllers of 0.1 s and 0.3 s by %s",
    (integrator) => {
      const controllers = [pulse("fast", 0.1, (t) => Math.cos(30 * t)), pulse("slow", 0.3, (t) => Math.sin(t))].map((c, i) => ({
        ...c,
        commands: [["motor.force", "brake.force"][i]!],
      }));
      const system = createSystem(model, [motor, readForce("actuator", "brake", { hinge: "cart" }, model)]);
      expect(simulate(system, system.start(), { duration: 3, integrator, controllers }).end).toBe("complete");
    },
  );

  test.each(["dop853", "dopri5", "radau5", "dopri5-radau5"] as const)("the end just after an update by %s", (integrator) => {
    const controllers = [pulse("pilot", 0.4, (t) => Math.cos(30 * t))];
    const run = simulate(cart, cart.start(), { duration: 2.4000000000000004, integrator, controllers });
    expect([run.end, run.t]).toEqual(["complete", 2.4000000000000004]);
  });
});
