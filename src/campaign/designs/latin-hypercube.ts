/** Latin hypercube: in each dimension every one of n equally probable intervals contains exactly one case. */
import { permuted } from "../random/permutation.ts";
import { CASES, designKind, PURPOSE, streamsOf } from "./kind.ts";

export const latinHypercube = designKind({
  name: "latin-hypercube",
  about: "Stratified random cases: in each dimension every one of n equally probable intervals has exactly one case.",
  parameters: CASES,
  create({ cases }, context) {
    const streams = streamsOf(context);
    return {
      kind: "latin-hypercube",
      cases,
      canStop: false,
      numbers(index, u) {
        for (const [b, { start, dimensions }] of context.blocks.entries())
          for (let d = 0; d < dimensions; d++) {
            const stratum = permuted(index, cases, streams[b]!, d, PURPOSE.permutation);
            u[start + d] = (stratum + streams[b]!.uniform(index, d, PURPOSE.jitter)) / cases;
          }
      },
    };
  },
});
