/** Sobol' points: a low-discrepancy sequence with a random digital shift, so that estimates have no bias. */
import { CASES, designKind, PURPOSE, streamsOf } from "./kind.ts";
import { directionNumbers, MAX_SOBOL_DIMENSIONS, sobolBits } from "./sobol-sequence.ts";

export const sobol = designKind({
  name: "sobol",
  about: "Sobol' points with a random shift: even coverage of all dispersions. Numbers of cases that are powers of two are best.",
  parameters: CASES,
  create({ cases }, context) {
    const { blocks } = context;
    const dimensions = blocks.reduce((sum, block) => sum + block.dimensions, 0);
    if (dimensions > MAX_SOBOL_DIMENSIONS)
      return void context.problem(
        "kind",
        `has at most ${MAX_SOBOL_DIMENSIONS} dimensions, the dispersions need ${dimensions}`,
        "Use latin-hypercube",
      );
    if (cases > 2 ** 31) return void context.problem("cases", `must be at most ${2 ** 31} for Sobol' points`);
    const streams = streamsOf(context);
    const directions = Array.from({ length: dimensions }, (_, d) => directionNumbers(d));
    const shifts = blocks.flatMap((block, b) =>
      Array.from({ length: block.dimensions }, (_, d) => ({
        dimension: block.start + d,
        high: streams[b]!.bits(0, d, PURPOSE.secondValue),
        low: streams[b]!.uniform(1, d, PURPOSE.secondValue),
      })),
    );
    return {
      kind: "sobol",
      cases,
      canStop: true,
      numbers(index, u) {
        // The shift continues below the 32 bits of the points with one random fraction for each dimension.
        for (const { dimension, high, low } of shifts)
          u[dimension] = (((sobolBits(index, directions[dimension]!) ^ high) >>> 0) + low) / 0x100000000;
      },
    };
  },
});
