/** All combinations of levels. The first dispersion changes slowest. */
import { designKind, MAX_CASES } from "./kind.ts";

export const grid = designKind({
  name: "grid",
  about:
    "All combinations: a uniform dispersion has evenly spaced levels with both bounds, a discrete one all its values, others equally probable levels.",
  parameters: {
    levels: {
      type: "number",
      unit: "",
      whole: true,
      least: 1,
      most: 1000,
      default: 5,
      about: "Number of levels of each dispersion that is not discrete.",
    },
  },
  create({ levels }, context) {
    const fixed = context.blocks.find((block) => block.levels === undefined);
    if (fixed !== undefined)
      return void context.problem(
        "kind",
        `the dispersion ${JSON.stringify(fixed.name)} has several numbers and no levels`,
        "Use another design",
      );
    const values = context.blocks.map((block) => block.levels!(levels));
    const cases = values.reduce((product, list) => product * list.length, 1);
    if (cases > MAX_CASES)
      return void context.problem(
        "levels",
        `give ${cases.toExponential(1)} cases; at most ${MAX_CASES.toExponential(0)} are allowed`,
      );
    return {
      kind: "grid",
      cases,
      canStop: false,
      numbers(index, u) {
        let rest = index;
        for (let b = values.length - 1; b >= 0; b--) {
          const list = values[b]!;
          u[context.blocks[b]!.start] = list[rest % list.length]!;
          rest = Math.floor(rest / list.length);
        }
      },
    };
  },
});
