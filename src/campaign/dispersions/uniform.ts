/** A uniform distribution between two bounds. */
import { APPLIED, dispersionKind, scalarDrawing } from "./kind.ts";

export const uniform = dispersionKind({
  name: "uniform",
  about: "A uniform distribution between two bounds; on a grid evenly spaced values with both bounds.",
  parameters: {
    from: { type: "quantity", about: "Lower bound." },
    to: { type: "quantity", about: "Upper bound." },
    ...APPLIED,
  },
  examples: [
    { path: "mass", from: 1, to: 2 },
    { path: "mass", from: -0.1, to: 0.1, as: "offset" },
  ],
  create(values, context) {
    const unit = values.as === "factor" ? "" : undefined;
    const [from, to] = [context.quantity("from", values.from, unit), context.quantity("to", values.to, unit)];
    if (!(from < to)) return void context.problem("to", `must be greater than from, ${from}`);
    const levels = (count: number): readonly number[] =>
      count === 1 ? [0.5] : Array.from({ length: count }, (_, i) => i / (count - 1));
    return scalarDrawing(context, values.as, (u) => (u === 1 ? to : from + u * (to - from)), levels);
  },
});
