/** A sum of inputs and of other measures. */
import { didYouMean } from "../../declare/names.ts";
import { parseExpression } from "../../scenario/read/condition.ts";
import { measureKind } from "./kind.ts";

export const expression = measureKind({
  name: "expression",
  about: "A sum, product or quotient of inputs and of measures above it; none if one of them is none.",
  parameters: {
    of: { type: "text", longest: 500, about: "An expression of names of inputs and of measures above, e.g. peak / limit." },
  },
  create({ of }, context) {
    const parsed = parseExpression(of);
    if (!("channels" in parsed)) return void context.problem("of", parsed.message, of, parsed.advice);
    const unknown = parsed.channels.filter((name) => !context.known.includes(name));
    for (const name of unknown)
      context.problem("of", "there is no such input or measure above", name, didYouMean(name, context.known));
    if (unknown.length > 0) return undefined;
    return {
      unit: "",
      peaks: [],
      channels: [],
      value: (_, known) => parsed.value(Float64Array.from(parsed.channels, (name) => known.get(name) ?? Number.NaN)),
    };
  },
});
