/** Distributions of every kind of dispersion against closed forms, over many draws. */
import { describe, expect, it } from "vitest";
import { caseOf } from "../../../src/campaign/cases.ts";
import { CAMPAIGN } from "../../../src/campaign/declaration.ts";
import { DISPERSIONS } from "../../../src/campaign/dispersions/index.ts";
import type { Drawing } from "../../../src/campaign/dispersions/kind.ts";
import { normalCdf } from "../../../src/campaign/random/normal.ts";
import { RandomStream } from "../../../src/campaign/random/philox.ts";
import { readDispersions } from "../../../src/campaign/read-dispersions.ts";
import { NO_NAMES, readValue } from "../../../src/declare/parse-parameters.ts";
import type { Problem } from "../../../src/errors.ts";
import { eigenvalues } from "../../../src/model/build/inertia.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { OSCILLATOR, OSCILLATOR_CAMPAIGN, open } from "../../fixtures/campaigns.ts";

const SCENARIO = loadScenario(OSCILLATOR, "oscillator");
/** Paths of the examples in the scenario. */
const PATHS: Readonly<Record<string, string>> = {
  mass: "model.bodies.mass.mass",
  axis: "model.bodies.top.hinge.axis",
  rotation: "model.bodies.top.hinge.rotation",
  inertia: "model.bodies.top.inertia",
  x: "model.bodies.top.com[0]",
  y: "model.bodies.top.com[1]",
  z: "model.bodies.top.com[2]",
};
const realPath = (path: string | readonly string[]): unknown =>
  typeof path === "string" ? (PATHS[path] ?? path) : path.map((p) => PATHS[p] ?? p);

function read(written: Readonly<Record<string, unknown>>, problems: Problem[] = []): Drawing | undefined {
  const dispersion = { ...written, path: realPath(written.path as string) };
  const values = readValue(CAMPAIGN.dispersions, { d: dispersion }, NO_NAMES, problems) as never;
  return readDispersions(values, SCENARIO, problems)[0]?.drawing;
}

function drawing(written: Readonly<Record<string, unknown>>): Drawing {
  const problems: Problem[] = [];
  const created = read(written, problems);
  expect(problems).toEqual([]);
  return created!;
}

const N = 4000;
const stream = new RandomStream(11, "test");

/** Values of many draws for the first path. */
function draws<T>(d: Drawing): readonly T[] {
  const u = new Float64Array(d.dimensions);
  return Array.from({ length: N }, (_, i) => {
    for (let k = 0; k < u.length; k++) u[k] = stream.uniform(i, k);
    const { values } = d.draw(u);
    return (values.length > 1 ? values : values[0]) as T;
  });
}

/** The statistic of Kolmogorov and Smirnov; it exceeds 1.95 / √n with probability 0.001. */
function expectDistribution(values: readonly number[], cdf: (x: number) => number): void {
  const sorted = [...values].sort((a, b) => a - b);
  const distance = Math.max(...sorted.map((x, i) => Math.max(Math.abs(cdf(x) - i / N), Math.abs(cdf(x) - (i + 1) / N))));
  expect(distance).toBeLessThan(1.95 / Math.sqrt(N));
}

const size = (v: readonly number[]): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));

describe("every kind of dispersion", () => {
  const examples = Object.values(DISPERSIONS).flatMap((kind) => kind.examples.map((e) => [kind.name, e] as const));
  it.each(examples)("%s %j draws values for every path, the same from the same numbers", (kind, example) => {
    const d = drawing({ kind, ...example });
    const u = new Float64Array(d.dimensions).fill(0.3);
    const { values, cells } = d.draw(u);
    expect(values.length).toBe(typeof example.path === "string" ? 1 : (example.path as string[]).length);
    expect(cells.length).toBe(d.columns.length);
    for (const [i, cell] of cells.entries()) expect(typeof cell).toBe(d.columns[i]!.type === "number" ? "number" : "string");
    expect(d.draw(u)).toEqual({ values, cells });
    for (const level of d.levels?.(4) ?? []) {
      expect(level).toBeGreaterThanOrEqual(0);
      expect(level).toBeLessThanOrEqual(1);
    }
  });
});

