import { type DriftRow, DURATION } from "../measurements/conservation-drift.ts";
import { ANGULAR_DRIFT, checkAtMost, ENERGY_DRIFT, scientificVerdictText, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const LAPS = { quick: 3, full: 7 } as const;

export const drift: BenchSection = {
  name: "drift",
  about: `free-floating arm tumbling for ${DURATION} s: drift of conserved quantities and wall time, compared with MuJoCo`,
  run({ effort }) {
    const { rows, version } = measureSeparately("drift", LAPS[effort]);
    const verdicts = verdictsOf(rows);
    return { results: { rows, version, verdicts }, verdicts: Object.values(verdicts), text: textOf(rows, version) };
  },
};

const rowOf = (rows: readonly DriftRow[], engine: string, integrator: string, step: number | undefined): DriftRow =>
  rows.find((row) => row.engine === engine && row.integrator === integrator && row.step === step)!;

/** Limits on Castor's default integrator, and ratios of drift and time of Castor's default and rk4 to MuJoCo's RK4. */
function verdictsOf(rows: readonly DriftRow[]) {
  const castorDefault = rowOf(rows, "Castor", "dop853", undefined);
  const castorRk4 = rowOf(rows, "Castor", "rk4", 0.002);
  const mujocoRk4 = rowOf(rows, "MuJoCo", "RK4", 0.002);
  return {
    angular: checkAtMost(castorDefault.angular, ANGULAR_DRIFT),
    energy: checkAtMost(castorDefault.energy, ENERGY_DRIFT),
    angularToPeer: checkAtMost(castorDefault.angular / mujocoRk4.angular, 1),
    energyToPeer: checkAtMost(castorDefault.energy / mujocoRk4.energy, 1),
    timeToPeer: checkAtMost(castorDefault.time.median / mujocoRk4.time.median, 1),
    sameMethodAngularToPeer: checkAtMost(castorRk4.angular / mujocoRk4.angular, 1),
    sameMethodEnergyToPeer: checkAtMost(castorRk4.energy / mujocoRk4.energy, 1),
    sameMethodTimeToPeer: checkAtMost(castorRk4.time.median / mujocoRk4.time.median, 1),
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
  const verdicts = verdictsOf(rows);
  return [
    `Free-floating 3R arm tumbling for ${DURATION} s: largest relative drift (angular momentum about the mass centre), wall time of the`,
    `whole run (the first is not warm). Castor: simulate with log and audit. MuJoCo ${version} (WASM): mj_step and copies of the state.`,
    textTable(cells),
    `Castor's default: angular momentum ${scientificVerdictText(verdicts.angular)}, energy ${scientificVerdictText(verdicts.energy)}.`,
    `Castor's default to MuJoCo's RK4 at 2 ms: drift ${scientificVerdictText(verdicts.angularToPeer)} and ${scientificVerdictText(verdicts.energyToPeer)}, time ${verdictText(verdicts.timeToPeer)}.`,
    `Castor's rk4 to MuJoCo's, both at 2 ms: drift ${scientificVerdictText(verdicts.sameMethodAngularToPeer)} and ${scientificVerdictText(verdicts.sameMethodEnergyToPeer)}, time ${verdictText(verdicts.sameMethodTimeToPeer)}.`,
  ].join("\n");
}
