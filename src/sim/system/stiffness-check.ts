/** Checks whether a motion is stiff at its start: whether poles that decay much faster than the motion limit the step of explicit integrators. */

import { arnoldi } from "../../math/eigen/arnoldi.ts";
import { realEigenvalues } from "../../math/eigen/real-eigenvalues.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { differenceJacobian } from "../integrators/implicit/finite-differences.ts";
import { LEDGER } from "./layout.ts";
import type { Workspace } from "./workspace.ts";

export interface StiffnessCheck {
  /** Magnitude of the fastest damped pole, 1/s. */
  readonly decay: number;
  /** Magnitude of the fastest lightly damped pole, at least 10 / duration, 1/s. */
  readonly motion: number;
  readonly stiff: boolean;
  /** True if the poles come from a Krylov space. Frequencies are then estimated too high, so a motion reported as stiff really is stiff. */
  readonly estimated: boolean;
}

/** Poles with a smaller damping ratio oscillate, and every integrator must follow them. */
const LIGHT_DAMPING = 0.3;
/** Ratio above which an implicit step, which costs about twenty evaluations, is cheaper. */
const STIFF_RATIO = 30;
/** Number of time constants within the duration below which the extra explicit steps do not matter. */
const NOTICEABLE_TIME_CONSTANTS = 5000;
/** Larger systems use a Krylov space for the fastest poles: computing all poles would take longer than many runs. */
const MAX_DENSE_SIZE = 500;
const KRYLOV_DIMENSION = 60;
/** Step of finite differences, relative to the size of the state. */
const DIFFERENCE_STEP = 1e-7;

/** Checks the Jacobian of the motion at t = 0. Undefined if it is not finite. */
export function checkStiffness(
  workspace: Workspace,
  y0: Float64Array,
  duration: number,
  largest = MAX_DENSE_SIZE,
): StiffnessCheck | undefined {
  const n = workspace.problem.size - LEDGER;
  const poles = n <= largest ? allPoles(workspace, y0, n) : fastestPoles(workspace, y0, n);
  if (poles === undefined) return undefined;
  let decay = 0;
  let motion = 10 / duration;
  for (const [i, re] of poles.re.entries()) {
    const pole = hypotenuse(re, poles.im[i]!);
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

function allPoles(workspace: Workspace, y0: Float64Array, n: number): Poles | undefined {
  const { size, derivative } = workspace.problem;
  const [f0, f1, shifted, J] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size * size),
  ];
  workspace.friction.setModesFromSpeeds(y0);
  derivative(0, y0, f0);
  differenceJacobian(derivative, 0, y0, f0, 1, J, shifted, f1);
  derivative(0, y0, f0); // leaves the numeric elements evaluated at the start
  const A = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A[i * n + j] = J[i * size + j]!;
  return A.every(Number.isFinite) ? realEigenvalues(A, n) : undefined;
}

/** The fastest poles, from products of the Jacobian with vectors only. Each product is a difference of two evaluations. */
function fastestPoles(workspace: Workspace, y0: Float64Array, n: number): Poles | undefined {
  const { size, derivative } = workspace.problem;
  const [up, down, shifted] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const step = DIFFERENCE_STEP * Math.max(1, ...y0.subarray(0, n).map(Math.abs));
  workspace.friction.setModesFromSpeeds(y0);
  const multiply = (v: Float64Array, out: Float64Array): void => {
    for (const [sign, f] of [
      [1, up],
      [-1, down],
    ] as const) {
      shifted.set(y0);
      for (let i = 0; i < n; i++) shifted[i]! += sign * step * v[i]!;
      derivative(0, shifted, f);
    }
    for (let i = 0; i < n; i++) out[i] = (up[i]! - down[i]!) / (2 * step);
  };
  const { H, m } = arnoldi(multiply, n, KRYLOV_DIMENSION);
  derivative(0, y0, up);
  return H.every(Number.isFinite) ? realEigenvalues(H, m) : undefined;
}
