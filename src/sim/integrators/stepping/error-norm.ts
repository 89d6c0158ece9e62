/** Error norm of adaptive integrators: root mean square of e_i w_i / (absolute + relative |y_i|) [HNW I, II.4 (4.11)]. */
import { ArgumentError } from "../../../errors.ts";
import type { InitialValueProblem } from "../integrator.ts";
import type { Tolerances } from "./settings.ts";

export interface ErrorNorm {
  /** True if any component has a weight. */
  readonly controls: boolean;
  /** Weight of each component. */
  readonly weights: Float64Array;
  /** The norm from the sum of squares of e_i w_i / (absolute + relative |y_i|). */
  root(squares: number): number;
  /** Norm of e relative to the larger of y0 and y1. NaN if e is not finite. */
  of(e: Float64Array, y0: Float64Array, y1: Float64Array): number;
}

export function errorNorm(problem: InitialValueProblem, { relative, absolute }: Tolerances): ErrorNorm {
  const n = problem.size;
  const weights = Float64Array.from(problem.weights ?? new Float64Array(n).fill(1));
  if (weights.length !== n)
    throw new ArgumentError("weights", `there are ${weights.length} weights for ${n} components; give one per component`);
  const bad = weights.findIndex((w) => !(w >= 0 && Number.isFinite(w)));
  if (bad >= 0)
    throw new ArgumentError("weights", `the weight of component ${bad} is ${weights[bad]}; it must be finite and not negative`);
  const weighted = weights.reduce((count, w) => count + (w > 0 ? 1 : 0), 0);
  const root = (squares: number): number => Math.sqrt(squares / Math.max(weighted, 1));
  return {
    controls: weighted > 0,
    weights,
    root,
    of(e, y0, y1) {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const scale = absolute + relative * Math.max(Math.abs(y0[i]!), Math.abs(y1[i]!));
        const ratio = (weights[i]! * e[i]!) / scale;
        sum += ratio * ratio;
      }
      return root(sum);
    },
  };
}
