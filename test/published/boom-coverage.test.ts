/**
 * Known values of a moving boom are recovered from noisy accelerations of its tip, within the stated error bars: twist, both planes of bending, the
 * position of a joint, damping and payload. IDENTIFY_REPETITIONS=50 measures the coverage; the short form makes a few repetitions.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { NO_FILES } from "../../src/scenario/files.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { identifyScenario } from "../../src/scenario/measured/identify-run.ts";
import { runScenario } from "../../src/scenario/run.ts";
import { normalNumbers } from "../fixtures/normal-numbers.ts";

const REPETITIONS = Number(process.env.IDENTIFY_REPETITIONS ?? 1);
const FOLDER = fileURLToPath(new URL("../../scenarios/identify-boom/", import.meta.url));
const NOISE = 0.05;
const TRUTH: Readonly<Record<string, number>> = {
  twist: 160,
  "bending-y": 800,
  "bending-z": 1200,
  "joint-1": 0.4,
  damping: 4e-4,
  payload: 2.5,
};
/** The short form starts near the truth and ends early, so that it takes few seconds. */
const IS_SHORT = REPETITIONS < 10;
const OFF = 1.03;
const SHORT = IS_SHORT ? [{ path: "duration", value: 0.5, from: "short form" }] : [];

const read = (name: string) => ({ text: readFileSync(join(FOLDER, name), "utf8"), source: name });
const filesWith = (measured?: string) => ({
  ...NO_FILES,
  readBeside: (name: string) =>
    name === "measured.csv" && measured !== undefined ? { text: measured, source: name } : read(name),
});
const { text, source } = read("scenario.yaml");

it(`the truth lies in the intervals of 95 %, ${REPETITIONS} repetitions`, { timeout: 1_200_000 }, async () => {
  const { unknowns } = loadScenario(text, source, { files: filesWith() }).identify!;
  const truths = unknowns.flatMap(({ name, paths }) => paths.map((path) => ({ path, value: TRUTH[name]!, from: "truth" })));
  const { run } = await runScenario(loadScenario(text, source, { files: filesWith(), overrides: [...truths, ...SHORT] }));
  const starts = IS_SHORT ? truths.map(({ path, value, from }) => ({ path, value: OFF * value, from })) : [];
  const times = run.log.column("t");
  const curves = ["x", "y", "z"].map((axis) => run.log.column(`accelerometer.sensor.${axis}`));
  const inside = new Map(unknowns.map(({ name }) => [name, 0]));
  const squares = new Map(unknowns.map(({ name }) => [name, 0]));
  for (let seed = 1; seed <= REPETITIONS; seed++) {
    const normal = normalNumbers(seed);
    const rows = Array.from(times, (t, i) => [t, ...curves.map((curve) => curve[i]! + NOISE * normal())].join(","));
    const csv = ["t,ax,ay,az", ...rows, ""].join("\n");
    const found = identifyScenario(loadScenario(text, source, { files: filesWith(csv), overrides: [...starts, ...SHORT] }));
    expect(found.converged).toBe(true);
    for (const { name, value, error, interval } of found.unknowns) {
      const truth = TRUTH[name]!;
      const z = (value - truth) / error;
      // Six values of the short form: one is beyond 4.5 standard errors once in 25 000 times.
      expect(Math.abs(z), `${name}, noise ${seed}`).toBeLessThan(4.5);
      expect(error / truth).toBeLessThan(IS_SHORT ? 0.1 : 0.01);
      squares.set(name, squares.get(name)! + z * z);
      if (interval[0] <= truth && truth <= interval[1]) inside.set(name, inside.get(name)! + 1);
    }
  }
  if (REPETITIONS < 50) return;
  console.log(Object.fromEntries(inside), Object.fromEntries(squares));
  // Binomial: at least 42 of 50 except once in 300 times; more would be too many only if the bars were too wide, which the squares show.
  for (const [name, count] of inside) expect(count / REPETITIONS, name).toBeGreaterThanOrEqual(42 / 50);
  // χ² with 50 degrees of freedom: 24.7 to 86.7 except twice in a thousand times.
  for (const [name, sum] of squares) {
    expect(sum / REPETITIONS, name).toBeGreaterThan(24.7 / 50);
    expect(sum / REPETITIONS, name).toBeLessThan(86.7 / 50);
  }
});
