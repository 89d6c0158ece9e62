/**
 * Compares two docking mechanisms, passive and controlled legs, over the same random approaches: how often they capture, and the median of
 * the largest loads on the ring. Run it with the number of approaches: `node compare-docking.js 50` takes 2 to 4 minutes. With a file name
 * after it, it also draws the loads: `node compare-docking.js 50 loads.svg`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openScenario, parseOverride, reachedLimits, runScenario, type ScenarioFiles } from "castor/scenario";

const count = Number(process.argv[2] ?? 1);
const MECHANISMS = { passive: "docking-soft-capture", controlled: "docking-controlled" } as const;
const LOADS = { compression: "N", tension: "N", shear: "N", bending: "N m", torsion: "N m" } as const;
type Load = keyof typeof LOADS;

/** Pseudo-random numbers in [0, 1) that depend on the seed only. */
let state = 1;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
};
for (let i = 0; i < 20; i++) random();

/** A point of a disc, and a number in ±limit: evenly spread over the envelope of the docking standard. */
function disc(radius: number): [number, number] {
  const angle = 2 * Math.PI * random();
  const distance = radius * Math.sqrt(random());
  return [distance * Math.cos(angle), distance * Math.sin(angle)];
}
const within = (limit: number): number => limit * (2 * random() - 1);
const DEGREE = Math.PI / 180;

function randomApproach(): Record<string, number> {
  const [[y, z], [vy, vz]] = [disc(0.1), disc(0.04)];
  const [[pitch, yaw], [pitchRate, yawRate]] = [disc(4 * DEGREE), disc(0.2 * DEGREE)];
  const closing = 0.05 + 0.05 * random();
  return { closing, y, z, vy, vz, roll: within(4 * DEGREE), pitch, yaw, rollRate: within(0.2 * DEGREE), pitchRate, yawRate };
}

const scenarios = new URL("./scenarios/", import.meta.resolve("castor/package.json"));
const read = (path: string) => ({ text: readFileSync(fileURLToPath(new URL(path, scenarios)), "utf8"), source: path });

interface Docking {
  readonly captured: boolean;
  readonly loads: Readonly<Record<Load, number>>;
}

/** Runs the first 15 s of a docking. A controller that gives up ends the run. */
async function dock(name: string, approach: Readonly<Record<string, number>>): Promise<Docking> {
  const files: ScenarioFiles = {
    readBeside: (path) => read(`${name}/${path}`),
    readChosen: read,
    builtIns: Object.values(MECHANISMS),
    readBuiltIn: (other) => read(`${other}/model.yaml`),
  };
  const conditions = Object.entries(approach).map(([key, value]) => `approach.${key}=${value}`);
  const overrides = [...conditions, "duration=15", "sample=0.1"].map((text) => parseOverride(text));
  const { text, source } = read(`${name}/scenario.yaml`);
  const result = await runScenario(await openScenario(text, source, { files, overrides }));
  if (result.failure) throw result.failure;
  const peaks = reachedLimits(result);
  const largest = (load: string): number => peaks.find((peak) => peak.name === load)!.value;
  return {
    captured: result.run.timeline.filter((event) => event.name.endsWith(".engage")).length === 3,
    loads: Object.fromEntries(Object.keys(LOADS).map((load) => [load, largest(load)])) as Record<Load, number>,
  };
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const quantile = (values: readonly number[], share: number): number => {
  const position = share * (values.length - 1);
  const [lower, upper] = [Math.floor(position), Math.ceil(position)].map((i) => sorted(values)[i]!);
  return lower! + (position - Math.floor(position)) * (upper! - lower!);
};

const dockings: Record<keyof typeof MECHANISMS, Docking[]> = { passive: [], controlled: [] };
for (let i = 0; i < count; i++) {
  const approach = randomApproach();
  dockings.passive.push(await dock(MECHANISMS.passive, approach));
  dockings.controlled.push(await dock(MECHANISMS.controlled, approach));
}

const captures = Object.entries(dockings).map(
  ([name, runs]) => `${name} ${runs.filter((run) => run.captured).length} of ${count}`,
);
console.log(`captured: ${captures.join(", ")}`);
for (const [load, unit] of Object.entries(LOADS)) {
  const text = Object.entries(dockings).map(([name, runs]) => {
    const values = runs.map((run) => run.loads[load as Load]);
    return `${name} ${quantile(values, 0.5).toFixed(0)} / ${quantile(values, 0.95).toFixed(0)}`;
  });
  console.log(`largest ${load}, median / 95 %, ${unit}: ${text.join(", ")}`);
}

/** The largest loads in increasing order, over the share of the approaches: one picture for each load. */
function drawLoads(): string {
  const [width, height, margin] = [250, 220, 40];
  const COLOURS = { passive: "#d55e00", controlled: "#0072b2" } as const;
  const panels = Object.entries(LOADS).map(([load, unit], panel) => {
    const all = Object.values(dockings).flatMap((runs) => runs.map((run) => run.loads[load as Load]));
    const most = quantile(all, 1);
    const x = (value: number): number => margin + (value / most) * (width - 1.5 * margin);
    const y = (share: number): number => height - margin - share * (height - 2 * margin);
    const lines = Object.entries(COLOURS).map(([name, colour], k) => {
      const values = sorted(dockings[name as keyof typeof COLOURS].map((run) => run.loads[load as Load]));
      const points = values.map((value, i) => `${x(value).toFixed(1)},${y((i + 1) / values.length).toFixed(1)}`);
      const legend = `<text x="${margin + 6}" y="${margin + 12 + 15 * k}" fill="${colour}">${name}</text>`;
      return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>${panel === 0 ? legend : ""}`;
    });
    const axes = `<path d="M${margin} ${y(1)}V${y(0)}H${x(most)}" fill="none" stroke="#444"/>`;
    const labels =
      `<text x="${margin}" y="${margin - 14}" font-weight="bold">largest ${load} (${unit})</text>` +
      `<text x="${margin}" y="${height - margin + 16}">0</text><text x="${x(most)}" y="${height - margin + 16}" text-anchor="end">${most.toFixed(0)}</text>` +
      `<text x="${margin - 4}" y="${y(1) + 4}" text-anchor="end">${count}</text><text x="${margin - 4}" y="${y(0)}" text-anchor="end">0</text>`;
    return `<g transform="translate(${(panel % 3) * width} ${Math.floor(panel / 3) * height})">${axes}${lines.join("")}${labels}</g>`;
  });
  const size = `width="${3 * width}" height="${2 * height}" viewBox="0 0 ${3 * width} ${2 * height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12"><title>Largest loads of the dockings in increasing order</title><rect width="100%" height="100%" fill="white"/>${panels.join("")}</svg>\n`;
}
const picture = process.argv[3];
if (picture !== undefined) writeFileSync(picture, drawLoads());

/* prints
captured: passive 1 of 1, controlled 1 of 1
largest compression, median / 95 %, N: passive 507 / 507, controlled 376 / 376
largest tension, median / 95 %, N: passive 26 / 26, controlled 29 / 29
largest shear, median / 95 %, N: passive 148 / 148, controlled 110 / 110
largest bending, median / 95 %, N m: passive 83 / 83, controlled 77 / 77
largest torsion, median / 95 %, N m: passive 75 / 75, controlled 40 / 40
*/
