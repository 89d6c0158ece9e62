import { judge, judgeLeast, SAME_ORDER, SAME_STATE, scientific, shown, THROUGHPUT_RATIO } from "../run/limits.ts";
import type { Section } from "../run/section.ts";
import { apart } from "../run/separate-process.ts";
import { table } from "../run/table.ts";
import { DURATION, SPRING, STEP, type ThroughputRow } from "../throughput.ts";

const MILLISECONDS = { quick: 800, full: 4000 } as const;

export const throughput: Section = {
  name: "throughput",
  about: "RK4 steps per second with springs and dampers in the hinges, beside MuJoCo",
  models: ["m1a", "m2a"],
  run({ models, effort }) {
    const rows = models.map((model) => apart("throughput", model, MILLISECONDS[effort]));
    return {
      results: rows.map((row) => ({ ...row, verdicts: judged(row) })),
      verdicts: rows.flatMap((row) => Object.values(judged(row))),
      text: textOf(rows),
    };
  },
};

const judged = ({ model, castor, mujoco, difference, differenceAtHalf }: ThroughputRow) => ({
  ratio: judgeLeast(mujoco.min / castor.min, THROUGHPUT_RATIO[model]),
  difference: judge(difference, SAME_STATE),
  order: judgeLeast(Math.log2(difference / differenceAtHalf), SAME_ORDER),
});

function textOf(rows: readonly ThroughputRow[]): string {
  const perSecond = (ns: number): string => (1e9 / ns).toFixed(0);
  const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(0);
  const speed = rows.map((row) => ({
    model: row.model,
    freedoms: row.freedoms,
    "Castor steps/s": perSecond(row.castor.min),
    "MuJoCo steps/s": perSecond(row.mujoco.min),
    "Castor / MuJoCo (at least)": shown(judged(row).ratio, 1),
    "by medians": (row.mujoco.median / row.castor.median).toFixed(1),
    "Castor ns": row.castor.min.toFixed(0),
    "MuJoCo ns": row.mujoco.min.toFixed(0),
    "audit's ledger": `${percent(row.castor.min - row.withoutLedger.min, row.castor.min)} %`,
    "4 evaluations": `${percent(4 * row.evaluation.min, row.castor.min)} %`,
  }));
  const accuracy = rows.map((row) => ({
    model: row.model,
    "Castor from MuJoCo (limit)": scientific(judged(row).difference),
    "with half the step": row.differenceAtHalf.toExponential(1),
    "order (at least)": shown(judged(row).order, 2),
    "Castor's error": row.errors.castor.toExponential(1),
    "MuJoCo's error": row.errors.mujoco.toExponential(1),
  }));
  return [
    `RK4 in steps of ${STEP} s, a spring (${SPRING.stiffness} N m/rad) and a damper (${SPRING.damping} N m s/rad) in every hinge, minimum of interleaved batches.`,
    `MuJoCo ${rows[0]?.version} (WASM), mj_step with all else switched off.`,
    table(speed),
    `States after ${DURATION} s, largest difference of q or u; errors against dop853 at 1e-13:`,
    table(accuracy),
  ].join("\n");
}
