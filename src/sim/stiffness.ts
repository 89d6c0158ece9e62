/** Whether a motion is stiff at its start: poles that die away far faster than anything swings limit the step of explicit integrators. */
import { realEigenvalues } from "../math/real-eigenvalues.ts";
import { differenceJacobian } from "./integrators/finite-differences.ts";
import { LEDGER } from "./motion-program.ts";
import type { System } from "./system.ts";

export interface Stiffness {
  /** The fastest damped pole, 1/s. */
  readonly decay: number;
  /** The fastest swinging, or what the duration lets one see, 1/s. */
  readonly motion: number;
  readonly stiff: boolean;
}

/** Poles of less damping swing, and have to be followed by any integrator. */
const LIGHT = 0.3;
/** Beyond this ratio an implicit step, which costs some twenty evaluations, is the cheaper one. */
const RATIO = 30;
/** So many time constants within the duration are a few hundred explicit steps, which nobody notices. */
const NOTICED = 5000;
/** Larger systems are not asked: their eigenvalues would take longer than many a run. */
const LARGEST = 250;

/** Looks at the Jacobian of the motion at t = 0; undefined where it is too large or not finite. */
export function stiffnessOf(system: System, y0: Float64Array, duration: number): Stiffness | undefined {
  const { size, derivative } = system.problem;
  const n = size - LEDGER;
  if (n > LARGEST) return undefined;
  const [f0, f1, shifted, whole] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size * size),
  ];
  system.friction.start(y0);
  derivative(0, y0, f0);
  differenceJacobian(derivative, 0, y0, f0, 1, whole, shifted, f1);
  derivative(0, y0, f0); // what elements remember is that of the start again
  const A = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A[i * n + j] = whole[i * size + j]!;
  if (!A.every(Number.isFinite)) return undefined;
  const { re, im } = realEigenvalues(A, n);
  let decay = 0;
  let motion = 10 / duration;
  for (let i = 0; i < n; i++) {
    const pole = Math.hypot(re[i]!, im[i]!);
    if (-re[i]! >= LIGHT * pole) decay = Math.max(decay, pole);
    else if (re[i]! <= 0) motion = Math.max(motion, pole);
  }
  return { decay, motion, stiff: decay > RATIO * motion && decay * duration > NOTICED };
}
