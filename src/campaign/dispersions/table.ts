/** A distribution given by its cumulative probabilities. */
import { childPath } from "../../declare/plain-data.ts";
import { APPLIED, dispersionKind, middleLevels, scalarDrawing } from "./kind.ts";

const MAX_ROWS = 100_000;

export const table = dispersionKind({
  name: "table",
  about: "Any distribution by its cumulative probability: rows [value, probability], straight lines between them.",
  parameters: {
    rows: {
      type: "items",
      noun: "row",
      nouns: "rows",
      least: 2,
      most: MAX_ROWS,
      about: "Rows [value, probability of at most this value]. Both increase; the probabilities go from 0 to 1.",
      of: {
        type: "items",
        noun: "entry",
        nouns: "entries",
        about: "[value, probability]",
        of: { type: "quantity", about: "A value or a probability." },
      },
    },
    ...APPLIED,
  },
  examples: [{ path: "mass", rows: [[1, 0], [2, 0.25], [3, 1]] }], // biome-ignore format: one line
  create(values, context) {
    const unit = values.as === "factor" ? "" : undefined;
    const rows = values.rows as unknown as readonly (readonly (number | string)[])[];
    const [x, p]: [number[], number[]] = [[], []];
    for (const [i, row] of rows.entries()) {
      const key = childPath("rows", i);
      if (row.length !== 2) return void context.problem(key, "must be [value, probability]");
      x.push(context.quantity(key, row[0]!, unit));
      p.push(context.quantity(key, row[1]!, ""));
      if (i > 0 && !(x[i]! >= x[i - 1]! && p[i]! >= p[i - 1]!))
        return void context.problem(key, "must not be below the row before it");
    }
    if (p[0] !== 0 || p.at(-1) !== 1) return void context.problem("rows", "the probabilities must go from 0 to 1");
    const quantile = (u: number): number => {
      let [low, high] = [0, p.length - 1];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (p[middle]! < u) low = middle;
        else high = middle;
      }
      const width = p[high]! - p[low]!;
      return width > 0 ? x[low]! + ((u - p[low]!) / width) * (x[high]! - x[low]!) : x[high]!;
    };
    return scalarDrawing(context, values.as, quantile, middleLevels);
  },
});
