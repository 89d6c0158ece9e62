/** Methods with fixed steps as data, for step loops inside WebAssembly. The arithmetic is that of rk4.ts and rkg.ts. */
import { add, mul } from "../../../kernel/trace/scalar.ts";
import type { Combination } from "./step-loop-code.ts";

/** A fixed-step method as combinations of one component of y with its stage derivatives. The weights depend on h and are set at run time. */
export interface FixedMethod {
  readonly name: string;
  /** Weights, computed from h exactly as the integrator does. */
  weights(h: number): readonly number[];
  /** States of stages 2, 3 and 4. */
  readonly stages: readonly Combination[];
  readonly result: Combination;
}

export const FIXED_METHODS: Readonly<Record<string, FixedMethod>> = {
  rk4: {
    name: "rk4",
    weights: (h) => [h / 2, h, h / 6],
    stages: [
      (y, [k1], [half]) => add(y, mul(half!, k1!)),
      (y, [, k2], [half]) => add(y, mul(half!, k2!)),
      (y, [, , k3], [, h]) => add(y, mul(h!, k3!)),
    ],
    result: (y, [k1, k2, k3, k4], [, , sixth]) => add(y, mul(sixth!, add(add(k1!, mul(2, add(k2!, k3!))), k4!))),
  },
  rkg: {
    name: "rkg",
    weights: (h) => [
      h / 2,
      ((Math.SQRT2 - 1) / 2) * h,
      (1 - Math.SQRT1_2) * h,
      -Math.SQRT1_2 * h,
      (1 + Math.SQRT1_2) * h,
      h / 6,
      ((2 - Math.SQRT2) * h) / 6,
      ((2 + Math.SQRT2) * h) / 6,
    ],
    stages: [
      (y, [k1], [half]) => add(y, mul(half!, k1!)),
      (y, [k1, k2], [, a31, a32]) => add(add(y, mul(a31!, k1!)), mul(a32!, k2!)),
      (y, [, k2, k3], [, , , a42, a43]) => add(add(y, mul(a42!, k2!)), mul(a43!, k3!)),
    ],
    result: (y, [k1, k2, k3, k4], [, , , , , b1, b2, b3]) =>
      add(y, add(add(add(mul(b1!, k1!), mul(b2!, k2!)), mul(b3!, k3!)), mul(b1!, k4!))),
  },
};
