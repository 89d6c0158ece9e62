/** Fits of curves with known parameters: values, error bars and their coverage, undetermined combinations, and warnings. */
import { describe, expect, it } from "vitest";
import type { CurveProblem, Unknown } from "../../../src/analysis/identification/curve-problem.ts";
import { fitCurves } from "../../../src/analysis/identification/fit-curves.ts";
import { fitWarnings } from "../../../src/analysis/identification/fit-warnings.ts";
import { normalNumbers } from "../../fixtures/normal-numbers.ts";

const TIMES = Float64Array.from({ length: 300 }, (_, i) => 0.01 * i);
/** A decaying vibration of frequency f (Hz), decay d (1/s), amplitude a; and its integral-like second channel with another size. */
const decay = (f: number, d: number, a: number): readonly Float64Array[] => [
  TIMES.map((t) => a * Math.exp(-d * t) * Math.cos(2 * Math.PI * f * t)),
  TIMES.map((t) => 100 * a * Math.exp(-d * t) * Math.sin(2 * Math.PI * f * t)),
];
const TRUTH = [3, 0.5, 2] as const;
const NOISE = [0.1, 3] as const;
const UNKNOWNS: readonly Unknown[] = [
  { name: "frequency", start: 2.5 },
  { name: "decay", start: 1, least: 0 },
  { name: "amplitude", start: 1.5 },
];

const problem = (seed: number, more: Partial<CurveProblem> = {}): CurveProblem => {
  const normal = normalNumbers(seed);
  return {
    unknowns: UNKNOWNS,
    curves: decay(...TRUTH).map((curve, c) => ({ name: `curve ${c}`, values: curve.map((v) => v + NOISE[c]! * normal()) })),
    simulate: ([f, d, a]) => decay(f!, d!, a!),
    accuracy: 1e-10,
    ...more,
  };
};

describe("a vibration in two channels of different size and noise", () => {
  it("is found with the noise of each channel; the intervals contain the truth as often as they say", () => {
    const inside = [0, 0, 0];
    const squares = [0, 0, 0];
    for (let seed = 1; seed <= 50; seed++) {
      const fit = fitCurves(problem(seed));
      expect(fit.converged).toBe(true);
      for (const [c, { noise }] of fit.curves.entries()) expect(Math.abs(noise / NOISE[c]! - 1)).toBeLessThan(0.15);
      for (const [j, { interval, value, error }] of fit.unknowns.entries()) {
        if (interval[0] <= TRUTH[j]! && TRUTH[j]! <= interval[1]) inside[j]!++;
        squares[j]! += ((value - TRUTH[j]!) / error) ** 2;
      }
    }
    // 50 intervals of 95 % contain the truth 42 to 50 times, except once in 300 times.
    for (const count of inside) expect(count).toBeGreaterThanOrEqual(42);
    // χ² with 50 degrees of freedom: 24.7 to 86.7 except twice in a thousand times. Bars that are too wide would fail here.
    for (const sum of squares) {
      expect(sum).toBeGreaterThan(24.7);
      expect(sum).toBeLessThan(86.7);
    }
  });

  it("white noise gives no warning", () => {
    expect(fitWarnings(fitCurves(problem(3)))).toEqual([]);
  });

  it("is found from a start with three periods too many, because the search begins with the first part", () => {
    const far = UNKNOWNS.map((u) => (u.name === "frequency" ? { ...u, start: 4 } : u));
    expect(fitCurves(problem(1, { unknowns: far })).unknowns[0]!.value).toBeCloseTo(3, 2);
  });

  it("values without a motion make the steps shorter", () => {
    const fit = fitCurves(problem(1, { simulate: ([f, d, a]) => (f! > 3.2 || a! > 2.3 ? undefined : decay(f!, d!, a!)) }));
    expect(fit.unknowns[0]!.value).toBeCloseTo(3, 2);
    expect(() => fitCurves(problem(1, { simulate: () => undefined }))).toThrow(/no motion/);
  });

  it("a given noise is used, and contradicted if it is wrong", () => {
    const given = (noise: number) =>
      problem(1, { curves: problem(1).curves.map((c, i) => ({ ...c, noise: noise * NOISE[i]! })) });
    expect(fitWarnings(fitCurves(given(1)))).toEqual([]);
    expect(fitWarnings(fitCurves(given(0.5))).join()).toMatch(
      /curve 0 is 1\.9\d* times its given noise|curve 0 is 2(\.\d+)? times/,
    );
  });
});

