/** Unknown values of a scenario from measured histories: a body on a spring and a damper, whose motion is known in closed form. */
import { describe, expect, test } from "vitest";
import type { ModelError, Problem } from "../../../src/errors.ts";
import { withIdentification } from "../../../src/report/identification.ts";
import { buildRunReport } from "../../../src/report/run-report.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { formatScenario } from "../../../src/scenario/format.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { identifyScenario } from "../../../src/scenario/measured/identify-run.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { normalNumbers } from "../../fixtures/normal-numbers.ts";

const [MASS, STIFFNESS, DAMPING] = [2, 80, 0.8];
const SPRING = "spring: { path: forces.spring.stiffness, start: 60 }";
const DAMPER = "damper: { path: forces.spring.damping, least: 0 }";

const text = (identify: string, more = "stop: []"): string => `
castor: 1
model:
  name: swinger
  gravity: [0, 0, 0]
  bodies:
    - { name: swinger, mass: ${MASS}, inertia: none, hinge: { kind: prismatic, axis: x } }
state: { q: { swinger: 0.1 } }
forces:
  spring: { kind: hinge-spring, hinge: swinger, stiffness: 60, damping: 0.2 }
duration: 3
sample: 0.05
${more}
compare:
  bench: { file: bench.csv, channels: [{ channel: q.swinger, column: x }] }
identify:
${identify.replaceAll(/^/gm, "  ")}
`;
const unknowns = (...lines: readonly string[]): string => ["unknowns:", ...lines.map((line) => `  ${line}`)].join("\n");

/** x = x0 e^(-d t) (cos ω t + d/ω sin ω t) every 20 ms, in mm, with noise. */
function bench(noise: number, seed = 1, count = 150): string {
  const normal = normalNumbers(seed);
  const d = DAMPING / (2 * MASS);
  const w = Math.sqrt(STIFFNESS / MASS - d * d);
  const row = (t: number): string => {
    const x = 0.1 * Math.exp(-d * t) * (Math.cos(w * t) + (d / w) * Math.sin(w * t));
    return `${t},${1000 * (x + noise * normal())}`;
  };
  return `t [s],x [mm]\n${Array.from({ length: count }, (_, i) => row(0.02 * i)).join("\n")}\n`;
}
const files = (csv: string) => ({ ...NO_FILES, readBeside: (source: string) => ({ text: csv, source }) });
const load = (identify: string, csv = bench(1e-3), more?: string) =>
  loadScenario(text(identify, more), "bench", { files: files(csv) });
const problemsOf = (action: () => unknown): readonly Problem[] => {
  try {
    action();
    return [];
  } catch (error) {
    return (error as ModelError).problems;
  }
};

