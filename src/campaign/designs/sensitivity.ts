/**
 * Cases for Sobol indices [Saltelli et al. 2010]: two independent samples A and B of n rows, and for each dispersion i the sample A with the numbers
 * of i from B. Cases of one row are neighbours: A, B, then one for each dispersion.
 */
import { designKind, independentNumbers, MAX_CASES, PURPOSE } from "./kind.ts";

export const sensitivity = designKind({
  name: "sensitivity",
  about: "Cases for first-order and total Sobol indices: (number of dispersions + 2) times the number of rows.",
  parameters: {
    rows: {
      type: "number",
      unit: "",
      whole: true,
      least: 2,
      most: 10_000_000,
      about: "Number of rows of each of the two random samples.",
    },
  },
  create({ rows }, context) {
    const [first, second] = [independentNumbers(context), independentNumbers(context, PURPOSE.secondValue)];
    const group = context.blocks.length + 2;
    if (rows * group > MAX_CASES) return void context.problem("rows", `give more than ${MAX_CASES} cases`);
    if (context.blocks.length === 0) return void context.problem("kind", "needs dispersions");
    return {
      kind: "sensitivity",
      cases: rows * group,
      canStop: false,
      sensitivity: { rows, names: context.blocks.map(({ name }) => name) },
      numbers(index, u) {
        const [row, part] = [Math.floor(index / group), index % group];
        if (part === 1) second(row, u);
        else first(row, u);
        if (part >= 2) second(row, u, part - 2);
      },
    };
  },
});
