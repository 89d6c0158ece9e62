/** Frequency response to an oscillating force: y(ω) = c (K - ω² M + i ω D)⁻¹ b. */

import { checkNumbers, checkOptions } from "../arguments.ts";
import { arctangent } from "../math/elementary/arctangent.ts";
import { hypotenuse } from "../math/elementary/hypotenuse.ts";
import { complexLU } from "../math/linear/complex-lu.ts";
import { matrixProduct } from "../math/linear/dense-matrix.ts";
import { checkLinearisation } from "./check-analysis.ts";
import type { Linearisation } from "./linearise.ts";
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
  const { m, basis, mass, damping, stiffness, model } = linear;
  const b = matrixProduct(directionRow(linear, force, "options.force"), basis, 1, model.nu, m);
  const c = matrixProduct(directionRow(linear, motion, "options.motion"), basis, 1, model.nu, m);
  const lu = complexLU(m);
  const [Pr, Pi] = [new Float64Array(m * m), new Float64Array(m * m)];
  const [x, y] = [new Float64Array(m), new Float64Array(m)];
  return frequencies.map((frequency) => {
    const w = 2 * Math.PI * frequency;
    for (let i = 0; i < m * m; i++) {
      Pr[i] = stiffness[i]! - w * w * mass[i]!;
      Pi[i] = w * damping[i]!;
    }
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
