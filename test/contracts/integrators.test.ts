/** The contract of every integrator, and the additional properties of each. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArgumentError, StepError } from "../../src/errors.ts";
import { DOP853_METHOD as dop853Method } from "../../src/sim/integrators/dop853.ts";
import { DOPRI5_METHOD as dopri5Method } from "../../src/sim/integrators/dopri5.ts";
import { evaluateNested } from "../../src/sim/integrators/explicit/dense-output.ts";
import type { EmbeddedMethod, TableauRow } from "../../src/sim/integrators/explicit/tableau.ts";
import { ALPHA, BETA, GAMMA, NODES, T, T_INVERSE } from "../../src/sim/integrators/implicit/radau-coefficients.ts";
import { INTEGRATORS, type IntegratorName } from "../../src/sim/integrators/index.ts";
import type { InitialValueProblem, Integrator, IntegratorOptions, Stepper } from "../../src/sim/integrators/integrator.ts";
import { asymmetricTop, topDifference } from "../oracles/asymmetric-top.ts";
import { keplerAngularMomentum, keplerDerivative, keplerEnergy, keplerState } from "../oracles/kepler.ts";
import { elementaryWeight, rootedTrees } from "../oracles/order-conditions.ts";

/** Tolerance of the slopes relative to the order. */
const SLOPE = 0.15;
/** Rounding of order conditions whose coefficients are up to 400. */
const CONDITION = 2e-12;
const ROUNDING = 1e-14;

interface Known extends InitialValueProblem {
  readonly name: string;
  /** Duration and longest step of the order test, chosen so that the leading error term dominates round-off. */
  readonly range: Readonly<Record<IntegratorName, readonly [until: number, longest: number]>>;
  solution(t: number): Float64Array;
  difference(a: Float64Array, b: Float64Array): number;
}

const largestDifference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i]!)), 0);

const oscillator: Known = {
  name: "linear oscillator",
  size: 2,
  derivative: (_t, y, ydot) => {
    ydot[0] = y[1]!;
    ydot[1] = -y[0]!;
  },
  solution: (t) => Float64Array.of(Math.cos(t), -Math.sin(t)),
  difference: largestDifference,
  range: {
    rkg: [12, 0.1],
    rk4: [12, 0.1],
    dopri5: [12, 0.2],
    "dopri5-radau5": [12, 0.2],
    dop853: [12, 0.6],
    radau5: [12, 0.2],
    gauss6: [12, 0.4],
  },
};

const kepler: Known = {
  name: "Kepler orbit, e = 0.5",
  size: 4,
  derivative: keplerDerivative,
  solution: (t) => keplerState(0.5, t),
  difference: largestDifference,
  range: {
    rkg: [6, 0.004],
    rk4: [6, 0.01],
    dopri5: [20, 0.01],
    "dopri5-radau5": [20, 0.01],
    dop853: [1, 0.064],
    radau5: [6, 0.02],
    gauss6: [6, 0.04],
  },
};

const body = asymmetricTop([1, 2, 3], 0.3, 0.9);
const top: Known = {
  name: "torque-free asymmetric top",
  size: 7,
  derivative: body.derivative,
  solution: body.stateAt,
  difference: topDifference,
  range: {
    rkg: [20, 0.1],
    rk4: [20, 0.1],
    dopri5: [20, 0.1],
    "dopri5-radau5": [20, 0.1],
    dop853: [20, 0.6],
    radau5: [20, 0.2],
    gauss6: [20, 0.4],
  },
};
const projectedTop: Known = { ...top, name: "torque-free asymmetric top, projected", project: body.project };

const NAMES = Object.keys(INTEGRATORS) as IntegratorName[];
const ADAPTIVE = NAMES.filter((name) => INTEGRATORS[name].adaptive);
const FIXED = NAMES.filter((name) => !INTEGRATORS[name].adaptive);

/** Options of an integrator for tests that do not depend on them. */
const usual = (integrator: Integrator, step = 0.1): IntegratorOptions =>
  integrator.adaptive ? { relativeTolerance: 1e-9, absoluteTolerance: 1e-9 } : { step };

function startedAt(integrator: Integrator, problem: Known, options: IntegratorOptions): Stepper {
  const stepper = integrator.start(problem, options);
  stepper.restart(0, problem.solution(0));
  return stepper;
}

function run(stepper: Stepper, end: number): Stepper {
  while (stepper.t < end) stepper.step(end);
  return stepper;
}

/** An adaptive integrator without error control makes its largest steps. */
function withConstantSteps(integrator: Integrator, problem: Known, step: number): Stepper {
  const uncontrolled = integrator.adaptive ? { ...problem, weights: new Float64Array(problem.size) } : problem;
  return startedAt(integrator, uncontrolled, { step, relativeTolerance: 1e-13, absoluteTolerance: 1e-13 });
}

