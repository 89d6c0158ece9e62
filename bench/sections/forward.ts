import type { ForwardDynamicsRow } from "../forward-dynamics.ts";
import { MODEL_NAMES } from "../machines/models.ts";
import { BATCH_RATIO, DIFFERENCE, judge, MUJOCO_RATIO, shown } from "../run/limits.ts";
import type { Section } from "../run/section.ts";
import { apart } from "../run/separate-process.ts";
import { table } from "../run/table.ts";

const MILLISECONDS = { quick: 400, full: 3000 } as const;

export const forward: Section = {
  name: "forward",
  about: "forward dynamics of ten models beside MuJoCo",
  models: MODEL_NAMES,
  run({ models, effort }) {
    const rows = models.map((model) => apart("forward", model, MILLISECONDS[effort]));
    return {
      results: rows.map((row) => ({ ...row, verdicts: judged(row) })),
      verdicts: rows.flatMap((row) => Object.values(judged(row))),
      text: textOf(rows),
    };
  },
};

const judged = ({ model, wasm, batch, mujoco, difference }: ForwardDynamicsRow) => ({
  mujoco: judge(wasm.min / mujoco.min, MUJOCO_RATIO[model]),
  batch: judge(batch.min / wasm.min, BATCH_RATIO),
  difference: judge(difference, DIFFERENCE),
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
    "WASM / MuJoCo WASM (limit)": shown(judged(row).mujoco),
    "WASM / native": row.native ? (row.wasm.min / row.native.min).toFixed(3) : "-",
    "f64x2 / WASM (limit)": shown(judged(row).batch, 2),
    difference: row.difference.toExponential(0),
  }));
  return [
    `Forward dynamics, ns per state, minimum of interleaved batches. MuJoCo ${mujoco?.version} (WASM), ${native?.version ?? "none"} (native).`,
    table(cells),
  ].join("\n");
}
