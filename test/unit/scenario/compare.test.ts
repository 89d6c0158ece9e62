/** Measured histories that a run is compared with. The run is a body that falls: z = -g t² / 2 is known. */
import { describe, expect, test } from "vitest";
import type { ModelError, Problem } from "../../../src/errors.ts";
import { plotData } from "../../../src/report/plots/plot-data.ts";
import { plotSvg } from "../../../src/report/plots/plot-svg.ts";
import { buildRunReport } from "../../../src/report/run-report.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { formatScenario } from "../../../src/scenario/format.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { comparedChannels, sampleAt } from "../../../src/scenario/measured/compare-run.ts";
import { runScenario } from "../../../src/scenario/run.ts";

const G = 8;
const fall = (compare: string): string => `
castor: 1
model:
  name: stone
  gravity: [0, 0, -${G}]
  bodies:
    - { name: stone, mass: 1, inertia: none, hinge: { kind: prismatic, axis: z } }
duration: 1
sample: 0.125
plots:
  - { title: Height, channels: [q.stone], unit: mm }
  - { title: Speed, channels: [u.stone] }
compare:
  film:
${compare.replaceAll(/^/gm, "    ")}
`;
const files = (text: string) => ({ ...NO_FILES, readBeside: (source: string) => ({ text, source }) });
const load = (compare: string, text = "") => loadScenario(fall(compare), "fall", { files: files(text) });
const problemsOf = (compare: string, text = ""): readonly Problem[] => {
  try {
    load(compare, text);
    return [];
  } catch (error) {
    return (error as ModelError).problems;
  }
};
const height = (t: number): number => (-G / 2) * t * t;
/** Samples at the samples of the run, in mm and ms; the second one is 3 mm too high, the fourth 4 mm too low. */
const ERRORS = [0, 0.003, 0, -0.004, 0];
const CSV = `time [ms],other,height [mm]\n${ERRORS.map((e, i) => `${250 * i},7,${1000 * (height(0.25 * i) + e)}`).join("\n\n")}\n`;
const MAPPING = "file: film.csv\nchannels: [{ channel: q.stone, column: height }]";

