/** Statistics against closed forms, and the coverage of every interval over many repetitions. */
import { describe, expect, it } from "vitest";
import { compareRows } from "../../../src/campaign/compare.ts";
import { normalCdf, normalQuantile, upperTail } from "../../../src/campaign/random/normal.ts";
import { RandomStream } from "../../../src/campaign/random/philox.ts";
import type { CaseRow } from "../../../src/campaign/run-case.ts";
import { sampleQuantile } from "../../../src/campaign/statistics/quantile.ts";
import { correlationOf, rankCorrelation, ranksOf } from "../../../src/campaign/statistics/ranks.ts";
import { sobolIndices } from "../../../src/campaign/statistics/sobol-indices.ts";
import { subsetSimulation } from "../../../src/campaign/statistics/subset-simulation.ts";
import {
  binomialCdf,
  casesForToleranceBound,
  lowerToleranceBound,
  quantileInterval,
  upperToleranceBound,
} from "../../../src/campaign/statistics/tolerance.ts";
import { wilsonInterval } from "../../../src/campaign/statistics/wilson.ts";
import { StopCheck } from "../../../src/campaign/stopping.ts";

const REPETITIONS = 1000;
/** Standard error of a coverage of 0.95 over the repetitions, times 3.5. */
const margin = (coverage: number): number => 3.5 * Math.sqrt((coverage * (1 - coverage)) / REPETITIONS);
const stream = new RandomStream(2, "coverage");
const uniform = (repetition: number, index: number): number => stream.uniform(index, repetition);

