import { type ControlRow, PERIOD } from "../measurements/qp-control.ts";
import { CONTROL_RATIO, checkAtMost, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";
import { textTable } from "../run/table.ts";

const MILLISECONDS = { quick: 300, full: 5000 } as const;

export const control: BenchSection = {
  name: "control",
  about: "control at 1 kHz by quadratic programs of a robot with 18 freedoms, with its plant, against real time",
  run({ effort }) {
    const rows = measureSeparately("control", MILLISECONDS[effort]);
    const verdicts = rows.map(({ ratio }) => checkAtMost(ratio, CONTROL_RATIO));
    return { results: { rows, verdicts }, verdicts, text: textOf(rows) };
  },
};

function textOf(rows: readonly ControlRow[]): string {
  const cells = rows.map(({ name, together, plant, ratio, atLimits }) => ({
    robot: name,
    "at limits": atLimits.toFixed(1),
    "µs per period": together.toFixed(1),
    "plant alone": plant.toFixed(1),
    "fraction of real time": verdictText(checkAtMost(ratio, CONTROL_RATIO)),
  }));
  return [
    `Free-flying robot of 6 + 12 freedoms, nine task rows, quadratic programs with limits of torque, speed, range and wheel momentum`,
    `every ${1000 * PERIOD} ms, the plant by rk4 in steps of the same length, samples and audit: the fastest of several runs.`,
    textTable(cells),
  ].join("\n");
}
