/** Grid search of the paper for three links: cuts on a grid of the length, stiffnesses on a grid, minimum of eq. 1. */

import { checkList, checkOptions, checkPositive } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import { exponential } from "../../math/elementary/exponential.ts";
import { logarithm } from "../../math/elementary/logarithm.ts";
import { square } from "../../math/elementary/power.ts";
import { leastSquares } from "../../math/optimise/least-squares.ts";
import { freedomOf, type Measurement, modelValue, weightOf } from "./measurement.ts";
import { checkRod, type RodData } from "./rod-model.ts";

export interface GridOptions {
  /** Step of the link lengths relative to the rod length, and the shortest first link. */
  readonly cut: number;
  readonly stub: number;
  /** Step of the stiffnesses, N m/rad. */
  readonly stiffness: number;
  /** Longest second link relative to the rod length. */
  readonly longest?: number;
}

export interface GridResult {
  /** Lengths of the three links relative to the rod length. */
  readonly parts: readonly [number, number, number];
  readonly stiffnesses: readonly [number, number];
  readonly criterion: number;
}

/** Grid points that are tried on each side of the best continuous stiffness. */
const NEIGHBOURS = 4;

export function gridSearch(rod: RodData, measurements: readonly Measurement[], options: GridOptions): GridResult {
  checkRod(rod);
  checkList("measurements", measurements, "measurements");
  if (measurements.length === 0) throw new ArgumentError("measurements", "must have at least one measurement");
  if (measurements.some((m) => freedomOf(m) !== "rz"))
    throw new ArgumentError("measurements", "the grid search is for bending about z only; the free search takes all freedoms");
  checkOptions("options", options, ["cut", "stub", "stiffness", "longest"]);
  const { cut, stub, stiffness, longest = 1 } = options;
  for (const [name, value] of Object.entries({ cut, stub, stiffness, longest })) checkPositive(`options.${name}`, value);
  const steps = Math.round(1 / cut);
  const first = Math.round(stub / cut);
  let best: GridResult | undefined;
  let start = Float64Array.of(0, 0);
  for (let a = first; a < steps; a++) {
    for (let b = 1; b < steps - a && b * cut <= longest + 1e-9; b++) {
      const at = [(a / steps) * rod.length, ((a + b) / steps) * rod.length];
      const cost = (k: readonly number[]): number =>
        measurements.reduce((sum, m) => sum + weightOf(m) * square(modelValue(rod, at, k, m) / m.value - 1), 0);
      const residuals = (x: Float64Array): Float64Array =>
        Float64Array.from(
          measurements,
          (m) => Math.sqrt(weightOf(m)) * (modelValue(rod, at, [exponential(x[0]!), exponential(x[1]!)], m) / m.value - 1),
        );
      if (start[0] === 0) start = Float64Array.of(logarithm(10 * stiffness), logarithm(10 * stiffness));
      const fit = leastSquares({ residuals, maxSteps: 40 }, start);
      if (Number.isFinite(fit.cost)) start = Float64Array.from(fit.x); // the next cut is near
      if (!Number.isFinite(fit.cost) || fit.cost > (best?.criterion ?? Number.POSITIVE_INFINITY)) continue;
      const middle = Array.from(fit.x, (v) => Math.round(exponential(v) / stiffness)) as [number, number];
      for (let i = middle[0] - NEIGHBOURS; i <= middle[0] + NEIGHBOURS; i++)
        for (let j = middle[1] - NEIGHBOURS; j <= middle[1] + NEIGHBOURS; j++) {
          if (i < 1 || j < 1) continue;
          const criterion = cost([i * stiffness, j * stiffness]);
          if (!(criterion < (best?.criterion ?? Number.POSITIVE_INFINITY))) continue;
          best = {
            parts: [a / steps, b / steps, (steps - a - b) / steps],
            stiffnesses: [i * stiffness, j * stiffness],
            criterion,
          };
        }
    }
  }
  if (best === undefined) throw new ArgumentError("step", "the grid has no cut in it: give a smaller step");
  return best;
}
