/** Designs: which random numbers each case gets. */
import { describe, expect, it } from "vitest";
import { caseOf } from "../../../src/campaign/cases.ts";
import { DESIGNS } from "../../../src/campaign/designs/index.ts";
import type { Design, RandomBlock } from "../../../src/campaign/designs/kind.ts";
import { readCsv } from "../../../src/campaign/designs/list.ts";
import { directionNumbers, pairParameter, sobolBits } from "../../../src/campaign/designs/sobol-sequence.ts";
import { campaignFiles, OSCILLATOR, OSCILLATOR_CAMPAIGN, open } from "../../fixtures/campaigns.ts";

const BLOCKS: readonly RandomBlock[] = [
  { name: "a", start: 0, dimensions: 2 },
  { name: "b", start: 2, dimensions: 1 },
];

function design(kind: string, values: object, blocks = BLOCKS): Design {
  const problem = (_: string, message: string): never => {
    throw new Error(message);
  };
  return DESIGNS[kind]!.create(values as never, { seed: 5, blocks, readText: () => "", problem })!;
}

const points = (d: Design, dimensions = 3): Float64Array[] =>
  Array.from({ length: d.cases }, (_, i) => {
    const u = new Float64Array(dimensions);
    d.numbers(i, u);
    return u;
  });

describe("latin hypercube", () => {
  it.each([1, 7, 100])("of %i cases: every interval has one case, in every dimension", (cases) => {
    const u = points(design("latin-hypercube", { cases }));
    for (const d of [0, 1, 2])
      expect(u.map((p) => Math.floor(p[d]! * cases)).sort((a, b) => a - b)).toEqual(Array.from({ length: cases }, (_, i) => i));
  });
});

describe("Sobol' points", () => {
  it("have one point in each interval of every dimension, for powers of two", () => {
    const u = points(design("sobol", { cases: 256 }));
    for (const d of [0, 1, 2]) expect(new Set(u.map((p) => Math.floor(p[d]! * 256))).size).toBe(256);
  });

  it("fill the square: the first two dimensions are a (0, m, 2) net", () => {
    expect(pairParameter(directionNumbers(0), directionNumbers(1), 12)).toBe(0);
    const cells = new Set(
      Array.from(
        { length: 256 },
        (_, i) => `${sobolBits(i, directionNumbers(0)) >>> 28} ${sobolBits(i, directionNumbers(1)) >>> 28}`,
      ),
    );
    expect(cells.size).toBe(256);
  });

  it("integrate a smooth function better than Monte Carlo by a factor of 10", () => {
    const f = (u: Float64Array): number => (1 + u[0]! * u[1]!) * Math.exp(u[2]!);
    const exact = 1.25 * (Math.E - 1);
    const error = (kind: string): number => {
      const u = points(design(kind, { cases: 4096 }));
      return Math.abs(u.reduce((sum, p) => sum + f(p), 0) / u.length - exact);
    };
    expect(error("sobol")).toBeLessThan(2e-4);
    expect(error("monte-carlo")).toBeLessThan(0.06);
  });

  it("exist in 60 dimensions, with pairs whose parameter is at most 7 of 10", () => {
    for (let d = 1; d < 60; d++)
      for (let e = Math.max(0, d - 8); e < d; e++)
        expect(pairParameter(directionNumbers(d), directionNumbers(e))).toBeLessThanOrEqual(7);
  });
});

describe("Monte Carlo", () => {
  it("gives a dispersion the same numbers whatever else is dispersed: common random numbers", () => {
    const alone = points(design("monte-carlo", { cases: 5 }, [{ name: "b", start: 0, dimensions: 1 }]), 1);
    const both = points(design("monte-carlo", { cases: 5 }));
    expect(both.map((u) => u[2])).toEqual(alone.map((u) => u[0]));
  });
});

describe("a grid", () => {
  const text = OSCILLATOR_CAMPAIGN.replace("{ kind: monte-carlo, cases: 40 }", "{ kind: grid, levels: 3 }").replace(
    "{ kind: normal, path: forces.spring.stiffness, mean: 4, deviation: 0.5, least: 1 }",
    "{ kind: discrete, path: forces.spring.stiffness, values: [4, 9] }",
  );
  it("has all combinations, with both bounds of uniform dispersions", async () => {
    const campaign = await open(text);
    expect(campaign.cases).toBe(6);
    expect(Array.from({ length: 6 }, (_, i) => caseOf(campaign, i).inputs)).toEqual([[0.5, 4], [0.5, 9], [1, 4], [1, 9], [1.5, 4], [1.5, 9]]); // biome-ignore format: one line
  });
});

describe("a list", () => {
  const text = (file = "cases.csv"): string =>
    OSCILLATOR_CAMPAIGN.replace("{ kind: monte-carlo, cases: 40 }", `{ kind: list, file: ${file} }`).replace(
      / {2}speed:.*\n/,
      "",
    );
  const files = (csv: string) => campaignFiles({ "scenario.yaml": OSCILLATOR, "cases.csv": csv });

  it("gives settings by path, and draws the dispersions in addition", async () => {
    const campaign = await open(text(), files('state.u.mass,name\n0.7,"first, one"\n"0.8 m/s",second\n'));
    expect(campaign.cases).toBe(2);
    expect(campaign.inputs.map(({ name, type }) => [name, type])).toEqual([["state.u.mass", "text"], ["name", "text"], ["stiffness", "number"]]); // biome-ignore format: one line
    expect(caseOf(campaign, 1).overrides.slice(0, 2)).toMatchObject([
      { path: "state.u.mass", value: "0.8 m/s" },
      { path: "name", value: "second" },
    ]);
  });

  it.each([
    ["", /has no cases/],
    ["a\n", /has no cases/],
    ["a,a\n1,2\n", /given twice/],
    ["a,b\n1\n", /line 2 has 1 entries/],
    ["forces.sprung.stiffness\n1\n", /there is no such key[\s\S]*sprung/],
  ])("refuses %j", async (csv, message) => {
    await expect(open(text(), files(csv))).rejects.toThrow(message);
  });

  it("reads quotes, empty lines and line ends of all systems", () => {
    expect(readCsv('\ufeffa,b\r\n1,"x ""y"", z"\r\n\r\n2,\n')).toEqual([["a", "b"], ["1", 'x "y", z'], ["2", ""]]); // biome-ignore format: one line
  });
});

describe("a sensitivity design", () => {
  it("has rows of A, B, and A with one dispersion from B", () => {
    const u = points(design("sensitivity", { rows: 4 }));
    expect(u.length).toBe(16);
    for (let row = 0; row < 4; row++) {
      const [A, B, fromA, fromB] = u.slice(4 * row, 4 * row + 4) as [Float64Array, Float64Array, Float64Array, Float64Array];
      expect([...fromA]).toEqual([B[0], B[1], A[2]]);
      expect([...fromB]).toEqual([A[0], A[1], B[2]]);
      expect(A[0]).not.toBe(B[0]);
    }
  });
});
