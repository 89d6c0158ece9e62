import { MODEL_NAMES } from "../machines/models.ts";
import type { ForwardDynamicsRow } from "../measurements/forward-dynamics.ts";
import { BATCH_RATIO, BATCH_RATIO_M5G, checkAtMost, MUJOCO_RATIO, RELATIVE_DIFFERENCE, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 400, full: 3000 } as const;

export const forward: BenchSection = {
  name: "forward",
  about: "forward dynamics of ten models, compared with MuJoCo",
  models: MODEL_NAMES,
  run({ models, effort }) {
    const rows = models.map((model) => measureSeparately("forward", model, MILLISECONDS[effort]));
    return {
      results: rows.map((row) => ({ ...row, verdicts: verdictsOf(row) })),
      verdicts: rows.flatMap((row) => Object.values(verdictsOf(row))),
      text: textOf(rows),
    };
  },
};

const verdictsOf = ({ model, wasm, batch, mujoco, difference }: ForwardDynamicsRow) => ({
  mujoco: checkAtMost(wasm.min / mujoco.min, MUJOCO_RATIO[model]),
  batch: checkAtMost(batch.min / wasm.min, model === "m5g" ? BATCH_RATIO_M5G : BATCH_RATIO),
  difference: checkAtMost(difference, RELATIVE_DIFFERENCE),
});

function textOf(rows: readonly ForwardDynamicsRow[]): string {
  const { mujoco, native } = rows[0] ?? {};
  const cells = rows.map((row) => ({
    model: row.model,
    freedoms: row.freedoms,
    ops: row.ops,
    "WASM ns": row.wasm.min.toFixed(0),
    "f64x2 ns": row.batch.min.toFixed(0),
    "JS ns": row.js.min.toFixed(0),
    "MuJoCo WASM ns": row.mujoco.min.toFixed(0),
    "MuJoCo native ns": row.native ? row.native.min.toFixed(0) : "not installed",
    "WASM / MuJoCo WASM (limit)": verdictText(verdictsOf(row).mujoco),
    "WASM / native": row.native ? (row.wasm.min / row.native.min).toFixed(3) : "-",
    "f64x2 / WASM (limit)": verdictText(verdictsOf(row).batch, 2),
    difference: row.difference.toExponential(0),
  }));
  return [
    `Forward dynamics, ns per state, minimum of interleaved batches. MuJoCo ${mujoco?.version} (WASM), ${native?.version ?? "none"} (native).`,
    textTable(cells),
  ].join("\n");
}
