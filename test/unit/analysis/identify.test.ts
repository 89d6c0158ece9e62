/** Identification compared with the tables of Yoshikawa and Hosoda (1991), and with known rods. */
import { describe, expect, it } from "vitest";
import { identifyDamping, ratioOfDecrement } from "../../../src/analysis/identification/damping.ts";
import { fitDecays } from "../../../src/analysis/identification/decay.ts";
import { gridSearch } from "../../../src/analysis/identification/grid-search.ts";
import { identify } from "../../../src/analysis/identification/identify.ts";
import { type Measurement, measurementsWithoutWeight, modelValue } from "../../../src/analysis/identification/measurement.ts";
import { beamRoot, rodFrequencies } from "../../../src/analysis/identification/rod-model.ts";
import { parseMeasurementFile } from "../../../src/scenario/measurement-file.ts";

const paper = (f1: number, f2: number, u: number, phi: number, m: number): readonly Measurement[] => [
  { kind: "frequency", mode: 1, value: f1, weight: 100 },
  { kind: "frequency", mode: 2, value: f2, weight: 100 },
  { kind: "deflection-by-force", value: u },
  { kind: "slope-by-force", value: phi },
  { kind: "deflection-by-moment", value: phi },
  { kind: "slope-by-moment", value: m },
];
const LINKS = [
  {
    rod: { length: 0.61, mass: 0.4807, diameter: 0.01 },
    data: paper(24.5, 138.5, 2.16e-4, 4.08e-4, 8.69e-4),
    step: 100,
    best: 1.3027,
    table: [0.01, 0.46, 0.53, 1800, 1100],
  },
  {
    rod: { length: 0.6, mass: 0.1473, diameter: 0.006 },
    data: paper(9.25, 72.75, 4.682e-3, 1.326e-2, 5.315e-2),
    step: 1,
    best: 0.1998,
    table: [0.06, 0.49, 0.45, 54, 76],
  },
] as const;

describe("the links of the paper", () => {
  it.each(LINKS)("free search finds a smaller criterion than the grid: $best", ({ rod, data, best }) => {
    const found = identify(rod, data);
    expect(found.criterion).toBeLessThanOrEqual(best);
    expect(found.contradictions.join()).toMatch(/contradict/);
    expect(found.uncertainty.stiffnesses.every((s) => s > 0 && Number.isFinite(s))).toBe(true);
  });

  // The second link is in castor validate.
  it.each(LINKS.slice(0, 1))("its own grid gives Table 2: $table", ({ rod, data, step, table }) => {
    const { parts, stiffnesses } = gridSearch(rod, data, { cut: 0.01, stub: 0.01, stiffness: step, longest: 0.49 });
    expect([...parts, ...stiffnesses]).toEqual(table.map((v) => expect.closeTo(v, 9)));
  });
});