/** Slope of the least-squares line through the logarithms. */
function slope(x: readonly number[], y: readonly number[]): number {
  const [u, v] = [x.map(Math.log), y.map(Math.log)];
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const [mu, mv] = [mean(u), mean(v)];
  return u.reduce((sum, a, i) => sum + (a - mu) * (v[i]! - mv), 0) / u.reduce((sum, a) => sum + (a - mu) ** 2, 0);
}

/** Whole fractions of the duration near 1, 0.7 and 0.5 of the longest step. */
function stepsFor(problem: Known, name: IntegratorName): number[] {
  const [until, longest] = problem.range[name];
  return [1, 0.7, 0.5].map((factor) => until / Math.round(until / (factor * longest)));
}

describe.each(NAMES)("%s", (name) => {
  const integrator: Integrator = INTEGRATORS[name];

  test.each([oscillator, kepler, top, projectedTop])("has its order: $name", (problem) => {
    const [until] = problem.range[name];
    const sizes = stepsFor(problem, name);
    const errors = sizes.map((h) => {
      const stepper = withConstantSteps(integrator, problem, h);
      let worst = 0;
      while (stepper.t < until) {
        stepper.step(until);
        worst = Math.max(worst, problem.difference(stepper.y, problem.solution(stepper.t)));
      }
      return worst;
    });
    expect(Math.abs(slope(sizes, errors) - integrator.order)).toBeLessThan(SLOPE);
  });

  test("stays on the manifold", () => {
    const stepper = startedAt(integrator, projectedTop, usual(integrator));
    while (stepper.t < 20) {
      stepper.step(20);
      expect(Math.abs(Math.hypot(...stepper.y.subarray(0, 4)) - 1)).toBeLessThan(ROUNDING);
    }
  });

  test("has dense output of its order, exact at both ends", () => {
    const outputOrder: Readonly<Record<IntegratorName, number>> = {
      rkg: 4,
      rk4: 4,
      dopri5: 5,
      "dopri5-radau5": 5,
      dop853: 8,
      radau5: 4,
      gauss6: 4,
    };
    const out = new Float64Array(top.size);
    const [until] = top.range[name];
    const sizes = stepsFor(top, name);
    const errors = sizes.map((h) => {
      const stepper = withConstantSteps(integrator, top, h);
      const before = stepper.y.slice();
      let worst = 0;
      while (stepper.t < until) {
        stepper.step(until);
        stepper.interpolate(stepper.t, out);
        expect(out).toEqual(stepper.y);
        stepper.interpolate(stepper.previous, out);
        expect(largestDifference(out, before)).toBe(0);
        const nearEnd = stepper.t - 1e-13 * Math.max(1, stepper.t);
        stepper.interpolate(nearEnd, out);
        expect(largestDifference(out, stepper.y)).toBeLessThan(1e-12 * Math.max(1, stepper.t));
        before.set(stepper.y);
        for (const s of [0.15, 0.4, 0.65, 0.9]) {
          const t = stepper.previous + s * (stepper.t - stepper.previous);
          stepper.interpolate(t, out);
          worst = Math.max(worst, topDifference(out, top.solution(t)));
        }
      }
      return worst;
    });
    expect(Math.abs(slope(sizes, errors) - outputOrder[name])).toBeLessThan(2 * SLOPE);
  });

  test("rejects times outside the last step", () => {
    const stepper = run(startedAt(integrator, oscillator, usual(integrator)), 1);
    const out = new Float64Array(2);
    expect(() => stepper.interpolate(1.01, out)).toThrow(ArgumentError);
    expect(() => stepper.interpolate(stepper.previous - 0.01, out)).toThrow(ArgumentError);
    expect(() => stepper.interpolate(Number.NaN, out)).toThrow(ArgumentError);
  });

  test("lands on every end exactly, and neither steps nor evaluates past it", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e-6, max: 0.7, noNaN: true }), { minLength: 1, maxLength: 8 }), (spans) => {
        let latest = 0;
        const watched: Known = {
          ...oscillator,
          derivative: (t, y, ydot) => {
            latest = Math.max(latest, t);
            oscillator.derivative(t, y, ydot);
          },
        };
        const stepper = startedAt(integrator, watched, usual(integrator));
        let end = 0;
        for (const span of spans) {
          end += span;
          while (stepper.t < end) {
            const before = stepper.t;
            stepper.step(end);
            expect(stepper.previous).toBe(before);
            expect(stepper.t).toBeGreaterThan(before);
            expect(stepper.t).toBeLessThanOrEqual(end);
          }
          expect(stepper.t).toBe(end);
          expect(latest).toBeLessThanOrEqual(end);
          expect(largestDifference(stepper.y, oscillator.solution(end))).toBeLessThan(1e-5);
        }
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  test("leaves no very short step before an end", () => {
    const stepper = startedAt(integrator, oscillator, { ...usual(integrator), step: 0.1 });
    const end = 1.0003;
    while (stepper.t < end) {
      stepper.step(end);
      expect(stepper.t - stepper.previous).toBeGreaterThan(1e-4);
    }
  });

  test("after a restart it steps like a new stepper, bit for bit", () => {
    const stepper = run(startedAt(integrator, top, usual(integrator)), 3.3);
    const first = stepper.y.slice();
    run(stepper, 5);
    stepper.restart(0, top.solution(0));
    expect(stepper.previous).toBe(0);
    expect(run(stepper, 3.3).y).toEqual(first);
    expect(run(startedAt(integrator, top, usual(integrator)), 3.3).y).toEqual(first);
  });

  test("makes the same steps with and without dense output", () => {
    const plain = run(startedAt(integrator, top, usual(integrator)), 3);
    const asked = startedAt(integrator, top, usual(integrator));
    const out = new Float64Array(top.size);
    while (asked.t < 3) {
      asked.step(3);
      asked.interpolate((asked.t + asked.previous) / 2, out);
    }
    expect(asked.y).toEqual(plain.y);
  });

  test("interpolates the state of its restart", () => {
    const stepper = startedAt(integrator, oscillator, usual(integrator));
    const out = new Float64Array(2);
    stepper.interpolate(0, out);
    expect(out).toEqual(stepper.y);
  });

  test("counts steps and every evaluation", () => {
    let calls = 0;
    const counted: Known = {
      ...top,
      derivative: (t, y, ydot) => {
        calls++;
        top.derivative(t, y, ydot);
      },
    };
    const stepper = startedAt(integrator, counted, usual(integrator));
    let accepted = 0;
    for (; stepper.t < 4; accepted++) stepper.step(4);
    expect(stepper.counts.steps).toBe(accepted);
    expect(stepper.counts.evaluations).toBe(calls);
    stepper.interpolate(stepper.previous + 1e-3, new Float64Array(top.size));
    expect(stepper.counts.evaluations).toBe(calls);
  });

  test("allocates no array after its first steps", () => {
    const size = 400;
    const chain: InitialValueProblem = {
      size,
      derivative: (_t, y, ydot) => {
        for (let i = 0; i < size; i++) ydot[i] = y[(i + 1) % size]! - y[i]!;
      },
      project: (y) => {
        y[0] = y[0]!;
      },
      weights: new Float64Array(size),
    };
    const stepper = integrator.start(chain, { step: 0.05 });
    const out = new Float64Array(size);
    stepper.restart(
      0,
      Float64Array.from({ length: size }, (_, i) => Math.sin(i)),
    );
    const stepAndLook = (): void => {
      stepper.step(1e3);
      stepper.interpolate((stepper.t + stepper.previous) / 2, out);
    };
    for (let k = 0; k < 20; k++) stepAndLook();
    const before = process.memoryUsage().arrayBuffers;
    for (let k = 0; k < 200; k++) stepAndLook();
    const arrays = (process.memoryUsage().arrayBuffers - before) / (8 * size);
    expect(arrays).toBeLessThan(20);
  });

  test.each([0, -0.1, Number.NaN, Number.POSITIVE_INFINITY])("rejects a step of %s", (step) => {
    expect(() => integrator.start(oscillator, { step })).toThrow(ArgumentError);
    expect(() => integrator.start(oscillator, { step })).toThrow(`${name}: step is ${step}`);
  });

  test("rejects invalid states, times and ends", () => {
    const stepper = integrator.start(oscillator, usual(integrator));
    expect(() => stepper.step(1)).toThrow(/restart/);
    expect(() => stepper.restart(0, new Float64Array(3))).toThrow(/3 components/);
    expect(() => stepper.restart(Number.NaN, new Float64Array(2))).toThrow(ArgumentError);
    expect(() => stepper.restart(0, Float64Array.of(1, Number.NaN))).toThrow(/component 1/);
    stepper.restart(2, Float64Array.of(1, 0));
    for (const end of [2, 1, Number.NaN]) expect(() => stepper.step(end)).toThrow(ArgumentError);
  });

  test("fails at a derivative that is not finite, with the time, and keeps the last valid state", () => {
    const failing: Known = {
      ...oscillator,
      derivative: (t, y, ydot) => {
        oscillator.derivative(t, y, ydot);
        if (t > 1.234) ydot[1] = Number.NaN;
      },
    };
    const stepper = startedAt(integrator, failing, usual(integrator));
    const error = caught(() => run(stepper, 2));
    expect(error).toBeInstanceOf(StepError);
    expect(error.message).toMatch(/not finite/);
    expect((error as StepError).t).toBe(stepper.t);
    expect(stepper.t).toBeGreaterThan(1.1);
    expect(stepper.t).toBeLessThanOrEqual(1.2341);
    expect(largestDifference(stepper.y, oscillator.solution(stepper.t))).toBeLessThan(1e-5);
    const atOnce = integrator.start({ ...oscillator, derivative: (_t, _y, ydot) => ydot.fill(Number.NaN) }, usual(integrator));
    atOnce.restart(0, Float64Array.of(1, 0));
    expect(() => atOnce.step(1)).toThrow(StepError);
  });
});

