/** Damping of virtual links from measured ratios of the clamped rod's modes, in three ways. */

import { modalDamping } from "../../model/flexible/damping.ts";
import { clampedModes } from "../../model/flexible/joints.ts";
import { leastSquares } from "./least-squares.ts";
import { type RodData, rodMass } from "./rod-model.ts";

/** zeta of a logarithmic decrement. */
export const ratioOfDecrement = (decrement: number): number => decrement / Math.hypot(2 * Math.PI, decrement);

export interface IdentifiedDamping {
  /** In proportion to stiffness, right for the first measured mode: d = time k. */
  readonly proportional: { readonly time: number; readonly dampers: readonly number[] };
  /** A damper in each joint, none negative, as near to the ratios as these can come; and the ratios that they give, to first order. */
  readonly dampers: { readonly values: readonly number[]; readonly ratios: readonly number[]; readonly feasible: boolean };
  /** The matrix that has exactly these ratios; modes beyond those measured in proportion to their frequency. */
  readonly matrix: readonly (readonly number[])[];
}

/** Ratios that are met so well count as met. */
const MET = 1e-6;

/** `ratios` of modes 1, 2, ... with the mass that was on the tip. @throws RangeError for what is no ratio. */
export function identifyDamping(
  rod: RodData,
  at: readonly number[],
  k: readonly number[],
  ratios: readonly number[],
  tipMass = 0,
): IdentifiedDamping {
  if (ratios.length === 0 || ratios.length > k.length)
    throw new RangeError(`${k.length} joints have ${k.length} modes, and ${ratios.length} ratios are given`);
  for (const z of ratios) if (!(z >= 0 && z < 1)) throw new RangeError(`a damping ratio must be from 0 to below 1, got ${z}`);
  const n = k.length;
  const M = rodMass(rod, at, tipMass);
  const { omega, shapes } = clampedModes(M, k);
  const time = (2 * ratios[0]!) / omega[0]!;
  // Σ_j Φ_ji² d_j = 2 ζ_i ω_i, d ≥ 0
  const wanted = ratios.map((z, i) => 2 * z * omega[i]!);
  const row = (i: number, d: Float64Array): number => d.reduce((sum, v, j) => sum + shapes[j * n + i]! ** 2 * v, 0);
  const scale = k.map((v) => v * (time || 1e-6));
  const fit = leastSquares(
    {
      residuals: (x) =>
        Float64Array.from(
          wanted,
          (w, i) =>
            (row(
              i,
              x.map((v, j) => v * scale[j]!),
            ) -
              w) /
            (w || 1),
        ),
      confine: (x) => {
        for (let j = 0; j < n; j++) x[j] = Math.max(0, x[j]!);
      },
      most: 300,
    },
    Float64Array.from(k, () => 1),
  );
  const values = fit.x.map((v, j) => v * scale[j]!);
  const D = modalDamping(M, k, ratios);
  return {
    proportional: { time, dampers: k.map((v) => time * v) },
    dampers: {
      values: Array.from(values),
      ratios: ratios.map((_, i) => row(i, values) / (2 * omega[i]!)),
      feasible: fit.cost < MET,
    },
    matrix: k.map((_, i) => Array.from(D.subarray(i * n, (i + 1) * n))),
  };
}
