import { DURATION, type WorkPrecisionRow } from "../measurements/work-precision.ts";
import { checkAtMost, ERROR_AT_1E_10, scientificVerdictText, TOLERANCE_PROPORTIONALITY, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const LAPS = { quick: 1, full: 5 } as const;

export const workPrecision: BenchSection = {
  name: "work-precision",
  about: `adaptive integrators on the torque-free asymmetric top over ${DURATION} s: error against work`,
  run({ effort }) {
    const rows = measureSeparately("work-precision", LAPS[effort]);
    const verdicts = verdictsOf(rows);
    return { results: { rows, verdicts }, verdicts: verdicts.flatMap((v) => [v.error, v.proportion]), text: textOf(rows) };
  },
};

/** For each integrator: the error at tolerance 1e-10, and the ratio between the extremes of error / tolerance from 1e-6 to 1e-10. */
function verdictsOf(rows: readonly WorkPrecisionRow[]) {
  return [...new Set(rows.map(({ integrator }) => integrator))].map((integrator) => {
    const inRange = rows.filter((row) => row.integrator === integrator && row.tolerance <= 1e-6 && row.tolerance >= 1e-10);
    const quotients = inRange.map(({ error, tolerance }) => error / tolerance);
    return {
      integrator,
      error: checkAtMost(inRange.at(-1)!.error, ERROR_AT_1E_10),
      proportion: checkAtMost(Math.max(...quotients) / Math.min(...quotients), TOLERANCE_PROPORTIONALITY),
    };
  });
}

function textOf(rows: readonly WorkPrecisionRow[]): string {
  const cells = rows.map((row) => ({
    integrator: row.integrator,
    tolerance: row.tolerance.toExponential(0),
    error: row.error.toExponential(1),
    "error / tolerance": (row.error / row.tolerance).toFixed(0),
    evaluations: row.evaluations,
    steps: row.steps,
    rejected: row.rejected,
    ms: row.milliseconds.toFixed(1),
  }));
  const lines = verdictsOf(rows).map(
    ({ integrator, error, proportion }) =>
      `${integrator}: error at 1e-10 ${scientificVerdictText(error)}, ` +
      `error / tolerance varies by ${verdictText(proportion, 1)} from 1e-6 to 1e-10.`,
  );
  return [`Torque-free asymmetric top over ${DURATION} s: error against work.`, textTable(cells), ...lines].join("\n");
}
