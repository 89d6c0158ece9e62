/** The integral over the run. */

import { expressionTarget } from "./extreme.ts";
import { measureKind } from "./kind.ts";

export const integral = measureKind({
  name: "integral",
  about: "The integral of an expression of channels over the run, on the continuous motion.",
  parameters: {
    of: { type: "text", longest: 500, about: "An expression of channels." },
  },
  create({ of }, context) {
    const target = expressionTarget(of, context);
    if (target === undefined) return undefined;
    return {
      unit: "",
      peaks: [{ ...target.options, bound: "total" }],
      channels: [],
      value: ({ peaks }) => peaks.find((p) => target.names.has(p.channel) && p.bound === "total")?.value ?? Number.NaN,
    };
  },
});
