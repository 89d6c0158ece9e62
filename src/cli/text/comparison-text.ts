/** Table of the differences between a run and measured histories. */
import { coverageText } from "../../report/comparison.ts";
import { shortNumber } from "../../report/numbers.ts";
import { comparedChannels } from "../../scenario/measured/compare-run.ts";
import type { ScenarioRun } from "../../scenario/run.ts";
import type { TextFormat } from "./terminal.ts";
import { formatTable } from "./text-table.ts";
import { wrapText } from "./wrap-text.ts";

export function comparisonText(result: ScenarioRun, { style, width }: TextFormat): string[] {
  const compared = comparedChannels(result);
  if (compared.length === 0) return [];
  const number = (x: number | undefined, digits: number, unit = ""): string =>
    x === undefined ? "none" : `${shortNumber(x, digits)} ${unit}`.trimEnd();
  const uncovered = compared.flatMap((c) => {
    const coverage = coverageText(c);
    return coverage === undefined ? [] : wrapText(`${c.channel}, ${c.name}: ${coverage}`, width, "  ");
  });
  return [
    "",
    `${style.bold("Comparison")}${style.dim("  simulated less measured")}`,
    ...formatTable(
      [
        { head: "", cells: compared.map((c) => c.name) },
        { head: "", cells: compared.map((c) => c.channel) },
        { head: "rms difference", cells: compared.map((c) => number(c.rms, 4, c.unit)), align: "right" },
        { head: "largest", cells: compared.map((c) => number(c.largest, 4, c.unit)), align: "right" },
        { head: "at t", cells: compared.map((c) => number(c.at, 5, "s")), align: "right" },
        { head: "samples", cells: compared.map((c) => `${c.samples}`), align: "right" },
      ],
      style,
    ),
    ...uncovered,
  ];
}
