/** Conditions are found wherever they hold within a step, and located to rounding. */
import { describe, expect, test } from "vitest";
import { ArgumentError } from "../../../src/errors.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { createForce } from "../../../src/parts/force/forces.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { ConditionSearch } from "../../../src/sim/events/condition-search.ts";
import type { RunEvent } from "../../../src/sim/events/event-detector.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";

/** A mass of 1 kg on a spring of 4 N/m: x = cos 2t from x = 1 at rest. */
function oscillator() {
  const model = buildModel("oscillator")
    .gravity([0, 0, 0])
    .body({ name: "mass", mass: 1, inertia: "none", hinge: { kind: "prismatic", axis: "x" } })
    .build();
  return createSystem(model, [createForce(model, { name: "spring", kind: "hinge-spring", hinge: "mass", stiffness: 4 })]);
}

const timesOf = (event: Omit<RunEvent, "name">, duration = 10, q = [1], u = [0]): number[] => {
  const system = oscillator();
  const run = simulate(system, system.start({ q, u }), { duration, sample: duration, events: [{ name: "seen", ...event }] });
  return run.events.map(({ t }) => t);
};

describe("thresholds 1e-5 below a peak", () => {
  const thresholds = Array.from({ length: 12 }, (_, i) => 1 - 1e-5 * (1 + i / 12));

  test.each(thresholds)("q > %d", (threshold) => {
    const times = timesOf({ value: (_t, y) => threshold - y[0]! });
    const half = Math.acos(threshold) / 2;
    expect(times).toHaveLength(3);
    for (const [n, t] of times.entries()) expect(Math.abs(t - ((n + 1) * Math.PI - half))).toBeLessThan(1e-7);
  });

  test("a threshold above the peak is never reached", () => {
    expect(timesOf({ value: (_t, y) => 1 + 1e-8 - y[0]! })).toEqual([]);
  });

  test("any change of sign: both ends of the moment", () => {
    const times = timesOf({ direction: "both", value: (_t, y) => 1 - 1e-6 - y[0]! }, 4, [0], [2]);
    const half = Math.acos(1 - 1e-6) / 2;
    expect(times).toHaveLength(4);
    expect(times[1]! - times[0]!).toBeCloseTo(2 * half, 8);
  });

  test("a condition that is false for a moment happens again", () => {
    const times = timesOf({ value: (_t, y) => y[0]! - (1 - 1e-6) }, 8, [0], [2]);
    expect(times).toHaveLength(3); // after each peak
  });
});

test("a value of zero at the start of the run is not yet negative", () => {
  expect(timesOf({ value: (_t, y) => y[0]! }, 1, [0], [-1])).toHaveLength(1);
  expect(timesOf({ value: (_t, y) => y[0]! }, 1, [0], [1])).toHaveLength(0);
});

test("a value that jumps faster than the steps needs a resolution", () => {
  const flash = (t: number): number => (Math.abs(t - 1.2345) < 1e-3 ? -1 : 1);
  expect(timesOf({ value: flash, resolution: 1e-3 }, 2)[0]).toBeCloseTo(1.2335, 12);
  expect(() => timesOf({ value: flash, resolution: 0 })).toThrow(ArgumentError);
  expect(() => timesOf({ value: flash, resolution: 0 })).toThrow(
    "options.events[0].resolution: must be a finite number above 0, got 0",
  );
});

describe("events of scenarios", () => {
  const scenario = (fields: object): Parameters<typeof runScenario>[0] =>
    loadScenario(
      JSON.stringify({
        castor: 1,
        name: "oscillator",
        model: {
          name: "oscillator",
          gravity: [0, 0, 0],
          bodies: [{ name: "mass", mass: 1, inertia: "none", hinge: { kind: "prismatic", axis: "x" } }],
        },
        state: { q: { mass: 1 } },
        forces: { spring: { kind: "hinge-spring", hinge: "mass", stiffness: 4 } },
        integrator: { name: "dop853" },
        duration: 10,
        channels: ["q.*"],
        ...fields,
      }),
    );

  test("two conditions that hold together for 1e-4 s between two roots", async () => {
    const [from, to] = [0.5, 0.5001];
    const when = [`q.mass > ${Math.cos(2 * to)}`, `u.mass < ${-2 * Math.sin(2 * from)}`];
    const { run } = await runScenario(scenario({ mode: "a", events: { seen: { when, repeat: true, mode: "b" } } }));
    expect(run.timeline).toHaveLength(4);
    for (const [n, { t }] of run.timeline.entries()) expect(t).toBeCloseTo(from + n * Math.PI, 8);
  });

  test("a stop and an event at the same time both happen", async () => {
    const events = { seen: { when: "q.mass < 0", mode: "b" } };
    const { run } = await runScenario(scenario({ mode: "a", events, stop: "q.mass < 0" }));
    expect(run.timeline.map(({ name }) => name)).toEqual(["seen"]);
    expect(run.end).toBe("stopped by event");
    expect(run.t).toBeCloseTo(Math.PI / 4, 9);
  });

  test("a resolution without a condition is refused", () => {
    expect(() => scenario({ mode: "a", events: { seen: { at: 1, resolution: 0.1, mode: "b" } } })).toThrow(
      "is used only with `when`, which is missing",
    );
  });
});

describe("the search", () => {
  const search = (f: (t: number) => number, a = 0, b = 1): { readonly at: number; readonly evaluations: number } => {
    let evaluations = 0;
    const at = new ConditionSearch(1).first(
      {
        count: 1,
        write(t, out) {
          evaluations++;
          out[0] = f(t);
        },
      },
      -1,
      a,
      b,
    );
    return { at, evaluations };
  };

  test("far from zero five points are enough", () => {
    expect(search((t) => 3 + Math.sin(t))).toEqual({ at: Number.NaN, evaluations: 5 });
  });

  test.each([1e-3, 1e-6, 1e-9, 1e-12])("a parabola that is below zero by %d", (depth) => {
    const { at, evaluations } = search((t) => (t - 0.37) ** 2 - depth);
    expect(at).toBeCloseTo(0.37 - Math.sqrt(depth), 9);
    expect(evaluations).toBeLessThan(100);
  });

  test("the first of several moments is found", () => {
    expect(search((t) => Math.cos(40 * t) + 1 - 1e-6, 0.01).at).toBeCloseTo((Math.PI - Math.acos(1 - 1e-6)) / 40, 9);
  });

  test("kinks, steps and poles are searched with bounded effort", () => {
    expect(search((t) => Math.abs(t - 1 / 3)).evaluations).toBeLessThan(2000);
    expect(search((t) => Math.abs(t - 1 / 3) - 1e-9).at).toBeCloseTo(1 / 3, 8);
    expect(search((t) => (t < 0.7 ? 1 : -1)).at).toBe(0.7);
    expect(search((t) => 1 / (t - 0.5)).evaluations).toBeLessThan(2000);
    expect(search(() => Number.NaN)).toEqual({ at: Number.NaN, evaluations: expect.any(Number) });
  });
});
