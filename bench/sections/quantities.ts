import { MODEL_NAMES } from "../machines/models.ts";
import type { QuantityRow } from "../measurements/quantities.ts";
import { checkAtMost, QUANTITY_RATIO, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 200, full: 1000 } as const;

export const quantities: BenchSection = {
  name: "quantities",
  about: "each quantity of ten models; --before FOLDER compares with another build",
  models: MODEL_NAMES,
  run({ models, effort, before }) {
    const rows = models.flatMap((model) => measureSeparately("quantities", model, MILLISECONDS[effort], before));
    return { results: rows, verdicts: rows.flatMap((row) => verdictOf(row) ?? []), text: textOf(rows) };
  },
};

/** This build to the other one; nothing without another one. */
const verdictOf = ({ model, quantity, own, before }: QuantityRow) =>
  before && checkAtMost(own.min / before.min, QUANTITY_RATIO[quantity]?.[model]);

const textOf = (rows: readonly QuantityRow[]): string =>
  [
    "Quantities as WebAssembly kernels, minimum of interleaved batches. Mass matrix: the lower triangle without structural zeros.",
    textTable(
      rows.map((row) => {
        const verdict = verdictOf(row);
        return {
          model: row.model,
          quantity: row.quantity,
          ops: row.ops,
          ns: row.own.min.toFixed(0),
          ...(verdict && { "before, ns": row.before!.min.toFixed(0), "ratio (limit)": verdictText(verdict) }),
        };
      }),
    ),
  ].join("\n");
