import { DURATION, SPRING, STEP, type ThroughputRow } from "../measurements/step-throughput.ts";
import {
  checkAtLeast,
  checkAtMost,
  STATE_DIFFERENCE,
  STATE_DIFFERENCE_ORDER,
  scientificVerdictText,
  THROUGHPUT_RATIO,
  verdictText,
} from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 800, full: 4000 } as const;

export const throughput: BenchSection = {
  name: "throughput",
  about: "RK4 steps per second with springs and dampers in the hinges, compared with MuJoCo",
  models: ["m1a", "m2a"],
  run({ models, effort }) {
    const rows = models.map((model) => measureSeparately("throughput", model, MILLISECONDS[effort]));
    return {
      results: rows.map((row) => ({ ...row, verdicts: verdictsOf(row) })),
      verdicts: rows.flatMap((row) => Object.values(verdictsOf(row))),
      text: textOf(rows),
    };
  },
};

const verdictsOf = ({ model, castor, mujoco, difference, differenceAtHalf }: ThroughputRow) => ({
  ratio: checkAtLeast(mujoco.min / castor.min, THROUGHPUT_RATIO[model]),
  difference: checkAtMost(difference, STATE_DIFFERENCE),
  order: checkAtLeast(Math.log2(difference / differenceAtHalf), STATE_DIFFERENCE_ORDER),
});

function textOf(rows: readonly ThroughputRow[]): string {
  const perSecond = (ns: number): string => (1e9 / ns).toFixed(0);
  const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(0);
  const speed = rows.map((row) => ({
    model: row.model,
    freedoms: row.freedoms,
    "Castor steps/s": perSecond(row.castor.min),
    "MuJoCo steps/s": perSecond(row.mujoco.min),
    "Castor / MuJoCo (at least)": verdictText(verdictsOf(row).ratio, 1),
    "by medians": (row.mujoco.median / row.castor.median).toFixed(1),
    "Castor ns": row.castor.min.toFixed(0),
    "MuJoCo ns": row.mujoco.min.toFixed(0),
    "audit's ledger": `${percent(row.castor.min - row.withoutLedger.min, row.castor.min)} %`,
    "4 evaluations": `${percent(4 * row.evaluation.min, row.castor.min)} %`,
  }));
  const accuracy = rows.map((row) => ({
    model: row.model,
    "Castor from MuJoCo (limit)": scientificVerdictText(verdictsOf(row).difference),
    "with half the step": row.differenceAtHalf.toExponential(1),
    "order (at least)": verdictText(verdictsOf(row).order, 2),
    "Castor's error": row.errors.castor.toExponential(1),
    "MuJoCo's error": row.errors.mujoco.toExponential(1),
  }));
  return [
    `RK4 in steps of ${STEP} s, a spring (${SPRING.stiffness} N m/rad) and a damper (${SPRING.damping} N m s/rad) in every hinge, minimum of interleaved batches.`,
    `MuJoCo ${rows[0]?.version} (WASM), mj_step with all else switched off.`,
    textTable(speed),
    `States after ${DURATION} s, largest difference of q or u; errors against dop853 at 1e-13:`,
    textTable(accuracy),
  ].join("\n");
}
