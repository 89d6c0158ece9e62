/**
 * `node dist-bench/work-precision.js`: error against evaluations of the adaptive integrators on the torque-free asymmetric top over
 * 1000 s. Prints a table and writes bench/results/work-precision.json. The reference is gauss6 with a step so short that only round-off
 * is left; the contract suite of the integrators holds both against the closed form.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { table } from "./table.ts";

export interface WorkPrecisionRow {
  readonly integrator: string;
  readonly tolerance: number;
  /** Largest error of a quaternion component or body rate (rad/s) at the sampled times. */
  readonly error: number;
  readonly evaluations: number;
  readonly steps: number;
  readonly rejected: number;
  readonly milliseconds: number;
}

/** What the bench sees of an integrator; src/sim/integrator.ts says what it is. */
interface Contender {
  readonly adaptive: boolean;
  start(problem: typeof TOP, options: Readonly<Record<string, number>>): Stepper;
}

interface Stepper {
  readonly t: number;
  readonly y: Float64Array;
  restart(t: number, y: Float64Array): void;
  step(end: number): void;
  readonly counts: { readonly steps: number; readonly rejected: number; readonly evaluations: number };
}

const TOLERANCES = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12];
const SAMPLES = Array.from({ length: 20 }, (_, i) => 50 * (i + 1));
const REFERENCE_STEP = 0.01;

/** Principal inertias 1, 2, 3: quaternion [w, x, y, z], then angular velocity in body axes. */
const TOP = {
  size: 7,
  derivative(_t: number, y: Float64Array, ydot: Float64Array): void {
    const [w, x, q, z] = [y[0]!, y[1]!, y[2]!, y[3]!];
    const [a, b, c] = [y[4]!, y[5]!, y[6]!];
    ydot[0] = (-x * a - q * b - z * c) / 2;
    ydot[1] = (w * a + q * c - z * b) / 2;
    ydot[2] = (w * b + z * a - x * c) / 2;
    ydot[3] = (w * c + x * b - q * a) / 2;
    ydot[4] = -b * c;
    ydot[5] = c * a;
    ydot[6] = (-a * b) / 3;
  },
  project(y: Float64Array): void {
    const norm = Math.hypot(y[0]!, y[1]!, y[2]!, y[3]!);
    for (let i = 0; i < 4; i++) y[i]! /= norm;
  },
} as const;
const START = Float64Array.of(1, 0, 0, 0, 0.3, 0, 0.9);

export async function measureWorkPrecision(): Promise<WorkPrecisionRow[]> {
  const integrators = await builtIntegrators();
  const reference = sample(integrators.gauss6!.start(TOP, { step: REFERENCE_STEP }));
  return Object.entries(integrators)
    .filter(([, { adaptive }]) => adaptive)
    .flatMap(([integrator, contender]) =>
      TOLERANCES.map((tolerance) => {
        const stepper = contender.start(TOP, { relativeTolerance: tolerance, absoluteTolerance: tolerance });
        const start = performance.now();
        const states = sample(stepper);
        const milliseconds = performance.now() - start;
        return { integrator, tolerance, error: largestDifference(states, reference), ...stepper.counts, milliseconds };
      }),
    );
}

export function workPrecisionTable(rows: readonly WorkPrecisionRow[]): string {
  return table(
    rows.map((row) => ({
      integrator: row.integrator,
      tolerance: row.tolerance.toExponential(0),
      error: row.error.toExponential(1),
      "error / tolerance": (row.error / row.tolerance).toFixed(0),
      evaluations: row.evaluations,
      steps: row.steps,
      rejected: row.rejected,
      ms: row.milliseconds.toFixed(0),
    })),
  );
}

/** From the build and not from the package: the bench looks at integrators alone, below its surface. */
async function builtIntegrators(): Promise<Readonly<Record<string, Contender>>> {
  const built = new URL("../dist/sim/integrators/index.js", import.meta.url).href;
  return ((await import(built)) as { INTEGRATORS: Readonly<Record<string, Contender>> }).INTEGRATORS;
}

function sample(stepper: Stepper): Float64Array[] {
  stepper.restart(0, START);
  return SAMPLES.map((end) => {
    while (stepper.t < end) stepper.step(end);
    return stepper.y.slice();
  });
}

function largestDifference(states: readonly Float64Array[], reference: readonly Float64Array[]): number {
  return Math.max(...states.flatMap((y, k) => Array.from(y, (value, i) => Math.abs(value - reference[k]![i]!))));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await measureWorkPrecision();
  const folder = new URL("../bench/results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("work-precision.json", folder), `${JSON.stringify(rows, undefined, 2)}\n`);
  console.log(`Torque-free asymmetric top over 1000 s.\n${workPrecisionTable(rows)}`);
}
