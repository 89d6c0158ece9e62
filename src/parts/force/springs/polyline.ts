/** Piecewise linear functions of tables and their exact integrals, without branches: a sum of ramps that begin at the knots. */

import type { Table } from "../../../declare/parameters.ts";
import { add, max, mul, type Scalar, square, sub } from "../../../kernel/trace/scalar.ts";

export interface Polyline {
  value(x: Scalar): Scalar;
  /** ∫ value from the first knot to x. */
  integral(x: Scalar): Scalar;
}

/**
 * y = y₀ + s₀ (x - x₀) + Σ Δs_k max(0, x - x_k), with s₀ the slope before the first knot and Δs_k the change of slope at knot k.
 * Beyond its ends the function continues with the slope of the last piece, or stays at its last value.
 */
export function polyline({ x: knots, y }: Table, beyond: "continues" | "holds"): Polyline {
  const slopes = knots.slice(1).map((x, i) => (y[i + 1]! - y[i]!) / (x - knots[i]!));
  const outside = (slope: number | undefined): number => (beyond === "holds" ? 0 : (slope ?? 0));
  const first = outside(slopes[0]);
  const all = [first, ...slopes, outside(slopes.at(-1))];
  const ramps = knots.map((knot, k) => ({ knot, change: all[k + 1]! - all[k]! })).filter(({ change }) => change !== 0);
  const from = (x: Scalar, knot: number): Scalar => max(0, sub(x, knot));
  return {
    value(x) {
      const start = add(y[0]!, mul(first, sub(x, knots[0]!)));
      return ramps.reduce<Scalar>((sum, { knot, change }) => add(sum, mul(change, from(x, knot))), start);
    },
    integral(x) {
      const run = sub(x, knots[0]!);
      const start = add(mul(y[0]!, run), mul(first / 2, square(run)));
      return ramps.reduce<Scalar>((sum, { knot, change }) => add(sum, mul(change / 2, square(from(x, knot)))), start);
    },
  };
}