describe("distributions", () => {
  it("normal", () => {
    expectDistribution(draws(drawing({ kind: "normal", path: "mass", mean: 3, deviation: 2 })), (x) => normalCdf((x - 3) / 2));
  });

  it("normal, truncated, also far in a tail", () => {
    for (const [least, most] of [
      [-1, 0.5],
      [6, 7],
      [-8, -6],
    ] as const) {
      const values = draws<number>(drawing({ kind: "normal", path: "mass", mean: 0, deviation: 1, least, most }));
      const tail = (x: number): number => normalCdf(least > 0 ? -x : x);
      expectDistribution(values, (x) => (tail(x) - tail(least)) / (tail(most) - tail(least)));
      expect(Math.min(...values)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...values)).toBeLessThanOrEqual(most);
    }
  });

  it("uniform, with units, as offset and as factor of the value in the scenario", () => {
    expectDistribution(draws(drawing({ kind: "uniform", path: "mass", from: 1, to: 3 })), (x) => (x - 1) / 2);
    expectDistribution(draws(drawing({ kind: "uniform", path: "mass", from: -0.5, to: 0.5, as: "offset" })), (x) => x - 0.5);
    expectDistribution(draws(drawing({ kind: "uniform", path: "mass", from: 0.5, to: 1.5, as: "factor" })), (x) => x - 0.5);
  });

  it("discrete: weights", () => {
    const values = draws<number>(drawing({ kind: "discrete", path: "mass", values: [1, 2, 4], weights: [1, 0, 3] }));
    const count = (x: number): number => values.filter((v) => v === x).length / N;
    expect(Math.abs(count(1) - 0.25)).toBeLessThan(4 * Math.sqrt((0.25 * 0.75) / N));
    expect(count(2)).toBe(0);
    expect(drawing({ kind: "discrete", path: "mass", values: [1, 2], weights: [1, 0] }).levels!(9)).toHaveLength(1);
  });

  it("table: straight lines between cumulative probabilities", () => {
    const values = draws<number>(
      drawing({
        kind: "table",
        path: "mass",
        rows: [
          [1, 0],
          [2, 0.25],
          [2, 0.5],
          [4, 1],
        ],
      }),
    );
    expect(values.filter((x) => x === 2).length / N).toBeCloseTo(0.25, 1);
    const others = values.filter((x) => x > 2);
    expect(others.reduce((sum, x) => sum + x, 0) / others.length).toBeCloseTo(3, 1);
  });

  it("ball: uniform in a disc and in a ball, and on their borders", () => {
    const disc = draws<number[]>(drawing({ kind: "ball", path: ["x", "y"], radius: 2 }));
    expectDistribution(disc.map(size), (r) => (r / 2) ** 2);
    expectDistribution(
      disc.map(([x, y]) => Math.atan2(y!, x!) / (2 * Math.PI) + 0.5),
      (a) => a,
    );
    const ball = draws<number[]>(drawing({ kind: "ball", path: ["x", "y", "z"], radius: 2 }));
    expectDistribution(ball.map(size), (r) => (r / 2) ** 3);
    const sphere = draws<number[]>(drawing({ kind: "ball", path: ["x", "y", "z"], radius: 2, border: true }));
    for (const v of sphere) expect(size(v)).toBeCloseTo(2, 12);
    for (const i of [0, 1, 2])
      expectDistribution(
        sphere.map((v) => v[i]!),
        (x) => (x + 2) / 4,
      );
  });

  it("direction: unit axes, uniform on the sphere or in a cone, or normal about the axis of the scenario", () => {
    const all = draws<number[]>(drawing({ kind: "direction", path: "axis" }));
    for (const i of [0, 1, 2])
      expectDistribution(
        all.map((v) => v[i]!),
        (x) => (x + 1) / 2,
      );
    const cone = draws<number[]>(drawing({ kind: "direction", path: "axis", tilt: 0.2 }));
    expectDistribution(
      cone.map(([, , z]) => (1 - z!) / (1 - Math.cos(0.2))),
      (x) => x,
    );
    const near = draws<number[]>(drawing({ kind: "direction", path: "axis", deviation: 0.01 }));
    expectDistribution(
      near.map(([x, y]) => Math.asin(Math.hypot(x!, y!)) / 0.01),
      (r) => 1 - Math.exp((-r * r) / 2),
    );
    for (const v of [...all, ...cone, ...near]) expect(size(v)).toBeCloseTo(1, 13);
  });

  it("rotation: uniform on all attitudes: the angle has the density (1 - cos a) / pi", () => {
    const all = draws<{ quaternion: number[] }>(drawing({ kind: "rotation", path: "rotation" }));
    const angles = all.map(({ quaternion: [w] }) => 2 * Math.acos(Math.min(1, Math.abs(w!))));
    expectDistribution(angles, (a) => (a - Math.sin(a)) / Math.PI);
    const small = draws<{ quaternion: number[] }>(drawing({ kind: "rotation", path: "rotation", deviation: 0.01 }));
    for (const i of [1, 2, 3])
      expectDistribution(
        small.map(({ quaternion: q }) => (2 * q[i]!) / 0.01),
        normalCdf,
      );
  });

  it("inertia: always physical, with the given deviation of the second moments", () => {
    const d = drawing({ kind: "inertia", path: "inertia", deviation: 0.5, tilt: 0.3 });
    const halfTraces: number[] = [];
    for (const [xx, yy, zz, xy, xz, yz] of draws<number[]>(d)) {
      const [a, b, c] = eigenvalues([[xx!, xy!, xz!], [xy!, yy!, yz!], [xz!, yz!, zz!]]); // biome-ignore format: one line
      expect(a).toBeGreaterThan(0);
      expect(a + b).toBeGreaterThan(c * (1 - 1e-12));
      halfTraces.push((xx! + yy! + zz!) / 2);
    }
    // The sum of the second moments has the mean of the scenario, 6; its deviation is below 0.5 of it.
    const mean = halfTraces.reduce((sum, x) => sum + x, 0) / N;
    expect(Math.abs(mean - 6)).toBeLessThan((4 * 0.5 * 6) / Math.sqrt(N));
    const exact = drawing({ kind: "inertia", path: "inertia", deviation: 1e-9 }).draw(new Float64Array(3).fill(0.5)).values[0];
    for (const [i, x] of [3, 4, 5, 0.1, 0.2, 0.3].entries()) expect((exact as number[])[i]).toBeCloseTo(x, 7);
  });
});

