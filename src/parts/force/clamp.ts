/** Limits, traced or in numbers. */
import { max, min, neg, type Scalar } from "../../kernel/trace/scalar.ts";

export const between = (low: Scalar, value: Scalar, high: Scalar): Scalar => max(low, min(high, value));

/** The value within ±limit; all of it where there is no limit. */
export const within = (limit: Scalar | undefined, value: Scalar): Scalar =>
  limit === undefined ? value : between(neg(limit), value, limit);