describe("the Wilson interval", () => {
  it("has the values of the docking study", () => {
    for (const [passed, n, low, high] of [
      [1000, 1000, 0.9962, 1],
      [387, 400, 0.9452, 0.9809],
      [289, 300, 0.9355, 0.9794],
      [202, 300, 0.6184, 0.7239],
    ] as const) {
      const interval = wilsonInterval(passed, n);
      expect(interval.low).toBeCloseTo(low, 4);
      expect(interval.high).toBeCloseTo(high, 4);
    }
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it.each([
    [0.5, 40],
    [0.9, 60],
    [0.97, 400],
  ])("covers a probability of %s with %i cases at its confidence", (p, n) => {
    // Exact coverage: the sum of binomial probabilities of the counts whose interval contains p. It oscillates about the confidence.
    let exact = 0;
    for (let k = 0; k <= n; k++) {
      const { low, high } = wilsonInterval(k, n);
      if (low <= p && p <= high) exact += binomialCdf(k, n, p) - binomialCdf(k - 1, n, p);
    }
    expect(Math.abs(exact - 0.95)).toBeLessThan(0.025);
    let covered = 0;
    for (let r = 0; r < REPETITIONS; r++) {
      let passed = 0;
      for (let i = 0; i < n; i++) if (uniform(r, i) < p) passed++;
      const { low, high } = wilsonInterval(passed, n);
      if (low <= p && p <= high) covered++;
    }
    expect(Math.abs(covered / REPETITIONS - exact)).toBeLessThan(margin(exact));
  });
});

describe("the stopping rule", () => {
  it.each([
    [0.5, 0.2],
    [0.9, 0.1],
    [0.97, 0.05],
  ])("ends with an interval that covers a probability of %s as often as it claims, and that is not wider than %s", (p, width) => {
    let covered = 0;
    for (let r = 0; r < REPETITIONS; r++) {
      const check = new StopCheck({ width, confidence: 0.95, batch: 20 });
      let [n, passed] = [0, 0];
      while (check.met === undefined) {
        const isPassed = uniform(r, n++) < p;
        if (isPassed) passed++;
        check.add(isPassed ? "passed" : "failed");
      }
      expect(check.met).toBe(n);
      const { low, high } = wilsonInterval(passed, n);
      expect(high - low).toBeLessThanOrEqual(width);
      if (low <= p && p <= high) covered++;
    }
    // Stopping early favours samples with few failures: the coverage is a little below that of a fixed number of cases.
    expect(covered / REPETITIONS).toBeGreaterThan(0.95 - margin(0.95) - 0.02);
    expect(covered / REPETITIONS).toBeLessThan(0.985);
  });
});

describe("the binomial distribution", () => {
  it("is that of the sum of its terms", () => {
    for (const [n, p] of [
      [1, 0.3],
      [7, 0.5],
      [40, 0.97],
    ] as const) {
      let sum = 0;
      let term = (1 - p) ** n;
      for (let k = 0; k <= n; k++) {
        sum += term;
        expect(binomialCdf(k, n, p)).toBeCloseTo(sum, 11);
        term *= ((n - k) / (k + 1)) * (p / (1 - p));
      }
    }
  });

  it("is normal for many trials", () => {
    const [n, p] = [1_000_000, 0.3];
    const k = 300_700;
    expect(binomialCdf(k, n, p)).toBeCloseTo(normalCdf((k + 0.5 - n * p) / Math.sqrt(n * p * (1 - p))), 4);
  });
});

describe("tolerance bounds", () => {
  it("need 767 cases for 99.7 % with a confidence of 90 %, and 59 for 95 % / 95 %", () => {
    expect(casesForToleranceBound()).toBe(767);
    expect(casesForToleranceBound(0.95, 0.95)).toBe(59);
    const values = Float64Array.from({ length: 766 }, (_, i) => i);
    expect(upperToleranceBound(values)).toBeUndefined();
    expect(upperToleranceBound(Float64Array.of(...values, 766))).toBe(766);
    expect(lowerToleranceBound(Float64Array.of(...values, 766))).toBe(0);
  });

  it.each([
    [0.9, 0.9, 200],
    [0.95, 0.95, 100],
    [0.99, 0.9, 400],
  ])("of %s with a confidence of %s from %i cases cover at least that", (content, confidence, n) => {
    let [upper, lower] = [0, 0];
    for (let r = 0; r < REPETITIONS; r++) {
      const sorted = Float64Array.from({ length: n }, (_, i) => uniform(r, i)).sort();
      if (upperToleranceBound(sorted, content, confidence)! >= content) upper++;
      if (lowerToleranceBound(sorted, content, confidence)! <= 1 - content) lower++;
    }
    for (const covered of [upper, lower]) {
      expect(covered / REPETITIONS).toBeGreaterThan(confidence - margin(confidence));
      expect(covered / REPETITIONS).toBeLessThan(confidence + 0.08);
    }
  });
});

describe("quantiles", () => {
  it("are linear between values", () => {
    expect([0, 0.25, 0.5, 1].map((p) => sampleQuantile([1, 2, 4], p))).toEqual([1, 1.5, 2, 4]);
    expect(sampleQuantile([], 0.5)).toBeNaN();
  });

  it.each([0.1, 0.5, 0.95])("have intervals that cover the quantile %s", (p) => {
    let covered = 0;
    for (let r = 0; r < REPETITIONS; r++) {
      const sorted = Float64Array.from({ length: 150 }, (_, i) => uniform(r, i)).sort();
      const { low, high } = quantileInterval(sorted, p);
      if (low <= p && p <= high) covered++;
    }
    expect(covered / REPETITIONS).toBeGreaterThan(0.95 - margin(0.95));
    expect(covered / REPETITIONS).toBeLessThan(0.985);
  });
});

describe("rank correlation", () => {
  it("shares ranks of equal values, and does not depend on monotonic changes", () => {
    expect([...ranksOf([3, 1, 3, 2])]).toEqual([3.5, 1, 3.5, 2]);
    expect([...ranksOf([0, -0, -1, 5])]).toEqual([2.5, 2.5, 1, 4]);
    const x = Array.from({ length: 50 }, (_, i) => uniform(0, i));
    expect(
      rankCorrelation(
        x,
        x.map((v) => Math.exp(9 * v)),
      ).value,
    ).toBeCloseTo(1, 14);
    expect(
      rankCorrelation(
        x,
        x.map((v) => -v),
      ).value,
    ).toBeCloseTo(-1, 14);
    expect(correlationOf([1, 2, 3], [1, 1, 1])).toBeNaN();
  });

  it.each([0, 0.5, -0.8])("of normal variables with correlation %s covers (6 / pi) asin(r / 2)", (r) => {
    const exact = (6 / Math.PI) * Math.asin(r / 2);
    const n = 80;
    let [covered, significant] = [0, 0];
    for (let k = 0; k < REPETITIONS; k++) {
      const x = Float64Array.from({ length: n }, (_, i) => normalQuantile(uniform(k, i)));
      const y = Float64Array.from(x, (v, i) => r * v + Math.sqrt(1 - r * r) * normalQuantile(uniform(k, n + i)));
      const { low, high, chance } = rankCorrelation(x, y);
      if (low <= exact && exact <= high) covered++;
      if (chance < 0.05) significant++;
    }
    expect(Math.abs(covered / REPETITIONS - 0.95)).toBeLessThan(margin(0.95) + 0.01);
    if (r === 0) expect(Math.abs(significant / REPETITIONS - 0.05)).toBeLessThan(margin(0.05) + 0.01);
    else expect(significant).toBeGreaterThan(0.98 * REPETITIONS);
  });
});

describe("Sobol indices", () => {
  // Ishigami's function with a = 7, b = 0.1; variance and indices in closed form.
  const f = (u: readonly number[]): number => {
    const [x, y, z] = u.map((v) => Math.PI * (2 * v - 1)) as [number, number, number];
    return Math.sin(x) + 7 * Math.sin(y) ** 2 + 0.1 * z ** 4 * Math.sin(x);
  };
  const [a, b, pi4] = [7, 0.1, Math.PI ** 4];
  const variance = (a * a) / 8 + (b * pi4) / 5 + (b * b * pi4 * pi4) / 18 + 0.5;
  const first = [0.5 * (1 + (b * pi4) / 5) ** 2, (a * a) / 8, 0].map((v) => v / variance);
  const interaction = (b * b * pi4 * pi4 * (1 / 18 - 1 / 50)) / variance;
  const total = [first[0]! + interaction, first[1]!, interaction];

  const rowsOf = (n: number, offset = 0): Float64Array[] =>
    Array.from({ length: n }, (_, i) => {
      const A = [0, 1, 2].map((d) => stream.uniform(offset + i, d, 5));
      const B = [0, 1, 2].map((d) => stream.uniform(offset + i, d, 6));
      return Float64Array.of(f(A), f(B), ...[0, 1, 2].map((k) => f(A.map((v, d) => (d === k ? B[d]! : v)))));
    });

  it("of Ishigami's function are those in closed form", () => {
    const indices = sobolIndices(["x", "y", "z"], rowsOf(20_000));
    for (const [k, index] of indices.entries()) {
      expect(Math.abs(index.first.value - first[k]!)).toBeLessThan(0.03);
      expect(Math.abs(index.total.value - total[k]!)).toBeLessThan(0.03);
    }
  });

  it("have intervals that cover them", () => {
    // CASTOR_SOBOL_REPETITIONS=1000 is the long form.
    const [repetitions, n] = [Number(process.env.CASTOR_SOBOL_REPETITIONS ?? 150), 150];
    const covered = { first: [0, 0, 0], total: [0, 0, 0] };
    for (let r = 0; r < repetitions; r++)
      for (const [k, index] of sobolIndices(["x", "y", "z"], rowsOf(n, 50_000 + r * n)).entries()) {
        if (index.first.low <= first[k]! && first[k]! <= index.first.high) covered.first[k]!++;
        if (index.total.low <= total[k]! && total[k]! <= index.total.high) covered.total[k]!++;
      }
    // Bootstrap intervals of skewed estimates are slightly too short: 0.9 is asked of 0.95.
    for (const count of [...covered.first, ...covered.total])
      expect(count / repetitions).toBeGreaterThan(0.9 - 3 * Math.sqrt(0.09 / repetitions));
  });

  it("leave out rows with missing values", () => {
    const rows = rowsOf(500);
    const holes = [...rows, Float64Array.of(Number.NaN, 1, 2, 3, 4)];
    expect(sobolIndices(["x", "y", "z"], holes)).toEqual(sobolIndices(["x", "y", "z"], rows));
  });
});

describe("subset simulation", () => {
  const linear = (z: Float64Array): number => z.reduce((sum, v) => sum + v, 0) / Math.sqrt(z.length);
  const evaluate = (batch: readonly Float64Array[]): Promise<number[]> => Promise.resolve(batch.map(linear));

  it("finds a tail of 1e-6 in ten dimensions, with an honest error", async () => {
    const exact = 1e-6;
    const limit = -normalQuantile(exact);
    const runs = await Promise.all(
      Array.from({ length: 16 }, (_, seed) => subsetSimulation(evaluate, { dimensions: 10, limit, cases: 1000, seed: seed + 1 })),
    );
    const mean = runs.reduce((sum, r) => sum + r.probability, 0) / runs.length;
    const scatter = Math.sqrt(runs.reduce((sum, r) => sum + (r.probability / exact - mean / exact) ** 2, 0) / (runs.length - 1));
    const claimed = runs.reduce((sum, r) => sum + r.variation, 0) / runs.length;
    expect(runs.every((r) => r.reached)).toBe(true);
    expect(Math.max(...runs.map((r) => r.evaluations))).toBeLessThan(7000);
    expect(Math.abs(mean / exact - 1)).toBeLessThan((3.5 * scatter) / Math.sqrt(runs.length) + 0.02);
    expect(scatter).toBeLessThan(0.8);
    // The claimed coefficient of variation neglects correlations between levels; it is within a factor of two.
    expect(claimed / scatter).toBeGreaterThan(0.5);
    expect(claimed / scatter).toBeLessThan(2);
  });

  it("is plain Monte Carlo for frequent events", async () => {
    const { probability, levels, evaluations } = await subsetSimulation(evaluate, { dimensions: 2, limit: 0.5, cases: 2000 });
    expect([levels.length, evaluations]).toEqual([1, 2000]);
    expect(Math.abs(probability - upperTail(0.5))).toBeLessThan(0.04);
  });

  it("says when the limit is out of reach", async () => {
    const { reached, levels } = await subsetSimulation(evaluate, { dimensions: 2, limit: 30, cases: 200, levels: 3 });
    expect([reached, levels.length]).toEqual([false, 3]);
  });
});

describe("a comparison with common random numbers", () => {
  const row = (index: number, status: CaseRow["status"], value: number | null): CaseRow => ({
    ...{ case: index, status, reason: "", inputs: [], measures: [value], seconds: 0, host: "" },
  });
  const rows = (of: (i: number) => CaseRow): Map<number, CaseRow> => new Map(Array.from({ length: 200 }, (_, i) => [i, of(i)]));

  it("finds a small difference that independent cases would hide", () => {
    const noise = (i: number): number => 10 * normalQuantile(uniform(1, i));
    const first = rows((i) => row(i, noise(i) < 10 ? "passed" : "failed", noise(i)));
    const second = rows((i) => row(i, noise(i) < 9 ? "passed" : "failed", noise(i) + 0.1 + 0.01 * normalQuantile(uniform(2, i))));
    const { count, onlyFirst, onlySecond, measures } = compareRows(["m"], first, second, [[0, 0]]);
    expect(count).toBe(200);
    expect([onlySecond, onlyFirst > 0]).toEqual([0, true]);
    expect(measures[0]!.low).toBeGreaterThan(0.09);
    expect(measures[0]!.high).toBeLessThan(0.11);
  });

  it.each([4, 60])("covers the mean difference of %i cases", (n) => {
    let covered = 0;
    for (let r = 0; r < REPETITIONS; r++) {
      const second = new Map(Array.from({ length: n }, (_, i) => [i, row(i, "passed", 1 + normalQuantile(uniform(r, i)))]));
      const first = new Map(Array.from({ length: n }, (_, i) => [i, row(i, "passed", 0)]));
      const { low, high } = compareRows(["m"], first, second, [[0, 0]]).measures[0]!;
      if (low <= 1 && 1 <= high) covered++;
    }
    expect(Math.abs(covered / REPETITIONS - 0.95)).toBeLessThan(margin(0.95));
  });

  it("leaves out invalid cases and missing values", () => {
    const partly = compareRows(
      "m".split(""),
      rows((i) => row(i, i === 3 ? "invalid" : "passed", i === 5 ? null : 1)),
      rows((i) => row(i, "passed", 2)),
      [[0, 0]],
    );
    expect([partly.count, partly.measures[0]!.count, partly.measures[0]!.mean]).toEqual([199, 198, 1]);
  });
});