describe.each(FIXED)("fixed steps: %s", (name) => {
  const integrator: Integrator = INTEGRATORS[name];

  test("needs a step", () => {
    expect(() => integrator.start(oscillator, {})).toThrow(`${name} needs a step size in s`);
  });

  test("reaches 8 in 160 steps of 0.05, with ends accumulated by the caller", () => {
    const stepper = startedAt(integrator, oscillator, { step: 0.05 });
    for (let end = 0.1; end < 8.05; end += 0.1) run(stepper, end);
    expect(stepper.counts.steps).toBe(160);
    const direct = run(startedAt(integrator, oscillator, { step: 0.05 }), 8);
    expect(direct.t).toBe(8);
    expect(direct.counts.steps).toBe(160);
    expect(largestDifference(direct.y, stepper.y)).toBeLessThan(ROUNDING);
  });

  test("does not accumulate its time", () => {
    const stepper = startedAt(integrator, { ...oscillator, derivative: (_t, _y, ydot) => ydot.fill(0) }, { step: 0.1 });
    for (let k = 1; k <= 10_000; k++) {
      stepper.step(2000);
      expect(stepper.t).toBe(k * 0.1);
    }
  });

  test("reports a step that is lost in the rounding of time", () => {
    const stepper = integrator.start(oscillator, { step: 1e-9 });
    stepper.restart(1e9, Float64Array.of(1, 0));
    expect(() => stepper.step(2e9)).toThrow(StepError);
  });
});