describe("rods that are known", () => {
  const rod = { length: 1, mass: 2 };
  const [cuts, k] = [
    [0.1, 0.5, 0.8],
    [300, 200, 150],
  ];
  const exact = (kinds: readonly Omit<Measurement, "value">[]): Measurement[] =>
    kinds.map((m) => ({ ...m, value: modelValue(rod, cuts, k, { ...m, value: 1 }) }));
  const all = exact([
    ...[1, 2, 3].map((mode) => ({ kind: "frequency", mode, error: 0.001 }) as const),
    { kind: "deflection-by-force", error: 0.01 },
    { kind: "slope-by-force", error: 0.01 },
    { kind: "slope-by-moment", error: 0.01 },
    { kind: "frequency", mode: 1, tipMass: 3, error: 0.001 },
  ]);

  it("are recovered, including their cuts", () => {
    const found = identify(rod, all, { links: 4, starts: 40 });
    expect(found.criterion).toBeLessThan(1e-8);
    for (const [j, x] of found.cuts.entries()) expect(x).toBeCloseTo(cuts[j]!, 3);
    for (const [j, v] of found.stiffnesses.entries()) expect(v / k[j]!).toBeCloseTo(1, 2);
    expect(found.contradictions).toEqual([]);
    expect(found.basis).toBe("errors");
  });

  it("are recovered from measurements with tip masses only, for any stiffness", () => {
    for (const stiffness of [1, 1e6]) {
      const truth = k.slice(0, 2).map((v) => v * stiffness);
      const measured = [1, 2].map((mode): Measurement => {
        const m: Measurement = { kind: "frequency", mode, tipMass: 3, value: 1 };
        return { ...m, value: modelValue(rod, cuts.slice(0, 2), truth, m) };
      });
      const found = identify(rod, measured, { cuts: cuts.slice(0, 2) });
      // Two frequencies have two solutions: one of them is the truth, and both are reported.
      const both = [found.stiffnesses, ...found.alternatives.map((a) => a.stiffnesses)];
      expect(both).toHaveLength(2);
      expect(both.some((all) => all.every((v, j) => Math.abs(v / truth[j]! - 1) < 1e-6))).toBe(true);
      expect(found.open.join()).toMatch(/which is true, stiffnesses .* or /);
      const third: Measurement = { kind: "slope-by-moment", value: truth.reduce((sum, v) => sum + 1 / v, 0) };
      const settled = identify(rod, [...measured, third], { cuts: cuts.slice(0, 2) });
      for (const [j, v] of settled.stiffnesses.entries()) expect(v / truth[j]!).toBeCloseTo(1, 6);
      expect(settled.open).toEqual([]);
    }
    expect([1, 2, 3].map((mode) => beamRoot(mode))).toEqual([1.8751040687, 4.6940911330, 7.8547574382].map((v) => expect.closeTo(v, 9))); // biome-ignore format: numbers
    expect(beamRoot(1, 5)).toBeCloseTo(0.8700214589, 9);
  });

  it("need enough measurements: the error lists the missing ones", () => {
    expect(() => identify(rod, all.slice(0, 2), { links: 4 })).toThrow(
      /6 unknowns .* 2 independent measurements.*frequency of mode 3.*slope-by-moment/s,
    );
    expect(() => identify({ length: -1, mass: 1 }, all)).toThrow(/rod\.length: must be a finite number above 0/);
    expect(() => identify(rod, [{ kind: "frequency", mode: 5, value: 3 }])).toThrow(/2 modes/);
  });

  it("two contradicting measurements are reported", () => {
    const wrong = all.map((m) => (m.kind === "slope-by-moment" ? { ...m, value: 1.5 * m.value } : m));
    expect(identify(rod, wrong, { cuts }).contradictions.join()).toMatch(/slope-by-moment is off by -3\d\.?\d* %/);
  });
});

describe("damping", () => {
  const { rod, table } = LINKS[0];
  const at = [0.0061, 0.2867];
  it("by the exact matrix agrees with an independent computation, and equal ratios are infeasible for joint dampers", () => {
    const { matrix, dampers } = identifyDamping(rod, at, table.slice(3), [0.01, 0.01]);
    expect(matrix[0]![0]!).toBeCloseTo(0.19135379, 3);
    expect(matrix[0]![1]!).toBeCloseTo(0.05555939, 4);
    expect(matrix[1]![1]!).toBeCloseTo(0.04496904, 4);
    expect(dampers.feasible).toBe(false); // the ratio of ratios must lie in [1.24, 25.3]
    expect(identifyDamping(rod, at, table.slice(3), [0.01, 0.02]).dampers.feasible).toBe(true);
    expect(dampers.values.every((d) => d >= 0)).toBe(true);
  });

  // Decrements and dampers of Table 2, by exact complex eigenvalues: far beyond first order.
  it.each([
    [LINKS[0].rod, [0.0061, 0.2867], [1800, 1100], [0.1969, 2.397], [0.5, 1]],
    [LINKS[1].rod, [0.036, 0.33], [54, 76], [0.3515, 4.608], [0.1, 0.2]],
  ] as const)("of Table 2 follows from its decrements", (rod, at, k, decrements, expected) => {
    const { dampers } = identifyDamping(rod, at, k, decrements.map(ratioOfDecrement));
    expect(dampers.feasible).toBe(true);
    for (const [j, d] of dampers.values.entries()) expect(Math.abs(d / expected[j]! - 1)).toBeLessThan(2e-3);
  });

  it("may be measured for any mode, with any tip mass, repeatedly", () => {
    const second = identifyDamping(rod, at, table.slice(3), [{ mode: 2, ratio: 0.02 }]);
    expect(second.dampers.ratios[0]).toBeCloseTo(0.02, 8);
    expect(second.matrix).toHaveLength(2);
    // Stiffness-proportional damping gives the first mode a ratio proportional to its frequency.
    const [tipMass, k] = [2.1, table.slice(3)];
    const loaded = identifyDamping(rod, at, k, [{ mode: 1, ratio: 0.005, tipMass }]).proportional.time;
    const [bare, slow] = [0, tipMass].map((m) => rodFrequencies(rod, at, k, { tipMass: m })[0]!) as [number, number];
    expect(loaded / identifyDamping(rod, at, k, [0.005]).proportional.time).toBeCloseTo(bare / slow, 9);
    const twice = identifyDamping(rod, at, k, [
      { mode: 1, ratio: 0.01, error: 0.01 },
      { mode: 1, ratio: 0.02, error: 0.01 },
    ]);
    expect(twice.contradictions.join()).toMatch(/mode 1: 0.01, 0.02/);
    expect(twice.proportional.timeError).toBeGreaterThan(0);
    expect(() => identifyDamping(rod, at, k, [{ mode: 3, ratio: 0.01 }])).toThrow(/mode 3: 3 links have 2 modes/);
  });
});

