/** Soft capture of two spacecraft against an independent implementation of the same definitions, integrated with steps of 0.125 ms. */
import type { Log } from "../../log/log.ts";
import { absorbedEnergies, limitPeaks } from "../../scenario/limits/limit-peaks.ts";
import { runScenario, type ScenarioRun } from "../../scenario/run.ts";
import { valueFurthestFrom } from "../samples.ts";
import { change, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";

/** Initial contact conditions and their results. Conditions: y, z, vy, vz, closing (m, m/s); roll, pitch, yaw (deg); rates about x, y, z (deg/s). */
interface CaptureCase {
  readonly title: string;
  readonly conditions: readonly number[];
  /** Engagement times of the three latches, s. The last one is the capture. */
  readonly latches: readonly [number, number, number];
  /** Compression, its mean over 100 ms, tension, shear (N), bending, torsion (N m), force of a leg (N). */
  readonly peaks: readonly [number, number, number, number, number, number, number];
  /** Longest and shortest stroke of a leg, m. */
  readonly strokes: readonly [number, number];
  /** Energy absorbed by contact and latches, and by the legs, J. */
  readonly contact: number;
  readonly legs: number;
}

const CAPTURE_CASES: readonly CaptureCase[] = [
  {
    title: "S0, aligned, at 0.08 m/s",
    conditions: [0, 0, 0, 0, 0.08, 0, 0, 0, 0, 0, 0],
    latches: [0.25, 0.25, 0.25],
    peaks: [1489.943, 530.308, 29.812, 2.481, 8.856, 0.023, 167.442],
    strokes: [0, -0.07734],
    contact: 0.081601,
    legs: 34.668,
  },
  {
    title: "S1, nominal: off by 58 mm and 2.7 deg",
    conditions: [0.05, 0.03, 0.01, -0.01, 0.08, 2, 1, -1.5, 0.1, -0.1, 0.05],
    latches: [1.565, 1.39538, 1.71938],
    peaks: [729.029, 428.634, 27.589, 137.506, 131.28, 109.966, 168.756],
    strokes: [0.01104, -0.12869],
    contact: 0.74916,
    legs: 34.147,
  },
  {
    title: "S3, a slow corner of the envelope",
    conditions: [0, 0.1, 0, -0.04, 0.05, -4, 4, 0, -0.2, 0.2, 0],
    latches: [5.02487, 3.30275, 4.8085],
    peaks: [394.408, 246.418, 13.12, 140.998, 60.272, 88.683, 122.805],
    strokes: [0.0202, -0.12325],
    contact: 0.50967,
    legs: 15.289,
  },
];

const KEYS = ["y", "z", "vy", "vz", "closing", "roll", "pitch", "yaw", "rollRate", "pitchRate", "yawRate"] as const;
const LOADS = ["compression", "compression, static", "tension", "shear", "bending", "torsion"] as const;

/** Initial conditions as changes of the scenario. Angles are given in degrees. */
const conditionChanges = (values: readonly number[]) =>
  KEYS.map((key, i) => change(`approach.${key}`, i < 5 ? values[i]! : (values[i]! * Math.PI) / 180));

/** The tolerance is a fraction of the expected value, but not less than its last digit. */
const row = (quantity: string, unit: string, expected: number, ours: number, part: number, least = 0): ValidationRow => ({
  quantity,
  unit,
  expected: [expected],
  ours: [ours],
  tolerance: +Math.max(part * Math.abs(expected), least).toPrecision(3),
});

const conserved = (quantity: string, unit: string, ours: number, tolerance: number): ValidationRow => ({
  quantity,
  unit,
  origin: "conservation law",
  expected: [0],
  ours: [ours],
  tolerance,
});

function captureTable(
  { title, latches, peaks, strokes, contact, legs }: CaptureCase,
  { scenario, run }: ScenarioRun,
): ValidationTable {
  const reached = limitPeaks(run.peaks, scenario.limits);
  const peak = (name: string, bound = "most"): number => reached.find((p) => p.name === name && p.bound === bound)!.value;
  const engaged = [1, 2, 3].map((k) => run.timeline.find(({ name }) => name === `latch-${k}.engage`)?.t ?? Number.NaN);
  const captured = run.timeline.find(({ name }) => name === "capture")?.t ?? Number.NaN;
  const absorbed = absorbedEnergies(run.log);
  const taken = (isLeg: boolean): number =>
    absorbed.filter((a) => (a.element === "legs") === isLeg).reduce((sum, { energy }) => sum + energy, 0);
  const force = Math.max(peak("force of the legs"), -peak("force of the legs", "least"));
  const kept = (channels: readonly string[]): number =>
    Math.max(
      ...channels.map((name) => Math.abs(valueFurthestFrom(run.log, name, startOf(run.log, name)) - startOf(run.log, name))),
    );
  return {
    title,
    origin: "independent program",
    rows: [
      { quantity: "latches engage", unit: "s", expected: latches, ours: engaged, tolerance: 2e-3 },
      row("capture", "s", Math.max(...latches), captured, 0, 2e-3),
      ...LOADS.map((name, i) => {
        const unit = name === "bending" || name === "torsion" ? "N m" : "N";
        return row(`largest ${name}`, unit, peaks[i]!, peak(name), name === "bending" ? 0.03 : 0.01, 5e-4);
      }),
      row("largest force of a leg", "N", peaks[6], force, 0.01),
      {
        quantity: "longest and shortest stroke of a leg",
        unit: "m",
        expected: strokes,
        ours: [peak("stroke of the legs"), peak("stroke of the legs", "least")],
        tolerance: 1e-4,
      },
      row("absorbed by contact and latches", "J", contact, taken(false), 0.005),
      row("absorbed by the legs", "J", legs, taken(true), 0.005),
      conserved("change of linear momentum", "N s", kept(vector("momentum.linear")), 1e-6),
      conserved("change of angular momentum", "N m s", kept(vector("momentum.angular")), 1e-6),
      conserved("change of the energy balance", "J", kept(["energy.balance"]), 1e-3),
    ],
  };
}

const vector = (name: string): readonly string[] => ["x", "y", "z"].map((axis) => `${name}.${axis}`);
const startOf = (log: Log, channel: string): number => log.column(channel)[0]!;

export const dockingCapture: Validation = {
  name: "docking-soft-capture",
  title: "Soft capture of two spacecraft by a ring on six legs",
  source: "two implementations of the same definitions in other languages, which agree to 1.8e-12; steps of 0.125 ms",
  scenario: "docking-soft-capture",
  async tables(load) {
    const tables: ValidationTable[] = [];
    for (const each of CAPTURE_CASES)
      tables.push(captureTable(each, await runScenario(load("docking-soft-capture", conditionChanges(each.conditions)))));
    return tables;
  },
};