test.each(["rk4", "rkg"] as const)("%s evaluates four times per step, including dense output", (name) => {
  const stepper = startedAt(INTEGRATORS[name], oscillator, { step: 0.1 });
  const out = new Float64Array(2);
  for (let k = 0; k < 10; k++) {
    stepper.step(5);
    stepper.interpolate(stepper.previous + 0.03, out);
  }
  expect(stepper.counts).toEqual({ steps: 10, rejected: 0, evaluations: 41 });
});

test("rkg is Gill's formula of [TR-942]", () => {
  const f = (x: number): number => Math.cos(x) - x * x;
  const [h, x, r] = [0.3, 0.7, Math.SQRT2];
  const k1 = h * f(x);
  const k2 = h * f(x + k1 / 2);
  const k3 = h * f(x + ((r - 1) / 2) * k1 + (1 - r / 2) * k2);
  const k4 = h * f(x - (r / 2) * k2 + (1 + r / 2) * k3);
  const stepper = INTEGRATORS.rkg.start({ size: 1, derivative: (_t, y, ydot) => ydot.fill(f(y[0]!)) }, { step: h });
  stepper.restart(0, Float64Array.of(x));
  stepper.step(1);
  expect(stepper.y[0]).toBeCloseTo(x + (k1 + (2 - r) * k2 + (2 + r) * k3 + k4) / 6, 15);
});

