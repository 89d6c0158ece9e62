/** Peaks are those of the continuous motion, whatever the samples are. */
import { describe, expect, test } from "vitest";
import { ArgumentError, FormatError, ModelError } from "../../../src/errors.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { createForce } from "../../../src/parts/force/forces.ts";
import { limitPeaks } from "../../../src/scenario/limits/limit-peaks.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { MeanSearch } from "../../../src/sim/record/peaks/mean-search.ts";
import type { PeakOptions } from "../../../src/sim/record/peaks/peak-options.ts";
import { type FollowedExtreme, PeakSearch } from "../../../src/sim/record/peaks/peak-search.ts";
import type { SimulationOptions } from "../../../src/sim/run/run-options.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";

/** A mass of 1 kg on a spring of 4 N/m: x = cos 2t from x = 1 at rest. */
function oscillator() {
  const model = buildModel("oscillator")
    .gravity([0, 0, 0])
    .body({ name: "mass", mass: 1, inertia: "none", hinge: { kind: "prismatic", axis: "x" } })
    .build();
  return createSystem(model, [createForce(model, { name: "spring", kind: "hinge-spring", hinge: "mass", stiffness: 4 })]);
}

const peaksOf = (peaks: readonly PeakOptions[], options: Partial<SimulationOptions> = {}) => {
  const system = oscillator();
  return simulate(system, system.start({ q: [1], u: [0] }), { duration: 10, sample: 10, peaks, ...options }).peaks;
};

describe("peaks in code", () => {
  test("both bounds of every channel that matches, with unit and time", () => {
    const found = peaksOf([{ channels: ["u.*", "energy.kinetic"] }]);
    expect(found.map(({ channel, bound, unit }) => [channel, bound, unit])).toEqual([
      ["u.mass", "most", "m/s"],
      ["u.mass", "least", "m/s"],
      ["energy.kinetic", "most", "J"],
      ["energy.kinetic", "least", "J"],
    ]);
    expect(found[0]!.value).toBeCloseTo(2, 8);
    expect((found[0]!.at * 2) % (2 * Math.PI)).toBeCloseTo(1.5 * Math.PI, 3);
    expect(found[2]!.value).toBeCloseTo(2, 8);
    expect(found[3]!.value).toBeCloseTo(0, 8);
  });

  test.each(["rk4", "rkg", "gauss6"] as const)("%s, whose steps are otherwise made in a loop", (integrator) => {
    const [most] = peaksOf([{ channels: ["u.mass"], bound: "most" }], { integrator, settings: { step: 0.01 } });
    expect(most!.value).toBeCloseTo(2, 7);
  });

  test("a mean over a window", () => {
    const [most] = peaksOf([{ channels: ["q.mass"], bound: "most", mean: 1 }]);
    expect(most).toMatchObject({ channel: "q.mass", bound: "most", mean: 1 });
    expect(most!.value).toBeCloseTo(Math.sin(1), 8); // 1/w ∫ cos 2t over a window about a peak
  });

  test("no peaks are followed by default", () => {
    const system = oscillator();
    expect(simulate(system, system.start(), { duration: 1 }).peaks).toEqual([]);
  });

  test("wrong options are refused", () => {
    const refusal = (peaks: unknown): string => {
      try {
        peaksOf(peaks as readonly PeakOptions[]);
        return "";
      } catch (error) {
        expect(error).toBeInstanceOf(ArgumentError);
        return (error as Error).message;
      }
    };
    expect(refusal("u.mass")).toBe(
      'options.peaks: must be a list of channels to follow, e.g. [{ channels: ["q.*"] }], got "u.mass"',
    );
    expect(refusal([{ channels: "u.mass" }])).toMatch(/^options\.peaks\[0\]\.channels: must be a list of names of channels/);
    expect(refusal([{ channels: ["u.mass"], bound: "largest" }])).toMatch(/^options\.peaks\[0\]\.bound: there is no bound named/);
    expect(refusal([{ channels: ["u.mass"], mean: 0 }])).toBe("options.peaks[0].mean: must be a finite number above 0, got 0");
    expect(() => peaksOf([{ channels: ["u.mas"] }])).toThrow(ModelError);
  });
});

