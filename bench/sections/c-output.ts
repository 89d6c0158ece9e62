import { MODEL_NAMES } from "../machines/models.ts";
import type { COutputRow } from "../measurements/c-output.ts";
import { C_COMPILE_SECONDS, C_RATIO, checkAtMost, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 400, full: 2000 } as const;

export const cOutput: BenchSection = {
  name: "c-output",
  about: "forward dynamics of ten models as C output, compiled by cc -O2, compared with WebAssembly",
  models: MODEL_NAMES,
  run({ models, effort }) {
    const rows = models.map((model) => measureSeparately("c-output", model, MILLISECONDS[effort]));
    const verdicts = rows.flatMap((row) => Object.values(verdictsOf(row) ?? {}));
    return { results: rows.map((row) => ({ ...row, verdicts: verdictsOf(row) })), verdicts, text: textOf(rows) };
  },
};

/** Nothing without a C compiler. */
const verdictsOf = ({ wasm, c, compileSeconds, same }: COutputRow) =>
  c && {
    ratio: checkAtMost(c.min / wasm.min, C_RATIO),
    compilation: checkAtMost(compileSeconds!, C_COMPILE_SECONDS),
    different: checkAtMost(same ? 0 : 1, 0),
  };

const textOf = (rows: readonly COutputRow[]): string =>
  [
    "Forward dynamics as C output (cc -O2 -std=c99) and as WebAssembly, ns per state, minimum of batches in turns.",
    textTable(
      rows.map((row) => {
        const verdicts = verdictsOf(row);
        return {
          model: row.model,
          "WASM ns": row.wasm.min.toFixed(0),
          "C ns": row.c?.min.toFixed(0) ?? "no compiler",
          "C / WASM (limit)": verdicts ? verdictText(verdicts.ratio, 2) : "-",
          "cc, s (limit)": verdicts ? verdictText(verdicts.compilation, 1) : "-",
          bits: row.same === undefined ? "-" : row.same ? "same" : "FAIL different",
        };
      }),
    ),
  ].join("\n");
