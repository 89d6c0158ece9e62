/** One of several values, with equal or given probabilities. */
import { looksLikeQuantity } from "../../declare/units.ts";
import { parseOverride } from "../../scenario/override.ts";
import { type Cell, type DispersionContext, dispersionKind } from "./kind.ts";

const MAX_VALUES = 10_000;

export const discrete = dispersionKind({
  name: "discrete",
  about: "One of several values: numbers, words, or any YAML as text. On a grid each of them occurs.",
  parameters: {
    values: {
      type: "items",
      noun: "value",
      nouns: "values",
      least: 1,
      most: MAX_VALUES,
      about: "The values. Text that is not a quantity is YAML, as in --set.",
      of: { type: "quantity", about: "A number or text." },
    },
    weights: {
      type: "series",
      unit: "",
      least: 0,
      optional: true,
      about: "Relative probabilities of the values; equal if not given.",
    },
  },
  examples: [
    { path: "mass", values: [1, 2, 4] },
    { path: "axis", values: ["x", "[0, 1, 1]"], weights: [3, 1] },
  ],
  create({ values: written, weights }, context) {
    const values = (written as readonly (number | string)[]).map((value) => readValue(value, context));
    const probabilities = weights ?? values.map(() => 1);
    if (probabilities.length !== values.length)
      return void context.problem("weights", `must have one number for each of ${values.length} values`);
    const total = probabilities.reduce((sum, p) => sum + p, 0);
    if (!(total > 0)) return void context.problem("weights", "must not all be zero");
    const ends = probabilities.map((_, i) => probabilities.slice(0, i + 1).reduce((sum, p) => sum + p, 0) / total);
    const lastPossible = probabilities.findLastIndex((p) => p > 0);
    const isNumeric = values.every((value) => typeof value === "number");
    const cellOf = (value: unknown): Cell => (typeof value === "number" && isNumeric ? value : textOf(value));
    return {
      dimensions: 1,
      columns: [{ suffix: "", type: isNumeric ? "number" : "text", unit: isNumeric ? (context.units[0] ?? "") : "" }],
      draw(u) {
        const i = ends.findIndex((end) => u[0]! < end);
        const value = values[i < 0 ? lastPossible : i];
        return { values: context.paths.map(() => value), cells: [cellOf(value)] };
      },
      levels: () => ends.flatMap((end, i) => (probabilities[i]! > 0 ? [end - (0.5 * probabilities[i]!) / total] : [])),
    };
  },
});

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function readValue(value: number | string, context: DispersionContext): unknown {
  if (typeof value === "number" || looksLikeQuantity(value)) return context.quantity("values", value);
  return parseOverride(`value=${value}`, "values").value;
}
