/**
 * Error against number of evaluations of the adaptive integrators, on the torque-free asymmetric top. The reference is gauss6 with a step so short
 * that only round-off remains. The contract suite of the integrators compares both with the closed form.
 */
import { INTEGRATORS } from "castor";
import type { InitialValueProblem, Stepper } from "castor/sim";

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

export const DURATION = 1000;
const TOLERANCES = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12];
const SAMPLES = Array.from({ length: 20 }, (_, i) => (DURATION / 20) * (i + 1));
const REFERENCE_STEP = 0.01;

/** Principal inertias 1, 2, 3: quaternion [w, x, y, z], then angular velocity in body axes. */
const TOP: InitialValueProblem = {
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
};
const START = Float64Array.of(1, 0, 0, 0, 0.3, 0, 0.9);

/** The integrators take turns, so that other processes disturb all of them alike. The least time of each counts. */
export function measureWorkPrecision(laps: number): WorkPrecisionRow[] {
  const reference = sampleStates(INTEGRATORS.gauss6.start(TOP, { step: REFERENCE_STEP }));
  const measureOnce = (): WorkPrecisionRow[] =>
    Object.values(INTEGRATORS)
      .filter(({ adaptive }) => adaptive)
      .flatMap((integrator) =>
        TOLERANCES.map((tolerance) => {
          const stepper = integrator.start(TOP, { relativeTolerance: tolerance, absoluteTolerance: tolerance });
          const start = performance.now();
          const states = sampleStates(stepper);
          const milliseconds = performance.now() - start;
          const error = largestDifference(states, reference);
          return { integrator: integrator.name, tolerance, error, ...stepper.counts, milliseconds };
        }),
      );
  const rowsOfLaps = Array.from({ length: laps }, measureOnce);
  return rowsOfLaps[0]!.map((row, i) => ({ ...row, milliseconds: Math.min(...rowsOfLaps.map((lap) => lap[i]!.milliseconds)) }));
}

function sampleStates(stepper: Stepper): Float64Array[] {
  stepper.restart(0, START);
  return SAMPLES.map((end) => {
    while (stepper.t < end) stepper.step(end);
    return stepper.y.slice();
  });
}

function largestDifference(states: readonly Float64Array[], reference: readonly Float64Array[]): number {
  return Math.max(...states.flatMap((y, k) => Array.from(y, (value, i) => Math.abs(value - reference[k]![i]!))));
}
