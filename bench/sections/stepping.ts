import { PERIOD, type SteppingRow } from "../measurements/step-by-step.ts";
import { checkAtMost, STEPPING_RATIO, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 1000, full: 8000 } as const;

export const stepping: BenchSection = {
  name: "stepping",
  about: "the caller's own control loop step by step, compared with simulate and a sampled controller",
  run({ effort }) {
    const rows = measureSeparately("stepping", MILLISECONDS[effort]);
    const verdicts = rows.flatMap((row) => Object.values(verdictsOf(row)));
    return { results: rows.map((row) => ({ ...row, verdicts: verdictsOf(row) })), verdicts, text: textOf(rows) };
  },
};

const verdictsOf = ({ ratio, difference }: SteppingRow) => ({
  ratio: checkAtMost(ratio, STEPPING_RATIO),
  difference: checkAtMost(difference, 0),
});

function textOf(rows: readonly SteppingRow[]): string {
  const cells = rows.map((row) => ({
    integrator: row.integrator,
    "sample every": `${1000 * PERIOD * row.periodsPerSample} ms`,
    "simulate, µs per period": row.simulate.toFixed(2),
    "step, µs per period": row.step.toFixed(2),
    "step / simulate (limit)": verdictText(verdictsOf(row).ratio, 2),
    "difference of final states": verdictText(verdictsOf(row).difference, 0),
  }));
  return [
    `Satellite with four hinges, PD control every ${1000 * PERIOD} ms: observe, compute, step({ inputs, dt }) in a loop of the caller, and`,
    "simulate with a sampled controller of the same law. Processor time, the fastest of several runs in turns.",
    textTable(cells),
  ].join("\n");
}
