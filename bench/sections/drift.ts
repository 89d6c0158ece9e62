import { type DriftRow, DURATION } from "../drift.ts";
import { ANGULAR_DRIFT, ENERGY_DRIFT, judge, scientific, shown } from "../run/limits.ts";
import type { Section } from "../run/section.ts";
import { apart } from "../run/separate-process.ts";
import { table } from "../run/table.ts";

const LAPS = { quick: 3, full: 7 } as const;

export const drift: Section = {
  name: "drift",
  about: `free-floating arm tumbling for ${DURATION} s: what should not drift, and wall time, beside MuJoCo`,
  run({ effort }) {
    const { rows, version } = apart("drift", LAPS[effort]);
    const verdicts = judged(rows);
    return { results: { rows, version, verdicts }, verdicts: Object.values(verdicts), text: textOf(rows, version) };
  },
};

const rowOf = (rows: readonly DriftRow[], engine: string, integrator: string, step: number | undefined): DriftRow =>
  rows.find((row) => row.engine === engine && row.integrator === integrator && row.step === step)!;

/** Castor's default by itself, and it and Castor's rk4 beside MuJoCo's RK4: ratios of drifts and of times. */
function judged(rows: readonly DriftRow[]) {
  const ours = rowOf(rows, "Castor", "dop853", undefined);
  const same = rowOf(rows, "Castor", "rk4", 0.002);
  const peer = rowOf(rows, "MuJoCo", "RK4", 0.002);
  return {
    angular: judge(ours.angular, ANGULAR_DRIFT),
    energy: judge(ours.energy, ENERGY_DRIFT),
    angularToPeer: judge(ours.angular / peer.angular, 1),
    energyToPeer: judge(ours.energy / peer.energy, 1),
    timeToPeer: judge(ours.time.median / peer.time.median, 1),
    sameMethodAngularToPeer: judge(same.angular / peer.angular, 1),
    sameMethodEnergyToPeer: judge(same.energy / peer.energy, 1),
    sameMethodTimeToPeer: judge(same.time.median / peer.time.median, 1),
  };
}

function textOf(rows: readonly DriftRow[], version: string): string {
  const exponential = (value: number): string => value.toExponential(1);
  const cells = rows.map((row) => ({
    "": `${row.engine} ${row.integrator}`,
    step: row.step === undefined ? "default" : `${1000 * row.step} ms`,
    "angular momentum": exponential(row.angular),
    "linear momentum": exponential(row.linear),
    energy: exponential(row.energy),
    "first run, ms": row.first.toFixed(0),
    median: row.time.median.toFixed(0),
    least: row.time.min.toFixed(0),
  }));
  const verdicts = judged(rows);
  return [
    `Free-floating 3R arm tumbling for ${DURATION} s: largest relative drift (angular momentum about the mass centre), wall time of the`,
    `whole run (the first is not warm). Castor: simulate with log and audit. MuJoCo ${version} (WASM): mj_step and copies of the state.`,
    table(cells),
    `Castor's default: angular momentum ${scientific(verdicts.angular)}, energy ${scientific(verdicts.energy)}.`,
    `Castor's default to MuJoCo's RK4 at 2 ms: drift ${scientific(verdicts.angularToPeer)} and ${scientific(verdicts.energyToPeer)}, time ${shown(verdicts.timeToPeer)}.`,
    `Castor's rk4 to MuJoCo's, both at 2 ms: drift ${scientific(verdicts.sameMethodAngularToPeer)} and ${scientific(verdicts.sameMethodEnergyToPeer)}, time ${shown(verdicts.sameMethodTimeToPeer)}.`,
  ].join("\n");
}