describe("identify", () => {
  test("finds stiffness and damping; the start is the value of the file", () => {
    const scenario = load(unknowns(SPRING, DAMPER));
    expect(scenario.identify!.unknowns.map(({ start }) => start)).toEqual([60, 0.2]);
    let runs = 0;
    const found = identifyScenario(scenario, { progress: (count) => (runs = count) });
    expect(found.runs).toBe(runs);
    const [spring, damper] = found.unknowns;
    expect(Math.abs(spring!.value - STIFFNESS)).toBeLessThan(4 * spring!.error);
    expect(Math.abs(damper!.value - DAMPING)).toBeLessThan(4 * damper!.error);
    expect(spring!.error).toBeLessThan(0.1);
    expect(Math.abs(found.curves[0]!.noise / 1e-3 - 1)).toBeLessThan(0.2); // 150 samples: ± 6 %
    expect(found.warnings).toEqual([]);
    expect(found.overrides.map(({ path }) => path)).toEqual(["forces.spring.stiffness", "forces.spring.damping"]);
  });

  test("without noise the values are those of the closed form", () => {
    const { unknowns: found } = identifyScenario(load(unknowns(SPRING, DAMPER), bench(0)));
    expect(found[0]!.value / STIFFNESS - 1).toBeCloseTo(0, 7);
    expect(found[1]!.value / DAMPING - 1).toBeCloseTo(0, 5);
  });

  test("names the combination that is determined, if only the ratio of stiffness and mass is", () => {
    const found = identifyScenario(
      load(unknowns(SPRING, "mass: { path: model.bodies.swinger.mass }", "damper: { path: forces.spring.damping }")),
    );
    expect(found.warnings.join()).toMatch(/Undetermined: spring and mass and damper have an effect only in combination/);
    const [k, m, d] = found.unknowns.map(({ value }) => value);
    expect(k! / m!).toBeCloseTo(STIFFNESS / MASS, 0);
    expect(d! / m!).toBeCloseTo(DAMPING / MASS, 1);
  });

  test("several paths get one value, and values have units", () => {
    const scenario = load(unknowns("x: { path: [state.q.swinger], start: 90 mm, least: 1 cm, most: 1 m }"));
    expect(scenario.identify!.unknowns[0]).toMatchObject({ start: 0.09, least: 0.01, most: 1 });
  });

  test("a bias of the sensor is found with the others", () => {
    const shifted = bench(1e-3).replace(/,(-?[\d.e-]+)$/gm, (_, x) => `,${Number(x) + 20}`);
    const biased = load(`${unknowns(SPRING, DAMPER)}\nbias: q.swinger`, shifted);
    const { unknowns: found, overrides } = identifyScenario(biased);
    expect(found.map(({ name }) => name)).toEqual(["spring", "damper", "bias of q.swinger"]);
    expect(Math.abs(found[2]!.value - 0.02)).toBeLessThan(4 * found[2]!.error);
    expect(Math.abs(found[0]!.value - STIFFNESS)).toBeLessThan(4 * found[0]!.error);
    expect(overrides).toHaveLength(2);
    expect(identifyScenario(load(unknowns(SPRING, DAMPER), shifted)).warnings.join()).toMatch(/are correlated/);
  });

  test("samples outside the run are left out, with a warning", () => {
    const { warnings, curves } = identifyScenario(load(unknowns(SPRING, DAMPER), bench(1e-3, 1, 200)));
    expect(curves[0]!.samples).toBe(151);
    expect(warnings.join()).toMatch(/49 of 200 measured samples of q.swinger in bench are outside the run, 0 to 3 s/);
  });

  test("the report of the run with the found values has them with their errors", async () => {
    const scenario = load(unknowns(SPRING, DAMPER));
    const found = identifyScenario(scenario);
    const result = await runScenario(loadScenario(formatScenario(scenario), "bench", { overrides: found.overrides }));
    const report = withIdentification(buildRunReport("bench", result), found);
    expect(report.facts[0]).toMatchObject({
      group: "Identified values",
      label: "spring",
      value: expect.stringMatching(/^79\.95\d ± 0\.028$/),
    });
    expect(report.facts.find(({ label }) => label.endsWith("rms difference"))!.value).toBeCloseTo(1e-3, 3);
  });

  test.each([
    [
      unknowns("k: { path: forces.spring.stiffness, start: 60, least: 70 }"),
      "identify.unknowns.k.start",
      /between least and most/,
    ],
    [unknowns("k: { path: forces.spring.stiffness, least: 7, most: 5 }"), "identify.unknowns.k.most", /above least/],
    [unknowns("k: { path: forces.spring.stiffness, start: 3 bananas }"), "identify.unknowns.k.start", /text with a unit/],
    [unknowns("k: { path: forces.spring.stiffness, start: .nan }"), "identify.unknowns.k.start", /number/],
    [unknowns("k: { path: forces.spring.preload }"), "identify.unknowns.k.start", /no number at this path/],
    [unknowns("k: { path: 'plots[0].title', start: 1 }"), "identify.unknowns.k.path", /no influence/],
    [unknowns("x: { path: state.u.swinger, start: 0 }"), "identify.unknowns.x.scale", /start is zero/],
    ["unknowns: {}", "identify.unknowns", /at least one/],
    [`${unknowns(SPRING)}\nnoise: { q.swnger: 1 }`, 'identify.noise["q.swnger"]', /no channel of compare/],
    [`${unknowns(SPRING)}\nnoise: { q.swinger: -1 }`, 'identify.noise["q.swinger"]', /positive/],
    [`${unknowns(SPRING)}\nbias: [q.swnger]`, "identify.bias", /no channel of compare/],
    [`${unknowns(SPRING)}\nstarts: 0`, "identify.starts", /at least 1|from 1/],
  ])("%s", (identify, path, message) => {
    const problems = problemsOf(() => load(identify));
    expect(problems.map((p) => p.path)).toContain(path);
    expect(problems.find((p) => p.path === path)!.message).toMatch(message);
    expect(problems.find((p) => p.path === path)!.line).toBeGreaterThan(0);
  });

  test("needs a measured history", () => {
    const without = text(unknowns(SPRING)).replace(/^compare:\n.*\n/m, "");
    expect(problemsOf(() => loadScenario(without))[0]).toMatchObject({
      path: "identify",
      message: expect.stringMatching(/no measured/),
    });
    const noSection = text("x").replace(/^identify:[\s\S]*/m, "");
    expect(() => identifyScenario(loadScenario(noSection, "bench", { files: files(bench(0)) }))).toThrow(/nothing is unknown/);
  });

  test("a path that does not exist, a start that is not allowed, and too few samples are refused with their reason", () => {
    const problem = (identify: string, csv?: string, more?: string): string =>
      problemsOf(() => identifyScenario(load(identify, csv, more)))
        .map(({ path, message, file, advice }) => [path, message, file, advice].join(" "))
        .join("; ");
    expect(problem(unknowns("k: { path: forces.sprung.stiffness, start: 1 }"))).toMatch(
      /forces.sprung no such key|there is no such key.*spring/,
    );
    expect(problem(unknowns("k: { path: forces.spring.stiffnes, start: 1 }"))).toMatch(/unknown key.*identify\.unknowns\.k/);
    expect(problem(unknowns("m: { path: model.bodies.swinger.mass, start: -1 }"))).toMatch(/mass.*identify\.unknowns\.m/);
    expect(problem(unknowns(SPRING, DAMPER), bench(0, 1, 2))).toMatch(
      /2 measured samples cannot determine 2 unknowns.*more samples/,
    );
    expect(problem(unknowns(SPRING), bench(0), 'stop: ["q.swinger < 0"]')).toMatch(/ends before the last measured sample/);
  });

  test("the written scenario keeps the section", () => {
    const scenario = load(unknowns(SPRING, DAMPER));
    expect(loadScenario(formatScenario(scenario)).identify).toEqual(scenario.identify);
  });
});