describe("decays", () => {
  it("of three modes in one curve are separated", () => {
    const truth = [
      [3, 0.01, 1],
      [11, 0.02, 0.4],
      [13, 0.005, -0.2],
    ] as const;
    const times = Array.from({ length: 500 }, (_, i) => i * 0.005);
    const values = times.map((t) =>
      truth.reduce((sum, [f, z, a]) => {
        const w = 2 * Math.PI * f;
        return sum + a * Math.exp(-z * w * t) * Math.cos(w * Math.sqrt(1 - z * z) * t + f);
      }, 0.7),
    );
    for (const [i, d] of fitDecays(times, values, 3).entries()) {
      expect(d.frequency).toBeCloseTo(truth[i]![0], 6);
      expect(d.dampingRatio).toBeCloseTo(truth[i]![1], 7);
      expect(d.amplitude).toBeCloseTo(Math.abs(truth[i]![2]), 5);
    }
    expect(() => fitDecays(times.slice(0, 20), values.slice(0, 20), 3)).toThrow(/at least 36 samples/);
    expect(() =>
      fitDecays(
        times,
        times.map(() => 1),
        1,
      ),
    ).toThrow(/nothing vibrates/);
  });
});

describe("files of measurements", () => {
  const four = [
    "{ kind: frequency, mode: 1, value: 5 Hz }",
    "{ kind: frequency, mode: 2, value: 30 Hz }",
    "{ kind: deflection-by-force, value: 10 mm, load: 2 N }",
    "{ kind: slope-by-moment, value: 1 deg, load: 2 N m }",
  ];
  const file = (head: string, more: readonly string[] = []): string =>
    ["length: 1", "mass: 1", ...head.split(";"), "measurements:", ...[...four, ...more].map((m) => `  - ${m}`)].join("\n");

  it("accept deflections and slopes under loads, with their units", () => {
    const { measurements } = parseMeasurementFile(file("links: 3"));
    expect(measurements.slice(2).map((m) => m.value)).toEqual([0.005, Math.PI / 360]);
  });

  it("list measurements without influence", () => {
    const { measurements } = parseMeasurementFile(file("links: 3", ["{ kind: slope-by-force, value: 0.01, error: 0.02 }"]));
    expect(measurementsWithoutWeight(measurements)).toEqual([
      "frequency 1",
      "frequency 2",
      "deflection-by-force",
      "slope-by-moment",
    ]);
    expect(measurementsWithoutWeight(measurements.slice(0, 4))).toEqual([]);
  });

  it.each([
    ["links: 1", /links.*whole number from 2 to 13, got 1/s],
    ["links: 2.5", /links.*whole number from 2 to 13, got 2.5/s],
    ["links: 5;cuts: [0.2, 0.5]", /links.*must be 3, one more than the 2 cuts, got 5/s],
    ["cuts: [0.5, 0.2]", /cuts\[1\].*must lie beyond the cut before it, and before the tip at 1 m, got 0.2/s],
    ["cuts: [0.5, 1.2]", /cuts\[1\].*before the tip at 1 m, got 1.2/s],
    ["cuts: [-0.1, 0.2]", /cuts\[0\].*must lie between the root and the tip at 1 m, got -0.1/s],
    ["links: 2", /measurements\[1\].mode.*from 1 to 1: 2 links have 1 modes, got 2.*Give more links/s],
    ["shortestStub: 2", /shortestStub.*part of the length, got 2/s],
    ["links: 4;grid: { stiffness: 10 }", /grid.*for three links only, and there are 4/s],
    ["grid: { stiffness: 10, cut: 0.03 }", /grid.cut.*into equal parts, got 0.03.*Try 0.030303/s],
    ["grid: { stiffness: 10, stub: -1, longest: 7 }", /grid.stub.*got -1.*grid.longest.*got 7/s],
  ])("with %s are rejected, with the position in the file", (head, said) => {
    expect(() => parseMeasurementFile(file(head))).toThrow(said);
  });
});
