/** Frequency response to an oscillating force: y(ω) = c (K - ω² M + i ω D + B (i ω - A)⁻¹ (E + i ω F))⁻¹ b, with internal states by B, E, F, A. */

import { checkNumbers, checkOptions } from "../arguments.ts";
import { arctangent } from "../math/elementary/arctangent.ts";
import { hypotenuse } from "../math/elementary/hypotenuse.ts";
import { complexLU } from "../math/linear/complex-lu.ts";
import { matrixProduct } from "../math/linear/dense-matrix.ts";
import { checkLinearisation } from "./check-analysis.ts";
import type { Linearisation } from "./linearise.ts";
import { type MovingStates, movingStates, staticMatrix } from "./moving-states.ts";
import { directionRow, type LoadDirection } from "./statics.ts";

export interface FrequencyResponseOptions {
  /** Direction of the force, and of the observed motion. */
  readonly force: LoadDirection;
  readonly motion: LoadDirection;
  /** Hz */
  readonly frequencies: readonly number[];
}

export interface FrequencyResponsePoint {
  readonly frequency: number;
  /** Motion per unit force, m/N or the like. */
  readonly amplitude: number;
  /** Phase of the motion relative to the force, rad; negative if the motion lags behind. */
  readonly phase: number;
}

/** One point per frequency. Without damping the amplitude is infinite at a natural frequency. @throws ArgumentError for a frequency that is not finite. */
export function frequencyResponse(linear: Linearisation, options: FrequencyResponseOptions): readonly FrequencyResponsePoint[] {
  checkLinearisation(linear);
  checkOptions("options", options, ["force", "motion", "frequencies"]);
  const { force, motion, frequencies } = options;
  checkNumbers("options.frequencies", frequencies, "Hz");
  const { m, basis, mass, damping, model } = linear;
  const b = matrixProduct(directionRow(linear, force, "options.force"), basis, 1, model.nu, m);
  const c = matrixProduct(directionRow(linear, motion, "options.motion"), basis, 1, model.nu, m);
  const states = movingStates(linear);
  const { n } = states;
  const size = m + n;
  const atRest = staticMatrix(linear, states);
  const lu = complexLU(size);
  const [Pr, Pi] = [new Float64Array(size * size), new Float64Array(size * size)];
  const [x, y] = [new Float64Array(size), new Float64Array(size)];
  return frequencies.map((frequency) => {
    const w = 2 * Math.PI * frequency;
    Pr.set(atRest);
    Pi.fill(0);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < m; j++) {
        Pr[i * size + j]! -= w * w * mass[i * m + j]!;
        Pi[i * size + j] = w * damping[i * m + j]!;
      }
    if (w !== 0) setStateRows(states, m, w, Pr, Pi);
    x.fill(0);
    x.set(b);
    y.fill(0);
    if (!lu.factor(Pr, Pi)) return { frequency, amplitude: Number.POSITIVE_INFINITY, phase: Number.NaN };
    lu.solve(x, y);
    let [re, im] = [0, 0];
    for (let i = 0; i < m; i++) {
      re += c[i]! * x[i]!;
      im += c[i]! * y[i]!;
    }
    return { frequency, amplitude: hypotenuse(re, im), phase: arctangent(im, re) };
  });
}

/** Writes the rows of the states: (i ω - A) ζ - (E + i ω F) σ = 0. */
function setStateRows({ n, E, F, A }: MovingStates, m: number, w: number, Pr: Float64Array, Pi: Float64Array): void {
  const size = m + n;
  for (let i = 0; i < n; i++) {
    const first = (m + i) * size;
    for (let j = 0; j < m; j++) {
      Pr[first + j] = -E[i * m + j]!;
      Pi[first + j] = -w * F[i * m + j]!;
    }
    for (let j = 0; j < n; j++) {
      Pr[first + m + j] = -A[i * n + j]!;
      Pi[first + m + j] = i === j ? w : 0;
    }
  }
}
