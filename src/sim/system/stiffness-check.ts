/** Whether a motion is stiff at its start: poles that die away far faster than anything swings limit the step of explicit integrators. */
import { arnoldi } from "../../math/eigen/arnoldi.ts";
import { realEigenvalues } from "../../math/eigen/real-eigenvalues.ts";
import { differenceJacobian } from "../integrators/implicit/finite-differences.ts";
import { LEDGER } from "./layout.ts";
import type { System } from "./system.ts";

export interface StiffnessCheck {
  /** The fastest damped pole, 1/s. */
  readonly decay: number;
  /** The fastest swinging, or what the duration lets one see, 1/s. */
  readonly motion: number;
  readonly stiff: boolean;
  /** From a Krylov space, not from all poles: then swings are rather counted too fast, so that what is said to be stiff is. */
  readonly estimated: boolean;
}

/** Poles of less damping swing, and have to be followed by any integrator. */
const LIGHT_DAMPING = 0.3;
/** Beyond this ratio an implicit step, which costs some twenty evaluations, is the cheaper one. */
const STIFF_RATIO = 30;
/** So many time constants within the duration are a few hundred explicit steps, which nobody notices. */
const NOTICEABLE_TIME_CONSTANTS = 5000;
/** All poles of larger systems would take longer than many a run: a Krylov space of so many directions finds the fastest. */
const MAX_DENSE_SIZE = 500;
const KRYLOV_DIMENSION = 60;
/** Part of a state's size by which it is moved for a difference. */
const DIFFERENCE_STEP = 1e-7;

/** Looks at the Jacobian of the motion at t = 0; undefined where it is not finite. */
export function checkStiffness(
  system: System,
  y0: Float64Array,
  duration: number,
  largest = MAX_DENSE_SIZE,
): StiffnessCheck | undefined {
  const n = system.problem.size - LEDGER;
  const poles = n <= largest ? allPoles(system, y0, n) : fastestPoles(system, y0, n);
  if (poles === undefined) return undefined;
  let decay = 0;
  let motion = 10 / duration;
  for (const [i, re] of poles.re.entries()) {
    const pole = Math.hypot(re, poles.im[i]!);
    if (-re >= LIGHT_DAMPING * pole) decay = Math.max(decay, pole);
    else if (re <= 0 || n > largest) motion = Math.max(motion, pole);
  }
  return {
    decay,
    motion,
    stiff: decay > STIFF_RATIO * motion && decay * duration > NOTICEABLE_TIME_CONSTANTS,
    estimated: n > largest,
  };
}

type Poles = ReturnType<typeof realEigenvalues>;

function allPoles(system: System, y0: Float64Array, n: number): Poles | undefined {
  const { size, derivative } = system.problem;
  const [f0, f1, shifted, whole] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size * size),
  ];
  system.friction.setModesFromSpeeds(y0);
  derivative(0, y0, f0);
  differenceJacobian(derivative, 0, y0, f0, 1, whole, shifted, f1);
  derivative(0, y0, f0); // what elements remember is that of the start again
  const A = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A[i * n + j] = whole[i * size + j]!;
  return A.every(Number.isFinite) ? realEigenvalues(A, n) : undefined;
}

/** The outer poles, by products of the Jacobian with directions alone: differences of two evaluations each. */
function fastestPoles(system: System, y0: Float64Array, n: number): Poles | undefined {
  const { size, derivative } = system.problem;
  const [up, down, moved] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const step = DIFFERENCE_STEP * Math.max(1, ...y0.subarray(0, n).map(Math.abs));
  system.friction.setModesFromSpeeds(y0);
  const times = (v: Float64Array, out: Float64Array): void => {
    for (const [sign, f] of [
      [1, up],
      [-1, down],
    ] as const) {
      moved.set(y0);
      for (let i = 0; i < n; i++) moved[i]! += sign * step * v[i]!;
      derivative(0, moved, f);
    }
    for (let i = 0; i < n; i++) out[i] = (up[i]! - down[i]!) / (2 * step);
  };
  const { H, m } = arnoldi(times, n, KRYLOV_DIMENSION);
  derivative(0, y0, up);
  return H.every(Number.isFinite) ? realEigenvalues(H, m) : undefined;
}
