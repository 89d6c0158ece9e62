/** A normal distribution, truncated if bounds are given. */
import { normalCdf, normalQuantile, upperQuantile, upperTail } from "../random/normal.ts";
import { APPLIED, dispersionKind, middleLevels, scalarDrawing } from "./kind.ts";

export const normal = dispersionKind({
  name: "normal",
  about: "A normal distribution, truncated at the bounds that are given.",
  parameters: {
    mean: { type: "quantity", about: "Mean of the distribution, before it is truncated." },
    deviation: { type: "quantity", about: "Standard deviation of the distribution, before it is truncated." },
    least: { type: "quantity", optional: true, about: "Lower bound; none if not given." },
    most: { type: "quantity", optional: true, about: "Upper bound; none if not given." },
    ...APPLIED,
  },
  examples: [
    { path: "mass", mean: 10, deviation: 0.5 },
    { path: "mass", mean: 1, deviation: 0.1, least: 0.8, most: 1.2, as: "factor" },
    { path: "mass", mean: 0, deviation: 1, least: 3 },
  ],
  create(values, context) {
    const unit = values.as === "factor" ? "" : undefined;
    const [mean, deviation] = [
      context.quantity("mean", values.mean, unit),
      context.quantity("deviation", values.deviation, unit),
    ];
    const least = values.least === undefined ? Number.NEGATIVE_INFINITY : context.quantity("least", values.least, unit);
    const most = values.most === undefined ? Number.POSITIVE_INFINITY : context.quantity("most", values.most, unit);
    if (!(deviation > 0))
      return void context.problem("deviation", "must be above 0", "Leave the dispersion out for a fixed value");
    if (!(least < most)) return void context.problem("most", `must be greater than least, ${least}`);
    const quantile = truncatedQuantile((least - mean) / deviation, (most - mean) / deviation);
    if (quantile === undefined)
      return void context.problem("least", "the bounds leave no probability: they are more than 37 deviations from the mean");
    const clamp = (x: number): number => Math.min(most, Math.max(least, x));
    return scalarDrawing(context, values.as, (u) => clamp(mean + deviation * quantile(u)), middleLevels);
  },
});

/** Quantile of a standard normal variable between two bounds. The tail with the smaller numbers is used, so no digits are lost. */
function truncatedQuantile(a: number, b: number): ((u: number) => number) | undefined {
  if (a === Number.NEGATIVE_INFINITY && b === Number.POSITIVE_INFINITY) return normalQuantile;
  const isAbove = a > 0;
  const [from, to] = isAbove ? [upperTail(a), upperTail(b)] : [normalCdf(a), normalCdf(b)];
  if (!(Math.abs(to - from) > 0)) return undefined;
  return (u) => (isAbove ? upperQuantile : normalQuantile)(from + u * (to - from));
}
