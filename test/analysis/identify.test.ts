/** Identification against the tables of Yoshikawa and Hosoda (1991), and against rods that are known. */
import { describe, expect, it } from "vitest";
import { identifyDamping } from "../../src/analysis/identify/damping.ts";
import { fitDecay } from "../../src/analysis/identify/decay.ts";
import { gridSearch } from "../../src/analysis/identify/grid.ts";
import { identify, type Measurement, modelValue } from "../../src/analysis/identify/identify.ts";
import { rodFrequencies } from "../../src/analysis/identify/rod-model.ts";
import { uniform } from "../random-model.ts";

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
  it.each(LINKS)("free search goes below its grid, to $best", ({ rod, data, best }) => {
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

  it("are found again, cuts and all", () => {
    const found = identify(rod, all, { links: 4, starts: 40 });
    expect(found.criterion).toBeLessThan(1e-8);
    for (const [j, x] of found.cuts.entries()) expect(x).toBeCloseTo(cuts[j]!, 3);
    for (const [j, v] of found.stiffnesses.entries()) expect(v / k[j]!).toBeCloseTo(1, 2);
    expect(found.contradictions).toEqual([]);
    expect(found.basis).toBe("errors");
  });

  it("need measurements enough: what is missing is said", () => {
    expect(() => identify(rod, all.slice(0, 2), { links: 4 })).toThrow(
      /6 unknowns .* 2 different things.*frequency of mode 3.*slope-by-moment/s,
    );
    expect(() => identify({ length: -1, mass: 1 }, all)).toThrow(/length must be positive/);
    expect(() => identify(rod, [{ kind: "frequency", mode: 5, value: 3 }])).toThrow(/2 modes/);
  });

  it("two measurements that cannot both be true are named", () => {
    const wrong = all.map((m) => (m.kind === "slope-by-moment" ? { ...m, value: 1.5 * m.value } : m));
    expect(identify(rod, wrong, { cuts }).contradictions.join()).toMatch(/slope-by-moment is off by -3\d\.?\d* %/);
  });
});

describe("damping", () => {
  const { rod, table } = LINKS[0];
  const at = [0.0061, 0.2867];
  it("by the exact matrix is that of the independent computation, and equal ratios are infeasible for dampers in joints", () => {
    const { matrix, dampers } = identifyDamping(rod, at, table.slice(3), [0.01, 0.01]);
    expect(matrix[0]![0]!).toBeCloseTo(0.19135379, 3);
    expect(matrix[0]![1]!).toBeCloseTo(0.05555939, 4);
    expect(matrix[1]![1]!).toBeCloseTo(0.04496904, 4);
    expect(dampers.feasible).toBe(false); // the ratio of ratios must lie in [1.24, 25.3]
    expect(identifyDamping(rod, at, table.slice(3), [0.01, 0.02]).dampers.feasible).toBe(true);
    expect(dampers.values.every((d) => d >= 0)).toBe(true);
  });
});

describe("noisy decays", () => {
  it("give stiffness within 1 % and damping within 5 %, and standard errors that are right, over 20 seeds", () => {
    const rod = { length: 1, mass: 2 };
    const [cuts, k, ratios] = [
      [0.2, 0.7],
      [300, 200],
      [0.01, 0.02],
    ];
    const truth = rodFrequencies(rod, cuts, k, 0);
    let inside = 0;
    let asked = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const next = uniform(seed);
      const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      const decays = ratios.map((z, i) => {
        const w = 2 * Math.PI * truth[i]!;
        const times = Array.from({ length: 400 }, (_, s) => (s * 12 * 2 * Math.PI) / (400 * w));
        const curve = times.map((t) => Math.exp(-z * w * t) * Math.cos(w * Math.sqrt(1 - z * z) * t + 0.3) + 0.02 * normal());
        return fitDecay(times, curve);
      });
      const found = identify(
        rod,
        decays.map((d, i) => ({ kind: "frequency", mode: i + 1, value: d.frequency, error: d.frequencyError / d.frequency })),
        { cuts, starts: 10 },
      );
      for (const [j, v] of found.stiffnesses.entries()) {
        expect(Math.abs(v / k[j]! - 1)).toBeLessThan(0.01);
        asked++;
        if (Math.abs(v - k[j]!) < 2 * found.uncertainty.stiffnesses[j]!) inside++;
      }
      for (const [i, d] of decays.entries()) {
        expect(Math.abs(d.dampingRatio / ratios[i]! - 1)).toBeLessThan(0.05);
        asked++;
        if (Math.abs(d.dampingRatio - ratios[i]!) < 2 * d.dampingRatioError) inside++;
      }
    }
    // Two standard errors cover 95 %: of 80 answers 76, and fewer than 70 once in a hundred times.
    expect(asked).toBe(80);
    expect(inside).toBeGreaterThanOrEqual(70);
  });
});