describe("warnings", () => {
  it("name the unknowns that have an effect only together, and their combination", () => {
    const unknowns = [...UNKNOWNS.slice(0, 2), { name: "gain", start: 4 }, { name: "load", start: 0.4 }];
    const fit = fitCurves(problem(1, { unknowns, simulate: ([f, d, g, l]) => decay(f!, d!, g! * l!) }));
    expect(fit.unknowns.map(({ error }) => Number.isFinite(error))).toEqual([true, true, false, false]);
    expect(fitWarnings(fit).join()).toMatch(/Undetermined: gain and load have an effect only in combination/);
    // g l does not change if one rises by the part by which the other falls.
    const [change] = fit.undetermined;
    const [, , g, l] = fit.unknowns;
    expect((change![2]! * 4) / g!.value).toBeCloseTo((-change![3]! * 0.4) / l!.value, 3);
    expect(g!.value * l!.value).toBeCloseTo(2, 1);
  });

  it("name an unknown without influence", () => {
    const unknowns = [...UNKNOWNS, { name: "colour", start: 1 }];
    const fit = fitCurves(problem(1, { unknowns }));
    expect(fitWarnings(fit).join()).toMatch(/Undetermined: colour has no influence on the measured channels/);
    expect(fit.unknowns[2]!.error).toBeLessThan(0.05);
  });

  it("a bound holds, and is reported", () => {
    const unknowns = UNKNOWNS.map((u) => (u.name === "decay" ? { ...u, least: 0.8 } : u));
    const fit = fitCurves(problem(1, { unknowns }));
    expect(fit.unknowns[1]).toMatchObject({ value: 0.8, error: 0, bound: "least" });
    expect(fitWarnings(fit).join()).toMatch(/decay is at its bound \(least\)/);
  });

  it("coloured residuals make the errors too small", () => {
    const normal = normalNumbers(5);
    let last = 0;
    const drift = TIMES.map(() => (last = 0.9 * last + 0.1 * normal()));
    const [first] = decay(...TRUTH);
    const fit = fitCurves({
      ...problem(1),
      curves: [{ name: "tip", values: first!.map((v, i) => v + drift[i]!) }],
      simulate: ([f, d, a]) => decay(f!, d!, a!).slice(0, 1),
    });
    expect(fitWarnings(fit).join()).toMatch(
      /residuals of tip are correlated \(0\.8\d* from sample to sample\).*factor of up to about/,
    );
  });

  it("a local minimum is a bad fit; several starts leave it", () => {
    // The record begins after nine periods, so even its first part does not tell how many there were.
    const late = (f: number, d: number, a: number): readonly Float64Array[] => [
      TIMES.map((t) => a * Math.exp(-d * t) * Math.cos(2 * Math.PI * f * (t + 3))),
    ];
    const normal = normalNumbers(2);
    const curves = [{ name: "tip", values: late(...TRUTH)[0]!.map((v) => v + NOISE[0] * normal()) }];
    const unknowns = UNKNOWNS.map((u) => (u.name === "frequency" ? { ...u, start: 3.5 } : u));
    const search = (starts: number) =>
      fitCurves(problem(1, { unknowns, curves, starts, simulate: ([f, d, a]) => late(f!, d!, a!) }));
    expect(fitWarnings(search(1)).join()).toMatch(/Bad fit: the difference of tip is \d+(\.\d)? % of its variation/);
    const best = search(20);
    expect(best.unknowns[0]!.value).toBeCloseTo(3, 2);
    expect(best.others.length).toBeGreaterThan(0);
  });

  it("too few samples are refused", () => {
    const curves = problem(1).curves.map((c) => ({ ...c, values: c.values.slice(0, 1) }));
    expect(() => fitCurves(problem(1, { curves }))).toThrow(/2 measured samples cannot determine 3 unknowns/);
  });
});
