/** One step of inverse iteration for the weakest equation as a program. Bit-identical to `next` in weakest-equation.ts. */
import { cachedPerOwner } from "../../kernel/run/program-cache.ts";
import { trace } from "../../kernel/trace/program.ts";
import { abs, add, div, max, mul, neg, type Scalar, select, sqrt, square, sum } from "../../kernel/trace/scalar.ts";
import type { Model } from "../../model/model.ts";

/**
 * From a sample (direction, w, strength) and `pull`, J⁺ w and (J M⁻¹ Jᵀ)⁻¹ w at the next state, the next sample; its outputs are in the order of
 * the inputs. Its numbers are not finite if `pull` is zero.
 */
export const weakestEquationProgram = (model: Model, rows: number) =>
  cachedPerOwner(model, `weakest equation ${rows}`, () => {
    const { nu } = model;
    const inputs = { direction: nu, w: rows, strength: 1, pull: nu + rows, weights: rows };
    return trace("weakest equation", inputs, (before) => {
      const speeds = before.pull.slice(0, nu);
      const multipliers = before.pull.slice(nu).map((v, i) => add(v, mul(before.weights[i]!, before.w[i]!)));
      const perLength = div(1, norm(speeds));
      const direction = speeds.map((v) => mul(perLength, v));
      const cosine = dot(direction, before.direction);
      const perWeight = div(1, norm(multipliers));
      const size = div(1, sqrt(max(dot(before.w, multipliers), 0)));
      const signed = select(before.strength[0]!, size, neg(size));
      return {
        direction,
        w: multipliers.map((v) => mul(perWeight, v)),
        strength: [select(cosine, signed, neg(signed))],
        turn: [abs(cosine)],
      };
    });
  });

const dot = (a: readonly Scalar[], b: readonly Scalar[]): Scalar => sum(a.map((v, i) => mul(v, b[i]!)));
const norm = (v: readonly Scalar[]): Scalar => sqrt(sum(v.map(square)));
