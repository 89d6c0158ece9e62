/** Clamping of values, traced or numeric. */
import { max, min, neg, type Scalar } from "../../kernel/trace/scalar.ts";

export const clamp = (low: Scalar, value: Scalar, high: Scalar): Scalar => max(low, min(high, value));

/** The value clamped to ±limit; unchanged without a limit. */
export const clampSymmetric = (limit: Scalar | undefined, value: Scalar): Scalar =>
  limit === undefined ? value : clamp(neg(limit), value, limit);
