/**
 * Measures how often the true values lie in the stated intervals. The boom of the scenario identify-boom is simulated with known values, noise
 * is added to its accelerometer, and the values are identified from it; with another noise in every repetition. Run it with the number
 * of repetitions: `node identify-boom.js 50` takes some minutes. With a file name after it, it writes the last measurement:
 * `node identify-boom.js 1 measured.csv`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { identifyScenario, loadScenario, runScenario, type ScenarioFiles } from "castor/scenario";

const repetitions = Number(process.argv[2] ?? 1);
const NOISE = 0.05;
const SENSOR = ["ax", "ay", "az"];
const TRUTH: Readonly<Record<string, number>> = {
  twist: 160,
  "bending-y": 800,
  "bending-z": 1200,
  "joint-1": 0.4,
  damping: 0.0004,
  payload: 2.5,
};

const folder = new URL("./scenarios/identify-boom/", import.meta.resolve("castor/package.json"));
const read = (path: string) => ({ text: readFileSync(fileURLToPath(new URL(path, folder)), "utf8"), source: path });
/** The files of the scenario, with a measurement in the place of measured.csv. */
const filesWith = (measured: string): ScenarioFiles => ({
  readBeside: (path) => (path === "measured.csv" ? { text: measured, source: path } : read(path)),
  readChosen: read,
  builtIns: [],
  readBuiltIn: read,
});

/** Standard normal numbers that depend on the seed only. */
function normalNumbers(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 4294967296;
  };
  for (let i = 0; i < 20; i++) uniform();
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

const { text, source } = read("scenario.yaml");
const nominal = loadScenario(text, source, { files: filesWith("t,ax,ay,az\n0,0,0,0\n1,0,0,0\n") });
const truths = nominal.identify!.unknowns.flatMap(({ name, paths }) =>
  paths.map((path) => ({ path, value: TRUTH[name]!, from: "truth" })),
);
const { run } = await runScenario(
  loadScenario(text, source, { files: filesWith("t,ax,ay,az\n0,0,0,0\n1,0,0,0\n"), overrides: truths }),
);
const times = Array.from(run.log.column("t"));
const curves = ["x", "y", "z"].map((axis) => run.log.column(`accelerometer.sensor.${axis}`));

const inside = new Map(Object.keys(TRUTH).map((name) => [name, 0]));
let measured = "";
for (let seed = 1; seed <= repetitions; seed++) {
  const normal = normalNumbers(seed);
  const rows = times.map((t, i) => [t.toFixed(3), ...curves.map((curve) => (curve[i]! + NOISE * normal()).toFixed(4))].join(","));
  measured = [`t [s],${SENSOR.map((name) => `${name} [m/s^2]`).join(",")}`, ...rows, ""].join("\n");
  const { unknowns, warnings } = identifyScenario(loadScenario(text, source, { files: filesWith(measured) }));
  for (const { name, interval } of unknowns) {
    const truth = TRUTH[name]!;
    if (interval[0] <= truth && truth <= interval[1]) inside.set(name, inside.get(name)! + 1);
  }
  for (const warning of warnings) console.log(`noise ${seed}: ${warning}`);
}
for (const [name, count] of inside) console.log(`${name}: the truth is in ${count} of ${repetitions} intervals of 95 %`);
const file = process.argv[3];
if (file !== undefined) writeFileSync(file, measured);

/* prints
twist: the truth is in 1 of 1 intervals of 95 %
bending-y: the truth is in 1 of 1 intervals of 95 %
bending-z: the truth is in 1 of 1 intervals of 95 %
joint-1: the truth is in 1 of 1 intervals of 95 %
damping: the truth is in 1 of 1 intervals of 95 %
payload: the truth is in 1 of 1 intervals of 95 %
*/