describe.each(ADAPTIVE)("adaptive: %s", (name) => {
  const integrator: Integrator = INTEGRATORS[name];
  const errorAt = (problem: Known, until: number, tolerance: number): number => {
    const options = { relativeTolerance: tolerance, absoluteTolerance: tolerance };
    return problem.difference(run(startedAt(integrator, problem, options), until).y, problem.solution(until));
  };

  test.each([oscillator, kepler, top, projectedTop])("error is proportional to the tolerance: $name", (problem) => {
    const tolerances = [1e-7, 1e-8, 1e-9, 1e-10, 1e-11];
    expect(
      Math.abs(
        slope(
          tolerances,
          tolerances.map((tolerance) => errorAt(problem, problem === kepler ? 6 : 30, tolerance)),
        ) - 1,
      ),
    ).toBeLessThan(SLOPE);
  });

  test("the top after 1000 s: error in proportion to the tolerance and below 1e-6 at 1e-10", () => {
    const tolerances = [1e-7, 1e-8, 1e-9, 1e-10, 1e-11];
    const errors = tolerances.map((tolerance) => errorAt(projectedTop, 1000, tolerance));
    expect(Math.abs(slope(tolerances, errors) - 1)).toBeLessThan(SLOPE);
    expect(errors[3]).toBeLessThan(1e-6);
    const byDefault = run(startedAt(integrator, projectedTop, {}), 1000);
    expect(topDifference(byDefault.y, top.solution(1000))).toBeLessThan(1e-6);
  });

  test.each([0, -1e-6, Number.NaN, Number.POSITIVE_INFINITY])("rejects a tolerance of %s", (tolerance) => {
    expect(() => integrator.start(oscillator, { relativeTolerance: tolerance })).toThrow(/relativeTolerance is/);
    expect(() => integrator.start(oscillator, { absoluteTolerance: tolerance })).toThrow(/absoluteTolerance is/);
  });

  test("uses the given step as the largest", () => {
    const stepper = startedAt(integrator, oscillator, { step: 0.01, relativeTolerance: 1e-3, absoluteTolerance: 1e-3 });
    while (stepper.t < 1) {
      stepper.step(1);
      expect(stepper.t - stepper.previous).toBeLessThan(0.0102);
    }
  });

  test("reports where the solution ends", () => {
    const stepper = integrator.start({ size: 1, derivative: (_t, y, ydot) => ydot.fill(y[0]! ** 2) }, {});
    stepper.restart(0, Float64Array.of(1));
    const error = caught(() => run(stepper, 2));
    expect(error).toBeInstanceOf(StepError);
    expect((error as StepError).t).toBeCloseTo(1, 6);
    if (!name.endsWith("radau5")) expect(error.message).toMatch(/step shrank to .* at t = .*radau5/);
  });

  test("controls only components with a weight", () => {
    const withFast = (weight: number): Known => ({
      ...oscillator,
      size: 3,
      derivative: (t, y, ydot) => {
        oscillator.derivative(t, y, ydot);
        ydot[2] = Math.cos(60 * t);
      },
      solution: (t) => Float64Array.of(Math.cos(t), -Math.sin(t), Math.sin(60 * t) / 60),
      weights: Float64Array.of(1, 1, weight),
    });
    const stepsWith = (weight: number): number =>
      run(startedAt(integrator, withFast(weight), { relativeTolerance: 1e-8, absoluteTolerance: 1e-8 }), 10).counts.steps;
    expect(stepsWith(0)).toBeLessThan(stepsWith(1) / 3);
    expect(() => integrator.start({ ...oscillator, weights: Float64Array.of(1, -1) }, {})).toThrow(/weight of component 1/);
  });

  test("continues with its step size after an end that cut a step", () => {
    const stepper = startedAt(integrator, top, { relativeTolerance: 1e-8, absoluteTolerance: 1e-8 });
    run(stepper, 5);
    const usualSize = stepper.t - stepper.previous;
    run(stepper, 5.0001);
    stepper.step(20);
    expect(stepper.t - stepper.previous).toBeGreaterThan(usualSize / 3);
  });
});

