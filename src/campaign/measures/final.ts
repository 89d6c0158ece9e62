/** The value at the end of the run. */
import { finalValue, measureKind, unitOfExpression } from "./kind.ts";

export const final = measureKind({
  name: "final",
  about: "The value of an expression of channels at the end of the run; t is the time of the end.",
  parameters: {
    of: { type: "text", longest: 500, about: "An expression of channels." },
  },
  create({ of }, context) {
    const expression = context.expression("of", of);
    if (expression === undefined) return undefined;
    return {
      unit: unitOfExpression(expression, context.scenario),
      peaks: [],
      channels: expression.channels,
      value: (run) => finalValue(expression, run),
    };
  },
});