describe("correlations", () => {
  const text = (matrix: string, between = "[speed, stiffness]"): string =>
    `${OSCILLATOR_CAMPAIGN.replace("least: 1", "least: -100").replace("cases: 40", "cases: 100000")}correlations:\n  - { between: ${between}, matrix: ${matrix} }\n`;

  it("have the given correlation of normal scores, and keep each distribution", async () => {
    const campaign = await open(text("[[1, -0.8], [-0.8, 1]]"));
    const pairs = Array.from({ length: N }, (_, i) => caseOf(campaign, i).inputs as [number, number]);
    expectDistribution(
      pairs.map(([v]) => v),
      (x) => x - 0.5,
    );
    expectDistribution(
      pairs.map(([, k]) => k),
      (x) => normalCdf((x - 4) / 0.5),
    );
    // For a Gaussian copula with uniform margins the correlation is (6 / pi) asin(r / 2) with uniform, √(3/pi) r with one uniform margin.
    const z = pairs.map(([v, k]) => [(v - 1) * Math.sqrt(12), (k - 4) / 0.5] as const);
    const r = z.reduce((sum, [a, b]) => sum + a * b, 0) / N;
    expect(Math.abs(r - -0.8 * Math.sqrt(3 / Math.PI))).toBeLessThan(4 / Math.sqrt(N));
  });

  it("allow full correlation", async () => {
    const campaign = await open(text("[[1, 1], [1, 1]]"));
    for (let i = 0; i < 20; i++) {
      const [v, k] = caseOf(campaign, i).inputs as [number, number];
      expect(v - 0.5).toBeCloseTo(normalCdf((k - 4) / 0.5), 12);
    }
  });

  it.each([
    ["[[1, 0.5], [0.4, 1]]", /is not symmetric/],
    ["[[1, 2], [2, 1]]", /between -1 and 1/],
    ["[[2, 0], [0, 1]]", /ones on its diagonal/],
    ["[[1]]", /must have 2 rows/],
  ])("refuse %s", async (matrix, message) => {
    await expect(open(text(matrix))).rejects.toThrow(message);
  });

  it("refuse matrices that no variables have, and unknown names", async () => {
    const three = OSCILLATOR_CAMPAIGN.replace(
      "dispersions:",
      "dispersions:\n  mass: { kind: uniform, path: model.bodies.mass.mass, from: 1, to: 2 }",
    );
    const matrix = "[[1, 0.9, 0.9], [0.9, 1, -0.9], [0.9, -0.9, 1]]";
    await expect(open(`${three}correlations: [{ between: [mass, speed, stiffness], matrix: ${matrix} }]\n`)).rejects.toThrow(
      /not positive semidefinite/,
    );
    await expect(open(text("[[1, 0], [0, 1]]", "[speed, stifness]"))).rejects.toThrow(
      /no such dispersion.*stifness[\s\S]*stiffness/,
    );
  });
});

describe("problems", () => {
  it.each([
    [{ kind: "normal", path: "mass", mean: 1, deviation: 0 }, /must be above 0/],
    [{ kind: "normal", path: "mass", mean: 1, deviation: 1, least: 2, most: 1 }, /greater than least/],
    [{ kind: "normal", path: "mass", mean: 0, deviation: 1, least: 50 }, /leave no probability/],
    [{ kind: "uniform", path: "mass", from: 2, to: 1 }, /greater than from/],
    [{ kind: "uniform", path: "mass", from: "1 m", to: "2 m" }, /wrong dimension/],
    [{ kind: "uniform", path: "name", from: 1, to: 2, as: "factor" }, /no number/],
    [{ kind: "discrete", path: "mass", values: [1, 2], weights: [1] }, /one number for each of 2 values/],
    [
      {
        kind: "table",
        path: "mass",
        rows: [
          [1, 0],
          [2, 0.9],
        ],
      },
      /from 0 to 1/,
    ],
    [{ kind: "ball", path: "x", radius: 1 }, /two or three settings/],
    [{ kind: "direction", path: "mass", tilt: 0.1 }, /no axis/],
    [{ kind: "inertia", path: "mass", deviation: 0.1 }, /no inertia/],
    [{ kind: "gaussian", path: "mass" }, /no such kind of dispersion/],
  ])("%j", (written, message) => {
    const problems: Problem[] = [];
    expect(read(written, problems)).toBeUndefined();
    expect(problems.map((p) => p.message).join("\n")).toMatch(message);
    for (const { path } of problems) expect(path).toMatch(/^(dispersions\.)?d/);
  });
});