describe("saved runs", () => {
  const options: SimulationOptions = {
    duration: 10,
    sample: 10,
    peaks: [{ channels: ["q.mass", "energy.kinetic"] }, { channels: ["q.mass"], mean: 1 }],
  };

  test("continue with the peaks so far, bit for bit", () => {
    const system = oscillator();
    const whole = simulate(system, system.start({ q: [1], u: [0.3] }), { ...options, duration: 10 });
    const first = new Simulation(system, system.start({ q: [1], u: [0.3] }), options);
    while (first.t < 4) first.advance();
    const saved = structuredClone(first.save());
    const second = new Simulation(oscillator(), saved, options);
    expect(second.peaks).toEqual(first.peaks);
    while (second.advance() === undefined);
    expect(second.peaks).toEqual(whole.peaks);
    expect(second.save().peaks).toEqual(second.save().peaks);
  });

  test("peaks that were not followed start at the save", () => {
    const system = oscillator();
    const first = new Simulation(system, system.start({ q: [1] }), options);
    while (first.t < 4) first.advance();
    const peaks = [...options.peaks!, { channels: ["u.mass"] }];
    const second = new Simulation(oscillator(), first.save(), { ...options, peaks });
    expect(second.peaks.find((p) => p.channel === "u.mass")!.value).toBeNaN();
    expect(second.peaks.find((p) => p.channel === "q.mass" && p.bound === "most" && p.mean === undefined)!.value).toBe(1);
  });

  test("damaged peaks are refused", () => {
    const system = oscillator();
    const first = new Simulation(system, system.start({ q: [1] }), options);
    while (first.t < 4) first.advance();
    const saved = first.save();
    for (const peaks of [3, [3], [{ extremes: 1, means: [], reader: {} }]])
      expect(() => new Simulation(oscillator(), { ...saved, peaks }, options)).toThrow(FormatError);
  });
});

describe("limits", () => {
  /** A mass of 1000 kg hits a stop of 3.9484e6 N/m with 0.1 m/s: the peak load is 0.1 √(k m) = 6284 N, for 50 ms. */
  const impact = (sample: number) =>
    loadScenario(
      JSON.stringify({
        castor: 1,
        name: "impact",
        model: {
          name: "impact",
          gravity: [0, 0, 0],
          bodies: [{ name: "mass", mass: 1000, inertia: "none", hinge: { kind: "prismatic", axis: "x" } }],
        },
        state: { q: { mass: -0.1 }, u: { mass: 0.1 } },
        forces: { stop: { kind: "stop", hinge: "mass", upper: 0, stiffness: 3948400 } },
        integrator: { name: "dop853", relativeTolerance: 1e-10, absoluteTolerance: 1e-12 },
        duration: 2,
        sample,
        channels: ["q.*"],
        limits: { load: { channels: "tau.mass", least: -5000 } },
      }),
    );
  const exact = -0.1 * Math.sqrt(3948400 * 1000);

  test.each([0.001, 0.0123, 0.1, 0.7, 2])("a load of 6,284 N is found with samples every %d s", async (sample) => {
    const { run, scenario } = await runScenario(impact(sample));
    const [load] = limitPeaks(run.peaks, scenario.limits);
    expect(Math.abs(load!.value / exact - 1)).toBeLessThan(1e-6);
    expect(load).toMatchObject({ channel: "tau.mass", within: false, bound: "least", limit: -5000 });
  });

  test("options of one name give the largest of their peaks as without the name", async () => {
    const scenario = impact(0.1);
    const of = async (together: { readonly together?: string }): Promise<number> => {
      const options = (["most", "least"] as const).map((bound) => ({ channels: ["q.*", "u.*"], bound, ...together }));
      const { run } = await runScenario({ ...scenario, limits: [] }, { peaks: options });
      return Math.max(...run.peaks.map(({ value }) => Math.abs(value)));
    };
    expect(await of({ together: "size" })).toBeCloseTo(await of({}), 6);
  });

  test("following a peak changes no step", async () => {
    const scenario = impact(0.1);
    const [followed, plain] = [await runScenario(scenario), await runScenario({ ...scenario, limits: [] })];
    expect(followed.run.y).toEqual(plain.run.y);
    expect(followed.run.counts.steps).toBe(plain.run.counts.steps);
  });
});