describe("compare", () => {
  test("rms and largest difference, in the unit of the channel", async () => {
    const result = await runScenario(load(MAPPING, CSV));
    const [compared, ...others] = comparedChannels(result);
    expect(others).toEqual([]);
    expect(compared).toMatchObject({ name: "film", channel: "q.stone", unit: "m", samples: 5, outside: 0, at: 0.75 });
    // √((3² + 4²) / 5) mm = √5 mm
    expect(compared!.rms).toBeCloseTo(0.001 * Math.sqrt(5), 12);
    expect(compared!.largest).toBeCloseTo(0.004, 12);
  });

  test("the report draws the measured curve over the simulated one, in the unit of the plot", async () => {
    const result = await runScenario(load(MAPPING, CSV));
    const report = buildRunReport("fall", result);
    const plot = report.plots[0]!;
    expect(plot.series.map(({ label }) => label)).toEqual(["q.stone", "q.stone, film"]);
    expect(report.plots[1]!.series).toHaveLength(1);
    // Where both agree, the simulated line shows through the gaps of the measured one.
    const dashes = Array.from(
      plotSvg(report.log, plot).matchAll(/fill="none"[^>]*stroke-dasharray="([^"]+)"/g),
      ([, dash]) => dash,
    );
    expect(dashes).toEqual(["none", "2 7"]);
    const { time, columns } = plotData(report.log, plot, 1000);
    expect(columns[1]![Array.from(time).indexOf(0.25)]).toBeCloseTo(1000 * height(0.25) + 3, 9);
    const facts = report.facts.filter(({ group }) => group === "Comparison with measurements");
    expect(facts.map(({ label }) => label)).toEqual([
      "q.stone, film: rms difference",
      "q.stone, film: largest difference, at 0.75 s",
    ]);
  });

  test("channels without a plot get one; offset, rows in the file, and times that are not covered", async () => {
    const rows = "columns: [t, energy.kinetic]\noffset: 500 ms\ntable: [[-1, 5], [0, 8], [0.25, 18], [1, 0]]";
    const result = await runScenario(load(`${rows}\nchannels: [{ channel: energy.kinetic }]`));
    const [compared] = comparedChannels(result);
    // m (g t)² / 2 at 0.5 and 0.75 s is 8 and 18 J
    expect(compared).toMatchObject({ samples: 2, outside: 2, measured: [-0.5, 1.5], simulated: [0, 1] });
    expect(compared!.rms).toBeLessThan(1e-9);
    const report = buildRunReport("fall", result);
    expect(report.plots.map(({ title }) => title)).toEqual(["Height", "Speed", "energy.kinetic, film"]);
    expect(report.facts.find(({ label }) => label.endsWith("not covered"))?.value).toBe(
      "2 of 4 measured samples are outside the run; measured -0.5 to 1.5 s, simulated 0 to 1 s",
    );
  });

  test("the written scenario contains the history", async () => {
    const scenario = load(MAPPING, CSV);
    const again = loadScenario(formatScenario(scenario));
    expect(again.compare[0]!.times).toEqual(scenario.compare[0]!.times);
    expect(again.compare[0]!.series[0]!.values).toEqual(scenario.compare[0]!.series[0]!.values);
  });

  test("a log of another run, in JSON", () => {
    const log = '{"channels":[{"name":"t","unit":"s"},{"name":"q.stone","unit":"m"}],"columns":{"t":[0,1],"q.stone":[0,-4]}}';
    const scenario = load("file: log.json\nchannels: [{ channel: q.stone }]", log);
    expect(Array.from(scenario.compare[0]!.series[0]!.values)).toEqual([0, -4]);
  });

  test.each([
    ["file: ../film.csv\nchannels: [{ channel: q.stone }]", CSV, "compare.film.file", /must not lead out/],
    ["file: film.csv\nchannels: [{ channel: q.stone }]", CSV, "compare.film.channels[0].channel", /has no such column/],
    [
      "file: film.csv\nchannels: [{ channel: q.stein, column: height }]",
      CSV,
      "compare.film.channels[0].channel",
      /no such channel/,
    ],
    [
      "file: film.csv\nchannels: [{ channel: u.stone, column: height }]",
      CSV,
      "compare.film.channels[0].unit",
      /cannot be the unit/,
    ],
    [
      "file: film.csv\nchannels: [{ channel: q.stone, column: height, unit: m }]",
      CSV,
      "compare.film.channels[0].unit",
      /is in mm/,
    ],
    ["file: film.csv\ntime: clock\nchannels: [{ channel: q.stone, column: height }]", CSV, "compare.film.time", /no such column/],
    ["file: film.csv\noffset: 5\nchannels: [{ channel: q.stone, column: height }]", CSV, "compare.film.offset", /no sample lies/],
    ["channels: [{ channel: q.stone }]", "", "compare.film", /has no history/],
    ["columns: [t, q.stone]\ntable: [[0, 1], [1]]\nchannels: [{ channel: q.stone }]", "", "compare.film.table", /row 2/],
    ["columns: [t, q.stone]\ntable: [[0, 1]]\nchannels: [{ channel: q.stone }]", "", "compare.film.table", /2 to 100000/],
    [
      "columns: [t, q.stone]\ntable: [[0, 1], [0, 2], [1, 1], [1, 1]]\nchannels: [{ channel: q.stone }]",
      "",
      "compare.film.table",
      /2 of 4 samples are at the time of the one before/,
    ],
    ["columns: [t, q.stone]\ntable: [[0, 1], [1, 1]]\nchannels: []", "", "compare.film.channels", /at least/],
  ])("%s", (compare, text, path, message) => {
    const problems = problemsOf(compare, text);
    expect(problems.map((p) => p.path)).toContain(path);
    expect(problems.find((p) => p.path === path)!.message).toMatch(message);
  });

  test("problems of the file have its lines", () => {
    expect(problemsOf(MAPPING, "time,height\n0,1\n\n0.5,x\n")[0]).toMatchObject({ file: "film.csv", line: 4 });
    expect(problemsOf(MAPPING, "time,height\n0,1\n\n0.5,1\n0.4,2\n")[0]).toMatchObject({ file: "film.csv", line: 5 });
    expect(problemsOf(MAPPING, "time,height\n0,1\n1,1\n1,2\n1,3\n")[0]).toMatchObject({ file: "film.csv", line: 5 });
  });

  test("a log of a run with jumps equals the run itself: two samples at one time are the values before and after", async () => {
    const kick = fall("").replace(
      /compare:[\s\S]*$/,
      "events: { kick: { at: 0.4375, impulse: { frame: stone, force: [0, 0, 6] } } }\n",
    );
    const { run } = await runScenario(loadScenario(kick, "fall", { files: files("") }));
    const [times, speeds] = [run.log.column("t"), run.log.column("u.stone")];
    const jump = times.indexOf(0.4375);
    expect([times[jump + 1], speeds[jump + 1]! - speeds[jump]!]).toEqual([0.4375, expect.closeTo(6, 12)]);
    const log = `t,u.stone\n${Array.from(times, (t, i) => `${t},${speeds[i]}`).join("\n")}\n`;
    const compare = "compare: { film: { file: film.csv, channels: [{ channel: u.stone }] } }\n";
    const [compared] = comparedChannels(await runScenario(loadScenario(kick + compare, "fall", { files: files(log) })));
    expect(compared).toMatchObject({ samples: times.length, rms: 0, largest: 0 });
  });

  test("two samples at one time are the values before and after a jump", () => {
    const [times, values] = [
      [0, 1, 1, 3],
      [0, 10, 50, 70],
    ];
    expect(Array.from(sampleAt(times, values, [0.5, 1, 1, 2]))).toEqual([5, 10, 50, 60]);
    expect(Array.from(sampleAt(times, values, [0.5, 1, 2]))).toEqual([5, 50, 60]);
    expect(Array.from(sampleAt([0, 2], [0, 20], [1, 1]))).toEqual([10, 10]);
  });

  test("linear interpolation between samples, nothing outside", () => {
    const curve = sampleAt([0, 1, 3], [0, 10, 30], [-1, 0, 0.5, 1, 2, 3, 4]);
    expect(Array.from(curve)).toEqual([Number.NaN, 0, 5, 10, 20, 30, Number.NaN]);
  });
});