describe("coefficients", () => {
  const columns = (row: TableauRow, stages: number): number[] => {
    const all = new Array<number>(stages).fill(0);
    row.stage.forEach((stage, i) => {
      all[stage]! += row.coefficient[i]!;
    });
    return all;
  };

  function check(method: EmbeddedMethod, order: number, outputOrder: number): void {
    const stages = method.times.length;
    const b = columns(method.solution, stages);
    const end = method.stages.length + 1;
    const rows = [...method.stages, method.solution, ...method.outputStages];
    const A = [new Array<number>(stages).fill(0), ...rows.map((row) => columns(row, stages))];
    const trees = rootedTrees(order);
    A.forEach((row, i) => {
      expect(row.reduce((sum, a) => sum + a, 0)).toBeCloseTo(method.times[i]!, 13);
    });
    for (const tree of trees.flat()) expect(Math.abs(elementaryWeight(tree, A, b) - 1 / tree.gamma)).toBeLessThan(CONDITION);
    for (const s of [0.2, 0.5, 0.85, 1]) {
      const output = b.map((rise, j) => {
        const start = j === 0 ? 1 : 0;
        const slopes = start + (j === end ? 1 : 0);
        const terms = method.outputTerms.map((row) => columns(row, stages)[j]!);
        const value = new Float64Array(1);
        const F = Float64Array.of(rise, start - rise, 2 * rise - slopes, ...terms);
        evaluateNested(F, F.length, s, new Float64Array(1), value);
        return value[0]!;
      });
      for (const tree of trees.slice(0, outputOrder).flat())
        expect(Math.abs(elementaryWeight(tree, A, output) - s ** tree.order / tree.gamma)).toBeLessThan(CONDITION);
    }
    const vanishes = (row: TableauRow, upTo: number): void => {
      const weights = trees.map((same) =>
        Math.max(...same.map((tree) => Math.abs(elementaryWeight(tree, A, columns(row, stages))))),
      );
      expect(Math.max(...weights.slice(0, upTo))).toBeLessThan(CONDITION);
      expect(weights[upTo]).toBeGreaterThan(1e-5);
    };
    vanishes(method.error, method === dop853Method ? 5 : 4);
    if (method.secondError) vanishes(method.secondError, 3);
  }

  test("of Dormand and Prince 5(4) satisfy all 17 conditions of order 5, output those of order 4", () =>
    check(dopri5Method, 5, 4));
  test("of Dormand and Prince 8(5,3) satisfy all 200 conditions of order 8, output those of order 7", () =>
    check(dop853Method, 8, 7));

  test("of Radau IIA: T^-1 A^-1 T is real beside complex", () => {
    const r = Math.sqrt(6);
    const A = [
      [(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225],
      [(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225],
      [(16 - r) / 36, (16 + r) / 36, 1 / 9],
    ];
    const Lambda = [
      [GAMMA, 0, 0],
      [0, ALPHA, -BETA],
      [0, BETA, ALPHA],
    ];
    const matrix = (values: Float64Array): number[][] => [0, 3, 6].map((i) => [...values.subarray(i, i + 3)]);
    const times = (P: number[][], Q: number[][]): number[][] =>
      P.map((row) => Q[0]!.map((_, j) => row.reduce((sum, p, k) => sum + p * Q[k]![j]!, 0)));
    const near = (P: number[][], Q: number[][]): void =>
      expect(largestDifference(Float64Array.from(P.flat()), Float64Array.from(Q.flat()))).toBeLessThan(ROUNDING);
    near(times(times(A, matrix(T)), Lambda), matrix(T));
    near(times(matrix(T), matrix(T_INVERSE)), [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    const sums = A.map((row) => row.reduce((a, b) => a + b, 0));
    expect(largestDifference(Float64Array.from(sums), NODES)).toBeLessThan(ROUNDING);
    for (const tree of rootedTrees(5).flat()) expect(elementaryWeight(tree, A, A[2]!)).toBeCloseTo(1 / tree.gamma, 14);
  });
});

describe("radau5 on stiff problems", () => {
  // A servo with a new command every 20 ms, ü = k (c - x) - d u. Its work is an integral on which nothing depends.
  const servo = (command: { value: number }, integrals = 0): InitialValueProblem => ({
    size: 3,
    coordinates: 1,
    integrals,
    derivative: (_t, [x, u], ydot) => {
      ydot[0] = u!;
      ydot[1] = 1e4 * (command.value - x!) - 500 * u!;
      ydot[2] = ydot[1]! * u!;
    },
  });
  const commanded = (integrals: number, nudge: number): Stepper => {
    const command = { value: 0 };
    const stepper = INTEGRATORS.radau5.start(servo(command, integrals), { relativeTolerance: 1e-5, absoluteTolerance: 1e-5 });
    stepper.restart(0, new Float64Array(3));
    for (let k = 1; k <= 100; k++) {
      command.value = Math.sin(0.02 * k) * 1e-3;
      const y = stepper.y.slice();
      y[0]! += nudge; // a state that has jumped, if only in its last digit
      stepper.restart(stepper.t, y);
      while (stepper.t < 0.02 * k) stepper.step(0.02 * k);
    }
    return stepper;
  };

  test("keeps Jacobian and step size if only the right-hand side has changed, with the same motion", () => {
    const on = commanded(1, 0);
    const anew = commanded(1, 1e-15);
    for (let i = 0; i < 3; i++) expect(Math.abs(on.y[i]! - anew.y[i]!)).toBeLessThan(2e-5); // twice the tolerance
    expect(on.y[0]).toBeGreaterThan(8e-4);
    expect(on.counts.evaluations).toBeLessThan(0.8 * anew.counts.evaluations);
  });

  test("leaves integrals out of its matrices and still computes them", () => {
    const [known, unknown] = [commanded(1, 0), commanded(0, 0)];
    for (let i = 0; i < 3; i++) expect(Math.abs(known.y[i]! - unknown.y[i]!)).toBeLessThan(1e-11);
    expect(known.counts.evaluations).toBeLessThan(unknown.counts.evaluations);
  });

  /** Published: Test Set for IVP Solvers, Bari; van der Pol at t = 2, Robertson at t = 1e11. */
  const VAN_DER_POL = Float64Array.of(1.706167732170483, -0.8928097010247975);
  const ROBERTSON = Float64Array.of(0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505);

  const vanDerPol: InitialValueProblem = {
    size: 2,
    derivative: (_t, y, ydot) => {
      ydot[0] = y[1]!;
      ydot[1] = 1e6 * ((1 - y[0]! ** 2) * y[1]! - y[0]!);
    },
  };
  const vanDerPolJacobian = (_t: number, y: Float64Array, J: Float64Array): void =>
    J.set([0, 1, -1e6 * (2 * y[0]! * y[1]! + 1), 1e6 * (1 - y[0]! ** 2)]);

  function solve(problem: InitialValueProblem, y: Float64Array, end: number, options: IntegratorOptions): Stepper {
    const stepper = INTEGRATORS.radau5.start(problem, options);
    stepper.restart(0, y);
    return run(stepper, end);
  }

  test.each([vanDerPol, { ...vanDerPol, jacobian: vanDerPolJacobian }])("van der Pol, mu = 1e6", (problem) => {
    for (const tolerance of [1e-4, 1e-6, 1e-8, 1e-10]) {
      const options = { relativeTolerance: tolerance, absoluteTolerance: tolerance };
      const stepper = solve(problem, Float64Array.of(2, 0), 2, options);
      expect(largestDifference(stepper.y, VAN_DER_POL)).toBeLessThan(tolerance);
      expect(stepper.counts.steps).toBeLessThan(60 * tolerance ** -0.2);
    }
  });

  test("Robertson's reaction up to 1e11 s", () => {
    const problem: InitialValueProblem = {
      size: 3,
      derivative: (_t, y, ydot) => {
        ydot[0] = -0.04 * y[0]! + 1e4 * y[1]! * y[2]!;
        ydot[2] = 3e7 * y[1]! ** 2;
        ydot[1] = -ydot[0]! - ydot[2]!;
      },
    };
    for (const tolerance of [1e-4, 1e-6, 1e-8, 1e-10]) {
      const options = { relativeTolerance: tolerance, absoluteTolerance: 1e-8 * tolerance };
      const { y, counts } = solve(problem, Float64Array.of(1, 0, 0), 1e11, options);
      for (let i = 0; i < 3; i++) expect(Math.abs(y[i]! / ROBERTSON[i]! - 1)).toBeLessThan(tolerance);
      expect(counts.steps).toBeLessThan(5000);
    }
  });

  test("keeps its Jacobian on a linear problem", () => {
    let jacobians = 0;
    const problem: InitialValueProblem = {
      size: 2,
      derivative: (t, y, ydot) => {
        ydot[0] = -1e5 * (y[0]! - Math.cos(t));
        ydot[1] = -y[1]!;
      },
      jacobian: (_t, _y, J) => {
        jacobians++;
        J.set([-1e5, 0, 0, -1]);
      },
    };
    const { y, counts } = solve(problem, Float64Array.of(0, 1), 20, { relativeTolerance: 1e-6, absoluteTolerance: 1e-6 });
    expect(y[0]).toBeCloseTo((1e10 * Math.cos(20) + 1e5 * Math.sin(20)) / (1e10 + 1), 5);
    expect(y[1]).toBeCloseTo(Math.exp(-20), 6);
    expect(jacobians).toBeLessThanOrEqual(3);
    expect(counts.steps).toBeLessThan(300);
  });
});

describe("gauss6 over many steps", () => {
  test("returns when time is reversed", () => {
    const there = run(startedAt(INTEGRATORS.gauss6, top, { step: 0.05 }), 50);
    const backward: InitialValueProblem = {
      size: top.size,
      derivative: (t, y, ydot) => {
        top.derivative(-t, y, ydot);
        for (let i = 0; i < ydot.length; i++) ydot[i] = -ydot[i]!;
      },
    };
    const back = INTEGRATORS.gauss6.start(backward, { step: 0.05 });
    back.restart(0, there.y);
    expect(largestDifference(run(back, 50).y, top.solution(0))).toBeLessThan(1e-13);
  });

  test("keeps the energy of an orbit within bounds for 1e5 steps, where rk4 drifts", () => {
    const step = (2 * Math.PI) / 80;
    /** Largest energy error over the next steps. */
    const worstOver = (count: number, stepper: Stepper): number => {
      let worst = 0;
      for (let k = 0; k < count; k++) {
        stepper.step(1e9);
        worst = Math.max(worst, Math.abs(keplerEnergy(stepper.y) + 0.5));
      }
      return worst;
    };
    const gauss = startedAt(INTEGRATORS.gauss6, kepler, { step });
    const early = worstOver(1000, gauss);
    expect(worstOver(99_000, gauss)).toBeLessThan(1.05 * early);
    expect(Math.abs(keplerAngularMomentum(gauss.y) - Math.sqrt(0.75))).toBeLessThan(3 * ROUNDING);
    const rk = startedAt(INTEGRATORS.rk4, kepler, { step });
    const earlyRk = worstOver(1000, rk);
    expect(worstOver(19_000, rk)).toBeGreaterThan(5 * earlyRk);
  });

  test("keeps quaternions normalised without projection and needs few iterations", () => {
    let projected = 0;
    const problem: Known = { ...top, project: () => projected++ };
    const stepper = startedAt(INTEGRATORS.gauss6, problem, { step: 0.02 });
    for (let k = 0; k < 100_000; k++) stepper.step(1e9);
    expect(Math.abs(Math.hypot(...stepper.y.subarray(0, 4)) - 1)).toBeLessThan(ROUNDING);
    expect(projected).toBe(0);
    expect(stepper.counts.evaluations / stepper.counts.steps).toBeLessThan(12);
    expect(topDifference(stepper.y, top.solution(2000))).toBeLessThan(5e-12);
  });

  test("reports that a step too long for its iteration must be reduced", () => {
    const stepper = INTEGRATORS.gauss6.start({ size: 1, derivative: (_t, y, ydot) => ydot.fill(-100 * y[0]!) }, { step: 0.1 });
    stepper.restart(0, Float64Array.of(1));
    expect(() => stepper.step(1)).toThrow(/does not contract; reduce the step/);
  });
});

function caught(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

describe("dopri5-radau5", () => {
  const both = INTEGRATORS["dopri5-radau5"];
  const atTolerance = (tolerance: number): IntegratorOptions => ({ relativeTolerance: tolerance, absoluteTolerance: tolerance });

  function solve(integrator: Integrator, problem: InitialValueProblem, y: Float64Array, end: number, tolerance: number): Stepper {
    const stepper = integrator.start(problem, atTolerance(tolerance));
    stepper.restart(0, y);
    return run(stepper, end);
  }

  test("is bit-identical to dopri5 without stiffness", () => {
    for (const problem of [oscillator, kepler, projectedTop]) {
      const y0 = problem.solution(0);
      const [a, b] = [both, INTEGRATORS.dopri5].map((integrator) => solve(integrator, problem, y0, 20, 1e-8)) as [
        Stepper,
        Stepper,
      ];
      expect(a.y).toEqual(b.y);
      expect(a.counts).toEqual(b.counts);
    }
  });

  /** x follows cos t, and deviations from it decay at `rate`; the phase of an uncoupled pendulum is not stiff. */
  const follower = (rate: number): InitialValueProblem => ({
    size: 3,
    derivative: (t, y, ydot) => {
      ydot[0] = -rate * (y[0]! - Math.cos(t)) - Math.sin(t);
      ydot[1] = y[2]!;
      ydot[2] = -Math.sin(y[1]!);
    },
  });

  test.each([1e3, 1e5])("takes long steps with a mode that decays at %f 1/s", (rate) => {
    const y0 = Float64Array.of(0, 1, 0);
    const exact = solve(INTEGRATORS.radau5, follower(rate), y0, 10, 1e-12);
    const stepper = solve(both, follower(rate), y0, 10, 1e-7);
    expect(largestDifference(stepper.y, exact.y)).toBeLessThan(1e-6);
    // dopri5 makes one step per 3.3 / rate.
    expect(stepper.counts.steps).toBeLessThan(250);
  });

  test("switches to implicit steps and back: a brake is on from 2 to 4 s and from 6 to 8 s", () => {
    const grip = (t: number): number => (Math.floor(t / 2) % 2 === 1 ? Math.sin((Math.PI * t) / 2) ** 2 : 0);
    const problem: InitialValueProblem = {
      size: 2,
      derivative: (t, y, ydot) => {
        ydot[0] = y[1]!;
        ydot[1] = -400 * Math.sin(y[0]!) - 1e5 * grip(t) * y[1]!;
      },
    };
    const y0 = Float64Array.of(1, 0);
    const exact = solve(INTEGRATORS.dopri5, problem, y0, 10, 1e-11);
    const explicit = solve(INTEGRATORS.dopri5, problem, y0, 10, 1e-7);
    const stepper = both.start(problem, atTolerance(1e-7));
    stepper.restart(0, y0);
    const stepsTo = (end: number): number => {
      const before = stepper.counts.steps;
      run(stepper, end);
      return stepper.counts.steps - before;
    };
    const steps = [2, 4, 6, 8, 10].map(stepsTo);
    const error = largestDifference(stepper.y, exact.y);
    expect(error).toBeLessThan(1.5 * largestDifference(explicit.y, exact.y)); // 3.4e-5: the way back is unstable
    expect(stepper.counts.evaluations).toBeLessThan(explicit.counts.evaluations / 20);
    // Released it oscillates at 20 1/s, with a step about every 6 ms. With the brake on there are fewer steps, far fewer than stability requires.
    for (const free of [0, 2, 4]) expect(steps[free]).toBeGreaterThan(250);
    for (const braked of [1, 3]) expect(steps[braked]).toBeLessThan(350);
  });

  test("stays implicit if only the right-hand side has changed, and is explicit after a jump", () => {
    const command = { value: 0 };
    const problem: InitialValueProblem = {
      size: 1,
      derivative: (_t, y, ydot) => {
        ydot[0] = 1e4 * (command.value - y[0]!);
      },
    };
    const evaluations = (nudge: number): number => {
      const stepper = both.start(problem, atTolerance(1e-6));
      command.value = 0;
      stepper.restart(0, Float64Array.of(1));
      for (let k = 1; k <= 50; k++) {
        run(stepper, 0.1 * k);
        command.value = 1e-8 * k;
        stepper.restart(
          stepper.t,
          stepper.y.map((v) => v + nudge),
        );
      }
      expect(stepper.y[0]).toBeCloseTo(command.value + nudge, 5);
      return stepper.counts.evaluations;
    };
    expect(evaluations(0)).toBeLessThan(evaluations(1e-3) / 3);
  });
});