describe("the search for peaks", () => {
  const search = (f: (t: number) => number, ends: readonly number[], startsWithThree = false) => {
    const best = Number.NEGATIVE_INFINITY;
    const extreme: FollowedExtreme = { channel: 0, sign: 1, best, at: 0, reach: { best } };
    let evaluations = 0;
    const read = (t: number): Float64Array => {
      evaluations++;
      return Float64Array.of(f(t));
    };
    const peak = new PeakSearch([extreme], 1, read, startsWithThree);
    for (let i = 1; i < ends.length; i++) peak.scan(ends[i - 1]!, ends[i]!);
    return { ...extreme, evaluations };
  };

  test("extremes that matter together: the largest is exact, the others take fewer evaluations", () => {
    const steps = Array.from({ length: 41 }, (_, i) => i / 10);
    const run = (isTogether: boolean) => {
      const reach = { best: Number.NEGATIVE_INFINITY };
      const extremes = [0, 1].map((channel): FollowedExtreme => {
        const own = isTogether ? reach : { best: Number.NEGATIVE_INFINITY };
        return { channel, sign: 1, best: Number.NEGATIVE_INFINITY, at: 0, reach: own };
      });
      let evaluations = 0;
      const values = (t: number): Float64Array => {
        evaluations++;
        return Float64Array.of(3 * Math.sin(t), Math.sin(3 * t + 1));
      };
      const peak = new PeakSearch(extremes, 2, values, false);
      for (let i = 1; i < steps.length; i++) peak.scan(steps[i - 1]!, steps[i]!);
      return { best: extremes.map((e) => e.best), evaluations };
    };
    const [together, alone] = [run(true), run(false)];
    expect(together.best[0]).toBeCloseTo(3, 7);
    expect(alone.best[1]).toBeCloseTo(1, 7);
    expect(together.best[1]).toBeLessThanOrEqual(alone.best[1]!);
    expect(together.evaluations).toBeLessThan(alone.evaluations);
  });

  test("bounds of the rates close steps that cannot reach the peak, and no others", () => {
    const extreme: FollowedExtreme = { channel: 0, sign: 1, best: 0, at: 0, reach: { best: 0.5 } };
    let evaluations = 0;
    const peak = new PeakSearch(
      [extreme],
      1,
      (t) => {
        evaluations++;
        return Float64Array.of(Math.sin(t));
      },
      false,
    );
    peak.scan(0, 0.1, Float64Array.of(1));
    expect(evaluations).toBe(2);
    peak.scan(1.5, 1.7, Float64Array.of(0.1));
    expect(extreme.best).toBeCloseTo(1, 9);
    peak.scan(0, 0.1, Float64Array.of(Number.NaN)); // no bound is known
    expect(evaluations).toBeGreaterThan(8);
  });

  test("a smooth peak within a step", () => {
    expect(search((t) => Math.sin(t), [1, 2]).best).toBeCloseTo(1, 9);
    expect(search((t) => Math.exp(-((t - 1.3) ** 2)), [0, 2]).at).toBeCloseTo(1.3, 6);
  });

  test("peaks at a kink, and next to a jump", () => {
    expect(search((t) => -Math.abs(t - 1 / 3), [0, 1]).best).toBeCloseTo(0, 7);
    expect(search((t) => (t < 0.4 ? t : -1), [0, 1]).best).toBeCloseTo(0.4, 6);
  });

  test("intervals that stay below the peak cost three points", () => {
    const { evaluations } = search((t) => (t < 1 ? 100 : 0.1) * Math.sin(Math.PI * t), [0, 1, 1.5, 2, 2.5, 3], true);
    expect(evaluations).toBeLessThan(20 + 4 * 3);
  });

  test("values that are not numbers do not count", () => {
    expect(search((t) => (t > 0.5 ? Number.NaN : t), [0, 1]).best).toBeCloseTo(0.5, 6);
    expect(search(() => Number.NaN, [0, 1]).best).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("means over a window", () => {
  const means = (f: (t: number) => number, window: number, ends: readonly number[]) => {
    const search = new MeanSearch(window, f);
    for (let i = 1; i < ends.length; i++) search.scan(ends[i - 1]!, ends[i]!);
    return search.extremes;
  };

  test("of a constant: from zero to the constant, after one window", () => {
    const { most, mostAt, least } = means(() => 3, 2, [0, 0.7, 1.9, 3.1, 8]);
    expect(most).toBeCloseTo(3, 12);
    expect(mostAt).toBeGreaterThan(2 - 1e-6);
    expect(least).toBe(0);
  });

  test("of a short pulse between two jumps", () => {
    let level = 0;
    const search = new MeanSearch(0.5, () => level);
    for (const [from, to, value] of [
      [0, 1, 0],
      [1, 1.1, 5],
      [1.1, 2, 0],
      [2, 3, 0],
    ] as const) {
      level = value;
      search.scan(from, to);
    }
    expect(search.extremes.most).toBeCloseTo(1, 12);
  });

  test("of bursts: as means at many times, where most steps cannot pass the extremes", () => {
    const bursts = [
      [0.4, 2],
      [1.7, -3],
      [5.2, 2.5],
      [5.9, 1],
    ] as const; // begin, size; each lasts 0.3
    const g = (t: number): number =>
      bursts.reduce((sum, [b, k]) => sum + (t > b && t < b + 0.3 ? k * (t - b) * (b + 0.3 - t) : 0), 0);
    const integral = (t: number): number =>
      bursts.reduce((sum, [b, k]) => {
        const x = Math.max(0, Math.min(0.3, t - b));
        return sum + k * ((0.3 * x * x) / 2 - x ** 3 / 3);
      }, 0);
    const window = 0.8;
    const times = Array.from({ length: 8001 }, (_, i) => i / 1000);
    const expected = times.map((t) => (integral(t) - integral(Math.max(0, t - window))) / window);
    const { most, least } = means(g, window, [...times.filter((_, i) => i % 100 === 0)]);
    // The extremes are between the times of the grid, where the means differ by the square of its step.
    expect(most).toBeCloseTo(Math.max(...expected), 6);
    expect(most).toBeGreaterThanOrEqual(Math.max(...expected) - 1e-9);
    expect(least).toBeCloseTo(Math.min(...expected), 6);
    expect(least).toBeLessThanOrEqual(Math.min(...expected) + 1e-9);
  });

  test("of a polynomial: t² over the window before the end", () => {
    expect(means((t) => t * t, 0.5, [0, 0.3, 1, 2]).most).toBeCloseTo((8 - 1.5 ** 3) / 3 / 0.5, 10);
  });
});
